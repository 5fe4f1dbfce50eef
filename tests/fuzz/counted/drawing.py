"""What all kinds of campaigns draw: names, words, policies, questions, and forms of tables."""

import csv
import gzip
import io
import json
import random
from collections.abc import Iterable
from functools import partial

import polars as pl

from fuzz.counted import MISSING, Case, Expected, split_words
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


def draw_some(draw: random.Random, values: Iterable, minimum: int, maximum: int) -> list:
    values = list(values)
    return draw.sample(values, min(len(values), draw.randint(minimum, maximum)))


def list_columns(tables: Iterable[list[Row]]) -> set[str]:
    """The columns in which some row has something."""
    rows = (row for rows in tables for row in rows)
    return {name for row in rows for name in row if row[name] is not None}


def chance(draw: random.Random, share: float) -> bool:
    return draw.random() < share


def questions(draw: random.Random) -> list[str]:
    return draw_some(draw, NAMES, 1, 7)


def runs(draw: random.Random, maximum: int = 3) -> list[str]:
    return draw_some(draw, [*RUNS, "org/model:7b", "m @0.5", "=1+1"], 1, maximum)


def draw_file_names(draw: random.Random, maximum: int = 3) -> list[str]:
    return draw_some(draw, FILES, 1, maximum)


def draw_policies(draw: random.Random, names: Iterable[str] = POLICIES) -> dict[str, str]:
    policy = {name: draw.choice(CHOICES) for name in names if chance(draw, 0.5)}
    policy |= {"missing": draw.choice(CHOICES)} if chance(draw, 0.4) else {}
    return policy | ({"compare_on": draw.choice(["shared", "all"])} if chance(draw, 0.3) else {})


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


def draw_scenarios(draw: random.Random, names: Iterable[str] = POLICIES) -> dict[str, dict]:
    """Two scenarios, which usually differ from each other."""
    if not names or not chance(draw, 0.15):
        return {}
    name = draw.choice([*names, "missing"])
    choices = draw.sample(CHOICES, 2)
    return {"lenient": {name: choices[0]}, "strict": {name: choices[1]}}


def list_cutoffs(options: dict) -> list[tuple]:
    """Return the runs that `answer_from` makes of one: how each is named, and its cut-off."""
    thresholds = options.get("answer_from")
    if thresholds is None:
        return [(lambda run: run, None)]
    if not isinstance(thresholds, list):
        return [(lambda run: run, thresholds)]
    return [(lambda run, cutoff=cutoff: f"{run} @{cutoff}", cutoff) for cutoff in thresholds]


def vary(draw: random.Random, case: Case) -> Case:
    """Vary how the campaign is written: lists of patterns, phrases in a file, names of runs."""
    campaign, files = case.campaign, dict(case.files)
    for part in ("runs", "judgments", "graded"):
        if part in campaign and chance(draw, 0.1):
            campaign[part]["files"] = [campaign[part]["files"]]
        if "lists" in campaign.get(part, {}).get("refusals", {}):
            files[LIST] = json.dumps(PHRASES).encode()
    if not isinstance(case.expected, dict) or not chance(draw, 0.12):
        return case._replace(files=files)
    run_names = sorted({run for run_counts, _ in case.expected.values() for _, run in run_counts})
    old = draw_some(draw, run_names, 1, len(run_names))
    spare = [
        name for name in ["org/New", "new é", "=new", "x" * 300, "n @0.5"] if name not in run_names
    ]
    new = draw.choice([draw.sample(old, len(old)), draw.sample(spare, min(len(old), len(spare)))])
    names = dict(zip(old, new, strict=False))
    if chance(draw, 0.5):
        campaign["names"] = names
    else:
        rows: list[Row] = [
            {"run": run, "name": names.get(run), "size": draw.choice(["7", None])}
            for run in run_names
        ]
        form = Form(draw, ["run", "name", "size"], ["csv", "tsv", "jsonl"], keep=["run", "name"])
        # It has no options
        form.quoted, form.separator = (True, ",") if form.kind == "csv" else (False, "\t")
        form.columns, form.options, form.nested = {}, {}, set()
        campaign["names"] = form.name("names of runs")
        files[campaign["names"]] = form.content(
            [*rows, {"run": "none of them", "name": "whatever", "size": None}]
        )
    expected: Expected = {}
    for scenario, tables in case.expected.items():
        expected[scenario] = tuple(
            {(key[0], names.get(key[1], key[1]), *key[2:]): counts for key, counts in table.items()}
            for table in tables
        )
    return case._replace(files=files, expected=expected)


