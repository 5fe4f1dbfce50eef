"""The questions on the page: the verdict on each response, how hard each question is, the texts."""

import random
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.judging.store import VERDICTS_FILE, Verdicts, read_verdicts
from nonresponse.report.campaign import Campaign
from nonresponse.report.texts import locate_values, pack_texts
from nonresponse.wording import plural

MAX_VERDICTS = 2_000_000  # if there are more, only a sample of the questions is on the page
CHARACTERS = {
    "correct": "c",
    "wrong": "w",
    "partial": "p",
    "unanswered": "u",
    "unscored": "n",
    "error": "e",
}
NOT_ASKED = "."


def collect_questions(campaign: Campaign, board: pl.DataFrame) -> tuple[dict[str, Any] | None, str]:
    """Return the verdicts on the questions on which runs are compared, and the packed texts.

    Null where nobody judged single responses. A trivial run without verdicts is left out. An item
    is a question, one of its epochs, or one of its pairs. `verdicts` has a text for each run, with
    a character per item. `of` has the question of each item, null
    where each question is one item. `counted` has the verdict that each character counts as, ""
    for none. `counts` has how many responses to each question are correct, unanswered and wrong,
    without those of trivial runs.
    `gold` has whether each pair is right, 1 or 0, or - where that is not known.
    """
    settings, task = campaign.settings, tasks.get(campaign.task)
    if settings["source"] == "counts" or not settings.get("judged", True):
        return None, ""
    store = read_verdicts(campaign.folder / VERDICTS_FILE)
    assessor = store.assessors.index(campaign.official)
    codes = store.codes[assessor]
    compared = pl.col("compared") & (pl.col("verdict") != tasks.NOT_ASKED)
    valid = store.cases.select(compared.fill_null(False)).to_series().to_numpy()
    judged_runs = [run for run, cells in zip(store.runs, codes, strict=True) if valid[cells].any()]
    runs = board.filter(~pl.col("trivial") | pl.col("run").is_in(judged_runs))["run"]
    items = store.items.with_row_index("index").filter(store.find_items(assessor, valid))
    names = items["question"].unique(maintain_order=True)
    total, room = names.len(), MAX_VERDICTS * names.len() // max(len(runs) * items.height, 1)
    if not total or runs.is_empty():
        return None, ""
    if total > room:
        sample = random.Random(f"{settings['seed']} {campaign.name}").sample(range(total), room)
        names = names.gather(sorted(sample))
        items = items.filter(pl.col("question").is_in(names.implode()))
    item_codes = codes[:, items["index"]]
    grid = encode_verdicts(store, item_codes, valid, runs)
    first_items = items.unique("question", keep="first", maintain_order=True)
    categories = first_items["category"].drop_nulls().unique().sort()
    category = locate_values(first_items["category"], categories).tolist()
    policy = {verdict: verdict for verdict in ("correct", "wrong", "unanswered")}
    policy |= settings["policy"]
    if task.pairs:
        policy["unscored"] = "exclude"  # a pair whose truth is unknown belongs to no count
    outcomes = {CHARACTERS[key]: value * (value != "exclude") for key, value in policy.items()}
    outcomes[NOT_ASKED] = ""
    positions = locate_values(items["question"], names)
    gold = encode_truth(store, item_codes) if task.pairs else None
    has_truth = [letter != "-" for letter in gold] if gold else True
    is_ranked = ~runs.is_in([*task.trivial]).to_numpy()  # no question is hard to accept-all
    judged_grid = np.where(has_truth, grid[is_ranked], ord(NOT_ASKED))
    counts = count_by_question(judged_grid, positions, outcomes)
    content = {
        "runs": runs.to_list(),
        "questions": names.to_list(),
        "total": total,
        "seed": settings["seed"],
        "of": positions.tolist() if items.height > names.len() else None,
        "categories": categories.to_list(),
        "category": [None if index < 0 else index for index in category],
        "gold": gold,
        "verdicts": [bytes(line).decode("ascii") for line in grid],
        "counted": outcomes,
        "counts": counts.T.tolist(),
        "sentences": [describe_difficulty(counts, total)] if is_ranked.sum() > 1 else [],
    }
    disagreement = counts.sum(axis=0) ** 2 - (counts**2).sum(axis=0)
    return content, pack_texts(campaign, names, runs, disagreement)


def encode_verdicts(
    store: Verdicts, item_codes: np.ndarray, valid: np.ndarray, runs: pl.Series
) -> np.ndarray:
    """Return the character of each verdict (runs, items), NOT_ASKED where its case is invalid."""
    letters = [CHARACTERS.get(verdict, NOT_ASKED) for verdict in store.cases["verdict"]]
    characters = np.where(valid, np.array([*map(ord, letters)], np.uint8), ord(NOT_ASKED))
    grid = np.full((len(runs), item_codes.shape[1]), ord(NOT_ASKED), np.uint8)
    index = locate_values(runs, pl.Series(store.runs, dtype=pl.String))
    grid[index >= 0] = characters[item_codes[index[index >= 0]]]
    return grid


def describe_difficulty(counts: np.ndarray, total: int) -> str:
    """Return how many questions every run got right, and how many none.

    `counts` are those of `count_by_question`.
    """
    correct, unanswered, wrong = counts[:, counts.any(axis=0)]
    easy, hard = (unanswered + wrong == 0).sum(), (correct == 0).sum()
    skipped, is_sample = (correct + wrong == 0).sum(), counts.shape[1] < total
    questions = "the sampled questions" if is_sample else plural(correct.size, "question")
    text = f"{f'{easy:,}' if easy else 'None'} of {questions} got a correct answer from every run"
    text += f" that was asked, and {f'{hard:,}' if hard else 'each'} from "
    text += "none" if hard else "some run"
    return f"{text}; {skipped:,} got no answer at all." if skipped else f"{text}."


def encode_truth(store: Verdicts, item_codes: np.ndarray) -> str:
    """Return whether each pair is right, 1 or 0, or - where that is not known."""
    right, wrong = (
        store.cases["positive"].eq(value).fill_null(False).to_numpy()[item_codes].any(axis=0)
        for value in (True, False)
    )
    return "".join(np.where(right, "1", np.where(wrong, "0", "-")))


def count_by_question(
    grid: np.ndarray, positions: np.ndarray, outcomes: dict[str, str]
) -> np.ndarray:
    """Return how many items are correct, unanswered and wrong, over all runs (3, questions)."""
    starts = np.flatnonzero(np.diff(positions, prepend=-1))  # items are sorted by question
    sums = []
    for verdict in ("correct", "unanswered", "wrong"):
        letters = [ord(letter) for letter, outcome in outcomes.items() if outcome == verdict]
        sums.append(np.add.reduceat(np.isin(grid, letters).sum(axis=0), starts))
    return np.stack(sums)
