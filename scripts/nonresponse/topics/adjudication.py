"""The answers whose labels matter most, for a campaign that has time for more judgments."""

from pathlib import Path

from nonresponse import measures, tables
from nonresponse.pages.sections import Campaign
from nonresponse.reliability import adjudication


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """to_adjudicate.csv, by the first measure of right and wrong answers."""
    known = [measures.get(campaign.task, id) for id in [*campaign.measures, "accuracy"]]
    measure = next(
        it for it in known if it.kind == "counts" and not it.descriptive and {"n_ac", "n_aw"} & set(it.totals)
    )
    verdicts, counts, *judged = files
    judgments = [file for file in judged if file.name == "judgments.parquet"]
    responses = [file for file in judged if file not in judgments]
    table = adjudication.table(verdicts, counts, responses, judgments, measure, campaign.settings)
    tables.write_text(tables.harmless(table).write_csv(), campaign.folder / "to_adjudicate.csv")
