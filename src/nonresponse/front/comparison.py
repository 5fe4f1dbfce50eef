"""A comparison of two runs: the record, its sentences and its tables, which report.document writes
for a terminal, Markdown and a notebook."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from nonresponse.legible import short
from nonresponse.report import document
from nonresponse.report.model import Section, Table, tabulate_texts
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import (
    format_level,
    format_rounded,
    format_signed,
    join_names,
    minus,
    number,
    p_value,
    plural,
)

STATES = ("correct", "unanswered", "wrong")
# The state of a question that was asked several times, not with the same verdict each time
MIXED = "mixed"
# What nobody judged may be anything; what failed was not correct.
IMPUTATIONS = {"unscored": ("wrong", "unanswered", "correct"), "error": ("wrong", "unanswered")}
TIE = 1e-12  # shares that differ by less are equal
# What is said of one response, and of several
WORDS = {"unscored": ("was not judged", "were not judged"), "error": ("failed", "failed")}
MEASURES = {
    "measure": pl.String,
    "a": pl.Float64,
    "b": pl.Float64,
    "difference": pl.Float64,  # b less a
    "lower": pl.Float64,
    "upper": pl.Float64,
    "p": pl.Float64,
    # p, over all pairs of the runs that were compared; null where a measure is not tested
    "p_maxt": pl.Float64,
    # The least and the largest difference over every way to count what is unscored or failed, and
    # their p; null if nothing is.
    "lowest": pl.Float64,
    "p_lowest": pl.Float64,
    "highest": pl.Float64,
    "p_highest": pl.Float64,
}
SIGNED = ("difference", "lower", "upper", "lowest", "highest")
ENDS = ("lowest", "highest")


@dataclass(frozen=True)
class Parts:
    """The parts of a difference in c@1 due to correct answers and to abstention, each with its
    interval."""

    by_correct: tuple[float, float, float]
    by_abstention: tuple[float, float, float]


@dataclass(frozen=True)
class Comparison:
    """The comparison of a run b with a run a, the earlier one or the baseline.

    asked: numbers of questions that both were asked, only a, only b. left_out: questions that both
    were asked, and on which one of the two has no verdict that counts. verdicts: a row per run, the
    number of responses by verdict, on what both were asked, and of questions not asked. counted_as:
    what a verdict counts as. measures: MEASURES. crossed: a row per state of a, with the number of
    questions by state of b. changed: the questions whose verdict differs, where both have one.
    shares: correct and wrong answers of a, then of b; empty where nobody judged the responses.
    units: the questions, or clusters of them, that the test counts. warnings: what makes the two
    incomparable.
    """

    a: str
    b: str
    asked: tuple[int, int, int]
    left_out: int
    verdicts: pl.DataFrame
    counted_as: Mapping[str, str]
    measures: pl.DataFrame
    crossed: pl.DataFrame
    changed: pl.DataFrame
    shares: list[tuple[float, float]]
    level: float
    units: int
    clustered: bool
    parts: Parts | None = None
    warnings: Sequence[str] = field(default_factory=list)

    @property
    def unit(self) -> str:
        """What is counted: questions, or pairs of a question and an answer."""
        return "pair" if "candidate" in self.changed.columns else "question"

    @property
    def tested(self) -> dict[str, Any] | None:
        """The row of the first measure that was tested; None if none was."""
        known = self.measures.drop_nulls(["difference", "p_maxt"])
        return None if known.is_empty() else known.row(0, named=True)

    @property
    def names(self) -> tuple[str, str]:
        """The names of both runs, as they are shown."""
        return short(self.a), short(self.b)

    @property
    def title(self) -> str:
        """The heading of a page."""
        return f"{self.names[1]} compared with {self.names[0]}"

    @property
    def sentences(self) -> list[str]:
        """Warnings, questions, what has no verdict, significance, imputations, parts, cost and
        changes."""
        others = [function(self) for function in (significance, imputation, parts, cost)]
        lines = [asked(self), *without_verdict(self), *filter(None, others), change(self)]
        return [*self.warnings, *lines]

    def __repr__(self) -> str:
        return document.render_plain(self.title, self.sections())

    def _repr_html_(self) -> str:
        return document.render_html(self.sections())

    def sections(self, listed: bool = False) -> list[Section]:
        """Return the sections of a page; listed: with the questions that changed."""
        first = "On the questions that both were asked"
        sections = [Section(first, self.sentences, tables=tables(self))]
        if listed and self.changed.height:
            header = [*self.changed.columns[:-2], *self.names]
            rows = [[*map(str, row)] for row in self.changed.iter_rows()]
            table = tabulate_texts(header, rows, text_columns=range(len(header)))
            sections.append(Section("Questions that changed", [], tables=[table]))
        return sections

    def data(self) -> dict[str, Any]:
        """Return the comparison as values for JSON."""
        both, only_a, only_b = self.asked
        numbers = {"shared": both, "only_a": only_a, "only_b": only_b, "left_out": self.left_out}
        return {
            "a": self.a,
            "b": self.b,
            "questions": numbers,
            "verdicts": {row.pop("run"): row for row in self.verdicts.to_dicts()},
            "counted_as": dict(self.counted_as),
            "measures": self.measures.to_dicts(),
            "parts": self.parts and asdict(self.parts),
            "crossed": {row.pop("a"): row for row in self.crossed.to_dicts()},
            "changed": self.changed.to_dicts(),
            "sentences": self.sentences,
            "warnings": [*self.warnings],
        }


def as_json(pairs: Sequence[Comparison]) -> str:
    """Return comparisons as JSON: one as an object, several as an array."""
    data = [pair.data() for pair in pairs]
    return json.dumps(
        data if len(data) > 1 else data[0], ensure_ascii=False, indent=1, allow_nan=False
    )


def asked(found: Comparison) -> str:
    """Say on how many questions the runs are compared."""
    (a, b), (both, *others) = found.names, found.asked
    where = [f"that only {a} was asked", f"that only {b} was asked"]
    where.append("on which one of the two has no verdict that counts")
    numbers = zip([*others, found.left_out], where, strict=True)
    left_out = join_names([f"{number:,} {which}" for number, which in numbers if number])
    return (
        f"Both were asked {plural(both, 'question')}{f'; left out: {left_out}' * bool(left_out)}."
    )


def without_verdict(found: Comparison) -> list[str]:
    """Say of each run how many of its responses were not judged or failed, and as what they
    count."""
    lines = []
    for row in found.verdicts.iter_rows(named=True) if found.counted_as else ():
        responses = sum(row[word] for word in row if word not in ("run", NOT_ASKED))
        for word in [word for word in WORDS if row[word]]:
            choice, several = found.counted_as[word], row[word] > 1
            counted = f"count{'' if several else 's'} as {choice}"
            if choice == "exclude":
                counted = f"{'are' if several else 'is'} left out"
            what = f"{row[word]:,} of {plural(responses, 'response')} of {short(row['run'])}"
            lines.append(f"{what} {WORDS[word][several]}, and {counted}.")
    return lines


def significance(found: Comparison) -> str:
    """Say whether the runs differ significantly in the first measure that was tested; "" if none
    was."""
    row = found.tested
    if row is None:
        return ""
    several = " over all pairs of runs" if row["p_maxt"] != row["p"] else ""
    gap, significant, doubt = change_of(row["difference"]), row["p_maxt"] <= found.level, ""
    if significant and row["lower"] <= 0 <= row["upper"]:
        doubt = "; the CI, by Student's t, is the more cautious one here"
    least = 2.0 ** (1 - found.units)
    if least > found.level:
        units = plural(found.units, "cluster" if found.clustered else "question")
        doubt = f": whatever the answers, with {units} the smallest p is {least:.3g}"
    return (
        f"The difference in {row['measure']}, {gap}, is {'' if significant else 'not '}significant "
        f"at the {format_level(found.level)} level ({p_value(row['p_maxt'])}{several}){doubt}."
    )


def change_of(value: float) -> str:
    """Return a difference with its sign and three decimals."""
    return minus(format_signed(value, 3))


def imputation(found: Comparison) -> str:
    """Say how far the first difference depends on what unscored and failed responses count as; ""
    if on none."""
    row = found.tested
    if row is None or row["lowest"] is None:
        return ""
    ends, seen = [], {direction(row["difference"], row["p"], found.level)}
    for end in ENDS:
        p = row[f"p_{end}"]
        ends.append(change_of(row[end]) + ("" if p is None else f" ({p_value(p)})"))
        seen.add(direction(row[end], p, found.level))
    there = join_names(
        [WORDS[word][True] for word in IMPUTATIONS if found.verdicts[word].sum()], "or"
    )
    depends = " Whether the two differ significantly depends on it." if len(seen) > 1 else ""
    return (
        f"Depending on what responses that {there} count as, the difference lies between {ends[0]} "
        f"and {ends[1]}.{depends}"
    )


def direction(difference: float, p: float | None, level: float) -> int:
    """Return 1 or -1 for a significant difference, else 0."""
    return 0 if p is None or p > level else 1 if difference > 0 else -1


def parts(found: Comparison) -> str:
    """Say what of the difference in c@1 came by correct answers, and what by abstention; "" without
    c@1."""
    if found.parts is None:
        return ""
    row = found.measures.row(by_predicate=pl.col("measure") == "c@1", named=True)
    difference, (behind, first) = row["difference"], found.names
    of_each = [found.parts.by_correct, found.parts.by_abstention]
    if difference < 0:
        difference, behind, first = -difference, first, behind
        of_each = [(-part, -high, -low) for part, low, high in of_each]
    by = number(difference, 3)
    ahead = f"{first} is ahead of {behind} by {by} in c@1"
    if row["p_maxt"] > found.level:
        ahead = f"c@1 of {first} is {by} above that of {behind}, which is not significant"
    if difference < 0.0005:
        ahead = f"{first} and {behind} have {'nearly ' * (difference > TIE)}the same c@1"
    correct = float(format_rounded(of_each[0][0], 3))
    amounts = (correct, float(format_rounded(difference, 3)) - correct)  # add up as printed
    ends = [" to ".join(map(change_of, part[1:])) for part in of_each]
    return (
        f"{ahead}: {change_of(amounts[0])} by correct answers ({format_level(1 - found.level)} CI "
        f"{ends[0]}), {change_of(amounts[1])} by abstention ({ends[1]})."
    )


def cost(found: Comparison) -> str:
    """Say from which cost of a wrong answer on which run scores higher, by correct − cost ·
    wrong."""
    if not found.shares:
        return ""
    (correct_a, wrong_a), (correct_b, wrong_b) = found.shares
    more, worse, names = correct_b - correct_a, wrong_b - wrong_a, found.names
    first = int(more > 0)
    if abs(more) <= TIE and abs(worse) <= TIE:
        who = "neither scores higher, whatever a wrong answer costs"
    elif abs(more) <= TIE:  # equal while a wrong answer costs nothing
        who = f"{names[worse < 0]} scores higher wherever a wrong answer costs anything"
    elif abs(worse) <= TIE or more / worse < 0:
        who = f"{names[first]} scores higher, whatever a wrong answer costs"
    else:
        ratio = more / worse
        who = (
            f"{names[first]} scores higher while a wrong answer costs less than "
            f"{format_rounded(ratio, 2)} correct ones, {names[1 - first]} where it costs more "
            f"(penalty@t, t = {format_rounded(ratio / (1 + ratio), 2)})"
        )
    return f"By correct − cost · wrong (not tested), {who}."


def change(found: Comparison) -> str:
    """Say how many questions changed, which way, and on how many this is unknown."""
    ways = found.changed.group_by("a", "b").len()
    ways = ways.sort("len", "a", "b", descending=[True, False, False])
    each = ", ".join(f"{count:,} from {a} to {b}" for a, b, count in ways.iter_rows())
    text = f"{plural(found.changed.height, found.unit)} changed{f': {each}' if each else ''}"
    cells = found.crossed.unpivot(index="a", variable_name="b", value_name="count")
    has_none = pl.any_horizontal(pl.col("a", "b").is_in([*IMPUTATIONS]))
    mixed, unknown = (
        int(cells.filter(some)["count"].sum())
        for some in (pl.all_horizontal(pl.col("a", "b") == MIXED), has_none)
    )
    if mixed:
        text += f"; on {plural(mixed, 'other')} the verdicts of both are mixed"
    if unknown:
        text += f"; on {plural(unknown, 'other')} one of the two has no verdict"
    return f"{text}."


def tables(found: Comparison) -> list[Table]:
    """Return the verdicts of both runs, the questions by both, and the measures."""
    a, b = found.names
    words = [
        word for word in found.verdicts.columns[1:] if word in STATES or found.verdicts[word].sum()
    ]
    tables = []
    if found.counted_as and len(words) > len(STATES):
        rows = [
            [short(run), *(f"{count:,}" for count in counts)]
            for run, *counts in found.verdicts.select("run", *words).iter_rows()
        ]
        caption = "Responses by verdict, on what both were asked."
        tables.append(tabulate_texts(["run", *words], rows, caption))
    crossed = [[state, *(f"{count:,}" for count in row)] for state, *row in found.crossed.rows()]
    seen = found.crossed.columns[1:]
    mixed = ["mixed: asked several times, and not with the same verdict each time."]
    title = f"{found.unit.capitalize()}s by the verdicts of {a} and {b}."
    header = [f"{a} ↓  {b} →", *seen]
    return [
        *tables,
        tabulate_texts(header, crossed, title, mixed * (MIXED in seen)),
        measures(found),
    ]


def measures(found: Comparison) -> Table:
    """Return the table of measures; columns in which nothing stands are left out."""
    table, (a, b) = found.measures, found.names
    several = bool(table["p_maxt"].ne_missing(table["p"]).any())
    imputed = [end for end in ENDS if table[end].is_not_null().any()]
    names = ["a", "b", "difference", "lower", "upper", "p", *["p_maxt"] * several]
    names += imputed
    labels = {"a": a, "b": b}
    rows = [
        [row["measure"], *(cell(row[name], name in SIGNED) for name in names)]
        for row in table.iter_rows(named=True)
    ]
    notes = [
        f"Difference: {b} less {a}, with its {format_level(1 - found.level)} CI; p: that there is "
        "none."
    ]
    notes += ["p_maxt: over all pairs of the runs, on the questions that all were asked."] * several
    over = "lowest, highest: over all ways to count what was not judged or failed."
    header = ["measure", *(labels.get(name, name) for name in names)]
    return tabulate_texts(header, rows, f"{found.title}.", notes + [over] * bool(imputed))


def cell(value: float | None, sign: bool) -> str:
    """Return a number with four decimals; a small one, such as a p, as a power of ten."""
    if value is not None and not sign and 0 < abs(value) < 0.00005:
        return f"{value:.1e}"
    return format_signed(value, 4) if sign else number(value, 4)
