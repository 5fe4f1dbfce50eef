"""The algorithms of the reliability stage in plain loops and fractions, as the papers print them.

Shares nothing with the project's kernels but what they read, Outcomes; the random draws are handed
in. A score that is undefined is None. At the end, campaigns made at random.
"""

import math
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from literal_confidence import literal, self_scored
from nonresponse import measures, tasks
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.statistics.outcomes import Outcomes
from quick import first_of_each

ROMIP = [
    f"romip_{kind}" for kind in ["answered", "good", "good_any", "long_good", "long_good_partial"]
]
FUZZINESS = [Fraction(k, 100) for k in range(1, 11)]  # Peñas & Rodrigo 2011, section 4.2
SLACK = 1e-9  # of scores that are no fractions
MEASURES = [measure for task in tasks.NAMES for measure in measures.load_measures(task).values()]
each_kind = pytest.mark.parametrize(
    "measure",
    first_of_each(lambda measure: (measure.task, measure.kind), MEASURES),
    ids=lambda measure: f"{measure.task}-{measure.id}",
)


def near(score, error: float = SLACK):
    """What an array has for a score in fractions, up to an error: NaN where it is undefined."""
    return pytest.approx(math.nan if score is None else float(score), abs=error, rel=0, nan_ok=True)


def compute_exactly(measure, totals: dict) -> Fraction | None:
    """A measure of counts as a fraction; ROMIP's numbers of questions as a share of n."""
    extra = {name: Fraction(str(value)) for name, value in measure.extra.items()}
    try:
        value = measure.function(
            **{name: Fraction(totals[name]) for name in measure.totals}, **extra
        )
        return value / totals["n"] if measure.id in ROMIP else Fraction(value)
    except ZeroDivisionError:
        return None


def total(cells: list[dict], questions) -> Counter:
    """The counts of some questions; a question that occurs twice counts twice."""
    counts = Counter(n=0)
    for question in questions:
        for name, count in cells[question].items():
            counts[name] += count
    return counts


def figure_1(score, runs: list, subsets: list, f, slack=0) -> tuple[Counter, Counter]:
    """Peñas & Rodrigo 2011, figure 1: EQ by pair, GT by (better, worse); equal scores tie."""
    eq, gt = Counter(), Counter()
    for x, y in combinations(runs, 2):
        for q in subsets:
            m_x, m_y = score(x, q), score(y, q)
            if m_x is None or m_y is None:
                continue
            margin = f * max(m_x, m_y)
            d = abs(m_x - m_y)
            if d == 0 or d < slack or d < abs(margin) - slack:
                eq[x, y] += 1
            else:
                gt[(x, y) if m_x > m_y else (y, x)] += 1
    return eq, gt


def rates(eq: Counter, gt: Counter) -> tuple:
    """Equations 7 and 8: error rate and proportion of ties; None where nothing was compared."""
    compared = gt.total() + eq.total()
    errors = sum(min(gt[x, y], gt[y, x]) for x, y in {tuple(sorted(pair)) for pair in gt})
    return (
        (Fraction(errors, compared), Fraction(eq.total(), compared)) if compared else (None, None)
    )


def find_bin(d, lower: list, slack=0) -> int:
    """The last bin whose lower bound is reached; the first one takes the equal scores."""
    number = 0
    while number + 1 < len(lower) and d >= lower[number + 1] - slack:
        number += 1
    return number


def figure_3(score, runs: list, halves: list, lower: list, slack=0) -> tuple[list, list, int]:
    """Peñas & Rodrigo 2011, figure 3: counter and swap_counter by bin; and the equal scores."""
    counter, swap_counter, ties = [0] * len(lower), [0] * len(lower), 0
    for x, y in combinations(runs, 2):
        for q, second_half in halves:
            values = [score(x, q), score(y, q), score(x, second_half), score(y, second_half)]
            if None in values:
                continue
            d, d_other = values[0] - values[1], values[2] - values[3]
            number = find_bin(abs(d), lower, slack)
            counter[number] += 1
            ties += abs(d) <= slack
            if d * d_other < 0 and min(abs(d), abs(d_other)) >= slack:
                swap_counter[number] += 1
    return counter, swap_counter, ties


