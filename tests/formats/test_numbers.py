"""What a number is, alike in every format, and what looks like abstention."""

import math

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse.formats import numbers
from nonresponse.formats.counts import read_counts
from nonresponse.formats.words import ABSTENTION
from reading import locate_faults, runs, write

PLAIN = {"1": 1, "1.0": 1, "+1": 1, "-1": -1, "01": 1, "1.": 1, ".5": 0.5, "-.5": -0.5, "1e2": 100}
PLAIN |= {"0." + "0" * 400 + "1": 0, "1" * 300: float("1" * 300), "2147483648": 2147483648}
PLAIN |= {text: float(text) for text in (repr(math.pi * 10.0**power) for power in (-290, 0, 290))}
WHOLE_NUMBERS = {"1": 1, "1.0": 1, "1.000": 1, "+1": 1, "-1": -1, "01": 1, "0" * 50 + "7": 7}
WHOLE_NUMBERS |= {"2147483647": 2147483647}
ODD = "- . e5 1e 1_000 0x10 1,5 --1 +-1 1.0.0 1e-5.0 1d5 1f ١ １ ½ nan NaN -nan"
NEITHER = [*ODD.split(), "", "1 000", "inf", "-Infinity", "1e400", "9" * 400, "9" * 5000, "true"]
NEITHER += ["1\xa0"]


@pytest.mark.parametrize(
    "text", [*PLAIN, *WHOLE_NUMBERS, *NEITHER], ids=lambda text: ascii(text)[:20]
)
def test_numbers(text):
    assert numbers.parse_real(text) == (
        None if text in NEITHER else PLAIN.get(text, WHOLE_NUMBERS.get(text))
    )
    assert numbers.parse_whole(text) == WHOLE_NUMBERS.get(text)


DECIMALS = {  # as the comma, and as the point, marks decimals
    "1,234": (1.234, 1234), "0,5": (0.5, None), "-12,5E-1": (-1.25, None), "1.234,5": (1234.5, None),
    "1,234,567": (None, 1234567), "1,234.5": (None, 1234.5), "0,500": (0.5, None), "1": (1, 1),
    "0.5": (0.5, 0.5), "1.234": (1234, 1.234), "57,7 %": (0.577, None), "85%": (0.85, 0.85), "1,": (None, None), "": (None, None),
}  # fmt: skip


@pytest.mark.parametrize("text", DECIMALS)
def test_marks_of_decimals(text):
    column = pl.Series([text, "1,5,5"])
    read = [numbers.parse_reals(column, mark)[0] for mark in numbers.DECIMALS]
    assert tuple(read) == DECIMALS[text]


def test_a_number_with_a_decimal_comma_is_a_fault_that_names_the_option(tmp_path):
    path = write(tmp_path, "a.csv", "question;answer;score\nq0;x;0,85\nq1;x;1,000\n")
    _, faults = runs("tabular", path, separator=";")
    assert "`decimal: comma` reads such as '0,85'" in faults[0].expected
    frame, faults = runs("tabular", path, separator=";", decimal="comma")
    assert faults == [] and frame["score"].to_list() == [0.85, 1]


PIECES = [*"0123456789+-._ eE_xdf\t\n\xa0١", "00", ".0", "nan", "inf"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@settings(max_examples=100, deadline=None)
@given(
    TEXTS
    | st.sampled_from([*PLAIN, *WHOLE_NUMBERS, *NEITHER])
    | st.floats(allow_nan=False).map(repr)
)
def test_polars_and_python_agree(text):
    """A column of one is cast as a whole; beside what is no number each is looked at alone."""
    bare = text.strip(" \t")
    for column in ([text], [text, "x"], [None, text]):
        series, place = pl.Series(column, dtype=pl.String), column.index(text)
        assert numbers.parse_reals(series)[place] == numbers.parse_real(bare)
        assert numbers.parse_wholes(series)[place] == numbers.parse_whole(bare)


@pytest.mark.parametrize("number", ["1.0.0", "1_0", "nan", "1e400", "٠"], ids=ascii)
def test_no_format_takes_what_is_no_number(tmp_path, number):
    for name, text, line in (
        ("a.tsv", f"question\tanswer\tscore\nq0\tx\t1\nq1\tx\t{number}\n", 3),
        ("a.csv", f'question,answer,score\nq0,"x",1\nq1,x,{number}\n', 3),
        ("a.jsonl", f'{{"question": "q0"}}\n{{"question": "q1", "score": "{number}"}}\n', 2),
    ):
        located = locate_faults(runs("tabular", write(tmp_path, name, text))[1])
        assert (line, f"the score {number!r}") in located
    ranked = f"1 Q0 D 1 1 r a\n2 Q0 D 1 {number} r a\n3 Q0 D {number} 1 r a\n"
    located = locate_faults(runs("trec-qa", write(tmp_path, "a.txt", ranked))[1])
    assert located == [(2, f"the score {number!r}"), (3, f"the rank {number!r}")]
    table = write(tmp_path, "c.csv", f"run,n_ac,n_aw,n_u\na,1,2,3\nb,1,2,{number}\n")
    assert locate_faults(read_counts(table, "qa")[1]) == [(3, f"the count n_u {number!r}")]


ABSTENTIONS = """
I'm sorry, but I don't know the answer to that.
Sorry, I can't help with that.
I do not have enough information to answer.
There is not enough information to determine this.
The provided context does not contain the answer.
The question cannot be answered based on the context.
Cannot answer
I have no idea.
Not sure
Insufficient information.
Not mentioned in the text
The question is unanswerable.
Unfortunately, I cannot provide an answer.
I'm unable to determine the answer.
As an AI language model, I don't have access to real-time data.
I must decline to answer
N/A
I am not aware of
Answer: I don't know
I couldn't find that information.
I won't answer that.
I refuse to answer.
unanswerable
no answer
Not specified
Unknown.
It cannot be determined from the given text.
Not enough information
No information available
It is not known.
"""
ANSWERS = """
Unknown Pleasures
None Like It Hot
I know that Paris is the capital
I cannot but say it is Paris
There is a lot of information in this: Rome
Not in Kansas
Nobody knows the trouble I've seen
the unknown soldier
Sorry Baby
No Country for Old Men
42
No
no information theory
I must say it is Rome
"""


def test_answers_that_look_like_abstention():
    abstentions, answers = (
        pl.Series(texts.strip().split("\n")) for texts in (ABSTENTIONS, ANSWERS)
    )
    missed = abstentions.filter(~abstentions.str.contains(ABSTENTION))
    assert [*missed, *answers.filter(answers.str.contains(ABSTENTION))] == []
