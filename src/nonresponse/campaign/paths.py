"""The paths that a campaign names: what is missing, and what the workflow cannot read; imports
nothing heavy."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nonresponse import formats
from nonresponse.faults import shown
from nonresponse.ingest.files import matched, patterns, what_is
from nonresponse.settings import Files

NUL = "has a NUL, which no path has"


def file_problems(key: str, campaign: Mapping[str, Any]) -> Iterator[str]:
    """Yield files that are missing, or that the workflow cannot read."""
    for part in ("runs", "judgments", "graded"):
        if part in campaign:
            folders = formats.folders(campaign[part]["format"])
            named = patterns(campaign[part]["files"])
            problems = [
                problem for pattern in named for problem in pattern_problems(pattern, folders)
            ]
            more = [f"and {len(problems) - 5:,} more such files"] if len(problems) > 5 else []
            yield from (f"{key}.{part}.files: {problem}" for problem in problems[:5] + more)
    graded, counts = campaign.get("graded", {}), campaign.get("counts")
    yield from (f"{key}.graded: {problem}" for problem in companion_problems(graded))
    if isinstance(counts, dict):
        yield from (
            f"{key}.counts.files: {problem}" for problem in pattern_problems(counts["files"])
        )
        counts = None
    others = {
        "counts": counts,
        "questions": questions_file(campaign),
        "graded.key": graded.get("key"),
    }
    for part, path in others.items():
        if path is not None and (problem := path_problem(path)):
            yield f"{key}.{part}: {problem}"


def companion_problems(graded: Files) -> Iterator[str]:
    """Yield why a file that is read with a log, but that no pattern names, cannot be an input of
    the workflow."""
    if graded.get("format") not in formats.LOGS:
        return
    if formats.LOGS[graded["format"]].questions == "key" and "key" not in graded:
        yield "the key `key` is missing, the data file with the gold answers"
    if "\0" in graded.get("na_prob", "") + graded.get("key", ""):
        yield f"na_prob or key {NUL}"
        return
    named = [pattern for pattern in patterns(graded["files"]) if "\0" not in pattern]
    logs = matched(named, formats.folders(graded["format"])).files
    for file in formats.read_with(graded["format"], logs, graded):
        if file not in logs and (problem := unfit_path(file)):
            yield problem


def pattern_problems(pattern: str, folders: bool = False) -> Iterator[str]:
    """Yield why a pattern names no input of the workflow; what matches but is no file is a fault,
    found by the check."""
    if "\0" in pattern:
        yield f"{shown(pattern)} {NUL}"
    elif not folders and what_is(pattern) == "a folder":
        yield (
            f"{shown(pattern)} is a folder; {shown(pattern.rstrip('/') + '/*')} would be "
            "what is in it"
        )
    elif not any(matches := matched(pattern, folders)):
        yield (
            f"no {'folder' if folders else 'file'} matches {shown(pattern)} {looked_from(pattern)}"
        )
    else:
        yield from (problem for file in matches.files if (problem := unfit_path(file)))


def path_problem(path: str) -> str | None:
    """Return why a path names no input of the workflow."""
    if "\0" in path:
        return f"{shown(path)} {NUL}"
    if not os.path.lexists(path):
        return f"there is no file {shown(path)} {looked_from(path)}"
    kind = what_is(path)
    return f"{shown(path)} is {kind}" if kind else unfit_path(path)


def looked_from(path: str) -> str:
    """Return where a path was looked for; a shell would have expanded ~, the workflow does not."""
    return f"(looked from {Path.cwd()}" + (
        "; ~ stands for no folder here)" if path.startswith("~") else ")"
    )


def unfit_path(path: str) -> str | None:
    """Return why a file cannot be an input of the workflow."""
    if "{" in path or "}" in path:
        return f"{shown(path)} has a brace, which Snakemake takes for a wildcard; rename it"
    if variable := re.search("<[a-z][a-z0-9_]*>", path):
        return f"{shown(path)} has {variable[0]}, which Snakemake takes for a variable; rename it"
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath("results")):
        return f"{shown(path)} is a result of this workflow; narrow the pattern"
    return None


def questions_file(campaign: Mapping[str, Any]) -> str | None:
    """Return the path of the question file, which may stand alone or beside its options; null where
    there is none."""
    questions = campaign.get("questions")
    return questions["file"] if isinstance(questions, dict) else questions
