"""Each analysis beside its oracle: plain loops or another library.

An oracle makes the tables of its analysis on data of its own, and a function from them to what
their rows must be, as far as it knows the columns. The summary `x.csv` is called so here; a table
by measure has no ending.
"""

import random
import re
from bisect import bisect_left
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil, exp, sqrt
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from comparing import OPTIONS, count_flips, draw_halves, score_runs
from every_record import assert_a_line_each
from literal_reliability import (
    campaign,
    figure_3,
    literal_alpha,
    literal_components,
)
from nonresponse import measures, tables, tasks
from nonresponse.statistics import analyses, sign_flips
from nonresponse.statistics import sample_size as sample_size_of
from nonresponse.statistics.analyses import ANALYSES, Inputs, load_module
from nonresponse.statistics.influence import Dense
from nonresponse.statistics.pairs import Pairs
from nonresponse.statistics.subsets import stream
from pipeline import Campaign, make_graded
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import kendalltau, t
from sklearn.metrics import cohen_kappa_score, recall_score

SETTINGS = OPTIONS | {"size_trials": 6, "sizes": 60, "bins": 5}
SETTINGS |= {"width": 0.05, "level": 0.2}
NORMAL = NormalDist()


def record(columns: str, *values) -> dict:
    """Return a row of a table from the names of its columns and their values."""
    return dict(zip(columns.split(), values, strict=True))


def make_trials(folder, analysis: str, outcomes, **settings) -> dict[str, pl.DataFrame]:
    """The tables of an analysis with trials, by one measure, and those of its summary."""
    settings, part = SETTINGS | settings, folder / outcomes.measure.id
    frames = analyses.make_tables(analysis, outcomes, "gold", "c", settings)
    trials = dict(zip(ANALYSES[analysis].trials.tables, frames, strict=True))
    if not ANALYSES[analysis].summary:
        return trials
    for name, table in trials.items():
        tables.write(table, part / f"{name}.parquet")
    return trials | make_summary(analysis, settings, trials=[part])


def make_summary(analysis: str, settings: dict, **files) -> dict[str, pl.DataFrame]:
    names = (f"{name}.csv" for name in ANALYSES[analysis].summary.tables)
    frames = load_module(analysis).summarise(Inputs(**files), "qa", settings)
    return dict(zip(names, frames, strict=True))


def rates_by_model(means: list[float], right: list[list[float]]):
    """Return swap_rate(questions, difference) of the model of runs with these outcomes."""
    pairs = Pairs(np.array(means), Dense(np.array(right)))
    true, spread = sample_size_of.fit_models(pairs, 1, "c")  # of 15 pairs, each for itself

    @cache
    def swap_rate(questions: int, difference: float) -> float:
        """Return the share of pairs d apart that another set swaps (docs/reliability.md)."""
        error, delta = np.sqrt(spread / questions)[:, :, None], true[:, :, None]
        d = difference + 0.01 * (1 + np.polynomial.legendre.leggauss(2)[0]) / 2
        ahead, behind = (np.exp(-(((way * d - delta) / error) ** 2) / 2) / error for way in (1, -1))
        find_swaps = ahead * ndtr(-delta / error) + behind * ndtr(delta / error)
        return sorted(find_swaps.sum(axis=(1, 2)) / (ahead + behind).sum(axis=(1, 2)))[99]

    return swap_rate


def outcomes_of_accuracy():
    """Outcomes of 100 questions, whether each run has each right, and its accuracy."""
    outcomes, score = campaign(measures.get("qa", "accuracy"), 2, questions=100)
    right = [[float(score(run, [q])) for q in range(outcomes.n)] for run in range(6)]
    return outcomes, score, right, [sum(row) / outcomes.n for row in right]


