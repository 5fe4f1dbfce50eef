"""The published tables that are compared with ours, cell by cell: a record each.

Imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class PublishedTable:
    """A published table whose figures follow from others that are printed in the same row."""

    name: str  # of the file, and of the campaign whose results are compared
    title: str
    task: str  # of its measures; "" = no campaign: the one measure is the quotient of the two counts
    counts: list[str]
    measures: list[str]
    unit: int = 1  # 100 = in percent
    half: Fraction = Fraction(0)  # half a unit of the counts' last decimal; 0 = whole numbers, exact
    sums: dict[str, list[str]] = field(default_factory=dict)  # what must be the same in every row
    note: str = ""
    row: str = "run"  # the column that names a row
    of: str = "run"  # the header of that column on our page


@dataclass(frozen=True)
class Similarity:
    """A published table of a similarity by distance, beside the query by which answers are judged."""

    name: str  # of the file
    title: str
    task: str  # whose answers are judged by the similarity
    query: str  # in nonresponse/database
    farthest: int  # the last distance of the table
    row: str = "distance"
    of: str = "years apart"


PENAS = PublishedTable(
    name="penas-2011-table-3",
    title="Peñas & Rodrigo 2011, table 3",
    task="qa",
    counts=["n_ac", "n_aw", "n_u"],
    measures=["c@1", "accuracy"],
)
SOLOVYEV = PublishedTable(
    name="solovyev-table-3",
    title="Solovyev, table 3",
    task="validation",
    counts=["fn", "tn", "tp", "fp"],
    measures=["accuracy", "f@0.5", "e@2"],
    unit=100,
    half=Fraction("0.05"),
    sums={"right pairs, fn + tp": ["fn", "tp"], "wrong pairs, tn + fp": ["tn", "fp"]},
    note=(
        "All six published figures of the two trivial runs follow from 34.95 % right pairs, none but F = 0 from the "
        "35.8 % that are printed: accuracy 65 and 35, F 0 and 40, E 15.19 and 55.37. The rows of the six algorithms "
        "have yet other sums."
    ),
)
CZECH_SIMPLEQA = PublishedTable(
    name="czech-simpleqa",
    title="Czech SimpleQA",
    task="qa",
    counts=["n_ac", "n_aw", "n_u"],
    measures=["f_simpleqa"],
    unit=100,
    note="The counts are those of the published grades A, B and C, 4,326 rows for each model, on 4,325 questions.",
)
TABLES = [PENAS, SOLOVYEV, CZECH_SIMPLEQA]
QUOTIENTS = [
    PublishedTable(
        name="penas-2011-table-2",
        title="Peñas & Rodrigo 2011, table 2",
        task="",
        counts=["required_difference", "highest_value"],
        measures=["relative_difference"],
        half=Fraction("0.005"),
        note=(
            "relative_difference = required_difference / highest_value. The other columns come from 44 runs that are"
            " not to be had; simulated ones stand in for them below."
        ),
        row="measure",
        of="of",
    )
]
DEFT = Similarity(
    name="deft-2011-table-1",
    title="DEFT 2011, task A, table 1",
    task="dating",
    query="similarity_dating",
    farthest=15,
)
SIMILARITIES = [DEFT]
Published = PublishedTable | Similarity