def standings(rows: list[dict]) -> list[tuple] | None:
    """Return what orders the rows, larger is surer: position, else confidence, else score."""
    for column in ("position", "confidence", "score"):
        if any(row[column] is not None for row in rows):
            break
    else:
        return None

    def standing(row):
        if row["verdict"] == "unanswered":
            return (0, 0)
        value = row[column]
        return (1, 0) if value is None else (2, -value if column == "position" else value)

    return [standing(row) for row in rows]


def cws(rows: list[dict]) -> Fraction | None:
    """Peñas & Rodrigo 2011, eq. 9-10, of one run; tied answers each have their mean."""
    levels = standings(rows)
    if levels is None:
        return None
    place, before, summed = 0, Fraction(0), Fraction(0)
    for level in sorted(set(levels), reverse=True):
        block = [
            row["verdict"] == "correct"
            for row, value in zip(rows, levels, strict=True)
            if value == level
        ]
        for j in range(1, len(block) + 1):
            summed += (before + Fraction(sum(block) * j, len(block))) / (place + j)
        place, before = place + len(block), before + sum(block)
    return summed / len(rows)


def auc(rows: list[dict]) -> Fraction | None:
    """Compare every right pair with every wrong one: 1 if its score is higher, half if equal."""
    scored = [row for row in rows if row["positive"] is not None and row["score"] is not None]
    right, wrong = (
        [row["score"] for row in scored if row["positive"] is truth] for truth in (True, False)
    )
    if not right or not wrong:
        return None
    won = sum((a > b) + Fraction(a == b, 2) for a in right for b in wrong)
    return Fraction(won) / (len(right) * len(wrong))


def literal_alpha(units: list[list]) -> Fraction | None:
    """1 − observed / expected disagreement, of pairs in a unit of m by 1 / (m − 1)."""
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    n = len(values)
    observed = sum(
        Fraction(a != b, len(unit) - 1) for unit in units for a, b in permutations(unit, 2)
    )
    expected = sum(a != b for a, b in permutations(values, 2))
    return 1 - observed / n / Fraction(expected, n * (n - 1)) if expected else None


def literal_components(psi: np.ndarray) -> tuple[float, float, float]:
    """Brennan 2001: expected mean squares of the crossed design, solved for the components."""
    (rows, columns), mean = psi.shape, psi.mean()
    row_off, column_off = psi.mean(axis=1) - mean, psi.mean(axis=0) - mean
    residual = psi - mean - row_off[:, None] - column_off
    ms_row = columns * (row_off**2).sum() / (rows - 1)
    ms_column = rows * (column_off**2).sum() / (columns - 1)
    ms_rest = (residual**2).sum() / ((rows - 1) * (columns - 1))
    return (ms_column - ms_rest) / rows, (ms_row - ms_rest) / columns, ms_rest


QA_WORDS = ("correct", "wrong", "unanswered", "exclude")
# Accepted, positive
OUTCOMES = {(True, True): "tp", (True, False): "fp", (False, True): "fn", (False, False): "tn"}


def draw_cells(
    task: str, seed: int, runs: int, questions: int, excluding: bool = False
) -> list[list[dict]]:
    """Draw the counts of each run (first index) and question, as some policy leaves them."""
    draw = random.Random(seed)
    kinds = [True, False, False, None]
    truths = [
        {"has": draw.random() < 0.7, "pairs": draw.choices(kinds, k=draw.randint(1, 3))}
        for _ in range(questions)
    ]
    draw_cell = {"validation": validation_cell}.get(task, qa_cell)
    cells = []
    for _ in range(runs):
        skill, silence = draw.random(), draw.choice([0, 0.2, 0.6, 0.95])
        cells.append([draw_cell(draw, truth, skill, silence, excluding) for truth in truths])
    return cells


