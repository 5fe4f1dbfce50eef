"""Columns that say, apart from any verdict, that a response is silence, or that the system broke down.

A flag is recognised by its name and by its content, yes and no. It is no system, no verdict and no assessor.
"""

import re
from itertools import product
from typing import NamedTuple

import polars as pl

from nonresponse.faults import listed, shown
from nonresponse.formats.grades import ANSWERED, FALSE, NO_ERROR, TRUE
from nonresponse.formats.numbers import reals
from nonresponse.formats.roles import HEADS, NEGATED, OF_JUDGES, called, parts, plain, word_list
from nonresponse.look.judges import official, right_of
from nonresponse.look.keys import silent as silent_text
from nonresponse.look.names import judging
from nonresponse.look.words import OF_RESPONSES, different, meanings, state_of, verdict

# How words begin in the name of a flag of silence (SILENT), and the words in that of a flag of answers (GIVEN).
SILENT = word_list(
    "abst declin refus unanswer idk noanswer nonanswer nonresponse dontknow withh blank noncommit evasi enthalt asten"
)
GIVEN = ("answered", "attempted", "responded")
# Several words that together say whether a response is silence (true) or an answer; each is the beginning of a word.
TOGETHER = {
    **dict.fromkeys(("no answer", "not answer", "cannot answer", "cant answer", "can t answer"), True),
    **dict.fromkeys(("unable to answer", "no response", "no attempt", "not attempt", "dont know", "don t know"), True),
    **dict.fromkeys(("is unknown", "gave up", "opt out"), True),
    **dict.fromkeys(("has response", "provided answer"), False),
}
# Words of names that may say whether a response is silence (true) or an answer, or may mean something else.
PERHAPS = {
    **dict.fromkeys(word_list("review defer deferred escalate escalated hedged unsure uncertain"), True),
    **dict.fromkeys(word_list("punted skipped rejected"), True),
    **dict.fromkeys(word_list("accepted selected kept covered"), False),
}
# Words in the name of a column with what a system says of a question, such as predicted_unanswerable.
PREDICTED = ("pred", "predicted", "prediction", "predicts", "says", "said", "claims", "claimed")
WITHOUT_ANSWER = {"unanswerable": True, "impossible": True, "answerable": False}
FEW = 8  # different words that a column of states may have
FEWEST = 2  # silent texts that are needed to compare a flag with them
NEARLY = 0.9  # a flag means silence if at least this share of responses silent by text or flag are silent by both
OF_QUESTIONS = ("category", "subset", "split")  # such columns are about questions, and hold no states
FILLING = ("was", "did", "to", "any", "flag", "flagged", "detected", "detection", "predicted")  # meaningless in flags
# Words of a name that is about the question, or about how good the response is.
ELSEWHERE = word_list(
    "should expected gold target truth ground answerable unanswerable problem label gt correct correctly correctness "
    "right rightly accuracy incorrect wrong question"
)
# Words of a name of what broke down, of a whole that may do so, of what is no breakdown, and of which an error is one
# in an answer. Below an object of errors, the names of its parts that tell of one.
BREAKDOWNS = ("error", "errors", "exception", "traceback", "crash", "crashed", "timeout", "timed")
WHOLE = ("response", "result", "run", "trace", "status", "info", "meta", "metadata", "generation", "model")
NO_BREAKDOWNS = ("rate", "bar", "std", "margin", "abs", "squared", "mean", "count", "num", "n", "type", "code", "by")
IN_ANSWERS = word_list(
    "analysis category categories class kind taxonomy severity description note notes comment factual reasoning logic "
    "logical calculation arithmetic math grammar spelling citation syntax parse parsing formatting"
)
OF_ERRORS = ("message", "msg", "code", "type", "name", "status", "detail", "details", "reason", "description", "class")
# What texts say of a breakdown, and not of a mistake in an answer.
FAILURE = re.compile(
    r"(?i:time.?out|timed out|rate.?limit|quota|overload|connect|unavailable|\bapi|http|server|status|traceback)"
    r"|(?i:out of memory|context.length|max.?tokens|content.?filter|crash)|\w(Error|Exception)\b|\b[45]\d\d\b"
)


