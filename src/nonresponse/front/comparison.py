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
from nonresponse.report.sections import cost
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import (
    describe_policy,
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
MIXTURE = "mixed"
# What nobody judged may be anything; what failed was not correct.
IMPUTATIONS = {"unscored": ("wrong", "unanswered", "correct"), "error": ("wrong", "unanswered")}
TIE = 1e-12  # shares that differ by less are equal
# What is said of one response, and of several
WORDS = {
    "unscored": ("was not judged", "were not judged"),
    "error": ("failed", "failed"),
    "partial": ("is only partly correct", "are only partly correct"),
}
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
        rows = self.measures.drop_nulls(["difference", "p_maxt"])
        return None if rows.is_empty() else rows.row(0, named=True)

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
        describe = (describe_significance, describe_imputation, describe_parts, describe_cost)
        findings = [function(self) for function in describe]
        lines = [describe_questions(self), *describe_uncounted(self), *filter(None, findings)]
        lines.append(describe_changes(self))
        return [*self.warnings, *lines]

    def __repr__(self) -> str:
        return document.render_plain(self.title, self.sections())

    def _repr_html_(self) -> str:
        return document.render_html(self.sections())

    def sections(self, listed: bool = False) -> list[Section]:
        """Return the sections of a page; listed: with the questions that changed."""
        tables = [*tabulate_verdicts(self), tabulate_measures(self)]
        sections = [Section("On the questions that both were asked", self.sentences, tables=tables)]
        if listed and self.changed.height:
            header = [*self.changed.columns[:-2], *self.names]
            rows = [[*map(str, row)] for row in self.changed.iter_rows()]
            table = tabulate_texts(header, rows, text_columns=range(len(header)))
            sections.append(Section("Questions that changed", [], tables=[table]))
        return sections

    def data(self) -> dict[str, Any]:
        """Return the comparison as values for JSON."""
        common, only_a, only_b = self.asked
        numbers = {"shared": common, "only_a": only_a, "only_b": only_b, "left_out": self.left_out}
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


def to_json(pairs: Sequence[Comparison]) -> str:
    """Return comparisons as JSON: one as an object, several as an array."""
    data = [pair.data() for pair in pairs]
    return json.dumps(
        data if len(data) > 1 else data[0], ensure_ascii=False, indent=1, allow_nan=False
    )


def describe_questions(pair: Comparison) -> str:
    """Say on how many questions the runs are compared."""
    a, b = pair.names
    common, only_a, only_b = pair.asked
    numbers = {
        f"that only {a} was asked": only_a,
        f"that only {b} was asked": only_b,
        "on which one of the two has no verdict that counts": pair.left_out,
    }
    left_out = join_names([f"{number:,} {text}" for text, number in numbers.items() if number])
    return f"Both were asked {plural(common, 'question')}{left_out and f'; left out: {left_out}'}."


def describe_uncounted(pair: Comparison) -> list[str]:
    """Say of each run how many of its responses have which of WORDS, and as what they count."""
    lines = []
    for row in pair.verdicts.iter_rows(named=True) if pair.counted_as else ():
        responses = sum(row[word] for word in row if word not in ("run", NOT_ASKED))
        for word in [word for word in WORDS if row[word]]:
            policy = describe_policy(pair.counted_as[word], row[word])
            subject = f"{row[word]:,} of {plural(responses, 'response')} of {short(row['run'])}"
            lines.append(f"{subject} {WORDS[word][row[word] > 1]}, and {policy}.")
    return lines


def describe_significance(pair: Comparison) -> str:
    """Say whether the runs differ significantly in the first measure that was tested; "" if none
    was."""
    row = pair.tested
    if row is None:
        return ""
    scope = " over all pairs of runs" if row["p_maxt"] != row["p"] else ""
    gap, significant, doubt = format_difference(row["difference"]), row["p_maxt"] <= pair.level, ""
    if significant and row["lower"] <= 0 <= row["upper"]:
        doubt = "; the CI, by Student's t, is the more cautious one here"
    least = 2.0 ** (1 - pair.units)
    if least > pair.level:
        units = plural(pair.units, "cluster" if pair.clustered else "question")
        doubt = f": whatever the answers, with {units} the smallest p is {least:.3g}"
    return (
        f"The difference in {row['measure']}, {gap}, is {'' if significant else 'not '}significant "
        f"at the {format_level(pair.level)} level ({p_value(row['p_maxt'])}{scope}){doubt}."
    )


def format_difference(value: float) -> str:
    """Return a difference with its sign and three decimals."""
    return minus(format_signed(value, 3))


def describe_imputation(pair: Comparison) -> str:
    """Say how far the first difference depends on what unscored and failed responses count as; ""
    if on none."""
    row = pair.tested
    if row is None or row["lowest"] is None:
        return ""
    ends, directions = [], {find_direction(row["difference"], row["p"], pair.level)}
    for end in ENDS:
        p = row[f"p_{end}"]
        ends.append(format_difference(row[end]) + ("" if p is None else f" ({p_value(p)})"))
        directions.add(find_direction(row[end], p, pair.level))
    verbs = join_names(
        [WORDS[word][True] for word in IMPUTATIONS if pair.verdicts[word].sum()], "or"
    )
    depends = " Whether the two differ significantly depends on it." if len(directions) > 1 else ""
    return (
        f"Depending on what all responses that {verbs} count as, the difference lies between "
        f"{ends[0]} and {ends[1]}.{depends}"
    )


def find_direction(difference: float, p: float | None, level: float) -> int:
    """Return 1 or -1 for a significant difference, else 0."""
    return 0 if p is None or p > level else 1 if difference > 0 else -1


def describe_parts(pair: Comparison) -> str:
    """Say what of the difference in c@1 came by correct answers, and what by abstention; "" without
    c@1."""
    if pair.parts is None:
        return ""
    row = pair.measures.row(by_predicate=pl.col("measure") == "c@1", named=True)
    difference, (behind, leader) = row["difference"], pair.names
    intervals = [pair.parts.by_correct, pair.parts.by_abstention]
    if difference < 0:
        difference, behind, leader = -difference, leader, behind
        intervals = [(-part, -high, -low) for part, low, high in intervals]
    gap = number(difference, 3)
    ahead = f"{leader} is ahead of {behind} by {gap} in c@1"
    if row["p_maxt"] > pair.level:
        ahead = f"c@1 of {leader} is {gap} above that of {behind}, which is not significant"
    if difference < 0.0005:
        ahead = f"{leader} and {behind} have {'nearly ' * (difference > TIE)}the same c@1"
    correct = format_rounded(intervals[0][0], 3)
    remainder = format_difference(
        float(format_rounded(difference, 3)) - float(correct)
    )  # add up as printed
    ends = ["", ""]
    if 2.0 ** (1 - pair.units) <= pair.level:  # else an interval says nothing
        low_high = [" to ".join(map(format_difference, interval[1:])) for interval in intervals]
        ends = [f" ({format_level(1 - pair.level)} CI {low_high[0]})", f" ({low_high[1]})"]
    return (
        f"{ahead}: {format_difference(float(correct))} by correct answers{ends[0]}, {remainder} by "
        f"abstention{ends[1]}."
    )


def describe_cost(pair: Comparison) -> str:
    """Say which run is best at which cost of a wrong answer; "" where nobody judged."""
    lines = [(name, *shares) for name, shares in zip((pair.a, pair.b), pair.shares, strict=False)]
    return cost.describe_best_runs(cost.find_stretches(lines)) if lines else ""


def describe_changes(pair: Comparison) -> str:
    """Say how many questions changed, which way, and on how many this is unknown."""
    ways = pair.changed.group_by("a", "b").len()
    ways = ways.sort("len", "a", "b", descending=[True, False, False])
    counts = ", ".join(f"{count:,} from {a} to {b}" for a, b, count in ways.iter_rows())
    text = f"{plural(pair.changed.height, pair.unit)} changed{f': {counts}' if counts else ''}"
    cells = pair.crossed.unpivot(index="a", variable_name="b", value_name="count")
    states = pl.col("a", "b")
    mixed_count, unknown = (
        int(cells.filter(condition)["count"].sum())
        for condition in (
            pl.all_horizontal(states == MIXTURE),
            pl.any_horizontal(states.is_in([*IMPUTATIONS])),
        )
    )
    if mixed_count:
        text += f"; on {plural(mixed_count, 'other')} the verdicts of both are mixed"
    if unknown:
        text += f"; on {plural(unknown, 'other')} one of the two has no verdict"
    return f"{text}."


def tabulate_verdicts(pair: Comparison) -> list[Table]:
    """Return the verdicts of both runs, if any is not a state of STATES, and the questions by
    both."""
    a, b = pair.names
    verdicts = pair.verdicts
    words = [word for word in verdicts.columns[1:] if word in STATES or verdicts[word].sum()]
    tables = []
    if pair.counted_as and len(words) > len(STATES):
        rows = [
            [short(run), *map("{:,}".format, counts)]
            for run, *counts in verdicts.select("run", *words).iter_rows()
        ]
        caption = "Responses by verdict, on what both were asked."
        tables.append(tabulate_texts(["run", *words], rows, caption))
    rows = [[state, *map("{:,}".format, counts)] for state, *counts in pair.crossed.rows()]
    states = pair.crossed.columns[1:]
    notes = ["mixed: asked several times, and not with the same verdict each time."]
    title = f"{pair.unit.capitalize()}s by the verdicts of {a} and {b}."
    table = tabulate_texts(
        [f"{a} ↓  {b} →", *states], rows, title, notes if MIXTURE in states else []
    )
    return [*tables, table]


def tabulate_measures(pair: Comparison) -> Table:
    """Return the table of measures; columns in which nothing stands are left out."""
    table, (a, b) = pair.measures, pair.names
    columns = ["a", "b", "difference", "lower", "upper", "p"]
    level = format_level(1 - pair.level)
    notes = [f"Difference: {b} less {a}, with its {level} CI. p: of the test that it is 0."]
    if table["p_maxt"].ne_missing(table["p"]).any():
        columns.append("p_maxt")
        notes.append("p_maxt: over all pairs of the runs, on the questions that all were asked.")
    if imputed := [end for end in ENDS if table[end].is_not_null().any()]:
        columns += imputed
        notes.append("lowest, highest: over all ways to count all that was not judged or failed.")
    rows = [
        [row["measure"], *(format_cell(row[name], name in SIGNED) for name in columns)]
        for row in table.iter_rows(named=True)
    ]
    return tabulate_texts(["measure", a, b, *columns[2:]], rows, f"{pair.title}.", notes)


def format_cell(value: float | None, sign: bool) -> str:
    """Return a number with four decimals; a small one, such as a p, as a power of ten."""
    if value is not None and not sign and 0 < abs(value) < 0.00005:
        return f"{value:.1e}"
    return format_signed(value, 4) if sign else number(value, 4)
