"""What a run would gain by staying silent where it is least sure: a cut-off from half of the questions, on the others.

A cut-off that is chosen and scored on the same questions promises more than it keeps.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from nonresponse.legible import short
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.reliability.subsets import stream
from nonresponse.views.material import Material, Shown
from nonresponse.wording import plural

SPLITS = 20  # of the questions into halves; each half chooses once, and scores once
TIE = 1e-12
COUNTS = {"n_ac", "n_aw", "n_u", "n"}


@dataclass(frozen=True)
class Half:
    """What a run has in some of the questions."""

    right: np.ndarray  # of the answers down to the end of each block of ties, from none at all
    wrong: np.ndarray
    answers: np.ndarray
    n: int  # its rows, those left open too

    def scores(self, measure: Measure) -> np.ndarray:
        """The score for each place of the cut-off; NaN where undefined."""
        known = {"n_ac": self.right, "n_aw": self.wrong, "n_u": self.n - self.right - self.wrong}
        every = {**known, "n": np.full(len(self.right), self.n)}
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(measure(**{name: every[name].astype(float) for name in measure.totals}))


def table_of(material: Material) -> pl.DataFrame:
    """A row per measure and run that says how sure it is, the runs as in the leaderboard."""
    [(n,)] = material.verdicts.sql("SELECT count(DISTINCT question) FROM verdicts").fetchall()
    streams = [stream(material.settings["seed"], material.folder.name, "halves", split) for split in range(SPLITS)]
    firsts = [draw.permutation(n) < n // 2 for draw in streams]
    chosen_by = [measure for measure in material.measures if worth_it(measure)]
    values = {measure.id: dict(material.scores(measure.id).iter_rows()) for measure in chosen_by}
    rows: list[list] = []
    for run, order in material.orders.items():
        ways: list[tuple[Half, Half]] = []  # where a cut-off is chosen, and where it is scored
        for first in firsts:
            one, other = halves(order, first[order.question]), halves(order, ~first[order.question])
            ways += [(one, other), (other, one)] if one.n and other.n else []
        for measure in chosen_by:
            known = [row for row in (tried(measure, order, *way) for way in ways) if row is not None]
            if known:
                cut_off = float(np.median([row[0] for row in known]))
                as_it_is, promised, kept, answered = map(float, np.mean([row[1:] for row in known], axis=0))
                gain = kept - as_it_is if measure.higher_is_better else as_it_is - kept
                row = [measure.id, run, values[measure.id][run], as_it_is, promised, kept, gain, answered]
                rows.append([*row, cut_off if np.isfinite(cut_off) else None])
    rows.sort(key=lambda row: [*values].index(row[0]))  # which leaves the runs in their order
    schema = dict(zip(SHOWN.columns, [pl.String, pl.String, *[pl.Float64] * 7], strict=True))
    return pl.DataFrame(rows, schema, orient="row")


def worth_it(measure: Measure) -> bool:
    """Whether there is a cut-off to choose: by a measure of these counts neither silence nor speech is always best."""
    if measure.kind != "counts" or measure.descriptive or measure.divides_by or not set(measure.totals) <= COUNTS:
        return False
    silence = measure(**{name: {"n": 1.0, "n_u": 1.0}.get(name, 0.0) for name in measure.totals})
    best = measure.range[1 if measure.higher_is_better else 0]
    return bool({"n_aw", "n_u"} & set(measure.totals)) and silence != best


def halves(order: Order, chosen: np.ndarray) -> Half:
    """What the run has in the rows that are chosen."""
    answers = len(order.question) - order.abstained
    ends = np.append(order.starts[order.starts < answers], answers)
    within, right = chosen[:answers], order.right[:answers]
    down = [np.append(0, np.cumsum(rows))[ends] for rows in (within & right, within & ~right, within)]
    return Half(down[0], down[1], down[2], int(chosen.sum()))


def tried(measure: Measure, order: Order, one: Half, other: Half) -> tuple[float, ...] | None:
    """The best cut-off on one half, and what it does on the other.

    Cut-off, score of the other half as it is, score of the one with it, of the other with it, share of the other that
    is still answered. Of equally good cut-offs, the one that answers most; None where a score is undefined.
    """
    scores, others = one.scores(measure), other.scores(measure)
    sign = 1 if measure.higher_is_better else -1
    new = np.append(True, np.diff(one.answers) > 0)  # a place between two answers of this half is no other cut-off
    better = np.where(new & ~np.isnan(scores), sign * scores, -np.inf)
    place = int(np.flatnonzero(better >= better.max() - TIE)[-1])
    kept = len(scores) - 1 if one.answers[place] == one.answers[-1] else place  # all answers of this half: no cut-off
    row = (others[-1], scores[place], others[kept], other.answers[kept] / other.n)
    if not np.isfinite(row).all():
        return None
    answers = len(order.question) - order.abstained
    last = np.append(order.starts[order.starts < answers], answers)[kept] - 1
    return (order.standing[last] if kept else np.inf, *row)


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """By each measure, how many runs would gain, and which most."""
    said = []
    for (id,), rows in table.group_by("measure", maintain_order=True):
        better = rows.filter(pl.col("gain") > TIE).sort("gain", descending=True, maintain_order=True)
        if better.is_empty():
            none = f"none of {plural(rows.height, 'run')} gains"
            said.append(f"By {id}, {none} by a cut-off that half of the questions choose, on the other half.")
            continue
        most = better.row(0, named=True)
        gain = "gains" if better.height == 1 else "gain"
        said.append(
            f"By {id}, {better.height:,} of {plural(rows.height, 'run')} {gain} by a cut-off that half of the questions"
            f" choose, on the other half; {short(most['run'])} most, from {most['as_it_is']:.4f} to"
            f" {most['scored_on']:.4f}, where {most['chosen_on']:.4f} is what the half that chose it promised."
        )
    return said


SHOWN = Shown(
    heading="Answering only where one is sure",
    caption=f"The cut-off that is best on half of the questions, scored on the other half: means over {SPLITS} random"
    " splits, both ways round. chosen_on minus scored_on is what one would fool oneself by.",
    columns={
        "measure": "its id, of those of counts by which neither silence nor speech is always best",
        "run": "its name",
        "value": "its score as it is, on all questions",
        "as_it_is": "likewise, mean over the halves that are scored",
        "chosen_on": "mean score on the half that chose the cut-off, with it",
        "scored_on": "mean score on the other half, with it",
        "gain": "how much better scored_on is than as_it_is",
        "answered": "mean share of the other half that is still answered",
        "cut_off": "median of the lowest self-scores (raw scores, positions with a minus) that are still answered;"
        " empty = silence is best",
    },
    table=table_of,
    sentences=sentences,
)
