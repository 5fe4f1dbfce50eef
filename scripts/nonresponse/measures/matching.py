"""Measures of abstract-article matching: DEFT 2011, task B. An abstract without a hypothesis adds 0."""

from functools import partial

import nonresponse.measures.question_answering  # noqa: F401  some of whose measures are shared
from nonresponse.measures import measure, shared

DEFT = "DEFT 2011, task B"
sums = partial(measure, task="matching", kind="sums")


@sums(
    "s",
    formula=r"\frac{1}{n}\,\lvert\{i : a_p = a_r\}\rvert",
    source=f"{DEFT}, eq. 1",
    sums={"similarity": "similarity"},
)
def s(similarity, n):
    """Share of abstracts whose most confident label, the first of equals, is that of the reference."""
    return similarity / n


@sums(
    "s_c",
    formula=r"\frac{1}{n}\sum_{i=1}^{n}\sum_{j : a_j = a_r} c_j",
    source=f"{DEFT}, eq. 3",
    sums={"similarity_c": "similarity_c"},
)
def s_c(similarity_c, n):
    """Mean confidence given to the right label."""
    return similarity_c / n


shared("matching", "qa", "c@1", "answered")
