"""Where each option of a campaign has an effect; anywhere else it is refused. Imports nothing heavy.

A new option is a line of EFFECTS; tests/config/test_options.py holds the table against the schema and against what the
options do.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nonresponse import formats, tasks

SOURCES = {"runs": ("runs", "judgments"), "graded": ("graded",), "counts": ("counts",)}


def source(campaign: dict) -> str:
    """Where a campaign's data come from: `runs` (raw runs and judgments), `graded` or `counts`."""
    return next(name for name in SOURCES if name in campaign)


@dataclass(frozen=True)
class Effect:
    """Where an option has an effect: where all conditions named here hold."""

    task: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    format: tuple[str, ...] = ()  # for options of runs and judgments, see the records of formats
    layout: tuple[str, ...] = ()
    graded: tuple[str, ...] = ()  # tasks, where responses come graded
    beside: tuple[str, ...] = ()  # these options of the same part
    either: tuple[str, ...] = ()  # in a table, one of these
    without: tuple[str, ...] = ()  # and not these


PAIRS = tuple(name for name in tasks.NAMES if tasks.get(name).pairs)
REFERENCES = tuple(name for name in tasks.NAMES if tasks.get(name).references)
YEARS = tuple(name for name in tasks.NAMES if tasks.get(name).years)
LABELS = tuple(name for name in tasks.NAMES if name not in REFERENCES)  # judgments say how good an answer is
ANSWERS = tuple(name for name in LABELS if name not in PAIRS)
COUNTED = {
    name: tuple(id for id in tasks.NAMES if name in tasks.get(id).counts and "counts" in tasks.get(id).sources)
    for id in tasks.NAMES
    for name in tasks.get(id).counts
    if "counts" in tasks.get(id).sources
}  # the counts that tables may hold, each with its tasks
REPEATED = tuple(name for name in tasks.NAMES if tasks.get(name).repeated)

SINGLE = ("runs", "graded")  # the sources that have single responses

EFFECTS = {
    "task": Effect(),
    "title": Effect(),
    "simulated": Effect(),
    "measures": Effect(),
    "baseline": Effect(),
    "runs": Effect(),
    "judgments": Effect(),
    "graded": Effect(),
    "counts": Effect(),
    "reject_all": Effect(source=("counts",)),  # elsewhere the trivial runs are added
    "accept_all": Effect(source=("counts",)),
    "reliability": Effect(source=SINGLE),
    "shards": Effect(source=SINGLE),
    "scenarios": Effect(source=SINGLE),
    "systems": Effect(source=SINGLE),
    "participants": Effect(),
    "names": Effect(),
    "years": Effect(task=YEARS),
    "unscored": Effect(
        task=ANSWERS, source=SINGLE, format=(*formats.FORMATS, *formats.telling("unscored"))
    ),  # a pair of unknown truth is left out whatever the policy
    "partial": Effect(task=ANSWERS, source=SINGLE, format=(*formats.FORMATS, *formats.telling("partial"))),
    # Elsewhere nothing says that a system broke down.
    "error": Effect(
        source=SINGLE, format=(*formats.taking("runs", "failed"), *formats.telling("error")), graded=ANSWERS
    ),
    "missing": Effect(source=SINGLE),
    "compare_on": Effect(source=SINGLE),
    "failed_judgments": Effect(task=ANSWERS, source=SINGLE),
    "cluster": Effect(source=SINGLE),
    "options": Effect(task=ANSWERS),
    "questions": Effect(source=SINGLE),
    "questions.file": Effect(),
    "questions.quoted": Effect(),
    "questions.columns": Effect(),
    "questions.columns.question": Effect(),
    "questions.columns.category": Effect(),
    "questions.columns.run": Effect(),
    "questions.columns.has_answer": Effect(task=ANSWERS),
    "runs.format": Effect(),
    "runs.files": Effect(),
    "runs.layout": Effect(),
    "runs.quoted": Effect(),
    "runs.unanswered": Effect(without=("threshold",)),
    "runs.nil": Effect(task=ANSWERS),
    "runs.failed": Effect(without=("threshold",)),
    "runs.answer_from": Effect(task=ANSWERS),
    "runs.normalise": Effect(task=ANSWERS),
    "runs.refusals": Effect(task=ANSWERS),
    "runs.answers": Effect(task=PAIRS, without=("threshold",)),
    "runs.threshold": Effect(task=PAIRS),
    "runs.run": Effect(),
    "runs.question": Effect(),
    "runs.records": Effect(),
    "runs.duplicates": Effect(task=LABELS),
    "runs.empty_questions": Effect(),
    "runs.columns": Effect(),
    "runs.columns.run": Effect(without=("run",)),
    "runs.columns.question": Effect(without=("question",)),
    "runs.columns.candidate": Effect(task=LABELS),
    "runs.columns.answer": Effect(without=("threshold",)),
    "runs.columns.document": Effect(task=ANSWERS),
    "runs.columns.epoch": Effect(task=REPEATED),
    "runs.columns.rank": Effect(task=ANSWERS),
    "runs.columns.position": Effect(task=ANSWERS),
    "runs.columns.confidence": Effect(),
    "runs.columns.score": Effect(task=LABELS),
    "runs.columns.status": Effect(),
    "runs.columns.paragraph": Effect(),
    "runs.columns.text": Effect(),
    "runs.columns.kind": Effect(),
    "judgments.format": Effect(),
    "judgments.files": Effect(),
    "judgments.official": Effect(),
    "judgments.correct": Effect(task=ANSWERS),
    "judgments.partial": Effect(task=ANSWERS),
    "judgments.closed": Effect(task=ANSWERS),
    "judgments.pooled": Effect(task=ANSWERS),
    "judgments.labels": Effect(task=LABELS),
    "judgments.normalise": Effect(task=ANSWERS),
    "judgments.quoted": Effect(),
    "judgments.run": Effect(task=ANSWERS),
    "judgments.question": Effect(),
    "judgments.records": Effect(),
    "judgments.duplicates": Effect(task=LABELS),
    "judgments.empty_questions": Effect(),
    "judgments.columns": Effect(),
    "judgments.columns.assessor": Effect(),
    "judgments.columns.run": Effect(task=ANSWERS, without=("run",)),
    "judgments.columns.question": Effect(without=("question",)),
    "judgments.columns.candidate": Effect(task=PAIRS),
    "judgments.columns.document": Effect(task=ANSWERS),
    "judgments.columns.answer": Effect(task=(*ANSWERS, *REFERENCES)),
    "judgments.columns.label": Effect(task=LABELS),
    "judgments.columns.paragraph": Effect(),
    "judgments.columns.judgment": Effect(),
    "graded.format": Effect(),
    "graded.files": Effect(),
    "graded.layout": Effect(),
    "graded.quoted": Effect(),
    "graded.gold": Effect(task=ANSWERS),  # of pairs, verdicts say which are right
    "graded.verdicts": Effect(without=("gold",)),
    "graded.correct_from": Effect(task=ANSWERS, without=("gold",)),
    "graded.answer_from": Effect(task=ANSWERS, layout=("long",)),
    "graded.normalise": Effect(beside=("gold",)),
    "graded.unanswered": Effect(either=("gold", "refusals")),
    "graded.refusals": Effect(task=ANSWERS),
    "graded.failed": Effect(beside=("gold",)),
    "graded.missing": Effect(),
    "graded.assessors": Effect(layout=("long",)),
    "graded.official": Effect(beside=("assessors",)),
    "graded.systems": Effect(layout=("wide",)),
    "graded.ignore": Effect(layout=("wide",), without=("systems",)),
    "counts.format": Effect(),
    "counts.files": Effect(),
    "counts.run": Effect(),
    "counts.records": Effect(),
    "counts.ignore": Effect(),
    "counts.quoted": Effect(),
    "counts.columns": Effect(),
    "counts.columns.run": Effect(without=("run",)),
    **{f"counts.columns.{name}": Effect(task=of) for name, of in COUNTED.items()},
    "graded.scorer": Effect(),
    "graded.epochs": Effect(),
    "graded.metric": Effect(),
    "graded.filter": Effect(),
    "graded.best": Effect(),
    "graded.key": Effect(),
    "graded.na_prob": Effect(),
    "graded.threshold": Effect(beside=("na_prob",)),
    "graded.run": Effect(layout=("long",)),
    "graded.question": Effect(),
    "graded.records": Effect(),
    "graded.duplicates": Effect(task=LABELS),
    "graded.empty_questions": Effect(),
    "graded.columns": Effect(),
    "graded.columns.run": Effect(layout=("long",), without=("run",)),
    "graded.columns.question": Effect(without=("question",)),
    "graded.columns.candidate": Effect(task=PAIRS),
    "graded.columns.epoch": Effect(task=REPEATED, layout=("long",)),
    "graded.columns.category": Effect(),
    "graded.columns.verdict": Effect(layout=("long",), without=("gold", "assessors")),
    "graded.columns.answer": Effect(layout=("long",), either=("gold", "refusals"), without=("assessors",)),
    "graded.columns.rank": Effect(layout=("long",), task=ANSWERS),
    "graded.columns.position": Effect(layout=("long",), task=ANSWERS),
    "graded.columns.confidence": Effect(layout=("long",)),
    "graded.columns.score": Effect(layout=("long",)),
}

