"""The year of publication of a fragment of text (DEFT 2011, task A)."""

from nonresponse.tasks.deft import hypotheses_task

SYMBOLS = """\
A question is a fragment of text, d_p the most confident year of the run, d_r the year of the reference, c_j and d_j the
confidence and the year of the j-th hypothesis. A fragment without a hypothesis adds 0 to every sum.
"""

TASK = hypotheses_task(
    id="dating",
    title="Year of publication",
    measures=("dating",),
    symbols=SYMBOLS,
    years=True,
)
