"""Find the paths of a campaign that are missing or unreadable. Imports nothing heavy."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nonresponse import formats
from nonresponse.faults import quote
from nonresponse.ingest.files import describe_path, list_patterns, match_files
from nonresponse.settings import Files


def find_path_problems(campaign: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield files that are missing, or that the workflow cannot read, each with its key."""
    graded, counts = campaign.get("graded", {}), campaign.get("counts")
    parts = {part: campaign[part] for part in ("runs", "judgments", "graded") if part in campaign}
    if isinstance(counts, dict):
        parts["counts"], counts = counts, None
    for part, options in parts.items():
        folders = part != "counts" and formats.takes_folders(options["format"])
        problems = [
            problem
            for pattern in list_patterns(options["files"])
            for problem in find_pattern_problems(pattern, folders)
        ]
        remark = [f"and {len(problems) - 5:,} more such files"] if len(problems) > 5 else []
        yield from ((f"{part}.files", problem) for problem in problems[:5] + remark)
    yield from (("graded", problem) for problem in find_companion_problems(graded))
    yield from find_linked_truths(parts)
    paths = {"counts": counts, "questions": find_question_file(campaign)}
    for key, path in (paths | {"graded.key": graded.get("key")}).items():
        if path is not None and (problem := explain_path(path)):
            yield key, problem


def find_linked_truths(parts: Mapping[str, Files]) -> Iterator[tuple[str, str]]:
    """Yield the runs that are links to judgments or to a key, which would make all their answers
    right."""
    truths = match_files(parts["judgments"]["files"]).files if "judgments" in parts else []
    truths += [options["key"] for options in parts.values() if "key" in options]
    targets = {*map(os.path.realpath, truths)}
    for part in ({"runs", "graded"} & {*parts}) if targets else ():
        for file in filter(os.path.islink, match_files(parts[part]["files"]).files):
            if os.path.realpath(file) in targets:
                yield f"{part}.files", f"{quote(file)} is a link to what it is judged by; remove it"


def find_companion_problems(graded: Files) -> Iterator[str]:
    """Yield why a file that is read with a log cannot be an input of the workflow."""
    if graded.get("format") not in formats.LOGS:
        return
    if formats.LOGS[graded["format"]].questions == "key" and "key" not in graded:
        yield "the key `key` is missing, the data file with the gold answers"
    logs = match_files(graded["files"], formats.takes_folders(graded["format"])).files
    for file in formats.expand_files(graded["format"], logs, graded):
        if file not in logs and (problem := explain_unfit(file)):
            yield problem


def find_pattern_problems(pattern: str, folders: bool) -> Iterator[str]:
    """Yield why a pattern names no input. The check finds what matches but is no file."""
    name = quote(pattern)
    if not folders and describe_path(pattern) == "a folder":
        yield f"{name} is a folder; {quote(pattern.rstrip('/') + '/*')} would be what is in it"
    elif not any(matches := match_files(pattern, folders)):
        yield f"no {'folder' if folders else 'file'} matches {name} {describe_search(pattern)}"
    else:
        yield from filter(None, map(explain_unfit, matches.files))


def explain_path(path: str) -> str | None:
    """Return why a path names no input of the workflow."""
    if not os.path.lexists(path):
        return f"there is no file {quote(path)} {describe_search(path)}"
    kind = describe_path(path)
    return f"{quote(path)} is {kind}" if kind else explain_unfit(path)


def describe_search(path: str) -> str:
    """Return where a path was looked for; a shell would have expanded ~, the workflow does not."""
    home = "; ~ stands for no folder here" * path.startswith("~")
    return f"(looked from {Path.cwd()}{home})"


def explain_unfit(path: str) -> str | None:
    """Return why a file cannot be an input of the workflow."""
    if "{" in path or "}" in path:
        return f"{quote(path)} has a brace, which Snakemake takes for a wildcard; rename it"
    if variable := re.search("<[a-z][a-z0-9_]*>", path):
        return f"{quote(path)} has {variable[0]}, which Snakemake takes for a variable; rename it"
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath("results")):
        return f"{quote(path)} is a result of this workflow; narrow the pattern"
    return None


def find_question_file(campaign: Mapping[str, Any]) -> str | None:
    """Return the path of the question file, alone or beside its options, or null."""
    questions = campaign.get("questions")
    return questions["file"] if isinstance(questions, dict) else questions
