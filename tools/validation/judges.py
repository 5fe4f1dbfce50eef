"""Simulate scores and differences that are corrected for a judge's errors, and relabelling."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from nonresponse import measures
from nonresponse.statistics import adjudication, corrections, judged_pairs
from nonresponse.statistics.rankings import kendall_tau_b
from nonresponse.tasks import POLICIES
from scipy.special import ndtri
from validation import page

LEVEL = 0.05
NOBODY = pl.DataFrame(schema={"run": pl.String, "ours": pl.String, "responses": pl.Int64})
FLIPS = {"seed": 1, "level": LEVEL, "flips": 250}
# How often a response is right, wrong and silent, and what the judge calls each of these.
GOOD = [[0.93, 0.05, 0.02], [0.1, 0.88, 0.02], [0.02, 0.03, 0.95]]
TENTH = [[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [0.0, 0.0, 1.0]]
ERROR_RATES = {
    "a good judge": ([0.5, 0.3, 0.2], GOOD),
    # Rules on the text of answers that take one in ten silent responses for an answer, and few
    # answers for silence.
    "rules on text": ([0.6, 0.1, 0.3], [[0.98, 0.0, 0.02], [0.0, 0.98, 0.02], [0.0, 0.1, 0.9]]),
    "nearly all right": ([0.9, 0.08, 0.02], GOOD),
    "hardly any right": ([0.005, 0.795, 0.2], GOOD),
    "hardly any answered": ([0.02, 0.03, 0.95], GOOD),
    "a model that errs on a tenth": ([0.5, 0.3, 0.2], TENTH),
}
# How often a run is right, and how often the judge calls right and wrong answers right.
NEARLY_ALL = ((0.97, 0.95, 0.15), (0.995, 0.6, 0.1))
# How often the runs are right, and what draw_pair_states takes.
USUAL: dict[str, Any] = {"gold": 100, "unlabelled": 600}
PAIRS: dict[str, tuple[float, dict[str, Any]]] = {
    "20 questions by people, 300 by a model": (0.6, {"gold": 20, "unlabelled": 300}),
    "100 and 600": (0.6, USUAL),
    "100 and 600, right at .97": (0.97, USUAL),
    "100 and 600, a judge near chance": (0.6, USUAL | {"hit": 0.6, "alarm": 0.5}),
    "100 and 600, c@1, one in five silent": (0.5, USUAL | {"silent": 0.2, "id": "c@1"}),
}
# How often assessors call a wrong answer right, and a right one wrong.
ERRORS = {"even": (0.2, 0.2), "lenient": (0.3, 0.05), "strict": (0.05, 0.3)}


def draw_cases(
    draw: np.random.Generator,
    rights: list,
    hits: list,
    alarms: list,
    twice: int = 150,
    once: int = 600,
) -> pl.DataFrame:
    """Draw cross_verdicts of a judge with sensitivity `hits` and specificity 1 - `alarms`."""
    rows = []
    for run, (right, hit, alarm) in enumerate(zip(rights, hits, alarms, strict=True)):
        truth = draw.random(twice + once) < right
        verdicts = draw.random(twice + once) < np.where(truth, hit, alarm)
        for number, (ours, theirs) in enumerate(zip(truth, verdicts, strict=True)):
            word = {True: "correct", False: "wrong"}
            official = word[bool(ours)] if number < twice else "unscored"
            rows.append(("judge", f"r{run}", word[bool(theirs)], official))
    frame = pl.DataFrame(rows, ["judge", "run", "theirs", "ours"], orient="row")
    return frame.group_by(frame.columns).agg(responses=pl.len().cast(pl.Int64)).sort(frame.columns)


def correct_scores(judgments: pl.DataFrame, certain: pl.DataFrame = NOBODY) -> pl.DataFrame:
    return corrections.correct_scores(judgments, certain, POLICIES, 0.05)


def draw_judgments(
    draw: np.random.Generator, truth: list, confusion: list[list], twice: int, once: int
) -> pl.DataFrame:
    """Draw cross_verdicts of one run with these true shares and this confusion by the judge."""
    words = np.array(["correct", "wrong", "unanswered"])
    ours = draw.choice(3, twice + once, p=truth)
    theirs = (
        (draw.random((len(ours), 1)) > np.cumsum(np.array(confusion)[ours], axis=1))
        .sum(axis=1)
        .clip(max=2)
    )
    official = [words[state] if place < twice else "unscored" for place, state in enumerate(ours)]
    frame = pl.DataFrame({"judge": "judge", "run": "r", "theirs": words[theirs], "ours": official})
    return frame.group_by(frame.columns).agg(responses=pl.len().cast(pl.Int64)).sort(frame.columns)


def true_measures(truth: list) -> dict[str, float]:
    """The measures of shares of right, wrong and silent, as their papers have them."""
    right, wrong, silent = truth
    true = {
        "accuracy": right,
        "c@1": right * (1 + silent),
        "f_simpleqa": 2 * right / (2 * right + 2 * wrong + silent),
    }
    return true | {"hallucination_rate": wrong / (wrong + silent), "answered": right + wrong}


def states_held(
    truth: list, confusion: list[list], twice: int, campaigns: int
) -> dict[str, np.ndarray]:
    """By measure and campaign, whether the corrected interval holds the truth."""
    true = true_measures(truth)
    hits: dict[str, list] = {id: [] for id in true}
    for number in range(campaigns):
        table = correct_scores(
            draw_judgments(np.random.default_rng([7, number]), truth, confusion, twice, 600)
        )
        for row in table.rows(named=True):
            if row["corrected_lower"] is not None:
                hits[row["measure"]].append(
                    row["corrected_lower"] <= true[row["measure"]] <= row["corrected_upper"]
                )
    return {id: np.array(values) for id, values in hits.items()}


def draw_pair_states(
    number: int,
    rights: list,
    gold: int,
    unlabelled: int,
    hit: float = 0.93,
    alarm: float = 0.08,
    silent: float = 0.0,
) -> pl.DataFrame:
    """Draw gold_sample.pair_states: people judged some questions, the model all."""
    draw, questions = np.random.default_rng([9, number]), gold + unlabelled
    shape = len(rights), questions
    easy = np.sqrt(0.5) * (draw.normal(size=questions) + draw.normal(size=shape))
    ours = np.where(easy < ndtri(np.array(rights))[:, None], 0, 1)
    ours[draw.random(shape) < silent] = 2
    luck = draw.random(shape)
    theirs = np.where(luck < np.where(ours == 0, hit, alarm), 0, 1)
    theirs[(ours == 2) & (luck < 0.95)] = 2
    runs = [f"r{run:02}" for run in range(len(rights))]
    names = [f"q{question:05}" for question in range(questions)]
    rows = {"run": np.repeat(runs, questions), "question": np.tile(names, len(runs))}
    rows |= {"theirs": theirs.ravel(), "ours": ours.ravel()}
    frame = pl.DataFrame(rows).with_columns(judgeable=True)
    return frame.with_columns(ours=pl.when(pl.col("question") < f"q{gold:05}").then("ours"))


def measure_power(rights: list, times: int, id: str = "accuracy", **world: Any) -> dict[str, float]:
    """Return the shares of false and true differences found, coverage, and widths."""
    x, y = np.triu_indices(len(rights), 1)
    true = np.array(rights)[x] - np.array(rights)[y]
    rows: dict[str, list] = {
        name: [] for name in ("false", "found", "alone", "held", "width", "alone width", "weight")
    }
    for number in range(times):
        table = judged_pairs.compare_runs(
            draw_pair_states(number, rights, **world), "j", [id], {}, FLIPS
        )
        significant, alone = (
            (table[name] <= 0.05).to_numpy() for name in ("p_maxt", "official_p_maxt")
        )
        rows["false"].append(significant[true == 0].any())
        rows["found"] += significant[true != 0].tolist()
        rows["alone"] += alone[true != 0].tolist()
        rows["held"] += (
            (table["lower"].to_numpy() <= true) & (true <= table["upper"].to_numpy())
        ).tolist()
        rows["width"].append((table["upper"] - table["lower"]).mean())
        rows["alone width"].append((table["official_upper"] - table["official_lower"]).mean())
        rows["weight"].append(table["weight"][0])
    return {name: float(np.mean(values)) if values else np.nan for name, values in rows.items()}


def make_answers(weights: np.ndarray) -> pl.DataFrame:
    """Return answers with these weights."""
    rows: dict[str, Any] = {"question": [f"q{n:04}" for n in range(len(weights))]}
    rows |= {
        "epoch": None,
        "answer": "x",
        "runs": "r",
        "correct": 1,
        "official": "correct",
        "weight": weights,
    }
    return pl.DataFrame(rows)


def judge_disputed(
    number: int, right: np.ndarray, errors: tuple[float, float], labels: float
) -> dict[str, tuple]:
    """Return tau and whether the best run is first after some labels, by each order."""
    draw = np.random.default_rng([4, number])
    truth = draw.random((len(right), 200)) < right[:, None]
    luck = draw.random((3, *truth.shape))
    votes = np.where(truth, luck >= errors[1], luck < errors[0])
    majority, votes_for = votes.sum(axis=0) > 1, votes.sum(axis=0)
    run, question = np.nonzero((votes_for > 0) & (votes_for < 3))
    counts = pl.DataFrame(
        {"run": [f"r{r}" for r in range(len(right))], "n_ac": majority.sum(axis=1), "n": 200}
    )
    table = adjudication.count_labels_to_swap(counts, measures.get("qa", "accuracy"))
    labels_to = table.select(pl.min_horizontal("up", "down")).to_series().to_numpy()[run]
    answers = make_answers(1 / np.sqrt(labels_to))
    orders = {
        "by weight": np.lexsort((draw.random(len(run)), labels_to)),
        "drawn": np.argsort(adjudication.draw_order(answers, number)),
    }
    orders["none"] = np.arange(0)
    results = {}
    for name, order in orders.items():
        verdicts, selection = majority.copy(), order[: int(labels * len(run))]
        verdicts[run[selection], question[selection]] = truth[run[selection], question[selection]]
        score, is_best = verdicts.mean(axis=1), right == right.max()
        results[name] = kendall_tau_b(score, truth.mean(axis=1)), is_best[score.argmax()]
    return results


def corrected_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of scores."""
    for right, hit, alarm in NEARLY_ALL:
        for twice in (20, 50, 100):
            hits = []
            for number in range(campaigns):
                draw = np.random.default_rng([6, number])
                row = correct_scores(draw_cases(draw, [right], [hit], [alarm], twice, 600))
                hits.append(row["corrected_lower"].item() <= right <= row["corrected_upper"].item())
            cells = [page.coverage(float(np.mean(hits))), *[""] * 4]
            yield [f"right at {right:g}", f"{twice} of {twice + 600}", *cells]
    for name, (truth, confusion) in ERROR_RATES.items():
        for twice in (20, 50, 150):
            held_by = states_held(truth, confusion, twice, campaigns)
            shares = [page.coverage(float(values.mean())) for values in held_by.values()]
            yield [name, f"{twice} of {twice + 600}", *shares]


