"""The check of a campaign: the readers' faults, and those that show with all files at hand."""

import math
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import polars as pl

from nonresponse import formats, owners, tasks
from nonresponse.faults import MAX_OF_KIND, Fault, limit_faults, quote, quote_names, read_faults
from nonresponse.ingest.files import find_files, list_patterns
from nonresponse.ingest.names import find_collisions, find_unknown_names
from nonresponse.ingest.readers import get_reader
from nonresponse.ingest.reading import read_files
from nonresponse.ingest.row_checks import (
    SHARED_VALUES,
    Check,
    find_disagreements,
    find_faults,
    format_quoted,
    list_faults,
    quote_column,
)
from nonresponse.settings import Options
from nonresponse.tables import GRADED, JUDGMENTS, NAME, read_parquet, scan_parquet
from nonresponse.tasks import Task
from nonresponse.wording import plural

KNOWN_QUESTION = (
    "a question of the question set (`questions:` in config.yaml, else what the judgments mention)"
)
CELLS = 2**31  # of the verdict store, at most; each takes some bytes of memory
CONFIG = "config.yaml"


@dataclass
class Tables:
    """The tables that a campaign's files were read into."""

    campaign: Options  # its parts as in config.yaml
    rows: pl.LazyFrame  # tables.RESPONSES or tables.GRADED
    names: pl.DataFrame  # reading.list_runs of them
    questions: pl.DataFrame  # tables.QUESTIONS
    judgments: pl.DataFrame  # tables.JUDGMENTS; of graded responses, the column of assessors
    complete: bool = True  # whether `questions` are all, so that another one is a fault

    @property
    def task(self) -> Task:
        """The record of the campaign's task."""
        return tasks.get(self.campaign["task"])

    @property
    def part(self) -> str:
        """The part of the campaign that has the runs."""
        return "graded" if "graded" in self.campaign else "runs"

    @property
    def files(self) -> str:
        """The patterns of the runs or graded responses."""
        return join_patterns(self.campaign, self.part)

    def reread_rows(self, keys: pl.DataFrame) -> pl.DataFrame:
        """Return the rows with these keys as the files have them: tables lack what faults name."""
        names, options = self.names, self.campaign[self.part]
        if "run" in keys.columns:
            names = names.join(keys, on="run", how="semi")
        reader = get_reader(self.part, options, self.task.id)
        rows, _ = read_files(sorted(set(names["file"])), reader, options, GRADED, "run")
        rows = rows.with_columns(pl.col("candidate").fill_null(""), pl.col("file").cast(pl.String))
        return rows.join(keys, on=keys.columns, how="semi")

    def reread_judgments(self, keys: pl.DataFrame) -> pl.DataFrame:
        """Return the judgments with these keys as the files have them."""
        options = self.campaign["judgments"]
        files = find_files(options["files"]) if keys.height else []
        reader = get_reader("judgments", options)
        rows, _ = read_files(files, reader, options, JUDGMENTS, "assessor")
        return rows.join(keys, on=keys.columns, how="semi")


def join_patterns(campaign: Options, part: str) -> str:
    """Return the patterns of a part of a campaign, as the place of a fault of all its files."""
    return ", ".join(list_patterns(campaign[part]["files"]))


def check_campaign(
    campaign: Options,
    folder: Path,
    fault_tables: list[str],
    shards: list[int],
    accounts: pl.DataFrame,
) -> tuple[list[Fault], str, tuple[list[str], list[Path]]]:
    """Return all faults of a campaign; its size in words (5 runs, 100 responses); its runs, and
    paths of tables.

    `campaign` has its parts as in config.yaml; `fault_tables` are the readers' faults, relative to
    `folder`; `accounts` are tables.IMPORTS. The tables have the names of assessors, categories and
    questions; for counts, there are none.
    """
    file_faults = {name: read_faults(folder / name) for name in fault_tables}
    faults = limit_faults(chain.from_iterable(file_faults.values()))
    tables: list[Path] = []
    if "counts" in campaign:
        runs = read_parquet(folder / "table.parquet")["run"].to_list()
        size = f"{plural(len(runs), 'run')}, as counts"
    else:
        names = pl.concat(read_parquet(folder / "runs" / f"{shard}.parquet") for shard in shards)
        runs = [*names["run"], *tasks.get(campaign["task"]).trivial]
        number = plural(int(names["responses"].sum()), "response")
        size = f"{plural(names['run'].n_unique(), 'run')}, {number}"
        graded = "graded" in campaign
        subfolder = folder / ("graded" if graded else "responses")
        responses = [subfolder / f"{shard}.parquet" for shard in shards]
        tables = [folder / "questions.parquet"]
        tables += responses if graded else [folder / "judgments.parquet"]
        judgments = scan_parquet(tables[1:])
        judgments = judgments.select("assessor").unique() if graded else judgments
        rows, questions = scan_parquet(responses), read_parquet(tables[0])
        data = Tables(campaign, rows, names, questions, judgments.collect())
        question_file = campaign.get("questions", {}).get("file")
        if question_file:
            data.complete = all(fault.file != question_file for fault in faults)
        else:
            # A judgment that could not be read may be of a question that nobody else judged.
            data.complete = not file_faults.get("faults/judgments.tsv")
        faults = check_tables(data, faults, accounts)
    # Only in sound files: runs that seem to be missing may be in a file that could not be read.
    faults = faults or check_named_runs(campaign, sorted(set(runs)))
    return faults, size, (runs, tables)


