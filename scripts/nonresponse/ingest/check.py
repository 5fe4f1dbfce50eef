"""The check of a campaign: the faults that its readers found, and those that only all its files together show."""

from pathlib import Path

import polars as pl

from nonresponse import formats, groups, tasks
from nonresponse.faults import Fault, read_faults, shown
from nonresponse.formats import Read
from nonresponse.ingest.asked import check_asked, unknown_pairs, unknown_questions
from nonresponse.ingest.files import files_of, patterns
from nonresponse.ingest.graded_files import reader
from nonresponse.ingest.names import collisions, run_together, unknown
from nonresponse.ingest.raw_files import judgment_reader, run_reader
from nonresponse.ingest.reading import read_files
from nonresponse.ingest.row_checks import SHARED, disagreements
from nonresponse.tables import GRADED
from nonresponse.wording import plural


def checked(
    campaign: dict, folder: Path, fault_tables: list[str], shards: list[int]
) -> tuple[list[Fault], str, tuple[list[str], list[Path]]]:
    """All faults of a campaign; what there is, in words; its runs, and the tables that hold its other names.

    `campaign` has its task and files as in config.yaml; the tables of faults are named within its folder.
    """
    faults = [fault for name in fault_tables for fault in read_faults(folder / name)]
    if "counts" in campaign:
        runs = pl.read_parquet(folder / "table.parquet")["run"].to_list()
        there, named = f"{len(runs)} runs, as counts", []
    else:
        names = pl.concat([pl.read_parquet(folder / "runs" / f"{shard}.parquet") for shard in shards])
        runs = [*names["run"], *tasks.get(campaign["task"]).trivial]
        faults += collisions(names) + names_run_together(campaign, names, folder)
        if not faults:
            faults += unknown(
                campaign.get("names", {}), campaign.get("names_from"), sorted(set(names["original"].drop_nulls()))
            )
        there = f"{names['run'].n_unique()} runs, {names['responses'].sum()} responses"
        questions = folder / "questions.parquet"
        if "graded" in campaign:
            asked = responses = [folder / "graded" / f"{shard}.parquet" for shard in shards]
            named = [questions, *responses]
            faults += check_graded(campaign, responses, questions, names)
        else:
            asked, responses = [questions], [folder / "responses" / f"{shard}.parquet" for shard in shards]
            named = [questions, folder / "judgments.parquet"]
            faults += check_responses(campaign, responses, folder / "judgments.parquet", questions, names)
            faults = faults or check_judgments(campaign, folder)
        faults = faults or check_asked(campaign, pl.scan_parquet(responses), pl.read_parquet(questions), names)
    # A file with faults may hold the runs that seem to be missing.
    if not faults:
        faults = check_named_runs(campaign, sorted(set(runs)))
        for key, (written, least) in campaign.get("grouped", {}).items():
            faults += groups.faults(key, written, sorted(set(runs)), least)
    if "size" in campaign and not faults:
        number = pl.scan_parquet(asked).select(pl.col("question").n_unique()).collect().item()
        faults = check_size(campaign, number)
    return faults, there, (runs, named)


def names_run_together(campaign: dict, names: pl.DataFrame, folder: Path) -> list[Fault]:
    """Names made of several columns that two rows of any files have in common, but not their parts."""
    loose, files = names["loose"].to_list(), sorted(set(names["file"]))
    if "graded" in campaign:
        return run_together([(reader(campaign["graded"], campaign["task"]), files)], loose)
    runs, gold = campaign["runs"], campaign["judgments"]
    loose += pl.read_parquet(folder / "assessors.parquet")["loose"].to_list()
    return run_together([(run_reader(runs), files), (judgment_reader(gold), files_of(gold["files"]))], loose)


def runs_named_alike(names: pl.DataFrame) -> list[Fault]:
    """Two files with the same run; doubts.py warns of spellings that are nearly the same."""
    seen: dict[str, str] = {}
    faults = []
    for run, file, line in names.drop_nulls("run").sort("run", "file").select("run", "file", "line").rows():
        other = seen.setdefault(run, file)
        if other != file:
            found = f"the run {shown(run)}, named like one in {other}"
            faults.append(Fault(file, line, found, "a name of its own for each run"))
    return faults


