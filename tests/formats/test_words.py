"""Test what looks like abstention."""

import polars as pl
from nonresponse.formats.words import ABSTENTION

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
