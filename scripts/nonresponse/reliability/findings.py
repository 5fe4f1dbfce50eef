"""What the tables of the reliability stage say, a sentence for each analysis."""

import numpy as np
import polars as pl

from nonresponse.legible import short
from nonresponse.reliability.ranking import against_official
from nonresponse.reliability.wording import at, difference, extent, listed, percent, plural, tau, word

EQUAL = 1e-12  # error rates that differ by less are the same number


def stability(curves: dict[str, pl.DataFrame]) -> str:
    """Which measure errs least where ties are equally frequent; the tables are those of stability, by measure."""
    curves = {id: table.drop_nulls("error_rate").sort("ties") for id, table in curves.items()}
    curves = {id: table for id, table in curves.items() if table.height}
    if not curves:
        return "No two runs could be compared, so that there is no error rate."
    if len(curves) == 1:
        id, table = curves.popitem()
        wrong, tied = extent(table["error_rate"]), extent(table["ties"])
        return f"By {id}, {wrong} of the comparisons are wrong and {tied} are ties, depending on the fuzziness."
    compared, low, high = comparable({id: (table["ties"].min(), table["ties"].max()) for id, table in curves.items()})
    if len(compared) == 1:
        return "No two measures share a range of ties in which they could be compared."
    # Between the points of all curves each curve is straight: nothing happens elsewhere.
    ties = np.unique(np.concatenate([[low, high], *(curves[id]["ties"] for id in compared)]))
    ties = ties[(ties >= low) & (ties <= high)]
    rates = {id: np.interp(ties, curves[id]["ties"], curves[id]["error_rate"]) for id in compared}
    others = [id for id in curves if id not in compared]
    have = "has" if len(others) == 1 else "have"
    besides = f"; {listed(others)} {have} other shares of ties" if others else ""
    return f"Where ties are equally frequent ({extent([low, high])} of the comparisons), {least(rates, ties)}{besides}."


def comparable(ranges: dict[str, tuple[float, float]]) -> tuple[list[str], float, float]:
    """The most measures whose ranges of ties overlap, and the range that they share."""
    by_low = {low: [id for id in ranges if ranges[id][0] <= low <= ranges[id][1]] for low, _ in ranges.values()}
    low = max(by_low, key=lambda low: len(by_low[low]))
    return by_low[low], low, min(ranges[id][1] for id in by_low[low])


def least(rates: dict[str, np.ndarray], ties: np.ndarray) -> str:
    """Whose error rate is the lowest at all these shares of ties, or else on average over them."""
    every = np.array(list(rates.values()))
    lowest, highest = every.min(axis=0), every.max(axis=0)
    first = [id for id, rate in rates.items() if (rate <= lowest + EQUAL).all()]
    last = [id for id, rate in rates.items() if (rate >= highest - EQUAL).all()]
    if len(first) == len(rates):
        return f"the error rate is the same for all measures, {extent(lowest)}"
    if not first:
        mean = {id: np.trapezoid(rate, ties) / (ties[-1] - ties[0]) for id, rate in rates.items()}
        best, worst = min(mean, key=mean.get), max(mean, key=mean.get)
        return (
            "no measure has the lowest error rate throughout; on average it is lowest for "
            f"{best} ({percent(mean[best])}) and highest for {worst} ({percent(mean[worst])})"
        )
    ahead = np.sort(every, axis=0)[len(first)] - lowest
    margin = "less than 0.1" if ahead.max() < 0.0005 else f"at most {100 * ahead.max():.1f}"
    has = "has" if len(first) == 1 else "have"
    text = f"{listed(first)} {has} the lowest error rate throughout, {extent(lowest)}, by {margin} percentage points"
    if not last:
        return text
    return f"{text}; {listed(last)} {'has' if len(last) == 1 else 'have'} the highest, {extent(highest)}"


def swap(sensitivity: pl.DataFrame, measure: str, level: float = 0.05) -> str:
    """How much two runs must differ by one measure, from sensitivity.csv."""
    row = sensitivity.row(by_predicate=pl.col("measure") == measure, named=True)
    required, size = row["required_difference"], plural(row["size"], "question")
    others = "another one" if row["size"] == 1 else f"another {row['size']:,}"
    again = f"{others} {'contradicts' if row['size'] == 1 else 'contradict'}"
    most = f"in at most {at(level)} of the comparisons"
    if required is None:
        return f"With {size}, no difference in {measure} was seen whose order {again} {most}."
    if required == 0 and row["warning"]:
        start = f"With {size}, no difference in {measure} can be relied on: but for equal runs, {again}"
        return f"{start} {later(row, level)}."
    if required == 0:
        return f"With {size}, even for the smallest differences in {measure} {again} the order {most}."
    reached = f"{percent(row['sensitivity'])} of the comparisons reach that"
    return (
        f"With {size}, two runs must differ by at least {difference(required)} in {measure} for {others} to contradict "
        f"their order {most}; {reached}{although(row, level)}."
    )


def although(row: dict, level: float) -> str:
    return f", although other questions contradict {later(row, level)}" if row["warning"] else ""