class Beside(NamedTuple):
    """The columns of a table that say, apart from any verdict, which responses are silence or failures."""

    columns: dict[str, str]  # `state` and `error`, each with a column or a pattern of columns
    states: dict[str, str]  # what each word of the state means
    taken: tuple[str, ...]  # columns that have this role, and so no other
    undecided: tuple[str, ...]
    how: dict[str, str]  # by state: the evidence for it
    several: tuple[str, ...] = ()  # flags of silence of several systems
    of_judges: tuple[str, ...] = ()  # columns of errors of judges, not of systems
    unknown: tuple[str, list[str]] | None = None  # a column of states, and those of its words that are unknown
    sparse: tuple[tuple[str, str], ...] = ()  # columns that `sparse` finds, each with the question that it leaves open


def silent(name: str) -> bool | None:
    """Whether a column, by its name, flags silence (true) or answers (false); null if its name says neither."""
    words = parts(name)
    if words == ["unknown"]:
        return True
    negated = bool({*words} & {*NEGATED})
    if is_predicted(words):
        return next(says for word, says in WITHOUT_ANSWER.items() if word in words) != negated
    if {*words} & {*ELSEWHERE}:
        return None
    for some, says in TOGETHER.items():
        begins = r"\b" + r"\w* ".join(some.split())
        if re.search(begins, " ".join(words)):
            return says
    if any(word.startswith(SILENT) for word in words):
        return not negated
    return negated if any(word in GIVEN for word in words) else None


def is_predicted(words: list[str]) -> bool:
    """Whether these words name what a system says of a question: that it has an answer, or has none."""
    return bool({*words} & {*PREDICTED} and {*words} & {*WITHOUT_ANSWER})


def boolean(words: list[str]) -> dict[str, bool] | None:
    """Yes or no for each of these words; null where one of them is neither."""
    said = {word: plain(word) in TRUE or word.strip() in TRUE for word in words}
    return said if all(yes or plain(word) in FALSE or word.strip() in FALSE for word, yes in said.items()) else None


