"""Responses and judgments, or graded responses, to verdicts; and verdicts for other programs."""

from pathlib import Path

from nonresponse.stages.params import JudgeParams, ResponsesParams, drop_empty


def judge(
    responses: list[Path],
    graded: list[Path],
    judgments: list[Path],
    questions: list[Path],
    check: list[Path],
    *,
    verdicts: Path,
    memo: Path | None = None,
    code: str = "",
    params: JudgeParams,
) -> None:
    """Judge all responses of a campaign; `check` says that its files have no fault.

    `memo` is a file that may hold what an earlier call judged, by the same `code`.
    """
    from nonresponse import judging

    options = params.settings()
    tables = drop_empty(
        responses=responses, graded_responses=graded, judgments=judgments, questions=questions
    )
    judging.judge(options.pop("task"), tables, verdicts, memo, code, **options)


def export_verdicts(verdicts: Path, *, table: Path) -> None:
    """Write all verdicts with names, sorted, with all columns that follow from them."""
    from nonresponse.judging.store import read_verdicts
    from nonresponse.tables import write

    write(read_verdicts(verdicts).rows(), table)


def export_responses(
    verdicts: Path,
    texts: list[Path],
    responses: list[Path],
    ruled: list[Path],
    imports: list[Path],
    *,
    table: Path,
    lines: Path,
    params: ResponsesParams,
) -> None:
    """Write every response with its state, reason and text, as Parquet and as JSON lines."""
    from nonresponse import tasks
    from nonresponse.judging.responses import write_responses

    sources = drop_empty(texts=texts, responses=responses, ruled=ruled, imports=imports)
    pairs = tasks.get(params.task).pairs
    write_responses(table.parent, verdicts, sources, params.official, params.deciding_field, pairs)
