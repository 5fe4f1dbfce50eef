"""What the analyses find in campaigns drawn from one seed after another: what claims on data that
nobody has rest on.

A row per seed, the shipped campaign's first, with the figures that decide the claims
(tools/reproduction/claims.py).
"""

import itertools
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
from nonresponse.statistics.analyses import Inputs
from reproduction.figures import read_rows

from simulation import shipped
from simulation.evaluated import HOME, Campaign

RESPUBLIQA, TREC = "respubliqa-2009-simulated", "trec-2002-simulated"
STUDIED = ("c@1", "accuracy", "uf")  # by Peñas & Rodrigo 2011, section 4
SENSITIVITY = ("required_difference", "relative_difference", "sensitivity")
DIFFERENCE = 0.05  # whose error rate Voorhees 2003 tells in section 4
DIGITS = 6

Figures = dict[str, Any]


def respubliqa_figures(campaign: Campaign) -> Figures:
    """On sections 2.2, 3.4, 4.2 and 4.3 of Peñas & Rodrigo 2011."""
    figures: Figures = {}
    for id in STUDIED:
        sensitivity = literal_sensitivity(
            campaign.trials("swap", id)[0], campaign.settings["level"]
        )
        figures |= {f"{id} {name}": sensitivity[name] for name in SENSITIVITY}
    figures |= stability({id: campaign.trials("stability", id)[0] for id in STUDIED})
    counts = (
        pl.read_parquet(campaign.counts[0])
        .select(pl.sum("n_ac", "n_aw", "n_ur", "n_uw"))
        .row(0, named=True)
    )
    figures["right of answers"] = counts["n_ac"] / (counts["n_ac"] + counts["n_aw"])
    figures["right of withheld"] = counts["n_ur"] / (counts["n_ur"] + counts["n_uw"])
    _, estimates = campaign.summary("candidates", Inputs(campaign.counts[0]))
    distances = dict(estimates.select("estimate", "distance").iter_rows())
    return figures | {f"{id} distance": distances[id] for id in ("c@1", "uf_half", "accuracy")}


def literal_sensitivity(swap: pl.DataFrame, level: float) -> dict[str, float]:
    """Return (i), (iii) and (iv) of table 2 of Peñas & Rodrigo 2011 by the rates as they are."""
    required = swap.filter(pl.col("swap_rate") <= level).select(pl.min("lower")).item()
    reaching = swap.filter(pl.col("lower") >= required).select(pl.sum("comparisons")).item()
    relative, share = (
        required / swap["highest"][0],
        reaching / swap.select(pl.sum("comparisons")).item(),
    )
    return {"required_difference": required, "relative_difference": relative, "sensitivity": share}


def stability(curves: dict[str, pl.DataFrame]) -> Figures:
    """Whether the curves fall throughout; the error rates at the largest share of ties that all of
    them reach, their means over the shares that all have, and the largest of all.
    """
    points = {
        id: curve.sort("ties").select("ties", "error_rate").to_numpy().T
        for id, curve in curves.items()
    }
    first, last = (
        max(ties[0] for ties, _ in points.values()),
        min(ties[-1] for ties, _ in points.values()),
    )
    common = np.linspace(first, last, 101)
    figures: Figures = {
        "falling curves": sum(bool((np.diff(errors) <= 0).all()) for _, errors in points.values())
    }
    figures |= {
        "ties": float(last),
        "largest error rate": max(float(errors.max()) for _, errors in points.values()),
    }
    for id, (ties, errors) in points.items():
        figures[f"{id} error rate"] = float(np.interp(last, ties, errors))
        figures[f"{id} mean error rate"] = float(np.interp(common, ties, errors).mean())
    return figures


