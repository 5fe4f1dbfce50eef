"""Gates: tests that a system has to pass, beside a baseline or a bound, before a build goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
import polars as pl
import yaml

from nonresponse import measures, tables
from nonresponse.dag.campaigns import Campaign
from nonresponse.front import Refused, sides
from nonresponse.front.bounds import FAIL, INCONCLUSIVE, PASS, Decision, decide, floor_of_bound, floor_of_loss
from nonresponse.legible import short
from nonresponse.pages import document
from nonresponse.pages.blocks import Column, Topic, of_frame
from nonresponse.reliability import pseudo_values
from nonresponse.reliability.outcomes import Outcomes, from_verdicts
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import listed

LEVEL = 0.05
WORST = (FAIL, INCONCLUSIVE, PASS)
COUNTS = {"unscored": ("unscored",), "error": ("error",), "not_asked": (NOT_ASKED,)}
KEYS = {"measure", "count", "against", "margin", "at_most", "at_least"}


@dataclass(frozen=True)
class Gate:
    """One gate: of a measure or a count, with a margin to the baseline or a bound."""

    measure: str = ""
    count: str = ""
    margin: float | None = None
    at_most: float | None = None
    at_least: float | None = None

    def said(self, descriptive: bool = False) -> str:
        """In words; of a measure that only describes, neither more nor less is worse."""
        what = self.measure or f"share of questions {self.count.replace('_', ' ')}"
        if self.margin is not None:
            worse = "not different from" if descriptive else "no worse than"
            return f"{what}: {worse} the baseline by {self.margin:g}"
        return f"{what}: at {'most' if self.at_least is None else 'least'} {self.bound:g}"

    @property
    def bound(self) -> float:
        """That which is given."""
        return next(one for one in (self.margin, self.at_most, self.at_least) if one is not None)


@dataclass(frozen=True)
class Result:
    """What became of a gate. value: of the system, or its difference to the baseline, by the reading that decided."""

    gate: str
    state: str
    value: float | None
    needed: int | None
    why: str


def read_gates(path: Path, baseline: bool) -> list[Gate]:
    """The gates of a YAML file: a list, or that below `gates:`. Refused where one is not understood."""
    try:
        written = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Refused(f"{path} cannot be read as YAML: {str(error).splitlines()[0]}") from None
    written = written.get("gates") if isinstance(written, dict) else written
    if not isinstance(written, list) or not written:
        raise Refused(
            f"{path}: found no list of gates; expected one, such as [{{measure: c@1, against: baseline, margin: 0.02}}]"
        )
    gates = [gate_of(one, f"{path}: gate {place}", baseline) for place, one in enumerate(written, 1)]
    # A system is not to be spared questions that the baseline was asked.
    return gates + [Gate(count="not_asked", at_most=0.0)] * (
        baseline and not any(it.count == "not_asked" for it in gates)
    )


def gate_of(written: Any, place: str, baseline: bool) -> Gate:
    """One of them. Refused where it is not understood."""
    if not isinstance(written, dict) or {*written} - KEYS:
        raise Refused(f"{place}: found {written!r}; expected the keys {listed(sorted(KEYS))}, and no others")
    if ("measure" in written) == ("count" in written):
        raise Refused(f"{place}: name a measure or a count, and only one of the two")
    limits = [key for key in ("margin", "at_most", "at_least") if key in written]
    if len(limits) != 1 or isinstance(written[limits[0]], bool) or not isinstance(written[limits[0]], int | float):
        raise Refused(f"{place}: give one number: margin, at_most or at_least")
    if "margin" in written and not (
        written["margin"] > 0 and written.get("against") == "baseline" and "measure" in written
    ):
        raise Refused(f"{place}: a margin is above 0, of a measure, and `against: baseline`")
    if "against" in written and "margin" not in written:
        raise Refused(f"{place}: `against: baseline` goes with a margin")
    if "against" in written and not baseline:
        raise Refused(f"{place}: there is no baseline; name its log, --against FILE")
    if "count" in written and (written["count"] not in COUNTS or "at_most" not in written):
        raise Refused(f"{place}: a count is one of {listed([*COUNTS])}, with at_most")
    return Gate(**{key: value for key, value in written.items() if key != "against"})


def run(
    new: str, old: str | None, file: Path, options: Mapping[str, Any], level: float = LEVEL
) -> tuple[list[Result], list[str]]:
    """The results of all gates, and what makes the logs incomparable. Refused where a gate cannot be asked of them."""
    gates = read_gates(file, old is not None)
    with TemporaryDirectory() as folder:
        logs = [
            sides.side(path, Path(folder, str(place)), options) for place, path in enumerate(filter(None, (old, new)))
        ]
        campaign, verdicts, names, said = sides.merged(logs, Path(folder, "merged"))
        system = System(campaign, verdicts, names, Path(folder))
        return [system.result(gate, level, len(gates)) for gate in gates], said


class System:
    """The verdicts of a system, and of its baseline if there is one, read in all ways that they can be."""

    def __init__(self, campaign: Campaign, verdicts: pl.DataFrame, names: Sequence[str], folder: Path):
        self.campaign, self.names, self.verdicts = campaign, names, verdicts
        self.file = folder / "verdicts.parquet"
        tables.write(verdicts, self.file)
        uncertain = verdicts.filter(pl.col("compared"), pl.col("verdict").is_in(["unscored", "error"])).height
        others = campaign.task.policy_variants if uncertain else ()
        policies = [campaign.policy, *(campaign.policy | one for one in others)]
        self.policies = [one for place, one in enumerate(policies) if one not in policies[:place]]

    def result(self, gate: Gate, level: float, gates: int) -> Result:
        """That of one gate, of so many: it fails at level / gates, so that no build fails for their number."""
        if gate.count:
            return self.counted(gate)
        try:
            measure = measures.get(self.campaign.task.id, gate.measure)
        except KeyError as error:
            raise Refused(f"{error.args[0]}: gate on a measure of docs/measures.md") from None
        readings = [from_verdicts(self.file, measure, policy, self.assessor) for policy in self.policies]
        tests = self.losses if gate.margin is not None else self.levels
        found = list(tests(gate, readings, level, level / gates))
        if measure.lacking and all(not np.isfinite(value) for value, _ in found):
            raise Refused(f"{gate.measure} cannot be had of this log, since {measure.lacking}: gate on another measure")
        value, decision = min(found, key=lambda one: (WORST.index(one[1].state), one[0]))
        why = "" if np.isfinite(value) else f"{gate.measure} is undefined: {measure.undefined}"
        if len(found) > 1 and decision.state != PASS:
            why = why or "by the worst reading of what is unscored or failed"
        known = float(value) if np.isfinite(value) else None
        return Result(gate.said(measure.descriptive), decision.state, known, decision.needed, why)

    @property
    def assessor(self) -> str:
        """The official one."""
        return tables.official(self.campaign.official, self.verdicts)

    def scored(self, readings: list[Outcomes], run: str) -> Iterator[tuple[Outcomes, float, np.ndarray, float]]:
        """By each reading: the score of a run, its pseudo-values, and the share of the questions that it divides by."""
        for outcomes in readings:
            score, psi = pseudo_values.scored(outcomes)
            place = outcomes.runs.index(run)
            divisor = [
                np.broadcast_to(outcomes.matrices[name], psi.shape)[place] for name in outcomes.measure.divides_by
            ]
            share = float(np.sum(divisor, axis=0).mean()) if divisor else 1.0
            yield outcomes, float(score[place]), psi[place], share

    def losses(
        self, gate: Gate, readings: list[Outcomes], level: float, of_fail: float
    ) -> Iterator[tuple[float, Decision]]:
        """The difference to the baseline, the system and the baseline each by every reading."""
        old, new = (list(self.scored(readings, run)) for run in self.names)
        assert gate.margin is not None
        for (outcomes, before, psi_before, share), (_, after, psi_after, other_share) in product(old, new):
            measure = outcomes.measure
            low, high = measure.share_range
            width = 1.0 if low is None or high is None else high - low
            ways = (1, -1) if measure.descriptive else (1,) if measure.higher_is_better else (-1,)
            for way in ways:
                difference, psi = way * (after - before), way * (psi_after - psi_before)
                floor = floor_of_loss(psi, gate.margin, width, min(share, other_share))
                yield difference, decide(difference, psi, -gate.margin, floor, level, of_fail)

    def levels(
        self, gate: Gate, readings: list[Outcomes], level: float, of_fail: float
    ) -> Iterator[tuple[float, Decision]]:
        """The score beside a bound, by every reading."""
        way = 1 if gate.at_most is None else -1
        for outcomes, score, psi, share in self.scored(readings, self.names[-1]):
            floor = floor_of_bound(gate.bound, *outcomes.measure.share_range, share)
            decision = decide(way * score, way * psi, way * gate.bound, floor, level, of_fail)
            yield score, decision

    def counted(self, gate: Gate) -> Result:
        """A count is what it is, and no sample of anything."""
        own = self.verdicts.filter(pl.col("run") == self.names[-1], pl.col("assessor") == self.assessor)
        share = own.filter(pl.col("verdict").is_in(COUNTS[gate.count])).height / max(own.height, 1)
        return Result(gate.said(), PASS if share <= gate.bound else FAIL, share, None, "")


def state_of(results: Sequence[Result]) -> str:
    """That of all gates together: the worst."""
    return min((it.state for it in results), key=WORST.index)


def topics(results: Sequence[Result], warnings: Sequence[str]) -> list[Topic]:
    """What pages show."""
    frame = pl.DataFrame([asdict(it) for it in results], infer_schema_length=None)
    columns = [
        Column("gate"),
        Column("state"),
        Column("value", "number", digits=4),
        Column("needed", "number", "questions that would decide it"),
        Column("why", long=True),
    ]
    shown = of_frame(frame, columns, "")
    return [Topic(f"Gates: {state_of(results)}", [("", said) for said in warnings], tables=[shown])]


def write(results: Sequence[Result], warnings: Sequence[str], folder: Path) -> None:
    """gates.json, gates.md and gates.xml (JUnit's form)."""
    state = state_of(results)
    data = {"state": state, "warnings": [*warnings], "gates": [asdict(it) for it in results]}
    tables.write_text(json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n", folder / "gates.json")
    tables.write_text(document.markdown("Gates", topics(results, warnings)), folder / "gates.md")
    tables.write_text(as_junit(results), folder / "gates.xml")


def as_junit(results: Sequence[Result]) -> str:
    """A test case for each gate: a failure, or skipped where it is inconclusive."""
    number = {state: sum(it.state == state for it in results) for state in WORST}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    failed = f'failures="{number[FAIL]}" skipped="{number[INCONCLUSIVE]}"'
    lines.append(f'<testsuite name="nonresponse" tests="{len(results)}" {failed}>')
    for it in results:
        told = quoteattr(short(told_of(it), 300))
        inner = {FAIL: f"<failure message={told}/>", INCONCLUSIVE: f"<skipped message={told}/>", PASS: ""}[it.state]
        lines.append(f'<testcase classname="gates" name={quoteattr(short(it.gate, 300))}>{inner}</testcase>')
    return "\n".join([*lines, "</testsuite>", ""])


def told_of(result: Result) -> str:
    """A result in a sentence."""
    value = "" if result.value is None else f"; it is {result.value:.4f}"
    needed = f"; {result.needed:,} questions would decide it" if result.needed else ""
    return f"{result.state}{value}{needed}{f'; {result.why}' if result.why else ''}"
