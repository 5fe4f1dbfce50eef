"""What all kinds of campaigns draw: names, words, policies, questions, and forms of tables."""

import csv
import io
import json
import random
from collections.abc import Callable, Iterable

import polars as pl

from fuzz.counted import MISSING, Case, Expected, FaultyError, UnsureError, split_words
from fuzz.counted.answers import CHOICES, POLICIES, Question

NAMES = split_words("1|01|1.0|q|Q|é|e\u0301|NULL|null|nan|a b|'|a'b|--|%s|{x}|$1|=1|\\|<b>|&amp;")
NAMES += ["\u202ea", "x" * 300, *split_words("1e400|_|%|True|a;b|0|-|ﬁ|\u2028z")]
RUNS = ["x" * 100, *split_words("a|A|b|é|a b|1|01|NULL|{x}|a'b|%s|-")]
KINDS = ["csv", "tsv", "tsv", "json", "jsonl", "parquet"]
THEIRS = split_words("Q|sys tem|größe|x.y|Answer!|(1)|é|=c|n_ac|%|the column|1|A-B|$|#id")
CUTOFFS = [0.3, 0.5, 0.75, 0, 1]
TRUE_WORDS, FALSE_WORDS = ["1", "true", "yes"], ["0", "false", "no"]
NUMBERS = {"rank", "epoch", "confidence", "score", "position"}

# What a run or assessor may be called that is named by its file
FILES = [name for name in RUNS if "{" not in name]

# For `lists` of `refusals:`
LIST, PHRASES = "unsure.yaml", {"contains": ["not known"], "prefixes": ["Well,"]}

Row = dict[str, str | float | None]


class Draw(random.Random):
    """A random generator of what campaigns of several kinds have."""

    def chance(self, share: float) -> bool:
        return self.random() < share

    def choose(self, values: Iterable, minimum: int, maximum: int) -> list:
        values = list(values)
        return self.sample(values, min(len(values), self.randint(minimum, maximum)))

    def questions(self) -> list[str]:
        return self.choose(NAMES, 1, 7)

    def runs(self) -> list[str]:
        return self.choose([*RUNS, "org/model:7b", "m @0.5", "=1+1"], 1, 3)

    def file_names(self) -> list[str]:
        return self.choose(FILES, 1, 3)

    def cutoffs(self) -> float | list[float]:
        return self.choice([self.choice(CUTOFFS), self.choose(CUTOFFS, 1, 3)])

    def repeats(self, ways: Iterable[str] = ()) -> dict[str, str]:
        """Options on rows that stand there twice and on rows without a question."""
        options = {}
        if self.chance(0.2):
            options["duplicates"] = self.choice(["fault", "first", "last", "same", *ways])
        if self.chance(0.2):
            options["empty_questions"] = self.choice(["fault", "drop"])
        return options

    def policies(self, names: Iterable[str] = POLICIES) -> dict[str, str]:
        policy = {name: self.choice(CHOICES) for name in names if self.chance(0.5)}
        policy |= {"missing": self.choice(CHOICES)} if self.chance(0.4) else {}
        return policy | ({"compare_on": self.choice(["shared", "all"])} if self.chance(0.3) else {})

    def scenarios(self) -> dict[str, dict]:
        """Two scenarios as a part of the configuration, which usually differ from each other."""
        if not self.chance(0.15):
            return {}
        name, choices = self.choice([*POLICIES, "missing"]), self.sample(CHOICES, 2)
        return {"scenarios": {"lenient": {name: choices[0]}, "strict": {name: choices[1]}}}


def list_columns(tables: Iterable[list[Row]]) -> set[str]:
    """The columns in which some row has something."""
    rows = (row for rows in tables for row in rows)
    return {name for row in rows for name in row if row[name] is not None}


def fill_policy(campaign: dict, scenario: dict | None = None) -> dict[str, str]:
    """What a campaign's policies are, the defaults of docs/measures.md filled in.

    `own` is set for the campaign's own, by which its files may be at fault.
    """
    usual = dict.fromkeys(POLICIES, "wrong") | {
        "missing": MISSING["runs" if "runs" in campaign else "graded"]
    }
    usual |= {"compare_on": "shared", "own": "" if scenario else "own"}
    settings = campaign | (scenario or {})
    return {name: settings.get(name, value) for name, value in usual.items()}


