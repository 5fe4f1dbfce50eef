"""The questions on the page: the verdict on each response, how hard each question is, and the
texts.

The page's script takes the verdicts as a text for each run, in it a character per question.
"""

import random
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.judging.store import VERDICTS_FILE, Verdicts, read_verdicts
from nonresponse.report.campaign import Campaign
from nonresponse.report.texts import locate_values, pack_texts
from nonresponse.wording import plural

MOST = 2_000_000  # verdicts; if there are more, only a sample of the questions is on the page
CHARACTERS = {
    "correct": "c",
    "wrong": "w",
    "partial": "p",
    "unanswered": "u",
    "unscored": "n",
    "error": "e",
}
NONE = "."  # no verdict: the run was not asked


def collect_questions(campaign: Campaign, board: pl.DataFrame) -> tuple[dict[str, Any] | None, str]:
    """Return the runs as ranked, the questions they are compared on, and a text of verdicts for
    each run; and `texts`.

    Null where nobody judged single responses. A trivial run without verdicts is left out. A verdict
    is on an item: a question, one of its epochs, or one of its pairs. `of` has the question of each
    item, null where each question is one item; `counted` the verdict that each character counts as,
    "" for none; `counts` how many responses to each question are correct, unanswered and wrong;
    `gold` whether each pair is right, 1 or 0, or - where that is not known.
    """
    settings, task = campaign.settings, tasks.get(campaign.task)
    if settings["source"] == "counts" or not settings.get("judged", True):
        return None, ""
    store = read_verdicts(campaign.folder / VERDICTS_FILE)
    assessor = store.assessors.index(campaign.official)
    codes = store.codes[assessor]
    valid = pl.col("compared") & (pl.col("verdict") != tasks.NOT_ASKED)
    own = store.cases.select(valid.fill_null(False)).to_series().to_numpy()
    judged = [run for run, cells in zip(store.runs, codes, strict=True) if own[cells].any()]
    runs = board.filter(~pl.col("trivial") | pl.col("run").is_in(judged))["run"]
    items = store.items.with_row_index("index").filter(store.find_items(assessor, own))
    names = items["question"].unique(maintain_order=True)
    total, room = names.len(), MOST * names.len() // max(len(runs) * items.height, 1)
    if not total or runs.is_empty():
        return None, ""
    if total > room:
        drawn = random.Random(f"{settings['seed']} {campaign.name}").sample(range(total), room)
        names = names.gather(sorted(drawn))
        items = items.filter(pl.col("question").is_in(names.implode()))
    shown, words = codes[:, items["index"]], store.cases["verdict"]
    characters = np.array([ord(CHARACTERS.get(word, NONE)) for word in words], np.uint8)
    characters[~own] = ord(NONE)
    grid = np.full((len(runs), items.height), ord(NONE), np.uint8)
    place = locate_values(runs, pl.Series(store.runs, dtype=pl.String))
    grid[place >= 0] = characters[shown[place[place >= 0]]]
    first_items = items.unique("question", keep="first", maintain_order=True)
    known = first_items["category"].drop_nulls().unique().sort()
    category = locate_values(first_items["category"], known).tolist()
    policy = {word: word for word in ("correct", "wrong", "unanswered")} | settings["policy"]
    if task.pairs:
        policy["unscored"] = "exclude"  # a pair whose truth is unknown belongs to no count
    counted = {CHARACTERS[word]: took * (took != "exclude") for word, took in policy.items()}
    counted[NONE] = ""
    of, gold = (
        locate_values(items["question"], names),
        encode_truth(store, shown) if task.pairs else None,
    )
    known_truth = [letter != "-" for letter in gold] if gold else True
    counts = count_by_question(np.where(known_truth, grid, ord(NONE)), of, counted)
    made = {
        "runs": runs.to_list(),
        "questions": names.to_list(),
        "total": total,
        "seed": settings["seed"],
        "of": of.tolist() if items.height > names.len() else None,
        "categories": known.to_list(),
        "category": [None if index < 0 else index for index in category],
        "gold": gold,
        "verdicts": [bytes(line).decode("ascii") for line in grid],
        "counted": counted,
        "counts": counts.T.tolist(),
        "sentences": [describe_difficulty(counts, total)] if len(runs) > 1 else [],
    }
    disagreement = counts.sum(axis=0) ** 2 - (counts**2).sum(axis=0)
    return made, pack_texts(campaign, names, runs, disagreement)


def describe_difficulty(counts: np.ndarray, total: int) -> str:
    """Say how many questions every run got right, and how many none; `counts` are those of
    `count_by_question`."""
    correct, unanswered, wrong = counts[:, counts.any(axis=0)]
    every, none = (unanswered + wrong == 0).sum(), (correct == 0).sum()
    left, sampled = (correct + wrong == 0).sum(), counts.shape[1] < total
    which = "the sampled questions" if sampled else plural(correct.size, "question")
    text = f"{every:,} of {which} got a correct answer from every run that was asked"
    text += f", and {none:,} from none"
    return f"{text}; {left:,} got no answer at all." if left else f"{text}."


def encode_truth(store: Verdicts, shown: np.ndarray) -> str:
    """Return whether each pair is right, 1 or 0, or - where that is not known; shown: the codes
    (runs, items)."""
    yes, no = (
        store.cases["positive"].eq(value).fill_null(False).to_numpy()[shown].any(axis=0)
        for value in (True, False)
    )
    return "".join(np.where(yes, "1", np.where(no, "0", "-")))


def count_by_question(grid: np.ndarray, of: np.ndarray, counted: dict[str, str]) -> np.ndarray:
    """Return how many items of each question are correct, unanswered and wrong, over all runs (3,
    questions)."""
    starts = np.flatnonzero(np.diff(of, prepend=-1))  # of questions: items are sorted by them
    sums = []
    for verdict in ("correct", "unanswered", "wrong"):
        letters = [ord(letter) for letter, took in counted.items() if took == verdict]
        sums.append(np.add.reduceat(np.isin(grid, letters).sum(axis=0), starts))
    return np.stack(sums)