def check_tables(data: Tables, file_faults: list[Fault], accounts: pl.DataFrame) -> list[Fault]:
    """Return the faults of files and tables; some are looked for only in sound tables."""
    campaign, names = data.campaign, data.names
    faults = file_faults + find_collisions(names)
    if not faults:
        runs = sorted(set(names["original"].drop_nulls()))
        faults += find_unknown_names(campaign.get("names", {}), runs)
    if "graded" in campaign:
        faults += check_graded(data, accounts)
    else:
        faults += check_responses(data)
        faults = faults or check_judgments(data)
    return faults or check_asked(data) or check_cells(data)


def check_cells(data: Tables) -> list[Fault]:
    """Return a fault if the verdict store would need more memory than a machine has.

    It has a cell for each assessor, run, question and epoch.
    """
    items = data.rows if "graded" in data.campaign else data.judgments.lazy()
    item = pl.struct("question", "candidate") if data.task.pairs else pl.col("question")
    if data.questions.height and not data.task.pairs:
        items = data.questions.lazy()
    sizes = {
        "assessor": data.judgments["assessor"].n_unique(),
        "run": data.names["run"].n_unique(),
        "question": items.select(item.n_unique()).collect().item(),
        "epoch": data.rows.select(pl.col("epoch").n_unique()).collect().item(),
    }
    if math.prod(sizes.values()) <= CELLS:
        return []
    found = " x ".join(plural(number, name) for name, number in sizes.items())
    expected = f"at most {CELLS:,} verdicts; is each column the one that `columns:` says?"
    return [Fault(data.files, 0, found, expected)]


def check_assessors(campaign: Options, assessors: list[str], file: str) -> list[Fault]:
    """Return faults unless the official assessor has judged, and is named among several."""
    official, vote = (campaign["judgments"].get(key) for key in ("official", "vote"))
    names = quote_names(assessors)
    if not assessors:
        return []  # no judgment could be read; the faults of the files say why
    if vote:
        return check_vote(vote, assessors, file)
    if official is None and len(assessors) > 1:
        expected = "a key `official` in config.yaml that names one of them"
        return [Fault(file, 0, f"judgments of {names}", expected)]
    if official not in (None, *assessors):
        return [
            Fault(file, 0, f"no judgments of {quote(official)}", f"one of {names} as `official`")
        ]
    return []


def check_vote(vote: dict, assessors: list[str], file: str) -> list[Fault]:
    """Return faults unless there are as many assessors as the official vote needs."""
    faults, names, number = [], quote_names(assessors), len(assessors)
    if number != (vote["of"] or max(number, 2)):
        expected = f"{vote['of'] or 'two or more'} of them, who vote on the adjudicated judgments"
        found = f"judgments of {plural(number, 'assessor')}"
        faults.append(Fault(file, 0, found, f"{expected}: {names}"))
    if vote["name"] in assessors:
        expected = "another name than that of the vote"
        faults.append(Fault(file, 0, f"an assessor called {vote['name']}", expected))
    if vote["ties"] not in (None, *assessors):
        expected = f"one of {names}, who decides if no verdict has enough votes"
        faults.append(Fault(file, 0, f"no judgments of {quote(vote['ties'])}", expected))
    return faults


def check_judgments(data: Tables) -> list[Fault]:
    """Return a fault if there are no judgments, unless a table has the questions."""
    options, task = data.campaign["judgments"], data.task
    may_lack = not (task.pairs or task.references)
    if data.judgments.height or (may_lack and data.questions.height and "official" not in options):
        return []
    found, expected = "no judgments", "some"
    if "official" in options:
        found, expected = f"no judgments of {quote(options['official'])}", "some, or no `official`"
    elif may_lack:
        expected = "some, or `questions:`, a table of what was asked"
    return [Fault(join_patterns(data.campaign, "judgments"), 0, found, expected)]


