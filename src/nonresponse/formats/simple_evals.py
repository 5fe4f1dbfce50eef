"""`counts: {format: simple-evals}`: what simple-evals writes for SimpleQA: counts only."""

import re
from pathlib import Path

from nonresponse.faults import Fault, quote
from nonresponse.formats.declared import Sign, Spec
from nonresponse.formats.json_pieces import read_value
from nonresponse.formats.logs import Statement, dig, get_finite, get_number, get_text
from nonresponse.formats.text import Faults, get_stem, is_file
from nonresponse.settings import Files

NAME = r"(?s)simpleqa_(?P<model>.+)_\d{8}_\d{6}(_DEBUG)?(?P<all>_allresults)?"
GRADES = {"n_ac": "is_correct", "n_aw": "is_incorrect", "n_u": "is_not_attempted"}
NO_GRADES = "results of simple-evals, which state grades of SimpleQA only"
TOLERANCE = 1e-6  # of a whole number, that a share of the questions has to be
PAGE = r"Score: (True|1(\.0)?)\b"  # in the page of a correct answer


def list_files(path: str, options: Files) -> list[str]:
    """Return the file with all results beside one that has the metrics alone."""
    results = str(Path(path).with_name(f"{get_stem(path)}_allresults.json"))
    return [results] if not get_stem(path).endswith("_allresults") and is_file(results) else []


def read_counts(
    path: str, options: Files
) -> tuple[dict[str, object] | None, Statement | None, list[Fault]]:
    """Return the run with its counts, and its score, recomputed; both null with a fault."""
    name, faults = re.fullmatch(NAME, get_stem(path)), Faults(path)
    value = read_value(path, options, faults) if name and name["all"] else None
    questions, pages = dig(value, "convos"), dig(value, "htmls")
    total = len(questions) if isinstance(questions, list) else 0
    if not name or not name["all"]:
        found = "a name that does not end in _allresults" if name else "another name"
        faults.add(0, found, SPEC.about)
    elif not faults and not total:
        faults.add(0, "no convos, by whose number the questions are counted", SPEC.about)
    counts = {"n": float(total)}
    for name_of_count, grade in GRADES.items() if not faults else ():
        share = get_number(value, "metrics", grade)
        count = total * share if share is not None else -1.0
        if not 0 <= count <= total or abs(count - round(count)) > TOLERANCE * total:
            found = f"{grade} {quote(dig(value, 'metrics', grade))} of {total} questions"
            faults.add(0, found, "a share of the questions, which is a whole number of them")
        else:
            counts[name_of_count] = float(round(count))
    parts = sum(counts.get(name, 0.0) for name in GRADES)
    if not faults and parts != total:
        faults.add(0, f"grades of {parts:g} of {total} questions", "one of each question")
    if faults or not name:
        return None, None, faults
    run = get_text(name["model"])
    texts = [page for page in pages if isinstance(page, str)] if isinstance(pages, list) else []
    reason = "" if len(texts) == total else "the log has no page for each sample"
    recomputed = None if reason else sum(bool(re.search(PAGE, page)) for page in texts) / total
    stated = get_finite(value, "score")
    statement = Statement(str(run), "score", stated, recomputed, None, reason)
    return {"run": run, **counts}, statement, []


SPEC = Spec(
    "simple-evals",
    "a file simpleqa_{model}_{date}_{time}_allresults.json of simple-evals",
    ("unanswered",),
    part="counts",
    limitation="a response that the judge did not grade counts as unanswered",
    signs=(
        Sign(".json", "convos metrics.is_correct", "counts"),
        Sign(".json", "is_correct is_not_attempted", "counts"),
        Sign(".json", "convos htmls metrics", "beside", reason=NO_GRADES),
    ),
    list_more_files=list_files,
    read_counts=read_counts,
)
