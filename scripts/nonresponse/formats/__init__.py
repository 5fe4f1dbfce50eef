"""On-disk formats: a record for each, and a module that turns one file into rows of the tables, and its faults.

The module of a format has its name, with _ for -. It has `read_runs(file, options)` and
`read_judgments(file, options)`; both return a frame and a list of faults. The frame has some of the columns of
`tables.RESPONSES` or `tables.JUDGMENTS` (what is left out gets its default; a run or assessor that the file does not
name is the file's stem) and a column `line`; where nothing could be read, it has no columns. A reader reports what it
cannot read; what is read but wrong (a duplicate, a confidence of 7) is found by `ingest`, once for all formats.

This file imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType


@dataclass(frozen=True)
class Format:
    """What the configuration must know of a format."""

    id: str
    tasks: tuple[str, ...] = ()  # that it is for; all of them if none is named
    runs: tuple[str, ...] = ()  # the options that only some formats have, and this one for its runs
    judgments: tuple[str, ...] = ()  # the same for its judgments
    correct: tuple[str, ...] = ("R",)  # the labels that count as correct if the configuration names none
    cluster: str = ""  # what of a question's name is the cluster that it belongs to, as a regular expression


def columns(*names: str) -> tuple[str, ...]:
    """Options that name these columns."""
    return tuple(f"columns.{name}" for name in names)


# In the order in which they are listed for people.
FORMATS = {
    format.id: format
    for format in (
        Format(
            "tabular",
            runs=(
                *columns(
                    *("run", "question", "epoch", "candidate", "answer", "document"),
                    *("rank", "position", "confidence", "score"),
                ),
                *("quoted", "unanswered", "nil", "failed", "answers", "threshold"),
            ),
            judgments=(
                *columns("assessor", "run", "question", "candidate", "document", "answer", "label"),
                *("quoted", "labels"),
            ),
        ),
        Format("trec-qa", tasks=("qa",), runs=("layout",)),
        Format("clef-qa4mre", tasks=("qa",), cluster="^(.*)/"),  # the topic and the reading test
        Format(
            "clef-respubliqa",
            tasks=("qa",),
            runs=(*columns("question", "status", "paragraph", "text"), "quoted"),
            judgments=(*columns("run", "question", "paragraph", "judgment"), "quoted"),
        ),
        Format(
            "romip",
            tasks=("qa",),
            runs=(*columns("question", "rank", "kind", "answer", "document"), "quoted"),
            judgments=(*columns("question", "answer", "label", "document"), "quoted"),
            correct=("good",),
        ),
        Format("pan", tasks=("validation",), runs=columns("question", "score"), judgments=columns("question", "label")),
        Format("ave", tasks=("validation",)),
        Format(
            "deft",
            tasks=("dating", "matching"),
            runs=(*columns("question", "answer", "confidence"), "quoted"),
            judgments=(*columns("question", "answer"), "quoted"),
        ),
    )
}


def of(task: str) -> list[str]:
    """The formats that a task's runs and judgments may have."""
    return [format.id for format in FORMATS.values() if not format.tasks or task in format.tasks]


def options(part: str) -> list[str]:
    """The options of `part`, runs or judgments, that only some formats have."""
    return list(dict.fromkeys(option for format in FORMATS.values() for option in getattr(format, part)))


def taking(part: str, option: str) -> list[str]:
    """The formats that have such an option, or options inside it, for `part`, runs or judgments."""
    return [
        format.id
        for format in FORMATS.values()
        if any(taken == option or taken.startswith(f"{option}.") for taken in getattr(format, part))
    ]


def module_name(id: str) -> str:
    """The name of the format's module."""
    return id.replace("-", "_")


def module(id: str) -> ModuleType:
    """The module with the readers of a format."""
    return import_module(f"nonresponse.formats.{module_name(id)}")
