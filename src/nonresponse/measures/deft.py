"""DEFT 2011: task A, the year of publication, and task B, abstract-article matching.

In dating, a fragment adds the similarity of the run's year to the reference year, exp(-π/100 (d_p -
d_r)²), computed with the verdicts (judging/similarity_dating.sql). A fragment without a hypothesis
adds 0.
"""

from functools import partial

import nonresponse.measures.question_answering  # noqa: F401  some of whose measures are shared
from nonresponse.measures import measure, register, share

DATING, MATCHING = "DEFT 2011, task A", "DEFT 2011, task B"
dating = partial(measure, task="dating", kind="sums")
matching = partial(measure, task="matching", kind="sums")


@dating(
    r"\frac{1}{n}\sum_{i=1}^{n} e^{-\frac{\pi}{100}(d_p - d_r)^2}",
    f"{DATING}, eq. 3",
    sums={"similarity": "similarity"},
)
def s(similarity, n):
    """Mean similarity of the most confident year, the first of equals, to that of the reference;
    the official score."""
    return similarity / n


@dating(
    r"\frac{1}{n}\sum_{i=1}^{n}\sum_{j} c_j\, e^{-\frac{\pi}{100}(d_j - d_r)^2}",
    f"{DATING}, eq. 6",
    sums={"similarity_c": "similarity_c"},
)
def s_c(similarity_c, n):
    """Mean similarity of all the years of a run, weighted with their confidences."""
    return similarity_c / n


@dating(
    r"\frac{1}{E}\sum_{e=0}^{E-1}\frac{\lvert\{i:\lvert d_p - d_r\rvert\le e\}\rvert}{n}",
    f"{DATING}, eq. 7, without the term e = E that the source prints: with it the score could "
    "reach 1.1",
    # A fragment is within e years for E - |distance| values of e: the affine similarity of the
    # source, times E.
    sums={"within": "coalesce(greatest({years} - abs(distance), 0), 0)"},
    parameter="years",
    default=10,
)
def auc(within, n, years):
    """Area under the share of fragments within e years; the mean of max(0, 1 - distance / E)."""
    return within / (years * n)


share("dating", "qa", "accuracy", "c@1")


def coverage(n_ac, n_aw, n):
    """Coverage: share of questions answered at all."""
    return (n_ac + n_aw) / n


register_coverage = partial(
    register,
    "answered",
    coverage,
    kind="counts",
    formula=r"\frac{n_{ac} + n_{aw}}{n}",
    source="Peñas & Rodrigo 2011, table 1",
    descriptive=True,
)
register_coverage(task="dating")


@matching(
    r"\frac{1}{n}\,\lvert\{i : a_p = a_r\}\rvert",
    f"{MATCHING}, eq. 1",
    id="s",
    sums={"similarity": "similarity"},
)
def share_right(similarity, n):
    """Share of abstracts whose most confident label, the first of equals, is that of the
    reference."""
    return similarity / n


@matching(
    r"\frac{1}{n}\sum_{i=1}^{n}\sum_{j : a_j = a_r} c_j",
    f"{MATCHING}, eq. 3",
    id="s_c",
    sums={"similarity_c": "similarity_c"},
)
def confidence_in_right(similarity_c, n):
    """Mean confidence given to the right label."""
    return similarity_c / n


share("matching", "qa", "c@1")
register_coverage(task="matching")
