"""The answer, before anything else: who is first, by how much, who does not differ from it, and what silence did."""

from collections.abc import Sequence

import polars as pl

from nonresponse import boards
from nonresponse.legible import short
from nonresponse.measures import Measure
from nonresponse.pages.asked import between, number_of
from nonresponse.scoring.leaderboard import TIE
from nonresponse.tasks import Task
from nonresponse.wording import amount, at, difference, joined, minus, p_value, percent, plural, rounded

LEVEL = 0.05  # of intervals, where the campaign names none
NAMED = 5  # runs; of more, their number
LONGEST = 40  # characters of a name
FEW = 100  # questions; with fewer, scores have two decimals
CAUTIOUS = "the interval, by Student's t, is the more cautious one here"


def sentences(
    board: pl.DataFrame,
    task: Task,
    first: Measure,
    pairs: pl.DataFrame | None,
    level: float,
    needed: pl.DataFrame | None = None,
    paired: bool = True,
    unscored: str | None = "wrong",
    official: str | None = None,
    stated: Sequence[str] = (),
) -> list[str]:
    """What a leaderboard says by its first measure; nothing where no run has a score.

    `pairs` compares the runs by that measure: a, b, difference (a - b), lower, upper, p_maxt; None if nothing was
    compared. `level` is that of the tests. If runs are not `paired`, there are intervals but no tests. `needed` has how
    many questions differences need, see `threshold`. unscored: what an answer that nobody judged counts as, None where
    nobody judged any. official: the assessor, where there are several. stated: sentences on what logs state otherwise.
    """
    ranked = board.filter(pl.col("rank").is_not_null())
    if first.descriptive:
        return [*unranked(board, first, judged=unscored is not None), *stated]
    if ranked.is_empty():
        return [*stated]
    best = ranked.filter(pl.col("rank") == 1)["run"].to_list()
    beside = None if pairs is None else seen_from(best[0], pairs, first.higher_is_better)
    said = [leader(ranked, best, first, beside, level, paired)]
    if beside is not None and paired and ranked.height > 1:
        said.append(not_apart(ranked, best, beside, level))
        said += filter(None, [doubted(ranked, best, beside, level)])
    said += [*stated, *filter(None, [unjudged(ranked, first, unscored, official)])]
    said += silence(ranked, best, task)
    if needed is not None and ranked.height > 1:
        said += filter(None, [threshold(needed, first.id, ranked[first.id])])
    return said


def unranked(board: pl.DataFrame, first: Measure, judged: bool) -> list[str]:
    """That a measure which only describes the runs does not rank them, and whether that is since nobody judged."""
    nobody, one = "Nobody judged the answers", board.filter(~pl.col("trivial")).height == 1
    describes = f"{{}}he first measure, {first.id}, describes the runs and does not rank them."
    if judged:
        return [] if one else [describes.format("T")]
    return [f"{nobody}." if one else f"{nobody}; {describes.format('t')}"]


def seen_from(run: str, pairs: pl.DataFrame, higher_is_better: bool) -> pl.DataFrame:
    """How far `run` is ahead of each other run: run, ahead, least, most, p; null where the two were not compared."""
    own = pairs.filter((pl.col("a") == run) | (pl.col("b") == run))
    a_is_ahead = (pl.col("a") == run) == higher_is_better
    sign = pl.when(a_is_ahead).then(1).otherwise(-1)
    ends = [sign * pl.col("lower"), sign * pl.col("upper")]
    return own.select(
        run=pl.when(pl.col("a") == run).then("b").otherwise("a"),
        ahead=sign * pl.col("difference"),
        least=pl.min_horizontal(ends),
        most=pl.max_horizontal(ends),
        p="p_maxt",
    )


def leader(
    ranked: pl.DataFrame,
    best: list[str],
    first: Measure,
    beside: pl.DataFrame | None,
    level: float,
    paired: bool = True,
) -> str:
    """Who is first, with which score, and how far ahead of the next."""
    top, digits = ranked.row(0, named=True), decimals(ranked, first.id)
    score, (low, high) = number(top[first.id], digits), map(top.get, boards.all_of(first.id, boards.INTERVAL))
    if low is not None and high is not None:
        score += in_brackets(low, high, digits, level)
    if ranked.height == 1:
        return f"{short(best[0], LONGEST)} has {first.id} {score}."
    if len(best) > 1:
        return f"{names(best, 'runs')} are first by {first.id}, each with {number(top[first.id], digits)}."
    second = ranked.row(1, named=True)
    gap = abs(top[first.id] - second[first.id])
    while gap < 0.5 / 10**digits:  # whoever is first alone is not 0.00 ahead
        digits += 1
    ahead = f"{number(gap, digits)} ahead of {short(second['run'], LONGEST)}"
    row = None if beside is None else beside.filter(pl.col("run") == second["run"])
    if row is not None and row.height and row["least"][0] is not None:
        remark = "" if paired else "; from counts alone, unpaired"
        if row["least"][0] > 0 and (row["p"][0] or 0) > level:  # only the test of all pairs finds no difference
            remark = "; of this pair by itself"
        ahead += in_brackets(row["least"][0], row["most"][0], digits, level, remark)
    return f"{short(best[0], LONGEST)} is first by {first.id} with {score}, {ahead}."


