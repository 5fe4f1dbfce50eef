"""Options and verdicts that many logs share."""

from nonresponse.tasks import VERDICTS

ALL = ("correct", "wrong")  # verdicts that every log can tell
OURS = {verdict: verdict for verdict in VERDICTS}  # the words of scores that are verdicts already
# Options of tables, and of logs that do not tell which responses are answers.
RULES = ("unanswered", "failed", "refusals", "failures")
BOTH = (*RULES, "correct_from")  # of tables and of logs
OF_HARNESS = "results of a harness, which are read with the samples or details beside them"
NO_STATE = "no state tells abstention from an answer"
NOTHING_BUT = "no state but a metric such as not_attempted tells a refusal"
