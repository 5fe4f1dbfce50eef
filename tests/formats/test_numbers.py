"""What a number is, and that every format has the same idea of it."""

import math

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse.formats import numbers
from nonresponse.formats.counts import read_counts
from reading import places, runs, write

PLAIN = {"1": 1, "1.0": 1, "+1": 1, "-1": -1, "01": 1, "1.": 1, ".5": 0.5, "-.5": -0.5, "1e2": 100}
PLAIN |= {"0." + "0" * 400 + "1": 0, "1" * 300: float("1" * 300), "2147483648": 2147483648}
WHOLE = {"1": 1, "1.0": 1, "1.000": 1, "+1": 1, "-1": -1, "01": 1, "0" * 50 + "7": 7}
WHOLE |= {"2147483647": 2147483647}
NEITHER = [
    "",
    "-",
    ".",
    "e5",
    "1e",
    "1_000",
    "0x10",
    "1,5",
    "1 000",
    "--1",
    "+-1",
    "1.0.0",
    "1e-5.0",
    "1d5",
    "1f",
    "١",
    "１",
    "½",
    "nan",
    "NaN",
    "-nan",
]
NEITHER += ["inf", "-Infinity", "1e400", "9" * 400, "9" * 5000, "1\xa0", "true"]


@pytest.mark.parametrize("text", [*PLAIN, *WHOLE, *NEITHER], ids=lambda text: ascii(text)[:20])
def test_numbers(text):
    assert numbers.real(text) == numbers.reals(pl.Series([text], dtype=pl.String)).item()
    assert numbers.whole(text) == numbers.wholes(pl.Series([text], dtype=pl.String)).item()
    if text in NEITHER:
        assert numbers.real(text) is None and numbers.whole(text) is None
    if text in PLAIN:
        assert numbers.real(text) == PLAIN[text]
    assert numbers.whole(text) == WHOLE.get(text)


pieces = st.sampled_from(
    [*"0123456789+-._ eE", "00", ".0", "nan", "inf", "_", "x", "١", "d", "f", "\t", "\n", "\xa0"]
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.lists(pieces, max_size=8).map("".join))
def test_polars_and_python_agree(text):
    """A column of one is cast as a whole; beside what is no number each is looked at alone."""
    for column in ([text], [text, "x"], [None, text]):
        series = pl.Series(column, dtype=pl.String)
        bare = text.strip(" \t")
        place = column.index(text)
        assert numbers.reals(series)[place] == numbers.real(bare)
        assert numbers.wholes(series)[place] == numbers.whole(bare)


def test_numbers_are_read_as_exactly_as_python_does():
    texts = [repr(math.pi * 10.0**power) for power in range(-300, 300)] + [
        "0.1234567890123456789012345678901234567890"
    ]
    assert numbers.reals(pl.Series(texts)).to_list() == [float(text) for text in texts]
    assert numbers.reals(pl.Series([*texts, " 1 "])).to_list() == [*map(float, texts), 1.0]


CONFIDENCES = ["1.0.0", "1e-5.0", "1_0", "nan", "inf", "1e400", "٠", "0x0"]


@pytest.mark.parametrize("number", CONFIDENCES, ids=ascii)
def test_no_format_takes_what_is_no_number(tmp_path, number):
    """One after the other, since faults of one line hide none of another's."""
    for name, text in {
        "a.tsv": f"question\tanswer\tscore\nq0\tx\t1\nq1\tx\t{number}\n",
        "a.csv": f'question,answer,score\nq0,"x",1\nq1,x,{number}\n',
        "a.jsonl": f'{{"question": "q0", "answer": "x"}}\n{{"question": "q1", "score": '
        f'"{number}"}}\n',
    }.items():
        assert places(runs("tabular", write(tmp_path, name, text))[1]) == [
            (2 if name == "a.jsonl" else 3, f"the score {number!r}")
        ]
    ranked = f"1 Q0 D 1 1 r a\n2 Q0 D 1 {number} r a\n3 Q0 D {number} 1 r a\n"
    assert places(runs("trec-qa", write(tmp_path, "a.txt", ranked))[1]) == [
        (2, f"the score {number!r}"),
        (3, f"the rank {number!r}"),
    ]
    table = write(tmp_path, "c.csv", f"run,n_ac,n_aw,n_u\na,1,2,3\nb,1,2,{number}\n")
    assert places(read_counts(table, "qa")[1]) == [(3, f"the count n_u {number!r}")]
