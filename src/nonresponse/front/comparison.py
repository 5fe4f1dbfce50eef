"""A comparison of two runs: the record, and its sentences and tables for a terminal, Markdown, a
notebook and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from nonresponse.legible import short
from nonresponse.report import document
from nonresponse.report.model import Section, Table, of_texts
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import at, joined, minus, number, p_value, plural, rounded, signed

STATES = ("correct", "unanswered", "wrong")
# The state of a question that was asked several times, not with the same verdict each time
MIXED = "mixed"
# What nobody judged may be anything; what failed was not correct.
IMPUTATIONS = {"unscored": ("wrong", "unanswered", "correct"), "error": ("wrong", "unanswered")}
TIE = 1e-12  # shares that differ by less are equal
# What is said of one response, and of several
WORDS = {"unscored": ("was not judged", "were not judged"), "error": ("failed", "failed")}
SIGNED = ("difference", "lower", "upper", "by_correct", "by_abstention", "lowest", "highest")


MEASURES = {
    "measure": pl.String,
    "a": pl.Float64,
    "b": pl.Float64,
    "difference": pl.Float64,  # b less a
    "lower": pl.Float64,
    "upper": pl.Float64,
    "p": pl.Float64,
    "p_holm": pl.Float64,  # p corrected for all runs that were compared with a
    # The part due to correct answers; null for measures of more than SHARES
    "by_correct": pl.Float64,
    "by_abstention": pl.Float64,  # the other part, due to abstention
    # The least and the largest difference over every way to count what is unscored or failed, and
    # their p; null if nothing is.
    "lowest": pl.Float64,
    "p_lowest": pl.Float64,
    "highest": pl.Float64,
    "p_highest": pl.Float64,
}


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
        known = self.measures.drop_nulls(["difference", "p_holm"])
        return None if known.is_empty() else known.row(0, named=True)

    @property
    def sentences(self) -> list[str]:
        """The comparison in words."""
        return sentences(self)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    def data(self) -> dict[str, Any]:
        """Return the comparison as values for JSON."""
        names = ("shared", "only_a", "only_b")
        return {
            "a": self.a,
            "b": self.b,
            "questions": dict(zip(names, self.asked, strict=True)) | {"left_out": self.left_out},
            "verdicts": {row.pop("run"): row for row in self.verdicts.to_dicts()},
            "counted_as": dict(self.counted_as),
            "measures": self.measures.to_dicts(),
            "crossed": {row.pop("a"): row for row in self.crossed.to_dicts()},
            "changed": self.changed.to_dicts(),
            "sentences": self.sentences,
            "warnings": [*self.warnings],
        }


def sentences(found: Comparison) -> list[str]:
    """Return warnings, questions, what has no verdict, significance, imputations, parts, cost and
    changes."""
    lines = [
        asked(found),
        *without_verdict(found),
        significance(found),
        imputation(found),
        parts(found),
        cost(found),
    ]
    return [*found.warnings, *filter(None, lines), change(found)]


def asked(found: Comparison) -> str:
    """Say on how many questions the runs are compared."""
    both, only_a, only_b = found.asked
    a, b = short(found.a), short(found.b)
    alone = [(only_a, f"that only {a} was asked"), (only_b, f"that only {b} was asked")]
    alone.append((found.left_out, "on which one of the two has no verdict that counts"))
    others = [f"{number:,} {which}" for number, which in alone if number]
    left_out = f"; left out: {joined(others)}" if others else ""
    return f"Both were asked {plural(both, 'question')}{left_out}."


def without_verdict(found: Comparison) -> list[str]:
    """Say of each run how many of its responses were not judged or failed, and as what they
    count."""
    lines = []
    for row in found.verdicts.iter_rows(named=True) if found.counted_as else ():
        responses = sum(row[word] for word in row if word not in ("run", NOT_ASKED))
        for word in [word for word in WORDS if row[word]]:
            choice, several = found.counted_as[word], row[word] > 1
            counted = (f"counts as {choice}", f"count as {choice}")
            counted = ("is left out", "are left out") if choice == "exclude" else counted
            what = f"{row[word]:,} of {plural(responses, 'response')} of {short(row['run'])}"
            lines.append(f"{what} {WORDS[word][several]}, and {counted[several]}.")
    return lines


def significance(found: Comparison) -> str:
    """Say whether the runs differ significantly in the first measure that was tested; "" if none
    was."""
    row = found.tested
    if row is None:
        return ""
    corrected = (
        ", corrected for all comparisons with the first" if row["p_holm"] != row["p"] else ""
    )
    gap, significant = minus(signed(row["difference"], 3)), row["p_holm"] <= found.level
    doubt = ""
    if significant and row["lower"] <= 0 <= row["upper"]:
        doubt = "; the CI, by Student's t, is the more cautious one here"
    least = 2.0 ** (1 - found.units)
    if least > found.level:
        units = plural(found.units, "cluster" if found.clustered else "question")
        doubt = f": whatever the answers, with {units} the smallest p is {least:.3g}"
    return (
        f"The difference in {row['measure']}, {gap}, is "
        f"{'' if significant else 'not '}significant at the"
        f" {at(found.level)} level ({p_value(row['p_holm'])}{corrected}){doubt}."
    )


def imputation(found: Comparison) -> str:
    """Say how far the first difference depends on what unscored and failed responses count as; ""
    if on none."""
    row = found.tested
    if row is None or row["lowest"] is None:
        return ""
    ends = [
        f"{minus(signed(row[end], 3))} ({p_value(row[f'p_{end}'])})"
        if row[f"p_{end}"] is not None
        else minus(signed(row[end], 3))
        for end in ("lowest", "highest")
    ]
    there = [WORDS[word][True] for word in IMPUTATIONS if found.verdicts[word].sum()]
    seen = {direction(row["difference"], row["p"], found.level)}
    seen |= {direction(row[end], row[f"p_{end}"], found.level) for end in ("lowest", "highest")}
    depends = " Whether the two differ significantly depends on it." if len(seen) > 1 else ""
    how = f"Depending on what responses that {joined(there, 'or')} count as"
    return f"{how}, the difference lies between {ends[0]} and {ends[1]}.{depends}"


def direction(difference: float, p: float | None, level: float) -> int:
    """Return 1 or -1 for a significant difference, else 0."""
    return 0 if p is None or p > level else 1 if difference > 0 else -1


def parts(found: Comparison) -> str:
    """Say what of the difference in c@1 came by correct answers, and what by abstention; "" without
    c@1."""
    if found.parts is None:
        return ""
    row = found.measures.row(by_predicate=pl.col("measure") == "c@1", named=True)
    difference, names, both = row["difference"], [short(found.b), short(found.a)], found.parts
    if difference < 0:
        difference, names, both = -difference, names[::-1], turned(both)
    by = number(difference, 3)
    ahead = f"{names[0]} is ahead of {names[1]} by {by} in c@1"
    if row["p_holm"] > found.level:
        ahead = f"c@1 of {names[0]} is {by} above that of {names[1]}, which is not significant"
    if difference < 0.0005:
        ahead = f"{names[0]} and {names[1]} have {'nearly ' * (difference > TIE)}the same c@1"
    correct = float(rounded(both.by_correct[0], 3))
    amounts = [
        minus(signed(part, 3)) for part in (correct, float(rounded(difference, 3)) - correct)
    ]  # add up as printed
    ends = [
        " to ".join(minus(signed(end, 3)) for end in part[1:])
        for part in (both.by_correct, both.by_abstention)
    ]
    text = (
        f"{amounts[0]} by correct answers ({at(1 - found.level)} CI {ends[0]}), "
        f"{amounts[1]} by abstention ({ends[1]})"
    )
    return f"{ahead}: {text}."


def turned(both: Parts) -> Parts:
    """Return the parts of the difference of a less b."""
    of = [(-part, -high, -low) for part, low, high in (both.by_correct, both.by_abstention)]
    return Parts(*of)


def cost(found: Comparison) -> str:
    """Say from which cost of a wrong answer on which run scores higher, by correct − cost ·
    wrong."""
    if not found.shares:
        return ""
    worth, names = (
        "By correct − cost · wrong (not tested),",
        [short(found.a), short(found.b)],
    )
    (correct_a, wrong_a), (correct_b, wrong_b) = found.shares
    more, worse = correct_b - correct_a, wrong_b - wrong_a
    if abs(more) <= TIE and abs(worse) <= TIE:
        return f"{worth} neither scores higher, whatever a wrong answer costs."
    if abs(more) <= TIE:  # equal while a wrong answer costs nothing
        return f"{worth} {names[worse < 0]} scores higher wherever a wrong answer costs anything."
    first = int(more > 0)
    if abs(worse) <= TIE or more / worse < 0:
        return f"{worth} {names[first]} scores higher, whatever a wrong answer costs."
    cost = more / worse
    return (
        f"{worth} {names[first]} scores higher while a wrong answer costs less than "
        f"{rounded(cost, 2)} correct ones,"
        f" {names[1 - first]} where it costs more (penalty@t, t = "
        f"{rounded(cost / (1 + cost), 2)})."
    )


def change(found: Comparison) -> str:
    """Say how many questions changed, which way, and on how many this is unknown."""
    ways = (
        found.changed.group_by("a", "b")
        .len()
        .sort("len", "a", "b", descending=[True, False, False])
    )
    each = ", ".join(f"{count:,} from {a} to {b}" for a, b, count in ways.iter_rows())
    text = f"{plural(found.changed.height, found.unit)} changed{f': {each}' if each else ''}"
    names = found.crossed.columns[1:]
    mixed = int(found.crossed.filter(a=MIXED)[MIXED].sum()) if MIXED in names else 0
    unknown = sum(
        count
        for a, *row in found.crossed.iter_rows()
        for b, count in zip(names, row, strict=True)
        if {a, b} & {*IMPUTATIONS}
    )
    if mixed:
        text += f"; on {plural(mixed, 'other')} the verdicts of both are mixed"
    if unknown:
        text += f"; on {plural(unknown, 'other')} one of the two has no verdict"
    return f"{text}."


def tables(found: Comparison) -> list[Table]:
    """Return the verdicts of both runs, the questions by both, and the measures."""
    a, b = short(found.a), short(found.b)
    seen = [word for word in found.verdicts.columns[1:] if found.verdicts[word].sum()]
    words = [word for word in found.verdicts.columns[1:] if word in (*STATES, *seen)]
    crossed = [[row[0], *(f"{count:,}" for count in row[1:])] for row in found.crossed.iter_rows()]
    mixed = ["mixed: asked several times, and not with the same verdict each time."] * (
        MIXED in found.crossed.columns
    )
    title = f"{found.unit.capitalize()}s by the verdicts of {a} and {b}."
    made = [of_texts([f"{a} ↓  {b} →", *found.crossed.columns[1:]], crossed, title, mixed)]
    if found.counted_as and len(words) > len(STATES):
        rows = [
            [short(row["run"]), *(f"{row[word]:,}" for word in words)]
            for row in found.verdicts.iter_rows(named=True)
        ]
        made.insert(
            0, of_texts(["run", *words], rows, "Responses by verdict, on what both were asked.")
        )
    return [*made, measures(found, a, b)]


def measures(found: Comparison, a: str, b: str) -> Table:
    """Return the table of measures; columns in which nothing stands are left out."""
    several = found.measures["p_holm"].ne_missing(found.measures["p"]).any()
    imputed = [end for end in ("lowest", "highest") if found.measures[end].is_not_null().any()]
    names = ["a", "b", "difference", "lower", "upper", "p", *["p_holm"] * bool(several)]
    names += ["by_correct", "by_abstention", *imputed]
    labels = {"a": a, "b": b, "by_correct": "by correct answers", "by_abstention": "by abstention"}
    rows = [
        [row["measure"], *(cell(row[name], name in SIGNED) for name in names)]
        for row in found.measures.iter_rows(named=True)
    ]
    notes = [f"Difference: {b} less {a}, with its {at(1 - found.level)} CI; p: that there is none."]
    notes += ["p_holm: corrected for all that were compared with the first."] * bool(several)
    over = "lowest, highest: over all ways to count what was not judged or failed."
    notes += [over] * bool(imputed)
    header = ["measure", *(labels.get(name, name) for name in names)]
    return of_texts(header, rows, f"{b} compared with {a}.", notes)


def cell(value: float | None, sign: bool) -> str:
    """Return a number with four decimals; a small one, such as a p, as a power of ten."""
    if value is not None and not sign and 0 < abs(value) < 0.00005:
        return f"{value:.1e}"
    return signed(value, 4) if sign else number(value, 4)


def sections(found: Comparison, listed: bool = False) -> list[Section]:
    """Return the comparison as sections of a page; listed: with the questions that changed."""
    made = [
        Section("On the questions that both were asked", sentences(found), tables=tables(found))
    ]
    if listed and found.changed.height:
        keys = found.changed.columns[:-2]
        header = [*keys, short(found.a), short(found.b)]
        rows = [[*map(str, row)] for row in found.changed.iter_rows()]
        made.append(
            Section(
                "Questions that changed",
                [],
                tables=[of_texts(header, rows, left=range(len(header)))],
            )
        )
    return made


def title(found: Comparison) -> str:
    """Return the heading of a page."""
    return f"{short(found.b)} compared with {short(found.a)}"


def as_text(found: Comparison, listed: bool = False) -> str:
    """Return the comparison for a terminal."""
    return document.plain(title(found), sections(found, listed))


def as_markdown(found: Comparison, listed: bool = False) -> str:
    """Return the comparison in Markdown, as a comment on a pull request."""
    return document.markdown(title(found), sections(found, listed))


def as_html(found: Comparison) -> str:
    """Return the comparison for a notebook."""
    return document.html(sections(found))


def as_json(found: Sequence[Comparison]) -> str:
    """Return comparisons as JSON: one as an object, several as an array."""
    data = [it.data() for it in found]
    return json.dumps(
        data if len(data) > 1 else data[0], ensure_ascii=False, indent=1, allow_nan=False
    )
