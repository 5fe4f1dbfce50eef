"""Cut-offs above which few of a run's answers are wrong, also on other questions of the same kind.

Cut-offs are tried in turn, from one that only the surest answers exceed to lower ones, until one fails (fixed-sequence
testing, as in Learn then Test: Angelopoulos et al. 2021). A cut-off holds if, were the true share of wrong answers
above it larger than the risk, as few wrong ones as observed would be seen with a probability of at most `level`
(Clopper & Pearson 1934). Since the first failure ends the search, all that hold do so together with that confidence.
Which cut-offs are tried depends on the confidences alone, never on which answers are right.

The test is of independent answers: none is made of a run with several answers to a question, or to those of a cluster.
"""

import numpy as np
import polars as pl

from nonresponse.legible import short
from nonresponse.statistics.distributions import beta_quantile
from nonresponse.views.material import Material, schema
from nonresponse.wording import at, number, plural

RISKS = (0.05, 0.1, 0.2)
SAID = 0.1  # the risk that sentences are about
LEVEL = 0.05  # of the tests, where the campaign names none
TRIED = 50  # cut-offs, at most
NONE = (None,) * 3  # no cut-off
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
    most = max(len(order.question) for order in material.orders.values())
    allowed = [most_wrong(risk, level, most) for risk in RISKS]
    for run, order in material.orders.items():
        if run in alike:
            rows += [(run, None, risk, *NONE) for risk in RISKS]
            continue
        answers = len(order.question) - order.abstained
        right, standing, of = order.right[:answers], order.standing[:answers], category[order.question[:answers]]
        every = cut_offs(right, standing, allowed)
        of_names = [cut_offs(right[of == name], standing[of == name], allowed) for name in names]
        for risk, found, *others in zip(RISKS, every, *of_names, strict=True):
            rows.append((run, None, risk, *found))
            rows += [(run, name, risk, *own) for name, own in zip(names, others, strict=True) if own[1] is not None]
    types = dict(zip(COLUMNS, TYPES[:-1], strict=False))
    return with_ends(pl.DataFrame(rows, types, orient="row"), level)


def with_ends(table: pl.DataFrame, level: float) -> pl.DataFrame:
    """The table with the column `at_most`."""
    cases = table.select("answers", "wrong").drop_nulls().unique(maintain_order=True)
    answers, wrong = cases["answers"].to_numpy(), cases["wrong"].to_numpy()
    ends = np.where(wrong < answers, beta_quantile(1 - level, wrong + 1, np.maximum(answers - wrong, 1)), 1)
    return table.join(cases.with_columns(at_most=ends), on=["answers", "wrong"], how="left", maintain_order="left")


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


def cut_offs(right: np.ndarray, standing: np.ndarray, allowed: list[np.ndarray]) -> list[tuple]:
    """The cut-off of each risk, from answers in the order of their standing, the highest first.

    allowed: what `most_wrong` gives for each risk.
    """
    ends = np.flatnonzero(np.diff(standing, append=-np.inf)) + 1  # of blocks of equal standing
    wrong = np.cumsum(~right)
    return [cut_off(ends, wrong, standing, risk, own) for risk, own in zip(RISKS, allowed, strict=True)]


def cut_off(ends: np.ndarray, wrong_up_to: np.ndarray, standing: np.ndarray, risk: float, allowed: np.ndarray) -> tuple:
    """above, answers and wrong, from cut-offs and the number of wrong ones among the k surest answers.

    above is the standing that an answer must exceed, None if all answers may be given; all three are None if no cut-off
    holds. Of a run with fewer answers than a first cut-off has, all answers are the only one.
    """
    ends = ends[ends >= min(fewest(risk, allowed), len(standing))]
    ends = ends[::-1][:: max(-(-len(ends) // TRIED), 1)][::-1]  # at most TRIED, including the end of all answers
    wrong = wrong_up_to[ends - 1]
    held = np.cumprod(wrong <= allowed[ends]).sum()
    if not held:
        return NONE
    k, its = int(ends[held - 1]), int(wrong[held - 1])
    return float(standing[k]) if k < len(standing) else None, k, its


def fewest(risk: float, allowed: np.ndarray) -> int:
    """The number of answers above the first cut-off that is tried: the smallest with which it holds if the share of
    wrong ones is half the risk.
    """
    enough = allowed >= (np.arange(len(allowed)) * risk / 2).astype(np.int64)
    return int(enough.argmax()) if enough.any() else len(allowed)


def most_wrong(risk: float, level: float, most: int) -> np.ndarray:
    """How many of n answers may be wrong, for n from 0 to `most`: were the true share the risk, so few would be seen
    with a probability of at most `level`. -1 = not even none.

    By recurrences of the binomial distribution: one more answer allows at most one more wrong one.
    """
    found, wrong = np.full(most + 1, -1), -1
    none, at, up_to = 1.0, 0.0, 0.0  # probabilities of no wrong answer, of `wrong`, and of `wrong` or fewer
    for n in range(1, most + 1):
        if wrong < 0:
            none *= 1 - risk
            following = none
        else:
            up_to -= risk * at
            at *= (1 - risk) * n / (n - wrong)
            following = at * (n - wrong) * risk / ((wrong + 1) * (1 - risk))
        if up_to + following <= level:
            wrong, at, up_to = wrong + 1, following, up_to + following
        found[n] = wrong
    return found


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
