"""Test what looks like abstention."""

import polars as pl
from nonresponse.formats.words import ABSTENTION

ABSTENTIONS = """
I don't know
I'm sorry, but I don't know the answer to that.
Sorry, I can't help with that.
I'm sorry, I can't assist with that request.
I do not have enough information to answer.
I don't have enough information to answer this question.
There is not enough information to determine this.
The context does not provide enough information.
The provided context does not contain the answer.
The question cannot be answered based on the context.
It cannot be determined from the given text.
Cannot answer
I have no idea.
Not sure
Not enough information
Insufficient information.
Not specified
Not mentioned in the text
unanswerable
The question is unanswerable.
Unfortunately, I cannot provide an answer.
I couldn't find that information.
I could not find the answer.
I'm unable to determine the answer.
As an AI language model, I don't have access to real-time data.
I cannot provide that information.
I won't answer that.
I must decline to answer
I refuse to answer.
no answer
N/A
I am not aware of
Unknown.
Answer: I don't know
No information available
It is not known.
"""
ANSWERS = """
Unknown Pleasures
None Like It Hot
I know that Paris is the capital
Nil Satis Nisi Optimum
Idaho
I cannot but say it is Paris
Null Island
Missing in Action
There is a lot of information in this: Rome
Not in Kansas
Nobody knows the trouble I've seen
42
the unknown soldier
Sorry Baby
No Country for Old Men
No
Not guilty
no information theory
I must say it is Rome
"""


def test_answers_that_look_like_abstention():
    abstentions, answers = (
        pl.Series(texts.strip().split("\n")) for texts in (ABSTENTIONS, ANSWERS)
    )
    missed = abstentions.filter(~abstentions.str.contains(ABSTENTION))
    assert [*missed, *answers.filter(answers.str.contains(ABSTENTION))] == []
