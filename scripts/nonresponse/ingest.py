"""Files of any format into one table, with all their faults: reading never stops at the first.

What is read but wrong is found here, once for all formats: duplicates, numbers out of range, unknown labels,
names that cannot be file names.
"""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from nonresponse import tables, tasks
from nonresponse.faults import Fault, shown
from nonresponse.formats.text import stem

# Names of runs, assessors and campaigns become parts of paths, of tables and of LaTeX.
SAFE_NAME = r"^[^\x00-\x1f\x7f/\\:*?\"<>|.][^\x00-\x1f\x7f/\\:*?\"<>|]{0,299}$"
DECISIONS = ("VALIDATED", "SELECTED", "REJECTED")


def responses(
    files: list[str], read: Callable, task: str, years: tuple[int, int] | None = None
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Door one: the table of responses, the table of runs and their files, and all faults.

    No answer stands where none was given; the responses are sorted by their key. `years` bounds answers that are such.
    """
    own = tasks.get(task)
    key = list(own.key)
    # Hypotheses of equal confidence stay in the order of their file.
    rows, faults = read_files(files, read, tables.RESPONSES, "run", () if own.weighted else key)
    if own.pairs:
        rows = rows.with_columns(pl.col("candidate").fill_null(""))
    rows, found = comparable(rows, own, years)
    faults += found + check_responses(rows, task)
    given = pl.col("answered") & ~pl.col("nil")
    table = rows.with_columns(
        nil=pl.col("answered") & pl.col("nil"),
        answer=pl.when(given).then(pl.col("answer")),
        document=pl.when(given | ~pl.col("answered")).then(pl.col("document")),
    )
    table = table if table.select(increasing(key)).item() else table.sort(key)
    return table.select(*tables.RESPONSES), runs_of(rows), faults


def comparable(rows: pl.DataFrame, own: tasks.Task, years: tuple | None) -> tuple[pl.DataFrame, list[Fault]]:
    """The responses of a task that has references, written as these are, and ranked; those of others as they are."""
    if not own.references:
        return rows, []
    from nonresponse import hypotheses

    rows = hypotheses.stripped(rows)
    rows, outside = hypotheses.dated(rows, *years) if own.years else (rows, [])
    rows, faults = hypotheses.ranked(rows) if own.weighted else (rows, [])
    return rows, outside + faults


def judgments(
    files: list[str], read: Callable, labels: list[str], task: str, years: tuple[int, int] | None = None
) -> tuple[pl.DataFrame, list[Fault]]:
    """Door one: the table of judgments, one said twice being said once, and all faults."""
    own = tasks.get(task)
    rows, faults = read_files(files, read, tables.JUDGMENTS, "assessor")
    # A judgment is of a pair or of a question, whatever else the file says of it; a candidate is of pairs only.
    plays_no_part = {"run", "document", "answer"} if own.pairs else {"run", "document"} if own.references else set()
    absent = [pl.lit(None, pl.String).alias(name) for name in sorted(plays_no_part)]
    rows = rows.with_columns(pl.col("candidate").fill_null("") if own.pairs else pl.lit("").alias("candidate"), *absent)
    if own.references:
        from nonresponse import hypotheses

        rows = rows.with_columns(pl.col("answer").str.strip_chars())
        rows, found = hypotheses.dated(rows, *years) if own.years else (rows, [])
        faults += found + hypotheses.references(rows)
    faults += check_judgments(rows, labels) + contradictions(rows)
    faults += [] if own.pairs or own.references else check_named(rows)
    key = tables.JUDGMENTS_KEY
    return rows.select(*tables.JUDGMENTS).unique(key, keep="first", maintain_order=True).sort(key), faults


def graded(files: list[str], read: Callable, task: str) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Door two: the table of graded responses, the table of runs and their files, and all faults."""
    rows, faults = read_files(files, read, tables.GRADED, "run")
    rows = rows.with_columns(pl.col("candidate").fill_null(""))
    faults += check_graded(rows, task)
    return rows.select(*tables.GRADED).sort(tables.GRADED_KEY), runs_of(rows), faults


def questions(options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """The question set from a file of its own, and all faults; `options` has the file and how to read it."""
    from nonresponse.formats import tabular

    rows, faults = read_files([options["file"]], lambda file: tabular.read_questions(file, options), tables.QUESTIONS)
    faults += faults_of(rows, [present("question")]) + duplicates(rows, tables.QUESTIONS_KEY, "line")
    return rows.select(*tables.QUESTIONS).unique("question", keep="first").sort("question"), faults


def questions_judged(judgments: pl.DataFrame) -> pl.DataFrame:
    """The question set where there is no file of it: what the judgments mention."""
    asked = judgments.select(pl.col("question").unique().sort())
    return tables.complete(asked, tables.QUESTIONS)


def read_files(
    files: list[str], read: Callable, columns: dict, named: str | None = None, key: list[str] = ()
) -> tuple[pl.DataFrame, list[Fault]]:
    """All files through one reader: these columns with `file` and `line`, and the reader's faults.

    `named` is the column that has the file's stem where the reader leaves it out. What costs a little per file
    costs much per thousand files: whatever can wait is done once, on all the rows.
    """
    frames, faults = [], []
    for number, file in enumerate(files):
        frame, found = read(file)
        faults += found
        if frame.width:
            place = {"file": pl.lit(number, pl.UInt32)}
            if named and named not in frame.columns:
                place[named] = pl.lit(stem(file))
            frames.append(in_order(frame, key).with_columns(**place))
    if not frames:
        return tables.empty(columns | {"file": pl.Enum(files), "line": pl.Int64}), faults
    rows = pl.concat(frames, how="diagonal_relaxed")
    rows = tables.complete(rows, columns | {"file": pl.UInt32, "line": pl.Int64})
    defaults = {name: pl.col(name).fill_null(value) for name, value in tables.DEFAULTS.items() if name in columns}
    return rows.with_columns(pl.col("file").cat.to(pl.Enum(files)), **defaults), faults


def increasing(keys: list[str]) -> pl.Expr:
    """Whether each row comes after the one before it: sorted by the keys, and no two rows with the same."""
    after = pl.lit(False)
    for name in reversed(keys):
        value, before = pl.col(name), pl.col(name).shift(1)
        after = (value > before) | ((value == before) & after)
    return after.slice(1).fill_null(False).all()  # nothing comes before the first row


def in_order(frame: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """One file's rows in the order that the table will have: most files come in it, and sorting all is dear."""
    key = [name for name in key if name in frame.columns]
    if not key:
        return frame
    sorted_already = frame[key[0]].is_sorted() if len(key) == 1 else frame.select(increasing(key)).item()
    return frame if sorted_already else frame.sort(key, maintain_order=True)


class Check(NamedTuple):
    """Something that can be wrong with a row: the condition, what to say of it, what was expected.

    A null is no proof that the row is sound: it counts as wrong. Where a column may be empty, the check says so.
    """

    wrong: pl.Expr
    found: pl.Expr
    expected: str


def faults_of(frame: pl.DataFrame, checks: list[Check]) -> list[Fault]:
    """A fault per row and check that fails; where none does, one look at the rows tells."""
    wrong = [check.wrong.fill_null(True).alias(str(number)) for number, check in enumerate(checks)]
    failed = frame.select(condition.any() for condition in wrong).row(0)
    faults = []
    for check, condition, any_row in zip(checks, wrong, failed, strict=True):
        if any_row:
            rows = frame.filter(condition).select(pl.col("file").cast(pl.String), "line", check.found.alias("found"))
            faults += [Fault(*row, check.expected) for row in rows.rows()]
    return faults


def if_given(column: str, wrong: pl.Expr) -> pl.Expr:
    """A condition on a column that may be empty."""
    return pl.col(column).is_not_null() & wrong


def quoted(column: str) -> pl.Expr:
    return pl.col(column).fill_null("").map_elements(shown, return_dtype=pl.String)


def duplicates(frame: pl.DataFrame, key: list[str], what: str) -> list[Fault]:
    """A fault at the second and every later row of a file with the same key."""
    if frame.select(increasing(key)).item() or frame.select(increasing(["file", *key])).item():
        return []
    rows = frame.sort("file", "line", maintain_order=True)
    again = ~pl.struct("file", *key).is_first_distinct()
    return faults_of(
        rows, [Check(again, pl.format(f"a second {what} for question {{}}", quoted("question")), "one only")]
    )


def present(column: str) -> Check:
    return Check(pl.col(column).is_null(), pl.lit(f"no {column}"), f"a {column} on every line")


def name_check(column: str, what: str, reserved: tuple[str, ...] = ()) -> Check:
    unsafe = ~pl.col(column).str.contains(SAFE_NAME) | pl.col(column).is_in(reserved)
    expected = "a name that can be a file name" + (f", and not {' or '.join(reserved)}" if reserved else "")
    return Check(unsafe, pl.format(f"the {what} {{}}", quoted(column)), expected)


def first_rows(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The first row of each file and name, from rows that are mostly one run after the other."""
    change = (pl.col(name).ne_missing(pl.col(name).shift(1))) | (pl.col("file") != pl.col("file").shift(1))
    return frame.filter(change.fill_null(True)).unique(["file", name], keep="first", maintain_order=True)


def check_responses(frame: pl.DataFrame, task: str) -> list[Fault]:
    """Faults of the responses: (run, question, rank, candidate) unique in a file, numbers in range."""
    own = tasks.get(task)
    checks = [
        present("question"),
        Check(
            if_given("confidence", ~pl.col("confidence").is_between(0, 1)),  # NaN is not between
            pl.format("the confidence {}", "confidence"),
            "a number from 0 to 1",
        ),
        Check(if_given("score", ~pl.col("score").is_finite()), pl.format("the score {}", "score"), "a finite number"),
        Check(pl.col("rank") < 1, pl.format("the rank {}", "rank"), "1 or more"),
        Check(if_given("position", pl.col("position") < 1), pl.format("the position {}", "position"), "1 or more"),
    ]
    if own.pairs:
        unknown = pl.col("answered") & ~pl.col("answer").is_in(DECISIONS)
        checks.append(Check(unknown, pl.format("the decision {}", quoted("answer")), f"one of {', '.join(DECISIONS)}"))
        selected = (pl.col("answer") == "SELECTED").fill_null(False)  # left open
        again = selected & (selected.cum_sum().over("file", "run", "question", order_by="line") > 1)
        found = pl.format("a second SELECTED for question {}", quoted("question"))
        checks.append(Check(again, found, "one at most"))
    if (frame["rank"] > 1).any():  # the verdict is that of rank 1: without one, the others would go unseen
        question = ["file", "run", "question"]
        no_first = (pl.col("rank").min().over(question) > 1) & pl.struct(question).is_first_distinct()
        checks.append(
            Check(no_first, pl.format("no answer of rank 1 to question {}", quoted("question")), "ranks from 1")
        )
    names = faults_of(first_rows(frame, "run"), [name_check("run", "run name", own.trivial)])
    return duplicates(frame, list(own.key), "response") + names + faults_of(frame, checks)


def check_judgments(frame: pl.DataFrame, labels: list[str]) -> list[Fault]:
    """Faults of the judgments: labels and names of assessors."""
    unknown = ~pl.col("label").is_in(labels)
    label = Check(unknown, pl.format("the label {}", quoted("label")), f"one of {', '.join(labels)}")
    names = faults_of(first_rows(frame, "assessor"), [name_check("assessor", "assessor")])
    return names + faults_of(frame, [present("question"), label])


def check_named(frame: pl.DataFrame) -> list[Fault]:
    """Judgments that no response could meet, as they leave out what others name, or any, as they name nothing."""
    named = [name for name in ("run", "document", "answer") if frame[name].is_not_null().any()]
    if not named:
        found = "judgments that name neither a run nor a document nor an answer"
        expected = "one of them, or each would be of all answers to its question"
        return [Fault(file, 0, found, expected) for file in frame["file"].unique().cast(pl.String).sort()]
    checks = [
        Check(
            pl.col(name).is_null(),
            pl.format(f"a judgment of question {{}} without a{'n' * (name == 'answer')} {name}", quoted("question")),
            "one in each judgment of the campaign, or in none",
        )
        for name in named
    ]
    return faults_of(frame, checks)


def contradictions(frame: pl.DataFrame) -> list[Fault]:
    """Two judgments of one assessor for the same answer that differ, in one file or in two."""
    key = tables.JUDGMENTS_KEY
    if frame.select(key).is_unique().all():
        return []
    rows = frame.sort("file", "line", maintain_order=True)
    differs = (pl.col("label") != pl.col("label").first().over(key)).fill_null(False)  # none is a fault already
    found = pl.format("the label {} for an answer that has another on an earlier line", quoted("label"))
    return faults_of(rows, [Check(differs, found, "one judgment for an answer and assessor")])


# Whether a pair is right: of an unscored one nobody knows.
TRUTH = pl.when(pl.col("verdict") == "unscored").then(pl.lit("unknown")).otherwise(pl.col("positive").cast(pl.String))
# What graded responses say of a question or pair, whichever run they are of: in words, what it is, of what.
SHARED = [
    ("category", pl.col("category"), ["question"]),
    ("right answer", pl.col("gold"), ["question"]),
    ("truth", TRUTH, ["assessor", "question", "candidate"]),
]


def disagreements(frame: pl.DataFrame, what: str, value: pl.Expr, of: list[str]) -> list[Fault]:
    """A fault at each row that says otherwise than an earlier one what must be the same for all runs."""
    said = frame.with_columns(said=value).drop_nulls("said").sort("file", "line", maintain_order=True)
    differs = pl.col("said") != pl.col("said").first().over(of)
    found = pl.format(f"another {what} of question {{}} than on an earlier line", quoted("question"))
    return faults_of(said, [Check(differs, found, "the same for all runs")])


def check_graded(frame: pl.DataFrame, task: str) -> list[Fault]:
    """Faults of graded responses: those of the responses themselves, and a second verdict of an assessor."""
    found = duplicates(frame, tables.GRADED_KEY, "verdict")
    for what, value, of in SHARED:
        found += disagreements(frame, what, value, of)
    one = frame.filter(pl.col("assessor") == pl.col("assessor").first()).unique(
        ["file", "run", "question", "rank", "candidate"], keep="first", maintain_order=True
    )
    place = {name: one.schema[name] for name in ("file", "line")}
    responses = tables.complete(one, tables.RESPONSES | place)
    return found + check_responses(responses.with_columns(answered=pl.lit(False)), task)


def runs_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Each run and the file it came from, for the check between files."""
    change = (pl.col("run") != pl.col("run").shift(1)) | (pl.col("file") != pl.col("file").shift(1))
    stretch = change.fill_null(True).cum_sum()
    stretches = frame.group_by(stretch.alias("stretch")).agg(
        pl.col("run", "file").first(), pl.len().alias("responses"), pl.col("line").min()
    )
    names = stretches.group_by("run", pl.col("file").cast(pl.String))
    return names.agg(pl.col("responses").sum(), pl.col("line").min()).sort("run", "file")
