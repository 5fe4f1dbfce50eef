"""All faults of a campaign's files in one report; exit 1 if there is any, so that nothing below runs."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    campaign: Annotated[str, typer.Option(help="its name")],
    options: Annotated[str, typer.Option(help="task and files as in config.yaml, a JSON object")],
    folder: Annotated[Path, typer.Option(help="the campaign's results")],
    faults: Annotated[str, typer.Option(help="the tables of faults within the folder, a JSON list")],
    shards: Annotated[str, typer.Option(help="the numbers of the shards, a JSON list")],
    report: Annotated[Path, typer.Option(help="where the report goes when there are faults")],
    output: Annotated[Path, typer.Option(help="the certificate to write when there are none")],
) -> None:
    import polars as pl
    from nonresponse import check, doubts, tasks
    from nonresponse.faults import read
    from nonresponse.faults import report as as_text
    from nonresponse.tables import write_text

    spec = json.loads(options)
    found = [fault for name in json.loads(faults) for fault in read(folder / name)]
    parts = json.loads(shards)
    if "counts" in spec:
        runs, named = pl.read_parquet(folder / "table.parquet")["run"].to_list(), []
        summary = f"{len(runs)} runs, as counts"
    else:
        names = pl.concat([pl.read_parquet(folder / "runs" / f"{part}.parquet") for part in parts])
        runs = [*names["run"], *tasks.get(spec["task"]).trivial]
        summary = f"{names['run'].n_unique()} runs, {names['responses'].sum()} responses"
        table = "graded" if "graded" in spec else "responses"
        files = [folder / table / f"{part}.parquet" for part in parts]
        questions = folder / "questions.parquet"
        named = [questions, *files] if "graded" in spec else [questions, folder / "judgments.parquet"]
        if "graded" in spec:
            found += check.check_graded(spec, files, questions, names)
        else:
            found += check.check_responses(spec, files, folder / "judgments.parquet", questions, names)
    # A file with faults may hold the runs that seem to be missing.
    found = found or check.check_named_runs(spec, sorted(set(runs)))
    if "size" in spec and not found:
        asked = files if "graded" in spec else [questions]
        found = check.check_size(spec, pl.scan_parquet(asked).select(pl.col("question").n_unique()).collect().item())
    if found:
        text = as_text(found, campaign)
        write_text(text, report)
        sys.stderr.write(text)
        raise typer.Exit(1)
    report.unlink(missing_ok=True)
    lines = [f"{campaign}: no faults; {summary}", *doubts.doubts(runs, named)]
    write_text("\n".join(lines) + "\n", output)


if __name__ == "__main__":
    app()
