"""The article that an abstract belongs to, or the like (DEFT 2011, task B)."""

from nonresponse.tasks.dating import hypotheses_task

TASK = hypotheses_task(id="matching", title="Abstract-article matching", measures=("deft",))