def not_apart(ranked: pl.DataFrame, best: list[str], beside: pl.DataFrame, level: float) -> str:
    """Which others do not differ significantly from the first, among all pairs of runs together."""
    others = [run for run in ranked["run"] if run != best[0]]
    p = dict(beside.select("run", "p").iter_rows())
    untold = [run for run in others if p.get(run) is None]
    alike = [run for run in others if run not in untold and p[run] > level]
    # Of several, the one that stands on top.
    who, it = ("It", "it") if len(best) == 1 else [short(best[0], LONGEST)] * 2
    if len(untold) == len(others):
        return f"Whether {it} differs significantly from any other run cannot be told."
    rest = f"; of {plural(len(untold), 'run')} it cannot be told" if untold else ""
    if not alike:
        return f"{who} differs significantly from {'all others' if len(others) > 1 else names(others, '')}{rest}."
    whom = names(alike, f"of the {len(others):,} other runs", "or")
    if len(alike) == len(others) > NAMED:
        whom = "any other run"
    together = ", all pairs of runs tested together" if len(others) > 1 else ""
    return f"{who} does not differ significantly from {whom}{together}{rest}."


def doubted(ranked: pl.DataFrame, best: list[str], beside: pl.DataFrame, level: float) -> str:
    """Why the first run differs significantly from the next though their interval, said just before, holds 0; or ""."""
    second = ranked["run"][1]
    row = beside.filter(pl.col("run") == second).drop_nulls()
    if len(best) > 1 or row.is_empty() or row["p"][0] > level or row["least"][0] > 0:
        return ""
    test = "the test of all pairs" if ranked.height > 2 else "the test"
    return f"From {short(second, LONGEST)} it differs by {test}, {p_value(row['p'][0])}; {CAUTIOUS}."


def unjudged(ranked: pl.DataFrame, first: Measure, unscored: str | None, official: str | None = None) -> str:
    """How many answers have no (official) verdict, what they count as, and what they leave open of the first score that
    they could move out of its interval; "" where there is none.
    """
    bounds, ends = (boards.all_of(first.id, both) for both in (boards.BOUNDS, boards.INTERVAL))
    if unscored is None or not {"n_unscored", *bounds} <= {*ranked.columns}:
        return ""
    some = ranked.filter(pl.col("n_unscored") > 0)
    least, most = pl.min_horizontal(bounds), pl.max_horizontal(bounds)
    low, high = (pl.col(end) if end in ranked.columns else pl.lit(None) for end in ends)
    within = ((least > low - TIE) & (most < high + TIE)).fill_null(False)
    moved = some.filter(most - least > TIE, ~within)
    if moved.is_empty():
        return ""
    top, digits, shared = moved.row(0, named=True), decimals(ranked, first.id), some["n_shared"].unique()
    several = f"{some.height:,} of" if some.height < ranked.height else "all"
    which = "both runs" if some.height == ranked.height == 2 else f"{several} {ranked.height:,} runs"
    where, nobody = ("", "Nobody") if ranked.height == 1 else (f"In {which}, ", "nobody")
    judged = f"{nobody} judged" if official is None else f"{short(official, LONGEST)} has no verdict on"
    of = f"{number_of(shared[0])} questions" if shared.len() == 1 else "the questions"
    taken = "are left out" if unscored == "exclude" else f"count as {unscored}"
    they = "they and the failed responses" if top.get("n_error") else "they"
    rules = " with the rules on texts or without," if top.get("n_by_rule") else ""
    a, b = (number(end, digits) for end in sorted(top[end] for end in bounds))
    return (
        f"{where}{judged} the answers to {between(some['n_unscored'])} of {of}; they {taken} (option unscored), and"
        f" however {they} are taken,{rules} {first.id} of {short(top['run'], LONGEST)} is {a} to {b}."
    )


def silence(ranked: pl.DataFrame, best: list[str], task: Task) -> list[str]:
    """How much was left open, and who would be first if all of that counted as wrong; nothing if counts do not say."""
    return [*abstentions(ranked, best, task), *rightful(ranked)]


