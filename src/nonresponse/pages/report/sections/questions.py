"""The questions: how hard each is, how many runs leave it open, and how each run did on it.

The page's script takes the verdicts as a text for each run, in it a character per question.
"""

import random

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.judging.store import VERDICTS_FILE, Verdicts, read_verdicts
from nonresponse.legible import short
from nonresponse.pages.blocks import Block, sentences, widget
from nonresponse.pages.report.texts import places, texts
from nonresponse.pages.sections import Campaign
from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import joined, nearest, plural, rounded

MOST = 2_000_000  # verdicts; if there are more, only a sample of the questions is on the page
FEWEST = 5  # runs; an item-rest correlation over fewer is not given
TELLING = 5  # questions that a sentence names
NAMED = 40  # characters of a question's name in that sentence
CONFUSIONS = 10  # of decades, for each run
CHARACTERS = {"correct": "c", "wrong": "w", "partial": "p", "unanswered": "u", "unscored": "n", "error": "e"}
COUNTED = {"correct": "right", "wrong": "wrong", "unanswered": "open", "exclude": ""}  # "" = left out
NONE = "."  # no verdict: the run was not asked


def blocks(campaign: Campaign) -> list[Block]:
    """Sentences on all questions, and the widget that lists them; nothing where nobody judged the answers."""
    if not campaign.settings.get("judged", True):
        return []
    data, counts = of_campaign(campaign)
    if not data["questions"] or not data["runs"]:
        return []
    fallback = "The questions one by one need JavaScript."
    sampled, some = data["total"] > len(data["questions"]), any(NONE in line for line in data["verdicts"])
    said = [*[difficulty(counts, sampled, some)] * (len(data["runs"]) > 1), *most_telling(data), *limits(data)]
    return [*[sentences(said)] * bool(said), widget("questions", data, fallback)]


def difficulty(counts: np.ndarray, sampled: bool, some: bool = False) -> str:
    """How many questions every run got right, and how many none; `counts` are those of `by_question`.

    sampled: the questions are a sample; some: some runs were not asked all of them.
    """
    counts = counts[:, counts.sum(axis=0) > 0]
    right, _, wrong = counts
    always, never, left = ((counts.sum(axis=0) == right).sum(), (right == 0).sum(), (right + wrong == 0).sum())
    which = "the questions of the sample" if sampled else plural(right.size, "question")
    that = " that was asked" * some
    said = f"Of {which}, every run{that} is right on {always:,}, and none on {never:,}"
    return f"{said}; all runs leave {left:,} open." if left else f"{said}."


def most_telling(data: Block) -> list[str]:
    """A sentence on the most discriminating questions (highest item-rest correlation); none if TELLING or fewer have a
    correlation above 0.
    """
    known = [(value, place) for place, value in enumerate(data["telling"]) if value is not None and value > 0]
    if len(known) <= TELLING:
        return []
    most = sorted(known, key=lambda one: (-one[0], one[1]))[:TELLING]
    names = joined([short(data["questions"][place], NAMED) for _, place in most])
    low = rounded(most[-1][0], 2)
    why = f"runs that are right on them are right more often elsewhere, too (item-rest correlation {low} or more)"
    return [f"The most telling questions are {names}: {why}."]


def limits(data: Block) -> list[str]:
    """Sentences on the verdicts and texts that the page has no room for, and on how the others were chosen."""
    known, total = len(data["questions"]), data["total"]
    seed = f"drawn at random, seed {data['seed']}"
    said = []
    if known < total:
        said.append(f"The page holds the verdicts on {known:,} of {plural(total, 'question')}, {seed}.")
    if data["more"]:
        shown = plural(len(data["shown"]), "question")
        said.append(f"There is room for the texts of {shown}, those first on which runs differ most.")
    return said


