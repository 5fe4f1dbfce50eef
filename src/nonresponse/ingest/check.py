"""The check of a campaign: the readers' faults, and those that show with all files at hand."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
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
from nonresponse.tables import GRADED, JUDGMENTS, NAME
from nonresponse.tasks import Task
from nonresponse.wording import plural

ASKED = (
    "a question of the question set (`questions:` in config.yaml, else what the judgments mention)"
)
CELLS = 2**31  # of the verdict store, each of which takes some bytes of memory
CONFIG = "config.yaml"


@dataclass
class Tables:
    """The tables that a campaign's files were read into."""

    campaign: Options  # its parts as in config.yaml
    rows: pl.LazyFrame  # tables.RESPONSES or tables.GRADED
    names: pl.DataFrame  # reading.runs_of them
    questions: pl.DataFrame  # tables.QUESTIONS
    judged: pl.DataFrame  # tables.JUDGMENTS; of graded responses, the column of assessors
    whole: bool = True  # whether all questions are known, so that others are a fault

    @property
    def task(self) -> Task:
        """The record of the campaign's task."""
        return tasks.get(self.campaign["task"])

    @property
    def files(self) -> str:
        """The patterns of the runs or graded responses."""
        return join_patterns(self.campaign, "graded" if "graded" in self.campaign else "runs")

    def rows_at(self, keys: pl.DataFrame) -> pl.DataFrame:
        """Return the rows with these keys as the files have them: tables lack what faults name."""
        part = "graded" if "graded" in self.campaign else "runs"
        named = self.names.join(keys, on="run", how="semi") if "run" in keys.columns else self.names
        read = get_reader(part, self.campaign[part], self.task.id)
        files = sorted(set(named["file"]))
        rows, _ = read_files(files, read, self.campaign[part], GRADED, "run")
        rows = rows.with_columns(pl.col("candidate").fill_null(""), pl.col("file").cast(pl.String))
        return rows.join(keys, on=keys.columns, how="semi")

    def judgments_at(self, keys: pl.DataFrame) -> pl.DataFrame:
        """Return the judgments with these keys as the files have them."""
        gold = self.campaign["judgments"]
        files, read = (
            find_files(gold["files"]) if keys.height else [],
            get_reader("judgments", gold),
        )
        rows, _ = read_files(files, read, gold, JUDGMENTS, "assessor")
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
    """Return all faults of a campaign; a phrase on what there is (5 runs, 100 responses); its runs,
    and paths of tables.

    `campaign` has its parts as in config.yaml; `fault_tables` are the readers' faults, relative to
    `folder`; `accounts` are tables.IMPORTS. The tables have the names of assessors, categories and
    questions; for counts, there are none.
    """
    read = {name: read_faults(folder / name) for name in fault_tables}
    faults, tables = limit_faults(fault for found in read.values() for fault in found), list[Path]()
    if "counts" in campaign:
        runs = pl.read_parquet(folder / "table.parquet")["run"].to_list()
        there = f"{plural(len(runs), 'run')}, as counts"
    else:
        names = pl.concat(pl.read_parquet(folder / "runs" / f"{shard}.parquet") for shard in shards)
        runs = [*names["run"], *tasks.get(campaign["task"]).trivial]
        number = plural(int(names["responses"].sum()), "response")
        there = f"{plural(names['run'].n_unique(), 'run')}, {number}"
        kind = "graded" if "graded" in campaign else "responses"
        responses = [folder / kind / f"{shard}.parquet" for shard in shards]
        judgments = responses if kind == "graded" else [folder / "judgments.parquet"]
        tables = [folder / "questions.parquet", *judgments]
        rows, questions = pl.scan_parquet(responses), pl.read_parquet(tables[0])
        judged = pl.scan_parquet(judgments)
        judged = judged.select("assessor").unique() if kind == "graded" else judged
        all_of = Tables(campaign, rows, names, questions, judged.collect())
        file = campaign.get("questions", {}).get("file")
        if any(fault.file == file for fault in faults):
            all_of.whole = False
        elif not file:
            # A judgment that could not be read may be of a question that nobody else judged.
            all_of.whole = not read.get("faults/judgments.tsv")
        faults = check_tables(all_of, faults, accounts)
    # Not after other faults: runs that seem to be missing may be in a file that could not be read.
    faults = faults or check_named_runs(campaign, sorted(set(runs)))
    return faults, there, (runs, tables)