def pair_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of differences."""
    for name, (right, world) in PAIRS.items():
        row = measure_power([right] * 6, campaigns, **world)
        cells = [page.level(row["false"]), page.coverage(row["held"])]
        yield [f"six equal runs, {name}", *cells, "", ""]
    row = measure_power([0.5] * 5 + [0.65], campaigns // 4, gold=150, unlabelled=1000)
    cells = [
        f"{row[name]:.2f}, {row[width]:.3f}"
        for name, width in (("found", "width"), ("alone", "alone width"))
    ]
    yield ["one run of six at .65 beside .5, 150 and 1,000", "", page.coverage(row["held"]), *cells]


def label_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of rankings with a half of the labels."""
    for name, errors in ERRORS.items():
        results = [
            judge_disputed(number, np.linspace(0.3, 0.7, 20), errors, 0.5)
            for number in range(campaigns)
        ]
        taus = {order: np.mean([result[order][0] for result in results]) for order in results[0]}
        yield [name, *(f"{taus[order]:.3f}" for order in ("none", "by weight", "drawn"))]


CORRECTED = page.Section(
    "Scores corrected for a judge's errors",
    "How often the corrected interval holds the true score, if people judged some responses and the "
    "judge all. A good judge errs on 5 to 12 of 100 answers.",
    ("judge", "judged twice", *true_measures([0.5, 0.3, 0.2])),
    corrected_rows,
    300,
    why=(
        (
            "^\\| (right at 0\\.995|hardly)",
            "The judge's errors hide what is rare. In each of its strata, the prior keeps the score away from 0 and 1.",
        ),
        ("0\\.9[0-2]\\d\\*", "About two Monte Carlo errors (.013) below .95."),
        (
            "",
            "The half response that is added, for 20 or 50 judged twice and for shares near 0 or 1.",
        ),
    ),
)
PAIRS_SECTION = page.Section(
    "Differences with a judge's help",
    "How often equal runs differ significantly, intervals hold the truth, and true differences are found.",
    ("world", "false", "intervals hold", "found, width", "by people alone"),
    pair_rows,
    200,
    why=(
        (
            "",
            "The half question.",
        ),
    ),
)
LABELS = page.Section(
    "What to judge next",
    "Kendall's tau with the true ranking of 20 runs, after half of the disputed answers got an official label: by "
    "falling weight, or drawn. Assessors err evenly, or in one direction.",
    ("assessors", "no labels", "by weight", "drawn"),
    label_rows,
    50,
)