def check_responses(data: Tables) -> list[Fault]:
    """Return faults of runs and judgments that can only be seen with all the files at hand."""
    task, judgments, questions = data.task, data.judgments, data.questions
    files = join_patterns(data.campaign, "judgments")
    assessors = sorted(set(judgments["assessor"].drop_nulls()))
    faults = find_split_runs(data) + check_assessors(data.campaign, assessors, files)
    if data.complete:
        unknown = judgments.join(questions, on="question", how="anti").select("question")
        sentence = format_quoted("the question {}", "question")
        expected = "a question of the question set"
        faults += list_faults(data.reread_judgments(unknown), sentence, expected)
    if not questions.height:
        return faults  # without questions, every response would be to an unknown one
    if task.pairs:
        pairs = judgments.select("question", "candidate").unique()
        return faults + find_unknown(data, pairs, "the pair {}", "a pair of the gold standard")
    faults += find_unknown(data, questions.select("question"), "the question {}", KNOWN_QUESTION)
    if task.references:  # with which hypotheses are compared
        faults += find_lacking_references(judgments, questions, files)
    else:
        faults += find_nil_contradictions(data)
    if judgments["document"].is_not_null().any():
        lacks_documents = pl.col("document").is_null().all()
        if data.rows.select(lacks_documents).collect().item():
            found = "judgments that name documents, runs that name none"
            faults.append(Fault(data.files, 0, found, "documents in both or in neither"))
    return faults


def find_lacking_references(
    judgments: pl.DataFrame, questions: pl.DataFrame, files: str
) -> list[Fault]:
    """Return a fault for each question and assessor without a reference, or one for all."""
    key, questions = ["assessor", "question"], questions.select("question")
    assessors = judgments.select("assessor").unique()
    references = judgments.join(questions, on="question", how="semi").select(key).unique()
    number = assessors.height * questions.height - references.height
    if number > MAX_OF_KIND:
        found = f"no reference in {number:,} cases"
        return [Fault(files, 0, found, "one for each question by each assessor")]
    # So few are lacking that all cases are not many more than the references.
    cases = questions.join(assessors, how="cross").join(references, on=key, how="anti")
    found = "no reference for question {} by {}"
    return [
        Fault(files, 0, found.format(quote(question), quote(assessor)), "one for each question")
        for assessor, question in cases.select(key).sort(key).rows()
    ]


def find_nil_contradictions(data: Tables) -> list[Fault]:
    """Return faults of judgments of NIL that contradict others of the same assessor, or has_answer
    of the question file.

    A right NIL means that the question has no answer, a wrong NIL that it has one.
    """
    key, judgments = ["assessor", "question"], data.judgments
    nil = data.rows.filter("nil", rank=1).select("run", "question", nil=True).unique().collect()
    if not nil.height and not (judgments["answer"] == "").any():
        return []
    is_nil = (pl.col("answer") == "").fill_null(pl.col("nil")).fill_null(False)
    is_right, has_answer = pl.col("label").is_in(data.task.right), pl.col("has_answer")
    rows = judgments.join(nil, on=["run", "question"], how="left")
    rows = rows.join(data.questions, on="question", how="left").with_columns(is_nil=is_nil)
    marked = pl.col("is_nil")
    says_none = (marked & is_right).any()
    says_some = ((marked != is_right) | has_answer.fill_null(False)).any()
    contradicts = says_none & says_some | (marked & ~is_right & ~has_answer).any()
    groups = rows.group_by(key).agg(contradicts=contradicts).filter("contradicts").select(key)
    if not groups.height:
        return []
    lines = data.reread_judgments(groups).join(nil, on=["run", "question"], how="left")
    expected = "one that agrees with the other judgments and with has_answer of the question file"
    found = format_quoted("a judgment of NIL for question {}", "question")
    return find_faults(lines, [Check(is_nil, found, expected)])


def check_graded(data: Tables, accounts: pl.DataFrame) -> list[Fault]:
    """Return faults of graded responses: runs, contradictions, and unknown questions."""
    faults = find_unnamed_prompts(accounts) or find_split_runs(data)
    for noun, value, key in SHARED_VALUES:  # what must be the same for all runs
        values = data.rows.with_columns(value=value).drop_nulls("value").group_by(key)
        numbers = values.agg(pl.col("value").n_unique())
        keys = numbers.filter(pl.col("value") > 1).select(key).collect()
        if keys.height:
            faults += find_disagreements(data.reread_rows(keys), noun, value, key)
    if data.questions.height:
        questions = data.questions.select("question")
        faults += find_unknown(data, questions, "the question {}", KNOWN_QUESTION)
    return faults


def find_unnamed_prompts(accounts: pl.DataFrame) -> list[Fault]:
    """Return faults of runs called like a provider that has several prompts elsewhere."""
    rows = accounts.filter(pl.col("run").is_in(accounts["provider"].to_list()), provider="")
    found = format_quoted("the run {} without its prompt", "run")
    expected = "its prompt in its name (`names:`), as where it has several"
    return list_faults(rows.sort("run", "file").with_columns(line=0), found, expected)