def check_tables(of: Tables, found: list[Fault], accounts: pl.DataFrame) -> list[Fault]:
    """Return the faults of readers and tables; some are looked for only in sound tables."""
    campaign, names = of.campaign, of.names
    faults = found + find_collisions(names)
    if not faults:
        originals = sorted(set(names["original"].drop_nulls()))
        faults += find_unknown_names(
            campaign.get("names", {}), campaign.get("names_from"), originals
        )
    if "graded" in campaign:
        faults += check_graded(of, accounts)
    else:
        faults += check_responses(of)
        faults = faults or check_judgments(of)
    return faults or check_asked(of) or check_cells(of)


def check_cells(of: Tables) -> list[Fault]:
    """Return a fault if the verdict store would need more memory than a machine has.

    It has a cell for each assessor, run, question and epoch.
    """
    items = of.rows if "graded" in of.campaign else of.judged.lazy()
    item = pl.struct("question", "candidate") if of.task.pairs else pl.col("question")
    if of.questions.height and not of.task.pairs:
        items = of.questions.lazy()
    sizes = {
        "assessor": of.judged["assessor"].n_unique(),
        "run": of.names["run"].n_unique(),
        "question": items.select(item.n_unique()).collect().item(),
        "epoch": of.rows.select(pl.col("epoch").n_unique()).collect().item(),
    }
    if math.prod(sizes.values()) <= CELLS:
        return []
    found = " x ".join(plural(number, name) for name, number in sizes.items())
    expected = f"at most {CELLS:,} verdicts; is each column the one that `columns:` says?"
    return [Fault(of.files, 0, found, expected)]


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
    if official is not None and official not in assessors:
        return [
            Fault(file, 0, f"no judgments of {quote(official)}", f"one of {names} as `official`")
        ]
    return []


def check_vote(vote: dict, assessors: list[str], file: str) -> list[Fault]:
    """Return faults unless there are as many assessors as the official vote needs."""
    if vote["or_named"] and vote["name"] in assessors:
        return []
    names, ties = quote_names(assessors), vote["ties"]
    assessing = f"{vote['of'] or 'two or more'} of them, who vote on the adjudicated judgments"
    decides = f"one of {names}, who decides if no verdict has enough votes"
    wrong = (
        (
            len(assessors) != (vote["of"] or max(len(assessors), 2)),
            f"judgments of {plural(len(assessors), 'assessor')}",
            f"{assessing}: {names}",
        ),
        (
            vote["name"] in assessors,
            f"an assessor called {vote['name']}",
            "another name than that of the vote",
        ),
        (ties not in (None, *assessors), f"no judgments of {quote(ties)}", decides),
    )
    return [Fault(file, 0, found, expected) for is_wrong, found, expected in wrong if is_wrong]


def check_judgments(of: Tables) -> list[Fault]:
    """Return a fault if there are no judgments, unless a table has the questions."""
    gold, judged_later = of.campaign["judgments"], not (of.task.pairs or of.task.references)
    if of.judged.height or (judged_later and of.questions.height and "official" not in gold):
        return []
    found, expected = "no judgments", "some"
    if "official" in gold:
        found, expected = f"no judgments of {quote(gold['official'])}", "some, or no `official`"
    elif judged_later:
        expected = "some, or `questions:`, a table of what was asked"
    return [Fault(join_patterns(of.campaign, "judgments"), 0, found, expected)]


def check_responses(of: Tables) -> list[Fault]:
    """Return faults of runs and judgments that can only be seen with all the files at hand."""
    task, judged, asked = of.task, of.judged, of.questions
    files = join_patterns(of.campaign, "judgments")
    faults = find_split_runs(of)
    faults += check_assessors(of.campaign, sorted(set(judged["assessor"].drop_nulls())), files)
    strange = judged.join(asked, on="question", how="anti") if of.whole else judged.clear()
    unasked, found = (
        of.judgments_at(strange.select("question")),
        format_quoted("the question {}", "question"),
    )
    faults += list_faults(unasked, found, "a question of the question set")
    if not asked.height:
        return faults  # without questions, every response would be to an unknown one
    if task.pairs:
        pairs = judged.select("question", "candidate").unique()
        return faults + find_unknown(of, pairs, "the pair {}", "a pair of the gold standard")
    faults += find_unknown(of, asked.select("question"), "the question {}", ASKED)
    if task.references:  # with which hypotheses are compared
        faults += find_lacking_references(judged, asked, files)
    else:
        faults += find_nil_contradictions(of)
    named = judged["document"].is_not_null().any()
    if named and of.rows.select(pl.col("document").is_null().all()).collect().item():
        found_there = "judgments that name documents, runs that name none"
        faults.append(Fault(of.files, 0, found_there, "documents in both or in neither"))
    return faults


