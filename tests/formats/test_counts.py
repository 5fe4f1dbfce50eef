"""Counts of every campaign fit together, and published ones that do not are faults (door three)."""

import polars as pl
import pytest
from hypothesis import given, settings
from nonresponse import tasks
from nonresponse.formats.counts import add_contradictions, read_counts
from nonresponse.formats.text import Faults
from nonresponse.ingest.readers import read_tables
from reading import locate_faults, write
from strategies import COUNTS

TASKS = [tasks.get(name) for name in tasks.NAMES]
every_task = pytest.mark.parametrize("task", TASKS, ids=tasks.NAMES)
PUBLISHED = [task for task in TASKS if "counts" in task.sources]
# Counts of what a policy may exclude from n.
FREE = {"n", "n_partial", "n_unscored", "n_error", "n_by_rule", *tasks.CAMPAIGN_COUNTS}


def read(folder, text: str, task: str = "qa"):
    frame, faults = read_counts(write(folder, "counts.csv", text), task)
    return frame, locate_faults(faults)


@every_task
def test_every_count_has_its_bound(task):
    for name, count in task.counts.items():
        is_free = name in FREE and not count.within
        assert is_free or {"n", "n_partial"} & {*task.find_containing(name)}, name
    assert all({add.total, *add.parts} <= set(task.counts) for add in task.sums)


@pytest.mark.parametrize("task", PUBLISHED, ids=lambda task: task.id)
def test_every_count_beyond_its_bound_is_a_fault_with_its_line(tmp_path, task):
    @settings(max_examples=10, deadline=None)
    @given(sound=COUNTS[task.id])
    def check(sound):
        sound = {name: sound.get(name, 0) for name in [*task.required, *task.parts]}
        rows, expected, n = [], [], sum(sound[name] for name in task.parts)
        for part in sorted(task.counts.keys() - FREE - sound.keys()):
            for bound in task.find_containing(part):
                top = n if bound == "n" else sound.get(bound, 3)
                rows.append(sound | ({bound: top} if bound != "n" else {}) | {part: top + 1})
                expected.append(f"{part} = {top + 1} beside")
        runs = [{"run": f"run{number}"} | row for number, row in enumerate(rows)]
        text = pl.DataFrame(runs, infer_schema_length=None).write_csv()
        _, faults = read(tmp_path, text, task.id)
        for line, beginning in enumerate(expected, start=2):
            assert any(
                number == line and found.startswith(beginning) for number, found in faults
            ), (line, beginning)

    check()


@every_task
def test_every_sum_that_is_none_is_a_fault(task):
    for add in task.sums:
        size = len(add.parts)
        for total in (size - 1, size, size + 1):
            values = {"n": 1000} | dict.fromkeys(add.parts, 1) | {add.total: total}
            row = {"line": 2, "run": "x"} | dict.fromkeys(task.counts) | values
            table, faults = pl.DataFrame([row], infer_schema_length=None), Faults("x")
            add_contradictions(table, task, faults)
            found = f"{add.total} = {total} beside {' + '.join(add.parts)} = {size}"
            is_fault = total < size or (add.complete and total > size)
            assert (found in [fault.found for fault in faults]) == is_fault