def check_assessors(campaign: dict, assessors: list[str], file: str) -> list[Fault]:
    """The official assessor must be named where there are several, and must have judged."""
    official = campaign["judgments"].get("official")
    if not assessors:
        return []  # no judgment could be read; the faults of the files say why
    if vote := campaign["judgments"].get("vote"):
        return check_vote(vote, assessors, file)
    if official is None and len(assessors) > 1:
        found = f"judgments of {', '.join(assessors)}"
        return [Fault(file, 0, found, "a key `official` in config.yaml that names one of them")]
    if official is not None and official not in assessors:
        return [Fault(file, 0, f"no judgments of {shown(official)}", f"one of {', '.join(assessors)} as `official`")]
    return []


def check_vote(vote: dict, assessors: list[str], file: str) -> list[Fault]:
    """Where the assessors vote on what is official, there must be as many as it takes."""
    if vote["or_named"] and vote["name"] in assessors:
        return []
    names, found = (
        ", ".join(shown(name, 30) for name in assessors),
        f"judgments of {plural(len(assessors), 'assessor')}",
    )
    faults = []
    if len(assessors) != (vote["of"] or max(len(assessors), 2)):
        expected = f"{vote['of'] or 'two or more'} of them, who vote on what is official: {names}"
        faults.append(Fault(file, 0, found, expected))
    if vote["name"] in assessors:
        faults.append(Fault(file, 0, f"an assessor called {vote['name']}", "another name than that of the vote"))
    if vote["ties"] is not None and vote["ties"] not in assessors:
        faults.append(Fault(file, 0, f"no judgments of {shown(vote['ties'])}", f"one of {names} as `ties`"))
    return faults


def check_judgments(campaign: dict, folder: Path) -> list[Fault]:
    """Files that have no judgment yet are enough where answers are judged, and a table says what was asked."""
    gold, task = campaign["judgments"], tasks.get(campaign["task"])
    if pl.read_parquet(folder / "judgments.parquet").height:
        return []
    files = ", ".join(patterns(gold["files"]))
    if "official" in gold:
        return [Fault(files, 0, f"no judgments of {shown(gold['official'])}", "some, or no `official`")]
    if task.pairs or task.references or not pl.read_parquet(folder / "questions.parquet").height:
        expected = "some" if task.pairs or task.references else "some, or `questions:`, a table of what was asked"
        return [Fault(files, 0, "no judgments", expected)]
    return []


def check_judged(campaign: dict, judgments: pl.DataFrame, questions: pl.DataFrame, read: Read) -> list[Fault]:
    """Judgments of questions that a question file does not list, with their lines."""
    unknown = judgments.join(questions, on="question", how="anti")
    faults = []
    for file in files_of(campaign["judgments"]["files"]) if unknown.height else []:
        frame, _ = read(file)
        missed = frame.join(unknown.select("question").unique(), on="question").select("line", "question").rows()
        faults += [
            Fault(file, int(line), f"the question {shown(question)}", "a question of the question set")
            for line, question in missed
        ]
    return faults


def without_reference(files: str, judgments: pl.DataFrame, questions: pl.DataFrame) -> list[Fault]:
    """Hypotheses are compared with a reference: every assessor must have one for every question."""
    every = questions.select("question").join(judgments.select("assessor").unique(), how="cross")
    lacking = every.join(judgments, on=["assessor", "question"], how="anti").sort("assessor", "question")
    return [
        Fault(files, 0, f"no reference for question {shown(question)} by {shown(assessor)}", "one for each question")
        for question, assessor in lacking.select("question", "assessor").rows()
    ]


def check_responses(
    campaign: dict, responses: list[Path], judgments: Path, questions: Path, names: pl.DataFrame
) -> list[Fault]:
    """Runs and judgments: what can only be seen with all the files at hand."""
    judged, asked = pl.read_parquet(judgments), pl.read_parquet(questions)
    runs, gold = campaign["runs"], campaign["judgments"]
    rows = pl.scan_parquet(responses)
    read_runs, read_gold = run_reader(runs), judgment_reader(gold)
    task = tasks.get(campaign["task"])
    faults = runs_in_several(runs, rows, names, read_runs, task.pairs) + check_assessors(
        campaign, sorted(set(judged["assessor"].drop_nulls())), ", ".join(patterns(gold["files"]))
    )
    faults += check_judged(campaign, judged, asked, read_gold)
    if not asked.height:
        return faults  # without any question all would be unknown
    if task.pairs:
        return faults + unknown_pairs(rows, judged.select("question", "candidate").unique(), names, read_runs)
    faults += unknown_questions(rows, asked, names, read_runs)
    if task.references:
        faults += without_reference(", ".join(patterns(gold["files"])), judged, asked)
    if judged["document"].is_not_null().any() and rows.select(pl.col("document").is_null().all()).collect().item():
        found = "judgments that name documents, runs that name none"
        faults.append(Fault(", ".join(patterns(runs["files"])), 0, found, "documents in both or in neither"))
    return faults