def find_lacking_references(judged: pl.DataFrame, asked: pl.DataFrame, files: str) -> list[Fault]:
    """Return a fault for each question and assessor without a reference, or one for all."""
    assessors = judged.select("assessor").unique()
    given = judged.join(asked, on="question", how="semi").select("assessor", "question").unique()
    lacking = assessors.height * asked.height - given.height
    if lacking > MAX_OF_KIND:
        found, expected = f"no reference in {lacking:,} cases", "one for each question"
        return [Fault(files, 0, found, f"{expected} by each assessor")]
    # So few are lacking that all cases are not many more than the references.
    every = asked.select("question").join(assessors, how="cross")
    cases = every.join(judged, on=["assessor", "question"], how="anti").sort("assessor", "question")
    found = "no reference for question {} by {}"
    return [
        Fault(files, 0, found.format(quote(question), quote(assessor)), "one for each question")
        for question, assessor in cases.select("question", "assessor").rows()
    ]


def find_nil_contradictions(of: Tables) -> list[Fault]:
    """Return faults of judgments of NIL that contradict others of the same assessor, or has_answer
    of the question file.

    A right NIL means that the question has no answer, a wrong NIL that it has one.
    """
    key, of_nil = ["assessor", "question"], pl.col("of_nil")
    right = pl.col("label").is_in(of.task.right)
    is_nil = (pl.col("answer") == "").fill_null(pl.col("nil")).fill_null(False)
    nil = of.rows.filter("nil", rank=1).select("run", "question", nil=True).unique().collect()
    if not nil.height and not (of.judged["answer"] == "").any():
        return []
    described = of.judged.join(nil, on=["run", "question"], how="left")
    described = described.join(of.questions, on="question", how="left").with_columns(of_nil=is_nil)
    none = (of_nil & right).any()
    one = ((of_nil != right) | pl.col("has_answer").fill_null(False)).any()
    torn = none & one | (of_nil & ~right & ~pl.col("has_answer")).any()
    groups = described.group_by(key).agg(torn=torn).filter("torn")
    if not groups.height:
        return []
    lines = of.judgments_at(groups.select(key)).join(nil, on=["run", "question"], how="left")
    expected = "one that agrees with the other judgments and with has_answer of the question file"
    found = format_quoted("a judgment of NIL for question {}", "question")
    return find_faults(lines, [Check(is_nil, found, expected)])


def check_graded(of: Tables, accounts: pl.DataFrame) -> list[Fault]:
    """Return faults of graded responses: runs, contradictions, and unknown questions."""
    faults = find_unnamed_prompts(accounts) or find_split_runs(of)
    for what, value, key in SHARED_VALUES:  # what must be the same for all runs
        shared = of.rows.with_columns(said=value).drop_nulls("said").group_by(key)
        torn = (
            shared.agg(pl.col("said").n_unique()).filter(pl.col("said") > 1).select(key).collect()
        )
        if torn.height:
            faults += find_disagreements(of.rows_at(torn), what, value, key)
    if of.questions.height:
        faults += find_unknown(of, of.questions.select("question"), "the question {}", ASKED)
    return faults


def find_unnamed_prompts(accounts: pl.DataFrame) -> list[Fault]:
    """Return faults of runs called like a provider that has several prompts elsewhere."""
    torn = accounts.filter(pl.col("run").is_in(accounts["provider"].to_list()), provider="")
    found = format_quoted("the run {} without its prompt", "run")
    expected = "its prompt in its name (`names:`), as where it has several"
    return list_faults(torn.sort("run", "file").with_columns(line=0), found, expected)


