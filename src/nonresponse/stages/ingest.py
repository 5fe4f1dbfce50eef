"""Read raw files into tables with all their faults, and stop a campaign that has any."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nonresponse.stages.params import CheckParams, JudgmentsParams, QuestionsParams, ReadParams

if TYPE_CHECKING:
    import polars as pl

    from nonresponse.faults import Fault


def ingest_runs(
    shard_files: list[Path],
    *,
    table: Path,
    faults: Path,
    names: Path,
    ruled: Path,
    params: ReadParams,
) -> None:
    """Read a shard of raw runs: responses, faults, runs, and answers that a rule decided."""
    from nonresponse.ingest import reading

    responses, runs, problems = reading.read_responses(
        [*map(str, shard_files)], params.reading, params.task
    )
    write_responses(responses, table, ruled)
    write_results(problems, params.unreadable, faults, (runs, names))


def ingest_graded(
    matched_files: list[Path],
    shard_files: list[Path],
    *,
    table: Path,
    faults: Path,
    names: Path,
    ruled: Path,
    texts: Path,
    imports: Path,
    params: ReadParams,
) -> None:
    """Read a shard of graded responses, with their texts and what logs state of themselves.

    `matched_files` are what the configuration names, folders in some formats; `shard_files` are all
    files that are read with them.
    """
    from nonresponse.ingest import reading

    responses, runs, answers, accounts, problems = reading.read_graded(
        [*map(str, matched_files)], params.reading, params.task
    )
    write_responses(responses, table, ruled)
    tables = (runs, names), (answers, texts), (accounts, imports)
    write_results(problems, params.unreadable, faults, *tables)


def ingest_judgments(
    judgment_files: list[Path],
    question_files: list[Path],
    *,
    table: Path,
    question_set: Path,
    faults: Path,
    names: Path,
    params: JudgmentsParams,
) -> None:
    """Read the judgments of all assessors, and the question set, else the judged questions."""
    from nonresponse import tables
    from nonresponse.ingest import reading

    options = params.reading_judgments
    frame, problems = reading.read_judgments(
        [*map(str, judgment_files)], options, params.known_labels, params.task
    )
    if params.questions:
        items, item_problems = reading.read_questions(params.questions)
    else:
        items, item_problems = reading.list_judged_questions(frame), []
    items = reading.add_format_columns(items, options["format"])
    assessors = reading.count_dropped(frame.drop_nulls("assessor"), ["assessor"]).sort("assessor")
    results = (frame.select(*tables.JUDGMENTS), table), (items, question_set), (assessors, names)
    write_results(problems + item_problems, params.unreadable, faults, *results)


def ingest_questions(
    question_files: list[Path], *, question_set: Path, faults: Path, params: QuestionsParams
) -> None:
    """Read the question set of graded responses; an empty table where there is no file."""
    from nonresponse import tables
    from nonresponse.faults import Fault
    from nonresponse.ingest import reading

    items, problems = tables.make_empty(tables.QUESTIONS), list[Fault]()
    if params.questions:
        items, problems = reading.read_questions(params.questions)
    write_results(problems, {}, faults, (items, question_set))


def ingest_counts(
    matched_files: list[Path],
    count_files: list[Path],
    *,
    table: Path,
    faults: Path,
    imports: Path,
    params: ReadParams,
) -> None:
    """Read published counts, or logs that hold counts, with arguments as of `ingest_graded`."""
    from nonresponse.ingest import readers

    counts, accounts, problems = readers.read_published(
        [*map(str, matched_files)], params.reading, params.task
    )
    write_results(problems, params.unreadable, faults, (counts, table), (accounts, imports))


def write_responses(responses: "pl.DataFrame", table: Path, ruled: Path) -> None:
    """Write responses, and for audit those that a rule on their text decided."""
    from nonresponse import tables
    from nonresponse.ingest import refusals

    tables.write(responses.drop(refusals.DECIDED, strict=False), table)
    tables.write(refusals.list_ruled(responses), ruled)


def write_results(
    problems: "list[Fault]",
    unreadable: dict[str, str],
    faults: Path,
    *results: "tuple[pl.DataFrame, Path]",
) -> None:
    """Write tables and faults, one of these for what patterns match but cannot be read."""
    from nonresponse import tables
    from nonresponse.faults import write_faults
    from nonresponse.ingest.files import Matches, find_unreadable

    for frame, path in results:
        tables.write(frame, path)
    write_faults(find_unreadable(Matches([], unreadable)) + problems, faults)


def check(
    faults: list[Path],
    checked_tables: list[Path],
    accounts: list[Path],
    *,
    report: Path | None,
    check: Path,
    data: Path | None,
    params: CheckParams,
) -> None:
    """Report all faults of a campaign's files, and exit with 1 if there are any; else write the
    notes on them.

    `report` is written where there are faults, and removed where there are none; null for none.
    Without `data` no notes are written. For the lines of faults that show only with all files at
    hand, raw files are read again.
    """
    from nonresponse import tables
    from nonresponse.faults import render_report
    from nonresponse.ingest import check as module
    from nonresponse.ingest import doubts, imports
    from nonresponse.report import model

    options, folder = params.checked_options, check.parent
    statements = imports.read_accounts(accounts)
    relative = [str(path.relative_to(folder)) for path in faults]
    problems, summary, names = module.check_campaign(
        options, folder, relative, params.shards, statements
    )
    if problems:
        if report:
            tables.write_text(render_report(problems, params.name), report)
        sys.stderr.write(render_report(problems, params.name, str(report or "")))
        raise SystemExit(1)
    if report:
        report.unlink(missing_ok=True)
    if not data:
        return
    notes = doubts.describe_dropped(options, folder, params.shards)
    notes += doubts.describe_unscored(options, folder, params.shards)
    notes += doubts.find_doubts(*names)
    if params.imported:
        part = options.get("graded") or options["counts"]
        notes += imports.list_warnings(statements, part["format"])
    sound = f"no faults; {summary}"
    tables.write_text("".join(f"{line}\n" for line in [f"{params.name}: {sound}", *notes]), check)
    checks = model.Section("Checks of the files", [sound])
    model.write_sections({"found": checks, "notes": model.Section("Notes", notes)}, data)