def later(row: dict, level: float) -> str:
    """The warning, with no more than a few of the differences that it lists."""
    again = row["warning"].rpartition(" at ")[2].split(", ")
    return f"the order in more than {at(level)} of the comparisons at differences of {listed(again)}"


def sensitivity(sensitivity: pl.DataFrame, level: float = 0.05) -> str:
    """The differences that the measures require, and which measure is the most sensitive, from sensitivity.csv."""
    required = pl.col("required_difference").cast(pl.Float64)  # text where all are null
    warned = pl.col("warning").fill_null("") != ""
    some = sensitivity.filter(required > 0)
    parts = []
    if some.height:
        needed, reached = some["required_difference"], some["sensitivity"].max()
        ends = dict.fromkeys((needed.min(), needed.max()))
        texts = [f"{difference(end)} ({listed(ids(some.filter(required == end)))})" for end in ends]
        parts.append(f"two runs must differ by {' to '.join(texts)}")
        first = listed(ids(some.filter(pl.col("sensitivity") == reached)))
        parts.append(f"comparisons most often do in {first} ({percent(reached)})")
    for condition, what in (
        ((required == 0) & ~warned, "any difference suffices in"),
        (required.is_null(), "no difference suffices in"),
        (warned, "some larger differences do not suffice in"),
    ):
        if found := ids(sensitivity.filter(condition)):
            parts.append(f"{what} {listed(found)}")
    size = plural(sensitivity["size"][0], "question")
    return f"To keep swaps within {at(level)} with {size}, {'; '.join(parts)}."


def ids(table: pl.DataFrame) -> list[str]:
    return table["measure"].to_list()


def sample_size(
    needed: pl.DataFrame, sample_sizes: pl.DataFrame, measure: str, apart: float = 0.05, level: float = 0.05
) -> str:
    """How many questions a difference needs, and what difference the campaign's own questions suffice for.

    The tables are those of questions_needed.csv and sample_size.csv.
    """
    own = sample_sizes.row(by_predicate=pl.col("measure") == measure, named=True)
    wanted = (pl.col("measure") == measure) & ((pl.col("difference") - apart).abs() < 1e-9)
    row = needed.row(by_predicate=wanted, named=True)
    pair = f"two runs that differ by {difference(apart)} in {measure}"
    goal = f"to tell apart {pair} with an error rate below {at(level)}"
    n, enough = own["questions"], own["required_difference"]
    if row["questions"] is None:
        start = f"How many questions it takes {goal} cannot be told" + (f" ({row['remark']})" if row["remark"] else "")
    else:
        number = row["remark"] or f"about {row['questions']:,}"  # such as "21 or fewer"
        start = f"If error rates go on falling as they did, it takes {number} questions{fit(row)} {goal}"
    if enough is None:
        return f"{start}; which difference the {plural(n, 'question')} of this campaign can tell is not known."
    return f"{start}; this campaign has {n:,}, which suffice for a difference of {difference(enough)}."


def fit(row: dict) -> str:
    if row["lower"] is None or row["upper"] is None:
        return ""
    return f" (95 % of the fit: {row['lower']:,} to {row['upper']:,})"


def agreement(agreement: pl.DataFrame) -> str:
    """How often the assessors gave different labels, from agreement.csv."""
    labels = agreement.filter(pl.col("scale") == "label")
    if labels.is_empty():
        return "Fewer than two assessors judged, so that there is nothing to agree on."
    everyone = labels["assessors"][0]  # the rows of all assessors come first
    rows = {row["statistic"]: row for row in labels.filter(pl.col("assessors") == everyone).rows(named=True)}
    number = everyone.count(" + ") + 1
    every, alpha = rows["disagreement"], rows["krippendorff_alpha"]["value"]
    tail = "is not defined" if alpha is None else f"is {tau(alpha)}"
    # Reference answers are not right or wrong themselves: the items are the questions.
    noun = "answer" if "correct" in agreement["scale"] else "question"
    who, items = f"The {word(number)} assessors", plural(every["items"], noun)
    if every["value"] is None:
        text = f"No {noun} was judged by {'both' if number == 2 else f'all {word(number)}'} assessors"
    elif every["value"] == 0:
        text = f"{who} never disagreed on {items}"
    else:
        text = f"{who} disagreed on {percent(every['value'])} of {items}"
        disputed = rows.get("disagreement_not_all_wrong")
        if disputed and disputed["value"] is not None:
            share = f"{percent(disputed['value'])} of the {disputed['items']:,}"
            text += f", and on {share} that someone did not call wrong"
    return f"{text}; Krippendorff's alpha {tail}."


