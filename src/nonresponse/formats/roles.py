"""What people call their columns; and which columns of a wide table may not be systems, so that people are asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nonresponse.settings import Files

if TYPE_CHECKING:  # the readers of logs import these names, and nothing heavy
    import polars as pl

# For each of our columns the names that others use, the surest first; in small letters, with _ for all else.
NAMES = {
    "question": """
        question_id qid query_id item_id example_id problem_id sample_id doc_id id instance_id task_id case_id
        question problem query item user_input input inputs prompt request
        q_id question_no question_number qno question_index prompt_id record_id case example uid input_text
        frage pregunta domanda
    """,
    "run": "run system model model_name model_id run_id submission participant",
    "verdict": """
        verdict grade correctness is_correct correct final acceptable judgment judgement is_right right passed label
        outcome result rating status score evaluation reward korrekt richtig bewertung correcto corretto
    """,
    "answer": """
        answer prediction predicted_answer predicted pred model_answer response output candidate_answer completion
        generated_answer hypothesis answer_text generation model_response model_output actual_output outputs actual
        actual_answer final_answer reply choice selected_option chosen_option answer_choice model_choice
        generated_text generated_response llm_answer llm_response llm_output bot_answer bot_response agent_answer
        agent_response assistant_response system_answer system_response raw_response raw_output
        antwort reponse réponse respuesta risposta
    """,
    "gold": """
        gold gold_answer target reference reference_answer references correct_answer expected expected_answer
        expected_output right_answer ground_truth answer_key key solution truth
    """,
    "confidence": "confidence conf probability prob",
    "category": "category subject topic domain",
    "has_answer": "has_answer answerable is_answerable has_an_answer",
    "cluster": "cluster test reading_test document passage paragraph article group",
    "options": "options choices n_options n_choices num_options num_choices",
    "label": "label judgment judgement verdict grade",
    "assessor": "assessor annotator judge",
    # Texts for people to read.
    "asked": "question_text question problem query prompt input user_input",
    "explanation": """
        explanation judge_explanation grader_explanation rationale judge_rationale justification
        reasoning judge_reasoning grade_reason critique
    """,
}
COLUMNS = {ours: theirs.split() for ours, theirs in NAMES.items()}


def word_list(text: str) -> tuple[str, ...]:
    """The words of a text: how lists of them are written, here and in `look`."""
    return tuple(text.split())


def by_word(**said: str) -> dict[str, str]:
    """The meaning of each word, from lists of words by meaning."""
    return {word: meaning for meaning, text in said.items() for word in text.split()}


# Names of columns that are no systems: what is said of a question, of a response, or of a judge.
ROLES = {
    *(name for column, names in COLUMNS.items() if column not in ("verdict", "answer") for name in names),
    *word_list("uid index context type difficulty language lang split subset source answers is_impossible notes"),
    *word_list("comment epoch rank position candidate score answer correct"),
}
NO_ANSWER = "_abs"  # ends the names of questions that have no answer, in LongMemEval and what follows it
ENOUGH = 10  # answers of a system, at least one of which should occur in another column, too
# What the first part of a name says about the column, if names are paths: outputs.answer, feedback.correct.
HEADS = by_word(
    question="inputs input",
    answer="outputs output",
    gold="reference reference_outputs expected expectations",
    verdict="feedback scores grades metrics evaluation",
)
TAILS = ("value", "score")  # last parts of a path that say nothing
BY_HEAD = "/"  # stands for the name of a column that only the head of its path tells; no name has it as a word
# Beginnings of words in the first part of a path to what a judge says: a model in there is not the run.
OF_JUDGES = ("judge", "grade", "eval", "autoeval", "label", "score", "feedback", "metric", "annot")
# Beginnings of words in the names of metrics that measure something other than correctness.
OTHERS = word_list(
    "faithful relevan ground context retriev support citation complete coheren fluen concis clarity readab grammar "
    "style tone formality helpful useful guideline polite safe toxic harm bias fairness hallucin noise sensitiv "
    "sentiment empath adheren verbos creativ engag instruct sufficien entity entit summar"
)
RIGHT = ("correct", "correctness", "accuracy", "accurate", "right", "match", "em", "verdict", "grade")
TOLD_RIGHT = (*RIGHT, "acc", "correctly", "exact", "pass", "passed")  # the same, and what may also be said of a quality
NEGATED = ("not", "no", "non", "never", "without", "didnt", "isnt", "isn", "nicht", "pas")
# Words, or their beginnings, in names that say the opposite of right; so does a negation before a word for right.
WRONG = re.compile(
    r"\b(wrong|incorrect|inaccura|inexact|unaccept|mistak|mis(match|judg|grad)|miss(ed|es)\b|fail|fals|err|bad\b|reject"
    rf"|hallucin|confabul|fabricat)|\b({'|'.join(NEGATED)})"
    r" (.*\b(correct|right|accura|match|exact|pass|accept|em\b)|verdict|grad|judg|scor)"
)
# The same for names of what says nothing of how good an answer is, even beside a word for right.
ASIDE = r"idk|abst|refus|declin|invalid|format|pars(e|ing|able)\b|parsed$|languag"
# The same for what judges may say of answers in yes and no, or others of judges.
OF_OTHERS = re.compile(
    rf"\b({ASIDE}|succe|grammar|spelling|syntax|style|citation|safe|toxic|confid|certain|uncertain|agree|disagree|flag"
    r"|filter)|\b(ok|valid|lang|left|json|schema|written|reviewed?|used|available|done)\b"
    r"|^(is|was|by) (human|judge|grader|annotator|rater)$"
)


def parts(name: str) -> list[str]:
    """The words of a column's name, in small letters: is, refusal of isRefusal."""
    return plain(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).split("_")