def find_split_runs(of: Tables) -> list[Fault]:
    """Return faults of runs in several files that do not name them, or repeat responses."""
    part = of.campaign.get("graded") or of.campaign["runs"]
    named = "run" in part or "run" in part.get("columns", {})
    if not named and part["format"] not in formats.LOGS:
        first = pl.col("file").first().over("run")
        ordered = of.names.drop_nulls("run").sort("run", "file").with_columns(first=first)
        found = pl.format("the run {}, named like one in {}", quote_column("run"), "first")
        again = ordered.filter(pl.col("file") != pl.col("first"))
        return list_faults(again, found, "a name of its own for each run")
    key = ["run", "question", "epoch"] + ["candidate"] * of.task.pairs
    names = of.names.filter(pl.col("file").n_unique().over("run") > 1)
    split = of.rows.join(names.lazy(), on="run", how="semi").select(key)
    twice = split.filter(pl.len().over(key) > 1).unique().collect()
    if not twice.height:
        return []
    repeated = of.rows_at(twice).sort("file", "line", maintain_order=True)
    places = repeated.with_columns(first=pl.col("file").first().over(key))
    later = ~pl.struct(key).is_first_distinct() & (pl.col("file") != pl.col("first"))
    found = format_quoted("a second response of {} to question {}", "run", "question")
    expected = pl.format("one only; the first is in {}", "first")
    return find_faults(places, [Check(later, found, expected)])


def check_named_runs(campaign: Options, runs: list[str]) -> list[Fault]:
    """Return faults of runs in config.yaml that the campaign does not have."""
    known, faults = f"a run of the campaign: {quote_names(runs)}", list[Fault]()
    if (baseline := campaign.get("baseline")) not in (None, *runs):
        faults.append(Fault(CONFIG, 0, f"the baseline {quote(baseline)}", known))
    if "systems" in campaign:
        faults += owners.faults(campaign["systems"], runs)
    return faults


def find_unknown(of: Tables, known: pl.DataFrame, found: str, expected: str) -> list[Fault]:
    """Return a fault for each response whose key is not in `known`; {} is question or pair."""
    if not of.whole:
        return []
    keys = [*dict.fromkeys(["run", *known.columns])]
    used = of.rows.select(known.columns)
    used = used if "run" in known.columns else used.unique()  # far fewer than rows
    strange = used.join(known.lazy(), on=known.columns, how="anti").unique().collect()
    if not strange.height:
        return []
    responses = of.rows.select(keys).join(strange.lazy(), on=known.columns, how="semi")
    lacking = responses.unique().collect()
    what = pl.concat_str(pl.col(keys[1:]).cast(pl.String), separator=" ").str.strip_chars_end()
    return list_faults(
        of.rows_at(lacking).with_columns(what=what), format_quoted(found, "what"), expected
    )


def share_questions(rows: pl.LazyFrame) -> bool:
    """Return whether two runs have a response to the same question."""
    of_each = rows.group_by("question").agg(pl.col("run").n_unique())
    return bool(of_each.select((pl.col("run") > 1).any()).collect().item())


def check_asked(of: Tables) -> list[Fault]:
    """Return faults where runs and question file differ, or no runs share a question."""
    campaign, runs = of.campaign, sorted(set(of.names["run"]))
    asked = of.questions.select("question", run="runs").drop_nulls().explode("run")
    if asked.height:
        return find_unasked(of, asked.with_columns(pl.col("run").cast(NAME)), runs)
    shared = campaign.get("missing") == "exclude" and campaign.get("compare_on") == "shared"
    rows = of.rows.filter(~pl.col("missing")) if "graded" in campaign else of.rows
    if not shared or len(runs) < 2 or share_questions(rows):
        return []
    found = f"{len(runs)} runs, no two of which have a response to the same question"
    expected = "questions that runs share, a campaign for each run, or `compare_on: all`"
    return [Fault(CONFIG, 0, found, expected)]


def find_unasked(of: Tables, asked: pl.DataFrame, runs: Iterable[str]) -> list[Fault]:
    """Return faults where runs and what the question file says that they were asked differ."""
    file, known, there = of.campaign["questions"]["file"], set(asked["run"]), {*runs}
    own, each = f"a run of the campaign: {quote_names(runs)}", "a line for each that it was asked"
    faults = [Fault(file, 0, f"the run {quote(run)}", own) for run in sorted(known - there)]
    faults += [
        Fault(file, 0, f"no question of the run {quote(run)}", each)
        for run in sorted(there - known)
    ]
    expected = f"a question that the run was asked, as {file} says"
    return faults or find_unknown(
        of, asked.select("run", "question"), "a response to question {}", expected
    )