def between_assessors(rankings: pl.DataFrame, measure: str, official: str) -> str:
    """How far single assessors change the official ranking by one measure, from rankings.csv."""
    rankings = rankings.with_columns(pl.col("tau").cast(pl.Float64))  # text where all are null
    others = against_official(rankings, official).filter(pl.col("measure") == measure)
    if others.is_empty():
        return f"Only one assessor judged, so that there is no other ranking by {measure}."
    row = others.row(0, named=True)
    number = row["assessors"].count(" + ") + 1
    if row["mean_tau"] is None:
        return f"The rankings by {measure} cannot be compared, since under one of each two all runs are equal."
    if number == 1:
        other = short(row["assessors"])
        text = f"The ranking by {measure} under {other} agrees with the official one at a Kendall's tau of"
    else:
        text = f"Rankings by {measure} under single assessors agree with the official one at a mean Kendall's tau of"
    return f"{text} {tau(row['mean_tau'])}; {swapped(row, number)}."


def assessors(rankings: pl.DataFrame) -> str:
    """How far apart the rankings under any two assessors are, by any measure, from rankings.csv."""
    known = rankings.filter(pl.col("compared") == "assessors").drop_nulls("tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return "There are no two assessors whose rankings could be compared."
    low, high = (
        f"{tau(row['tau'])} ({row['measure']}, {short(row['a'])} and {short(row['b'])})"
        for row in known[[0, -1]].rows(named=True)
    )
    if known.height > 1 and tau(known["tau"][0]) == tau(known["tau"][-1]):
        return f"Kendall's tau between the rankings under any two assessors, by any measure, is {tau(known['tau'][0])}."
    if known.height == 1:
        return f"Kendall's tau between the rankings under two assessors is {low}."
    return f"Kendall's tau between the rankings under two assessors is from {low} to {high}."


def swapped(row: dict, assessors: int = 1) -> str:
    swaps, large, very_large = row["swaps"], row["swaps_005"], row["swaps_007"]
    pairs = "swapped pairs" + (f" under {word(assessors)} assessors" if assessors > 1 else "")
    if swaps == 0:
        return "no pair of runs is swapped"
    if swaps == 1:
        return f"the one swapped pair differs by {'0.05 or more' if large else 'less than 0.05'}"
    if large == 0:
        return f"none of {swaps:,} {pairs} differs by 0.05 or more"
    differ = "differs" if large == 1 else "differ"
    return f"of {swaps:,} {pairs} {large:,} {differ} by 0.05 or more and {very_large or 'none'} by 0.07 or more"


def between_measures(rankings: pl.DataFrame) -> str:
    """How far rankings by different measures agree, from rankings.csv."""
    pairs = rankings.filter(pl.col("compared") == "measures")
    known = pairs.drop_nulls("tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return "There are no two measures whose rankings could be compared."
    if pairs.height == 1:
        row = pairs.row(0, named=True)
        both = f"The rankings by {row['a']} and {row['b']}"
        return f"{both} agree at a Kendall's tau of {tau(row['tau'])}; {swapped(row)}."
    number = word(len({*pairs["a"], *pairs["b"]}))
    low, high = known.row(0, named=True), known.row(-1, named=True)
    if tau(low["tau"]) == tau(high["tau"]):
        return f"The rankings by any two of {number} measures agree at a Kendall's tau of {tau(low['tau'])}."
    return (
        f"The rankings by {number} measures agree at a mean Kendall's tau of {tau(known['tau'].mean())}, from "
        f"{tau(low['tau'])} ({low['a']} and {low['b']}) to {tau(high['tau'])} ({high['a']} and {high['b']})."
    )


def comparison(comparisons: pl.DataFrame, intervals: pl.DataFrame, measure: str, level: float = 0.05) -> str:
    """How many pairs of runs can be told apart by one measure, and which cannot be told from the best.

    The tables are those of one measure under the official judgments.
    """
    known = comparisons.drop_nulls("p_tukey")
    pairs, apart = known.height, (known["p_tukey"] <= level).sum()
    how = f"by {measure} at the {at(level)} level (randomised Tukey HSD)"
    if pairs == 0:
        return f"No two runs could be compared by {measure}."
    if pairs == 1:
        return f"The two runs can{'' if apart else 'not'} be told apart {how}."
    if apart in (0, pairs):
        return f"{'All' if apart else 'None'} of the {pairs:,} pairs of runs can be told apart {how}."
    best = intervals["groups"].str.contains("^a([^']|$)").sum()  # a' is another group
    first = f"the first {best:,} runs cannot be told apart from each other"
    if best == 1:
        first = "the best run can be told apart from all others"
    return f"Of {pairs:,} pairs of runs {apart:,} ({percent(apart / pairs)}) can be told apart {how}; {first}."


def discriminative_power(power: pl.DataFrame) -> str:
    """Which measure tells most pairs of runs apart, from discriminative_power.csv."""
    known = power.drop_nulls("tukey").sort("tukey", descending=True, maintain_order=True)
    if known.is_empty():
        return "No two runs could be compared."
    most, fewest = (f"{percent(row['tukey'])} ({row['measure']})" for row in known[[0, -1]].rows(named=True))
    if known.height > 1 and known["tukey"].n_unique() == 1:
        return (
            f"By every measure the randomised Tukey HSD tells apart {percent(known['tukey'][0])} of the pairs of runs."
        )
    shares = most if known.height == 1 else f"from {fewest} to {most}"
    return f"The randomised Tukey HSD tells apart {shares} of the pairs of runs."
