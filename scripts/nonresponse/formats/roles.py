"""Columns of a wide table that nobody has named, and that look like no system: they are asked for."""

import re

import polars as pl

from nonresponse.formats.grades import plain
from nonresponse.formats.normalisation import squad

# Names of what is said of a question, of a response, or of who judges it; in small letters, with _ for all else.
ROLES = {
    *("question", "question_id", "qid", "query", "query_id", "item", "item_id", "problem", "problem_id", "example_id"),
    *("sample_id", "doc_id", "id", "uid", "index", "prompt", "context", "passage", "paragraph", "article", "document"),
    *("category", "subject", "topic", "domain", "type", "difficulty", "language", "lang", "split", "subset", "source"),
    *("has_answer", "answerable", "is_answerable", "has_an_answer", "is_impossible", "cluster", "test", "reading_test"),
    *("group", "options", "choices", "n_options", "n_choices", "num_options", "num_choices", "notes", "comment"),
    *("run", "run_id", "model", "model_name", "model_id", "system", "submission", "participant", "epoch", "rank"),
    *("position", "candidate", "confidence", "conf", "probability", "prob", "score", "explanation"),
    *("answer", "answers", "gold", "gold_answer", "target", "reference", "reference_answer", "correct_answer", "key"),
    *("expected", "expected_answer", "right_answer", "ground_truth", "answer_key", "solution", "truth", "label"),
    *("verdict", "grade", "correct", "judgment", "judgement", "assessor", "annotator", "judge"),
}
ENOUGH = 10  # answers, among which one should be an answer elsewhere, too


def doubtful(frame: pl.DataFrame, systems: list[str], options: dict) -> dict[str, str]:
    """Why columns may be no systems: by their names; or, beside right answers, by their words."""
    gold = options.get("gold")
    named = {name for name in systems if re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") in ROLES}
    why = dict.fromkeys(sorted(named), "whose name is that of something else")
    if gold not in frame.columns:
        return why
    silent = [word for option in ("unanswered", "failed", "missing") for word in options.get(option, [])]
    spelt = squad if "normalise" in options else plain
    said = {name: frame.select(spelt(pl.col(name)).drop_nulls()).to_series() for name in {*systems, gold} - named}
    for name in sorted({*systems} - named):
        own = said[name].filter(~said[name].is_in(silent))
        others = pl.concat([column for other, column in said.items() if other != name]).unique()
        if len(own) >= ENOUGH and not own.is_in(others.implode()).any():
            why[name] = "none of whose words is an answer of another, or a right one"
    return why
