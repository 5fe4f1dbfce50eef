"""Ask what says that an answer is correct, and what words of verdicts mean."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import polars as pl

from nonresponse.detect import BLANK, Choice, Question, flow, names
from nonresponse.detect.draft import (
    FEW,
    MAX_VALUES,
    Draft,
    are_flags,
    is_numeric,
    select_unknown,
)
from nonresponse.detect.names import ALIASES, columns_called, flag, is_called, meaning
from nonresponse.faults import quote, quote_names
from nonresponse.formats.grades import OUTCOMES
from nonresponse.formats.json_records import VALUE
from nonresponse.tasks import VERDICTS
from nonresponse.wording import join_names

# Names of columns that may have gold answers beside a column of answers
GOLD_OR_ANSWER = (*ALIASES["gold"], *ALIASES["answer"], *ALIASES["verdict"])
# Roles of what is said of a single response, which no table with a column per system has
RESPONSE_ROLES = {*ALIASES, "asked"} - {"question", "verdict", "gold", "category", "asked"}
# Roles in a table of verdicts on pairs
PAIR_ROLES = ("question", "run", "verdict", "category", "confidence")
LONGEST = 30  # letters of an answer that is listed among others
LONGEST_WORD = 90  # letters of a word in a column that is offered as verdicts
MANY = 50  # words whose meanings a block lists
PAIR = 2  # columns of a table of questions and answers, and nothing else
OFFICIAL_QUESTION = "Whose judgments are the official ones?"
ANSWER_QUESTION = "Which column has the answers?"
NUMBER = re.compile(r"[+-]?[0-9.,]+([eE][+-]?[0-9]+|\s?%)?")
VERDICT_FORM = "a column; or gold=COLUMN of gold answers, with answer=COLUMN or systems=[COLUMNS]"
WORDS_OF = "each one of " + ", ".join(VERDICTS)


def ask_verdict(draft: Draft) -> None:
    """Ask what says that an answer is correct, where no column is called so."""
    if "verdict" in draft.roles or draft.has_other_verdicts or draft.asks("verdict"):
        return
    free = draft.free_columns() + draft.role_columns("category")
    free += [VALUE] * (draft.roles.get("answer") == VALUE)
    gold, answer, run = draft.column("gold"), draft.column("answer"), draft.column("run")
    if answer is None and draft.settings.get("key"):  # which has the verdicts
        choices = draft.choose("answer", free[:FEW])
        draft.ask("answer", ANSWER_QUESTION, *choices, columns=tuple(free))
        return
    # A column per system; one that names a single run is no run
    is_wide = "run" not in draft.roles or (run is not None and run.n_unique() == 1)
    golds = {*gold.drop_nulls()} if gold is not None and is_wide else set()
    columns = [name for name in free if golds.isdisjoint(draft.list_words(name))]
    columns = rank_columns(draft, columns)
    inner = draft.inner_objects
    choices = [Choice("nested", name, "each object in it is a run") for name in inner]
    for choice in draft.choose("verdict", columns[:MAX_VALUES]):
        means = choice.means + next_answer(draft, [choice.value])
        choices.append(replace(choice, means=means))
    choices += joint_choices(draft, columns, is_wide)
    if answer is not None:
        choices += gold_choices(draft, answer, free)
    elif gold is not None:
        equal = list_equal(draft, gold, draft.free_columns())
        answers = " or ".join(choice.quoted for choice in equal) or "answer=COLUMN"
        if is_wide:
            systems = Choice("systems", [choice.value for choice in equal]).quoted
            systems = systems if len(equal) > 1 else "systems=[COLUMNS]"
            answers += f" or, for a run each, {systems}"
        choices.append(Choice("gold", gold.name, f"compare with it; then also {answers}"))
    elif len(draft.columns) == PAIR and "run" not in draft.roles:
        choices += key_choices([*dict.fromkeys([*draft.paths, *draft.unjudged])])
    starts = {name: draft.frame[name].drop_nulls().head(1) for name in free}
    lists = [name for name in free if starts[name].str.starts_with("[{").any()]
    lists = [] if "nested" in draft.shape else lists[:FEW]
    choices += [Choice("nested", name, "each object of this list is a response") for name in lists]
    if answer is not None or "abstained" in draft.roles:
        means = "nobody judged the answers; only what is answered is counted"
        choices.append(Choice("judged", False, means))
    text = "No column has a documented name of a verdict (verdict, correct, …)."
    if texts := [name for name in columns_called(free, ALIASES["verdict"]) if name not in columns]:
        text = (
            f"{quote_names(texts)} has {len(draft.list_words(texts[0]))} different texts, of which "
            "no verdict is read: add a column with a word for each, such as correct or unanswered."
        )
    text += " What says that an answer is correct?"
    draft.ask("verdict", text, *choices, columns=tuple(free), form=VERDICT_FORM * bool(free))


def rank_columns(draft: Draft, names: list[str]) -> list[str]:
    """Return the columns that may be verdicts, the likeliest first: those of documented words only,
    of some, of none, of numbers.

    Columns of many words are left out, and those that are the same on all rows of a run, or
    different on each.
    """
    ranks: dict[str, tuple[int | bool, ...]] = {}
    run = draft.role_columns("run")
    for name in names:
        words, is_number = draft.list_words(name), is_numeric(draft.frame[name])
        unknown = select_unknown(words)
        is_few = 0 < len(words) <= FEW and max(map(len, words)) <= LONGEST_WORD
        is_fixed = 1 < draft.count_distinct(run) == draft.count_distinct([*run, name])
        is_id = len(words) > max(FEW, draft.frame.height / 2) or is_called(name, "run")
        if (is_few or is_number) and not is_fixed and not is_id:
            kind = 3 if is_number else 2 if len(unknown) == len(words) else 1
            ranks[name] = len(words) < 2, kind if unknown else 0, not is_called(name, "verdict")
    return sorted(ranks, key=ranks.__getitem__)


def joint_choices(draft: Draft, columns: list[str], is_wide: bool) -> Iterator[Choice]:
    """Yield the choices that several columns with common words are assessors, or systems."""
    candidates = [name for name in columns if not is_called(name, "abstained")]
    words = {*draft.list_words(*candidates[:1])}
    similar = [name for name in candidates if words & {*draft.list_words(name)}]
    if len(similar) > 1:
        also = next_answer(draft, similar)
        yield assessors_choice(similar, also)
        if is_wide:
            yield Choice("systems", similar, f"each column is a system{also}")


def gold_choices(draft: Draft, answer: pl.Series, free: list[str]) -> Iterator[Choice]:
    """Yield the columns and files of gold answers with which answers may be compared."""
    gold = draft.roles.get("gold")
    documented = columns_called(draft.free_columns(), GOLD_OR_ANSWER)
    columns = [*([gold] if gold in draft.frame.columns else []), *free]
    equal = {choice.value: choice for choice in list_equal(draft, answer, columns)}
    golds = [gold] if gold else [name for name in documented if name in equal] or [*equal]
    for name in golds:
        means = equal[name].means if name in equal else "no answer is equal to it"
        if name in draft.frame.columns and draft.frame[name].str.starts_with("[").any():
            means = "with any of a list"
        yield Choice("gold", name, f"compare with it as it is written; {means}")
    if gold:
        means = "compare with it without capitals, punctuation and articles"
        yield Choice("normalise", "squad", means)
    if not golds and "run" not in draft.roles:
        yield from key_choices(draft.unjudged)


def key_choices(paths: list[str]) -> Iterator[Choice]:
    """Yield the choices of which of several files is the key."""
    means = "this file has the gold answers of the others"
    yield from (Choice("key", path, means) for path in paths[:FEW] if len(paths) > 1)


def list_equal(draft: Draft, texts: pl.Series, columns: list[str]) -> list[Choice]:
    """Return the columns some of whose values equal these texts, as choices of the answer."""
    numbers = {
        name: int((draft.frame[name] == texts).sum()) for name in columns if name != texts.name
    }
    means = f"{{:,}} of {draft.frame.height:,} are equal"
    return [Choice("answer", name, means.format(n)) for name, n in numbers.items() if n][:FEW]


def assessors_choice(columns: list[str], also: str = "") -> Choice:
    """Return the choice that several columns are assessors."""
    majority = ", or official=majority" * (len(columns) > 2)
    means = f"several assessors; then also official={columns[0]}{majority}{also}"
    return Choice("assessors", columns, means)


def official_choices(names: list[str]) -> list[Choice]:
    """Return the choices of the official ones of several files or columns of judgments."""
    majority = Choice("official", "majority", "what more than half of them say")
    return [Choice("official", name) for name in names] + [majority] * (len(names) > 2)


def next_answer(draft: Draft, columns: list[str]) -> str:
    """Return the end of a choice's description: how its words are read, or what would be asked if
    these columns were the verdicts."""
    trial = replace(draft, roles={**draft.roles}, options={}, questions=[], notes=[])
    add_words(trial, columns)
    words = draft.list_words(*columns)
    if not trial.questions:
        read_as = trial.options.get("verdicts", {})
        verdicts = {word: read_as.get(word, word.lower()) for word in words}
        return "" if names.is_ours(words) or not read_as else f"; read as {flow(verdicts)}"
    question = trial.questions[0]
    answers = ["correct_from=NUMBER"] * (question.key == "correct_from")
    answers += [choice.quoted for choice in question.choices if choice.key != "gold"]
    blanks = [choice.value for choice in question.choices if BLANK in choice.text]
    documented = describe_documented(words, blanks[0]) if blanks and not answers[1:] else ""
    return f"; then also {' or '.join(answers)}{documented and f'; {documented}'}"


def describe_documented(words: list[str], open_words: Iterable[str]) -> str:
    """Say how documented words are read in a column that has others, too; "" if it has none."""
    documented = [word for word in words if word not in open_words and meaning(word)]
    documented = [word for word in documented if meaning(word) != word.lower()]
    return join_names([f"{quote(word)} is read as {meaning(word)}" for word in documented[:FEW]])


def undocumented(columns: Iterable[str], words: list[str]) -> list[str]:
    """Return the words without a documented meaning. Yes and no have one only in columns that are
    called a verdict."""
    sure = any(is_called(name, "verdict") for name in columns)
    return [word for word in words if meaning(word) is None or not (sure or flag(word) is None)]


def directions(flags: list[str]) -> list[dict[str, str]]:
    """Return both readings of yes and no: yes as correct, and yes as wrong."""
    right = {word: "correct" if flag(word) else "wrong" for word in sorted(flags)}
    turned = {"correct": "wrong", "wrong": "correct"}
    return [right, {word: turned[verdict] for word, verdict in right.items()}]


def read_verdicts(draft: Draft) -> None:
    """Set the options by which verdicts are read, and ask for the words that have no documented
    meaning."""
    settings, judges = draft.settings, draft.judges
    if settings.get("judged") is False:
        draft.options["judged"] = False
    elif settings.get("gold") or settings.get("normalise"):
        name = draft.options["gold"] = settings.get("gold") or draft.roles.get("gold", BLANK)
        is_wide = settings.get("systems") or settings.get("layout") == "wide"
        if "answer" not in draft.roles and not is_wide and name in draft.frame.columns:
            columns = draft.free_columns()
            choices = list_equal(draft, draft.frame[name], columns)
            systems = [choice.value for choice in choices]
            choices += [Choice("systems", systems, "a run each")] * (len(systems) > 1)
            draft.ask("answer", ANSWER_QUESTION, *choices, columns=tuple(columns))
        present = [name, draft.roles.get("answer"), *(settings.get("systems") or [])]
        draft.note_decimals(*(draft.frame[column] for column in present if column in draft.frame))
    elif judges:
        draft.options["assessors"] = judges
        draft.ask("official", OFFICIAL_QUESTION, *official_choices([*judges]))
    if settings.get("systems") and "assessors" not in draft.options:
        draft.keep_roles({*draft.roles} - RESPONSE_ROLES)
        draft.options |= {"layout": "wide", "systems": settings["systems"]}
    if not {"judged", "gold"} & {*draft.options}:
        add_words(draft, draft.verdict_columns())


def add_words(draft: Draft, columns: list[str]) -> None:
    """Set the option `verdicts`; ask for words without a documented meaning, and from which number
    on is correct."""
    words, explained = draft.list_words(*columns), draft.settings.get("verdicts") or {}
    if {*words} & {*OUTCOMES} and {*words} <= {*OUTCOMES, "unscored", "error"}:
        draft.task = "validation"
        draft.keep_roles(PAIR_ROLES)
        draft.roles |= {"candidate": "candidate"} if "candidate" in draft.free_columns() else {}
        return
    # Of assessors: what they gave
    unread = undocumented([*columns, *(draft.settings.get("pivot") or {}).values()], words)
    texts = pl.Series("".join(columns[:1]), filter(NUMBER.fullmatch, words), pl.String)
    reals = zip(texts, draft.read_numbers(texts), strict=True)
    numeric = {word: real for word, real in reals if real is not None}
    if draft.asks("decimal"):
        return
    # Of 0 to 5, 1 is not correct
    scale = {} if are_flags(unread) or not {*unread} & {*numeric} else numeric
    verdicts = {word: None if word in (*unread, *scale) else meaning(word) for word in words}
    if "correct_from" in draft.settings:
        threshold = draft.options["correct_from"] = draft.settings["correct_from"]
        if numeric and max(numeric.values()) < threshold:
            draft.notes.append(f"No number in {columns[0]!r} reaches {threshold} (85 % is 0.85).")
        verdicts = {word: verdicts[word] for word in words if word not in numeric}
    verdicts |= explained
    open_words = [word for word, verdict in verdicts.items() if verdict in (None, BLANK)]
    if open_words and {*open_words} <= {*scale}:
        ask_threshold(draft, columns[0], open_words, numeric.values())
    elif open_words:
        ask_verdict_words(draft, columns, open_words)
    verdicts = {
        word: verdict or BLANK
        for word, verdict in verdicts.items()
        if word != verdict and (verdict or not draft.asks("correct_from"))
    }
    if verdicts and (len(verdicts) <= MANY or not open_words):
        draft.options["verdicts"] = verdicts


def ask_threshold(draft: Draft, column: str, words: list[str], scale: Collection[float]) -> None:
    text = (
        f"{column!r} has numbers from {min(scale):g} to {max(scale):g}. From which one on is an "
        "answer correct? (Where more is worse, give each number its verdict, or another column.)"
    )
    choices = [Choice("verdicts", dict.fromkeys(words, BLANK), WORDS_OF)] * (len(words) <= FEW)
    draft.ask("correct_from", text, *choices, form="a number")


def ask_verdict_words(draft: Draft, columns: list[str], words: list[str]) -> None:
    """Ask what words without a documented meaning mean; of yes and no, which of them is correct."""
    columns = [name for name in columns if {*words} & {*draft.list_words(name)}] or columns
    choices, answer, proposed = list[Choice](), draft.column("answer"), None
    if are_flags(words):
        means = ("yes is correct", "yes is wrong, as of a hallucination or an error")
        choices = [Choice("verdicts", *pair) for pair in zip(directions(words), means, strict=True)]
        text = f"Nothing says whether {quote_names(words)} in {columns[0]!r} is correct. Which is?"
        draft.questions.append(Question("verdicts", text, tuple(choices), form=WORDS_OF))
        return
    equal = answer is not None and bool((answer == draft.frame[columns[0]]).any())
    if {*words} <= {*names.LETTERS} and not equal:
        letters = {word: names.LETTERS[word] for word in sorted(words)}
        proposed = Choice("verdicts", letters, "as SimpleQA's grader has it")
        choices.append(proposed)
    if answer is not None and not draft.judges:
        choices.append(Choice("gold", columns[0], "it has the gold answers"))
    elif gold := draft.roles.get("gold"):
        choices.append(Choice("gold", gold, "these are answers, to be compared with it"))
    blanks = Choice("verdicts", dict.fromkeys(words[:FEW], BLANK), WORDS_OF)
    ask_words(draft, columns, blanks, *choices, default=proposed)


def ask_words(
    draft: Draft, columns: list[str], *choices: Choice, default: Choice | None = None
) -> None:
    """Ask what words of columns mean, which the first choice leaves blank."""
    key, blanks, form = choices[0].key, choices[0].value, choices[0].means
    explained = draft.settings.get(key) or {}
    words = [word for word in draft.list_words(*columns) if word not in explained]
    documented = describe_documented(words, blanks) if key == "verdicts" else ""
    text = (
        f"{join_names([*map(repr, columns)])} has words without a documented meaning: "
        f"{quote_names([*blanks])}. What is each?{documented and f' ({documented}.)'}"
    )
    draft.questions.append(Question(key, text, choices, default=default, form=form))