def rightful(ranked: pl.DataFrame) -> list[str]:
    """How many of the unanswered questions have no answer, over all runs; nothing if none has."""
    right, other = (sum(ranked[name].fill_null(0)) if name in ranked else 0 for name in ("n_rightful", "n_u"))
    if not right:
        return []
    over = "" if ranked.height == 1 else ", over all runs"
    left = f"{amount(right + other)} unanswered question{'s' * (right + other != 1)}{over}"
    return [f"Of {left}, {amount(right)} had no answer, as the data say: abstaining on these counts as right."]


def abstentions(ranked: pl.DataFrame, best: list[str], task: Task) -> list[str]:
    """How many questions are unanswered, and who would be first if these counted as wrong."""
    if not all(has_numbers(task.outcomes[verdict], ranked) for verdict in ("correct", "wrong")):
        return []
    right, open_, wrong = (
        [sum(row) for row in zip(*(ranked[name].fill_null(0) for name in part if name in ranked.columns), strict=True)]
        or [0] * ranked.height
        for part in task.outcomes.values()
    )
    unit = task.unit
    if ranked.height == 1:
        n = right[0] + open_[0] + wrong[0]
        got = f"it got {amount(right[0])} right and {amount(wrong[0])} wrong, and left {amount(open_[0])} open"
        return [f"Of {amount(n)} {unit}{'s' * (n != 1)}, {got}."]
    silent, some_rightful = sum(count > 0 for count in open_), bool(rightful(ranked))
    if not silent:
        return [f"No run left a {unit}{' that has an answer' * some_rightful} open."]
    shares = [r / (r + o + w) if r + o + w else 0.0 for r, o, w in zip(right, open_, wrong, strict=True)]
    would = [run for run, share in zip(ranked["run"], shares, strict=True) if share > max(shares) - TIE]
    whole = "Both runs" if ranked.height == 2 else f"All {ranked.height:,} runs"
    whole = whole if silent == ranked.height else f"{silent:,} of {ranked.height:,} runs"
    left = f"{whole} left {unit}s{' that have an answer' * some_rightful} open"
    first = "still be first" if would == best else f"be first, with {percent(max(shares))} right"
    return [f"{left}; if these counted as wrong, {names(would, 'runs')} would {first}."]


def threshold(needed: pl.DataFrame, id: str, scores: pl.Series) -> str:
    """A sentence on the smallest difference that the questions reliably show; "" where that is not known.

    `needed` has how many questions each difference in the measure needs (`reliability.components`). That is drawn from
    the runs themselves: where all of them are farther apart, it says nothing of runs that are not, and nothing is said.
    """
    n, required = needed.select("n", "required_difference").row(0)
    rows = needed.drop_nulls("questions").sort("difference")
    if rows.is_empty():
        return ""
    with_them, may = f"With {plural(n, 'question')},", "may reverse with other questions."
    if required is None:
        return f"{with_them} any difference in {id} {may}"
    low, high = (rows.filter(pl.col(end) <= n)["difference"].min() for end in ("lower", "upper"))
    nearest = scores.drop_nulls().sort().diff().min()
    if high is not None and (nearest is None or nearest >= max(required, high)):
        return ""
    if required == 0:
        return f"{with_them} even small differences in {id} hold with other questions."
    below = difference(required)
    if low is not None and low != high:  # an end that is null is beyond the largest difference in the table
        most = "or more" if high is None else f"to {difference(high)}"  # type: ignore[arg-type]
        below += f" ({at(1 - LEVEL)} range {difference(low)} {most})"  # type: ignore[arg-type]
    return f"{with_them} differences in {id} below {below} {may}"


def has_numbers(columns: tuple[str, ...], board: pl.DataFrame) -> bool:
    """Whether the board has numbers in all of these columns."""
    return all(name in board.columns and board[name].is_not_null().all() for name in columns)


def names(runs: list[str], of: str, word: str = "and") -> str:
    """The names of runs, or how many there are if more than NAMED."""
    if len(runs) > NAMED:
        return f"{len(runs):,} {of}"
    return joined([short(run, LONGEST) for run in runs], word)


def decimals(board: pl.DataFrame, id: str) -> int:
    """With how many decimals the scores of a measure are shown, here and in the page's ranking."""
    if (board[id].abs().max() or 0) >= 10:  # type: ignore[operator]
        return 1
    return 2 if "n" in board.columns and (board["n"].max() or 0) < FEW else 3  # type: ignore[operator]


def in_brackets(low: float, high: float, digits: int, level: float, remark: str = "") -> str:
    """An interval in brackets."""
    return f" ({at(1 - level)} interval {number(low, digits)} to {number(high, digits)}{remark})"


def number(value: float, digits: int) -> str:
    """A score or a difference; a zero has no sign."""
    return minus(rounded(value, digits))
