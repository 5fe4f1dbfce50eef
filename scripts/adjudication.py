"""The answers whose labels matter most, for a campaign that has time for more judgments."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "task": {"help": "a task, such as qa"},
    "verdicts": {"type": Path, "help": "of all assessors, Parquet"},
    "counts": {"type": Path, "help": "by assessor and run, Parquet"},
    "judged": {
        "nargs": "*",
        "type": Path,
        "help": "judgments.parquet and the tables of responses; none if these came graded",
    },
    "settings": {"type": commands.from_json, "help": "measures, official and, if that is one, vote; a JSON object"},
    "output": {"type": Path, "help": "the CSV file to write"},
}


def main(task: str, verdicts: Path, counts: Path, judged: list[Path], settings: dict, output: Path) -> None:
    from nonresponse import measures, tables
    from nonresponse.reliability import adjudication

    known = [measures.get(task, id) for id in [*settings["measures"], "accuracy"]]
    measure = next(
        it for it in known if it.kind == "counts" and not it.descriptive and {"n_ac", "n_aw"} & set(it.totals)
    )
    responses = [path for path in judged if path.parent.name == "responses"]
    judgments = [path for path in judged if path.name == "judgments.parquet"]
    table = adjudication.table(verdicts, counts, responses, judgments, measure, settings)
    tables.write_text(tables.harmless(table).write_csv(), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
