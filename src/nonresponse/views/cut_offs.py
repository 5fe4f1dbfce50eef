"""What a run would gain by not answering where it is least sure: cut-offs are chosen on one half of the questions, and
scored on the other.
"""

import numpy as np
import polars as pl
from scipy.special import stdtrit

from nonresponse.legible import short
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.reliability import PRIOR
from nonresponse.reliability.intervals import LITTLE
from nonresponse.reliability.subsets import stream
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material, schema
from nonresponse.wording import number, plural

SPLITS = 20  # of the questions into halves; on each half, a cut-off is chosen once, and one is scored once
LEVEL = 0.05  # of the intervals, where the campaign names none
CELLS = 2**17  # questions and splits at once, which bounds memory
COUNTS = {"n_ac", "n_aw", "n_u", "n"}
HEADING = "Answering only where one is sure"
CAPTION = (
    f"The cut-off that is best on half of the questions, scored on the other half: means over {SPLITS} random"
    " splits, both ways round. chosen_on minus scored_on is how much the half that chose the cut-off overstates it."
)
COLUMNS = {
    "measure": "its id; of the measures of counts, those by which neither silence nor answering is always best",
    "run": "its name",
    "value": "its score as it is, on all questions",
    "as_it_is": "its score as it is, mean over the halves that are scored",
    "chosen_on": "mean score on the half that chose the cut-off, with it",
    "scored_on": "mean score on the other half, with it",
    "gain": "how much better scored_on is than as_it_is",
    "gain_lower": "lower end of its interval",
    "gain_upper": "upper end",
    "answered": "mean share of the other half that is still answered",
    "cut_off": "median of the lowest confidences (raw scores, positions with a minus) that are still answered;"
    " empty = silence is best",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per measure and run that says how sure it is, the runs as in the leaderboard."""
    n = material.questions.height
    streams = [stream(material.settings["seed"], material.folder.name, "halves", split) for split in range(SPLITS)]
    most = max((len(order.question) for order in material.orders.values()), default=0)
    halves = in_either([draw.permutation(n) < n // 2 for draw in streams], most)
    at_once = 4 * max(1, CELLS // (2 * max(1, n)))  # fill whole 64-bit words; n may be 0
    chosen_by = [measure for measure in material.measures if worth_it(measure)]
    values = {measure.id: dict(material.scores(measure.id).iter_rows()) for measure in chosen_by}
    rows: list[list] = []
    for run, order in material.orders.items():
        parts = [halves[:, start : start + at_once] for start in range(0, 2 * SPLITS, at_once)]
        counts = [in_halves(order, part, material.weights.get(run)) for part in parts]
        for measure in chosen_by:
            known = np.concatenate([tried(measure, order, some) for some in counts])
            if len(known):
                cut_off = float(np.median(known[:, 0]))
                as_it_is, promised, kept, answered = map(float, known[:, 1:].mean(axis=0))
                gains = (known[:, 3] - known[:, 1]) * (1 if measure.higher_is_better else -1)
                ends = interval(gains, material.settings.get("level", LEVEL), unseen(measure, counts[0]))
                row = [measure.id, run, values[measure.id][run], as_it_is, promised, kept, gains.mean(), *ends]
                rows.append([*row, answered, cut_off if np.isfinite(cut_off) else None])
    rows.sort(key=lambda row: [*values].index(row[0]))  # by measure; the sort is stable, so runs keep their order
    return pl.DataFrame(rows, schema(COLUMNS, *[pl.String] * 2, *[pl.Float64] * 9), orient="row")


def interval(gains: np.ndarray, level: float, unseen: float) -> tuple[float | None, float | None]:
    """The interval of the mean of gains (halves,), each on the half that did not choose; None for a single half.

    The halves share questions: the variance of the mean of J gains is 1/J + 1 times their variance, not 1/J times; the
    1 is the ratio of scored questions to questions that the cut-off is chosen on (Nadeau & Bengio 2003). `unseen` is
    added: where a cut-off leaves out next to nothing, the gains are all 0.
    """
    if len(gains) < 2:
        return None, None
    half = stdtrit(len(gains) - 1, 1 - level / 2) * np.sqrt((1 / len(gains) + 1) * gains.var(ddof=1) + unseen)
    return float(gains.mean() - half), float(gains.mean() + half)


def unseen(measure: Measure, counts: dict[str, np.ndarray]) -> float:
    """The variance of a gain by half a question more with a right answer that is left out, and half with a wrong one.

    counts: those of `in_halves`; at its end is the run as it is.
    """
    whole = {name: of_halves[-1, :2].sum() for name, of_halves in counts.items()}
    left_out = {
        "n_ac": np.array([0, -LITTLE, 0]),
        "n_aw": np.array([0, 0, -LITTLE]),
        "n_u": np.array([0, LITTLE, LITTLE]),
    }
    score = measure(**{name: whole[name] + left_out.get(name, 0) for name in measure.totals})
    moved = whole["n"] * (score[1:] - score[0]) / LITTLE
    return float(PRIOR * (moved**2).sum() / whole["n"] / (whole["n"] + 2 * PRIOR))


def worth_it(measure: Measure) -> bool:
    """Whether there is a cut-off to choose: by a measure of COUNTS, neither silence nor answering is always best."""
    if measure.kind != "counts" or measure.descriptive or measure.divides_by or not set(measure.totals) <= COUNTS:
        return False
    silence = measure(**{name: {"n": 1.0, "n_u": 1.0}.get(name, 0.0) for name in measure.totals})
    best = measure.range[1 if measure.higher_is_better else 0]
    return bool({"n_aw", "n_u"} & set(measure.totals)) and silence != best


def in_either(firsts: list[np.ndarray], rows: int) -> np.ndarray:
    """Which questions are in which half, (questions, halves), from those in the first half of each split.

    In the smallest unsigned integers that can count the rows of an order, of which a question may have several.
    """
    number = np.uint16 if rows < 2**16 else np.uint32
    return np.column_stack([half for first in firsts for half in (first, ~first)]).astype(number)


def in_halves(order: Order, halves: np.ndarray, weight: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """The run's counts in each half, (places, halves) each, if it gave only the answers above each of the `places`.

    halves (questions, halves) has 1 for questions in a half, else 0, and a row of it fills whole 64-bit words; the two
    halves of a split are adjacent. n counts all rows, including those left open; weight (rows,): as what, 1 if None.
    """
    ends = places(order)

    def down(rows: np.ndarray) -> np.ndarray:
        """How many of these rows there are before each place."""
        before = np.zeros((len(rows) + 1, rows.shape[1]), rows.dtype)
        words = np.uint64 if weight is None else rows.dtype  # a word holds the numbers of several halves
        np.cumsum(rows.view(words), axis=0, out=before[1:].view(words))
        return before.take(ends, axis=0).astype(float)

    chosen = halves.take(order.question, axis=0)
    if weight is not None:
        chosen = chosen * weight[:, None]
    given, right = down(chosen), down(chosen * order.right.astype(chosen.dtype)[:, None])
    n = np.broadcast_to(chosen.sum(axis=0, dtype=float), given.shape)
    return {"n_ac": right, "n_aw": given - right, "n_u": n - given, "n": n}


def places(order: Order) -> np.ndarray:
    """The possible cut-offs, as the number of answers above each: the beginnings of blocks of ties, and all answers."""
    answers = len(order.question) - order.abstained
    return np.append(order.starts[order.starts < answers], answers)


def tried(measure: Measure, order: Order, counts: dict[str, np.ndarray]) -> np.ndarray:
    """For each half (`in_halves`) its best cut-off, and its effect on the other half of the split: (halves, 5).

    Columns: cut-off; score on the other half without it; score on this half with it; score on the other half with it;
    share of the other half that is still answered. Of equally good cut-offs, the one with most answers. Halves in which
    a score is undefined are left out.
    """
    n, answers = counts["n"], counts["n_ac"] + counts["n_aw"]
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = np.broadcast_to(measure(**{name: counts[name] for name in measure.totals}), n.shape)
    half, last = np.arange(n.shape[1]), len(n) - 1
    other = half ^ 1
    better = scores if measure.higher_is_better else -scores
    best = better >= np.fmax.reduce(better, axis=0) - TIE
    best[1:] &= answers[1:] > answers[:-1]  # only the first of places with the same answers in this half
    place = last - np.argmax(best[::-1], axis=0)
    kept = np.where(answers[place, half] == answers[-1], last, place)  # all answers of this half: no cut-off
    cut_off = np.where(kept > 0, order.standing[places(order)[kept] - 1], np.inf)
    with np.errstate(invalid="ignore"):
        answered = answers[kept, other] / n[0, other]
    scored = [scores[last, other], scores[place, half], scores[kept, other], answered]
    return np.column_stack([cut_off, *scored])[np.isfinite(scored).all(axis=0)]


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """By the first measure, how many runs would gain, and which most."""
    id = table["measure"][0]
    rows = table.filter(measure=id)
    better = rows.filter(pl.col("gain_lower") > TIE).sort("gain", descending=True, maintain_order=True)
    if better.is_empty():
        none = f"none of {plural(rows.height, 'run')} clearly gains"
        return [f"By {id}, {none} by a cut-off that half of the questions choose, on the other half."]
    most, gain = better.row(0, named=True), "gains" if better.height == 1 else "gain"
    was, now, promised = (number(most[name], 3) for name in ("as_it_is", "scored_on", "chosen_on"))
    return [
        f"By {id}, {better.height:,} of {plural(rows.height, 'run')} {gain} by a cut-off that half of the questions"
        f" choose, on the other half; {short(most['run'])} most, from {was} to {now}, where {promised} is what the half"
        " that chose it promised."
    ]
