"""Judges beside the official assessor, also run by run; corrected scores; no table where one assessor alone judged."""

import polars as pl

from nonresponse.pages.report.blocks import Block, column, table
from nonresponse.pages.report.sections.trust import of_analyses
from nonresponse.pages.sections import Campaign

ABOUT = {
    "judged": "responses judged",
    "failed": "responses that were to be judged and were not",
    "compared": "responses that the official assessor judged, too",
    "agreement": "share of the responses compared with the same verdict",
    "agreement_worst": "had every failed judgment been another one",
    "agreement_best": "had every failed judgment been the same",
    "kappa": "Cohen's kappa: agreement beyond chance",
    "sensitivity": "share called correct of the responses that officially are",
    "specificity": "share not called correct of the responses that officially are not",
    "leniency": "share of the responses called correct, less the share that officially is",
    "tau": "Kendall's tau-b of the judge's ranking of the runs and the official one",
    "tau_lower": "the ends of its interval: other questions",
    "tau_upper": "the ends of its interval: other questions",
    "tau_worst": "the lowest, with failed judgments left out, all wrong, or all right",
    "tau_best": "the highest of these",
    "unjudged": "runs of which the judge judged nothing, and which it does not rank",
    "swaps": "pairs of runs that the judge puts the other way round",
    "sensitivity_p": "p-value of one sensitivity on all runs: where it is small, errors differ between runs",
    "specificity_p": "the same of its specificity",
    "twice": "responses that the official assessor judged, too",
    "others": "responses that the judge alone judged",
    "as_judged": "accuracy by the judge",
    "official": "accuracy by the official assessor, of what both judged",
    "ppi": "accuracy by prediction-powered inference (PPI++)",
    "ppi_lower": "the ends of its interval",
    "ppi_upper": "the ends of its interval",
    "rogan_gladen": "accuracy by the judge's sensitivity and specificity on this run (Rogan and Gladen)",
    "rogan_gladen_lower": "the ends of its interval",
    "rogan_gladen_upper": "the ends of its interval",
    "pooled": "the same by its sensitivity and specificity on all runs; none where these differ between runs",
    "pooled_lower": "the ends of its interval",
    "pooled_upper": "the ends of its interval",
    "swaps_told_apart": "of these, pairs that differ under the official judgments",
}
HIGHER = ("agreement", "kappa", "sensitivity", "specificity", "tau")


def blocks(campaign: Campaign) -> list[Block]:
    """What was found; a row per judge, a row per judge and run, and the corrected scores where there are any."""
    said = of_analyses(campaign, ["judges"], tables=None)
    judges, by_run = campaign.csv("judges"), campaign.csv("judges_by_run")
    if not (judges["compared"] > 0).any():
        return said
    corrected = campaign.csv("corrected")
    about = "Accuracy corrected for the errors of each judge"
    return [
        *said,
        of(judges, "Judges beside the official assessor, who comes first", "judges"),
        of(by_run.filter(pl.col("compared") > 0), "The same run by run", "judges_by_run", folded="Run by run"),
        *[of(corrected, about, "corrected", folded="Corrected scores")] * bool(corrected.height),
    ]


def of(frame: pl.DataFrame, caption: str, csv: str, folded: str = "") -> Block:
    """The table with those of its columns that have a value."""
    names = [name for name in frame.columns if name in ABOUT and frame[name].is_not_null().any()]
    columns = [column("judge"), *[column("run", run=True)] * ("run" in frame.columns)]
    for name in names:
        digits = 3 if frame.schema[name].is_float() else None
        better = "higher" if name in HIGHER else "lower" if name == "failed" else "neither"
        columns.append(column(name, "number", digits=digits, about=ABOUT[name], better=better))
    shown = frame.select("judge", *["run"] * ("run" in frame.columns), *names)
    return table(shown, columns, caption, folded=folded, csv=csv)