def error_curves(folder):
    """Of accuracy; three bins of five have curves."""
    outcomes, score, _, _ = outcomes_of_accuracy()
    n = outcomes.n
    score, lower = cache(score), [Fraction(bin, 20) for bin in range(5)]
    counts = {
        size: figure_3(score, range(6), draw_halves(n, size, 6), lower)[:2]
        for size in range(1, n // 2 + 1)
    }

    def curves(place: int, row: dict) -> dict:
        """Return a row of the table of curves: counts, none at n, and the fitted rate."""
        bin, step = divmod(place, n // 2 + 1)
        size = n if step == n // 2 else step + 1
        c, s = (part[bin] for part in counts[size]) if size < n else (None, None)
        fitted = None if row["a1"] is None else row["a1"] * exp(-row["a2"] * size)
        columns = "bin lower size comparisons swaps error_rate fitted"
        return record(columns, bin + 1, bin / 20, size, c, s, s / c if c else None, fitted)

    def expected(frames: dict) -> dict:
        rows = enumerate(frames["error_curves"].rows(named=True))
        return {"error_curves": [curves(place, row) for place, row in rows]}

    return make_trials(folder, "error_curves", outcomes), expected


def sample_size(folder):
    """Of accuracy, whose pseudo-values are 1 for what is right and 0 for the rest."""
    outcomes, _, right, means = outcomes_of_accuracy()
    n, level, swap_rate = outcomes.n, SETTINGS["level"], rates_by_model(means, right)
    deviations = {
        (x, y): np.std(np.subtract(right[x], right[y]), ddof=1)
        for x, y in combinations(range(6), 2)
    }

    def power(pair: str, x: int, y: int) -> dict:
        x, y = sorted((x, y), key=lambda run: -means[run])
        gap, s = means[x] - means[y], deviations[min(x, y), max(x, y)]
        values = pair, outcomes.runs[x], outcomes.runs[y], gap, s
        row = record("pair a b difference deviation", *values)
        ranges = np.ptp(stream(0, "ranges", 6).standard_normal((4000, 6)), axis=1)
        squared = np.quantile(ranges, 1 - level) ** 2 / 2
        critical = sqrt(squared * (n - 1) / (n - squared))

        def exceed(x: float) -> float:
            spread = (s**2 + x - x**2) / n
            threshold = critical * sqrt(spread + 1 / n / (n - 1))
            return x - threshold - NORMAL.inv_cdf(0.8) * sqrt(spread)

        return row | {"detectable": brentq(exceed, 0, 1)}

    # Questions from which on the rate is within the level, by hundredths
    numbers = [
        bisect_left(range(10**4), True, lo=1, key=lambda n: swap_rate(n, step / 100) <= level)
        for step in range(1, 16)
    ]
    is_within = [swap_rate(n, step / 100) <= level for step in range(16)]
    required = next(step / 100 for step in range(100) if all(is_within[step:]))
    frames = make_trials(folder, "sample_size", outcomes)

    def expected(frames: dict) -> dict:
        ranked = sorted(range(6), key=lambda run: -means[run])
        middle = sorted(deviations, key=deviations.get)[(len(deviations) - 1) // 2]
        powers = [power("leading", ranked[0], opponent) for opponent in ranked[1:4]]
        powers.append(power("median", *middle))
        measure, columns = {"measure": "accuracy"}, "difference questions remark"
        needed = [record(columns, i / 100, max(numbers[i - 1 :]), "") for i in range(1, 16)]
        ends = {"required_difference": required, "left_out": 0}
        rows = {"questions_needed": [row | {"n": n} | ends for row in needed]}
        rows["sample_size.csv"] = [measure | {"questions": n} | ends]
        rows["questions_needed.csv"] = [measure | row for row in needed]
        return rows | {"power": powers, "power.csv": [measure | row for row in powers]}

    return frames, expected


LEVEL = SETTINGS["level"]
N = 24  # questions of the comparison
QUANTILE = t.ppf(1 - LEVEL / 2, N - 1)


def comparison(folder):
    """Intervals of k1, by Student's t; tests of uf, of 1, 0 and -1; both parts of c@1."""
    seeds = {"k1": 1, "uf": 3, "c@1": 3}
    parts = {id: campaign(measures.get("qa", id), seed) for id, seed in seeds.items()}
    frames_by_id = {
        id: make_trials(folder, "comparison", outcomes) for id, (outcomes, _) in parts.items()
    }
    rows = {"intervals": expect_intervals(*parts["k1"], frames_by_id["k1"]["comparisons"])}
    rows["comparisons"] = expect_pairs(*parts["uf"])
    shares = [np.mean([row[p] <= LEVEL for row in rows["comparisons"]]) for p in ("p_maxt", "p")]
    rows["discriminative_power.csv"] = [record("measure pairs maxt p", "uf", 15, *shares)]
    rows["abstention"] = expect_parts(*parts["c@1"])
    rows["abstention.csv"] = [{"measure": "c@1"} | row for row in rows["abstention"]]
    ids = ("k1", "uf", "uf", "c@1", "c@1")
    frames = {name: frames_by_id[id][name] for name, id in zip(rows, ids, strict=True)}
    return frames, lambda frames: rows


def add_halves(values: np.ndarray, extreme: float) -> tuple[float, float]:
    """Return the mean and its reach, with half a question more in either direction."""
    values, weights = np.append(values, [extreme, -extreme]), np.append(np.ones(N), [0.5, 0.5])
    error = sqrt(np.cov(values, aweights=weights, ddof=0) / N)
    return np.average(values, weights=weights), QUANTILE * error


def expect_pairs(outcomes, uf) -> list[dict]:
    """Rows of all pairs, by Student's t with half a question of +2 and half a one of -2."""
    scores = np.array([[float(uf(run, [q])) for q in range(N)] for run in range(6)])
    pairs = Pairs(scores.mean(axis=1), Dense(scores), 2)
    counts = count_flips(sign_flips.count_exceeding, pairs, 1, "c", 300)
    p_maxt, rows = sign_flips.step_down(pairs, counts, 300), []
    for (x, y), p_joint in zip(combinations(range(6), 2), p_maxt, strict=True):
        gap = scores[x] - scores[y]
        mean, half = add_halves(gap, 2)
        ends = max(min(mean - half, gap.mean()), -2), min(max(mean + half, gap.mean()), 2)
        p = 2 * t.sf(abs(mean) / half * QUANTILE, N - 1)
        values = outcomes.runs[x], outcomes.runs[y], gap.mean(), *ends, p, max(p_joint, p)
        rows.append(record("a b difference lower upper p p_maxt", *values))
    return rows


def expect_parts(outcomes, c_at_1) -> list[dict]:
    """Rows of both parts of c@1 = a (1 + u), by Student's t with half a question more."""
    value = [float(c_at_1(run, range(N))) for run in range(6)]
    x, *rivals = sorted(range(6), key=lambda run: -value[run])[:4]
    rows = []
    for y in rivals:
        right, silent = (outcomes.matrices[name][[x, y]].astype(float) for name in ("n_ac", "n_u"))
        a, u = right.mean(), silent.mean()
        (a_gap, u_gap) = (part[0].mean() - part[1].mean() for part in (right, silent))
        d, e = (part - part.mean(axis=1, keepdims=True) for part in (right, silent))
        row = record("a b difference", outcomes.runs[x], outcomes.runs[y], value[x] - value[y])
        for name, part, changes, step in (
            (
                "by_right",
                a_gap * (1 + u),
                (d[0] - d[1]) * (1 + u) + a_gap * e.mean(axis=0),
                1 + u + abs(a_gap) / 2,
            ),
            (
                "by_abstention",
                a * u_gap,
                d.mean(axis=0) * u_gap + a * (e[0] - e[1]),
                (N * a + 0.5) / (N + 1) + abs(u_gap) / 2,
            ),
        ):
            half = QUANTILE * sqrt((sum(changes**2) + step**2) / N / (N + 1))
            row |= {name: part, f"{name}_lower": part - half, f"{name}_upper": part + half}
        rows.append(row)
    return rows


def expect_intervals(outcomes, k1, comparisons: pl.DataFrame) -> list[dict]:
    """Rows of all runs: who is surely better, and worse, and the one-sided test."""
    score, psi = score_runs(outcomes)
    finite = np.flatnonzero(np.isfinite(psi).all(axis=1))
    pairs = Pairs(score[finite], Dense(psi[finite]))
    counts = count_flips(sign_flips.count_behind, pairs, 1, "c", 300)
    behind = dict(zip(finite, counts, strict=True))
    numbers = {name: number for number, name in enumerate(outcomes.runs)}
    p = {
        frozenset((numbers[a], numbers[b])): values
        for a, b, *values in comparisons.select("a", "b", "p", "p_maxt").rows()
    }
    columns = ["value", "method", "lower", "upper", "rank_low", "rank_high", "may_be_best"]
    columns += ["clusters", "samples", "answers"]
    rows = []
    for run, name in enumerate(outcomes.runs):
        value = k1(run, range(N))
        row = dict.fromkeys(columns) | {"value": None if value is None else float(value)}
        row |= {"run": name, "assessor": "gold", "questions": N, "compared": run in behind}
        if run in behind:
            mean, half = add_halves(psi[run], 1)
            row["method"] = "Student's t"
            row |= {"lower": max(mean - half, -1), "upper": min(mean + half, 1)}
            rivals = [rival for rival in finite if rival != run]
            gaps = [score[i] - score[run] for i in rivals if p[frozenset((run, i))][1] <= LEVEL]
            better, worse = (sum(way * gap > 0 for gap in gaps) for way in (1, -1))
            ahead = [p[frozenset((run, i))][0] / 2 for i in rivals if score[i] > score[run]]
            p_best = max((1 + behind[run]) / 301, min(ahead, default=1))
            ranks = 1 + better, np.isfinite(score).sum() - worse, not better and p_best > LEVEL
            row |= record("rank_low rank_high may_be_best", *ranks)
        rows.append(row)
    return rows


def grade_runs(folder, analysis: str) -> tuple[dict[str, pl.DataFrame], dict[str, list[dict]]]:
    """Return an analysis of five runs, and their rows: ties, positions, no order, silence."""
    rng, names = random.Random(3), [f"q{i:02}" for i in range(60)]
    runs = {}
    for i in range(5):
        cut, skill, rows = 0.1 * i, 0.7 - 0.1 * i, []
        for place, q in enumerate(rng.sample(names, 60)):
            sure = round(rng.random(), 1) if i == 0 else rng.random()
            right = rng.random() < skill * (0.5 + sure)
            verdict = "unanswered" if i == 4 or sure < cut else "correct" if right else "wrong"
            order = {"position": place + 1} if i == 2 else {"confidence": f"{sure}"}
            rows.append({"question": q, "verdict": verdict} | (order if i < 3 else {}))
        runs[f"r{i}"] = rows
    graded = Campaign(folder).evaluate_graded(runs)
    settings = {"measures": ["accuracy"], "official": "official", "policy": graded.policy}
    inputs = vars(graded.inputs("accuracy"))
    return make_summary(analysis, settings | {"level": 0.05}, **inputs), runs


def mark_correct(rows: list[dict]) -> dict[str, bool]:
    """Of the answered questions, whether the answer is right."""
    states = {row["question"]: row["verdict"] for row in rows}
    return {q: state == "correct" for q, state in states.items() if state != "unanswered"}


def standing(rows: list[dict]) -> dict[str, float]:
    """What orders the questions of a run, more is surer."""
    return {
        row["question"]: -row["position"] if "position" in row else float(row["confidence"])
        for row in rows
    }


def risk_coverage(folder):
    """Ties have their mean risk, a run without an order one point; no threshold keeps a risk."""
    frames, runs = grade_runs(folder, "risk_coverage")
    ranked = sorted(runs, key=lambda run: -sum(mark_correct(runs[run]).values()))[:4]
    rows = []
    for run in ranked:
        right, sure = mark_correct(runs[run]), standing(runs[run]) if run != "r3" else {}
        if run == "r3":
            row = {"run": run, "answers": len(right), "coverage": len(right) / 60, "whole": True}
            rows.append(row | {"down_to": None, "risk": 1 - np.mean([*right.values()])})
        for k, edge in enumerate(sorted((sure[q] for q in right if sure), reverse=True), 1):
            is_wrong = [not right[q] for q in right if sure[q] > edge]
            tied = [not right[q] for q in right if sure[q] == edge]
            wrong = sum(is_wrong) + np.mean(tied) * (k - len(is_wrong))
            row = {"run": run, "answers": k, "coverage": k / 60, "risk": wrong / k}
            rows.append(row | {"whole": k == len(right), "down_to": edge})
    no_threshold = record("threshold answers wrong at_most alike", None, None, None, None, False)
    tested = [run for run in ranked if run != "r3"]  # it has no order
    control = [
        {"run": run, "risk": risk} | no_threshold for run in tested for risk in (0.05, 0.1, 0.2)
    ]
    return frames, lambda frames: {"risk_coverage.csv": rows, "risk_control.csv": control}


def reliability_diagram(folder):
    """Of the runs with confidences, in the bins of ece@10."""
    frames, runs = grade_runs(folder, "reliability_diagram")
    rows = []
    for run in ("r0", "r1"):
        right, sure = mark_correct(runs[run]), standing(runs[run])
        bins = {q: max(ceil(Fraction(str(sure[q])) * 10), 1) for q in right}
        for bin in sorted({*bins.values()}):
            members = [q for q in right if bins[q] == bin]
            mean, share = (np.mean([values[q] for q in members]) for values in (sure, right))
            columns = "run bin answers confidence right_share over"
            rows.append(record(columns, run, bin, len(members), mean, share, mean - share))
    return frames, lambda frames: {"reliability_diagram.csv": rows}


def agreement(folder):
    labels = {"a": "RRWWURXWRWRW", "b": "RWWWURXWRRRW", "c": "RRWXURXWWRR."}
    columns = "assessor question candidate answer label"
    rows = [
        record(columns, name, f"q{number:02}", "", "x", label)
        for name, row in labels.items()
        for number, label in enumerate(row)
        if label != "."
    ]
    judgments = folder / "judgments.parquet"
    tables.write(tables.complete(pl.DataFrame(rows), tables.JUDGMENTS), judgments)
    settings = {"correct": ["R"], "official": "nobody"}
    frames = make_summary("agreement", settings, labels=[judgments])
    statistics = []
    for scale in ("label", "correct"):
        # Whether an answer is correct is R or W
        grades = [row if scale == "label" else re.sub("[UX]", "W", row) for row in labels.values()]
        items = list(zip(*grades, strict=True))
        complete = [item for item in items if "." not in item]
        not_wrong = [item for item in complete if set(item) != {"W"}]
        values = [
            ("disagreement", complete, np.mean([len({*item}) > 1 for item in complete])),
            ("disagreement_not_all_wrong", not_wrong, np.mean([len({*x}) > 1 for x in not_wrong])),
        ]
        units = [[label for label in item if label != "."] for item in items]
        values.append(("krippendorff_alpha", items, literal_alpha(units)))
        values = [([*labels], *row) for row in values]
        for x, y in combinations(range(3), 2):
            pair = [(item[x], item[y]) for item in items if "." not in (item[x], item[y])]
            names = [[*labels][i] for i in (x, y)]
            kappa = cohen_kappa_score(*zip(*pair, strict=True))
            values.append((names, "cohen_kappa", pair, kappa))
        for names, statistic, cases, value in values:
            row = record("scale assessors statistic value", scale, names, statistic, value)
            statistics.append(row | {"items": len(cases)})
    columns = "assessors pattern items share share_of_disagreements"
    items = [
        "".join(sorted(item)) for item in zip(*labels.values(), strict=True) if "." not in item
    ]
    disputed = sum(len({*item}) > 1 for item in items)
    patterns = [
        record(columns, [*"abc"], pattern, number, number / len(items), None)
        | ({columns.split()[-1]: number / disputed} if len({*pattern}) > 1 else {})
        for pattern, number in sorted(Counter(items).items())
    ]
    return frames, lambda frames: {"agreement.csv": statistics, "agreement_patterns.csv": patterns}


# What two assessors said of three runs, twice as many questions: the judge failed on some, and judged
# some that the official one did not.
LABELS = {
    "a": {"human": "RRRRRRWRWRRRWR....", "judge": "RRRWRRWRRRRR..RRWR"},
    "b": {"human": "RRRWWRWRWRWRWR....", "judge": "RRWWWRWRRRWRRRRWWR"},
    "c": {"human": "RRWWWRWWWRWWWR....", "judge": "RRWWWRRRRRWRRRWWWR"},
}


def judges(folder):
    labels = {run: {name: 2 * row for name, row in rows.items()} for run, rows in LABELS.items()}
    graded = make_graded(folder, labels, "human")
    pairs = {"a": ["a", "a", "b"], "b": ["b", "c", "c"]}
    comparisons = pl.DataFrame(pairs | {"p_maxt": [0.01, 0.01, 0.02]})
    tables.write(comparisons, folder / "accuracy/comparisons.parquet")
    settings = {"measures": ["accuracy"], "official": "human", "policy": tasks.POLICIES}
    files = {"verdicts": [graded.verdicts], "trials": [folder / "accuracy"]}
    frames = make_summary("judges", settings | {"level": 0.05, "seed": 1, "flips": 250}, **files)
    # (runs, questions)
    human, judge = (
        np.array([[*rows[name]] for rows in labels.values()]) for name in ("human", "judge")
    )
    gold, alone = (judge != ".") & (human != "."), (judge != ".") & (human == ".")
    right = [np.where(gold, letters == "R", np.nan) for letters in (human, judge)]

    def compare_judge(name: str, rows=slice(None)) -> dict:
        """A judge on some runs, or the official assessor itself, which is compared with nobody."""
        letters = (human if name == "human" else judge)[rows]
        row = {"judge": name, "judged": (letters != ".").sum(), "failed": (letters == ".").sum()}
        columns = "compared agreement kappa sensitivity specificity leniency agreement_worst agreement_best"
        if name == "human":
            return row | dict.fromkeys(columns.split()) | {"compared": 0}
        judged_twice = gold[rows]
        ours, theirs = human[rows][judged_twice], letters[judged_twice]
        agreed, failed = (ours == theirs).sum(), ((human[rows] != ".") & (letters == ".")).sum()
        values = [judged_twice.sum(), agreed / judged_twice.sum(), cohen_kappa_score(ours, theirs)]
        values += [recall_score(ours, theirs, pos_label=letter) for letter in "RW"]
        values.append(np.mean(theirs == "R") - np.mean(ours == "R"))
        total = judged_twice.sum() + failed
        values += [agreed / total, (agreed + failed) / total] if failed else [None, None]
        return row | record(columns, *values)

    accuracies = [np.nanmean(part, axis=1).tolist() for part in right]  # of what both judged
    swaps = find_swaps(*accuracies)
    ranking = {"measure": "accuracy", "runs": 3, "tau": kendalltau(*accuracies).statistic}
    ranking |= {"swaps": len(swaps), "swaps_significant": len(swaps)}
    ranking |= {"swapped": sorted(" – ".join("abc"[i] for i in sorted(pair)) for pair in swaps)}
    rows = {
        "judges.csv": [
            compare_judge("human") | dict.fromkeys(ranking) | {"unjudged": 0},
            compare_judge("judge") | ranking | {"unjudged": 0},
        ],
        "judges_by_run.csv": [
            compare_judge(name, slice(i, i + 1)) | {"run": "abc"[i]}
            for name in ("human", "judge")
            for i in range(3)
        ],
        "corrected.csv": [],
    }
    for i in range(3):
        # By the judge, then by the official assessor
        pairs = [*zip(judge[i], human[i], strict=True)]
        matrix = np.array([[pairs.count((j, h)) for h in "WR"] for j in "WR"])
        numbers = matrix.sum(axis=1) + [pairs.count((letter, ".")) for letter in "WR"]
        columns = "judge run questions twice others measure as_judged official corrected"
        values = ["judge", "abc"[i], 36, matrix.sum(), alone[i].sum(), "accuracy"]
        values += [numbers[1] / numbers.sum(), matrix[:, 1].sum() / matrix.sum()]
        corrected = (numbers * matrix[:, 1] / matrix.sum(axis=1)).sum() / numbers.sum()
        rows["corrected.csv"].append(record(columns, *values, corrected))
    # PPI++ by its definition, and the weight that makes differences vary least
    number, centred = gold.sum(axis=0), []
    for part in right:
        off = part - np.nanmean(part, axis=1, keepdims=True)
        mean = np.nansum(off, axis=0) / np.maximum(number, 1)
        centred.append(np.where(number > 1, off - mean, off))
    slope = np.nansum(centred[0] * centred[1]) / np.nansum(centred[1] ** 2)
    weight = np.clip(slope / (1 + gold.sum() / alone.sum()), 0, 1)
    shares = np.array([np.mean(judge[i][alone[i]] == "R") for i in range(3)])
    estimate = np.nanmean(right[0] - weight * right[1], axis=1) + weight * shares
    columns = "judge measure weight a b difference"
    rows["corrected_pairs.csv"] = [
        record(columns, "judge", "accuracy", weight, "abc"[i], "abc"[j], estimate[i] - estimate[j])
        for i, j in combinations(range(3), 2)
    ]
    return frames, lambda frames: rows


def find_swaps(x: list, y: list) -> list[tuple[int, int]]:
    return [(i, j) for i, j in combinations(range(len(x)), 2) if (x[i] - x[j]) * (y[i] - y[j]) < 0]


def generalizability(folder):
    """The official assessor stays out, so that two are left."""
    draw, names = np.random.default_rng(3), ("a", "b", "c")
    lenient, easy = np.array([[[0.0], [0.2], [0.6]]]), draw.random(20)
    # (runs, assessors, questions)
    right = draw.random((3, 3, 20)) < 0.2 + lenient + 0.4 * easy.round()
    texts = [["".join(np.where(row, "R", "W")) for row in rows] for rows in right]
    letters = [dict(zip(names, rows, strict=True)) for rows in texts]
    graded = make_graded(folder, dict(zip("rst", letters, strict=True)), "a")
    settings = {"measures": ["accuracy"], "official": "a", "policy": tasks.POLICIES}
    frames = make_summary("generalizability", settings, verdicts=[graded.verdicts])
    components = [literal_components(rows[1:].astype(float)) for rows in right]
    q, a, interaction = (max(sum(part) / 3, 0) for part in zip(*components, strict=True))
    row = record("measure runs assessors questions", "accuracy", 3, 2, 20)
    row |= record("of_questions of_assessors of_both", q, a, interaction)
    for name, assessors, questions in (
        ("error", 1, 20),
        ("twice_assessors", 2, 20),
        ("twice_questions", 1, 40),
    ):
        row[name] = sqrt(q / questions + a / assessors + interaction / questions / assessors)
    return frames, lambda frames: {"generalizability.csv": [row]}


def rankings(folder):
    values = {
        "accuracy": {"gold": [0.5, 0.6, 0.1, 0.3], "other": [0.66, 0.55, 0.2, 0.3]},
        "uf": {"gold": [0.3, 0.24, 0.1, -0.2], "other": [0.1, 0.2, 0.05, -0.1]},
    }
    keys = [{"assessor": name, "run": f"r{run}"} for name in ("gold", "other") for run in range(4)]
    tables.write(pl.DataFrame(keys).with_columns(n=100), folder / "counts.parquet")
    files = {id: folder / f"scores/{id}.parquet" for id in values}
    for id, scores in values.items():
        table = pl.DataFrame(keys).with_columns(value=pl.Series(scores["gold"] + scores["other"]))
        tables.write(table, files[id])
    settings = {"measures": [*values], "official": "gold", "policy": tasks.POLICIES}
    inputs = {"counts": folder / "counts.parquet", "scores": [*files.values()]}
    frames = make_summary("rankings", settings, **inputs)

    def compare_rankings(kind: str, measure: str | None, a: str, b: str, x: list, y: list) -> dict:
        gaps = [abs(x[i] - x[j]) for i, j in find_swaps(x, y)]
        numbers = [sum(gap >= margin for gap in gaps) for margin in (0.05, 0.07)]
        columns = "compared measure a b runs tau swaps largest_difference swaps_005 swaps_007"
        tau = kendalltau(x, y).statistic
        return record(columns, kind, measure, a, b, 4, tau, len(gaps), max(gaps), *numbers)

    rows = [
        compare_rankings("assessors", id, "gold", "other", *scores.values())
        for id, scores in values.items()
    ]
    official = [scores["gold"] for scores in values.values()]
    rows.append(compare_rankings("measures", None, *values, *official))
    return frames, lambda frames: {"rankings.csv": rows}


def make_pool() -> tuple[dict, list[dict]]:
    """Runs that share some of their answers, in up to two ranks, and judgments of most of these.

    Alpha was asked two questions several times, delta was not asked the first, and to the fifth no
    run alone finds an answer, so that it is not judged again.
    """
    draw, runs, labels = random.Random(1), {}, {}
    for run in ("alpha", "beta", "gamma", "delta"):
        runs[run] = []
        for question in range(run == "delta", 12):
            answers = draw.sample(["a", "b", "c", f"own {run}", "NIL", None], 2)
            answers = ["a"] if question == 5 else answers[:1] if None in answers else answers
            for rank, answer in enumerate(answers, 1):
                name = f"q{question:02}"
                row = record("question rank answer confidence", name, rank, answer, draw.random())
                epochs = {0: "123", 5: "12"}.get(question, "1") if run == "alpha" else "1"
                runs[run] += [row | {"epoch": epoch} for epoch in epochs]
                if answer not in (None, "NIL") and draw.random() < 0.9:
                    labels.setdefault((name, answer), draw.choice("RRWU"))
    return runs, [record("question answer label", *key, label) for key, label in labels.items()]


def find_uniques(runs: dict, judgments: list[dict]) -> dict[str, set]:
    """The correct answers of each run that no other gave."""
    right = {(row["question"], row["answer"]) for row in judgments if row["label"] == "R"}
    finders: dict = {}
    for run, rows in runs.items():
        for key in right & {(row["question"], row["answer"]) for row in rows}:
            finders.setdefault(key, []).append(run)
    return {run: {key for key, names in finders.items() if names == [run]} for run in runs}


def pooling(folder):
    """Each run judged and scored again without the correct answers that only it gave, its score
    ranked among those of the others as they were. Nothing for NIL or several answers."""
    ids = ["c@1", "aurc", "mean(c@1,cws)"]
    runs, judgments = make_pool()
    options, missing = {"nil": ["NIL"]}, {"missing": "exclude"}
    full = Campaign(folder / "whole", shards=2)
    full.evaluate_runs(runs, {"gold": judgments}, options=options, **missing)
    settings = {"measures": [*ids, "nil_recall", "map", "mrr"], "correct": ["R"], "partial": []}
    settings |= {"policy": tasks.POLICIES}
    responses = sorted((full.folder / "responses").glob("*.parquet"))
    files = [full.verdicts, full.folder / "judgments.parquet", *responses]
    frames, rows = make_summary("pooling", settings, pool=files), []
    questions = pl.read_parquet(full.folder / "questions.parquet").to_dicts()
    # Delta was not asked the first question, on which runs are then not compared
    shared_judgments = [row for row in judgments if row["question"] != "q00"]
    for run, uniques in find_uniques(runs, shared_judgments).items():
        remaining = [row for row in judgments if (row["question"], row["answer"]) not in uniques]
        repeat = Campaign(folder / run)
        repeat.evaluate_runs(runs, {"gold": remaining}, questions, options, **missing)
        for id in ids if uniques else ():
            tables_of_both = [
                part.values(id).select("run", "value").rows() for part in (full, repeat)
            ]
            before, after = map(dict, tables_of_both)
            after = before | {run: after[run]}
            numbers = len(uniques), len({question for question, _ in uniques})
            change = None if before[run] is None else after[run] - before[run]
            ranked = [name for name in runs if None not in (before[name], after[name])]
            tau = kendalltau(*[[scores[name] for name in ranked] for scores in (before, after)])
            columns = "measure run correct_answers questions value without change tau"
            values = before[run], after[run], change, tau.statistic
            rows.append(record(columns, id, run, *numbers, *values))
    rows.sort(key=lambda row: (row["change"] is None, -abs(row["change"] or 0), row["run"]))
    rows.sort(key=lambda row: ids.index(row["measure"]))
    return frames, lambda frames: {"pooling.csv": rows}


def candidates(folder):
    """The rates at which six measures count unanswered questions as right, and the true rate."""
    names = "assessor run n n_ac n_aw n_u n_ur n_uw"
    counts = [
        record(names, "gold", "r0", 400, 100, 60, 240, 40, 140),
        record(names, "gold", "r1", 400, 20, 160, 220, 60, 20),
        record(names, "gold", "r2", 400, 120, 120, 160, 80, 40),
        record(names, "gold", "r3", 400, 180, 180, 40, 0, 0),
    ]
    tables.write(pl.DataFrame(counts), folder / "counts.parquet")
    frames = make_summary("candidates", {"official": "gold"}, counts=folder / "counts.parquet")
    ids = ("accuracy", "uf_half", "optimistic", "c@1", "precision_answered", "wrong_rate")
    scores, rate, withheld, runs = {}, {}, counts[:3], []
    for id in ids:
        measure = measures.get("qa", id)
        totals = [{t: Fraction(run.get(t, 0)) for t in measure.totals} for run in withheld]
        scores[id] = [measure(**values) for values in totals]
        pairs = zip(scores[id], withheld, strict=True)
        rate[id] = [(score * 400 - run["n_ac"]) / run["n_u"] for score, run in pairs]
    observed = [Fraction(run["n_ur"], run["n_ur"] + run["n_uw"]) for run in withheld]
    truth = [
        (run["n_ac"] + run["n_u"] * share) / 400
        for run, share in zip(withheld, observed, strict=True)
    ]
    for place, run in enumerate(withheld):
        gaps = {id: abs(rate[id][place] - observed[place]) for id in ids}
        row = {"run": run["run"], "unanswered": run["n_u"], "candidates": run["n_ur"] + run["n_uw"]}
        row["nearest"] = min(gaps, key=gaps.get) if row["candidates"] >= 100 else None
        row |= {"observed": observed[place], "score": truth[place]}
        runs.append(row | {id: rate[id][place] for id in ids})
    nearest, estimates = [row["nearest"] for row in runs], []
    for id in ids:
        row = {"estimate": id, "runs": 3, "rate": sum(rate[id]) / 3, "observed": sum(observed) / 3}
        row |= {"distance": sum(abs(a - b) for a, b in zip(rate[id], observed, strict=True)) / 3}
        row |= {"nearest": nearest.count(id), "score": sum(scores[id]) / 3}
        row |= {"excess": sum(scores[id]) / 3 - sum(truth) / 3}
        row |= {"swaps": len(find_swaps(scores[id], truth))}
        pair = [[float(score) for score in ranked] for ranked in (scores[id], truth)]
        estimates.append(row | {"tau": kendalltau(*pair).statistic})
    return frames, lambda frames: {"candidates.csv": runs, "estimates.csv": estimates}


TRIALS = [comparison, sample_size, error_curves]
SUMMARIES = [risk_coverage, reliability_diagram, agreement, judges, generalizability]
SUMMARIES += [rankings, pooling, candidates]
ORACLES = {oracle.__name__: oracle for oracle in (*TRIALS, *SUMMARIES)}


def are_equal(value, expected) -> bool:
    if isinstance(value, float) and expected is not None:
        return value == pytest.approx(float(expected), rel=1e-7, abs=1e-7)
    return value == expected


def check(frames: dict[str, pl.DataFrame], expected: dict[str, list[dict]]) -> None:
    """Every table has the expected rows, as far as they name its columns."""
    assert frames.keys() == expected.keys()
    for name, table in frames.items():
        assert table.height == len(expected[name]) > 0, name
        for row, should in zip(table.rows(named=True), expected[name], strict=True):
            for column, value in should.items():
                assert are_equal(row[column], value), (name, row, column, value)


def test_every_analysis_has_an_oracle():
    lines = [*ORACLES, "swap", "stability"]  # which have tests of their own
    assert_a_line_each(
        ANALYSES, lines, "ORACLES of tests/statistics/test_oracles.py: an oracle of its tables"
    )


SLOW = ("pooling", "error_curves", "sample_size")


@pytest.mark.parametrize(
    "analysis", [pytest.param(id, marks=[pytest.mark.slow] * (id in SLOW)) for id in ORACLES]
)
def test_the_oracle_agrees(tmp_path, analysis):
    frames, expected = ORACLES[analysis](tmp_path)
    trials, summary = ANALYSES[analysis].trials, ANALYSES[analysis].summary
    files = [f"{name}.csv" for name in (summary.tables if summary else ())]
    assert frames.keys() == {*(trials.tables if trials else ()), *files}
    check(frames, expected(frames))
