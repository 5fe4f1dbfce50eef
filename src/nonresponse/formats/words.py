"""Documented words: for yes, no and nothing, and names of scores."""

import re
from collections.abc import Iterable
from functools import cache

from nonresponse.tasks import split_names

TRUE_WORDS = split_names("1 1.0 true yes y t ja wahr oui vrai si sí да 是")
FALSE_WORDS = split_names("0 0.0 false no n f nein falsch non faux нет 否")
BOOLEANS = dict.fromkeys(TRUE_WORDS, True) | dict.fromkeys(FALSE_WORDS, False)
YES_OR_NO = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}
# Values of `error` that mean that there was none
NO_ERROR = ("", "0", "0.0", "false", "no", "none", "null", "nan")
# Ends the names of questions that have no answer, in LongMemEval and what follows it
NO_ANSWER = "_abs"
# Names of scores that say what is right, the most reliable first; in small letters, with _ for
# all else.
RIGHT = split_names(
    """
    acc accuracy exact_match quasi_exact_match prefix_exact_match quasi_prefix_exact_match exact em
    qem pem pqem extractive_match match correct is_correct correctness answer_correctness right
    is_right pass_1 acc_norm average_accuracy mean_acc
    """
)
# Names of scores of which less is better.
LESS = split_names(
    """
    brier brier_score mae mse rmse ppl perplexity word_perplexity byte_perplexity bits_per_byte wer
    cer ter loss nll edit_distance error_rate toxicity incorrect is_incorrect wrong is_wrong
    hallucinated hallucination
    """
)
# Names of scores that are 1 where a question was left unanswered.
ABSTENTIONS = re.compile(
    r"(is_|was_)?(not_attempted|unanswered|no_?answer|idk|abst(ained|ains?|ention)|refus(ed|al)|declined)(_freq)?"
)
# Answers that look like abstention, for Polars. They are proposed, and never taken for it unasked:
# words that are all of an answer, what may precede a sentence, and how sentences begin
ABSTAINING_WORDS = (
    r"unknown|n/?a|none|null|nil|noa|nan|idk|unanswerable|missing|abstain(ed)?|refus(ed|al)"
    r"|declined?|not (attempted|answerable|known|sure|certain)"
    r"|not (given|mentioned|provided|specified|stated)( in .*)?"
    r"|no (idea|(answer|information|response)( available| found| given| possible)?)"
    r"|(not enough|insufficient) (context|data|evidence|info(rmation)?)( to .*)?"
)
PREFACE = (
    r"((final )?answer:? *)?"
    r"(((i.?m|i am) )?(so |very )?sorry\W+|(my )?apologies\W+|unfortunately\W+)?"
    r"((as|i.?m|i am) an? (ai|(large )?language model)\b[^.]*?)?(but )?"
)
CANNOT = "(do not|don.?t|did not|didn.?t|can ?not|can.?t|could not|couldn.?t|will not|won.?t)"
SOURCE = "(context|document|information|passage|text)"
ABSTAINING_SENTENCES = (
    rf"(i|we) ({CANNOT}|am (not able|unable) to) (answer|assist|determine|find|help|identify|know"
    r"|provide|recall|say|tell|verify|have (access|any|enough|sufficient))"
    r"|(i|we) ((must |have to )?(abstain|decline|refuse)|have no (idea|information))"
    r"|(i.?m|i am) (unsure|unable to|not (able to|aware|certain|familiar|sure))"
    rf"|{CANNOT} (answer|say|tell|be (answered|determined|known))"
    rf"|there (is not|isn.?t) (enough|sufficient) {SOURCE}|there is (no|insufficient) {SOURCE}"
    rf"|(the|this) ((given|provided) )?{SOURCE}( (given|provided))? (does not|doesn.?t)"
    r" (contain|give|include|mention|provide|say|specify|state)"
    r"|(it|this|the (question|answer)) is (unanswerable|unknown)"
    r"|(it|this|the (question|answer)) is not (clear|known|mentioned|specified)"
    rf"|(it|this|the (question|answer)) {CANNOT} be (answered|determined|known)"
)
ABSTENTION_BEGINS = rf"(?is)^\W*({ABSTAINING_WORDS}|{PREFACE}({ABSTAINING_SENTENCES})\b)"
ABSTENTION = rf"(?is)^\W*(({ABSTAINING_WORDS})\W*$|{PREFACE}({ABSTAINING_SENTENCES})\b)"
# Beginnings of answers that look like a failure of the system, which are proposed alike
FAILURE = (
    r"(?i)^\W*(http\w*([ /][\d.]+)?( status)?( code)?:? ?[45]\d\d\b"
    r"|traceback \(most recent call last\)|(\w*(error|exception)|failed|failure)(\]|:|\W*$)"
    r"|(request |connection |read )?timed? ?out\b|rate.?limit|too many requests"
    r"|(internal )?server error|service unavailable|bad gateway"
    r"|(api|request|connection|generation|parse|parsing|judge)[ _](error|(call )?fail(ed|ure)?\b)"
    r"|content.?filter)"
)


@cache
def plain_name(name: str) -> str:
    """Return a name in small letters, with _ between its words: pass_1 for pass@1."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", words.lower()).strip("_")


@cache
def is_abstention(name: str) -> bool:
    """Return whether a score, or a part of one such as qa.refused, tells of abstention."""
    return bool(ABSTENTIONS.fullmatch(plain_name(name.rpartition(".")[2])))


def is_less(name: str) -> bool:
    return plain_name(name.rpartition(".")[2]) in LESS


def find_right_score(names: Iterable[str]) -> str | None:
    """Return the score with the most reliable name; null if none has a documented one."""
    originals = {plain_name(name): name for name in reversed([*names])}
    return next((originals[name] for name in RIGHT if name in originals), None)
