"""Read what a table says of its answers: verdicts, abstention, failures. What it leaves open is
asked."""

from collections.abc import Iterable, Iterator
from itertools import chain

import polars as pl

from nonresponse import tasks
from nonresponse.detect import BLANK, Choice, Question, flow, names
from nonresponse.detect.draft import (
    FEW,
    Draft,
    are_flags,
    describe_column,
    is_numeric,
    select_unknown,
)
from nonresponse.detect.names import ALIASES, columns_called, flag, is_called, meaning
from nonresponse.faults import quote_names
from nonresponse.formats import numbers
from nonresponse.formats.grades import OUTCOMES, squad
from nonresponse.formats.json_records import LIST_MARK, VALUE, parse_texts
from nonresponse.tasks import VERDICTS
from nonresponse.wording import plural

# Names of columns that may have gold answers beside a column of answers
GOLD_OR_ANSWER = (*ALIASES["gold"], *ALIASES["answer"], *ALIASES["verdict"])
# Roles of what is said of a single response, which no table with a column per system has
RESPONSE_ROLES = {*ALIASES, "asked"} - {"question", "verdict", "gold", "category", "asked"}
# Roles in a table of verdicts on pairs
PAIR_ROLES = ("question", "run", "verdict", "category", "confidence")
LONGEST = 30  # letters of a word without a documented meaning in a column offered as verdicts
MANY = 50  # words whose meanings a block lists
WORDS_OF = "each one of " + ", ".join(VERDICTS)
STATES_OF = "each one of answered, unanswered, error"


def ask_verdict(draft: Draft) -> None:
    """Ask what says that an answer is correct, where no column is called so."""
    if "verdict" in draft.roles or draft.has_other_verdicts or draft.asks("verdict"):
        return
    free = [
        *draft.free_columns(),
        *draft.role_columns("category"),
        *[VALUE] * (draft.roles.get("answer") == VALUE),
    ]
    words = {name: draft.list_words(name) for name in free}
    gold, answer, run = draft.roles.get("gold"), draft.column("answer"), draft.column("run")
    # A column per system; one that names a single run is no run
    wide = "run" not in draft.roles or (run is not None and run.n_unique() == 1)
    texts = {*draft.frame[gold].drop_nulls()} if gold in draft.frame.columns and wide else set()
    # Those with words of the gold answers are answers
    short = [name for name in free if texts.isdisjoint(words[name]) and len(words[name]) <= FEW]
    few = [name for name in short if may_be_verdicts(words[name], draft.frame.height)] or [
        name for name in short if len(words[name]) > 1
    ]
    few.sort(key=lambda name: (bool(select_unknown(words[name])), not is_called(name, "verdict")))
    numeric = [name for name in free if name not in few and is_numeric(draft.frame[name])]
    choices = [
        Choice(
            "verdict", name, describe_column(draft.frame[name]) + next_answer([name], words[name])
        )
        for name in [*few, *numeric][:FEW]
    ]
    judged_columns = [name for name in few if not is_called(name, "abstained")]
    # Else words that are to be explained
    similar = [
        name for name in judged_columns if select_unknown(words[name]) != words[name]
    ] or judged_columns
    similar = [name for name in similar if {*words[name]} & {*words[similar[0]]}]
    if len(similar) > 1:
        also = next_answer(similar, draft.list_words(*similar))
        choices.append(assessors_choice(similar, also))
        choices += [Choice("systems", similar, f"each column is a system{also}")] * wide
    if answer is not None:
        golds = [gold] if gold else columns_called(draft.free_columns(), GOLD_OR_ANSWER)
        equal = [name for name in {*free} - {answer.name} if (draft.frame[name] == answer).any()]
        if not golds and wide and len(equal) > 1:
            means = f"the answers of systems; then also {Choice('gold', answer.name).quoted}"
            choices.append(Choice("systems", sorted(equal), means))
        elif not golds:
            golds = sorted(equal)
        golds = [name for name in golds if name in equal or is_called(name, "gold")] or golds[:0]
        choices += chain(*(comparison_choices(answer, draft.frame[name]) for name in golds[:FEW]))
    elif gold in draft.frame.columns:
        answers = " or ".join(choice.quoted for choice in answers_equal_to(draft, gold))
        if answers:
            choices.append(Choice("gold", gold, f"compare with it; then also {answers}"))
        means = f"each of these columns has the answers of a system, compared with {gold!r}"
        choices += [Choice("systems", free, means)] * (wide and len(free) > 1)
    if answer is not None and len(draft.table.unjudged) > 1:
        means = "this file has the gold answers of the others"
        choices += [Choice("key", path, means) for path in draft.table.unjudged[:FEW]]
    lists = [
        name for name in free if "nested" not in draft.settings and holds_objects(draft.frame[name])
    ]
    means = "each object of this list is a response"
    choices += [Choice("nested", name, means) for name in lists[:FEW]]
    if answer is not None:
        means = "nobody judged the answers; only what is answered is counted"
        choices.append(Choice("judged", False, means))
    reason = (
        "No column has a documented name of a verdict (verdict, correct, …). What says that "
        "an answer is correct?"
    )
    if sentences := [
        name for name in columns_called(free, ALIASES["verdict"]) if len(words[name]) > FEW
    ]:
        reason = (
            f"{quote_names(sentences)} has {len(words[sentences[0]])} different texts, of which no "
            "verdict is read: add a column with a word for each, such as correct, wrong or "
            "unanswered. Or what else says that an answer is correct?"
        )
    draft.ask("verdict", reason, *choices, columns=tuple(free))


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


