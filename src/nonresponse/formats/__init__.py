"""On-disk formats: a record for each, and what reads it.

Logs of harnesses are read as their record declares (`declared.Spec`). Of any other format
`module(id)` has `read_runs(file, options)` and `read_judgments(file, options)`, which return a
frame with `line` and some of the columns of `tables.RESPONSES` or `tables.JUDGMENTS` (no columns
where nothing could be read), and a fault for whatever cannot be read. Where the file names no run
or assessor, its stem is the name. `ingest` checks what was read.

This file imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from nonresponse.formats import metric_tables
from nonresponse.formats.declared import BOTH, Format, Sign, Spec
from nonresponse.settings import Files
from nonresponse.tasks.qa import ROMIP_LABELS

if TYPE_CHECKING:
    import polars as pl

    from nonresponse.faults import Fault

# A reader of a file by its options: rows with `line`, and faults.
Read = Callable[[str, Files], tuple["pl.DataFrame", list["Fault"]]]


def options_of(names: str, columns: str = "") -> tuple[str, ...]:
    """Return the names of options, and of columns that a format has."""
    return (*(f"columns.{name}" for name in columns.split()), *names.split())


# Options of the user's own tables: where in a file the records are; and all that runs and judgments
# share.
SHAPE = ("kind", "separator", "records", "keyed", "by_column", "nested")
OWN = f"run question {' '.join(SHAPE)} duplicates empty_questions"


def of_deft(task: str, answer: str) -> tuple[Sign, ...]:
    """Return the signs of one task of DEFT: with confidences, a file is a run for certain."""
    return (
        Sign(".csv", f"question {answer} confidence", "runs", task=task, alone=True),
        Sign(".csv", f"question {answer}", "", task=task, alone=True),
    )


def of_lines(pattern: str, part: str, having: str) -> Sign:
    """Return the sign of a text whose lines match a pattern."""
    return Sign("", pattern, part, why=f"its lines have {having}")


# The modules of harnesses, in the order in which they are listed for people
HARNESSES = (
    "inspect",
    "lm_eval",
    "abstentionbench",
    "squad2",
    "helm",
    "promptfoo",
    "openai_evals",
    "lighteval",
    "simple_evals",
    "longmemeval",
    "deepeval",
    "evalscope",
    "verifiers",
    "every_eval_ever",
)
MODULES = [import_module(f"nonresponse.formats.{name}") for name in HARNESSES]
LOGS = {spec.id: spec for spec in (*(one.SPEC for one in MODULES), *metric_tables.SPECS)}
# In the order in which they are listed for people.
FORMATS = {
    format.id: format
    for format in (
        Format(
            "tabular",
            runs=options_of(
                f"quoted unanswered nil failed labels threshold answer_from normalise {OWN}"
                " states refusals failures",
                columns="run question epoch candidate answer document rank position confidence"
                " score state error",
            ),
            judgments=options_of(
                f"quoted labels normalise {OWN}",
                columns="assessor run question candidate document answer label",
            ),
            tells=("ranks", "scores", "selected", "withheld"),
            has_empty_answers=True,
            judges_nil=True,
        ),
        Format(
            "trec-qa",
            tasks=("qa",),
            runs=("layout", "refusals", "failures"),
            tells=("nil", "ranks", "scores"),
            signs=(
                of_lines(r"\S+ (Q0 .*|\S+ \d+ [-+.\de]+ .*)", "runs", "a rank and a score"),
                of_lines(r"\S+ \S+ (-1|[123WRUX])( .*)?", "judgments", "a document and a judgment"),
                of_lines(r"\d+ (?P<tag>\S+) .*", "runs", "a question, the tag {}, and a document"),
            ),
        ),
        Format(
            "clef-qa4mre",
            tasks=("qa",),
            cluster="^(.*)/",  # the topic and the reading test
            category="^(.*?)/",  # the topic
            choices=True,
            tells=("withheld",),
            signs=(
                Sign(".xml", "output question", "runs"),
                Sign(".xml", "test-set answer", "judgments", some="q question"),
            ),
        ),
        Format(
            "clef-respubliqa",
            tasks=("qa",),
            runs=("quoted", "refusals", "failures"),
            judgments=("quoted",),
            tells=("withheld",),
            signs=(
                Sign(".csv", "question status paragraph", "runs"),
                Sign(".csv", "run question paragraph judgment", "judgments"),
            ),
        ),
        Format(
            "romip",
            tasks=("qa",),
            runs=options_of(
                "quoted refusals failures", columns="question rank kind answer document"
            ),
            judgments=options_of("quoted", columns="question answer label document"),
            correct=("good",),
            tells=("ranks", "romip"),
            signs=(
                Sign(".csv", "question rank kind answer", "runs"),
                Sign(".csv", "question answer label", "judgments", labels=ROMIP_LABELS),
            ),
        ),
        Format(
            "pan",
            tasks=("validation",),
            runs=options_of("", columns="question score"),
            judgments=options_of("", columns="question label"),
            tells=("scores",),
            headed_by="c@1",  # its systems may leave pairs open
            signs=(
                Sign(".jsonl", "id value", "runs", alone=True),
                Sign(".jsonl", "id same", "judgments", alone=True),
                Sign(".jsonl", "id same authors", "judgments", alone=True),
                Sign(".jsonl", "id label", ""),
                Sign(".jsonl", "id is_human", ""),
            ),
        ),
        Format(
            "deft",
            tasks=("dating", "matching"),
            runs=options_of("quoted", columns="question answer confidence"),
            judgments=options_of("quoted", columns="question answer"),
            signs=(*of_deft("dating", "year"), *of_deft("matching", "label")),
        ),
    )
}


def in_part(part: str, task: str | None = None) -> list[str]:
    """Return the formats of a part of the configuration, for a task or for all."""
    known: list[Format | Spec] = [log for log in LOGS.values() if log.part == part]
    known = [*FORMATS.values()] if part in ("runs", "judgments") else [FORMATS["tabular"], *known]
    return [one.id for one in known if task is None or task in (one.tasks or (task,))]


def folders(id: str) -> bool:
    """Whether `files:` names folders in a format."""
    return id in LOGS and any(sign.ending == "/" for sign in LOGS[id].signs)


def ruled(options: Files) -> bool:
    """Return whether options have rules on the text of answers, such as lists of words."""
    of_words = options.get("format") in LOGS or ("layout" in options and "gold" not in options)
    return bool(
        {"refusals", "failures"} & options.keys()
        or (of_words and {"unanswered", "failed"} & options.keys())
    )


def telling(state: str) -> list[str]:
    return [log.id for log in LOGS.values() if state in log.states]


def read_with(id: str, paths: list[str], options: Files) -> list[str]:
    """Return every file that is read if `files:` names these paths, each once."""
    if id not in LOGS:
        return paths
    return list(dict.fromkeys(file for path in paths for file in LOGS[id].files_of(path, options)))


def with_ending(ending: str) -> list[str]:
    """Return the formats that look.py knows by files with this ending."""
    known: list[Format | Spec] = [*FORMATS.values(), *LOGS.values()]
    return [one.id for one in known if ending and any(sign.ending == ending for sign in one.signs)]


def taking(part: str, option: str) -> list[str]:
    """Return the formats that have such an option, or options inside it, for a part."""
    if part in ("counts", "graded"):
        logs = [log.id for log in LOGS.values() if part == "graded" and option in log.options]
        tables = ["tabular"] if not logs or option in BOTH else []
        return [] if option in ("", "format", "files") else [*tables, *logs]
    each = ((format.id, getattr(format, part)) for format in FORMATS.values())
    return [id for id, names in each if any(f"{name}.".startswith(f"{option}.") for name in names)]


PRESETS = ("romip", "clef-respubliqa", "pan", "deft")  # formats of tables that presets.py has


def module(id: str) -> Any:
    """Return the reader of a format: the record of a log, a preset of tables, or a module."""
    if id in PRESETS:
        return import_module("nonresponse.formats.presets").PRESETS[id]
    return LOGS[id] if id in LOGS else import_module(f"nonresponse.formats.{id.replace('-', '_')}")