class QuestionSet:
    """The questions of a campaign: a file of them, or none."""

    def __init__(
        self, draw: random.Random, names: list[str], share: float = 0.4, has_answer: bool = True
    ):
        self.rows: list[Row] | None = None
        self.options: dict | str | None = None
        self.files: dict[str, bytes] = {}
        if not chance(draw, share):
            return
        categories = draw.choice([[None], ["x", "X", "é", None], ["law"]])
        words = [*TRUE_WORDS, *FALSE_WORDS, None, None]
        self.rows = [
            {"question": name, "category": draw.choice(categories)}
            | ({"has_answer": draw.choice(words)} if has_answer else {})
            for name in [*names, *(["never asked"] if chance(draw, 0.3) else [])]
        ]
        content, file, columns, table_options = table(
            draw, self.rows, "questions", kinds=["csv", "tsv", "jsonl", "parquet"]
        )
        self.files = {file: content}
        self.options = {"file": file} | ({"columns": columns} if columns else {}) | table_options
        if self.options == {"file": file} and chance(draw, 0.5):
            self.options = file

    def names(self, otherwise: Iterable[str]) -> list[str]:
        listed = (str(row["question"]) for row in self.rows or ())
        return [*listed] or [*dict.fromkeys(otherwise)]

    def look_up(self, name: str) -> tuple[bool | None, str | None]:
        """Whether the file says that a question has an answer, and the question's category."""
        for row in self.rows or []:
            if row["question"] == name:
                word = row.get("has_answer")
                return (None if word is None else word in TRUE_WORDS), row["category"]
        return None, None

    def questions(
        self,
        names: Iterable[str],
        answerable: set[str],
        category: dict | None = None,
        unanswerable: Iterable[str] = (),
        right: Iterable[str] = (),
    ) -> list[Question]:
        """Each question, which has an answer if the file says so or it is among the `answered`.

        If neither is so, it is unanswerable if the file says so or it is among those `without` an
        answer; else it has one if some response to it was graded as right.
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


def table(
    draw: random.Random,
    rows: list[Row],
    stem: str,
    names: Iterable[str] = (),
    kinds: list[str] = KINDS,
    form: "Form | None" = None,
) -> tuple[bytes, str, dict, dict]:
    """Return rows as a file: its content, its name, `columns:` and further options."""
    form = form or Form(draw, {name for row in rows for name in row} | set(names), kinds)
    return form.content(rows), form.name(stem), form.columns, form.options


class Form:
    """How the tables of a part are written: the kind of file, column names, quotes."""

    def __init__(
        self,
        draw: random.Random,
        names: Iterable[str],
        kinds: list[str] = KINDS,
        keep: Iterable[str] = (),
    ):
        names = sorted(names)
        self.kind = draw.choice(kinds)
        selected = [
            name for name in names if name not in keep and chance(draw, draw.choice([0, 0.3, 1]))
        ]
        theirs = [name for name in draw.sample(THEIRS, len(THEIRS)) if name not in names] + [
            f"c{i}" for i in range(len(selected))
        ]
        self.columns = dict(zip(selected, theirs, strict=False))
        if len(selected) > 1 and chance(draw, 0.08):  # each is called as another of ours
            self.columns = dict(zip(selected, [*selected[1:], selected[0]], strict=True))
        self.order = draw.sample(names, len(names))
        self.options: dict = {}
        self.quoted = self.kind == "csv"
        # CSV without quotes cannot hold a comma
        if self.kind in ("csv", "tsv") and chance(draw, 0.2):
            self.quoted = self.options["quoted"] = self.kind == "csv" or chance(draw, 0.5)
        self.separator = "," if self.kind == "csv" else "\t"
        if self.kind == "csv" and self.quoted and chance(draw, 0.1):
            self.separator = self.options["separator"] = draw.choice([";", "|", "\t"])
        self.packed = self.kind != "parquet" and chance(draw, 0.05)
        nested = self.kind in ("json", "jsonl", "parquet") and chance(draw, 0.3)
        self.nested = {name for name in self.columns if nested and chance(draw, 0.5)}
        for name in self.nested:
            self.columns[name] = f"in.{self.columns[name].replace('.', '_')}"
        self.typed = chance(draw, 0.7)  # numbers are numbers in JSON
        self.sparse = chance(draw, 0.5)  # what is empty is left out of JSON

    def name(self, stem: str) -> str:
        return f"{stem}.{self.kind}{'.gz' if self.packed else ''}"

    def theirs(self, name: str) -> str:
        return self.columns.get(name, name)

    def content(self, rows: list[Row]) -> bytes:
        content = self.text(rows) if self.kind in ("csv", "tsv") else self.json(rows)
        return gzip.compress(content, 1, mtime=0) if self.packed else content

    def text(self, rows: list[Row]) -> bytes:
        lines = [[self.theirs(name) for name in self.order]]
        lines += [
            ["" if row.get(name) is None else str(row[name]) for name in self.order] for row in rows
        ]
        if self.quoted:
            out = io.StringIO()
            csv.writer(out, delimiter=self.separator, lineterminator="\n").writerows(lines)
            return out.getvalue().encode()
        return "".join(self.separator.join(line) + "\n" for line in lines).encode()

    def json(self, rows: list[Row]) -> bytes:
        records = []
        # A column has to be in some record
        somewhere = list_columns([rows])
        sparse = self.sparse and self.kind != "parquet"
        for row in rows:
            record: dict = {}
            for name in self.order:
                value = row.get(name)
                if isinstance(value, str) and name in NUMBERS and self.typed:
                    value = int(value) if value.isdecimal() else float(value)
                elif value is not None and not self.typed:
                    value = str(value)
                if self.kind == "parquet" and not self.typed and value is not None:
                    value = str(value)
                path = self.theirs(name)
                if name in self.nested:
                    record.setdefault("in", {})[path.removeprefix("in.")] = value
                elif value is not None or not sparse or name not in somewhere:
                    record[path] = value
            records.append(record)
        dump = partial(json.dumps, ensure_ascii=False)
        if self.kind == "jsonl":
            return "".join(f"{dump(record)}\n" for record in records).encode()
        if self.kind == "json":
            return dump(records).encode()
        out = io.BytesIO()
        frame = pl.DataFrame(records, infer_schema_length=None)
        frame.with_columns(pl.col(pl.Null).cast(pl.String)).write_parquet(out)
        return out.getvalue()
