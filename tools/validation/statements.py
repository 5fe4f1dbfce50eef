"""Simulate what pages state beside intervals: questions needed, power, and thresholds."""

import os
from collections.abc import Callable, Iterator
from itertools import chain, product
from pathlib import Path
from statistics import NormalDist

import numpy as np
import polars as pl
from nonresponse import measures
from nonresponse.statistics import analyses, sample_size
from nonresponse.statistics.influence import Dense
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.pairs import MIN_ANSWERS, Pairs, select_runs
from nonresponse.statistics.power import detectable
from nonresponse.statistics.risk_coverage import RISKS, Answers, count_allowed, find_threshold
from validation import page

LEVEL = 0.05
DIFFERENCE = 0.05  # whose number of questions is asked for
PAN = Path(os.environ.get("NONRESPONSE_DATA", page.HOME.parent / "shared/data")) / "pan20"
LARGEST = 5000  # questions of a campaign that checks a number
Shares = Callable[[np.random.Generator], np.ndarray]
# The shares that the runs of a campaign answer rightly, drawn for each campaign.
RUNS: dict[str, Shares] = {
    "six runs": lambda draw: draw.normal(0.5, 0.06, 6),
    "thirty runs": lambda draw: draw.normal(0.5, 0.08, 30),
    "a leading cluster of ten, ten behind": lambda draw: np.append(
        draw.normal(0.7, 0.015, 10), draw.normal(0.4, 0.08, 10)
    ),
    "nineteen near each other, one far behind": lambda draw: np.append(
        draw.normal(0.6, 0.02, 19), 0.2
    ),
    "six equal runs": lambda draw: np.full(6, 0.5),
    "two groups of ten": lambda draw: np.append(
        draw.normal(0.65, 0.02, 10), draw.normal(0.35, 0.02, 10)
    ),
    "three groups of five": lambda draw: np.append(
        draw.normal(0.75, 0.02, 5), [draw.normal(0.6, 0.02, 5), draw.normal(0.4, 0.02, 5)]
    ),
    "twelve spread evenly": lambda draw: draw.uniform(0.3, 0.8, 12),
}


def right_or_wrong(draw: np.random.Generator, shares: np.ndarray, questions: int) -> np.ndarray:
    """1 and 0 (runs, questions), of runs that meet easy and hard questions together."""
    normal = np.sqrt(0.5) * (
        draw.normal(0, 1, questions) + draw.normal(0, 1, (len(shares), questions))
    )
    return (normal < np.vectorize(NormalDist().inv_cdf)(shares)[:, None]).astype(np.float64)


def make_pairs(psi: np.ndarray) -> Pairs:
    """Return runs with these values of questions, (runs, questions)."""
    return Pairs(psi.mean(axis=1), Dense(psi))


def needed(runs: Shares, campaigns: int, questions: int) -> tuple[float, float, float, float]:
    """Return of the questions that a difference of 0.05 needs the median of told to true, how often
    the range holds the truth, the swap rate of such differences at the number told, and the share
    of the campaigns in which it is told.
    """
    ratios, hits, swaps, told_in = [], [], np.zeros(2), 0
    for number in range(campaigns):
        draw = np.random.default_rng([3, number])
        shares = np.clip(runs(draw), 0.02, 0.98)
        population = right_or_wrong(draw, shares, 20_000)
        gaps = np.abs(np.subtract(*shares[np.stack(np.triu_indices(len(shares), 1))]))
        variance = make_pairs(population).variance
        truth = sample_size.find_size(DIFFERENCE, gaps[None], variance[None], LEVEL).item()
        models = sample_size.fit_models(
            make_pairs(right_or_wrong(draw, shares, questions)), number, "c"
        )
        if not models:
            continue
        told_in += 1
        [(number_needed, low, high)] = sample_size.find_questions_needed(
            models, [DIFFERENCE], LEVEL
        )
        if np.isfinite(truth):
            ratios.append(number_needed / truth)
            hits.append(low <= truth <= high)
        if number_needed <= LARGEST:
            swaps += count_swaps(draw, shares, int(number_needed))
    if not ratios:
        return np.nan, np.nan, np.nan, told_in / campaigns
    rate = float(swaps[0] / swaps[1]) if swaps[1] else np.nan
    return float(np.median(ratios)), float(np.mean(hits)), rate, told_in / campaigns


