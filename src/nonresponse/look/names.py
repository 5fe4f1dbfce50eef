"""What the names of columns say about them, whatever their content."""

from nonresponse.formats.roles import called, of_others, parts, plain, says_wrong, word_list
from nonresponse.look.words import may_be_answers

# Words in the names of columns that judge an answer, or measure how good it is.
JUDGING = word_list(
    "judge judges judgement judgment judged human correct correctly correctness grade grader acceptable verdict em "
    "exact match right pass passed annotator rater score accuracy f1 rouge bleu similarity bertscore points mark "
    "marks rating accurate"
)
# Words in names that have one of JUDGING but are about a question, or about what is expected.
ASKING = word_list("if should has have remove removed expected needs min max minimum maximum")
# Words in names of columns that are no judgments: how long, how much, under which settings.
DESCRIBING = word_list(
    "time latency duration seconds ms tokens token cost price usd threshold temperature length words chars seed "
    "index num count timestamp step difficulty margin delta entropy diff gap loss logprob logit layer epsilon "
    "truncated cached stream retries retry top penalty agreement agree agreed"
)
# Words in names of flags (FLAGGING); and words in names of systems that end in -ed, as those of flags do (MADE).
FLAGGING = word_list(
    "if is has was were did does needs should contains use uses used enable enabled answerable unanswerable gold"
)
MADE = ("tuned", "finetuned", "trained", "pretrained", "distilled", "quantized", "pruned", "based", "mixed", "merged")
ANSWERS = ("answer", "generation", "response", "output", "prediction", "completion")  # the last word of their names
OF_RIGHT = ("right", "correct", "gold", "golden", "true", "reference", "ref", "expected", "target", "truth", "best")
NUMBERED = ("epoch", "rank", "position")  # columns that count


def judging(name: str) -> bool:
    """Whether a column is named as one that judges responses."""
    return bool({*parts(name)} & {*JUDGING}) and not {*parts(name)} & {*ASKING}


def says_else(name: str) -> bool:
    """Whether a column named as one that judges responses may, by its other words, say something else of them."""
    return judging(name) and of_others(name)


def in_doubt(name: str, words: list[str]) -> bool:
    """Whether yes may not mean right in a column with these words, by its name: judged_wrong, format_correct.

    Words such as pass and fail mean the same in a column of any name for the opposite.
    """
    return says_else(name) or (says_wrong(name) and may_be_answers(words))


def is_measured(name: str) -> bool:
    """Whether a column may, by its name, measure an answer; false for a confidence or a description such as latency."""
    sure = {*parts(name)} & {"confidence", "prob", "probability", "conf"}
    return not sure and not {*parts(name)} & {*DESCRIBING} and plain(name) not in NUMBERED


def is_flag(name: str) -> bool:
    """Whether a column is named as a flag of questions or responses, and neither as a judge nor as a system."""
    words = parts(name)
    flagging = len(words) > 1 and {*words} & {*FLAGGING}
    return not judging(name) and bool(flagging or (words[-1].endswith("ed") and words[-1] not in MADE))


def given_by_end(names: list[str]) -> str | None:
    """The only column whose name ends like that of an answer, but not of a right one: greedy_generation; else null."""
    ended = [name for name in names if parts(name)[-1] in ANSWERS and not {*parts(name)} & {*OF_RIGHT}]
    return ended[0] if len(ended) == 1 else None


def right_and_given(names: list[str]) -> tuple[str | None, str | None]:
    """The columns of the right answer and of the one given; next to a prediction, an `answer` is the right one."""
    gold, answer = called(names, "gold"), called(names, "answer") or given_by_end(names)
    other = called([name for name in names if name != answer], "answer")
    return (answer, other) if answer and other and not gold else (gold, answer)
