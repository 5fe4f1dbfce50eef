"""Compares two systems on the questions that both were asked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from nonresponse import measures as records
from nonresponse.front import Refused, local
from nonresponse.front.shown import as_html, as_text
from nonresponse.judging.store import VERDICTS_FILE, of_rows, write_verdicts
from nonresponse.legible import short
from nonresponse.pages import document
from nonresponse.pages.blocks import Column, Topic, of_frame
from nonresponse.pages.sections.comparison import clusters_of, of_abstention, smallest_p
from nonresponse.report.sentences import CAUTIOUS
from nonresponse.scoring.leaderboard import TIE
from nonresponse.tasks import NOT_ASKED
from nonresponse.views.prices import best_runs
from nonresponse.wording import at, minus, p_value, plural, rounded, signed
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

STATES = {"correct": "right", "unanswered": "open", "wrong": "wrong"}
NOT_JUDGED = {"unscored": "given", "unanswered": "open"}  # for responses that nobody judged
MIXED = "mixed"  # for a question that was asked several times, not with the same state each time
OPEN = {"n", "n_ac", "n_aw", "n_u"}  # measures of these alone have by_right and by_abstention
FEWEST = 100  # bootstrap samples, as few as allowed: comparisons of pairs use none
MEASURES = {
    "measure": pl.String,
    "a": pl.Float64,
    "b": pl.Float64,
    "difference": pl.Float64,  # b less a
    "lower": pl.Float64,
    "upper": pl.Float64,
    "p": pl.Float64,
    "p_holm": pl.Float64,  # p corrected for all systems that were compared with a
    "by_right": pl.Float64,  # the part of the difference due to right answers; null for measures of more than OPEN
    "by_abstention": pl.Float64,  # the other part, due to abstention
}


@dataclass(frozen=True, repr=False)
class Comparison:
    """The comparison of a run b with a run a, the earlier one or the baseline.

    asked: numbers of questions that both were asked, only a, only b. measures: MEASURES. crossed: a row per state of a
    (right, open, wrong; MIXED if there is such a question), with the number of questions by state of b. changed: the
    questions on which the two differ.
    shares: of right and of wrong answers, first of a, then of b. of_parts: sentences on what abstention did. warnings:
    what makes the two incomparable.
    """

    a: str
    b: str
    asked: tuple[int, int, int]
    measures: pl.DataFrame
    crossed: pl.DataFrame
    changed: pl.DataFrame
    shares: list[tuple[float, ...]]  # right and wrong, of each; none where nobody judged the responses
    level: float
    of_parts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    smallest_p: str = ""  # that there is, where no answers could give a significant difference

    @property
    def sentences(self) -> list[str]:
        """The comparison in words: warnings, questions, significance, what abstention did, prices, changes."""
        both, only_a, only_b = self.asked
        others = f"; left out: {only_a:,} that only {short(self.a)} was asked, {only_b:,} that only {short(self.b)} was"
        said = f"Both were asked {plural(both, 'question')}{others if only_a or only_b else ''}."
        return [*self.warnings, said, *self.significance, *self.of_parts, *filter(None, [self.price]), self.of_changes]

    @property
    def significance(self) -> list[str]:
        """Whether the two differ significantly in the first measure that was tested; empty if none was."""
        known = self.measures.drop_nulls(["difference", "p_holm"])
        if known.is_empty():
            return []
        row = known.row(0, named=True)
        corrected = ", corrected for all comparisons with the first" if row["p_holm"] != row["p"] else ""
        gap, significant = minus(signed(row["difference"], 3)), row["p_holm"] <= self.level
        doubt = f"; {CAUTIOUS[0].lower()}{CAUTIOUS[1:-1]}" if significant and row["lower"] <= 0 <= row["upper"] else ""
        if self.smallest_p and not significant:
            doubt = f": whatever the answers, {self.smallest_p}"
        return [
            f"The difference in {row['measure']}, {gap}, is {'' if significant else 'not '}significant at the"
            f" {at(self.level)} level ({p_value(row['p_holm'])}{corrected}){doubt}."
        ]

    @property
    def price(self) -> str:
        """Which run is ahead by right − cost · wrong, and from which cost of a wrong answer on; this is not tested.

        Empty where nobody judged the responses.
        """
        if not self.shares:
            return ""
        worth, always = "By right − cost · wrong,", "ahead, whatever a wrong answer costs."
        (right_a, wrong_a), (right_b, wrong_b) = self.shares
        if abs(right_a - right_b) <= TIE and abs(wrong_a - wrong_b) <= TIE:
            return f"{worth} neither is {always}"
        names = [short(self.a), short(self.b)]
        if abs(right_a - right_b) <= TIE:  # equal while a wrong answer costs nothing
            return f"{worth} {names[wrong_a > wrong_b]} is ahead wherever a wrong answer costs anything."
        (first, _), *later = best_runs([(right_a, wrong_a), (right_b, wrong_b)])
        if not later:
            return f"{worth} {names[first]} is {always}"
        [(second, t)] = later
        cost = rounded(t / (1 - t), 2)
        return (
            f"{worth} {names[first]} is ahead while a wrong answer costs less than {cost} of what a right one is"
            f" worth, {names[second]} where it costs more (penalty@t, t = {rounded(t, 2)})."
        )

    @property
    def of_changes(self) -> str:
        """How many questions changed, and which way."""
        ways = self.changed.group_by("a", "b").len().sort("len", "a", "b", descending=[True, False, False])
        each = ", ".join(f"{count:,} from {a} to {b}" for a, b, count in ways.iter_rows())
        mixed = int(self.crossed.filter(a=MIXED)[MIXED].sum()) if MIXED in self.crossed.columns else 0
        more = f"; on {plural(mixed, 'other')} the states of both are mixed" if mixed else ""
        return f"{plural(self.changed.height, self.unit)} changed{f': {each}' if each else ''}{more}."

    @property
    def unit(self) -> str:
        """What is counted: questions, or pairs of a question and an answer."""
        return "pair" if "candidate" in self.changed.columns else "question"

    def topics(self, listed: bool = False) -> list[Topic]:
        """The comparison as topics of a page; `listed`: with the questions that changed."""
        a, b = short(self.a), short(self.b)
        crossed = of_frame(
            self.crossed,
            [Column("a", label=f"{a} ↓  {b} →"), *(Column(name, "number") for name in self.crossed.columns[1:])],
            f"{self.unit.capitalize()}s by what {a} and {b} made of them.",
            ["mixed: asked several times, and not in the same state each time."] * (MIXED in self.crossed.columns),
        )
        several = self.measures["p_holm"].ne_missing(self.measures["p"]).any()
        columns = [
            Column("measure", run=True),
            *(Column(name, "number", label, 4) for name, label in (("a", a), ("b", b))),
            Column("difference", "number", "difference", "delta"),
            *(Column(end, "number", digits="delta") for end in ("lower", "upper")),
            *(Column(name, "number", digits="moved") for name in ("p", *["p_holm"] * several)),
            Column("by_right", "number", "by right answers", "delta"),
            Column("by_abstention", "number", "by abstention", "delta"),
        ]
        notes = [f"Difference: {b} less {a}, with its {at(1 - self.level)} interval; p: that there is none."]
        notes += ["p_holm: corrected for all that were compared with the first."] * several
        shown = of_frame(self.measures, columns, f"{b} beside {a}.", notes)
        topic = Topic("On the questions that both were asked", self.sentences, tables=[crossed, shown])
        if not listed or self.changed.is_empty():
            return [topic]
        keys = [Column(name, long=True) for name in self.changed.columns[:-2]]
        named = [*keys, Column("a", label=a), Column("b", label=b)]
        return [topic, Topic("Questions that changed", [], tables=[of_frame(self.changed, named, "")])]

    def __repr__(self) -> str:
        return as_text(f"{short(self.b)} beside {short(self.a)}", self.topics())

    def _repr_html_(self) -> str:
        return as_html(self.topics())

    def markdown(self, listed: bool = False) -> str:
        """The comparison in Markdown, as a comment on a pull request."""
        return document.markdown(f"{short(self.b)} beside {short(self.a)}", self.topics(listed))

    def data(self) -> dict[str, Any]:
        """The comparison as values for JSON."""
        names = ("shared", "only_a", "only_b")
        return {
            "a": self.a,
            "b": self.b,
            "questions": dict(zip(names, self.asked, strict=True)),
            "measures": self.measures.to_dicts(),
            "crossed": {row.pop("a"): row for row in self.crossed.to_dicts()},
            "changed": self.changed.to_dicts(),
            "sentences": self.sentences,
            "warnings": self.warnings,
        }


def paired(campaign: Campaign, verdicts: pl.DataFrame, a: str, b: str, warnings: Sequence[str] = ()) -> Comparison:
    """Compares two runs of a campaign by its measures and policies, on the questions that both were asked.

    The numbers are those of the workflow for a campaign of these two runs. Where questions come in clusters, their
    table is read. Refused where a run is missing, or no question is shared.
    """
    official = campaign.official or verdicts["assessor"].min()
    of_official = verdicts.filter(pl.col("assessor") == official)
    runs = of_official["run"].unique().sort().to_list()
    if a == b:
        raise Refused(f"{a} stands on both sides: name two runs")
    for name in (a, b):
        if name not in runs:
            raise Refused(f"There is no run {name!r}; there are: {', '.join(runs[:20])}")
    pair = of_official.filter(pl.col("run").is_in([a, b]))
    there = pair.filter(pl.col("verdict") != NOT_ASKED)
    asked_a, asked_b = (set(there.filter(pl.col("run") == name)["question"]) for name in (a, b))
    shared = asked_a & asked_b
    if not shared:
        examples = [min(asked, default="none") for asked in (asked_a, asked_b)]
        raise Refused(
            f"{a} and {b} share no question ({len(asked_a):,} such as {examples[0]!r}, {len(asked_b):,} such as"
            f" {examples[1]!r}): compare runs whose questions have the same names"
        )
    known = set(pair.filter(pl.col("run") == a)["question"]) & set(pair.filter(pl.col("run") == b)["question"])
    pair = pair.filter(pl.col("question").is_in(asked_a | asked_b), pl.col("question").is_in(known))
    pair = pair.with_columns(compared=pl.col("question").is_in(shared))
    of_two = campaign.with_reliability({"samples": FEWEST})
    with TemporaryDirectory() as folder:
        of_two = local.in_folder(of_two, Path(folder))
        write_verdicts(Path(of_two.folder, VERDICTS_FILE), of_rows(pair, campaign.task))
        for name in paths.clusters(campaign):
            shutil.copy2(name, of_two.folder)
        local.count(of_two)
        local.test_pairs(of_two)
        counts = pl.read_parquet(f"{of_two.folder}/counts.parquet")
        table, of_parts, least = measured(of_two, counts, a, b)
    crossed, changed = changes(pair.filter("compared"), campaign.policy, a, b, campaign.judged)
    right, _, wrong = campaign.task_record.outcomes.values()
    return Comparison(
        a,
        b,
        (len(shared), len(asked_a - shared), len(asked_b - shared)),
        table,
        crossed,
        changed,
        [tuple(sum(share_of(counts, name, *part)) for part in (right, wrong)) for name in (a, b) if campaign.judged],
        campaign.reliability["level"],
        of_parts,
        list(warnings),
        least,
    )


def share_of(counts: pl.DataFrame, run: str, *names: str) -> tuple[float, ...]:
    """Counts of a run as shares of its questions."""
    row = counts.row(by_predicate=pl.col("run") == run, named=True)
    return tuple((row[name] or 0) / row["n"] if row["n"] else 0.0 for name in names)


def measured(campaign: Campaign, counts: pl.DataFrame, a: str, b: str) -> tuple[pl.DataFrame, list[str], str]:
    """The table MEASURES of two runs, sentences on what abstention did, and `smallest_p`."""
    rows, said, least = [], [], ""
    level, place = campaign.reliability["level"], Path(campaign.folder, "reliability")
    told = {*counts.columns} >= OPEN and campaign.judged
    shares = [share_of(counts, run, "n_ac", "n_u") for run in (a, b)] if told else []
    for id in campaign.measures:
        of_runs, of_pairs, parts = (
            pl.read_parquet(place / f"{name}/{id}.parquet") for name in ("intervals", "comparisons", "abstention")
        )
        value = dict(of_runs.select("run", "value").iter_rows())
        pair = of_pairs.row(0, named=True)
        ahead = 1 if pair["a"] == b else -1  # the workflow orders the runs of a pair by name
        ends = [None if pair[end] is None else ahead * pair[end] + 0.0 for end in ("lower", "upper")]
        lower, upper = ends[::ahead]
        difference = None if pair["difference"] is None else ahead * pair["difference"] + 0.0  # no -0.0
        by = by_right_and_abstention(records.get(campaign.task, id), *shares) if shares else (None, None)
        rows.append((id, value[a], value[b], difference, lower, upper, pair["p"], pair["p"], *by))
        said += [of_abstention({"measure": id, **row}, level) for row in parts.iter_rows(named=True)]
        least = smallest_p(clusters_of({id: of_runs}).row(0, named=True), level)
    return pl.DataFrame(rows, MEASURES, orient="row"), said, least


def by_right_and_abstention(
    measure: records.Measure, a: tuple[float, ...], b: tuple[float, ...]
) -> tuple[float | None, float | None]:
    """The parts of a difference due to right answers and to abstention; (None, None) where undefined.

    `a` and `b` are shares of right and of open questions. A part is the mean effect of changing one share, before and
    after the other is changed. For c@1 this is what the workflow's table `abstention` has.
    """
    if measure.kind != "counts" or not {*measure.totals} <= OPEN:
        return None, None

    def value(right: float, left_open: float) -> float:
        totals = {"n": 1.0, "n_ac": right, "n_u": left_open, "n_aw": 1 - right - left_open}
        return measure(**{name: totals[name] for name in measure.totals})

    (right_a, open_a), (right_b, open_b) = a, b
    try:
        before, after = value(right_a, open_a), value(right_b, open_b)
        right, silent = value(right_b, open_a), value(right_a, open_b)
    except ZeroDivisionError:
        return None, None
    return (right - before + after - silent) / 2, (silent - before + after - right) / 2


def changes(
    pair: pl.DataFrame, policy: dict[str, str], a: str, b: str, judged: bool = True
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Numbers of questions by the states of a (rows) and b, under the policies; and the questions that differ.

    The times that a question was asked have no counterparts in the other run, so that its states are taken together.
    """
    states = STATES if judged else NOT_JUDGED
    of_policy = {name: choice for name, choice in policy.items() if name not in (choice, *states)}
    names = [*dict.fromkeys(states.values())]
    keys = [name for name in ("question", "candidate") if name in pair.columns]
    state = pair.select(*keys, "run", state=pl.col("verdict").replace(of_policy).replace(states))
    alike = pl.when(pl.col("state").n_unique() == 1).then(pl.col("state").first()).otherwise(pl.lit(MIXED))
    left, right = (
        state.filter(pl.col("run") == run, pl.col("state").is_in(names)).group_by(keys).agg(alike.alias(name))
        for run, name in ((a, "a"), (b, "b"))
    )
    both = left.join(right, on=keys)
    names += [MIXED] * (MIXED in {*both["a"], *both["b"]})
    counted = {(x, y): count for x, y, count in both.group_by("a", "b").len().iter_rows()}
    crossed = pl.DataFrame([(x, *(counted.get((x, y), 0) for y in names)) for x in names], ["a", *names], orient="row")
    changed = both.filter(pl.col("a") != pl.col("b")).sort("a", "b", *keys)
    shown = [name for name in keys if name == "question" or both[name].n_unique() > 1]
    return crossed, changed.select(*shown, "a", "b")


