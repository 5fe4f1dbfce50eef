"""Door three: tables of counts, whose numbers have to fit together."""

from fuzz.naive import Refused, Unsure
from fuzz.naive.records import records
from fuzz.naive.values import as_number, name_of

COUNTS = {
    "qa": "n n_ac n_aw n_u n_ur n_uw n_ue n_ux n_partial n_unscored n_error n_missing nil_returned nil_right nil_gold"
    " a b c d e q_answered q_good q_good_any q_long_good q_long_good_partial n_aw_partial n_x_partial nil_silent"
    " n_by_rule",
    "validation": "n tp fp fn tn u_p u_n n_unscored n_error n_missing n_questions q_selected_right q_rejected_right",
}
PARTS = {"qa": ["n_ac", "n_aw", "n_u"], "validation": ["tp", "fp", "fn", "tn", "u_p", "u_n"]}
NO_MORE = {
    "qa": "n_ur n_u, n_uw n_u, n_ue n_u, n_ux n_u, nil_right nil_returned, nil_right nil_gold, nil_right n_ac,"
    " n_aw_partial n_aw, n_aw_partial n_partial, n_x_partial n_partial, nil_silent n_u, nil_silent nil_gold,"
    " q_good q_good_any, q_good_any q_answered, q_long_good q_good, q_long_good q_long_good_partial",
    "validation": "q_selected_right n_questions, q_rejected_right n_questions, q_selected_right tp",
}
ROUNDING = 0.51


def counts(name: str, data: bytes, task: str) -> list[dict]:
    """A row per run, with what is given and what follows from it."""
    columns, found = records(name, data)
    if "run" not in columns or set(columns) - {"run", *COUNTS[task].split()}:
        raise Refused(0, "no column run, or one that is no count")
    parts = PARTS[task]
    required = [part for part in parts if not part.startswith("u_")]
    if not set(required) <= set(columns) and not (task == "qa" and {*"abcde"} <= set(columns)):
        raise Refused(0, "a required count is missing")
    runs, rows = set(), []
    for line, record in found:
        run = name_of(record["run"], line, "run")
        if run.casefold() in runs:
            raise Refused(line, "a second row for a run")
        runs.add(run.casefold())
        row = {own: as_number(record[own], line, own) for own in columns if own != "run"}
        for own, number in row.items():
            if (number is None and own in required) or (number is not None and number < 0):
                raise Refused(line, "a count missing or negative")
        if None in row.values():
            raise Unsure("a count left out in some rows")
        rows.append({"run": run} | completed(row, task, line))
    return rows


def completed(row: dict, task: str, line: int) -> dict:
    row = {"u_p": 0.0, "u_n": 0.0} | row if task == "validation" else row
    sums = [sum(row[own] for own in parts) for parts in (PARTS[task], "abcde") if set(parts) <= set(row)]
    row = {"n": sums[0]} | row
    if task == "qa" and not row.get("n_partial"):
        row = {"n_aw_partial": 0.0, "n_x_partial": 0.0} | row
    for total in sums:
        missed = abs(row["n"] - total)
        if missed > 1e-9 * max(total, 1):
            raise Refused(line, "an n that is not the sum") if missed > ROUNDING else Unsure("rounded?")
    for less, more in (bound.split() for bound in NO_MORE[task].split(",")):
        if less in row and more in row and row[less] > row[more]:
            raise Refused(line, f"more {less} than {more}")
    if any(number > row["n"] for number in row.values()):
        raise Unsure("more than n")
    return row
