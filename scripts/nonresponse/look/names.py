"""What the names of columns say of them, whatever stands in them."""

from nonresponse.formats.roles import called, parts, plain, word_list

# Words of the names of what judges, or of what measures how good an answer is.
JUDGING = word_list(
    "judge judges judgement judgment judged human correct correctly correctness grade grader acceptable verdict em "
    "exact match right pass passed annotator rater score accuracy f1 rouge bleu similarity bertscore points mark "
    "marks rating accurate"
)
# Of the names of what is said of a question, or of what may be reached, though they have one of those words.
ASKING = word_list("if should has have remove removed expected needs min max minimum maximum")
# Of the names of what is no judgment: how long, how much, under which settings.
DESCRIBING = word_list(
    "time latency duration seconds ms tokens token cost price usd threshold temperature length words chars seed "
    "index num count timestamp step difficulty margin delta entropy diff gap loss logprob logit layer epsilon "
    "truncated cached stream retries retry top penalty agreement agree agreed"
)
# Words of names of flags; and words that end like those of flags, and are those of systems.
FLAGGING = word_list(
    "if is has was were did does needs should contains use uses used enable enabled answerable unanswerable gold"
)
MADE = ("tuned", "finetuned", "trained", "pretrained", "distilled", "quantized", "pruned", "based", "mixed", "merged")
ANSWERS = ("answer", "generation", "response", "output", "prediction", "completion")  # the last word of their names
OF_RIGHT = ("right", "correct", "gold", "golden", "true", "reference", "ref", "expected", "target", "truth", "best")
NUMBERED = ("epoch", "rank", "position")  # columns that count


def judging(name: str) -> bool:
    """Whether a column is called as what judges a response."""
    return bool({*parts(name)} & {*JUDGING}) and not {*parts(name)} & {*ASKING}


def is_measured(name: str) -> bool:
    """Whether a column of numbers is not called as what says nothing of an answer's worth, such as a duration."""
    sure = {*parts(name)} & {"confidence", "prob", "probability", "conf"}
    return not sure and not {*parts(name)} & {*DESCRIBING} and plain(name) not in NUMBERED


def is_flag(name: str) -> bool:
    """Whether a column is called as what is true or not of a question or a response, and not as a system is."""
    words = parts(name)
    flagging = len(words) > 1 and {*words} & {*FLAGGING}
    return not judging(name) and bool(flagging or (words[-1].endswith("ed") and words[-1] not in MADE))


def given_by_end(names: list[str]) -> str | None:
    """The only column whose name ends as that of an answer does, and is not that of a right one: greedy_generation."""
    ended = [name for name in names if parts(name)[-1] in ANSWERS and not {*parts(name)} & {*OF_RIGHT}]
    return ended[0] if len(ended) == 1 else None


def right_and_given(names: list[str]) -> tuple[str | None, str | None]:
    """The columns of the right answer and of the one given; the answer beside a prediction is the right one."""
    gold, answer = called(names, "gold"), called(names, "answer") or given_by_end(names)
    other = called([name for name in names if name != answer], "answer")
    return (answer, other) if answer and other and not gold else (gold, answer)
