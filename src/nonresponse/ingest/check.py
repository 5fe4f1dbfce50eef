"""The check of a campaign: the faults that its readers found, and those that show only with all
files at hand."""

import math
from collections.abc import Collection
from pathlib import Path

import polars as pl

from nonresponse import formats, owners, tasks
from nonresponse.faults import Fault, listed, read_faults, shown
from nonresponse.formats import Read
from nonresponse.ingest.files import files_of, patterns
from nonresponse.ingest.names import collisions, unknown_names
from nonresponse.ingest.readers import judgment_reader, reader
from nonresponse.ingest.reading import read_files
from nonresponse.ingest.row_checks import SHARED, Check, disagreements, faults_of, quoted
from nonresponse.settings import Files, Options
from nonresponse.tables import GRADED, JUDGMENTS, NAME
from nonresponse.wording import plural

ASKED = (
    "a question of the question set (`questions:` in config.yaml, else what the judgments mention)"
)
LACKING = 100_000  # references that are lacking, each a fault
CELLS = 2**31  # of the verdict store, each of which takes some bytes of memory


def several(number: int, noun: str) -> str:
    """Return a number with its noun, such as "3 runs"; without thousands separators, as in all of
    check.txt."""
    return f"{number} {noun}{'s' * (number != 1)}"