def find_split_runs(data: Tables) -> list[Fault]:
    """Return faults of runs in several files that do not name them, or repeat responses."""
    options = data.campaign[data.part]
    has_names = "run" in options or "run" in options.get("columns", {})
    if not has_names and options["format"] not in formats.LOGS:
        rows = data.names.drop_nulls("run").sort("run", "file")
        rows = rows.with_columns(first=pl.col("file").first().over("run"))
        found = pl.format("the run {}, named like one in {}", quote_column("run"), "first")
        rows = rows.filter(pl.col("file") != pl.col("first"))
        return list_faults(rows, found, "a name of its own for each run")
    key = ["run", "question", "epoch"] + ["candidate"] * data.task.pairs
    names = data.names.filter(pl.col("file").n_unique().over("run") > 1)
    responses = data.rows.join(names.lazy(), on="run", how="semi").select(key)
    repeated = responses.filter(pl.len().over(key) > 1).unique().collect()
    if not repeated.height:
        return []
    rows = data.reread_rows(repeated).sort("file", "line", maintain_order=True)
    rows = rows.with_columns(first=pl.col("file").first().over(key))
    is_later = ~pl.struct(key).is_first_distinct() & (pl.col("file") != pl.col("first"))
    found = format_quoted("a second response of {} to question {}", "run", "question")
    expected = pl.format("one only; the first is in {}", "first")
    return find_faults(rows, [Check(is_later, found, expected)])


def check_named_runs(campaign: Options, runs: list[str]) -> list[Fault]:
    """Return faults of runs in config.yaml that the campaign does not have."""
    faults, baseline = [], campaign.get("baseline")
    if baseline not in (None, *runs):
        expected = f"a run of the campaign: {quote_names(runs)}"
        faults.append(Fault(CONFIG, 0, f"the baseline {quote(baseline)}", expected))
    if "systems" in campaign:
        faults += owners.find_faults(campaign["systems"], runs)
    return faults


def find_unknown(data: Tables, keys: pl.DataFrame, found: str, expected: str) -> list[Fault]:
    """Return a fault for each response whose key is not in `keys`; {} is question or pair."""
    if not data.complete:
        return []
    key = keys.columns
    row_keys = data.rows.select(key)
    row_keys = row_keys if "run" in key else row_keys.unique()  # far fewer than rows
    unknown = row_keys.join(keys.lazy(), on=key, how="anti").unique().collect()
    if not unknown.height:
        return []
    names = [name for name in key if name != "run"]
    responses = data.rows.select("run", *names).join(unknown.lazy(), on=key, how="semi")
    rows = data.reread_rows(responses.unique().collect())
    item = pl.concat_str(pl.col(names).cast(pl.String), separator=" ").str.strip_chars_end()
    return list_faults(rows.with_columns(item=item), format_quoted(found, "item"), expected)


def check_asked(data: Tables) -> list[Fault]:
    """Return faults where runs and question file differ, or no runs share a question."""
    campaign, runs = data.campaign, sorted(set(data.names["run"]))
    asked = data.questions.select("question", run="runs").drop_nulls().explode("run")
    if asked.height:
        return find_unasked(data, asked.with_columns(pl.col("run").cast(NAME)), runs)
    must_share = campaign.get("missing") == "exclude" and campaign.get("compare_on") == "shared"
    if not must_share or len(runs) < 2:
        return []
    rows = data.rows.filter(~pl.col("missing")) if "graded" in campaign else data.rows
    numbers = rows.group_by("question").agg(pl.col("run").n_unique())
    if numbers.select((pl.col("run") > 1).any()).collect().item():
        return []
    found = f"{len(runs)} runs, no two of which have a response to the same question"
    expected = "questions that runs share, a campaign for each run, or `compare_on: all`"
    return [Fault(CONFIG, 0, found, expected)]


def find_unasked(data: Tables, asked: pl.DataFrame, runs: list[str]) -> list[Fault]:
    """Return faults where runs and what the question file says that they were asked differ."""
    file, asked_runs = data.campaign["questions"]["file"], set(asked["run"])
    expected = f"a run of the campaign: {quote_names(runs)}"
    faults = [
        Fault(file, 0, f"the run {quote(run)}", expected) for run in sorted(asked_runs - {*runs})
    ]
    expected = "a line for each that it was asked"
    faults += [
        Fault(file, 0, f"no question of the run {quote(run)}", expected)
        for run in sorted({*runs} - asked_runs)
    ]
    expected = f"a question that the run was asked, as {file} says"
    keys = asked.select("run", "question")
    return faults or find_unknown(data, keys, "a response to question {}", expected)