def check_graded(campaign: dict, graded: list[Path], questions: Path, names: pl.DataFrame) -> list[Fault]:
    """Graded responses: runs named alike, contradictions, and questions that a question file does not list."""
    asked, spec = pl.read_parquet(questions), campaign["graded"]
    rows, read = pl.scan_parquet(graded), reader(spec, campaign["task"])
    faults = runs_in_several(spec, rows, names, read, tasks.get(campaign["task"]).pairs) + contradictions(
        rows, names, read
    )
    if asked.height:
        faults += unknown_questions(rows, asked, names, read)
    return faults


def runs_in_several(spec: dict, rows: pl.LazyFrame, names: pl.DataFrame, read: Read, pairs: bool) -> list[Fault]:
    """Runs that come in several files: a log, or a table that names its runs, may hold a part of a run's questions."""
    in_parts = spec["format"] in formats.LOGS or "run" in spec or "run" in spec.get("columns", {})
    return again_in_another(rows, names, read, pairs) if in_parts else runs_named_alike(names)


def again_in_another(rows: pl.LazyFrame, names: pl.DataFrame, read: Read, pairs: bool = False) -> list[Fault]:
    """Responses of a run to a question (or pair) in one file that another file has, too."""
    key = ["run", "question", "epoch"] + ["candidate"] * pairs
    names = names.filter(pl.col("file").n_unique().over("run") > 1)
    again = rows.join(names.lazy(), on="run", how="semi").select(key).filter(pl.len().over(key) > 1).unique().collect()
    if not again.height:
        return []
    of_runs = names.join(again, on="run", how="semi")
    both, _ = read_files(sorted(set(of_runs["file"])), read, GRADED, "run")
    both = both.with_columns(pl.col("candidate").fill_null("")) if pairs else both
    both = both.join(again, on=key, how="semi").sort("file", "line", maintain_order=True)
    places = both.with_columns(first=pl.col("file").cast(pl.String).first().over(key))
    later = places.filter(~pl.struct(key).is_first_distinct() & (pl.col("file").cast(pl.String) != pl.col("first")))
    return [
        Fault(
            str(file),
            line,
            f"a second response of {shown(run)} to question {shown(question)}",
            f"one only; the first is in {other}",
        )
        for file, line, run, question, other in later.select("file", "line", "run", "question", "first").rows()
    ]


def contradictions(rows: pl.LazyFrame, names: pl.DataFrame, read: Read) -> list[Fault]:
    """What must be the same for all runs but is not; only then are the files read again, for the lines."""
    faults = []
    for what, value, of in SHARED:
        said = rows.with_columns(said=value).drop_nulls("said").group_by(of).agg(pl.col("said").n_unique())
        torn = said.filter(pl.col("said") > 1).select(of).collect()
        if torn.height:
            frame, _ = read_files(sorted(set(names["file"])), read, GRADED, "run")
            frame = frame.with_columns(pl.col("candidate").fill_null(""))
            faults += disagreements(frame.join(torn, on=of, how="semi"), what, value, of)
    return faults


def check_named_runs(campaign: dict, runs: list[str]) -> list[Fault]:
    """The runs that config.yaml names must be there."""
    known = ", ".join(shown(run, 30) for run in runs[:20])
    return [
        Fault("config.yaml", 0, f"the {key} {shown(campaign[key])}", f"a run of the campaign: {known}")
        for key in ("baseline", "reject_all", "accept_all")
        if key in campaign and campaign[key] not in runs
    ]


def check_size(campaign: dict, questions: int) -> list[Fault]:
    """Two disjoint subsets of the size that config.yaml asks for must fit into the questions."""
    size, half = campaign.get("size"), questions // 2
    if size is None or size <= half:
        return []
    found = f"a reliability.size of {size}"
    return [Fault("config.yaml", 0, found, f"{half} or less: two disjoint subsets of {questions} questions")]
