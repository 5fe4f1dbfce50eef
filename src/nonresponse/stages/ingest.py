"""Raw files to tables with all their faults, and the check that stops a campaign where there is
any."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nonresponse.stages.params import CheckParams, JudgmentsParams, QuestionsParams, ReadParams

if TYPE_CHECKING:
    from nonresponse.faults import Fault


def ingest_runs(
    files: list[Path], *, table: Path, faults: Path, names: Path, ruled: Path, params: ReadParams
) -> None:
    """Read a shard of raw runs: responses, faults, the runs with their files, and answers that a
    rule decided."""
    from nonresponse import tables
    from nonresponse.ingest import reading, refusals

    frame, of_runs, found = reading.read_responses(
        [str(file) for file in files], params.reading, params.task
    )
    tables.write(frame.drop(refusals.DECIDED, strict=False), table)
    tables.write(refusals.list_ruled(frame), ruled)
    tables.write(of_runs, names)
    write_faults(found, params.unreadable, faults)


def ingest_graded(
    files: list[Path],
    opened: list[Path],
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

    `files` are what the configuration names, folders in some formats; `opened` are all files that
    are read with them.
    """
    from nonresponse import tables
    from nonresponse.ingest import reading, refusals

    named = [str(file) for file in files]
    frame, of_runs, said, account, found = reading.read_graded(named, params.reading, params.task)
    tables.write(frame.drop(refusals.DECIDED, strict=False), table)
    for made, path in (
        (refusals.list_ruled(frame), ruled),
        (of_runs, names),
        (said, texts),
        (account, imports),
    ):
        tables.write(made, path)
    write_faults(found, params.unreadable, faults)


def ingest_judgments(
    judgments: list[Path],
    questions: list[Path],
    *,
    table: Path,
    asked: Path,
    faults: Path,
    names: Path,
    params: JudgmentsParams,
) -> None:
    """Read the judgments of all assessors, and the question set: its file, or the questions that
    are judged."""
    from nonresponse import tables
    from nonresponse.ingest import reading

    files = [str(file) for file in judgments]
    frame, found = reading.read_judgments(
        files, params.reading_judgments, params.known_labels, params.task
    )
    of_questions, more = (
        reading.read_questions(params.questions)
        if params.questions
        else (reading.list_judged_questions(frame), [])
    )
    of_questions = reading.add_format_columns(
        of_questions, frame, params.reading_judgments["format"]
    )
    assessors = reading.count_dropped(frame.drop_nulls("assessor"), ["assessor"]).sort("assessor")
    for made, path in (
        (frame.select(*tables.JUDGMENTS), table),
        (of_questions, asked),
        (assessors, names),
    ):
        tables.write(made, path)
    write_faults(found + more, params.unreadable, faults)


def ingest_questions(
    questions: list[Path], *, asked: Path, faults: Path, params: QuestionsParams
) -> None:
    """Read the question set of graded responses; an empty table where there is no file."""
    from nonresponse import tables
    from nonresponse.ingest import reading

    frame, found = (
        reading.read_questions(params.questions)
        if params.questions
        else (tables.empty(tables.QUESTIONS), [])
    )
    tables.write(frame, asked)
    write_faults(found, {}, faults)


def ingest_counts(
    files: list[Path],
    opened: list[Path],
    *,
    table: Path,
    faults: Path,
    imports: Path,
    params: ReadParams,
) -> None:
    """Read tables of published counts, or logs that hold counts; arguments as of
    `ingest_graded`."""
    from nonresponse import tables
    from nonresponse.ingest import readers

    frame, account, found = readers.read_published(
        [str(file) for file in files], params.reading, params.task
    )
    tables.write(frame, table)
    tables.write(account, imports)
    write_faults(found, params.unreadable, faults)


def write_faults(found: "list[Fault]", unreadable: dict[str, str], path: Path) -> None:
    """Write faults, with one for whatever matches the patterns of a campaign and is no file that
    can be read."""
    from nonresponse.faults import write_faults as write
    from nonresponse.ingest.files import Matches, find_unreadable

    write(find_unreadable(Matches([], unreadable)) + found, path)


def check(
    faults: list[Path],
    files: list[Path],
    accounts: list[Path],
    *,
    report: Path,
    check: Path,
    data: Path,
    params: CheckParams,
) -> None:
    """Report all faults of a campaign's files, and exit with 1 if there are any; else write what
    there is.

    `report` is written where there are faults, and removed where there are none. For the lines of
    faults that show only with all files at hand, raw files are read again.
    """
    from nonresponse import tables
    from nonresponse.faults import render_report
    from nonresponse.ingest import check as module
    from nonresponse.ingest import doubts, imports
    from nonresponse.report import model

    options, folder = params.checked_options, check.parent
    said = imports.read_accounts(accounts)
    relative = [str(path.relative_to(folder)) for path in faults]
    found, there, names = module.check_campaign(options, folder, relative, params.shards, said)
    if found:
        tables.write_text(render_report(found, params.name), report)
        sys.stderr.write(render_report(found, params.name, str(report)))
        raise SystemExit(1)
    report.unlink(missing_ok=True)
    sound, notes = f"no faults; {there}", doubts.describe_dropped(options, folder, params.shards)
    notes += doubts.describe_unscored(options, folder, params.shards)
    notes += doubts.find_doubts(*names, options.get("attributes"))
    if params.imported:
        format = next(
            part["format"] for part in (options.get("graded"), options.get("counts")) if part
        )
        notes += imports.list_warnings(said, format)
    tables.write_text("".join(f"{line}\n" for line in [f"{params.name}: {sound}", *notes]), check)
    heading = "Checks of the files"
    model.write_sections(
        {"found": model.Section(heading, [sound]), "notes": model.Section("Notes", notes)}, data
    )