def of_table(frame: pl.DataFrame, names: list[str]) -> Beside:
    """What these columns say of silence and failures, apart from verdicts."""
    words = {name: different(frame[name]) for name in names}
    flags = {name: says for name in names if (says := silent(name)) is not None and boolean(words[name])}
    by_texts = {} if flags else following(frame, names, words)
    flags = flags or by_texts
    perhaps = {name: says for name in names if (says := maybe(name, names)) is not None and boolean(words[name])}
    perhaps = {name: says for name, says in perhaps.items() if name not in flags}
    stated = [name for name in names if says_states(name, words[name])]
    stated.sort(key=lambda name: bool(unknown(words[name])))
    chosen = official(stated) if stated else ""
    half = unknown(words[chosen]) if chosen else []
    said = chosen if not half else ""
    errors, of_judges = breakdowns(frame, [name for name in names if name != said], words)
    mistakes = [name for name in errors if {*parts(name)} & {*IN_ANSWERS} and words[name]]
    errors = [name for name in errors if name not in mistakes]
    few = sparse(frame, [name for name in names if name not in (*flags, *stated, *errors, *of_judges)], words)
    perhaps = {name: says for name, says in perhaps.items() if name not in few}
    judged = [name for name in names if judging(name) or called([name], "verdict")]
    known = any("unanswered" in meant.values() for name in judged for meant in meanings(words[name]))
    errors += [name for name, meant in few.items() if {*meant.values()} == {"error"}]
    columns, states, how, undecided = dict[str, str](), dict[str, str](), dict[str, str](), list[str]()
    used = flags or ({} if said or known else perhaps)
    if used or said:
        meant = {name: flag_states(words[name], says) for name, says in used.items()}
        meant |= {said: {word: state_of(word) for word in words[said]}} if said else {}
        columns, states = {"state": pattern([*meant])}, together(frame, meant)
    if said:
        how = {state: f"likely: the word {shown(word)} in {shown(said)}" for word, state in meant[said].items()}
        none = listed([word for word, state in meant[said].items() if state == "unanswered"])
        silent_too = f", so that {none} is silence" if none else ""
        undecided = [f"what {listed(words[said])} in {shown(said)} mean: here what they say{silent_too}"]
        if len(stated) > 1:
            undecided.append(f"which of {listed(stated)} says what a response is: here {shown(said)}")
    if used:
        why = "by the texts of the answers" if by_texts else "by the name alone"
        how |= {"unanswered": f"likely, {why}: {where(used)}"}
        undecided += of_flags(frame, used, why, meant if used is perhaps else {})
    if perhaps and used is not perhaps:
        undecided.append(f"whether {listed([*perhaps])} says so, too: here not")
    other = [name for name in names if silent(name) is not None and name not in (*flags, *stated) and words[name]]
    if other:
        undecided.append(f"whether {listed(other)} say that a response is none: here not, as they are no yes and no")
    if mistakes := [name for name in mistakes if name not in few]:
        undecided.append(f"whether the system broke down where something stands in {listed(mistakes)}: here not")
    if errors:
        columns |= {"error": errors[0]}
        how |= {"error": f"likely, by a name alone: something stands in {shown(errors[0])}"}
        undecided.append(broke_down(errors[0]))
    asked = {errors[0]: undecided[-1]} if errors else {}
    for name in few:
        if name not in errors and not states:
            columns["state"], states = name, few[name]
            how |= {state: f"likely: the word {shown(word)} in {shown(name)}" for word, state in states.items()}
            asked[name] = f"whether {listed([*states])} in {shown(name)} says that there is no answer: here so"
        elif name not in asked:
            asked[name] = f"whether {shown(name)} says that there is no answer, too: here not"
        undecided = [*undecided, asked[name]] if asked[name] not in undecided else undecided
    taken = (*flags, *perhaps, *errors, *mistakes, *of_judges, *few, *(stated if chosen else []))
    several = tuple(flags) if len({whose for name in flags if (whose := whose_silence(name))}) > 1 else ()
    if half:
        undecided.append(f"what {listed(half)} and the other words of {shown(chosen)} mean: here nothing")
    left = (chosen, half) if half and not states else None
    of_few = tuple((name, asked[name]) for name in few)
    return Beside(columns, states, taken, tuple(undecided), how, several, of_judges, left, of_few)


def sparse(frame: pl.DataFrame, names: list[str], words: dict[str, list[str]]) -> dict[str, dict[str, str]]:
    """The columns that are empty but for words of silence or breakdowns, such as `refused`, with what each word means.

    Only if a column that may judge, or have the right answers, is filled where they are empty: the others count there.
    A column that is named like a judge may say that the judge was silent, and is none of them.
    """
    found = {}
    for name in names:
        meant = {word: state_of(word) for word in words[name] if verdict(word) in (None, "unanswered", "error")}
        of_judge = judging(name) or any(word.startswith(OF_JUDGES) for word in parts(name))
        said = len(meant) == len(words[name]) > 0 and {*meant.values()} <= {"unanswered", "error"}
        if not said or of_judge or {*parts(name)} & {*ELSEWHERE, *OF_QUESTIONS} or not frame[name].has_nulls():
            continue
        empty = frame.filter(pl.col(name).is_null())
        others = [other for other in names if other != name and empty[other].null_count() < empty.height]
        if any(may_decide(other) or right_of(frame[other]) is not None for other in others):
            found[name] = meant
    return found


