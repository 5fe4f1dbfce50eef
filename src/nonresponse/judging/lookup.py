"""Finds the judgment of each response by numbers: of the question, of what else judgments name, and
of the assessor."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import polars as pl

from nonresponse.tables import NAME

# Entries of the table of all judgments; what may have more is narrowed to what is judged
DENSE = 2**26


def index_names(names: pl.Series, known: pl.Series) -> np.ndarray:
    """Return the position of each name among those that are known, from 1; 0 for all others."""
    coded, of_known = names.cast(NAME).to_physical(), known.cast(NAME).to_physical().to_numpy()
    # Stands for null
    last = max(int(cast(int, coded.max()) or 0), int(of_known.max(initial=0))) + 1
    table = np.zeros(last + 1, np.int64)
    table[of_known] = np.arange(1, len(known) + 1)
    return table[(coded.fill_null(last) if coded.null_count() else coded).to_numpy()]


class Judgments:
    """The labels of all judgments.

    As TREC does, an answer meets its judgment by the question and by whichever of run, document and
    answer the campaign's judgments name. A withheld candidate is looked up just as the answer would
    have been.
    """

    def __init__(
        self, judged: pl.DataFrame, questions: pl.Series, assessors: Sequence[str]
    ) -> None:
        """`judged` has the columns of tables.JUDGMENTS."""
        self.named = [
            name
            for name in ("run", "document", "answer")
            if judged[name].null_count() < judged.height
        ]
        self.names = {"question": questions} | {
            name: judged[name].drop_nulls().unique() for name in self.named
        }
        self.assessors = len(assessors)
        self.labels = pl.Enum(["", *judged["label"].unique().sort()])  # "" = not judged
        # The keys that judgments have up to a column, where few of many do
        self.narrowed: dict[str, np.ndarray] = {}
        assessor = index_names(judged["assessor"], pl.Series(assessors)) - 1
        labels = judged["label"].cast(self.labels).to_physical().to_numpy()
        keys, size = self.keys(judged, first=True)
        self.table = np.zeros((len(assessors), size), labels.dtype)
        self.table[assessor, keys] = labels

    def keys(self, rows: pl.DataFrame, first: bool = False) -> tuple[np.ndarray, int]:
        """Return a number of each row that stands for all its names, and how many there may be."""
        keys, size = np.zeros(rows.height, np.int64), 1
        for name, known in self.names.items():
            size *= len(known) + 1
            keys = keys * (len(known) + 1) + index_names(rows[name], known)
            if first and size * self.assessors > DENSE:
                self.narrowed[name] = np.unique(keys)
            if name in self.narrowed:
                known_keys = self.narrowed[name]
                index = np.minimum(np.searchsorted(known_keys, keys), len(known_keys) - 1)
                keys = np.where(known_keys[index] == keys, index, len(known_keys))
                size = len(known_keys) + 1
        return keys, size

    def find(self, rows: pl.DataFrame) -> list[pl.Series]:
        """Return the label of each response by each assessor, "" where there is none."""
        if "answer" in self.named:
            rows = rows.with_columns(pl.coalesce("answer", "candidate").alias("answer"))
        keys, _ = self.keys(rows)
        return [pl.Series(own[keys]).cat.to(self.labels) for own in self.table]
