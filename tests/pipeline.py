"""A small campaign through the project's stages, from files to scores."""

from functools import cached_property, partial
from pathlib import Path

import polars as pl
from nonresponse import judging, measures, tables, tasks
from nonresponse.ingest import reading, refusals
from nonresponse.judging.store import make_store, write_verdicts
from nonresponse.scoring import score, tally
from nonresponse.statistics.analyses import Inputs, make_tables
from nonresponse.statistics.outcomes import Outcomes, read_outcomes, select_samples
from reading import write_rows

# How tests write what somebody says of a response
LETTERS = {"C": "correct", "R": "correct", "W": "wrong", "N": "unanswered", "E": "error"}
LETTERS |= {"P": "partial", ".": "unscored"}


def select_outcomes(
    verdicts: Path, measure: measures.Measure, policy: dict, assessor: str, excluded=()
) -> Outcomes:
    """The outcomes for one measure, of all but some runs."""
    return select_samples(verdicts, assessor, excluded).outcomes(measure, policy)


def write_files(folder: Path, files: dict[str, list[dict]]) -> list[str]:
    return [write_rows(folder / f"{stem}.tsv", rows) for stem, rows in files.items()]


class Campaign:
    """One campaign in a folder: verdicts, counts and scores as the workflow makes them."""

    def __init__(self, folder, task: str = "qa", policy: dict | None = None, shards: int = 1):
        self.folder = folder
        self.task = task
        self.policy = tasks.POLICIES | (policy or {})
        self.shards = shards
        self.verdicts = folder / "verdicts.npz"

    def evaluate_runs(
        self,
        runs: dict,
        judgments: dict,
        questions: list | None = None,
        options: dict | None = None,
        **rules,
    ):
        """Door one: responses by run, judgments by assessor, and their rules."""
        options, record = options or {}, tasks.get(self.task)
        rules = {"closed": record.references} | rules  # reference answers are an answer key
        base_options = {"format": "tabular"}
        ingest = partial(reading.read_responses, options=base_options | options, task=self.task)
        parts, faults = self.ingest("responses", runs, ingest)
        files, base_options = (
            write_files(self.folder / "judgments", judgments),
            base_options | {"closed": rules["closed"]},
        )
        base_options |= {"nil": options.get("nil", [])}
        gold, more_faults = reading.read_judgments(
            files, base_options, record.list_labels("tabular"), self.task
        )
        assert not faults + more_faults, faults + more_faults
        tables.write(gold, self.folder / "judgments.parquet")
        self.write_questions(
            questions or [{"question": name} for name in gold["question"].unique()]
        )
        sources = {name: [self.folder / f"{name}.parquet"] for name in ("judgments", "questions")}
        return self.judge(sources, "responses", parts, rules)

    def evaluate_graded(
        self, files: dict, questions: list | None = None, options: dict | None = None, **rules
    ):
        """Door two: graded responses by file, and the rules of the vote, if any."""
        options = {"format": "tabular"} | (options or {})
        parts, faults = self.ingest(
            "graded", files, partial(reading.read_graded, options=options, task=self.task)
        )
        assert not faults, faults
        self.write_questions(questions or [])
        sources = {"questions": [self.folder / "questions.parquet"]}
        return self.judge(sources, "graded_responses", parts, rules)

    def judge(self, sources: dict, table: str, parts: list[Path], rules: dict):
        """The verdicts, of all shards."""
        self.sources, self.rules = sources | {table: parts}, rules
        judging.judge(self.task, self.sources, self.verdicts, **rules)
        return self.reset_counts()

    def ingest(self, table: str, rows: dict, ingest_files) -> tuple[list, list]:
        """The Parquet files of the shards that hold any of the files, and the faults."""
        files, parts, faults = write_files(self.folder / table, rows), [], []
        for shard in range(min(self.shards, len(files))):
            frame, *_, file_faults = ingest_files(files[shard :: self.shards])
            parts.append(self.folder / table / f"{shard}.parquet")
            faults += file_faults
            columns = tables.RESPONSES if table == "responses" else tables.GRADED
            tables.write(frame.select(*columns), parts[-1])
            tables.write(refusals.list_ruled(frame), self.folder / "ruled" / f"{shard}.parquet")
        return parts, faults

    def write_questions(self, questions: list) -> None:
        frame = tables.complete(
            pl.DataFrame(questions, schema=None if questions else tables.QUESTIONS),
            tables.QUESTIONS,
        )
        tables.write(frame.sort("question"), self.folder / "questions.parquet")

    def reset_counts(self):
        """Forget the counts; they are made when asked for, as many tests need verdicts alone."""
        for name in ("files", "counts", "rows"):
            self.__dict__.pop(name, None)
        return self

    @cached_property
    def files(self) -> list[Path]:
        frames = tally.tally(self.verdicts, self.policy)
        files = [self.folder / f"{name}.parquet" for name in ("counts", "by_category", "bounds")]
        for frame, path in zip(frames, files, strict=True):
            tables.write(frame, path)
        return files

    @cached_property
    def counts(self) -> pl.DataFrame:
        return pl.read_parquet(self.files[0])

    def apply_policy(self, **policy):
        """The same verdicts, counted by another policy."""
        self.policy = tasks.POLICIES | policy
        return self.reset_counts()

    def count(self, run: str, *names: str, assessor: str | None = None):
        """Counts of one run: a number, or a tuple of several."""
        rows = self.counts.filter(pl.col("run") == run)
        if assessor:
            rows = rows.filter(pl.col("assessor") == assessor)
        values = rows.select(names).row(0)
        assert rows.height == 1
        return values if len(names) > 1 else values[0]

    def score_with_bounds(self, id: str) -> tuple[pl.DataFrame, pl.DataFrame]:
        """assessor, run, value, worst, best of one measure; and assessor, run, category, value."""
        measure = measures.get(self.task, id)
        if measure.kind == "counts":
            return score.score_counts(measure, *self.files)
        return score.score_verdicts(measure, self.verdicts, self.policy)

    def scores(self, id: str) -> pl.DataFrame:
        return self.score_with_bounds(id)[0]

    def inputs(self, *ids: str) -> Inputs:
        """What analyses read: counts, verdicts and the scores by some measures, written to files."""
        paths = [self.folder / f"scores/{id}.parquet" for id in ids]
        for id, path in zip(ids, paths, strict=True):
            tables.write(self.scores(id), path)
        return Inputs(self.files[0], [self.verdicts], paths)

    def compare(self, *ids: str, **settings) -> None:
        """Write the scores and the comparison of the runs by each measure, as the workflow does."""
        self.inputs(*ids)
        names = ("intervals", "comparisons", "abstention")
        for id in ids:
            analysis = make_tables("comparison", *self.outcomes(id), "t", settings)
            for table, name in zip(analysis, names, strict=True):
                path = self.folder / f"reliability/by_measure/{id}/{name}.parquet"
                tables.write(table, path)

    def outcomes(self, id: str):
        """The outcomes by a measure, and their assessor."""
        return read_outcomes(self.verdicts, self.task, id, self.policy, None, {})

    def rejudge(self, rows: pl.DataFrame):
        """The campaign with these verdicts."""
        write_verdicts(self.verdicts, make_store(rows, self.task))
        return self.reset_counts()

    @cached_property
    def rows(self) -> list[pl.LazyFrame]:
        return score.open_verdicts(self.verdicts)

    def values(self, id: str, per_category: bool = False, **policy) -> pl.DataFrame:
        """The scores alone, sorted: for measures of an order or of sums, bounds would take twelve
        times as long.

        These two kinds can also be scored under another policy.
        """
        measure = measures.get(self.task, id)
        if measure.kind == "counts":
            frame = score.evaluate_counts(measure, pl.read_parquet(self.files[per_category]))
        else:
            frame = score.evaluate_verdicts(measure, self.rows, self.policy | policy, per_category)
        return frame.sort(pl.exclude("value"))

    def score(self, id: str, run: str, assessor: str | None = None):
        rows = self.values(id).filter(pl.col("run") == run)
        if assessor:
            rows = rows.filter(pl.col("assessor") == assessor)
        return rows["value"].item()


def make_graded(
    folder, runs: dict[str, dict[str, str]], official: str, questions: list | None = None, **columns
) -> Campaign:
    """Return a campaign from a row of letters per run and assessor, as {"r": {"human": "CWN"}}.

    `columns` are others, with a value for each response: they are the same for all runs.
    """
    names = {name: name for assessors in runs.values() for name in assessors}
    rows = {run: spell(**assessors, **columns) for run, assessors in runs.items()}
    options = {"assessors": names, "official": official}
    options["columns"] = {name: name for name in columns}
    return Campaign(folder).evaluate_graded(rows, questions, options)


def spell(**columns) -> list[dict]:
    """Return rows of graded responses to q000, q001 and so on; a verdict may be a letter."""
    return [
        {"question": f"q{number:03}"}
        | {name: LETTERS.get(value, value) for name, value in zip(columns, values, strict=True)}
        for number, values in enumerate(zip(*columns.values(), strict=True))
    ]