def measures_right(name: str) -> bool:
    """Whether the name of a metric says that it tells whether an answer is right."""
    return bool({*parts(name)} & {*TOLD_RIGHT}) and not says_wrong(name)


def says_wrong(name: str) -> bool:
    """Whether a name says the opposite of right: not_correct, judgedWrong, exact_match_failed."""
    return bool(WRONG.search(" ".join(parts(name))))


def of_others(name: str) -> bool:
    """Whether a name says that a judge may speak of something other than what is right: format_correct, judge_ok."""
    return bool(OF_OTHERS.search(" ".join(parts(name))))


def measures_other(name: str) -> bool:
    """Whether the name of a metric says that it measures something else about an answer."""
    return not {*parts(name)} & {*RIGHT} and any(word.startswith(OTHERS) for word in parts(name))


def called(names: list[str], ours: str) -> str | None:
    """The column with the surest name for ours, of a path by its last part or its head; null if there is none."""
    return next(iter(all_called(names, ours)), None)


def all_called(names: list[str], ours: str) -> list[str]:
    """All columns with a name for one of ours, the surest first."""
    words: dict[str, list[str]] = {}
    for name in names:
        for word in words_for(name, ours):
            words.setdefault(word, []).append(name)
    found = [name for word in (*COLUMNS[ours], BY_HEAD) for name in words.get(word, [])]
    return list(dict.fromkeys(found))


def words_for(name: str, ours: str) -> list[str]:
    """The words by which a column may be one of ours; BY_HEAD is one where the head of its path says so."""
    whole = [plain(name), "_".join(parts(name))]
    path = ["_".join(parts(one)) for one in re.split("[./]", name)]
    if len(path) == 1:
        return whole
    head, tail = HEADS.get(path[0]), path[-2] if path[-1] in TAILS else path[-1]
    if ours == "run" and any(word.startswith(OF_JUDGES) for word in path[0].split("_")):
        return whole
    of_what = re.sub("parsed|json", "", "_".join(path[:-1]))  # what a judge wrote may stand below these
    if ours == "verdict" and (says_wrong(of_what) or of_others(of_what)):
        return whole
    return [*whole, tail, *([BY_HEAD] if head else [])] if head in (None, ours) else whole


def plain(word: str) -> str:
    """A name in small letters, of any script, and figures, with _ for all that is between them."""
    return re.sub(r"[\W_]+", "_", word.lower()).strip("_")


def doubtful(frame: pl.DataFrame, systems: list[str], options: Files) -> dict[str, str]:
    """By column, why it may be no system: by its name or, where there are right answers, by its words."""
    import polars as pl

    from nonresponse.formats import grades

    gold = options.get("gold")
    named = {name for name in systems if plain(name) in ROLES}
    why = dict.fromkeys(sorted(named), "whose name is that of something else")
    if gold not in frame.columns:
        return why
    silent = [*options.get("unanswered", []), *options.get("failed", []), *options.get("missing", [])]
    spelt = grades.squad if "normalise" in options else grades.plain
    said = {name: frame.select(spelt(pl.col(name)).drop_nulls()).to_series() for name in {*systems, gold} - named}
    for name in sorted({*systems} - named):
        own = said[name].filter(~said[name].is_in(silent))
        others = pl.concat([column for other, column in said.items() if other != name]).unique()
        if len(own) >= ENOUGH and not own.is_in(others.implode()).any():
            why[name] = "none of whose words is an answer of another, or a right one"
    return why