def trec_figures(campaign: Campaign) -> Figures:
    """On sections 2 to 4 of Voorhees 2003."""
    _, patterns = campaign.summary(
        "agreement", Inputs(labels=[campaign.folder / "judgments.parquet"])
    )
    disputed = patterns.drop_nulls("share_of_disagreements").sort(
        "items", "pattern", descending=[True, False]
    )
    shares = dict(disputed.select("pattern", "share_of_disagreements").iter_rows())
    figures: Figures = {
        "patterns": " ".join(disputed["pattern"][:2]),
        "RRX and RXX": shares["RRX"] + shares["RXX"],
    }
    ids = ["cws", "accuracy"]
    [rankings] = campaign.summary(
        "rankings", Inputs(campaign.counts[0], scores=[*map(campaign.scores, ids)]), measures=ids
    )
    adjudicated = campaign.settings["official"]
    between = rankings.filter(compared="assessors")
    official_rankings = between.filter((pl.col("a") == adjudicated) | (pl.col("b") == adjudicated))
    for id in ids:
        figures[f"{id} tau"] = official_rankings.filter(measure=id)["tau"].mean()
    figures["cws tau of assessors"] = (
        between.join(official_rankings, on=between.columns[:4], how="anti")
        .filter(measure="cws")["tau"]
        .mean()
    )
    swaps = official_rankings.filter(measure="cws").select(
        pl.sum("swaps", "swaps_005", "swaps_007")
    )
    figures |= swaps.row(0, named=True)
    [curves] = campaign.trials("error_curves", "cws")
    overall = curves.filter(pl.col("comparisons").is_null()).drop_nulls("fitted")
    figures["error rate"] = overall.filter((pl.col("lower") - DIFFERENCE).abs() < 1e-9)[
        "fitted"
    ].item()
    widest = overall.filter(pl.col("fitted") >= campaign.settings["level"])["lower"].max()
    return figures | {
        "required difference": overall.filter(pl.col("lower") > (widest or -1))["lower"].min()
    }


FIGURES: dict[str, Callable[[Campaign], Figures]] = {
    RESPUBLIQA: respubliqa_figures,
    TREC: trec_figures,
}


def beside_published() -> str:
    """Return figures of the shipped campaigns beside published ones, for docs/simulation.md."""
    published = {row["measure"]: row for row in read_rows("penas-2011-table-2")}
    facts = {row["fact"]: row["value"] for row in read_rows("voorhees-2003-facts")}
    ours, trec_row = (
        pl.read_csv(HOME / f"resources/simulation/{name}.csv").row(0, named=True)
        for name in FIGURES
    )
    lines = ["| published (simulated) | uf | c@1 | accuracy |", "|---|---|---|---|"]
    for name in SENSITIVITY:
        cells = (
            f"{published[id][name]} ({ours[f'{id} {name}']:.4g})"
            for id in ("uf", "c@1", "accuracy")
        )
        lines.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    lines += ["", "| | published | simulated |", "|---|---|---|"]
    tau, swaps = "mean Kendall tau with the adjudicated ranking", "of those with a difference of"
    for about, fact, figure in (
        ("mean tau by cws", f"{tau} (confidence-weighted score)", "cws tau"),
        ("mean tau by accuracy", f"{tau} (number correct)", "accuracy tau"),
        (
            "swaps by cws",
            "swaps of the three one-assessor rankings against the adjudicated one (confidence-weighted score)",
            "swaps",
        ),
        ("of these, by at least 0.05", f"{swaps} at least 0.05", "swaps_005"),
        ("of these, by at least 0.07", f"{swaps} at least 0.07", "swaps_007"),
    ):
        lines.append(f"| {about} | {facts[fact]} | {trec_row[figure]:.4g} |")
    return "\n".join(lines) + "\n"


def make_row(name: str, seed: int) -> dict:
    """The row of a campaign drawn from a seed."""
    with TemporaryDirectory() as folder:
        figures = FIGURES[name](Campaign(name, seed, Path(folder)))
    rounded = {
        key: round(value, DIGITS) if isinstance(value, float) else value
        for key, value in figures.items()
    }
    return {"seed": seed, **rounded}


def make_rows(name: str, number: int, starmap: Callable = itertools.starmap) -> pl.DataFrame:
    """A row per seed, the shipped one first."""
    seeds = range(shipped.SEED, shipped.SEED + number)
    return pl.DataFrame(
        list(starmap(make_row, [(name, seed) for seed in seeds])), infer_schema_length=None
    )