def count_swaps(
    draw: np.random.Generator, shares: np.ndarray, questions: int, times: int = 10
) -> np.ndarray:
    """Return how many pairs about 0.05 apart another set of questions swaps, and of how many."""
    x, y = np.triu_indices(len(shares), 1)
    counts = np.zeros(2)
    for _ in range(times):
        first, second = (right_or_wrong(draw, shares, questions).mean(axis=1) for _ in range(2))
        gap, new_gap = first[x] - first[y], second[x] - second[y]
        near = (np.abs(gap) >= DIFFERENCE - 1e-9) & (
            np.abs(gap) < DIFFERENCE + sample_size.WIDTH - 1e-9
        )
        counts += ((gap * new_gap < 0)[near].sum() + (new_gap == 0)[near].sum() / 2, near.sum())
    return counts


def draw_answers(
    draw: np.random.Generator, shares: np.ndarray, questions: int, coverage: float
) -> Outcomes:
    """Draw runs whose answers are right in these shares: of accuracy or, if they answer less than
    all questions, of precision."""
    right = right_or_wrong(draw, shares, questions)
    is_answer = draw.random(right.shape) < coverage
    names = [f"r{run:02}" for run in range(len(shares))], [f"q{n:06}" for n in range(questions)]
    measure = measures.get("qa", "accuracy" if coverage == 1 else "precision_answered")
    cells = dict.fromkeys(measure.totals, 0 * right) | {"n": np.ones_like(right)}
    cells |= {"n_ac": right * is_answer, "n_aw": (1 - right) * is_answer}
    matrices = {name: cells[name].astype(np.float32) for name in {*measure.totals, "n"}}
    return Outcomes(measure, *names, dict(sorted(matrices.items())))


def power(
    campaigns: int, right: float, runs: int, questions: int, coverage: float = 1.0
) -> float | None:
    """Return how often a run that is worse than others by the detectable difference differs from
    them significantly; None if there is no such difference. The others are equally often right."""
    draw, answers = np.random.default_rng(5), round(coverage * questions)
    pairs = select_runs(draw_answers(draw, np.full(2, right), 100_000, coverage)).pairs
    variance = pairs.variance.item() * coverage  # by answer
    least = detectable(variance, 1, answers, LEVEL, runs)
    if not least or least >= right or answers < MIN_ANSWERS:
        return None
    shares, rates = np.append(np.full(runs - 1, right), right - least), []
    settings = {"seed": 1, "samples": 1, "flips": 499, "level": LEVEL}
    for number in range(campaigns):
        draw = np.random.default_rng([5, number])
        outcomes = draw_answers(draw, shares, questions, coverage)
        _, table, _ = analyses.make_tables("comparison", outcomes, "truth", f"c{number}", settings)
        significant = (table["p_maxt"] <= LEVEL).fill_null(False).to_numpy()
        rates.append(significant[np.triu_indices(runs, 1)[1] == runs - 1].mean())
    return float(np.mean(rates))


def broken_guarantees(campaigns: int, questions: int, risk: float) -> tuple[float, float]:
    """The share of runs whose cut-off does not keep the risk, and of those that have one."""
    broken = successes = 0
    steps = np.arange(1001) / 1000
    chance = 1 / (1 + np.exp(-(2 + 8 * (steps - 0.5))))  # of a correct answer, by self-score
    allowed, many = count_allowed(risk, LEVEL, questions), np.arange(questions)
    for number in range(campaigns):
        draw = np.random.default_rng([8, number])
        score = np.sort(draw.integers(0, 1001, questions))[::-1]
        right = draw.random(questions) < chance[score]
        threshold, answers, _ = find_threshold(
            Answers(many, right, steps[score], many), risk, allowed
        )
        if answers:
            successes += 1
            broken += (1 - chance[steps > (-1 if threshold is None else threshold)]).mean() > risk
    return broken / campaigns, successes / campaigns