def holds_objects(values: pl.Series) -> bool:
    """Return whether a column holds lists of objects."""
    return values.drop_nulls().head(1).str.starts_with("[{").any()


def assessors_choice(columns: list[str], also: str = "") -> Choice:
    """Return the choice that several columns are assessors."""
    official = f"then also official={columns[0]}"
    official += ", or official=majority" * (len(columns) > 2)
    return Choice(
        "assessors", {name: name for name in columns}, f"several assessors; {official}{also}"
    )


def next_answer(columns: Iterable[str], words: list[str]) -> str:
    """Return what the words of columns are read as, and what else has to be said, as the end of a
    sentence."""
    if not (open_words := undocumented(columns, words)):
        reading = {word: meaning(word) for word in words}
        return "" if names.is_ours(words) else f"; read as {flow(reading)}"
    if are_flags(open_words):
        readings = " or ".join(
            Choice("verdicts", reading).quoted for reading in directions(open_words)
        )
        return f"; then also {readings}"
    blanks = Choice("verdicts", dict.fromkeys(open_words, BLANK)).quoted
    if all(numbers.parse_real(word) is not None for word in open_words):
        return f"; then also correct_from=NUMBER{f' or {blanks}' if len(open_words) <= FEW else ''}"
    return f"; then also {blanks}"


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
    pairs = pl.DataFrame({"answer": answer, "gold": gold}).drop_nulls()
    lists = is_called(gold.name, "gold") and bool(gold.str.starts_with("[").any())
    if lists:
        golds = pl.col("gold").map_elements(
            lambda text: [*parse_texts(f"{LIST_MARK}{text}"), text], pl.List(pl.String)
        )
        pairs = pairs.with_row_index().with_columns(golds).explode("gold")
    numbers = []
    for is_equal in (
        pl.col("answer") == pl.col("gold"),
        squad(pl.col("answer")) == squad(pl.col("gold")),
    ):
        equal = pairs.filter(is_equal)
        numbers.append(equal["index"].n_unique() if lists else equal.height)
    [exact, normalised], number = numbers, int((answer.is_not_null() & gold.is_not_null()).sum())
    correct_text, any_of = f"{{}} of {number:,} answers are correct", ", with any of a list" * lists
    yield Choice(
        "gold", gold.name, f"compare texts as they are{any_of}: {correct_text.format(exact)}"
    )
    if normalised != exact and is_called(gold.name, "gold"):
        squad_means = f"compare without capitals, punctuation and articles{any_of}: {correct_text.format(normalised)}"
        yield Choice("normalise", "squad", squad_means)