def list_cutoffs(options: dict) -> list[tuple]:
    """Return the runs that `answer_from` makes of one: how each is named, and its cut-off."""
    thresholds = options.get("answer_from")
    if thresholds is None:
        return [(lambda run: run, None)]
    if not isinstance(thresholds, list):
        return [(lambda run: run, thresholds)]
    return [(lambda run, cutoff=cutoff: f"{run} @{cutoff}", cutoff) for cutoff in thresholds]


def make_case(
    draw: Draw,
    campaign: dict,
    files: dict[str, bytes],
    question_set: "QuestionSet",
    count: Callable[[], Expected],
) -> Case:
    """The campaign with its questions, and what it comes to."""
    campaign["shards"] = draw.choice([1] * 8 + [2, 3])
    if question_set.options:
        campaign["questions"] = question_set.options
    try:
        expected: Expected | FaultyError | UnsureError = count()
    except (FaultyError, UnsureError) as reason:
        expected = reason
    return Case(campaign, files | question_set.files, expected)


def vary(draw: Draw, case: Case) -> Case:
    """Vary how the campaign is written: lists of patterns, phrases in a file, names of runs."""
    campaign, files = case.campaign, dict(case.files)
    for part in ("runs", "judgments", "graded"):
        if part in campaign and draw.chance(0.1):
            campaign[part]["files"] = [campaign[part]["files"]]
        if "lists" in campaign.get(part, {}).get("refusals", {}):
            files[LIST] = json.dumps(PHRASES).encode()
    case = case._replace(files=files)
    if not isinstance(case.expected, dict) or not draw.chance(0.12):
        return case
    run_names = sorted({run for counts in case.expected.values() for _, run, *_ in counts})
    old = draw.choose(run_names, 1, len(run_names))
    spare = [
        name for name in ["org/New", "new é", "=new", "x" * 300, "n @0.5"] if name not in run_names
    ]
    new = draw.choice([draw.sample(old, len(old)), draw.sample(spare, min(len(old), len(spare)))])
    names = campaign["names"] = dict(zip(old, new, strict=False))

    def rename(counts: dict) -> dict:
        return {(key[0], names.get(key[1], key[1]), *key[2:]): row for key, row in counts.items()}

    expected = {name: rename(counts) for name, counts in case.expected.items()}
    return case._replace(expected=expected)


class QuestionSet:
    """The questions of a campaign: a file of them, or none."""

    def __init__(self, draw: Draw, names: list[str], share: float = 0.4, has_answer: bool = True):
        self.rows: list[Row] = []
        self.options: dict | str | None = None
        self.files: dict[str, bytes] = {}
        if not draw.chance(share):
            return
        categories = draw.choice([[None], ["x", "X", "é", None], ["law"]])
        words = [*TRUE_WORDS, *FALSE_WORDS, None, None]
        self.rows = [
            {"question": name, "category": draw.choice(categories)}
            | ({"has_answer": draw.choice(words)} if has_answer else {})
            for name in [*names, *(["never asked"] if draw.chance(0.3) else [])]
        ]
        form = Form(draw, self.rows[0], ["csv", "tsv", "jsonl", "parquet"])
        file = form.name("questions")
        self.files = {file: form.content(self.rows)}
        self.options = {"file": file} | form.options
        self.options |= {"columns": form.columns} if form.columns else {}
        if self.options == {"file": file} and draw.chance(0.5):
            self.options = file

    def names(self, otherwise: Iterable[str]) -> list[str]:
        return [str(row["question"]) for row in self.rows] or [*dict.fromkeys(otherwise)]

    def look_up(self, name: str) -> tuple[bool | None, str | None]:
        """Whether the file says that a question has an answer, and the question's category."""
        row = next((row for row in self.rows if row["question"] == name), {})
        word = row.get("has_answer")
        return (None if word is None else word in TRUE_WORDS), row.get("category")

    def questions(
        self,
        names: Iterable[str],
        answerable: set[str],
        category: dict | None = None,
        unanswerable: Iterable[str] = (),
        right: Iterable[str] = (),
    ) -> list[Question]:
        """Each question, which has an answer if the file says so or it is among the `answerable`.

        If neither is so, it is unanswerable if the file says so or it is among those; else it has
        an answer if some response to it was graded as right.
        """
        result = []
        for name in names:
            fact, listed_category = self.look_up(name)
            has = bool(fact) or name in answerable
            is_unanswerable = not has and (fact is False or name in unanswerable)
            own_category = listed_category or (category or {}).get(name)
            has = has or (name in right and not is_unanswerable)
            result.append(Question(name, has, own_category, is_unanswerable))
        return result


