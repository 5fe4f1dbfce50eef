"""Where each option of a campaign has an effect (EFFECTS); anywhere else it is refused. Imports nothing heavy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nonresponse import formats, tasks
from nonresponse.settings import Source

SOURCES: dict[Source, tuple[str, ...]] = {"runs": ("runs", "judgments"), "graded": ("graded",), "counts": ("counts",)}


def source(campaign: Mapping[str, Any]) -> Source:
    """Where a campaign's data come from: `runs` (raw runs and judgments), `graded` or `counts`."""
    return next(name for name in SOURCES if name in campaign)


# Measures of responses that nobody judged; all but the first ask whether questions have an answer.
UNJUDGED = ("answered", "abstention_precision", "abstention_recall", "abstention_f1", "false_abstention")


def is_judged(campaign: Mapping[str, Any]) -> bool:
    """Whether anybody judged the responses."""
    return campaign.get("graded", {}).get("judged", True)


def needs_judgments(campaign: Mapping[str, Any], id: str) -> str:
    """A sentence that a measure needs judgments which the campaign does not have; "" if all is well."""
    if is_judged(campaign) or id in UNJUDGED:
        return ""
    return f"{id} needs judgments; allowed beside `judged: false` are {', '.join(UNJUDGED)}"


@dataclass(frozen=True)
class Effect:
    """Where an option has an effect: where all of these conditions hold; () = no condition."""

    task: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    format: tuple[str, ...] = ()  # for options of runs and judgments, see the records of formats
    layout: tuple[str, ...] = ()
    graded: tuple[str, ...] = ()  # tasks; a condition only if responses come graded
    beside: tuple[str, ...] = ()  # all of these options must be given in the same part
    either: tuple[str, ...] = ()  # one of these must be given, unless the files are logs
    without: tuple[str, ...] = ()  # none of these may be given


PAIRS = tuple(name for name in tasks.NAMES if tasks.get(name).pairs)
REFERENCES = tuple(name for name in tasks.NAMES if tasks.get(name).references)
YEARS = tuple(name for name in tasks.NAMES if tasks.get(name).years)
LABELS = tuple(name for name in tasks.NAMES if name not in REFERENCES)  # tasks whose judgments have labels
ANSWERS = tuple(name for name in LABELS if name not in PAIRS)
OF_TABLES = [task for task in map(tasks.get, tasks.NAMES) if "counts" in task.sources]
# The counts that tables may hold, each with its tasks.
COUNTED = {name: tuple(it.id for it in OF_TABLES if name in it.counts) for task in OF_TABLES for name in task.counts}
REPEATED = tuple(name for name in tasks.NAMES if tasks.get(name).repeated)

SHAPE = " ".join(("quoted", *formats.SHAPE))  # where in a file its records are
SINGLE = ("runs", "graded")  # the sources that have single responses
# Formats that can say that a system broke down.
SAYING_FAILED = tuple(
    dict.fromkeys([*formats.taking("runs", "failed"), *formats.taking("graded", "failed"), *formats.telling("error")])
)


def effects(parts: str, names: str, **conditions: tuple[str, ...]) -> dict[str, Effect]:
    """The same effect for several options of a part, or of several parts."""
    return dict.fromkeys((part + name for part in parts.split(" ") for name in names.split()), Effect(**conditions))