def may_decide(name: str) -> bool:
    """Whether a column, by its name, judges responses or has right answers."""
    return judging(name) or bool(called([name], "verdict") or called([name], "gold"))


def broke_down(name: str) -> str:
    """The question that a column of breakdowns leaves open."""
    return f"whether the system broke down where something stands in {shown(name)}: here it did"


def are_failures(texts: pl.Series) -> bool:
    """Whether at least half of what stands in a column of errors tells of a breakdown, and not of a mistake."""
    return 2 * sum(state_of(text) == "error" or bool(FAILURE.search(text)) for text in texts) >= len(texts)


def without(said: Beside, name: str, why: str) -> Beside:
    """The same without one of the columns that `sparse` found, which says something else for this reason."""
    asked = dict(said.sparse)[name]
    columns = {ours: theirs for ours, theirs in said.columns.items() if theirs != name}
    how = {state: what for state, what in said.how.items() if not what.endswith(f" in {shown(name)}")}
    open_now = f"whether {shown(name)} says that there is no answer: here not, as {why}"
    undecided = tuple(open_now if what == asked else what for what in said.undecided)
    return said._replace(columns=columns, how=how, undecided=undecided)


def where(flags: dict[str, bool]) -> str:
    """The condition under which a response is silence by these flags, in words."""
    return " or ".join(f"{shown(name)} is {'true' if says else 'false'}" for name, says in flags.items())


def of_flags(frame: pl.DataFrame, flags: dict[str, bool], why: str, asked: dict[str, dict[str, str]]) -> list[str]:
    """The questions that these flags of silence leave open; `asked`: their states, if they may mean other things."""
    states = ", ".join(f"{shown(word)}: {state}" for word, state in together(frame, asked).items())
    key = f" (`states: {{{states}}}`)" if asked else ""
    undecided = [f"whether a response is none where {where(flags)}: here so, {why}{key}"]
    if len(flags) > 1:
        undecided.append(f"which of {listed([*flags])} says that a response is none: here any of them")
    if empty := sum(frame[name].null_count() for name in flags):
        undecided.append(f"what {empty:,} empty fields of {listed([*flags])} say: here nothing, the verdict counts")
    return undecided


def breakdowns(frame: pl.DataFrame, names: list[str], words: dict[str, list[str]]) -> tuple[list[str], tuple[str, ...]]:
    """The columns with errors of the system, the surest first; and those with errors of judges."""
    errors = [name for name in names if is_breakdown(name, frame[name], words[name])]
    of_judges = tuple(name for name in errors if any(word.startswith(OF_JUDGES) for word in parts(name)))
    own = [name for name in errors if name not in of_judges]
    return sorted(own, key=lambda name: (plain(name) != "error", "message" not in parts(name))), of_judges


def maybe(name: str, names: list[str]) -> bool | None:
    """Whether a column, by its name, may flag silence (true) or answers (false); null if its name says neither.

    Where no other column is named like a verdict, a flag of answers such as `accepted` may be the verdict: null.
    """
    says = next((says for word, says in PERHAPS.items() if word in parts(name)), None)
    return says if says or called([other for other in names if other != name], "verdict") else None


def following(frame: pl.DataFrame, names: list[str], words: dict[str, list[str]]) -> dict[str, bool]:
    """The yes-no columns that agree with the texts of the answers on which are silent, whatever the columns' names.

    True for a column that is yes where the text means no answer; false for one that is yes everywhere else, which is
    taken only if the table also has a column of verdicts.
    """
    answer = called(names, "answer")
    none = frame.select(silent_text(answer)).to_series() if answer else pl.Series([], dtype=pl.Boolean)
    if none.sum() < FEWEST:
        return {}
    others = [name for name in names if not judging(name) and not called([name], "verdict")]
    found = {}
    for name in others:
        said = boolean(words[name])
        if said and not {*parts(name)} & {*ELSEWHERE}:
            flag = frame[name].replace_strict(said, default=None, return_dtype=pl.Boolean)
            for says, flagged in ((True, flag), (False, ~flag)):
                nearly = (flagged & none).sum() >= NEARLY * int((flagged.fill_null(True) | none).sum())
                if nearly and (says or len(others) < len(names)):
                    found[name] = says
    return found


