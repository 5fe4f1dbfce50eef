"""One level up: small campaigns made at random, of odd values, through judging, counting and scoring.

What is held: counts add up and stay within their bounds, scores are finite, in range, and between their bounds, and
what one assessor's judgments give does not depend on what another judged.
"""

import math
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nonresponse import measures, tasks
from pipeline import Campaign

from fuzz.findings import Finding, limited, place
from fuzz.recipes import Recipe, recipe

SECONDS = 20.0
# Every total of these is the sum of these parts, under any policy.
SUMS = {
    "qa": [("n", "n_ac n_aw n_u"), ("n_u", "n_ur n_uw n_ue n_ux"), ("n", "a b c d e"), ("q_answered", "a b c")],
    "validation": [("n", "tp fp fn tn u_p u_n")],
    "dating": [("n", "n_ac n_aw n_u")],
    "matching": [("n", "n_ac n_aw n_u")],
}
NO_MORE = {
    "qa": "nil_right nil_returned, nil_right nil_gold, nil_right n_ac, nil_gold n, n_aw_partial n_aw,"
    " n_aw_partial n_partial, n_x_partial n_partial, nil_silent n_u, nil_silent nil_gold, nil_returned n, q_answered n,"
    " q_good q_good_any, q_good_any q_answered, q_long_good q_long_good_partial, q_long_good q_good",
    "validation": "q_selected_right n_questions, q_rejected_right n_questions, n_questions n, q_selected_right tp",
    "dating": "",
    "matching": "",
}


def finding(seed: int, number: int, folder: Path) -> Finding | None:
    """What is wrong with the campaign of this number."""
    own, made = Path(tempfile.mkdtemp(dir=folder)), recipe(seed, number)
    door = "graded" if made.judgments is None else "judged"
    try:
        with limited(SECONDS):
            campaign = made.cooked(own / "all")
            scored = {id: campaign.scored(id) for id in measures.of_task(made.task)}
            problem = next(problems(campaign, scored), None)
            problem = problem or next(differences(made, campaign, scored, own / "one"), None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Finding("exception", f"{made.task} {door}: {type(error).__name__} in {place(error)}", repr(error)[:500])
    finally:
        shutil.rmtree(own)
    return problem and Finding("campaign", f"{made.task} {door}: {problem[0]}", problem[1])


def problems(campaign: Campaign, scored: dict) -> Iterator[tuple[str, str]]:
    """What does not hold of the counts and of what `scored` has for each measure, and where."""
    for row in campaign.counts.rows(named=True):
        numbers = {name: row[name] for name in tasks.get(campaign.task).counts if row[name] is not None}
        for total, parts in SUMS[campaign.task]:
            if numbers[total] != sum(numbers[part] for part in parts.split()):
                yield f"{parts} do not sum to {total}", str(row)
        for less, more in (bound.split() for bound in NO_MORE[campaign.task].split(",") if bound):
            if less in numbers and more in numbers and numbers[less] > numbers[more]:
                yield f"more {less} than {more}", str(row)
        if any(number < 0 for number in numbers.values()):
            yield "a negative count", str(row)
    for measure in measures.of_task(campaign.task).values():
        scores, by_category = scored[measure.id]
        for row in scores.rows(named=True):
            if not in_order(measure, row):
                yield f"{measure.id} outside its bounds", str(row)
        for row in [*scores.rows(named=True), *by_category.rows(named=True)]:
            if not all(in_range(measure, row.get(name)) for name in ("value", "worst", "best")):
                yield f"{measure.id} out of range", str(row)


def differences(made: Recipe, campaign: Campaign, scored: dict, folder: Path) -> Iterator[tuple[str, str]]:
    """Where the results of one assessor's judgments change if there are no other assessors."""
    if len(made.assessors) < 2:
        return
    assessor = made.assessors[0]
    alone = made.of_one(assessor).cooked(folder)
    pairs = [("counts", campaign.counts, alone.counts)]
    pairs += [(id, scores, alone.scores(id)) for id, (scores, _) in scored.items()]
    for what, both, one in pairs:
        # Whether a label of ROMIP's was given at all is asked of the whole campaign: null, or a number.
        for row, other in zip(both.filter(assessor=assessor).rows(named=True), one.rows(named=True), strict=True):
            for column, value in row.items():
                if None not in (value, other[column]) and not alike(value, other[column]):
                    yield f"{what} of one assessor depend on another", f"{row}\n    alone {other}"


def alike(value, other) -> bool:
    return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-9) if isinstance(value, float) else value == other


def in_order(measure, row: dict) -> bool:
    low, high = ("worst", "best") if measure.higher_is_better else ("best", "worst")
    values = [row[name] for name in (low, "value", high) if row[name] is not None]
    return values == sorted(values) and (row["value"] is None or len(values) == 3)


def in_range(measure, value: float | None) -> bool:
    if value is None:
        return True
    low, high = measure.range
    within = (low is None or value >= low - 1e-9) and (high is None or value <= high + 1e-9)
    return math.isfinite(value) and within
