"""The article that an abstract belongs to, or the like (DEFT 2011, task B)."""

from nonresponse.tasks.dating import hypotheses_task

SYMBOLS = """\
A question is an abstract, a_p the most confident label of the run, a_r the label of the reference, c_j and a_j the
confidence and the label of the j-th hypothesis. An abstract without a hypothesis adds 0 to every sum.
"""

TASK = hypotheses_task(id="matching", title="Abstract-article matching", measures=("deft",), symbols=SYMBOLS)
