"""The documented names of columns and words of verdicts, by which a plain table is read
(docs/tables.md).

Case does not matter, nor what stands between words: isCorrect, is_correct and "Is correct" are one
name.
"""

import re

from nonresponse.formats.metrics import plain_name
from nonresponse.formats.words import YES_OR_NO
from nonresponse.tasks import VERDICTS

# The names of columns by role, the surest first.
ALIASES = {
    role: tuple(names.split())
    for role, names in {
        "question": """
            question_id qid query_id problem_id item_id example_id sample_id prompt_id
            instance_id interaction_id task_id case_id doc_id idx id uid uuid question
            question_text query problem prompt statement item user_input input""",
        "run": "run system system_name model model_name model_id",
        "verdict": "verdict correct is_correct correctness grade judgment judgement acceptable "
        "right is_right",
        "answer": """
            prediction predicted predicted_answer pred model_answer model_response model_output
            generated_answer response output completion hypothesis answer""",
        "gold": """
            gold gold_answer golden_answer target reference reference_answer correct_answer
            ground_truth expected expected_answer""",
        "abstained": """
            abstained is_abstained refused is_refusal not_attempted is_not_attempted declined
            unanswered is_unanswered answered is_answered attempted is_attempted""",
        "confidence": "confidence probability",
        "category": "category subject topic",
        "error": "error",
        "epoch": "epoch trial repetition",
        "has_answer": "has_answer answerable is_answerable",
        "unanswerable": "unanswerable is_unanswerable is_impossible",
        "explanation": "explanation rationale judge_explanation",
    }.items()
}
TEXTS = (
    "question",
    "question_text",
    "query",
    "problem",
    "prompt",
    "statement",
    "item",
    "user_input",
    "input",
)
ANSWERED = ("answered", "is_answered", "attempted", "is_attempted")  # yes: the run answered
# The names of columns of counts, a row per run.
COUNTS = {
    "n": "n total",
    "n_ac": "n_ac correct right",
    "n_aw": "n_aw wrong incorrect",
    "n_u": "n_u unanswered not_attempted abstained refused",
}
# The words of verdicts by what they mean; 1.0 is read as 1, an empty field as unscored.
WORDS = {
    "correct": "correct right true yes 1 pass passed",
    "wrong": "wrong incorrect false no 0 fail",
    "partial": "partial partially_correct",
    "unanswered": "unanswered not_attempted abstained abstain refused no_answer",
    "unscored": "unscored nan",
    "error": "error",
}
# Of SimpleQA's grader; proposed, as letters mean much else
LETTERS = {"A": "correct", "B": "wrong", "C": "unanswered"}
MEANINGS = {word: verdict for verdict, words in WORDS.items() for word in words.split()}
# Answers that look like abstention. They are proposed, and never taken for it unasked.
ABSTENTION = re.compile(
    r"\W*(unknown|n/?a|none|null|nil|noa|nan|idk|unanswerable|not attempted|not "
    r"answerable|missing|abstain(ed)?"
    r"|refused?|no answer( found| possible)?|not enough information|insufficient "
    r"(information|context)( to answer.*)?"
    r"|(sorry,? )?(i|we) (do not|don.?t|can ?not|can.?t|am unable to) "
    r"(know|answer|say|determine)\b.*"
    r"|(i.?m|i am) (not sure|unsure|unable to)\b.*)\W*",
    re.IGNORECASE | re.DOTALL,
)


def plain(name: str) -> str:
    """Return a name in small letters, with _ between its words; one that begins with a negation as
    it is."""
    if name[:1] in ("!", "~", "¬"):
        return name
    return plain_name(name)


def called(columns: list[str], names: tuple[str, ...], inside: str = "") -> list[str]:
    """Return the columns with one of these names, the surest first; `inside.` may stand before a
    name."""
    return [
        column
        for name in names
        for column in columns
        if plain(column.removeprefix(f"{inside}.")) == name
    ]


def meaning(word: str) -> str | None:
    """Return the verdict that a word is documented to mean; null for any other word."""
    spelt = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word.strip().removesuffix(".0")).lower()
    return MEANINGS.get(re.sub(r"(?<=\w)[ _-]+(?=\w)", "_", spelt))


def flag(word: str) -> bool | None:
    """Return what a yes or no means; null for any other word."""
    return YES_OR_NO.get(word.strip().lower().removesuffix(".0"))


def marks_answers(column: str) -> bool:
    """Return whether a column is called as one whose yes means that the run answered."""
    return plain(column.split(".")[-1]) in ANSWERED


def is_abstention(answer: str) -> bool:
    """Return whether an answer looks like abstention."""
    return bool(ABSTENTION.fullmatch(answer))


def is_ours(words: list[str]) -> bool:
    """Return whether all words are our own for verdicts, which have one for abstention."""
    return {*words} <= {*VERDICTS}
