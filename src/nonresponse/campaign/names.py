"""The names that runs get by `names:`, a map or a table, whose further columns are attributes of
the runs."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse import boards, measures, tasks
from nonresponse.campaign.paths import path_problem
from nonresponse.faults import shown
from nonresponse.legible import NAME, NAMED


def complete(campaign: dict, unpacked: dict) -> None:
    """Complete the names of a campaign that has some, as they are applied to its files.

    names: the new names by those in the files; names_from: the table, null if there is none;
    attributes: by attribute, its values by the new names of runs that have one. `unpacked` are the
    bounds of packed files.
    """
    named = campaign["names"]
    table = isinstance(named, str)
    rows, columns, _ = rows_of(named, unpacked) if table else ([], [], [])
    campaign["names_from"] = named if table else None
    campaign["names"] = {row["run"]: row["name"] for row in rows} if table else named
    campaign["attributes"] = {
        column: {row["name"]: row[column] for row in rows if row[column] is not None}
        for column in columns
    }
    for part in ("runs", "judgments", "graded"):
        if part in campaign:
            campaign[part]["names"] = campaign["names"]
    if "run" in campaign.get("questions", {}).get("columns", {}):
        campaign["questions"]["names"] = campaign["names"]


def rows_of(path: str, unpacked: dict) -> tuple[list[dict], list[str], list[str]]:
    """Return the rows of a table of names (a `name` that is left out is `run`); the names of its
    attributes; its faults."""
    from nonresponse.formats import records

    frame, faults = records.read_table(path, {"unpacked": unpacked})
    said = [
        f"{path}:{fault.line}: found {fault.found}; expected {fault.expected}" for fault in faults
    ]
    if frame.columns and "run" not in frame.columns:
        said.append(f"{path}:1: no column run; expected one, with the names that the files have")
    if said:
        return [], [], said
    rows = frame.rows(named=True)
    for row in rows:
        row["name"] = row.get("name") or row["run"]
    return rows, [name for name in frame.columns if name not in ("line", "run", "name")], []


def problems(key: str, campaign: Mapping[str, Any], unpacked: dict) -> Iterator[str]:
    """Yield what is wrong with the names of a campaign, whatever runs there are."""
    names = campaign.get("names", {})
    taken: dict[str, list] = {}
    if isinstance(names, dict):
        rows = [{"run": run, "name": name, "line": None} for run, name in names.items()]
        columns: list[str] = []
    elif problem := path_problem(names):
        yield f"{key}.names: {problem}"
        return
    else:
        rows, columns, said = rows_of(names, unpacked)
        yield from (f"{key}.names: {problem}" for problem in said[:20])
        ids = [*measures.of_task(campaign["task"]), *campaign.get("measures", [])]
        further = (column for id in ids for column in boards.columns(id, boards.ENDS))
        own = {*boards.OWN, *tasks.get(campaign["task"]).counts, *ids, *further}
        for column in (column for column in columns if column in own):
            found = f"the column {shown(column)} is one of the leaderboard's own"
            yield f"{key}.names: {names}: {found}; expected another name"
    runs: set[str] = set()
    for row in rows:
        said = [row[column] for column in columns]
        place = f"{key}.names: " + (f"{names}:{row['line']}: " if row["line"] else "")
        if not row["run"] or not re.fullmatch(NAME, row["name"]):
            wrong = "no run" if not row["run"] else f"the name {shown(row['name'])}"
            yield f"{place}found {wrong}; expected {NAMED}"
        elif row["run"] in runs:
            yield f"{place}found the run {shown(row['run'])} a second time; expected it once"
        elif said != taken.setdefault(row["name"], said):
            yield (
                f"{place}found other attributes of {shown(row['name'])} than above; expected "
                "the same"
            )
        runs.add(row["run"])
        taken.setdefault(row["name"], said)
