"""The documented names of columns and words of verdicts, by which a plain table is read
(docs/tables.md).

Case does not matter, nor what stands between words: isCorrect, is_correct and "Is correct" are one
name.
"""

import re
from collections.abc import Iterable

from nonresponse.formats.words import YES_OR_NO, plain_name
from nonresponse.tasks import VERDICTS

TEXTS = "question question_text query problem prompt statement item user_input input"
ANSWER_FLAGS = "answered is_answered attempted is_attempted"  # yes: the run answered
# The names of columns by role, the most reliable first.
ALIASES = {
    role: tuple(names.split())
    for role, names in {
        "question": f"""
            question_id qid query_id problem_id item_id example_id sample_id prompt_id
            instance_id interaction_id task_id case_id doc_id idx id uid uuid {TEXTS}""",
        "run": "run system system_name model model_name model_id",
        "verdict": "verdict correct is_correct correctness grade judgment judgement acceptable "
        "right is_right",
        "answer": """
            prediction predicted predicted_answer pred model_answer model_response model_output
            generated_answer response output completion hypothesis answer""",
        "gold": """
            gold gold_answer golden_answer target reference reference_answer correct_answer
            ground_truth expected expected_answer
            gold_answers reference_answers correct_answers ground_truths references targets""",
        "abstained": f"""
            abstained is_abstained refused is_refusal not_attempted is_not_attempted declined
            unanswered is_unanswered {ANSWER_FLAGS}""",
        "confidence": "confidence probability",
        "category": "category subject topic",
        "error": "error error_message exception",
        "epoch": "epoch trial repetition",
        "has_answer": "has_answer answerable is_answerable",
        "unanswerable": "unanswerable is_unanswerable is_impossible",
        "explanation": "explanation rationale judge_explanation",
    }.items()
}
# The names of columns of counts, a row per run.
COUNTS = {
    count: tuple(names.split())
    for count, names in {
        "n": "n total",
        "n_ac": "n_ac n_correct correct right",
        "n_aw": "n_aw n_wrong n_incorrect wrong incorrect",
        "n_u": "n_u n_unanswered n_abstained unanswered not_attempted abstained refused",
    }.items()
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

# Names, as plain() has them, of columns that may say whether the system failed, not the judge
TELLS_OF_FAILURE = re.compile(
    r"(?!.*(judge|grader))(.*_)?(errors?|fail(ed|ures?)?|timed?_?out|exceptions?|crash(ed)?)(_.*)?"
)


def plain(name: str) -> str:
    """Return a name in small letters, with _ between its words; one that begins with a negation, or
    is of percentages, as it is."""
    return name if name[:1] in ("!", "~", "¬") or "%" in name else plain_name(name)


def columns_called(columns: list[str], names: Iterable[str], inside: str = "") -> list[str]:
    """Return the columns with one of these names, the most reliable first; `inside.` may
    stand before a name."""
    plain_names = {column: plain(column.removeprefix(f"{inside}.")) for column in columns}
    return [column for name in names for column in columns if plain_names[column] == name]


def is_called(column: str, role: str) -> bool:
    """Return whether a column, or a value inside others, has a documented name of a role."""
    return plain(column.split(".")[-1]) in ALIASES[role]


def meaning(word: str) -> str | None:
    """Return the verdict that a word is documented to mean; null for any other word."""
    spelt = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", word.strip().removesuffix(".0")).lower()
    return MEANINGS.get(re.sub(r"(?<=\w)[ _-]+(?=\w)", "_", spelt))


def flag(word: str) -> bool | None:
    """Return what a yes or no means; null for any other word."""
    return YES_OR_NO.get(word.strip().lower().removesuffix(".0"))


def state(word: str, column: str) -> str | None:
    """Return what a word means in a column that says whether a run answered; null if that is not
    documented."""
    if (is_yes := flag(word)) is not None:
        means_answered = plain(column.split(".")[-1]) in ANSWER_FLAGS.split()
        return "answered" if is_yes == means_answered else "unanswered"
    return verdict if (verdict := meaning(word)) in ("unanswered", "error") else None


def is_ours(words: list[str]) -> bool:
    """Return whether all words are our own for verdicts, which have one for abstention."""
    return {*words} <= {*VERDICTS}
