"""The data of `make bench-peers`: a simulated campaign, also in the files that peers read."""

import json
from pathlib import Path

import metering
import numpy as np
import polars as pl

RUNS_OF_TREC, RUNS_OF_JSON = 20, 1  # that evaluators are given, which take one run at a time
PAIRS = 5


def prepare(folder: Path, runs: int, questions: int, samples: int) -> None:
    """Writes it, and sizes.json, into a new folder."""
    metering.simulate(folder, runs, questions)
    judgments = table(folder / "judgments/official.tsv")
    question_table = judgments.select(pl.col("question").unique().sort())
    for name in ("trec", "json"):
        (folder / name).mkdir()
    write_trec(judgments, folder / "trec/qrels", "0", (pl.col("label") == "R").cast(pl.Int8))
    write_json(question_table.with_columns(label=pl.lit("R")), folder / "json/gold.json")
    right, unanswered = (np.zeros((runs, len(question_table)), bool) for _ in range(2))
    for row, file in enumerate(sorted((folder / "runs").glob("*.tsv"))):
        run = question_table.join(table(file), on="question", how="left", maintain_order="left")
        run = run.join(judgments, on=["question", "answer"], how="left", maintain_order="left")
        right[row] = (run["label"] == "R").fill_null(False)
        unanswered[row] = run["answer"].is_null()
        responses = run.drop_nulls("answer")
        if row < RUNS_OF_TREC:
            write_trec(responses, folder / f"trec/{file.stem}.run", "Q0", 1, 1.0, file.stem)
        if row < RUNS_OF_JSON:
            write_json(responses, folder / f"json/{file.stem}.run.json")
    for name, matrix in {"right": right, "unanswered": unanswered}.items():
        np.save(folder / f"{name}.npy", matrix)
    (folder / "sizes.json").write_text(json.dumps({"pairs": PAIRS, "samples": samples}))


def table(file: Path) -> pl.DataFrame:
    """A file of the campaign; an empty answer is none."""
    frame = pl.read_csv(file, separator="\t", schema_overrides={"answer": pl.String})
    return frame.with_columns(pl.col("answer").replace("", None))


def write_trec(rows: pl.DataFrame, file: Path, constant: str, *constants: object) -> None:
    """Lines of question, a constant, the answer as a document, and more constants or columns."""
    cells = [pl.col("question"), pl.lit(constant), pl.col("answer").str.replace_all(r"\s", "_")]
    cells += [cell if isinstance(cell, pl.Expr) else pl.lit(cell) for cell in constants]
    lines = rows.select(cell.alias(str(place)) for place, cell in enumerate(cells))
    lines.write_csv(file, separator=" ", include_header=False)


def write_json(rows: pl.DataFrame, file: Path) -> None:
    """Questions and whether they were answered right, as PyEvALL reads them."""
    value = pl.when(pl.col("label") == "R").then(pl.lit("right")).otherwise(pl.lit("wrong"))
    cells = {"test_case": pl.lit("campaign"), "id": pl.col("question"), "value": value}
    file.write_text(json.dumps(rows.select(**cells).to_dicts()))