def of_campaign(campaign: Campaign) -> tuple[Block, np.ndarray]:
    """The data of the widget: the runs as ranked, the questions they are compared on, a string of verdicts for each
    run, and texts; and the counts of `by_question`. A trivial run without verdicts, which guesses, is left out.

    A verdict is on an item: a question, one of its epochs, or one of its pairs. `of` has the question of each item,
    None where each question is one item. `counted` has the outcome that each character counts as; `gold` has whether
    each pair is right, 1 or 0, or - where that is not known.
    """
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet", columns=["run", "trivial"])
    task, settings = tasks.get(campaign.task), campaign.settings
    store = read_verdicts(campaign.folder / VERDICTS_FILE)
    assessor = store.assessors.index(campaign.official)
    codes = store.codes[assessor]
    [own] = store.table([f"compared AND verdict <> '{tasks.NOT_ASKED}'"]) > 0
    judged = [run for run, cells in zip(store.runs, codes, strict=True) if own[cells].any()]
    runs = board.filter(~pl.col("trivial") | pl.col("run").is_in(judged))["run"]
    items = store.items.with_row_index("place").filter(store.have(assessor, own))
    names = items["question"].unique(maintain_order=True)
    total = names.len()
    fitting = MOST * total // max(len(runs) * items.height, 1)
    names = sample(names, fitting, settings["seed"], campaign.name)
    items = items.filter(pl.col("question").is_in(names.implode()))
    shown = codes[:, items["place"]]
    characters = np.array([ord(CHARACTERS.get(word, NONE)) for word in store.cases["verdict"]], np.uint8)
    characters[~own] = ord(NONE)
    grid = np.full((len(runs), items.height), ord(NONE), np.uint8)
    for line, place in enumerate(places(runs, pl.Series(store.runs, dtype=pl.String))):
        if place is not None:
            grid[line] = characters[shown[place]]
    several = items.height > names.len()
    categories = items.group_by("question", maintain_order=True).agg(pl.col("category").first())["category"]
    known = categories.drop_nulls().unique().sort()
    policy = {"correct": "correct", "wrong": "wrong", "unanswered": "unanswered", **settings["policy"]}
    if task.pairs:
        policy["unscored"] = "exclude"  # a pair whose truth is unknown belongs to no count
    counted = {CHARACTERS[verdict]: COUNTED[choice] for verdict, choice in policy.items()} | {NONE: ""}
    of = np.array(places(items["question"], names), dtype=np.int64)
    right, counts = by_question(grid, of, counted)
    data = {
        "runs": runs.to_list(),
        "questions": names.to_list(),
        "total": total,
        "seed": settings["seed"],
        "of": of.tolist() if several else None,
        "categories": known.to_list(),
        "category": places(categories, known),
        "gold": truth(store, shown) if task.pairs else None,
        "verdicts": [bytes(line).decode("ascii") for line in grid],
        "counted": counted,
        "decades": decades(campaign, runs) if settings["dated"] else None,
        "telling": [None if np.isnan(it) else float(nearest(it, 2)) for it in telling(right)],
        **texts(campaign, names, runs, counts.sum(axis=0) ** 2 - (counts**2).sum(axis=0)),
    }
    return data, counts


def sample(names: pl.Series, most: int, seed: int, campaign: str) -> pl.Series:
    """The questions or, if there are more than `most`, a random sample of that many, in their order."""
    if names.len() <= most:
        return names
    drawn = random.Random(f"{seed} {campaign}").sample(range(names.len()), most)
    return names.gather(sorted(drawn))


def truth(store: Verdicts, shown: np.ndarray) -> str:
    """Whether each pair is right, 1 or 0, or - where that is not known; shown: the codes (runs, items)."""
    yes, no = store.table(["positive", "NOT positive"]) > 0
    return "".join("1" if yes[codes].any() else "0" if no[codes].any() else "-" for codes in shown.T)


def by_question(grid: np.ndarray, of: np.ndarray, counted: dict[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """The share of each question's items that each run has right (runs, questions), NaN where none counts; and how many
    items of each question are right, open and wrong, over all runs (3, questions).
    """
    starts = np.flatnonzero(np.diff(of, prepend=-1))  # of questions: items are sorted by them
    sums = np.zeros((3, len(grid), len(starts)))
    for place, outcome in enumerate(("right", "open", "wrong")):
        codes_of = [ord(character) for character, became in counted.items() if became == outcome]
        sums[place] = np.add.reduceat(np.isin(grid, codes_of), starts, axis=1, dtype=np.int64)
    with np.errstate(invalid="ignore"):
        return sums[0] / sums.sum(axis=0), sums.sum(axis=1)


def telling(right: np.ndarray) -> np.ndarray:
    """The item-rest correlation of each question: of being right on it with the share right on all others (questions,).

    right: (runs, questions) from 0 to 1, NaN where nothing of the run counts. The result is NaN with fewer than FEWEST
    runs, and where these do not differ.
    """
    known = ~np.isnan(right)
    own = np.where(known, right, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rest = (own.sum(axis=1, keepdims=True) - own) / (known.sum(axis=1, keepdims=True) - 1)
        use = known & np.isfinite(rest)
        number = use.sum(axis=0)
        x, y = (np.where(use, it - np.where(use, it, 0).sum(axis=0) / number, 0) for it in (own, rest))
        found = (x * y).sum(axis=0) / np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    return np.where((number >= FEWEST) & ((x**2).sum(axis=0) > TIE) & ((y**2).sum(axis=0) > TIE), found, np.nan)


def decades(campaign: Campaign, runs: pl.Series) -> list[list[int]]:
    """The commonest confusions of each run: its place, decade of the reference, predicted decade, and how often."""
    table = pl.read_parquet(campaign.folder / "years/decades.parquet")
    wrong = table.filter(pl.col("assessor") == campaign.official, pl.col("decade") != pl.col("predicted"))
    place = pl.DataFrame({"run": runs, "place": range(len(runs))}, {"run": pl.String, "place": pl.Int64})
    ordered = wrong.join(place, on="run").sort("place", pl.col("fragments").neg(), "decade", "predicted")
    most = ordered.group_by("place", maintain_order=True).head(CONFUSIONS)
    return [list(row) for row in most.select("place", "decade", "predicted", "fragments").iter_rows()]