def qa_cell(draw, truth: dict, skill: float, silence: float, excluding: bool) -> dict:
    weights = [skill * (1 - silence), (1 - skill) * (1 - silence), silence, 0.1 * excluding]
    [verdict] = draw.choices(QA_WORDS, weights)
    if verdict == "exclude":
        return {"n_x_partial": draw.random() < 0.5}
    is_answered, has = verdict != "unanswered", truth["has"]
    right, withheld = verdict == "correct", draw.random() < skill
    nil = is_answered and right != has and draw.random() < 0.6
    partial = draw.random() < 0.2
    has_text, good = is_answered and not nil, is_answered and draw.random() < 0.5
    rightful = right and not nil and not has
    silent, wrong = not is_answered, verdict == "wrong"
    cell = {"n": 1, "n_ac": right, "n_aw": wrong, "n_u": silent}
    cell |= {"n_rightful": rightful, "n_unanswerable": rightful, "n_aw_partial": wrong and partial}
    cell |= {"n_ur": silent and withheld}
    cell |= {"n_uw": silent and not withheld and draw.random() < 0.8}
    cell |= {"nil_unanswered": silent and not has, "nil_returned": nil, "nil_right": nil and right}
    cell |= {"nil_gold": not has, "a": has and right, "b": has and has_text and not right}
    cell |= {"c": not has and has_text, "d": has and not has_text, "e": not (has or has_text)}
    cell |= {"q_answered": has_text, "q_good": good}
    cell |= {"q_good_any": good or (is_answered and draw.random() < 0.5)}
    cell |= {"q_long_good": good and draw.random() < 0.5}
    return cell | {"q_long_good_partial": is_answered and draw.random() < 0.5}


def validation_cell(draw, truth: dict, skill: float, silence: float, excluding: bool) -> dict:
    cell = Counter()
    for positive in truth["pairs"]:
        if positive is None or (excluding and draw.random() < 0.1):
            continue
        cell["n"] += 1
        if draw.random() < silence:
            cell["u_p" if positive else "u_n"] += 1
        else:
            accepted = positive is (draw.random() < skill)
            cell[OUTCOMES[accepted, positive]] += 1
    if cell["n"]:
        cell["n_questions"] = 1
        cell["q_selected_right"] = cell["tp"] > 0 and draw.random() < 0.8
        cell["q_rejected_right"] = cell["tn"] == cell["n"]
    return dict(cell)


# Campaigns for any measure: what the kernels read, and the literal score of questions of a run.


def campaign(
    measure: Measure, seed: int, runs: int = 6, questions: int = 24, excluding: bool = False
):
    """Outcomes, and score(run, questions)."""
    makers = {"counts": draw_counts, "sums": draw_sums, "ordering": draw_orders}
    names = [f"run{i}" for i in range(runs)], [f"q{i:03}" for i in range(questions)]
    maker = makers.get(measure.kind, draw_parts)
    return maker(measure, Outcomes(measure, *names), seed, excluding)


def matrices(cells: list[list[dict]], names) -> dict[str, np.ndarray]:
    """(runs, questions) by count, or one row where all runs have the same."""
    arrays = {}
    for name in names:
        matrix = np.array([[cell.get(name, 0) for cell in run] for run in cells], np.float64)
        arrays[name] = matrix[:1] if (matrix == matrix[0]).all() else matrix
    return arrays


def draw_counts(measure: Measure, blank: Outcomes, seed: int, excluding: bool):
    cells = draw_cells(measure.task, seed, len(blank.runs), blank.n, excluding)
    arrays = matrices(cells, {*measure.totals, "n"})
    arrays = {name: matrix.astype(np.float32) for name, matrix in arrays.items()}

    def score(run, questions):
        return compute_exactly(measure, total(cells[run], questions))

    return replace(blank, matrices=arrays), score


def draw_sums(measure: Measure, blank: Outcomes, seed: int, excluding: bool):
    """Draw a few different values; the first run has none, others have gaps."""
    draw = random.Random(seed)

    def cell(run):
        if excluding and draw.random() < 0.1:
            return {}
        scorable = run > 0 and draw.random() < 0.9
        value, right = draw.choice([-4, 0, 1, 2, 4]) / 4, draw.random() < 0.5
        self_score = {"s": value, "hh": value**2, "sc": value * right, "c": right, "m": 1}
        self_score |= {"squared": (value - right) ** 2, "loss": abs(value)}
        worth = dict.fromkeys(measure.sums, value * measure.extra.get("years", 1))
        worth = self_score if "m" in measure.sums else worth
        return {"n": 1, "known": 1} | worth if scorable else {"n": 1}

    cells = [[cell(run) for _ in blank.questions] for run in range(len(blank.runs))]
    arrays = matrices(cells, {*measure.totals, "n", "known"})
    scorable = arrays.pop("known").astype(np.float32)

    def score(run, questions):
        counts = total(cells[run], questions)
        try:
            value = measure(**{name: Fraction(counts[name]) for name in measure.totals})
        except ZeroDivisionError:
            return None
        return value if counts["known"] else None

    return replace(blank, matrices=arrays, scorable=scorable), score