def corrected(found: list[Comparison]) -> list[Comparison]:
    """The comparisons of several systems with one, with p_holm corrected for their number, measure by measure."""
    if len(found) < 2:
        return found
    p = pl.concat(it.measures.select("measure", "p", place=pl.lit(place)) for place, it in enumerate(found))
    of_all = pl.col("p").map_batches(lambda one: pl.Series(holm(one.to_numpy())), pl.Float64)
    p = p.with_columns(p_holm=of_all.over("measure"))
    made = []
    for place, it in enumerate(found):
        own = p.filter(pl.col("place") == place).select("measure", "p_holm")
        table = it.measures.drop("p_holm").join(own, on="measure", maintain_order="left").select(*MEASURES)
        made.append(Comparison(**{**vars(it), "measures": table.with_columns(pl.col("p_holm").fill_nan(None))}))
    return made


def holm(p: np.ndarray) -> np.ndarray:
    """Return p-values that hold for all comparisons together (Holm 1979); NaN stays NaN, and is not counted."""
    order = np.argsort(p, kind="stable")[: np.isfinite(p).sum()]
    adjusted = np.full(len(p), np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1)
    return adjusted


def as_json(found: list[Comparison]) -> str:
    """The comparisons as JSON: one as an object, several as an array."""
    data = [it.data() for it in found]
    return json.dumps(data if len(data) > 1 else data[0], ensure_ascii=False, indent=1, allow_nan=False)
