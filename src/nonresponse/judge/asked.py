"""What each run was asked, and on which questions runs are compared: those that all compared runs were asked.

A question that was never put to a run is neither silence nor a mistake. Where no question was put to all runs, some
runs are not compared, so that the others share questions (`most_shared`).
"""

import numpy as np
from duckdb import DuckDBPyConnection

from nonresponse.tasks import MISSING, NOT_ASKED

AMONG = "run::VARCHAR IN (FROM compared_runs) AND ({item}) IN (FROM compared_items)"


def state(missing: str) -> str:
    """SQL: the verdict on a question without a response, from `run` and from `runs`, those that were asked it."""
    return f"CASE WHEN NOT list_contains(runs, run) THEN '{NOT_ASKED}' ELSE '{MISSING[missing]}' END"


def may_differ(connection: DuckDBPyConnection, missing: str, compare_on: str) -> bool:
    """Whether runs may have been asked different questions, and are compared on what they share."""
    told = connection.sql("SELECT count(runs) FROM questions").fetchall()[0][0]
    return compare_on != "all" and bool(told or MISSING[missing] == NOT_ASKED)


def compared(connection: DuckDBPyConnection, item: str, trivial: tuple[str, ...]) -> str:
    """SQL: whether a row is of a run that is compared, and of an item that runs are compared on; TRUE where all are.

    Reads the view `asked_rows`, which has every item of every run: run, asked and the columns of `item`, an SQL
    expression such as question. The trivial runs are always compared.
    """
    if not connection.sql("SELECT 1 FROM asked_rows WHERE NOT asked LIMIT 1").fetchall():
        return "TRUE"
    was = f"SELECT run, {item} AS item, bool_or(asked) AS asked FROM asked_rows GROUP BY ALL"
    connection.execute(f"CREATE TABLE asked AS {was}")
    grid = connection.sql("SELECT asked FROM asked ORDER BY run, item").fetchnumpy()["asked"]
    runs = [run for (run,) in connection.sql("SELECT DISTINCT run FROM asked ORDER BY run").fetchall()]
    chosen, items = most_shared(np.asarray(grid, bool).reshape(len(runs), -1))
    names = [*(run for run, among in zip(runs, chosen, strict=True) if among), *trivial]
    connection.execute("CREATE TABLE compared_runs AS SELECT unnest($1::VARCHAR[]) AS run", [names])
    connection.execute(
        "CREATE TABLE compared_items AS SELECT item FROM (SELECT item, row_number() OVER (ORDER BY item) AS place"
        " FROM (SELECT DISTINCT item FROM asked)) WHERE list_contains($1, place)",
        [(np.flatnonzero(items) + 1).tolist()],
    )
    return AMONG.format(item=item)


def noted(connection: DuckDBPyConnection, item: str, among: str) -> str:
    """SQL: the rows of `gathered`, with `compared`, whether runs are compared on it; then a row per compared run.

    Where all runs are compared on all rows, there are no rows for runs.
    """
    if among == "TRUE":
        return "SELECT *, TRUE AS compared, NULL::VARCHAR AS run FROM gathered"
    on = f"SELECT *, ({item}) IN (FROM compared_items) AS compared, NULL::VARCHAR AS run FROM gathered"
    return f"{on} UNION ALL BY NAME SELECT TRUE AS compared, run FROM compared_runs"


def read_known(connection: DuckDBPyConnection, item: str) -> str:
    """What `compared` returns, read from the view `known_of_all` (see `noted`); also makes the table `gathered`."""
    connection.execute(
        "CREATE TABLE gathered AS SELECT * EXCLUDE (compared, run, voted) FROM known_of_all WHERE run IS NULL"
    )
    connection.execute("CREATE TABLE compared_runs AS SELECT run FROM known_of_all WHERE run IS NOT NULL")
    on = f"SELECT DISTINCT {item} AS item FROM known_of_all WHERE run IS NULL AND compared"
    connection.execute(f"CREATE TABLE compared_items AS {on}")
    all_of_it = "SELECT bool_and(run IS NULL AND compared) FROM known_of_all"
    return "TRUE" if connection.sql(all_of_it).fetchall()[0][0] is not False else AMONG.format(item=item)


def most_shared(asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which runs to compare, and on which questions: bool (runs,) and (questions,), from asked, bool (runs, questions).

    All runs, if all share a question. Otherwise runs asked the fewest questions are dropped first, runs asked the same
    set together, until pairs of runs x shared questions is largest. If runs left in this way never share a question:
    the two runs that share the most, and all others that were asked these questions. No run and no question if no two
    runs share one.
    """
    by_all = np.logical_and.reduce(asked)
    if by_all.any():
        return np.ones(len(asked), bool), by_all
    sets, which, number = np.unique(asked, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(-sets.sum(axis=1), kind="stable")
    shared = np.logical_and.accumulate(sets[order], axis=0)
    runs = np.cumsum(number[order])
    worth = runs * (runs - 1) // 2 * shared.sum(axis=1)
    best = len(worth) - 1 - int(np.argmax(worth[::-1]))
    if worth[best]:
        return np.isin(which.ravel(), order[: best + 1]), shared[best]
    overlap = sets.astype(np.float32) @ sets.T.astype(np.float32)
    np.fill_diagonal(overlap, overlap.diagonal() * (number > 1))
    one, other = np.unravel_index(np.argmax(overlap), overlap.shape)
    items = sets[one] & sets[other] & (overlap[one, other] > 0)
    return asked[:, items].all(axis=1) & items.any(), items
