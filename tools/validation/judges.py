"""How often what the pages say of runs and judges holds, in campaigns whose truth is known.

`python tests/benchmarks/held.py` prints the table of docs/reliability.md; ± is the Monte Carlo error of a share.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl
from scipy.special import ndtri

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "src"), str(HOME / "tools")]
from nonresponse import measures  # noqa: E402
from nonresponse.reliability import (  # noqa: E402
    adjudication,
    best,
    corrections,
    jobs,
    judged_pairs,
)
from nonresponse.reliability.compared import Compared  # noqa: E402
from nonresponse.reliability.influence import Dense  # noqa: E402
from nonresponse.reliability.outcomes import Outcomes  # noqa: E402
from nonresponse.reliability.rankings import kendall_tau_b  # noqa: E402
from nonresponse.tasks import POLICIES  # noqa: E402

import commands  # noqa: E402

OPTIONS = {"campaigns": {"type": int, "help": "simulated campaigns for each row"}}
LEVEL = 0.05
NAMES = [f"run{run:02}" for run in range(40)]
NOBODY = pl.DataFrame(schema={"run": pl.String, "ours": pl.String, "responses": pl.Int64})
FLIPS = {"seed": 1, "level": LEVEL, "flips": 250}
# How often each run is right.
RUNS = {
    "ten equal runs": np.full(10, 0.5),
    "ten runs from .4 to .7": np.linspace(0.4, 0.7, 10),
    "two best among ten": np.array([0.3] * 8 + [0.6, 0.6]),
    "forty runs from .3 to .7": np.linspace(0.3, 0.7, 40),
}
# How often a response is right, wrong and silent, and what the judge calls each of these.
JUDGED = {
    "a good judge": ([0.5, 0.3, 0.2], [[0.93, 0.05, 0.02], [0.1, 0.88, 0.02], [0.02, 0.03, 0.95]]),
    # Rules on the text of answers that take one in ten silent responses for an answer, and few answers for silence.
    "rules on text": ([0.6, 0.1, 0.3], [[0.98, 0.0, 0.02], [0.0, 0.98, 0.02], [0.0, 0.1, 0.9]]),
    "nearly all right": ([0.9, 0.08, 0.02], [[0.93, 0.05, 0.02], [0.1, 0.88, 0.02], [0.02, 0.03, 0.95]]),
}
# How often the runs are right, and what `beside` takes.
PAIRS = {
    "20 questions by people, 300 by a model": (0.6, {"gold": 20, "others": 300}),
    "100 and 600": (0.6, {"gold": 100, "others": 600}),
    "100 and 600, right at .97": (0.97, {"gold": 100, "others": 600}),
    "100 and 600, a judge near chance": (0.6, {"gold": 100, "others": 600, "hit": 0.6, "alarm": 0.5}),
    "100 and 600, c@1, one in five silent": (0.5, {"gold": 100, "others": 600, "silent": 0.2, "id": "c@1"}),
}
# How often assessors call a wrong answer right, and a right one wrong.
ERRORS = {"even": (0.2, 0.2), "lenient": (0.3, 0.05), "strict": (0.05, 0.3)}


def drawn(number: int, rights: np.ndarray, questions: int = 100) -> np.ndarray:
    """Which answers are right, bool (runs, questions): questions are easy or hard for all runs alike."""
    draw = np.random.default_rng([7, number])
    return np.sqrt(0.5) * (draw.normal(size=questions) + draw.normal(size=(len(rights), questions))) < ndtri(
        rights[:, None]
    )


def standing(right: np.ndarray, **options) -> pl.DataFrame:
    """intervals/accuracy of these answers."""
    runs, questions = right.shape
    names = NAMES[:runs], [f"{question:03}" for question in range(questions)]
    matrices = {"n_ac": right.astype(np.float32), "n": np.ones((1, questions), np.float32)}
    settings = {"seed": 1, "level": LEVEL, "samples": 1, "flips": 250} | options
    seen = Outcomes(measures.get("qa", "accuracy"), *names, matrices)
    return jobs.make_tables("comparison", seen, "gold", "c", settings)[0]


def places_held(rights: np.ndarray, campaigns: int) -> dict[str, np.ndarray]:
    """By campaign: whether all ranges of ranks hold the true ranks, whether the best run may be the best; how wide the
    ranges are, how many runs may be the best.
    """
    low = 1 + (rights[None] > rights[:, None]).sum(axis=1)
    high = len(rights) - (rights[None] < rights[:, None]).sum(axis=1)
    rows = []
    for number in range(campaigns):
        table = standing(drawn(number, rights, 200))
        from_, to, may = (table[name].to_numpy() for name in best.STANDINGS)
        ranks = ((from_ <= high) & (low <= to)).all()
        rows.append((ranks, may[rights.argmax()], (to - from_ + 1).mean(), may.sum()))
    return dict(zip(("ranks", "best", "width", "size"), np.array(rows, float).T, strict=True))


def luck_of_the_best(runs: int, spread: float, campaigns: int) -> dict[str, np.ndarray]:
    """By campaign, how far the score of the first run is above its true one, as it is and drawn in."""
    found: dict[str, list] = {"raw": [], "shrunken": []}
    for number in range(campaigns):
        rights = np.clip(0.6 + spread * np.random.default_rng([8, number]).normal(size=runs), 0.05, 0.95)
        right = drawn(number, rights).astype(float)
        score = right.mean(axis=1)
        top = score.argmax()
        found["raw"].append(score[top] - rights[top])
        found["shrunken"].append(best.shrunken(Compared(score, Dense(right)))[top] - rights[top])
    return {name: np.array(values) for name, values in found.items()}


def cases(draw, rights: list, hits: list, alarms: list, twice: int = 150, once: int = 600) -> pl.DataFrame:
    """judges.crossed of one judge, whose sensitivity is `hits` and whose specificity is 1 - `alarms`, run by run."""
    rows = []
    for run, (right, hit, alarm) in enumerate(zip(rights, hits, alarms, strict=True)):
        truth = draw.random(twice + once) < right
        said = draw.random(twice + once) < np.where(truth, hit, alarm)
        for number, (ours, theirs) in enumerate(zip(truth, said, strict=True)):
            word = {True: "correct", False: "wrong"}
            rows.append(("judge", f"r{run}", word[bool(theirs)], word[bool(ours)] if number < twice else "unscored"))
    frame = pl.DataFrame(rows, ["judge", "run", "theirs", "ours"], orient="row")
    return frame.group_by(frame.columns).agg(responses=pl.len().cast(pl.Int64)).sort(frame.columns)


def corrected(known: pl.DataFrame, certain: pl.DataFrame = NOBODY) -> pl.DataFrame:
    return corrections.corrected_scores(known, certain, POLICIES, 0.05)


def outcomes_of(draw, truth: list, said: list[list], twice: int, once: int) -> pl.DataFrame:
    """judges.crossed of one run whose responses are right, wrong and silent so often, and said to be, each of them."""
    words = np.array(["correct", "wrong", "unanswered"])
    ours = draw.choice(3, twice + once, p=truth)
    theirs = (draw.random((len(ours), 1)) > np.cumsum(np.array(said)[ours], axis=1)).sum(axis=1).clip(max=2)
    official = [words[state] if place < twice else "unscored" for place, state in enumerate(ours)]
    frame = pl.DataFrame({"judge": "judge", "run": "r", "theirs": words[theirs], "ours": official})
    return frame.group_by(frame.columns).agg(responses=pl.len().cast(pl.Int64)).sort(frame.columns)


def true_measures(truth: list) -> dict[str, float]:
    """The measures of shares of right, wrong and silent, as their papers have them."""
    right, wrong, silent = truth
    true = {"accuracy": right, "c@1": right * (1 + silent), "f_simpleqa": 2 * right / (2 * right + 2 * wrong + silent)}
    return true | {"hallucination_rate": wrong / (wrong + silent), "answered": right + wrong}


def states_held(truth: list, said: list[list], twice: int, campaigns: int) -> dict[str, np.ndarray]:
    """By measure and campaign, whether the corrected interval holds the truth."""
    true = true_measures(truth)
    held: dict[str, list] = {id: [] for id in true}
    for number in range(campaigns):
        table = corrected(outcomes_of(np.random.default_rng([7, number]), truth, said, twice, 600))
        for row in table.rows(named=True):
            held[row["measure"]].append(row["corrected_lower"] <= true[row["measure"]] <= row["corrected_upper"])
    return {id: np.array(values) for id, values in held.items()}


def beside(number: int, rights: list, gold: int, others: int, hit: float = 0.93, alarm: float = 0.08, silent=0.0):
    """gold_sample.beside: people judged some questions, the model all; questions are easy or hard for all runs."""
    draw, questions = np.random.default_rng([9, number]), gold + others
    shape = len(rights), questions
    easy = np.sqrt(0.5) * (draw.normal(size=questions) + draw.normal(size=shape))
    ours = np.where(easy < ndtri(np.array(rights))[:, None], 0, 1)
    ours[draw.random(shape) < silent] = 2
    luck = draw.random(shape)
    theirs = np.where(luck < np.where(ours == 0, hit, alarm), 0, 1)
    theirs[(ours == 2) & (luck < 0.95)] = 2
    runs, names = [f"r{run:02}" for run in range(len(rights))], [f"q{question:05}" for question in range(questions)]
    rows = {"run": np.repeat(runs, questions), "question": np.tile(names, len(runs)), "theirs": theirs.ravel()}
    frame = pl.DataFrame(rows | {"ours": ours.ravel()}).with_columns(to_judge=True)
    return frame.with_columns(ours=pl.when(pl.col("question") < f"q{gold:05}").then("ours"))


def told_apart(rights: list, times: int, id: str = "accuracy", **world) -> dict[str, float]:
    """Shares of campaigns with a false difference, of true ones found, and of intervals that hold; their width."""
    x, y = np.triu_indices(len(rights), 1)
    true = np.array(rights)[x] - np.array(rights)[y]
    rows = {name: [] for name in ("false", "found", "alone", "held", "width", "alone width", "weight")}
    for number in range(times):
        table = judged_pairs.pairs(beside(number, rights, **world), "j", [id], {}, FLIPS)
        told, alone = ((table[name] <= 0.05).to_numpy() for name in ("p_maxt", "official_p_maxt"))
        rows["false"].append(told[true == 0].any())
        rows["found"] += told[true != 0].tolist()
        rows["alone"] += alone[true != 0].tolist()
        rows["held"] += ((table["lower"].to_numpy() <= true) & (true <= table["upper"].to_numpy())).tolist()
        rows["width"].append((table["upper"] - table["lower"]).mean())
        rows["alone width"].append((table["official_upper"] - table["official_lower"]).mean())
        rows["weight"].append(table["weight"][0])
    return {name: float(np.mean(values)) if values else np.nan for name, values in rows.items()}


def frame(weights: list[float]) -> pl.DataFrame:
    """Answers with these weights."""
    rows = {
        "question": [f"q{n:04}" for n in range(len(weights))],
        "epoch": None,
        "what": "x",
        "runs": "r",
        "correct": 1,
    }
    return pl.DataFrame(rows | {"official": "correct", "weight": weights})


def settled(number: int, right: np.ndarray, errors: tuple[float, float], labels: float) -> dict[str, tuple]:
    """tau with the true ranking, and whether the best run is first, after a share of the labels, by each order."""
    draw = np.random.default_rng([4, number])
    truth = draw.random((len(right), 200)) < right[:, None]
    luck = draw.random((3, *truth.shape))
    said = np.where(truth, luck >= errors[1], luck < errors[0])
    majority, votes_for = said.sum(axis=0) > 1, said.sum(axis=0)
    run, question = np.nonzero((votes_for > 0) & (votes_for < 3))
    counts = pl.DataFrame({"run": [f"r{r}" for r in range(len(right))], "n_ac": majority.sum(axis=1), "n": 200})
    to = adjudication.to_swap(counts, measures.get("qa", "accuracy"))
    labels_to = to.select(pl.min_horizontal("up", "down")).to_series().to_numpy()[run]
    to_top = to["top"].to_numpy()[run]
    answers = frame([0.0] * len(run)).with_columns(
        weight=pl.Series(1 / np.sqrt(labels_to)), of_top=pl.Series(1 / to_top)
    )
    orders = {
        "by weight": np.lexsort((draw.random(len(run)), labels_to)),
        "lot": np.argsort(adjudication.lot(answers, "weight", number)),
        "top": np.argsort(adjudication.lot(answers, "of_top", number)),
    }
    found = {}
    for name, order in orders.items():
        known, some = majority.copy(), order[: int(labels * len(run))]
        known[run[some], question[some]] = truth[run[some], question[some]]
        score = known.mean(axis=1)
        found[name] = kendall_tau_b(score, truth.mean(axis=1)), right[score.argmax()] == right.max()
    before = majority.mean(axis=1)
    return found | {"none": (kendall_tau_b(before, truth.mean(axis=1)), right[before.argmax()] == right.max())}


def share(held: np.ndarray) -> str:
    """A share with its Monte Carlo error."""
    return f"{held.mean():.3f} ± {np.sqrt(held.mean() * (1 - held.mean()) / len(held)):.3f}"


def main(campaigns: int = 200) -> None:
    """Prints the table."""
    print("| what | campaigns | found |\n|---|---|---|")

    def line(what: str, where: str, text: str) -> None:
        print(f"| {what} | {where} | {text} |", flush=True)

    for name, rights in RUNS.items():
        found = places_held(rights, campaigns if len(rights) < 20 else campaigns // 4)
        line("ranges of ranks hold all true ranks", name, f"{share(found['ranks'])}, {found['width'].mean():.1f} wide")
        line("the best run may be the best", name, f"{share(found['best'])}, of {found['size'].mean():.1f} runs")
    for runs, spread in ((10, 0.0), (30, 0.0), (10, 0.03)):
        luck = luck_of_the_best(runs, spread, campaigns)
        text = f"{luck['raw'].mean():+.3f}; shrunken {luck['shrunken'].mean():+.3f}"
        line("bias of the first score", f"{runs} runs, their true scores spread by {spread:g}", text)
    for twice in (20, 50, 100):
        ends = [
            corrected(cases(np.random.default_rng([6, k]), [0.97], [0.95], [0.15], twice, 600))
            for k in range(campaigns)
        ]
        held = np.array([row["corrected_lower"].item() <= 0.97 <= row["corrected_upper"].item() for row in ends])
        line("corrected accuracy holds", f"right at .97, {twice} of 620 or more judged twice", share(held))
    for name, (truth, said) in JUDGED.items():
        for twice in (50, 150):
            held_by = states_held(truth, said, twice, campaigns)
            text = ", ".join(f"{id} {values.mean():.2f}" for id, values in held_by.items())
            line("corrected measures hold", f"{name}, {twice} judged twice", text)
    for name, (right, world) in PAIRS.items():
        row = told_apart([right] * 6, campaigns, **world)
        text = f"{row['false']:.3f}; intervals hold {row['held']:.3f}"
        line("false differences with a judge's help", f"six equal runs, {name}", text)
    row = told_apart([0.5] * 5 + [0.65], campaigns // 4, gold=150, others=1000)
    text = f"{row['found']:.2f}, {row['width']:.3f} wide; by people alone {row['alone']:.2f}, {row['alone width']:.3f}"
    line(
        "true differences with a judge's help", "one run of six at .65 beside .5, 150 by people, 1,000 by a model", text
    )
    for name, errors in ERRORS.items():
        made = [settled(number, np.linspace(0.3, 0.7, 20), errors, 0.5) for number in range(campaigns // 2)]
        text = ", ".join(f"{order} {np.mean([one[order][0] for one in made]):.3f}" for order in made[0])
        line("tau with the truth after half of the labels", f"20 runs, assessors who err: {name}", text)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
