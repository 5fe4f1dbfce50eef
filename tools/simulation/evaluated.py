"""A shipped campaign drawn from any seed, and evaluated in this process as the workflow does."""

from pathlib import Path

import polars as pl
import yaml
from nonresponse import campaign as config
from nonresponse import judging, measures, tables
from nonresponse.ingest import reading
from nonresponse.ingest.files import find_files
from nonresponse.scoring import score, tally
from nonresponse.statistics import analyses, outcomes

from simulation import shipped

HOME = Path(__file__).resolve().parents[2]
COUNTS = ("counts", "categories", "bounds")


# More than by default: what is claimed of 100 campaigns shall not depend on the draw
SWAP_TRIALS = 10_000


class Campaign:
    """Its files, configuration, verdicts and counts; the seed is also that of the analyses."""

    def __init__(self, name: str, seed: int, folder: Path):
        shipped.write_files(shipped.campaigns(seed)[name], folder)
        self.name, self.folder, self.verdicts = name, folder, folder / "verdicts.npz"
        self.known = configured(name, seed, folder)
        self.task, self.policy = self.known["task"], config.select_policy(self.known)
        parts = self.known | self.known["judgments"] | self.known["reliability"]
        self.settings = parts | {"policy": self.policy, "swap_trials": SWAP_TRIALS}
        self.judge()

    def judge(self) -> None:
        """Reads the files, and writes verdicts and counts."""
        runs, gold = self.known["runs"], self.known["judgments"]
        responses, _, faults = reading.read_responses(find_files(runs["files"]), runs, self.task)
        labels = config.list_labels(self.known)
        judgments, judgment_faults = reading.read_judgments(
            find_files(gold["files"]), gold, labels, self.task
        )
        questions, question_faults = reading.read_questions(self.known["questions"])
        assert not faults + judgment_faults + question_faults, (
            faults + judgment_faults + question_faults
        )
        tables.write(responses.select(*tables.RESPONSES), self.folder / "responses/0.parquet")
        tables.write(judgments, self.folder / "judgments.parquet")
        tables.write(questions, self.folder / "questions.parquet")
        rules = {key: gold[key] for key in ("correct", "partial", "closed") if key in gold}
        names = ("responses/0", "judgments", "questions")
        sources = {name.partition("/")[0]: [self.folder / f"{name}.parquet"] for name in names}
        judging.judge(self.task, sources, self.verdicts, **rules)
        for frame, path in zip(tally.tally(self.verdicts, self.policy), self.counts, strict=True):
            tables.write(frame, path)

    @property
    def counts(self) -> list[Path]:
        """The tables of counts, by run first."""
        return [self.folder / f"{name}.parquet" for name in COUNTS]

    def trials(self, analysis: str, measure: str) -> list[pl.DataFrame]:
        """The tables of an analysis of one measure."""
        official = self.settings.get("official")
        run_outcomes, assessor = outcomes.read_outcomes(
            self.verdicts, self.task, measure, self.policy, official, {}
        )
        return analyses.make_tables(analysis, run_outcomes, assessor, self.name, self.settings)

    def summary(
        self, analysis: str, files: analyses.Inputs, **settings: object
    ) -> list[pl.DataFrame]:
        """The tables that an analysis makes of the whole campaign."""
        return analyses.load_module(analysis).summarise(files, self.task, self.settings | settings)

    def scores(self, id: str) -> Path:
        """The file of the scores by a measure."""
        measure, path = measures.get(self.task, id), self.folder / f"scores/{id}.parquet"
        reads_counts = measure.kind == "counts"
        scored, _ = (
            score.score_counts(measure, *self.counts)
            if reads_counts
            else score.score_verdicts(measure, self.verdicts, self.policy)
        )
        tables.write(scored, path)
        return path


def configured(name: str, seed: int, folder: Path) -> dict:
    """Return the campaign of config.yaml with all defaults, this seed, and this folder's files."""
    settings = yaml.safe_load((HOME / "config.yaml").read_text(encoding="utf-8"))
    campaign = settings["campaigns"][name]
    for part in ("runs", "judgments"):
        campaign[part]["files"] = str(
            folder / Path(campaign[part]["files"]).relative_to(f"resources/{name}")
        )
    campaign["questions"] = str(
        folder / Path(campaign["questions"]).relative_to(f"resources/{name}")
    )
    settings |= {"campaigns": {name: campaign}, "seed": seed}
    return config.check_config(settings)["campaigns"][name]
