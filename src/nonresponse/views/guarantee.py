"""Cut-offs above which few of a run's answers are wrong, also on other questions of the same kind.

Cut-offs are tried in turn, from one that only the surest answers exceed to lower ones, until one fails (fixed-sequence
testing, as in Learn then Test: Angelopoulos et al. 2021). A cut-off holds if, were the true share of wrong answers
above it larger than the risk, as few wrong ones as observed would be seen with a probability of at most `level`
(Clopper & Pearson 1934). Since the first failure ends the search, all that hold do so together with that confidence.
Which cut-offs are tried depends on the confidences alone, never on which answers are right.

The test is of independent answers: none is made of a run with several answers to a question, or to those of a cluster.
"""

from functools import cache
from itertools import count

import numpy as np
import polars as pl

from nonresponse.legible import short
from nonresponse.views.material import Material, schema
from nonresponse.wording import at, number, plural

RISKS = (0.05, 0.1, 0.2)
SAID = 0.1  # the risk that sentences are about
LEVEL = 0.05  # of the tests, where the campaign names none
TRIED = 50  # cut-offs, at most
NONE = (None,) * 4  # no cut-off
HEADING = "Cut-offs that keep a risk"
CAPTION = (
    "Cut-offs above which at most this share of a run's answers is wrong, on other questions of the same kind, too."
    " Each holds with the confidence of the campaign's intervals, for its run, category and risk alone."
)
COLUMNS = {
    "run": "its name",
    "category": "of the questions; empty = all of them, which have a row in any case",
    "risk": f"the share of wrong answers that is kept, of {', '.join(map(str, RISKS))}",
    "above": "the confidence (raw score, position with a minus) that an answer must exceed; empty = all answers may be"
    " given, or none of `answers`",
    "answers": "how many exceed it; empty = no cut-off was found",
    "wrong": "how many of them are wrong",
    "at_most": "the upper end of the share of wrong ones (Clopper and Pearson's, one-sided), of this cut-off by itself",
}
TYPES = (pl.String, pl.String, pl.Float64, pl.Float64, pl.Int64, pl.Int64, pl.Float64)


def table_of(material: Material) -> pl.DataFrame:
    """A row per risk and run that says how sure it is, and one for each category of questions that has a cut-off."""
    if not material.orders:
        return pl.DataFrame(schema=schema(COLUMNS, *TYPES))
    level = material.settings.get("level", LEVEL)
    category = material.questions["category"].fill_null("").to_numpy()
    names = sorted({*category.tolist()} - {""})
    rows: list[tuple] = []
    alike = with_alike_answers(material)
    for run, order in material.orders.items():
        if run in alike:
            rows += [(run, None, risk, *NONE) for risk in RISKS]
            continue
        answers = len(order.question) - order.abstained
        right, standing, of = order.right[:answers], order.standing[:answers], category[order.question[:answers]]
        every = cut_offs(right, standing, level)
        of_names = [cut_offs(right[of == name], standing[of == name], level) for name in names]
        for risk, found, *others in zip(RISKS, every, *of_names, strict=True):
            rows.append((run, None, risk, *found))
            rows += [(run, name, risk, *own) for name, own in zip(names, others, strict=True) if own[1] is not None]
    return pl.DataFrame(rows, schema(COLUMNS, *TYPES), orient="row")


def with_alike_answers(material: Material) -> set[str]:
    """The runs with several answers to a question, or to the questions of a cluster."""
    if not material.clusters and material.store.items["question"].is_unique().all():
        return set()
    names, clusters = material.questions["question"].to_list(), material.clusters
    # Pairs, since a cluster may have the name of a question that is in no cluster.
    units = [(clusters.get(name, ""), "" if name in clusters else name) for name in names]
    place = {unit: number for number, unit in enumerate(units)}
    numbers = np.array([place[unit] for unit in units], np.int64)
    answered = {run: numbers[it.question[: len(it.question) - it.abstained]] for run, it in material.orders.items()}
    return {run for run, its in answered.items() if (np.bincount(its) > 1).any()}


def cut_offs(right: np.ndarray, standing: np.ndarray, level: float) -> list[tuple]:
    """The cut-off of each risk, from answers in the order of their standing, the highest first."""
    ends = np.flatnonzero(np.diff(standing, append=-np.inf)) + 1  # of blocks of equal standing
    wrong = np.cumsum(~right)
    return [cut_off(ends[ends >= min(fewest(risk, level), len(right))], wrong, standing, risk, level) for risk in RISKS]


def cut_off(ends: np.ndarray, wrong_up_to: np.ndarray, standing: np.ndarray, risk: float, level: float) -> tuple:
    """above, answers, wrong and at_most, from cut-offs and the number of wrong ones among the k surest answers.

    above is the standing that an answer must exceed, None if all answers may be given; all four are None if no cut-off
    holds. Of a run with fewer answers than a first cut-off has, all answers are the only one.
    """
    from scipy.special import bdtr, bdtri  # which takes longer to load than all else

    ends = ends[::-1][:: max(-(-len(ends) // TRIED), 1)][::-1]  # at most TRIED, including the end of all answers
    wrong = wrong_up_to[ends - 1]
    held = np.cumprod(bdtr(wrong, ends, risk) <= level).sum()
    if not held:
        return NONE
    k, its = int(ends[held - 1]), int(wrong[held - 1])
    return float(standing[k]) if k < len(standing) else None, k, its, float(bdtri(its, k, level))


@cache
def fewest(risk: float, level: float) -> int:
    """The number of answers above the first cut-off that is tried: the smallest with which it holds if the share of
    wrong ones is half the risk.
    """
    from scipy.special import bdtr

    return next(k for k in count(1) if bdtr(int(k * risk / 2), k, risk) <= level)


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """The cut-off of the first run that has one at the risk SAID, how many runs have one, and which are not tested."""
    level, alike = material.settings.get("level", LEVEL), with_alike_answers(material)
    of_all = table.filter(pl.col("risk") == SAID, pl.col("category").is_null())
    tested = of_all.filter(~pl.col("run").is_in(alike))
    known = tested.drop_nulls("answers")
    sure = f"answers are wrong, with {at(1 - level)} confidence"
    said = []
    if known.height:
        row = known.row(0, named=True)
        where = "all its answers" if row["above"] is None else f"its answers that stand above {number(row['above'], 3)}"
        said.append(
            f"If {short(row['run'])} gives {where}, at most {at(SAID)} of its {sure} (here {row['wrong']:,} of"
            f" {row['answers']:,} are). This can be said of {known.height:,} of {plural(tested.height, 'run')}, each"
            " tested separately."
        )
    elif tested.height:
        said.append(f"No run has a cut-off above which at most {at(SAID)} of its {sure}.")
    if alike:
        said.append(
            f"No cut-off is tested for {plural(len(alike), 'run')} with several answers to a question, or to the"
            " questions of a cluster: these are alike, and tell less than as many answers to other questions."
        )
    return said