def checked(
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
    faults = [fault for found in read.values() for fault in found]
    if "counts" in campaign:
        runs = pl.read_parquet(folder / "table.parquet")["run"].to_list()
        there, tables = f"{several(len(runs), 'run')}, as counts", []
    else:
        names = pl.concat(
            [pl.read_parquet(folder / "runs" / f"{shard}.parquet") for shard in shards]
        )
        runs = [*names["run"], *tasks.get(campaign["task"]).trivial]
        faults += collisions(names)
        if not faults:
            originals = sorted(set(names["original"].drop_nulls()))
            faults += unknown_names(
                campaign.get("names", {}), campaign.get("names_from"), originals
            )
        there = (
            f"{several(names['run'].n_unique(), 'run')}, "
            f"{several(int(names['responses'].sum()), 'response')}"
        )
        kind = "graded" if "graded" in campaign else "responses"
        responses = [folder / kind / f"{shard}.parquet" for shard in shards]
        tables = [
            folder / "questions.parquet",
            *(responses if kind == "graded" else [folder / "judgments.parquet"]),
        ]
        rows, questions = pl.scan_parquet(responses), pl.read_parquet(tables[0])
        if kind == "graded":
            judged = rows.select("assessor").unique().collect()
            faults += check_graded(campaign, rows, questions, names, accounts)
        else:
            judged = pl.read_parquet(tables[1])
            # A judgment that could not be read may be of a question that nobody else judged.
            whole = "questions" in campaign or not read.get("faults/judgments.tsv")
            faults += check_responses(campaign, rows, judged, questions, names, whole)
            faults = faults or check_judgments(campaign, judged, questions)
        faults = faults or check_asked(campaign, rows, questions, names)
        faults = faults or check_cells(campaign, rows, questions, judged, names)
    # Not after other faults: runs that seem to be missing may be in a file that could not be read.
    if not faults:
        faults = check_named_runs(campaign, sorted(set(runs)))
    return faults, there, (runs, tables)


def check_cells(
    campaign: Options,
    rows: pl.LazyFrame,
    questions: pl.DataFrame,
    judged: pl.DataFrame,
    names: pl.DataFrame,
) -> list[Fault]:
    """Return a fault if the verdict store would need more memory than a machine has.

    It has a cell for each assessor, run, question and epoch.
    """
    items = rows if "graded" in campaign else judged.lazy()
    if tasks.get(campaign["task"]).pairs:
        number = items.select(pl.struct("question", "candidate").n_unique())
    else:
        number = (questions.lazy() if questions.height else items).select(
            pl.col("question").n_unique()
        )
    sizes = {
        "assessor": judged["assessor"].n_unique(),
        "run": names["run"].n_unique(),
        "question": number.collect().item(),
        "epoch": rows.select(pl.col("epoch").n_unique()).collect().item(),
    }
    if math.prod(sizes.values()) <= CELLS:
        return []
    found = " x ".join(plural(number, name) for name, number in sizes.items())
    expected = f"at most {CELLS:,} verdicts; is each column the one that `columns:` says?"
    part = campaign.get("graded") or campaign["runs"]
    return [Fault(", ".join(patterns(part["files"])), 0, found, expected)]


def check_assessors(campaign: Options, assessors: list[str], file: str) -> list[Fault]:
    """Return faults unless the official assessor has judged, and is named where there are several
    assessors."""
    official = campaign["judgments"].get("official")
    if not assessors:
        return []  # no judgment could be read; the faults of the files say why
    if vote := campaign["judgments"].get("vote"):
        return check_vote(vote, assessors, file)
    names = listed(assessors)
    if official is None and len(assessors) > 1:
        return [
            Fault(
                file,
                0,
                f"judgments of {names}",
                "a key `official` in config.yaml that names one of them",
            )
        ]
    if official is not None and official not in assessors:
        return [
            Fault(file, 0, f"no judgments of {shown(official)}", f"one of {names} as `official`")
        ]
    return []


def check_vote(vote: dict, assessors: list[str], file: str) -> list[Fault]:
    """Return faults unless there are as many assessors as the vote on the official judgment
    needs."""
    if vote["or_named"] and vote["name"] in assessors:
        return []
    names, faults = listed(assessors), list[Fault]()
    if len(assessors) != (vote["of"] or max(len(assessors), 2)):
        expected = (
            f"{vote['of'] or 'two or more'} of them, who vote on the adjudicated judgments: {names}"
        )
        faults.append(
            Fault(file, 0, f"judgments of {plural(len(assessors), 'assessor')}", expected)
        )
    if vote["name"] in assessors:
        faults.append(
            Fault(
                file, 0, f"an assessor called {vote['name']}", "another name than that of the vote"
            )
        )
    if vote["ties"] is not None and vote["ties"] not in assessors:
        faults.append(
            Fault(
                file,
                0,
                f"no judgments of {shown(vote['ties'])}",
                f"one of {names}, who decides if no verdict has enough votes",
            )
        )
    return faults


def check_judgments(
    campaign: Options, judged: pl.DataFrame, questions: pl.DataFrame
) -> list[Fault]:
    """Return a fault if there are no judgments, unless answers are yet to be judged and a table has
    the questions."""
    gold, task = campaign["judgments"], tasks.get(campaign["task"])
    if judged.height:
        return []
    files = ", ".join(patterns(gold["files"]))
    if "official" in gold:
        return [
            Fault(files, 0, f"no judgments of {shown(gold['official'])}", "some, or no `official`")
        ]
    if task.pairs or task.references or not questions.height:
        expected = (
            "some"
            if task.pairs or task.references
            else "some, or `questions:`, a table of what was asked"
        )
        return [Fault(files, 0, "no judgments", expected)]
    return []


def check_responses(
    campaign: Options,
    rows: pl.LazyFrame,
    judged: pl.DataFrame,
    asked: pl.DataFrame,
    names: pl.DataFrame,
    whole: bool,
) -> list[Fault]:
    """Return faults of runs and judgments that can only be seen with all the files at hand.

    whole: whether all questions are known, so that others are a fault.
    """
    runs, gold, task, read = (
        campaign["runs"],
        campaign["judgments"],
        tasks.get(campaign["task"]),
        reader(campaign),
    )
    files = ", ".join(patterns(gold["files"]))
    faults = runs_in_several(runs, rows, names, read, task.pairs)
    faults += check_assessors(campaign, sorted(set(judged["assessor"].drop_nulls())), files)
    strange = judged.join(asked, on="question", how="anti")
    rows_of, _ = read_files(
        files_of(gold["files"]) if strange.height else [], judgment_reader(gold), JUDGMENTS
    )
    unasked = Check(
        pl.lit(True),
        pl.format("the question {}", quoted("question")),
        "a question of the question set",
    )
    faults += faults_of(rows_of.join(strange, on="question", how="semi"), [unasked])
    if not asked.height:
        return faults  # without questions, every response would be to an unknown one
    if task.pairs:
        known, found = judged.select("question", "candidate").unique(), "the pair {}"
        expected = "a pair of the gold standard"
    else:
        known, found, expected = asked.select("question"), "the question {}", ASKED
    if whole:
        faults += unknown(rows, known, names, read, found, expected)
    if task.pairs:
        return faults
    if task.references:  # with which hypotheses are compared
        faults += lacking_references(judged, asked, files)
    if not task.references:
        faults += nil_contradicted(rows, judged, asked, campaign, task.right)
    if (
        judged["document"].is_not_null().any()
        and rows.select(pl.col("document").is_null().all()).collect().item()
    ):
        found = "judgments that name documents, runs that name none"
        faults.append(
            Fault(", ".join(patterns(runs["files"])), 0, found, "documents in both or in neither")
        )
    return faults


def lacking_references(judged: pl.DataFrame, asked: pl.DataFrame, files: str) -> list[Fault]:
    """Return a fault for each question and assessor without a reference; a single one if there are
    more than LACKING."""
    assessors, given = (
        judged.select("assessor").unique(),
        judged.join(asked, on="question", how="semi"),
    )
    lacking = (
        assessors.height * asked.height
        - given.select(pl.struct("assessor", "question").n_unique()).item()
    )
    if lacking > LACKING:
        return [
            Fault(
                files,
                0,
                f"no reference in {lacking:,} cases",
                "one for each question by each assessor",
            )
        ]
    # So few are lacking that all cases are not many more than the references.
    every = asked.select("question").join(assessors, how="cross")
    cases = every.join(judged, on=["assessor", "question"], how="anti").sort("assessor", "question")
    return [
        Fault(
            files,
            0,
            f"no reference for question {shown(question)} by {shown(assessor)}",
            "one for each question",
        )
        for question, assessor in cases.select("question", "assessor").rows()
    ]


def nil_contradicted(
    rows: pl.LazyFrame,
    judged: pl.DataFrame,
    asked: pl.DataFrame,
    campaign: Options,
    labels: Collection[str],
) -> list[Fault]:
    """Return faults of judgments of NIL that contradict others of the same assessor, or has_answer
    of the question file.

    A right NIL means that the question has no answer, a wrong NIL that it has one. `labels`: those
    that mean right.
    """
    key, of_nil, right = ["assessor", "question"], pl.col("of_nil"), pl.col("label").is_in(labels)
    said = (pl.col("answer") == "").fill_null(pl.col("nil")).fill_null(False)
    nil = rows.filter("nil", rank=1).select("run", "question", nil=True).unique().collect()
    if not nil.height and not (judged["answer"] == "").any():
        return []
    described = judged.join(nil, on=["run", "question"], how="left").join(
        asked, on="question", how="left"
    )
    described = described.with_columns(of_nil=said)
    none, one = (
        (of_nil & right).any(),
        ((of_nil != right) | pl.col("has_answer").fill_null(False)).any(),
    )
    torn = (
        described.group_by(key)
        .agg(torn=none & one | (of_nil & ~right & ~pl.col("has_answer")).any())
        .filter("torn")
    )
    if not torn.height:
        return []
    gold = campaign["judgments"]
    lines, _ = read_files(files_of(gold["files"]), judgment_reader(gold), JUDGMENTS, "assessor")
    lines = lines.join(torn, on=key, how="semi").join(nil, on=["run", "question"], how="left")
    expected = "one that agrees with the other judgments and with has_answer of the question file"
    return faults_of(
        lines,
        [Check(said, pl.format("a judgment of NIL for question {}", quoted("question")), expected)],
    )


def check_graded(
    campaign: Options,
    rows: pl.LazyFrame,
    asked: pl.DataFrame,
    names: pl.DataFrame,
    accounts: pl.DataFrame,
) -> list[Fault]:
    """Return faults of graded responses: runs named alike, contradictions, and questions that the
    question file lacks."""
    read, faults = reader(campaign), without_prompt(accounts)
    faults = faults or runs_in_several(
        campaign["graded"], rows, names, read, tasks.get(campaign["task"]).pairs
    )
    faults += contradictions(rows, names, read)
    known = asked.select("question")
    return faults + (
        unknown(rows, known, names, read, "the question {}", ASKED) if asked.height else []
    )


def without_prompt(accounts: pl.DataFrame) -> list[Fault]:
    """Return faults of runs called as a provider is that has several prompts in another log, where
    these are in the names."""
    torn = accounts.filter(pl.col("run").is_in(accounts["provider"].to_list()), provider="").sort(
        "run", "file"
    )
    expected = "its prompt in its name (`names:`), as where it has several"
    rows = torn.select("file", "run").rows()
    return [
        Fault(file, 0, f"the run {shown(run)} without its prompt", expected) for file, run in rows
    ]


def runs_in_several(
    part: Files, rows: pl.LazyFrame, names: pl.DataFrame, read: Read, pairs: bool
) -> list[Fault]:
    """Return faults of runs in several files: only logs and tables that name their runs may be
    split over files."""
    if part["format"] in formats.LOGS or "run" in part or "run" in part.get("columns", {}):
        return again_in_another(rows, names, read, pairs)
    ordered = (
        names.drop_nulls("run")
        .sort("run", "file")
        .with_columns(first=pl.col("file").first().over("run"))
    )
    found = pl.format("the run {}, named like one in {}", quoted("run"), "first")
    return faults_of(
        ordered, [Check(pl.col("file") != pl.col("first"), found, "a name of its own for each run")]
    )


def again_in_another(
    rows: pl.LazyFrame, names: pl.DataFrame, read: Read, pairs: bool = False
) -> list[Fault]:
    """Return faults of responses to a question (or pair) to which an earlier file has a response of
    the same run."""
    key = ["run", "question", "epoch"] + ["candidate"] * pairs
    names = names.filter(pl.col("file").n_unique().over("run") > 1)
    again = (
        rows.join(names.lazy(), on="run", how="semi")
        .select(key)
        .filter(pl.len().over(key) > 1)
        .unique()
        .collect()
    )
    if not again.height:
        return []
    both = read_again(names.join(again, on="run", how="semi"), read)
    both = both.join(again, on=key, how="semi").sort("file", "line", maintain_order=True)
    places = both.with_columns(first=pl.col("file").first().over(key))
    later = ~pl.struct(key).is_first_distinct() & (pl.col("file") != pl.col("first"))
    found = pl.format("a second response of {} to question {}", quoted("run"), quoted("question"))
    return faults_of(
        places, [Check(later, found, pl.format("one only; the first is in {}", "first"))]
    )


def read_again(names: pl.DataFrame, read: Read) -> pl.DataFrame:
    """Return the rows of the files of `names`, read again because tables lack the line numbers that
    faults name."""
    rows, _ = read_files(sorted(set(names["file"])), read, GRADED, "run")
    return rows.with_columns(pl.col("candidate").fill_null(""), pl.col("file").cast(pl.String))


def contradictions(rows: pl.LazyFrame, names: pl.DataFrame, read: Read) -> list[Fault]:
    """Return faults of values that must be the same for all runs (SHARED) but differ; then files
    are read again for lines."""
    faults = []
    for what, value, of in SHARED:
        said = (
            rows.with_columns(said=value)
            .drop_nulls("said")
            .group_by(of)
            .agg(pl.col("said").n_unique())
        )
        torn = said.filter(pl.col("said") > 1).select(of).collect()
        if torn.height:
            faults += disagreements(
                read_again(names, read).join(torn, on=of, how="semi"), what, value, of
            )
    return faults


def check_named_runs(campaign: Options, runs: list[str]) -> list[Fault]:
    """Return faults of runs in config.yaml that the campaign does not have."""
    known = f"a run of the campaign: {', '.join(shown(run, 30) for run in runs[:20])}"
    faults = [
        Fault("config.yaml", 0, f"the baseline {shown(baseline)}", known)
        for baseline in [campaign.get("baseline", runs[0])]
        if baseline not in runs
    ]
    for key, (written, least) in campaign.get("owned", {}).items():
        faults += owners.faults(key, written, runs, least)
    return faults


def unknown(
    rows: pl.LazyFrame,
    known: pl.DataFrame,
    names: pl.DataFrame,
    read: Read,
    found: str,
    expected: str,
) -> list[Fault]:
    """Return a fault for each response whose key is not in the table `known`; {} in `found` is the
    question or pair."""
    keys = [*dict.fromkeys(["run", *known.columns])]
    used = rows.select(known.columns)
    used = used if "run" in known.columns else used.unique()  # far fewer than rows
    strange = used.join(known.lazy(), on=known.columns, how="anti").unique().collect()
    if not strange.height:
        return []
    lacking = (
        rows.select(keys).join(strange.lazy(), on=known.columns, how="semi").unique().collect()
    )
    own = read_again(names.join(lacking, on="run", how="semi"), read).join(
        lacking, on=keys, how="semi"
    )
    return [
        Fault(file, line, found.format(shown(" ".join(filter(None, words)))), expected)
        for file, line, _, *words in own.select("file", "line", *keys).rows()
    ]


def share_some(rows: pl.LazyFrame) -> bool:
    """Return whether two runs have a response to the same question."""
    of_each = rows.group_by("question").agg(pl.col("run").n_unique())
    return bool(of_each.select((pl.col("run") > 1).any()).collect().item())


def check_asked(
    campaign: Options, rows: pl.LazyFrame, questions: pl.DataFrame, names: pl.DataFrame
) -> list[Fault]:
    """Return faults where the question file and the runs contradict each other, or no two compared
    runs share a question."""
    runs = sorted(set(names["run"]))
    asked = (
        questions.select("question", run="runs")
        .drop_nulls()
        .explode("run")
        .with_columns(pl.col("run").cast(NAME))
    )
    if asked.height:
        file, known = campaign["questions"]["file"], set(asked["run"])
        own, each = f"a run of the campaign: {listed(runs)}", "a line for each that it was asked"
        faults = [Fault(file, 0, f"the run {shown(run)}", own) for run in sorted(known - {*runs})]
        faults += [
            Fault(file, 0, f"no question of the run {shown(run)}", each)
            for run in runs
            if run not in known
        ]
        found, expected = (
            "a response to question {}",
            f"a question that the run was asked, as {file} says",
        )
        return faults or unknown(
            rows, asked.select("run", "question"), names, reader(campaign), found, expected
        )
    if (
        campaign.get("missing") != "exclude"
        or campaign.get("compare_on") != "shared"
        or len(runs) < 2
    ):
        return []
    if "graded" in campaign:
        rows = rows.filter(~pl.col("missing"))
    if share_some(rows):
        return []
    found = f"{len(runs)} runs, no two of which have a response to the same question"
    return [
        Fault(
            "config.yaml",
            0,
            found,
            "questions that runs share, a campaign for each run, or `compare_on: all`",
        )
    ]