def draw_orders(measure: Measure, blank: Outcomes, seed: int, excluding: bool):
    """Draw confidences with ties and gaps, none for the first run, up to three pairs each."""
    draw = random.Random(seed)
    pairs = [draw.randint(1, 3) if measure.task == "validation" else 1 for _ in blank.questions]
    truth = [[draw.random() < 0.4 for _ in range(number)] for number in pairs]

    def rows(run):
        for question, truths in enumerate(truth):
            for positive in truths:
                has_value = run and (measure.id == "auc" or draw.random() < 0.9)
                value = draw.randrange(8) / 7 if has_value else None
                verdict = draw.choice(["correct", "wrong", "wrong", "unanswered"])
                row = {"question": question, "verdict": verdict}
                row |= {"positive": positive, "score": value}
                is_binned = measure.id.startswith(("ece", "rms"))
                row |= {"confidence": value, "score": None} if is_binned else {"confidence": None}
                if not (excluding and draw.random() < 0.1):
                    yield row | {"position": None}

    run_rows = [list(rows(run)) for run in range(len(blank.runs))]
    literally = choose_literal(measure.id)

    def score(run, questions):
        times = Counter(questions)
        return literally([row for row in run_rows[run] for _ in range(times[row["question"]])])

    return replace(blank, orders=[order_by_hand(run, measure.id) for run in run_rows]), score


def draw_parts(measure: Measure, blank: Outcomes, seed: int, excluding: bool):
    """A campaign of each measure that is combined, of runs and questions called alike."""
    parts = [
        campaign(part, seed + place, len(blank.runs), blank.n, excluding)
        for place, part in enumerate(measure.parts)
    ]

    def score(run, questions):
        values = [literally(run, questions) for _, literally in parts]
        if None in values:
            return None
        return sum(values) / len(values) if measure.id.startswith("mean") else math.prod(values)

    return replace(blank, parts=[outcomes for outcomes, _ in parts]), score


def choose_literal(id: str):
    """The literal score of the rows of a run."""
    return {"cws": cws, "auc": auc}.get(id) or literal(id, standings)


def order_by_hand(rows: list[dict], id: str) -> Order:
    is_binned, is_auc = id.startswith(("ece", "rms")), id == "auc"
    if is_binned:
        rows = [row for row in rows if self_scored(row)]
    if is_auc:  # the lowest score first
        levels = [None if row["score"] is None else -row["score"] for row in rows]
        levels = None if None in levels else levels
    else:
        levels = standings(rows)
    if not levels:  # no self-scores, or no rows: no order
        return Order(np.zeros(0, np.int64), np.zeros(0, bool), np.zeros(0, np.int64), False)
    ranked = sorted(zip(levels, rows, strict=True), key=lambda pair: pair[0], reverse=True)
    silent = sum(row["verdict"] == "unanswered" for row in rows) * (not is_auc)
    if id.startswith(("au", "e_", "prr")) and not is_auc:  # of the answers alone
        ranked, silent = ranked[: len(ranked) - silent], 0
    right = [row["positive"] if is_auc else row["verdict"] == "correct" for _, row in ranked]
    levels = [level for level, _ in ranked]
    starts = [i for i, level in enumerate(levels) if i == 0 or level != levels[i - 1]]
    questions = np.array([row["question"] for _, row in ranked], np.int64)
    surest = [row["confidence"] or 0 for _, row in ranked] if is_binned else []
    blocks = np.array(right, bool), np.array(starts, np.int64)
    return Order(questions, *blocks, bool(ranked), silent, np.array(surest, float))
