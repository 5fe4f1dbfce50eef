"""Score one run against the truth of a shared task, as platforms for shared tasks ask for it.

Writes scores.json (Codabench), evaluation.prototext (TIRA) and detailed_results.html.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from nonresponse.atomic import write_text
from nonresponse.front import RefusedError
from nonresponse.front.campaign import CampaignBlock
from nonresponse.front.responses import Responses, judge_files
from nonresponse.legible import html, short
from nonresponse.report import document
from nonresponse.report.model import Section, tabulate_texts
from nonresponse.scoring import score as scoring
from nonresponse.tasks import VERDICTS
from nonresponse.wording import number, plural

FILES = ("scores.json", "evaluation.prototext", "detailed_results.html")
# Keys of a campaign that need further runs, or have results of their own
UNUSED_KEYS = ("baseline", "gates", "scenarios", "systems")


@dataclass(frozen=True)
class Preset:
    """A shared task, and its measures by the names of its own evaluator.

    mean: the name under which the evaluator gives the mean of all other measures, to which an
    undefined one adds 0.
    """

    title: str
    measures: Mapping[str, str]
    mean: str = ""

    @property
    def block(self) -> dict[str, Any]:
        """The block of a campaign, without its files."""
        pan = {"format": "pan"}
        ids = [*self.measures.values()]
        mean = [f"mean({','.join(ids)})"] if self.mean else []
        return {"task": "validation", "runs": pan, "judgments": pan, "measures": mean + ids}


PRODUCT = {"product": "product(auc,c@1)", "auc": "auc", "c@1": "c@1"}
VERIFICATION = {"auc": "auc", "c@1": "c@1", "f_05_u": "fu@0.5", "F1": "f@1"}
# An unanswered pair is rejected in F1
DETECTION = {"roc-auc": "auc", "brier": "brier", "c@1": "c@1", "f1": "f_2024@1", "f05u": "fu@0.5"}
PRESETS = {
    f"pan{year - 2000}": Preset(f"PAN {year}, {task} verification", measures, mean)
    for years, task, measures, mean in (
        ((2014, 2015), "authorship", PRODUCT, ""),
        ((2020,), "authorship", VERIFICATION | {"f_05_u": "fu_2020@0.5"}, "overall"),
        ((2021, 2022, 2023), "authorship", VERIFICATION | {"brier": "brier"}, "overall"),
        ((2024, 2025, 2026), "generative AI authorship", DETECTION, "mean"),
    )
    for year in years
}


@dataclass(frozen=True)
class RunScores:
    """The scores of a run: by name, null where undefined; and the number of questions or pairs by
    verdict."""

    title: str
    run: str
    measures: Mapping[str, str]  # the id of each measure by its name
    scores: Mapping[str, float | None]
    verdicts: Mapping[str, int]
    unit: str = "question"

    @property
    def defined_scores(self) -> dict[str, float]:
        """The scores that are defined."""
        return {name: value for name, value in self.scores.items() if value is not None}

    @property
    def sections(self) -> list[Section]:
        """The scores and the verdicts as tables."""
        rows = [
            [name, number(value, 4), self.measures[name]] for name, value in self.scores.items()
        ]
        undefined = [name for name, value in self.scores.items() if value is None]
        notes = []
        if undefined:
            notes = [f"Undefined, and in no file for a platform: {', '.join(undefined)}."]
        header = ["score", "value", "measure"]
        scores = tabulate_texts(header, rows, notes=notes, text_columns=(0, 2))
        rows = [[name, f"{count:,}"] for name, count in self.verdicts.items()]
        verdicts = tabulate_texts(["verdict", f"{self.unit}s"], rows)
        sentence = f"{short(self.run)}: {plural(sum(self.verdicts.values()), self.unit)}."
        return [Section(self.title, [sentence], tables=[scores, verdicts])]

    def write(self, folder: Path) -> None:
        """Write FILES into a folder, which is made if need be."""
        texts = (json.dumps(self.defined_scores, indent=1) + "\n", self.prototext, self.page)
        for name, text in zip(FILES, texts, strict=True):
            write_text(text, folder / name)

    @property
    def prototext(self) -> str:
        """The scores as TIRA reads them."""
        return "".join(
            f"measure{{\n  key: {json.dumps(name)}\n  value: {json.dumps(str(value))}\n}}\n"
            for name, value in self.defined_scores.items()
        )

    @property
    def page(self) -> str:
        """The scores as a page, without scripts, in which nothing from a file is markup."""
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        style = "body{font-family:sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:right}"
        head = (
            f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
            f"<title>{html(self.title)}</title><style>{style}</style>"
        )
        body = f"<body>\n{document.render_html(self.sections)}\n</body>"
        return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n{body}</html>\n'


def score_run(run: Path, truth: Path, preset: Preset, block: Mapping[str, Any]) -> RunScores:
    """Score a run against the truth of a task by the block of a campaign, whose files are replaced
    by these."""
    if "runs" not in block or "judgments" not in block:
        raise RefusedError(
            f"{preset.title} has no runs and judgments apart: score one run of such a campaign "
            "with evaluate"
        )
    has_assessors = "official" in block["judgments"]
    for path in find_files(run):
        if run.is_dir() and not Path(path).resolve().is_relative_to(run.resolve()):
            raise RefusedError(f"{path}: a link that leads out of {run}")
    files = {"runs": find_files(run), "judgments": find_files(truth, has_assessors)}
    parts = {part: {**block[part], "files": paths} for part, paths in files.items()}
    options = {key: value for key, value in block.items() if key not in UNUSED_KEYS} | parts
    with TemporaryDirectory() as folder:
        return score_responses(judge_files(CampaignBlock("score", options), Path(folder)), preset)


def score_responses(responses: Responses, preset: Preset) -> RunScores:
    """Return the scores of the only run of a campaign under the official assessor."""
    campaign, store = responses.campaign, responses.store
    runs = [run for run in store.runs if run not in campaign.task_record.trivial]
    if len(runs) != 1:
        raise RefusedError(
            f"There are {plural(len(runs), 'run')}, {', '.join(map(short, runs[:5]))}: submit one"
        )
    names = preset.measures or {id: id for id in campaign.measures}
    ids = {name: campaign.measure(id).id for name, id in names.items()}
    is_run = (pl.col("run") == runs[0]) & (pl.col("assessor") == store.official(campaign.official))
    tables = scoring.score_store(store, [*map(campaign.measure, ids.values())], campaign.policy)
    scores = {name: tables[id].filter(is_run)["value"].item() for name, id in ids.items()}
    if preset.mean:
        scores = {preset.mean: sum(value or 0.0 for value in scores.values()) / len(ids)} | scores
        names = {preset.mean: f"mean({','.join(names.values())})", **names}
    counts = store.scan().filter(is_run, "compared").group_by("verdict").len().collect()
    numbers = dict(counts.iter_rows())
    verdicts = {word: numbers[word] for word in VERDICTS if word in numbers}
    unit = campaign.task_record.unit
    return RunScores(preset.title, runs[0], names, scores, verdicts, unit)


def find_files(path: Path, are_several: bool = False) -> list[str]:
    """Return a file, or the only one in a folder. RefusedError where there is none, or there are
    several, unless these are expected."""
    if path.is_file():
        return [str(path)]
    if not path.exists():
        raise RefusedError(f"{path}: no such file or folder in {Path.cwd()}")
    candidates = path.rglob("*") if path.is_dir() else ()
    files = sorted(
        file
        for file in candidates
        if file.is_file() and file.name[0] != "." and "__MACOSX" not in file.parts
    )
    if len(files) != 1 and not (files and are_several):
        names = ", ".join(str(file.relative_to(path)) for file in files[:5])
        number = plural(len(files), "file") + (f" ({names})" if names else "")
        raise RefusedError(f"{path} has {number}: name the one to read")
    return [*map(str, files)]
