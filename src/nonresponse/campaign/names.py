"""The names that runs get by `names:`, a map, or a table with attributes of the runs."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse import boards, measures, tasks
from nonresponse.campaign.paths import explain_path
from nonresponse.faults import quote
from nonresponse.legible import NAME, NAMING


def complete(campaign: dict) -> None:
    """Complete the names of a campaign that has some, as they are applied to its files.

    names: the new names by those in the files; names_from: the table, null if there is none;
    attributes: by attribute, its values by the new names of runs that have one.
    """
    names = campaign["names"]
    campaign |= {"names_from": None, "attributes": {}}
    if isinstance(names, str):
        rows, columns, _ = read_names(names)
        campaign |= {"names_from": names, "names": {row["run"]: row["name"] for row in rows}}
        campaign["attributes"] = {
            column: {row["name"]: row[column] for row in rows if row[column] is not None}
            for column in columns
        }
    for part in ("runs", "judgments", "graded"):
        if part in campaign:
            campaign[part]["names"] = campaign["names"]
    if "run" in campaign.get("questions", {}).get("columns", {}):
        campaign["questions"]["names"] = campaign["names"]


def read_names(path: str) -> tuple[list[dict], list[str], list[str]]:
    """Return the rows of a table of names, where `name` may be `run`, attributes and faults."""
    from nonresponse.formats import records

    frame, faults = records.read_table(path)
    problems = [
        f"{path}:{fault.line}: found {fault.found}; expected {fault.expected}" for fault in faults
    ]
    if frame.columns and "run" not in frame.columns:
        expected = "expected one, with the names that the files have"
        problems.append(f"{path}:1: no column run; {expected}")
    if problems:
        return [], [], problems
    rows = [row | {"name": row.get("name") or row["run"]} for row in frame.rows(named=True)]
    return rows, [name for name in frame.columns if name not in ("line", "run", "name")], []


def find_problems(campaign: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the names of a campaign, whatever runs there are."""
    names = campaign.get("names", {})
    columns, problems = list[str](), list[str]()
    if isinstance(names, dict):
        rows = [{"run": run, "name": name} for run, name in names.items()]
    elif problem := explain_path(names):
        yield "names", problem
        return
    else:
        rows, columns, problems = read_names(names)
        ids = [*measures.load_measures(campaign["task"]), *campaign.get("measures", [])]
        score_columns = [
            column for id in ids for column in boards.name_columns(id, boards.SUFFIXES)
        ]
        board_columns = {
            *boards.RESERVED,
            *tasks.get(campaign["task"]).counts,
            *ids,
            *score_columns,
        }
        for column in (name for name in columns if name in board_columns):
            reason = "one of the leaderboard's own; expected another"
            problems.append(f"{names}:1: found the column {quote(column)}, {reason}")
    for row, problem in find_row_problems(rows, columns):
        position = f"{names}:{row['line']}: " if "line" in row else ""
        problems.append(f"{position}{problem}")
    yield from (("names", problem) for problem in problems[:20])


def find_row_problems(rows: list[dict], columns: list[str]) -> Iterator[tuple[dict, str]]:
    """Yield rows with an unfit name, a repeated run, or attributes unlike those of the name."""
    runs, attributes_by_name = set[str](), dict[str, list]()
    for row in rows:
        run, name, attributes = row["run"], row["name"], [row[column] for column in columns]
        if not run or not re.fullmatch(NAME, name):
            yield (
                row,
                f"found {f'the name {quote(name)}' if run else 'no run'}; expected {NAMING}",
            )
        elif run in runs:
            yield row, f"found the run {quote(run)} a second time; expected it once"
        elif attributes != attributes_by_name.get(name, attributes):
            problem = f"found other attributes of {quote(name)} than above"
            yield row, f"{problem}; expected the same"
        runs.add(run)
        attributes_by_name.setdefault(name, attributes)