class Form:
    """How the tables of a part are written: the kind of file, column names, quotes."""

    def __init__(
        self, draw: Draw, names: Iterable[str], kinds: list[str] = KINDS, keep: Iterable[str] = ()
    ):
        names = sorted(names)
        self.kind = draw.choice(kinds)
        selected = [
            name for name in names if name not in keep and draw.chance(draw.choice([0, 0.3, 1]))
        ]
        theirs = [name for name in draw.sample(THEIRS, len(THEIRS)) if name not in names] + [
            f"c{i}" for i in range(len(selected))
        ]
        self.columns = dict(zip(selected, theirs, strict=False))
        if len(selected) > 1 and draw.chance(0.08):  # each is called as another of ours
            self.columns = dict(zip(selected, [*selected[1:], selected[0]], strict=True))
        self.order = draw.sample(names, len(names))
        self.options: dict = {}
        self.quoted = self.kind == "csv"
        # CSV without quotes cannot hold a comma
        if self.kind in ("csv", "tsv") and draw.chance(0.2):
            self.quoted = self.options["quoted"] = self.kind == "csv" or draw.chance(0.5)
        nested = self.kind in ("json", "jsonl", "parquet") and draw.chance(0.3)
        self.nested = {name for name in self.columns if nested and draw.chance(0.5)}
        for name in self.nested:
            self.columns[name] = f"in.{self.columns[name].replace('.', '_')}"
        self.typed = draw.chance(0.7)  # numbers are numbers in JSON
        self.sparse = self.kind != "parquet" and draw.chance(
            0.5
        )  # what is empty is left out of JSON

    def name(self, stem: str) -> str:
        return f"{stem}.{self.kind}"

    def part(self, files: str, options: dict, run_key: str = "") -> dict:
        """A part of the configuration; `run_key` says where the run's column is named, if it is."""
        part = {"format": "tabular", "files": self.name(files), **options, **self.options}
        columns = dict(self.columns)
        if run_key == "run":
            part["run"] = columns.pop("run", "run")
        elif run_key == "columns":
            columns.setdefault("run", "run")
        return part | ({"columns": columns} if columns else {})

    def content(self, rows: list[Row]) -> bytes:
        return self.text(rows) if self.kind in ("csv", "tsv") else self.json(rows)

    def text(self, rows: list[Row]) -> bytes:
        lines = [[self.columns.get(name, name) for name in self.order]]
        lines += [
            ["" if row.get(name) is None else str(row[name]) for name in self.order] for row in rows
        ]
        separator, out = "," if self.kind == "csv" else "\t", io.StringIO()
        if self.quoted:
            csv.writer(out, delimiter=separator, lineterminator="\n").writerows(lines)
            return out.getvalue().encode()
        return "".join(separator.join(line) + "\n" for line in lines).encode()

    def json(self, rows: list[Row]) -> bytes:
        records, somewhere = [], list_columns([rows])  # a column has to be in some record
        for row in rows:
            record: dict = {}
            for name in self.order:
                value, path = row.get(name), self.columns.get(name, name)
                if isinstance(value, str) and name in NUMBERS and self.typed:
                    value = int(value) if value.isdecimal() else float(value)
                elif value is not None and not self.typed:
                    value = str(value)
                if name in self.nested:
                    record.setdefault("in", {})[path.removeprefix("in.")] = value
                elif value is not None or not self.sparse or name not in somewhere:
                    record[path] = value
            records.append(record)
        if self.kind == "jsonl":
            return "".join(f"{json.dumps(record)}\n" for record in records).encode()
        if self.kind == "json":
            return json.dumps(records, ensure_ascii=False).encode()
        out = io.BytesIO()
        frame = pl.DataFrame(records, infer_schema_length=None)
        frame.with_columns(pl.col(pl.Null).cast(pl.String)).write_parquet(out)
        return out.getvalue()


def write_gold(
    draw: Draw, names: set[str], rows: list[Row], options: dict, assessors: list[str]
) -> tuple[dict, dict[str, bytes]]:
    """The part `judgments` of the configuration, and its files: one, or one of each assessor."""
    has_column, files = draw.chance(0.3), {}
    form = Form(draw, names | ({"assessor"} if has_column else set()))
    for assessor in assessors:
        selection = [row for row in rows if has_column or row["assessor"] == assessor]
        files[form.name("gold/all" if has_column else f"gold/{assessor}")] = form.content(selection)
    return form.part("gold/*", options), files
