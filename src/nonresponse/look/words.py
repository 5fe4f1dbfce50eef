"""Words for verdicts and silence; they are compared in lower case, with _ for anything but letters and digits."""

import re

import polars as pl

from nonresponse import formats
from nonresponse.formats import numbers
from nonresponse.formats.grades import FALSE, OUTCOMES, TRUE
from nonresponse.formats.roles import by_word, plain, word_list

VERDICTS = by_word(
    correct="correct right true yes pass passed ja richtig oui vrai correcto corretto korrekt",
    wrong="wrong incorrect false no fail failed not_correct nein falsch non faux inkorrekt incorrecto sbagliato errato",
    unanswered="unanswered not_attempted not_answered no_answer abstain abstained refused refusal idk i_don_t_know "
    "withheld declined unattempted did_not_answer no_response skipped "
    "keine_antwort enthaltung enthalten sans_réponse pas_de_réponse abstenu abstention "
    "sin_respuesta nessuna_risposta astenuto",
    partial="partial partially_correct partly_correct partial_answer",
    unscored="unscored not_judged unjudged",
    error="error crashed timeout",
)
NUMBERS = {1: "correct", 0: "wrong", 0.5: "partial"}
WORD = r"[^\W\d_](?:[^\W\d]|[ '’-])*\.?"  # the form of a verdict: !correct is not correct
# What letters mean varies; all letters of a column have to belong to one of these.
LETTERS = [{"A": "correct", "B": "wrong", "C": "unanswered"}, *formats.having("LETTERS").values()]  # first SimpleQA
LABELS = ("R", "W", "U", "X")  # labels of judgments
# A number or letter before a label: 1_correct, (b) wrong.
NUMBERING = re.compile(r"[(\[]?([0-9]{1,2}[)\].:_\s-]+|[A-Za-z][)\].:]\s*)(?=[^\W\d_])")
# The meaning of words in a column of states, which says nothing about how good an answer is.
STATES = {word: meant for word, meant in VERDICTS.items() if meant in ("unanswered", "error")} | by_word(
    answered="answered answer attempted completed complete ok success done response respond responded responds "
    "direct_answer full_answer final_answer answers attempt compliance compliant comply complied complies "
    "no_refusal non_refusal not_refused",
    unanswered="escalate escalated defer deferred punt punted refuse refuses decline declines abstains non_answer "
    "no_attempt",
    error="failed failure crash exception api_error rate_limit",
)
WHOLLY = word_list("full fully complete completely direct total clear explicit outright hard")
# Beginnings of words in labels of responses; unless a word is in STATES, it is unknown whether it means silence.
OF_RESPONSES = word_list(
    "refus compl declin abst attempt answer respon hedg partial deflect evas evad clarif safe unsafe harm warn "
    "disclaim caveat redirect uncertain unsure unclear"
)
SILENCE = word_list(
    "noa nil none null nan n_a na unknown idk i_don_t_know i_do_not_know abstain unanswered no_answer unanswerable "
    "not_attempted refused missing error"
)
FEW = 8  # different words that a column of verdicts may have if some are unknown
MOST = 50  # different words that are returned of a column
FIRST = 1000  # rows that are looked at first: if they have more than MOST words, the rest is not read
KEYS = ("key", "gold", "reference", "references", "answers", "truth")  # words in names of files of right answers


def different(values: pl.Series) -> list[str]:
    """The different words of a column, sorted, at most MOST of them."""
    first = values.head(FIRST).drop_nulls().unique()
    words = first if len(first) > MOST else values.drop_nulls().unique()
    return words.sort().head(MOST).to_list()


def verdict(word: str) -> str | None:
    """The verdict that a word or a number means; null if it means none."""
    number = numbers.real(word.strip())
    if number is not None:
        return NUMBERS.get(number)
    label = unnumbered(word)
    return VERDICTS.get(plain(label)) if re.fullmatch(WORD, label) else None


def unnumbered(word: str) -> str:
    """A label without the number or letter that it may begin with."""
    return NUMBERING.sub("", word.strip(), count=1) if NUMBERING.match(word.strip()) else word.strip()


def state_of(word: str) -> str:
    """The state that a word means, also with the name of an enumeration (TraceState.OK); "" if it means none."""
    label = plain(unnumbered(word))
    first, _, rest = label.partition("_")
    said = STATES.get(label) or STATES.get(plain(word.rpartition(".")[2]))
    return said or (STATES.get(rest, "") if first in WHOLLY else "")


def below_0(words: list[str]) -> bool:
    """Whether these are verdicts with numbers below 0, such as -1, whose meaning varies from file to file."""
    low = [word for word in words if -1 <= (numbers.real(word.strip()) or 0) < 0]
    return bool(low) and all(word in low or verdict(word) for word in words)


def may_be_answers(words: list[str]) -> bool:
    """Whether these words could all be answers to questions, as well as verdicts: yes and no, numbers, letters."""
    others = [word for word in words if len(word) != 1 and plain(word) not in (*TRUE, *FALSE)]
    return all(numbers.real(word.strip()) is not None for word in others)


def strange(words: list[str], named: bool) -> list[str]:
    """The words that are no verdicts, in a column that has words both for right and for wrong; else empty.

    A column that is `named` like a verdict needs words for only one of the two.
    """
    meant = {word: verdict(word) for word in words}
    sure = {what for word, what in meant.items() if not may_be_answers([word])}
    some = sure & {"correct", "wrong"}
    return [word for word in words if not meant[word]] if len(some) > (not named) and len(words) <= FEW else []


def half_judged(words: list[str]) -> list[str]:
    """The words that are neither verdicts nor numbers, in a judge's column that has verdicts, too; else empty."""
    other = [word for word in words if not verdict(word) and numbers.real(word.strip()) is None]
    return other if len(other) < len(words) <= FEW else []


def meanings(words: list[str]) -> list[dict[str, str]]:
    """All mappings of these words to verdicts that are possible (letters may have several); empty if there is none."""
    meant = [dict(letters) for letters in LETTERS if {*words} <= {*letters}]
    if {*words} <= {*OUTCOMES, "unscored", "error"} and {*words} & {*OUTCOMES}:
        meant.append({word: word for word in words})
    known = {word: what for word in words if (what := verdict(word))}
    if {numbers.real(word.strip()) for word in words} == {0, 100}:  # per cent
        known = {word: "correct" if numbers.real(word.strip()) else "wrong" for word in words}
    if len(known) == len(words):
        meant.append(known)
    return meant if words else []