# An option that contains others comes before them. "" is the campaign itself.
EFFECTS = {
    **effects("", "task title simulated measures baseline runs judgments graded counts participants names"),
    **effects("", "reject_all accept_all", source=("counts",)),  # elsewhere the trivial runs are added
    **effects(
        "", "reliability shards scenarios systems gates history missing compare_on cluster questions", source=SINGLE
    ),
    **effects("", "years", task=YEARS),
    # A pair of unknown truth is left out whatever the policy.
    "open": Effect(PAIRS),
    "unscored": Effect(ANSWERS, SINGLE, (*formats.FORMATS, *formats.telling("unscored")), without=("judged",)),
    "partial": Effect(ANSWERS, SINGLE, (*formats.FORMATS, *formats.telling("partial")), without=("judged",)),
    **effects("", "error", source=SINGLE, format=SAYING_FAILED, graded=ANSWERS, without=("judged",)),
    **effects("", "failed_judgments", task=ANSWERS, source=SINGLE),
    **effects("", "options", task=ANSWERS),
    **effects("questions.", "file kind separator quoted columns columns.question columns.category columns.run"),
    **effects("questions.", "columns.has_answer", task=ANSWERS),
    **effects("runs.", f"format files layout run question {SHAPE} empty_questions columns columns.confidence"),
    **effects("runs.", "columns.status columns.paragraph columns.text columns.kind"),
    **effects("runs.", "unanswered failed columns.answer", without=("threshold",)),
    **effects("runs.", "nil answer_from normalise refusals failures", task=ANSWERS),
    **effects("runs.", "columns.document columns.rank columns.position", task=ANSWERS),
    **effects("runs.", "columns.state columns.error", task=ANSWERS),
    **effects("runs. graded.", "states", task=ANSWERS, beside=("columns.state",)),
    **effects("runs.", "answers", task=PAIRS, without=("threshold",)),
    **effects("runs.", "threshold", task=PAIRS),
    **effects("runs.", "columns.candidate columns.score", task=LABELS),
    **effects("runs.", "columns.run", without=("run",)),
    **effects("runs.", "columns.epoch", task=REPEATED),
    **effects("judgments.", f"format files official question {SHAPE} empty_questions columns columns.assessor"),
    **effects("judgments.", "columns.paragraph columns.judgment"),
    **effects("judgments.", "correct partial closed pooled normalise run columns.document", task=ANSWERS),
    **effects("judgments.", "labels columns.label", task=LABELS),
    **effects("runs. judgments. graded.", "duplicates", task=LABELS),
    **effects("judgments.", "columns.run", task=ANSWERS, without=("run",)),
    **effects("judgments.", "columns.answer", task=(*ANSWERS, *REFERENCES)),
    **effects("graded.", f"format files layout missing question {SHAPE} empty_questions columns"),
    **effects("graded.", "columns.category scorer epochs metric filter best key na_prob"),
    **effects("graded.", "gold", task=ANSWERS),  # for pairs, verdicts say which are right
    **effects("graded.", "refusals failures", task=ANSWERS),
    **effects("graded.", "verdicts", without=("gold", "judged")),
    **effects("graded.", "correct_from", task=ANSWERS, without=("gold", "judged")),
    **effects("graded.", "columns.state columns.error", task=ANSWERS, layout=("long",)),
    **effects("graded.", "columns.has_answer", task=ANSWERS, layout=("long",), without=("gold",)),
    **effects(
        "graded.", "columns.unanswerable", task=ANSWERS, layout=("long",), without=("gold", "columns.has_answer")
    ),
    **effects("graded.", "columns.asked columns.target columns.explanation"),
    **effects("graded.", "judged", task=ANSWERS, layout=("long",), without=("gold", "assessors")),
    **effects("graded.", "answer_from columns.rank columns.position", task=ANSWERS, layout=("long",)),
    **effects("graded.", "normalise", beside=("gold",)),
    **effects("graded.", "unanswered failed", either=("gold", "refusals", "failures", "columns.answer")),
    **effects("graded.", "assessors run columns.confidence columns.score", layout=("long",)),
    **effects("graded.", "official", beside=("assessors",)),
    **effects("graded.", "systems", layout=("wide",)),
    **effects("graded.", "pivot", layout=("long",)),
    **effects("graded.", "ignore", without=("systems",)),
    **effects("graded.", "threshold", beside=("na_prob",)),
    **effects("graded.", "columns.run", layout=("long",), without=("run",)),
    **effects("runs. judgments. graded.", "columns.question", without=("question",)),
    **effects("judgments. graded.", "columns.candidate", task=PAIRS),
    **effects("graded.", "columns.epoch", task=REPEATED, layout=("long",)),
    **effects("graded.", "columns.verdict", layout=("long",), without=("gold", "assessors", "judged")),
    **effects("graded.", "columns.answer", task=ANSWERS, layout=("long",)),
    **effects("counts.", f"format files run {SHAPE} ignore columns"),
    **effects("counts.", "columns.run", without=("run",)),
    **effects("runs. judgments. graded. counts.", "keyed", without=("by_column",)),
    **{f"counts.columns.{name}": Effect(task=of) for name, of in COUNTED.items()},
}


def idle(campaign: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each option that is written but has no effect, and why; options inside such an option are left out."""
    above: tuple[str, ...] = ()
    for option in EFFECTS:
        written = is_written(campaign, option) and not option.startswith(above)
        if written and (reason := against(campaign, option)):
            above = (*above, f"{option}.")
            yield option, reason


def is_written(campaign: Mapping[str, Any], option: str) -> bool:
    """Whether a campaign has an option, which is named with a dot for each level."""
    name, _, inside = option.partition(".")
    return isinstance(campaign, dict) and name in campaign and (not inside or is_written(campaign[name], inside))


def against(campaign: Mapping[str, Any], option: str) -> str | None:
    """Why an option has no effect in a campaign; null where it has one."""
    effect, origin, task = EFFECTS[option], source(campaign), campaign["task"]
    place, _, inside = option.partition(".")
    part = campaign[place if inside else origin]
    written = part if isinstance(part, dict) else {}
    format = written.get("format")
    taken = formats.taking(place, inside) if place in ("runs", "judgments", "graded", "counts") else []
    for said, fact, allowed in (
        ("task {}", task, effect.task),
        ("a campaign of {}", origin, effect.source),
        ("{} files", format, effect.format or taken),
        ("layout {}", written.get("layout", "long"), effect.layout),
        ("graded responses of task {}", task if origin == "graded" else None, effect.graded),
    ):
        if allowed and fact not in (None, *allowed):
            return f"has no effect on {said.format(fact)}; it is for {', '.join(allowed)}"
    if others := [name for name in effect.without if is_written(written, name)]:
        return f"has no effect beside {others[0]}"
    if others := [name for name in effect.beside if not is_written(written, name)]:
        return f"has no effect without {others[0]}"
    if effect.either and format not in formats.LOGS and not any(is_written(written, it) for it in effect.either):
        return f"has no effect without {' or '.join(effect.either)}"
    return None
