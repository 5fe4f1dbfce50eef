"""Read what a table says of its answers: verdicts, abstention, failures. What it leaves open is
asked."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import polars as pl

from nonresponse import tasks
from nonresponse.detect import BLANK, Choice, Question, flow, names
from nonresponse.detect.draft import (
    FEW,
    MAX_VALUES,
    Draft,
    are_flags,
    describe_column,
    is_numeric,
    select_unknown,
)
from nonresponse.detect.names import ALIASES, MEANINGS, columns_called, flag, is_called, meaning
from nonresponse.faults import quote, quote_names
from nonresponse.formats import numbers
from nonresponse.formats.grades import OUTCOMES, normalise_squad
from nonresponse.formats.json_records import LIST_MARK, VALUE, mark_lists, parse_texts
from nonresponse.tasks import VERDICTS
from nonresponse.wording import join_names, plural

# Names of columns that may have gold answers beside a column of answers
GOLD_OR_ANSWER = (*ALIASES["gold"], *ALIASES["answer"], *ALIASES["verdict"])
# Roles of what is said of a single response, which no table with a column per system has
RESPONSE_ROLES = {*ALIASES, "asked"} - {"question", "verdict", "gold", "category", "asked"}
# Roles in a table of verdicts on pairs
PAIR_ROLES = ("question", "run", "verdict", "category", "confidence")
LONGEST = 30  # letters of a word without a documented meaning in a column offered as verdicts
MANY = 50  # words whose meanings a block lists
OFFICIAL_QUESTION = "Whose judgments are the official ones?"
WORDS_OF = "each one of " + ", ".join(VERDICTS)
STATES_OF = "each one of answered, unanswered, error"


def ask_verdict(draft: Draft) -> None:
    """Ask what says that an answer is correct, where no column is called so."""
    if "verdict" in draft.roles or draft.has_other_verdicts or draft.asks("verdict"):
        return
    free = draft.free_columns() + draft.role_columns("category")
    free += [VALUE] * (draft.roles.get("answer") == VALUE)
    words = {name: draft.list_words(name) for name in free}
    gold, answer, run = draft.roles.get("gold"), draft.column("answer"), draft.column("run")
    # A column per system; one that names a single run is no run
    is_wide = "run" not in draft.roles or (run is not None and run.n_unique() == 1)
    golds = {*draft.frame[gold].drop_nulls()} if gold in draft.frame.columns and is_wide else set()
    # Those with words of the gold answers are answers
    short = [name for name in free if golds.isdisjoint(words[name]) and len(words[name]) <= FEW]
    few = [name for name in short if may_be_verdicts(words[name], draft.frame.height)]
    few = few or [name for name in short if len(words[name]) > 1]
    few.sort(key=lambda name: rank_words(name, words[name]))
    numeric = [name for name in free if name not in few and is_numeric(draft.frame[name])]
    few = [name for name in few if not are_sentences(words[name], draft.frame.height)]
    telling = [name for name in [*few, *numeric] if may_tell(draft, name)]
    choices = []
    for name in telling[:MAX_VALUES]:
        means = describe_column(draft.frame[name]) + next_answer([name], words[name])
        choices.append(Choice("verdict", name, means))
    verdicts = [name for name in few if name in telling and not is_called(name, "abstained")]
    # Else words that are to be explained
    documented = [name for name in verdicts if select_unknown(words[name]) != words[name]]
    for name in documented or verdicts:
        similar = [candidate for candidate in verdicts if {*words[name]} & {*words[candidate]}][
            :MAX_VALUES
        ]
        if len(similar) > 1:
            also = next_answer(similar, draft.list_words(*similar))
            choices.append(assessors_choice(similar, also))
            choices += [Choice("systems", similar, f"each column is a system{also}")] * is_wide
            break
    choices += [*pair_choices(draft, few, telling)] if gold is None else []
    if answer is not None:
        choices += gold_choices(draft, answer, free, is_wide)
    elif gold in draft.frame.columns:
        answers = " or ".join(choice.quoted for choice in answers_equal_to(draft, gold))
        if answers:
            choices.append(Choice("gold", gold, f"compare with it; then also {answers}"))
        means = f"each of these columns has the answers of a system, compared with {gold!r}"
        systems = [name for name in free if may_be_answers(draft, name, gold)]
        choices += [Choice("systems", systems, means)] * (is_wide and len(systems) > 1)
    means = "each object of this list is a response"
    starts = {name: draft.frame[name].drop_nulls().head(1) for name in free}
    lists = [name for name in free if starts[name].str.starts_with("[{").any()]
    lists = [] if "nested" in draft.settings else lists[:FEW]
    choices += [Choice("nested", name, means) for name in lists]
    means = "each object in it is the response of a run"
    choices[:0] = [Choice("nested", name, means) for name in draft.table.inner_objects]
    if answer is not None or "abstained" in draft.roles:
        means = "nobody judged the answers; only what is answered is counted"
        choices.append(Choice("judged", False, means))
    text = (
        "No column has a documented name of a verdict (verdict, correct, …). What says that "
        "an answer is correct?"
    )
    sentences = [
        name for name in columns_called(free, ALIASES["verdict"]) if len(words[name]) > FEW
    ]
    if sentences:
        text = (
            f"{quote_names(sentences)} has {len(words[sentences[0]])} different texts, of which no "
            "verdict is read: add a column with a word for each, such as correct, wrong or "
            "unanswered. Or what else says that an answer is correct?"
        )
    form = "another column" if choices else ""
    draft.ask("verdict", text, *choices, columns=tuple(free), form=form)


def rank_words(name: str, words: list[str]) -> tuple[bool, ...]:
    """Return the rank of a column of words among those that may be verdicts: several words come
    first, then documented ones, then a documented name, then words with a documented part."""
    parts = {part for word in words for part in re.split(r"[\W_]+", word)}
    is_known = not select_unknown(words)
    is_like = is_called(name, "verdict")
    return len(words) < 2, not is_known, not is_like, parts.isdisjoint(MEANINGS)


def are_sentences(words: list[str], rows: int) -> bool:
    """Return whether texts are no words of verdicts: they are long, or different on each row."""
    is_known = not select_unknown(words)
    return max(map(len, words)) > 3 * LONGEST or (len(words) == rows > FEW and not is_known)


def may_tell(draft: Draft, name: str) -> bool:
    """Return whether a column may say something of each response: it is no measure such as a time,
    and says more than which run, question or repetition a response is of."""
    values = draft.frame[name].drop_nulls()
    words = values.n_unique()
    is_known = not select_unknown(draft.list_words(name))
    if name in draft.asked_runs() or (name in draft.splitting_columns and not is_known):
        return False
    is_spread = is_numeric(values) and words > max(FEW, len(values) / 2)
    if is_spread and not numbers.parse_reals(values).is_between(0, 1).all():
        return False
    if words < 2:
        return bool(words) and not are_flags(values.unique().to_list())
    run, question = draft.role_columns("run"), draft.role_columns("question")
    rows, responses = draft.frame.height, draft.count_distinct([*run, *question])
    for names_of in (run, question):
        number = draft.count_distinct(names_of) if names_of else 0
        if 1 < number < rows and draft.count_distinct([*names_of, name]) == number:
            return False
    return not (question and responses < draft.count_distinct([*run, *question, name]) == rows)


def may_be_answers(draft: Draft, name: str, gold: str) -> bool:
    """Return whether a column may have answers like those of a column of gold answers."""
    golds, words = draft.list_words(gold), draft.list_words(name)
    if len(golds) <= FEW:
        return not {*golds}.isdisjoint(words)
    if is_numeric(draft.frame[name]) and not is_numeric(draft.frame[gold]):
        return False
    return len(words) > FEW and may_tell(draft, name)


def pair_choices(draft: Draft, few: list[str], telling: list[str]) -> Iterator[Choice]:
    """Yield the columns of few words that may have the gold answers for another one: those with at
    least two of its words, which are no verdicts."""
    words = {name: {*select_unknown(draft.list_words(name))} for name in few}
    for answer in few if len(few) <= FEW else ():
        golds = [name for name in few if len(words[name] & words[answer]) > 1]
        golds = [name for name in golds if name not in (answer, *draft.splitting_columns)]
        # Gold answers are the same on all rows of a question, where it has several
        fixed = [name for name in golds if name not in telling]
        golds = fixed or (golds if len(golds) == 1 else [])
        for gold in golds[:1] if answer in telling else ():
            equal = int((draft.frame[answer] == draft.frame[gold]).sum())
            also = f"{Choice('answer', answer).quoted}: {equal:,} of {draft.frame.height:,}"
            yield Choice("gold", gold, f"compare with it; then also {also} are correct")


def gold_choices(
    draft: Draft, answer: pl.Series, free: list[str], is_wide: bool
) -> Iterator[Choice]:
    """Yield the columns and files of gold answers with which answers may be compared."""
    gold = draft.roles.get("gold")
    golds = [gold] if gold else columns_called(draft.free_columns(), GOLD_OR_ANSWER)
    equal = [name for name in {*free} - {answer.name} if (draft.frame[name] == answer).any()]
    if not golds and is_wide and len(equal) > 1:
        means = f"the answers of systems; then also {Choice('gold', answer.name).quoted}"
        yield Choice("systems", sorted(equal), means)
    elif not golds:
        golds = sorted(equal)
    golds = [name for name in golds if name in equal or is_called(name, "gold")]
    for name in golds[:FEW]:
        yield from comparison_choices(answer, draft.frame[name])
    if len(draft.table.unjudged) > 1 and not golds and "run" not in draft.roles:
        means = "this file has the gold answers of the others"
        yield from (Choice("key", path, means) for path in draft.table.unjudged[:FEW])


def answers_equal_to(draft: Draft, gold: str) -> list[Choice]:
    """Return the columns without a role that may have the answers, since some equal the gold
    ones."""
    equal = {
        name: int((draft.frame[name] == draft.frame[gold]).sum()) for name in draft.free_columns()
    }
    means = f"{{:,}} of {draft.frame.height:,} are correct"
    return [Choice("answer", name, means.format(n)) for name, n in equal.items() if n][:FEW]


def may_be_verdicts(words: list[str], rows: int) -> bool:
    """Return whether a column with these words is offered as one of verdicts: few words, documented
    or short."""
    short = 1 < len(words) <= rows / 2 and max(map(len, words)) <= LONGEST
    return 0 < len(words) <= FEW and (not select_unknown(words) or short)


def assessors_choice(columns: list[str], also: str = "") -> Choice:
    """Return the choice that several columns are assessors."""
    majority = ", or official=majority" * (len(columns) > 2)
    means = f"several assessors; then also official={columns[0]}{majority}{also}"
    return Choice("assessors", columns, means)


def official_choices(names: list[str]) -> list[Choice]:
    """Return the choices of the official ones of several files or columns of judgments."""
    majority = Choice("official", "majority", "what more than half of them say")
    return [Choice("official", name) for name in names] + [majority] * (len(names) > 2)


def next_answer(columns: Iterable[str], words: list[str]) -> str:
    """Return what the words of columns are read as, and what else has to be said, as the end of a
    sentence."""
    open_words = undocumented(columns, words)
    if not open_words:
        verdicts = {word: meaning(word) for word in words}
        return "" if names.is_ours(words) else f"; read as {flow(verdicts)}"
    if are_flags(open_words):
        choices = [Choice("verdicts", verdicts).quoted for verdicts in directions(open_words)]
        return f"; then also {' or '.join(choices)}"
    documented = describe_documented(words, open_words)
    blanks = Choice("verdicts", dict.fromkeys(open_words, BLANK)).quoted
    if all(numbers.parse_real(word) is not None for word in open_words):
        return f"; then also correct_from=NUMBER{f' or {blanks}' * (len(open_words) <= FEW)}"
    return f"; then also {blanks}{documented and f'; {documented}'}"


def describe_documented(words: list[str], open_words: list[str]) -> str:
    """Say how the documented words of a column are read that has open words, too; "" if none is."""
    readings = {word: meaning(word) for word in words if word not in open_words}
    texts = [
        f"{quote(word)} is read as {verdict}"
        for word, verdict in readings.items()
        if verdict and verdict != word.lower()
    ]
    return join_names(texts[:FEW])


def undocumented(columns: Iterable[str], words: list[str]) -> list[str]:
    """Return the words without a documented meaning in columns: a yes has none unless the name of a
    column has one."""
    sure = any(is_called(name, "verdict") for name in columns)
    return [word for word in words if meaning(word) is None or not (sure or flag(word) is None)]


def directions(flags: list[str]) -> list[dict[str, str]]:
    """Return what yes and no may mean: correct and wrong, or the reverse."""
    right = {word: "correct" if flag(word) else "wrong" for word in sorted(flags)}
    turned = {"correct": "wrong", "wrong": "correct"}
    return [right, {word: turned[verdict] for word, verdict in right.items()}]


def comparison_choices(answer: pl.Series, gold: pl.Series) -> Iterator[Choice]:
    """Yield the ways to compare answers with gold answers, with the number of answers that are
    equal."""
    is_gold = is_called(gold.name, "gold")
    pairs = pl.DataFrame({"answer": answer, "gold": mark_lists(gold)}).drop_nulls()
    pairs, number, any_of = pairs.with_row_index(), f"{pairs.height:,}", ""
    if gold.str.starts_with("[").any():
        any_of = ", with any of a list"
        pairs = pairs.with_columns(
            pl.col("gold")
            .str.replace(r"^\[", f"{LIST_MARK}[")
            .map_elements(parse_texts, pl.List(pl.String))
        ).explode("gold")
    texts = pairs.select(
        "index",
        "answer",
        "gold",
        a=normalise_squad(pl.col("answer")),
        b=normalise_squad(pl.col("gold")),
    )
    exact = texts.filter(pl.col("answer") == pl.col("gold"))["index"].n_unique()
    normalised = texts.filter(pl.col("a") == pl.col("b"))["index"].n_unique()
    means = f"compare texts as they are{any_of}: {exact} of {number} answers are correct"
    squad = "without capitals, punctuation and articles"
    if normalised == exact:
        yield Choice("gold", gold.name, means)
    elif is_gold:
        yield Choice("gold", gold.name, means)
        means = f"compare {squad}{any_of}: {normalised} of {number} answers are correct"
        yield Choice("normalise", "squad", means)
    else:
        means = f"{means}; then also normalise=squad, {squad}: {normalised}"
        yield Choice("gold", gold.name, means)


def read_verdicts(draft: Draft) -> None:
    """Set the options by which verdicts are read, and ask for the words that have no documented
    meaning."""
    settings, judges = draft.settings, draft.judges
    if settings.get("judged") is False:
        draft.options["judged"] = False
    elif settings.get("gold") or settings.get("normalise"):
        gold = draft.options["gold"] = settings.get("gold") or draft.roles.get("gold", BLANK)
        has_answers = "answer" in draft.roles or settings.get("systems")
        if not has_answers and gold in draft.frame.columns:
            choices, columns = answers_equal_to(draft, gold), tuple(draft.free_columns())
            draft.ask("answer", "Which column has the answers?", *choices, columns=columns)
    elif judges:
        draft.options["assessors"] = judges
        draft.ask("official", OFFICIAL_QUESTION, *official_choices([*judges]))
    if settings.get("systems") and "assessors" not in draft.options:
        set_wide(draft)
    if not {"judged", "gold"} & {*draft.options}:
        add_words(draft, draft.verdict_columns())


def set_wide(draft: Draft) -> None:
    """Set the options of a table with a column per system, in which nothing is said of single
    responses."""
    draft.roles = {role: name for role, name in draft.roles.items() if role not in RESPONSE_ROLES}
    draft.options |= {"layout": "wide", "systems": draft.settings["systems"]}
    words = draft.list_words(*draft.verdict_columns())
    texts = len(words) > FEW or select_unknown(words)
    if texts and "judged" not in draft.options and draft.roles.get("gold"):
        draft.options["gold"] = draft.roles["gold"]


def add_words(draft: Draft, columns: list[str]) -> None:
    """Set the option `verdicts`; ask for words without a documented meaning, and from which number
    on is correct."""
    words = draft.list_words(*columns)
    if {*words} & {*OUTCOMES} and {*words} <= {*OUTCOMES, "unscored", "error"}:
        draft.task = "validation"
        draft.roles = {role: column for role, column in draft.roles.items() if role in PAIR_ROLES}
        draft.roles |= {"candidate": "candidate"} if "candidate" in draft.free_columns() else {}
        return
    user_verdicts, threshold = (
        draft.settings.get("verdicts") or {},
        draft.settings.get("correct_from"),
    )
    # Of assessors: what they gave
    judged_columns = [*columns, *(draft.settings.get("pivot") or {}).values()]
    unread = undocumented(judged_columns, words)
    numeric = [word for word in words if numbers.parse_real(word) is not None]
    # Of 0 to 5, 1 is not correct
    scale = [] if are_flags(unread) or not {*unread} & {*numeric} else numeric
    verdicts = {word: None if word in (*unread, *scale) else meaning(word) for word in words}
    verdicts |= user_verdicts
    if threshold is not None:
        draft.options["correct_from"] = threshold
        verdicts = {
            word: verdict
            for word, verdict in verdicts.items()
            if word in user_verdicts or word not in numeric
        }
    open_words = [word for word, verdict in verdicts.items() if verdict in (None, BLANK)]
    if open_words and {*open_words} <= {*scale}:
        ask_threshold(draft, columns[0], open_words, numeric)
    elif open_words:
        ask_words(draft, columns[0], open_words)
    verdicts = {
        word: verdict or BLANK
        for word, verdict in verdicts.items()
        if word != verdict and (verdict or not draft.asks("correct_from"))
    }
    if verdicts and (len(verdicts) <= MANY or not open_words):
        draft.options["verdicts"] = verdicts


def ask_threshold(draft: Draft, column: str, words: list[str], numeric: list[str]) -> None:
    """Ask from which number on an answer is correct."""
    values = sorted(number for word in numeric if (number := numbers.parse_real(word)) is not None)
    text = (
        f"{column!r} has numbers from {values[0]:g} to {values[-1]:g}. From which one on is an "
        "answer correct? (Where more is worse, give each number its verdict, or another column.)"
    )
    choices = [Choice("verdicts", dict.fromkeys(words, BLANK), WORDS_OF)] * (len(words) <= FEW)
    draft.ask("correct_from", text, *choices, form="a number")


def ask_words(draft: Draft, column: str, words: list[str]) -> None:
    """Ask what words without a documented meaning mean; of yes and no, which of them is correct."""
    proposed, label = None, quote_names(words)
    text = f"{column!r} has words without a documented meaning: {label}. What is each?"
    explained = draft.settings.get("verdicts") or {}
    unexplained = [word for word in draft.list_words(column) if word not in explained]
    if documented := describe_documented(unexplained, words):
        text += f" ({documented}.)"
    choices = [Choice("verdicts", dict.fromkeys(words[:FEW], BLANK), WORDS_OF)]
    if are_flags(words):
        text = f"Nothing says whether {label} in {column!r} is correct. Which is?"
        right, wrong = directions(words)
        choices = [
            Choice("verdicts", right, "yes is correct"),
            Choice("verdicts", wrong, "yes is wrong, as of a hallucination or an error"),
        ]
    elif {*words} <= {*names.LETTERS} and not may_be_gold(draft, column):
        letters = {word: names.LETTERS[word] for word in sorted(words)}
        proposed = Choice("verdicts", letters, "as SimpleQA's grader has it")
        choices.insert(0, proposed)
    if draft.column("answer") is not None and not are_flags(words):
        choices.append(Choice("gold", column, "it has the gold answers"))
    # Whatever the user has said leaves these open
    question = Question("verdicts", text, tuple(choices), default=proposed, form=WORDS_OF)
    draft.questions.append(question)


def may_be_gold(draft: Draft, column: str) -> bool:
    """Return whether some answers equal what a column has."""
    answer = draft.column("answer")
    return answer is not None and bool((answer == draft.frame[column]).any())


def ask_abstention(draft: Draft) -> None:
    """Ask how abstention is marked, unless a documented word or the user says it."""
    flags = draft.column("abstained")
    if flags is not None:
        add_states(draft, flags)
        gold = draft.frame.get_column(str(draft.options.get("gold")), default=None)
        if gold is not None and gold.has_nulls():
            means = "the question has no answer: abstaining is correct"
            empty = Choice("unanswered", [""], means)
            text = f"What are {plural(gold.null_count(), 'empty gold answer')}?"
            draft.ask("unanswered", text, empty, default=empty)
    settings = {"unanswered", "refusals", "abstained", "states"} & {*draft.settings}
    if flags is not None or settings or tasks.get(draft.task).pairs or draft.asks("abstained"):
        return
    words = draft.list_words(*draft.verdict_columns())
    meanings = {draft.options.get("verdicts", {}).get(word, meaning(word)) for word in words}
    if {"unanswered", BLANK} & meanings and "gold" not in draft.options:
        return
    answers, verdict, gold = answer_columns(draft), draft.column("verdict"), draft.column("gold")
    abstentions = looking_like(names.ABSTENTION, answers)
    is_ours = verdict is not None and verdict.name == "verdict" and names.is_ours(words)
    if is_ours and not abstentions:
        return  # a table by our own documentation, which has a word for abstention
    # An empty gold answer says that there is none
    if gold is not None and verdict is None and mark_lists(gold).has_nulls():
        abstentions.append("")
    # What may be verdicts is asked first
    columns = [] if draft.asks("verdict") else [*abstention_choices(draft)]
    if "layout" in draft.options and columns:
        label = quote_names(choice.value for choice in columns)
        draft.notes.append(f"What {label} say is not read, beside a column of verdicts per system.")
        columns = []
    error = draft.column("error")
    is_sound = pl.Series([True]) if error is None else error.is_null()
    unjudged = 0 if verdict is None else int((verdict.is_null() & is_sound).sum())
    if unjudged:
        means = plural(unjudged, "response") + " without a verdict"
        columns.append(Choice("verdicts", {"": "unanswered"}, means))
    ask_unanswered(draft, abstentions, answers, columns)


def ask_empty_answers(draft: Draft) -> None:
    """Ask what empty answers are, where they are compared with gold answers or have verdicts that
    tell of no abstention."""
    choices = [choice for question in draft.questions for choice in question.choices]
    is_compared = {"gold", "normalise"} & {*draft.options, *(choice.key for choice in choices)}
    is_judged = draft.column("verdict") is not None and draft.asks("unanswered")
    words = [choice.value for choice in choices if choice.key == "unanswered"]
    is_told = any("" in (value or []) for value in (draft.settings.get("unanswered"), *words))
    if is_told or draft.column("abstained") is not None or not (is_compared or is_judged):
        return
    error = draft.column("error")
    failed = pl.Series([False]) if error is None else error.is_not_null()
    empty = sum(int((column.is_null() & ~failed).sum()) for column in answer_columns(draft))
    if empty:
        unanswered = Choice("refusals", {"empty": "unanswered"}, "they are unanswered")
        alternative = Choice("refusals", {"empty": "wrong"}, "they are wrong")
        if is_judged:
            alternative = Choice("refusals", False, "they are what they were judged")
        text = f"What are {plural(empty, 'empty answer')}?"
        draft.ask("refusals", text, unanswered, alternative, default=unanswered)


def ask_unanswered(
    draft: Draft,
    abstentions: list[str],
    answers: list[pl.Series],
    columns: list[Choice],
    key: str = "",
) -> None:
    """Ask which answers, or which column, mark that a system did not answer; `key`: what such an
    answer means in an answer key."""
    nothing = Choice("unanswered", False, "nothing here marks it")
    marks = [*mark_choices(draft, abstentions, answers, bool(key))]
    choices = marks + columns
    columns = [choice for choice in columns if choice.key == "abstained"]
    must_explain = not all(are_flags(draft.list_words(choice.value)) for choice in columns)
    documented = [choice for choice in columns if is_called(choice.value, "abstained")]
    proposed = None if must_explain else (documented or [nothing])[0]
    if marks:
        proposed = marks[0] if len(marks) == 1 else None
    form = "a list of answers; or abstained=COLUMN, of yes and no"
    text = f"How is it marked that a system did not answer?{key}"
    draft.ask("unanswered", text, *choices, nothing, default=proposed, form=form)


def mark_choices(
    draft: Draft, abstentions: list[str], answers: list[pl.Series], is_listed: bool
) -> Iterator[Choice]:
    """Yield the answers that look like abstention: as a list; long or many ones, unless
    `is_listed`, by how they begin."""
    texts = [text for text in abstentions if len(text) > LONGEST]
    if is_listed or (len(abstentions) <= FEW and all(len(text) < 3 * LONGEST for text in texts)):
        texts = []
    for group in ([text for text in abstentions if text not in texts][:MANY], texts):
        number = plural(sum(int(column.is_in(group).sum()) for column in answers), "answer")
        means = f"{number} that may be abstention{judged_correct(draft, group)}"
        if group and group is texts:
            stripped = pl.Series(group).str.strip_chars()
            begins = stripped.str.extract(names.ABSTENTION_BEGINS, 0).unique().sort()
            rules = {"prefixes": begins.drop_nulls().to_list()[:MANY]}
            yield Choice("refusals", rules, f"{means}, by their beginnings")
        elif group:
            yield Choice("unanswered", group, means)


def abstention_choices(draft: Draft) -> Iterator[Choice]:
    """Yield the columns that may say whether a run answered: of yes and no, or of few words, one of
    which looks like abstention or like a failure."""
    for name in draft.free_columns():
        column = draft.frame[name]
        words = draft.list_words(name) if column.n_unique() <= FEW + 1 else []
        series = [pl.Series(words, dtype=pl.String)]
        looks = looking_like(names.ABSTENTION, series) + looking_like(names.FAILURE, series)
        looks += [word for word in words if not are_flags([word]) and names.state(word, name)]
        is_documented = is_called(name, "abstained")
        if not is_documented and are_flags(words) and is_mostly_correct(draft, column):
            continue
        if (are_flags(words) and len(words) > 1) or (looks and not column.has_nulls()):
            yield Choice("abstained", name, describe_values(draft, "abstained", column))


def is_mostly_correct(draft: Draft, flags: pl.Series) -> bool:
    """Return whether most responses with a yes in a column were judged correct."""
    verdict, verdicts = draft.column("verdict"), draft.options.get("verdicts", {})
    if verdict is None:
        return False
    words = draft.list_words(flags.name)
    flagged = draft.frame.filter(flags.is_in([word for word in words if flag(word)]))
    correct = [
        word for word in draft.list_words(verdict.name) if verdicts.get(word, word) == "correct"
    ]
    return 2 * flagged[verdict.name].is_in(correct).sum() > flagged.height


def ask_failures(draft: Draft) -> None:
    """Ask whether answers that look like failures of the system are such, and whether a column
    tells of them."""
    answers = answer_columns(draft)
    failed = looking_like(names.FAILURE, answers)
    free = [] if "error" in draft.roles else draft.free_columns()
    texts = {
        name: looking_like(names.FAILURE, [draft.frame[name]])
        for name in free
        if draft.frame[name].has_nulls()
    }
    columns = [name for name in texts if texts[name]]
    columns += [  # of yes and no, whose name tells of failures
        name
        for name in free
        if names.TELLS_OF_FAILURE.fullmatch(names.plain(name)) and are_flags(draft.list_words(name))
    ]
    if not failed and not columns:
        return
    choices = [Choice("error", name, describe_column(draft.frame[name])) for name in columns]
    # A column that has other texts, too, may be about other things
    is_sure = all(
        len(texts.get(name, ())) == draft.frame[name].drop_nulls().n_unique() for name in columns
    )
    if failed:
        correct = judged_correct(draft, failed)
        is_sure = not correct
        number = sum(int(column.is_in(failed).sum()) for column in answers)
        means = f"{plural(number, 'answer')}{correct}"
        choice = Choice("failed", failed, means)
        if len(failed) > FEW or max(map(len, failed)) > LONGEST:
            prefixes = pl.Series(failed).str.extract(names.FAILURE, 0).unique().sort().to_list()
            rules = {"prefixes": prefixes[:MANY]}
            choice = Choice("failures", rules, f"{means}, by their beginnings")
        choices.insert(0, choice)
    choices.append(Choice("failed", False, "no: the system did not fail"))
    text = f"Does {quote_names(columns)} say that the system failed?"
    if examples := failed or texts.get(columns[0]):
        text = f"Are these failures of the system: {quote_names(examples, 3)}?"
    default = choices[0] if is_sure else None
    draft.ask("failed", text, *choices, default=default, form="a list of answers")


def looking_like(pattern: str, columns: list[pl.Series]) -> list[str]:
    """Return the different texts of columns that match a pattern, sorted."""
    texts = [column.drop_nulls().unique() for column in columns]
    return sorted({*chain(*(series.filter(series.str.contains(pattern)) for series in texts))})


def describe_values(draft: Draft, role: str, values: pl.Series) -> str:
    """Return the values of a column, and what they would mean as those of a role."""
    is_state = role == "abstained" and values.n_unique() <= FEW + 1
    words = draft.list_words(values.name) if is_state else []
    summary = describe_column(values)
    if are_flags(words):
        return f"yes: {names.state('yes', values.name)}; {summary}"
    states = {word: names.state(word, values.name) or BLANK for word in words}
    return f"{summary}; then also {Choice('states', states).quoted}" if states else summary


def answer_columns(draft: Draft) -> list[pl.Series]:
    """Return the columns with answers."""
    systems = draft.options.get("systems", []) if "gold" in draft.options else []
    if "gold" in draft.roles and "answer" not in draft.roles:
        choices = [choice for question in draft.questions for choice in question.choices]
        proposed = [choice.value for choice in choices if choice.key == "systems"]
        systems = proposed[-1] if proposed else systems
    columns = [draft.frame[name] for name in systems if name in draft.frame.columns]
    return [answer, *columns] if (answer := draft.column("answer")) is not None else columns


def judged_correct(draft: Draft, answers: list[str]) -> str:
    """Return how many of these answers were judged correct, as a part of a sentence; empty if none
    was."""
    verdict, answer = draft.column("verdict"), draft.column("answer")
    if verdict is None or answer is None:
        return ""
    verdicts = draft.options.get("verdicts", {})
    words = draft.list_words(verdict.name)
    correct = [word for word in words if verdicts.get(word, word) == "correct"]
    number = int((answer.is_in(answers) & verdict.is_in(correct)).sum())
    return f", {number:,} of them judged correct" if number else ""


def add_states(draft: Draft, column: pl.Series) -> None:
    """Set the meaning of the words in a column that marks abstention; ask where it is not
    documented."""
    user_states, words = draft.settings.get("states") or {}, draft.list_words(column.name)
    states = {
        word: user_states.get(word) or names.state(word, column.name) or BLANK for word in words
    }
    if BLANK in states.values() or len(words) > FEW:
        label = quote_names(words)
        text = f"{column.name!r} has words without a documented meaning: {label}. What is each?"
        explain = Choice("states", dict([*states.items()][:FEW]), STATES_OF)
        drop = Choice("abstained", False, "it marks something else")
        draft.questions.append(Question("states", text, (explain, drop), form=STATES_OF))
    draft.options["states"] = states or {"true": "unanswered"}
