"""Runs the jobs of one campaign up to its leaderboard in this process, with the parameters of workflow/rules.

The results are laid out as below results/, in another folder. What a leaderboard does not need is left out: pages,
scenarios, and analyses other than the comparison of runs.
"""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import replace
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import Any

from nonresponse import checksums, judging
from nonresponse.dag import facts, files, trials
from nonresponse.dag.campaigns import Campaign
from nonresponse.dag.topics import Together, rules
from nonresponse.front import Refused
from nonresponse.home import HOME
from nonresponse.ingest.files import unread
from nonresponse.judging.store import VERDICTS_FILE

COMPARISON = "comparison"


@cache
def command(name: str) -> dict[str, Any]:
    """The functions of a command in scripts/."""
    return run_path(str(HOME / "scripts" / name))


def as_told(value: Any) -> Any:
    """A parameter as a job gets it: converted to JSON and back."""
    return json.loads(facts.as_json(value))


@contextmanager
def refusing() -> Iterator[None]:
    """Turns the end of a command (SystemExit) into Refused, with what the command wrote as the reason."""
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            yield
    except SystemExit as error:
        reason = said.getvalue() or (error.code if isinstance(error.code, str) else "")
        raise Refused(reason.strip()) from None


class Engine:
    """A campaign, with a folder of its own for what its jobs write."""

    def __init__(self, campaign: Campaign, results: Path):
        self.campaign = replace(campaign, results=str(results))
        self.folder = Path(self.campaign.folder)
        self.task = campaign.task.id

    def ingest(self) -> None:
        """Writes the tables that verdicts are made of. Refused with all faults of the files."""
        it, place = self.campaign, self.folder
        known = checksums.by_path(checksums.states(files.raw(it), {}))
        ingest = command("ingest.py")
        folder, others, _ = files.SHARDED[it.source]
        with refusing():
            for shard in it.shards:
                name = f"runs-{shard}"
                paths = [*files.of_shard(it, shard), *unread(it.sharded[shard])]
                folders = {"output": folder, "names": "runs", "ruled": "ruled", **{name: name for name in others}}
                ingest["runs"](
                    files=it.raw["files"],
                    shard=shard,
                    shards=it.number_of_shards,
                    options=as_told(facts.how_to_read_runs(it)),
                    task=self.task,
                    **{option: place / name / f"{shard}.parquet" for option, name in folders.items()},
                    **self.notes(name, paths, known),
                )
            questions = as_told(facts.facts_of(it, "questions").get("questions"))
            if it.source == "graded":
                noted = self.notes("questions", it.question_files, known)
                ingest["questions"](options=questions, output=place / "questions.parquet", **noted)
            else:
                ingest["judgments"](
                    files=it.judgments["files"],
                    options=as_told(facts.how_to_read_judgments(it)),
                    labels=as_told(it.known_labels),
                    task=self.task,
                    output=place / "judgments.parquet",
                    questions=place / "questions.parquet",
                    names=place / "assessors.parquet",
                    questions_options=questions,
                    **self.notes("judgments", files.of_judgments(it), known),
                )
            command("check.py")["main"](
                campaign=it.name,
                options=as_told(facts.facts_of(it, *facts.CHECKED)),
                folder=place,
                faults=files.faults(it),
                shards=as_told(it.shards),
                accounts=files.read_accounts(it),
                report=place / "faults.txt",
                output=place / "check.txt",
                data=place / "check.json",
            )

    def notes(self, name: str, paths: list[str], known: dict[str, str | None]) -> dict[str, Any]:
        """Parameters of a job that reads raw files: their checksum, and where to note faults and what was read."""
        return {
            "contents": checksums.checksum_of(paths, known),
            "faults": self.folder / f"faults/{name}.tsv",
            "read": self.folder / f"read/{name}.sha256",
        }

    def judge(self) -> Path:
        """Writes the verdicts with and without the campaign's rules; returns the file of those with."""
        for it in self.evaluations:
            tables = judging.source_tables(self.folder, it.shards, it.source == "graded")
            judging.judge(self.task, tables, Path(it.folder, VERDICTS_FILE), **as_told(facts.judging(it)))
        return self.folder / VERDICTS_FILE

    @property
    def evaluations(self) -> list[Campaign]:
        """The campaign, and the same without its rules if it has any."""
        return [self.campaign, *([self.campaign.without_rules] if self.campaign.ruled else [])]

    def tally(self) -> None:
        """Writes the counts, and which measures are tested, of the verdicts that are there."""
        for it in reversed(self.evaluations):
            place = Path(it.folder)
            if not (place / VERDICTS_FILE).exists():  # two runs are compared with the campaign's rules only
                continue
            command("tally.py")["verdicts"](
                file=place / VERDICTS_FILE,
                task=self.task,
                policy=as_told(it.policy),
                output=place / "counts.parquet",
                categories=place / "counts_by_category.parquet",
                bounds=place / "counts_by_variant.parquet",
                official=as_told(it.official),
                measures=as_told(it.with_outcomes),
                tested=place / "tested.json",
            )

    def score(self) -> None:
        """Writes the scores by each measure."""
        it = self.campaign
        told = {"task": self.task, "folder": self.folder}
        score = command("score.py")
        if counted := it.of_kind(counts=True):
            score["counts"](measures=as_told(counted), bounds=[Path(path) for path in files.bounds(it)], **told)
        if others := it.of_kind(counts=False):
            score["verdicts"](
                measures=as_told(others),
                verdicts=self.folder / VERDICTS_FILE,
                policy=as_told(it.policy),
                without_rules=Path(it.without_rules.folder, VERDICTS_FILE) if it.ruled else None,
                **told,
            )

    def compare(self) -> None:
        """Writes the tables of the comparison of runs, by each measure that is tested."""
        it, only = self.campaign, (COMPARISON,)
        for id in it.tested:
            with refusing():
                command("reliability.py")["main"](
                    analyses=[*only],
                    campaign=it.name,
                    task=self.task,
                    measure=id,
                    file=self.folder / VERDICTS_FILE,
                    clusters=[Path(path) for path in files.clusters(it)],
                    settings=json.loads(trials.settings(it, only)),
                    tables=[self.folder / f"reliability/{folder}/{id}.parquet" for folder in trials.folders(only)],
                )

    def topics(self, *ids: str) -> None:
        """Writes the results of these topics; a topic that reads another's results needs a later call."""
        for together in rules([self.campaign]):
            made = Together(together.rule, [it for it in together.topics if it.id in ids], [self.campaign.name])
            if not made.topics:
                continue
            with refusing():
                command("topic.py")["main"](
                    topics=[it.module for it in made.topics],
                    campaign=self.campaign.name,
                    task=self.task,
                    folder=self.folder,
                    told=json.loads(made.told(self.campaign)),
                    files=[Path(path) for path in made.files(self.campaign)],
                )