PAIRS = "run,tp,fp,fn,tn,u_p,u_n\nx,1,2,3,4,,\ny,1,2,3,4,5,6\n"
NILS = "run,n_ac,n_aw,n_u,n,nil_gold\nx,1,2,3,,\ny,1,2,3,6,0\n"
TABLES = {  # a task, a table, faults, and columns
    "no count": ("qa", "run,n_ac,n_aw,n_u\nx,1,,3\n", [(2, "the count n_aw ''")], {}),
    "no count of romip": ("qa", "run,a,b,c,d,e\nx,1,2,,4,5\n", [(2, "the count c ''")], {}),
    "no run": ("qa", "run,n_ac,n_aw,n_u,n\n,1,2,3,6\n", [(2, "the run name ''")], {}),
    "no tn": ("validation", "run,tp,fp,fn,tn\nx,1,2,3,\n", [(2, "the count tn ''")], {}),
    "one of two kinds": ("qa", "run,n_ac,n_aw,n_u,a,b,c,d,e\nx,1,2,3,1,2,,0,1\n", [], {"n": [6]}),
    "romip alone": (
        "qa",
        "run,a,b,c,d,e\nx,1,2,3,4,5\n",
        [],
        {"n": [15], "e": [5], "n_ac": [None]},
    ),
    "no nil_gold": ("qa", NILS, [], {"n": [6, 6], "nil_gold": [None, 0]}),
    "no pairs": ("validation", PAIRS, [], {"n": [10, 21], "u_p": [0, 5], "u_n": [0, 6]}),
}


@pytest.mark.parametrize("name", TABLES)
def test_what_an_empty_field_means(tmp_path, name):
    task, text, expected, columns = TABLES[name]
    frame, faults = read(tmp_path, text, task)
    assert faults == expected and frame.select(*columns).to_dict(as_series=False) == columns


@pytest.mark.parametrize(
    ("e", "expected"),
    [("8.3", []), ("7.3", ["n = 100 beside a + b + c + d + e = 98.9", "nil_gold = 25 beside c + e = 24"])],
)  # fmt: skip
def test_percentages_may_miss_their_sum_by_what_rounding_does(tmp_path, e, expected):
    _, faults = read(tmp_path, f"run,a,b,c,d,e,n,nil_gold\nx,33.3,33.3,16.7,8.3,{e},100,25\n")
    assert faults == [(2, found) for found in expected]


OWN_TABLE = "model,F1,right,wrong,C\n" + "m,0.5,10,5,5\nn,0.4,8,12,0\n"
COLUMNS = {"run": "model", "n_ac": "right", "n_aw": "wrong", "n_u": "C"}


def test_columns_that_are_not_said(tmp_path):
    path = write(tmp_path, "own.csv", OWN_TABLE)
    unknown = "no column 'all' among 'model', 'F1', 'right', 'wrong', 'C'"
    for options, found in (({}, "no column run"), ({"columns": COLUMNS | {"n": "all"}}, unknown)):
        frame, faults = read_counts(path, "qa", options)
        assert frame.is_empty() and found in [fault.found for fault in faults]


def test_counts_in_several_files(tmp_path):
    """A run is in one of them."""
    files = [write(tmp_path, f"{name}.csv", f"run,n_ac,n_aw,n_u\n{name},1,2,3\n") for name in "ba"]
    frame, faults = read_tables(files, {}, "qa")
    assert faults == [] and frame["run"].to_list() == ["a", "b"]
    repeated = write(tmp_path, "c.csv", "run,n_ac,n_aw,n_u\na,1,2,3\n")
    _, [fault] = read_tables([*files, repeated], {}, "qa")
    assert fault.found == f"the run 'a', which is in {files[1]}, too"


def test_a_table_with_an_uneven_line_is_checked_to_its_end(tmp_path):
    text = "run,n_ac,n_aw,n_u,other\na,1,2,3,x\nb,1\nc,x,2,3,x\na,1,2,-3,x\n"
    frame, faults = read_counts(write(tmp_path, "a.csv", text), "qa")
    assert frame.is_empty() and sorted(fault.line for fault in faults) == [3, 4, 5, 5]


def test_a_required_count_is_the_rest_of_n(tmp_path):
    """So are wrong answers in a table of totals; "no" says that nothing was left open."""
    columns = {"run": "model", "n_ac": "correct", "n": "total", "n_u": False}
    path = write(tmp_path, "totals.csv", "model,correct,total\na,6,10\nb,12,10\n")
    _, faults = read_counts(path, "qa", {"format": "tabular", "columns": columns})
    assert locate_faults(faults) == [(3, "n_aw '-2.0', the rest of n")]
