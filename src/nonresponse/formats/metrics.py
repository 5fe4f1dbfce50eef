"""Which score of a log says what is right: that of the options or of the log, else one with a
documented name."""

import re
from collections.abc import Iterable
from functools import cache


def names(words: str) -> tuple[str, ...]:
    return tuple(words.split())


# Names of scores that say what is right, the surest first; in small letters, with _ for all else.
RIGHT = names(
    """
    acc accuracy exact_match quasi_exact_match prefix_exact_match quasi_prefix_exact_match exact em
    qem pem pqem extractive_match match correct is_correct correctness answer_correctness right
    is_right pass_1 acc_norm average_accuracy mean_acc
    """
)
# Names of scores of which less is better.
LESS = names(
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
WHICH = "which of them counts: `{}:` in config.yaml"
LESS_IS_BETTER = "another, or what it is of a correct answer: `metric:` and `best:` in config.yaml"


@cache
def plain_name(name: str) -> str:
    """Return a name in small letters, with _ between its words: is_correct for isCorrect, pass_1
    for pass@1."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", words.lower()).strip("_")


@cache
def is_abstention(name: str) -> bool:
    return bool(ABSTENTIONS.fullmatch(plain_name(name)))


def called_right(names: Iterable[str]) -> str | None:
    """Return the score with the surest name; null if none has a documented one."""
    known = {plain_name(name): name for name in reversed([*names])}
    return next((known[name] for name in RIGHT if name in known), None)
