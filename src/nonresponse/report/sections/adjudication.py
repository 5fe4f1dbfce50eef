"""The answers whose labels matter most, for a campaign that has time for more judgments."""

from pathlib import Path

import polars as pl

from nonresponse import measures, tables
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.statistics import adjudication
from nonresponse.wording import plural

NAMES = ["position", "question", "epoch", "answer", "runs", "correct", "not_correct", "official"]
NAMES += ["labels_to_swap", "weight"]
CAPTION = "Disputed answers, in the order in which to judge them"


def make(
    campaign: Campaign,
    verdicts: Path,
    counts: Path,
    judgments: list[Path],
    responses: list[Path],
) -> None:
    """Write to_adjudicate.csv and adjudication.json.

    Settings: measures, seed, official, and `vote` if the official assessor is a vote.
    """
    candidates = [measures.get(campaign.task, id) for id in [*campaign.measures, "accuracy"]]
    for measure in candidates:
        is_ranking = measure.kind == "counts" and not measure.descriptive
        if is_ranking and {"n_ac", "n_aw"} & set(measure.totals):
            break
    table = adjudication.list_disputed(
        verdicts, counts, responses, judgments, measure, campaign.settings
    )
    tables.write_text(tables.defuse(table).write_csv(), campaign.folder / "to_adjudicate.csv")
    sections = {"adjudication": make_section(table)} if table.height else {}
    model.write_sections(sections, campaign.folder / "adjudication.json")


def make_section(frame: pl.DataFrame) -> Section:
    """Return how many answers are disputed or could swap two runs, and the first answers."""
    decisive = frame.filter(pl.col("labels_to_swap") == 1).height
    sentences = [
        f"Assessors disagree on whether {plural(frame.height, 'answer', 'is', 'are')} correct.",
        f"Another label for {decisive or 'none'} of them would, by itself, make two runs equal.",
    ]
    names = [name for name in NAMES if frame[name].is_not_null().any()]
    table = tabulate(CAPTION, frame, names, {"weight": 3}, long=["answer"], csv="to_adjudicate")
    return Section("What to judge next", sentences, "assessors", tables=[table])
