"""Finds the judgments of each response in a table, by numbers that stand for all that they name."""

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
import polars as pl

from nonresponse.tables import NAME

DENSE = 2**26  # entries of the table, at most; where more are possible, only keys that occur count


def index_names(names: pl.Series, known_names: pl.Series) -> np.ndarray:
    """Return the position of each name among those that are known, from 1; 0 for all others."""
    codes = names.cast(NAME).to_physical()
    known_codes = known_names.cast(NAME).to_physical().to_numpy()
    null = max(int(cast(int, codes.max()) or 0), int(known_codes.max(initial=0))) + 1
    table = np.zeros(null + 1, np.int64)
    table[known_codes] = np.arange(1, len(known_names) + 1)
    return table[(codes.fill_null(null) if codes.null_count() else codes).to_numpy()]


class Judgments:
    """The labels of all judgments.

    As TREC does, an answer meets its judgment by the question and by whichever of run, document and
    answer the campaign's judgments name. A withheld candidate is looked up just as the answer would
    have been.
    """

    def __init__(self, rows: pl.DataFrame, questions: pl.Series, assessors: Sequence[str]) -> None:
        """`rows` have the columns of tables.JUDGMENTS."""
        columns = ("run", "document", "answer")
        self.columns = [name for name in columns if rows[name].null_count() < rows.height]
        self.names = {"question": questions}
        self.names |= {name: rows[name].drop_nulls().unique() for name in self.columns}
        self.labels = pl.Enum(["", *rows["label"].unique().sort()])  # "" = not judged
        # The keys that judgments have up to a column, where few of many occur
        self.sparse: dict[str, np.ndarray] = {}
        assessor = index_names(rows["assessor"], pl.Series(assessors)) - 1
        labels = rows["label"].cast(self.labels).to_physical().to_numpy()
        keys, size = self.encode(rows, DENSE // max(len(assessors), 1))
        self.table = np.zeros((len(assessors), size), labels.dtype)
        self.table[assessor, keys] = labels

    def encode(self, rows: pl.DataFrame, limit: float = math.inf) -> tuple[np.ndarray, int]:
        """Return a number of each row that stands for all its names, and how many there may be.

        Where more than `limit` may be, only those that occur in these rows count from now on.
        """
        keys, size = np.zeros(rows.height, np.int64), 1
        for name, names in self.names.items():
            size *= len(names) + 1
            keys = keys * (len(names) + 1) + index_names(rows[name], names)
            if size > limit:
                self.sparse[name] = np.unique(keys)
            if name in self.sparse:
                values = self.sparse[name]
                index = np.minimum(np.searchsorted(values, keys), len(values) - 1)
                keys = np.where(values[index] == keys, index, len(values))
                size = len(values) + 1
        return keys, size

    def find(self, rows: pl.DataFrame) -> list[pl.Series]:
        """Return the label of each response by each assessor, "" where there is none."""
        if "answer" in self.columns:
            rows = rows.with_columns(pl.coalesce("answer", "candidate").alias("answer"))
        keys, _ = self.encode(rows)
        return [pl.Series(labels[keys]).cat.to(self.labels) for labels in self.table]