def read_verdicts(draft: Draft) -> None:
    """Set the options by which verdicts are read, and ask for the words that have no documented
    meaning."""
    settings, judges = draft.settings, draft.judges
    if settings.get("judged") is False:
        draft.options["judged"] = False
    elif settings.get("gold") or settings.get("normalise"):
        gold = draft.options["gold"] = settings.get("gold") or draft.roles.get("gold", BLANK)
        if (
            "answer" not in draft.roles
            and not settings.get("systems")
            and gold in draft.frame.columns
        ):
            choices = answers_equal_to(draft, gold)
            draft.ask(
                "answer",
                "Which column has the answers?",
                *choices,
                columns=tuple(draft.free_columns()),
            )
    elif judges:
        draft.options["assessors"] = judges
        votes = [Choice("official", name) for name in judges]
        majority = Choice("official", "majority", "what more than half of them say")
        votes += [majority] * (len(judges) > 2)
        draft.ask("official", "Whose judgments are the official ones?", *votes)
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
    all_words = draft.list_words(*columns)
    if {*all_words} & {*OUTCOMES} and {*all_words} <= {*OUTCOMES, "unscored", "error"}:
        draft.task = "validation"
        draft.roles = {role: column for role, column in draft.roles.items() if role in PAIR_ROLES}
        draft.roles |= {"candidate": "candidate"} if "candidate" in draft.free_columns() else {}
        return
    user_verdicts, threshold = (
        draft.settings.get("verdicts") or {},
        draft.settings.get("correct_from"),
    )
    names_of_columns = [
        *columns,
        *(draft.settings.get("pivot") or {}).values(),
    ]  # of assessors: what they gave
    undocumented_words, numeric = (
        undocumented(names_of_columns, all_words),
        [w for w in all_words if numbers.parse_real(w) is not None],
    )
    # Of 0 to 5, 1 is not correct
    scale = (
        [] if are_flags(undocumented_words) or not {*undocumented_words} & {*numeric} else numeric
    )
    verdict_of_word = {
        word: None if word in (*undocumented_words, *scale) else meaning(word) for word in all_words
    } | user_verdicts
    if threshold is not None:
        draft.options["correct_from"] = threshold
        verdict_of_word = {
            word: verdict
            for word, verdict in verdict_of_word.items()
            if word in user_verdicts or word not in numeric
        }
    open_words = [word for word, verdict in verdict_of_word.items() if verdict in (None, BLANK)]
    if open_words and {*open_words} <= {*scale}:
        ask_threshold(draft, columns[0], open_words, numeric)
    elif open_words:
        ask_words(draft, columns[0], open_words)
    numeric_open = draft.asks("correct_from")
    verdicts = {
        word: verdict or BLANK
        for word, verdict in verdict_of_word.items()
        if word != verdict and (verdict or not numeric_open)
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
    choices = [Choice("verdicts", dict.fromkeys(words[:FEW], BLANK), WORDS_OF)]
    reason = (
        f"{column!r} has words without a documented meaning: {quote_names(words)}. What is each?"
    )
    proposed = None
    if are_flags(words):
        means = ("yes is correct", "yes is wrong, as of a hallucination or an error")
        readings = zip(directions(words), means, strict=True)
        choices = [Choice("verdicts", reading, means) for reading, means in readings]
        reason = f"Nothing says whether {quote_names(words)} in {column!r} is correct. Which is?"
    elif {*words} <= {*names.LETTERS} and not may_be_gold(draft, column):
        letters = {word: names.LETTERS[word] for word in sorted(words)}
        proposed = Choice("verdicts", letters, "as SimpleQA's grader has it")
        choices.insert(0, proposed)
    if draft.column("answer") is not None and not are_flags(words):
        choices.append(Choice("gold", column, "it has the gold answers"))
    # Whatever the user has said leaves these open
    draft.questions.append(
        Question("verdicts", reason, tuple(choices), default=proposed, form=WORDS_OF)
    )


def may_be_gold(draft: Draft, column: str) -> bool:
    """Return whether some answers equal what a column has."""
    answer = draft.column("answer")
    return answer is not None and bool((answer == draft.frame[column]).any())


def ask_abstention(draft: Draft) -> None:
    """Ask how abstention is marked, unless a documented word or the user says it."""
    flags = draft.column("abstained")
    if flags is not None:
        add_states(draft, flags)
        ask_empty_gold(draft)
    settings = {"unanswered", "refusals", "abstained", "states"} & {*draft.settings}
    if flags is not None or settings or tasks.get(draft.task).pairs or draft.asks("abstained"):
        return
    words = draft.list_words(*draft.verdict_columns())
    meanings = {draft.options.get("verdicts", {}).get(word, meaning(word)) for word in words}
    if {"unanswered", BLANK} & meanings and "gold" not in draft.options:
        return
    answers, verdict, gold = answer_columns(draft), draft.column("verdict"), draft.column("gold")
    abstentions = looking_like(names.ABSTENTION, answers)
    ours = verdict is not None and verdict.name == "verdict" and names.is_ours(words)
    if ours and not abstentions:
        return  # a table by our own documentation, which has a word for abstention
    # An empty gold answer says that there is none
    abstentions += [""] if gold is not None and gold.has_nulls() and verdict is None else []
    columns = (
        [] if draft.asks("verdict") else [*abstention_choices(draft)]
    )  # else they may be verdicts
    if "layout" in draft.options and columns:
        names_listed = quote_names(choice.value for choice in columns)
        draft.notes.append(
            f"What {names_listed} say is not read, beside a column of verdicts per system."
        )
        columns = []
    nothing = pl.Series([True]) if (error := draft.column("error")) is None else error.is_null()
    unjudged = 0 if verdict is None else int((verdict.is_null() & nothing).sum())
    if unjudged:
        means = plural(unjudged, "response") + " without a verdict"
        columns.append(Choice("verdicts", {"": "unanswered"}, means))
    ask_unanswered(draft, abstentions, answers, columns)
    empty = sum(int((column.is_null() & nothing).sum()) for column in answers)
    if empty and verdict is not None:
        are_none = Choice("refusals", {"empty": "unanswered"}, "they are unanswered")
        as_verdict = Choice("refusals", False, "they are what they were judged")
        reason = f"What are {plural(empty, 'empty answer')}?"
        draft.ask("refusals", reason, are_none, as_verdict, default=are_none)


def ask_empty_gold(draft: Draft) -> None:
    """Ask what an empty gold answer means, if answers are compared with it."""
    gold = draft.frame.get_column(str(draft.options.get("gold")), default=None)
    if gold is not None and gold.has_nulls():
        no_answer = Choice("unanswered", [""], "the question has no answer: abstaining is correct")
        text = f"What are {plural(gold.null_count(), 'empty gold answer')}?"
        draft.ask("unanswered", text, no_answer, default=no_answer)


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
    number = plural(sum(int(column.is_in(abstentions).sum()) for column in answers), "answer")
    means = f"{number} that may be abstention{judged_correct(draft, abstentions)}"
    choices = [Choice("unanswered", abstentions[:MANY], means)] * bool(abstentions) + columns
    columns = [choice for choice in columns if choice.key == "abstained"]
    must_explain = not all(are_flags(draft.list_words(choice.value)) for choice in columns)
    documented = [choice for choice in columns if is_called(choice.value, "abstained")]
    proposed = choices[0] if abstentions else None if must_explain else (documented or [nothing])[0]
    form = "a list of answers; or abstained=COLUMN, of yes and no"
    text = f"How is it marked that a system did not answer?{key}"
    draft.ask("unanswered", text, *choices, nothing, default=proposed, form=form)


def abstention_choices(draft: Draft) -> Iterator[Choice]:
    """Yield the columns that may say whether a run answered: of yes and no, or of few words, one of
    which looks like abstention or like a failure."""
    for name in draft.free_columns():
        column = draft.frame[name]
        words = draft.list_words(name) if column.n_unique() <= FEW + 1 else []
        series = [pl.Series(words, dtype=pl.String)]
        looks = looking_like(names.ABSTENTION, series) + looking_like(names.FAILURE, series)
        looks += [word for word in words if not are_flags([word]) and names.state(word, name)]
        if (are_flags(words) and len(words) > 1) or (looks and not column.has_nulls()):
            yield Choice("abstained", name, describe_values(draft, "abstained", column))


def ask_failures(draft: Draft) -> None:
    """Ask whether answers that look like failures of the system are such, and whether a column
    tells of them."""
    answers = answer_columns(draft)
    failed = looking_like(names.FAILURE, answers)
    partial_columns = [
        name
        for name in draft.free_columns()
        if "error" not in draft.roles and draft.frame[name].has_nulls()
    ]
    texts = {name: looking_like(names.FAILURE, [draft.frame[name]]) for name in partial_columns}
    columns = [name for name in partial_columns if texts[name]]
    if "error" not in draft.roles:  # of yes and no, whose name tells of failures
        columns += [
            name
            for name in draft.free_columns()
            if names.TELLS_OF_FAILURE.fullmatch(names.plain(name))
            and are_flags(draft.list_words(name))
        ]
    if not failed and not columns:
        return
    choices = [Choice("error", name, describe_column(draft.frame[name])) for name in columns]
    # A column that has other texts, too, may be about other things
    sure = all(
        len(texts.get(name, ())) == draft.frame[name].drop_nulls().n_unique() for name in columns
    )
    if failed:
        number = sum(int(column.is_in(failed).sum()) for column in answers)
        correct = judged_correct(draft, failed)
        means, sure = f"{plural(number, 'answer')}{correct}", not correct
        begins = pl.Series(failed).str.extract(names.FAILURE, 0).unique().sort().to_list()
        prefixes_choice = Choice(
            "failures", {"prefixes": begins[:MANY]}, f"{means}, by their beginnings"
        )
        short = len(failed) <= FEW and max(map(len, failed)) <= LONGEST
        choices.insert(0, Choice("failed", failed, means) if short else prefixes_choice)
    choices.append(Choice("failed", False, "no: the system did not fail"))
    texts_shown = failed or texts.get(columns[0])
    text = f"Does {quote_names(columns)} say that the system failed?"
    if texts_shown:
        text = f"Are these failures of the system: {quote_names(texts_shown, 3)}?"
    draft.ask(
        "failed", text, *choices, default=choices[0] if sure else None, form="a list of answers"
    )


def looking_like(pattern: str, columns: list[pl.Series]) -> list[str]:
    """Return the different texts of columns that match a pattern, sorted."""
    texts = [column.drop_nulls().unique() for column in columns]
    return sorted({*chain(*(series.filter(series.str.contains(pattern)) for series in texts))})


def describe_values(draft: Draft, role: str, values: pl.Series) -> str:
    """Return the values of a column, and what they would mean as those of a role."""
    words = (
        draft.list_words(values.name)
        if role == "abstained" and values.n_unique() <= FEW + 1
        else []
    )
    summary = describe_column(values)
    if are_flags(words):
        yes_means = "answered" if names.state("yes", values.name) == "answered" else "unanswered"
        return f"yes: {yes_means}; {summary}"
    readings = {word: names.state(word, values.name) or BLANK for word in words}
    return f"{summary}; then also {Choice('states', readings).quoted}" if readings else summary


def answer_columns(draft: Draft) -> list[pl.Series]:
    """Return the columns with answers."""
    systems = draft.options.get("systems", []) if "gold" in draft.options else []
    proposed = any(
        choice.key == "systems" for question in draft.questions for choice in question.choices
    )
    if proposed and "gold" in draft.roles and "answer" not in draft.roles:
        systems = draft.free_columns()
    columns = [draft.frame[name] for name in systems if name in draft.frame.columns]
    return [answer, *columns] if (answer := draft.column("answer")) is not None else columns


def judged_correct(draft: Draft, answers: list[str]) -> str:
    """Return how many of these answers were judged correct, as a part of a sentence; empty if none
    was."""
    verdict, answer = draft.column("verdict"), draft.column("answer")
    if verdict is None or answer is None:
        return ""
    readings = draft.options.get("verdicts", {})
    right = [
        word for word in draft.list_words(verdict.name) if readings.get(word, word) == "correct"
    ]
    number = int((answer.is_in(answers) & verdict.is_in(right)).sum())
    return f", {number:,} of them judged correct" if number else ""


def add_states(draft: Draft, column: pl.Series) -> None:
    """Set the meaning of the words in a column that marks abstention; ask where it is not
    documented."""
    user_states, words = draft.settings.get("states") or {}, draft.list_words(column.name)
    meanings = {
        word: user_states.get(word) or names.state(word, column.name) or BLANK for word in words
    }
    if BLANK in meanings.values() or len(words) > FEW:
        text = (
            f"{column.name!r} has words without a documented meaning: {quote_names(words)}. What "
            "is each?"
        )
        explain = Choice("states", dict([*meanings.items()][:FEW]), STATES_OF)
        drop = Choice("abstained", False, "it marks something else")
        draft.questions.append(Question("states", text, (explain, drop), form=STATES_OF))
    draft.options["states"] = meanings or {"true": "unanswered"}