def broken_on_pan(name: str, campaigns: int, questions: int, risk: float) -> tuple[float, float]:
    """Return the same of thresholds chosen on some pairs of PAN 2020, on its other pairs."""
    scores = pl.read_ndjson(PAN / f"answers/{name}.jsonl").filter(pl.col("value") != 0.5)
    pairs = scores.join(pl.read_ndjson(PAN / "truth.jsonl"), on="id")
    right = pairs.select((pl.col("value") > 0.5) == pl.col("same")).to_series().to_numpy()
    standing = pairs.select((pl.col("value") - 0.5).abs()).to_series().to_numpy()
    draw, broken, successes = np.random.default_rng(11), 0, 0
    allowed, many = count_allowed(risk, LEVEL, questions), np.arange(questions)
    for _ in range(campaigns):
        order = draw.permutation(len(right))
        calibration = order[:questions][np.argsort(-standing[order[:questions]], kind="stable")]
        threshold, answers, _ = find_threshold(
            Answers(many, right[calibration], standing[calibration], many), risk, allowed
        )
        is_answered = standing[order[questions:]] > (-1 if threshold is None else threshold)
        if answers is not None and is_answered.any():
            successes += 1
            broken += (~right[order[questions:]][is_answered]).mean() > risk
    return broken / campaigns, successes / campaigns


def needed_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of questions needed."""
    for name, runs in RUNS.items():
        for questions in (125, 500):
            ratio, coverage, rate, share = needed(runs, campaigns, questions)
            cells = [f"{ratio:.2f}", page.format_share(coverage, page.LOWEST)]
            cells.append("" if np.isnan(rate) else page.level(rate))
            cells = [""] * 3 if np.isnan(ratio) else cells
            yield [name, str(questions), *cells, f"{share:.2f}"]


def power_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of power."""
    accuracy = product([1.0], (0.5, 0.9, 0.97), (2, 10, 40), (50, 200, 800))
    precision = product((0.5, 0.2), (0.5, 0.9), (2, 10), (50, 200, 800))
    for coverage, right, runs, questions in chain(accuracy, precision):
        share = power(campaigns, right, runs, questions, coverage)
        cell = "none" if share is None else page.format_share(share, 0.75)
        yield [f"{coverage:g}", f"{right:g}", str(runs), str(questions), cell]


def risk_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of risks; those of PAN where NONRESPONSE_DATA has its files."""
    for questions, risk in ((50, 0.1), (200, 0.1), (500, 0.1), (500, 0.05), (2000, 0.2)):
        broken, share = broken_guarantees(campaigns, questions, risk)
        yield ["simulated", f"{questions:,}", f"{risk:g}", page.level(broken), f"{share:.2f}"]
    for name in ("boenninghoff20-large", "kipnis20-small", "ikae20-small") if PAN.exists() else ():
        results = [(*broken_on_pan(name, campaigns, 500, risk), risk) for risk in RISKS]
        broken, share, risk = max(results)  # the risk that is kept least often
        yield [f"PAN 2020, {name}", "500", f"{risk:g}", page.level(broken), f"{share:.2f}"]


NEEDED = page.Section(
    "Questions needed",
    "How often the range of the number of questions needed for a difference of .05 holds the true number, and how "
    "often other sets of the number stated swap such pairs (nominal: at most .05).",
    ("runs", "questions", "ratio", "range holds", "swap rate at the number", "stated"),
    needed_rows,
    150,
    why=(
        (
            "^\\| (six|twelve|three)",
            "So few runs, or so few in a group, say little of the spread of true scores.",
        ),
        (
            "\\| 125 \\|",
            "125 questions say little of runs that are near each other.",
        ),
    ),
)
POWER = page.Section(
    "Detectable differences",
    "The power of the test of all pairs at the difference that it is said to find with at least a power of .80, by "
    "accuracy or, where less than all is answered, by precision. One run is worse than all others, which are equal.",
    ("coverage", "right", "runs", "questions", "power"),
    power_rows,
    200,
)
RISK = page.Section(
    "Thresholds that keep a risk",
    "The share of runs whose threshold does not keep its risk (nominal: at most .05). Those of PAN 2020 were chosen on "
    "500 pairs and tried on the others.",
    ("run", "answers", "risk", "not kept", "with a threshold"),
    risk_rows,
    400,
)