PLACES = {
    "task": "task {}",
    "source": "a campaign of {}",
    "format": "{} files",
    "layout": "layout {}",
    "graded": "graded responses of task {}",
}


def idle(campaign: dict) -> Iterator[tuple[str, str]]:
    """Each option of a campaign, as it is written, that has no effect there, and why.

    Options inside such an option are left out.
    """
    above: tuple[str, ...] = ()
    for option, effect in EFFECTS.items():
        if (
            is_written(campaign, option)
            and not option.startswith(above)
            and (reason := against(effect, campaign, option))
        ):
            above = (*above, f"{option}.")
            yield option, reason


def is_written(campaign: dict, option: str) -> bool:
    """Whether a campaign has an option, which is named with a dot for each level."""
    value = campaign
    for name in option.split("."):
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    return True


def against(effect: Effect, campaign: dict, option: str) -> str | None:
    """Why an option has no effect in a campaign; null where it has."""
    origin = source(campaign)
    part = campaign[origin if "." not in option else option.partition(".")[0]]
    written = part if isinstance(part, dict) else {}
    facts = {
        "task": campaign["task"],
        "source": origin,
        "format": written.get("format"),
        "layout": written.get("layout", "long"),
        "graded": campaign["task"] if origin == "graded" else None,
    }
    place, _, inside = option.partition(".")
    taken = formats.taking(place, inside) if place in ("runs", "judgments", "graded", "counts") else []
    for name, place in PLACES.items():
        allowed = getattr(effect, name) or (taken if name == "format" else ())
        if allowed and facts[name] not in (None, *allowed):
            return f"has no effect on {place.format(facts[name])}; it is for {', '.join(allowed)}"
    for other in effect.without:
        if other in written:
            return f"has no effect beside {other}"
    for other in effect.beside:
        if other not in written:
            return f"has no effect without {other}"
    if effect.either and facts["format"] not in formats.LOGS and not set(effect.either) & set(written):
        return f"has no effect without {' or '.join(effect.either)}"
    return None