def whose_silence(name: str) -> tuple[str, ...]:
    """The words in a flag's name that say whose silence it is: baseline in baseline_abstained, none in is_refusal."""
    said = (*SILENT, *GIVEN, *(word for words in TOGETHER for word in words.split()))
    return tuple(word for word in parts(name) if not word.startswith(said) and word not in (*NEGATED, *FILLING))


def says_states(name: str, words: list[str]) -> bool:
    """Whether a column says which responses are answers and which are silent; some of its words may be unknown.

    A column called just `label` does so only if its words are about compliance.
    """
    of_name, complied = {*parts(name)}, any("compl" in plain(word) for word in words)
    if of_name & {*ELSEWHERE, *OF_QUESTIONS} - {"label"} or (of_name == {"label"} and not complied):
        return False
    return is_state(words) or bool(unknown(words))


def is_state(words: list[str]) -> bool:
    """Whether the words of a column tell responses from silence or breakdowns, and not how good they are."""
    meant = {state_of(word) for word in words}
    return len(meant) > 1 and "" not in meant and ANSWERED in meant


def unknown(words: list[str]) -> list[str]:
    """The unknown words of a column whose known words tell answers from silence; empty for any other column.

    Where no known word means an answer, all unknown ones have to begin as in OF_RESPONSES.
    """
    known = [word for word in words if state_of(word)]
    others = [word for word in words if word not in known]
    silence = any(state_of(word) == "unanswered" for word in known)
    about = all(any(part.startswith(OF_RESPONSES) for part in parts(word)) and not verdict(word) for word in others)
    return others if len(words) <= FEW and (is_state(known) or (silence and about)) else []


def is_breakdown(name: str, values: pl.Series, words: list[str]) -> bool:
    """Whether a column holds errors, by its name and its content: texts, yes and no, or nothing."""
    named, head = {*parts(name)}, parts(name.replace("/", ".").split(".")[0])[0]
    if not named & {*BREAKDOWNS} or "/" in name or HEADS.get(head) == "verdict":
        return False
    if "." in name and head in BREAKDOWNS:
        return parts(name)[-1] in OF_ERRORS
    if named & {*NO_BREAKDOWNS}:
        return False
    if "." in name and HEADS.get(head) != "answer" and head not in WHOLE and not head.startswith(OF_JUDGES):
        return False  # the error of a part of a response
    said = [word for word in words if word.lower() not in NO_ERROR]
    return boolean(words) is not None or reals(pl.Series(said, dtype=pl.String)).null_count() == len(said)


def pattern(names: list[str]) -> str:
    return names[0] if len(names) == 1 else "-".join(f"{{{name}}}" for name in names)


def flag_states(words: list[str], says: bool) -> dict[str, str]:
    """The state that each word of a flag means; `says`: whether the flag is of silence (true) or of answers."""
    return {word: "unanswered" if yes == says else ANSWERED for word, yes in (boolean(words) or {}).items()}


def together(frame: pl.DataFrame, meant: dict[str, dict[str, str]]) -> dict[str, str]:
    """The state of each combination of words of these columns: silence if one means it, else error, else answer."""
    several = len(meant) > 1
    each = [[*words, *([""] if several and frame[name].has_nulls() else [])] for name, words in meant.items()]
    states = {}
    for some in product(*each):
        said = [words[word] for word, words in zip(some, meant.values(), strict=True) if word]
        if said:
            states["-".join(some)] = next((state for state in ("unanswered", "error") if state in said), ANSWERED)
    return states
