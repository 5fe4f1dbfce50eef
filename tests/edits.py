"""Random edits to a working folder with a campaign of each kind;
tests/workflow/test_random_edits.py runs Snakemake.

An edit is drawn by a seed, its step and the campaign, so that it is the same whatever else is
edited. It leaves the input valid, except for a fault, which the campaign's next edit mends.
"""

import copy
import json
import os
import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml
from conftest import Project
from edited_campaigns import (
    LENIENT,
    MEASURES,
    RUNS,
    TEXTS,
    configuration,
    draw,
    files,
    kind_of,
    write_judgments,
    write_pairs,
    write_questions,
)

QUICK = {"trials": 2, "samples": 100}
KINDS = tuple(RUNS)
ANALYSES = [
    ["stability"],
    ["swap", "rankings"],
    ["comparison"],
    ["agreement", "comparison"],
    ["sample_size"],
    [],
]
OLD = 10**9  # seconds: a time of change in 2001
POLICIES = ("unscored", "error", "partial")
JUDGED_KINDS = ("judged", "assessors")
# With a file of each run
RUN_KINDS = ("judged", "assessors", "graded", "epochs", "validation", "inspect")


@dataclass
class State:
    """The configuration of a campaign, and its raw files."""

    configuration: dict
    files: dict[Path, bytes]


class Edited(Project):
    """A project with a campaign of each kind, and what its configuration shall be."""

    def __init__(self, folder: Path, names: Iterable[str] = KINDS):
        super().__init__(folder)
        self.campaigns = {name: configuration(name) for name in names}
        self.seed = 1
        self.damaged: set[str] = set()  # results that an edit has damaged, by path below results/
        # By campaign: the file that is faulty, and its text before
        self.mended: dict[str, tuple[Path, str]] = {}
        # What an edit may go back to
        self.former: dict[str, list[State]] = {name: [] for name in self.campaigns}

    def write_all(self) -> None:
        """Write the files as they are before any edit."""
        for name in self.campaigns:
            for path, text in files(name).items():
                self.write(path, text)
        self.write_config()

    def write_config(self) -> None:
        """Write config.yaml."""
        self.write("config.yaml", self.configuration(self.campaigns))

    def configuration(self, names: Iterable[str]) -> str:
        """Return the text of config.yaml with these campaigns alone."""
        trust = QUICK | {"analyses": ["comparison"]}
        config = {
            "campaigns": {name: self.campaigns[name] for name in names},
            "reliability": trust,
            "seed": self.seed,
        }
        return yaml.safe_dump(config, sort_keys=False)

    def raw(self, name: str) -> list[Path]:
        """Return the raw files of a campaign, sorted."""
        return sorted(path for path in (self.folder / name).rglob("*") if path.is_file())

    def runs(self, name: str) -> list[Path]:
        return sorted((self.folder / name / "runs").iterdir())

    def edit(self, name: str, rng: random.Random) -> str:
        """Edit a campaign at random, or mend its fault; return what was done."""
        if name in self.mended:
            path, text = self.mended.pop(name)
            path.write_text(text)
            return f"{name}: mended {path.name}"
        state = State(
            copy.deepcopy(self.campaigns[name]),
            {path: path.read_bytes() for path in self.raw(name)},
        )
        while True:
            change = rng.choice(
                rng.choices([EDITS, DAMAGE, [go_back], [make_fault]], [20, 12, 10, 1])[0]
            )
            try:
                description = f"{name}: {change.__name__} {change(self, name, rng)}"
            except IndexError:  # there is nothing that it could edit
                continue
            if change in EDITS:
                self.former[name].append(state)
            return description


# The edits. Each returns what it changed, and raises IndexError if the campaign has nothing of the
# kind.
Edit = Callable[[Edited, str, random.Random], object]


def need(true: object) -> None:
    if not true:
        raise IndexError


def draw_run(study: Edited, name: str, rng: random.Random) -> str:
    """Return the text of a run; of logs, one of a model that has no log yet."""
    texts = [draw(RUNS[kind_of(name)][0], number) for number in range(TEXTS)]
    if kind_of(name) == "inspect":
        models = {json.loads(path.read_text())["eval"]["model"] for path in study.runs(name)}
        texts = [text for text in texts if json.loads(text)["eval"]["model"] not in models]
    return rng.choice(texts)


def read_lines(path: Path) -> list[str]:
    return path.read_text().splitlines(keepends=True)


def draw_judgment_file(study: Edited, name: str, rng: random.Random) -> tuple[Path, list[str]]:
    need(kind_of(name) in JUDGED_KINDS)
    path = rng.choice(sorted((study.folder / name / "judgments").iterdir()))
    return path, read_lines(path)


def turn_judgment(study: Edited, name: str, rng: random.Random) -> object:
    """Often to a label that changes no verdict."""
    path, lines = draw_judgment_file(study, name, rng)
    row = rng.randrange(1, len(lines))
    lines[row] = lines[row][:-2] + rng.choice("RWUX") + "\n"
    path.write_text("".join(lines))
    return path.name, lines[row].strip()


def add_judgment(study: Edited, name: str, rng: random.Random) -> object:
    """Half of the time, of an answer that no run gave."""
    path, lines = draw_judgment_file(study, name, rng)
    answers = [
        f"q{number}\t{word}\t" for number in range(1, 7) for word in ("Paris", "Rome", "Oslo")
    ]
    unmatched = [f"q{number}\tAtlantis\t" for number in range(1, 7)]
    keys = {line[: line.rindex("\t") + 1] for line in lines}
    line = (
        rng.choice([key for key in rng.choice([answers, unmatched]) if key not in keys])
        + rng.choice("RW")
        + "\n"
    )
    path.write_text("".join([*lines, line]))
    return path.name, line.strip()


def remove_judgment(study: Edited, name: str, rng: random.Random) -> object:
    path, lines = draw_judgment_file(study, name, rng)
    line = lines.pop(rng.randrange(1, len(lines)))
    path.write_text("".join(lines))
    return path.name, line.strip()


def change_assessor(study: Edited, name: str, rng: random.Random) -> object:
    """The second assessor comes or goes."""
    need(kind_of(name) in JUDGED_KINDS)
    path = study.folder / name / "judgments/other.tsv"
    path.unlink() if path.exists() else path.write_text(draw(write_judgments, rng.randrange(1, 5)))
    return path.exists()


def change_gold(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) == "validation")
    return study.write(f"{name}/judgments/final.tsv", draw(write_pairs, rng.randrange(5))).name


def change_questions(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) in JUDGED_KINDS)
    return study.write(f"{name}/questions.tsv", draw(write_questions, rng.randrange(5))).name


def add_run(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) in RUN_KINDS)
    path, text = study.runs(name)[0].with_stem(f"n{rng.randrange(3)}"), draw_run(study, name, rng)
    path.write_text(text)
    return path.name


def remove_run(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) in RUN_KINDS and len(study.runs(name)) > 1)
    path = rng.choice(study.runs(name))
    path.unlink()
    return path.name


def rename_run(study: Edited, name: str, rng: random.Random) -> object:
    """Its file keeps its time, as with mv; another run of that name is replaced."""
    need(kind_of(name) in RUN_KINDS)
    path = rng.choice(study.runs(name))
    return path.name, path.replace(path.with_stem(f"m{rng.randrange(3)}")).name


def swap_runs(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) in RUN_KINDS and len(study.runs(name)) > 1)
    first, second = rng.sample(study.runs(name), 2)
    aside = study.folder / "aside"
    first.rename(aside), second.rename(first), aside.rename(second)
    return first.name, second.name


def correct_run(study: Edited, name: str, rng: random.Random) -> object:
    path, text = rng.choice(study.runs(name)), draw_run(study, name, rng)
    path.write_text(text)
    return path.name


def move_older_run(study: Edited, name: str, rng: random.Random) -> object:
    """Replace a run by a file that is older than any result, as with mv."""
    path, older = rng.choice(study.runs(name)), study.folder / "older"
    older.write_text(draw_run(study, name, rng))
    os.utime(older, (OLD, OLD))
    older.replace(path)
    return path.name


def replace_unseen(study: Edited, name: str, rng: random.Random) -> object:
    """Change some characters of a run's file, which keeps its size and time."""
    path = rng.choice(study.runs(name))
    text, status = path.read_text(), path.stat()
    swaps = {"Rome": "Oslo", ",A\n": ",B\n", ",C\n": ",A\n", '"C"': '"I"', "0.9": "0.8", ",9": ",8"}
    old, new = rng.choice([(old, new) for old, new in swaps.items() if old in text])
    path.write_text(text.replace(old, new, 1))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    return path.name, old, new


def reorder_rows(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) not in ("inspect", "counts"))
    path = rng.choice(study.runs(name))
    head, *rows = read_lines(path)
    path.write_text(head + "".join(rng.sample(rows, len(rows))))
    return path.name


def touch(study: Edited, name: str, rng: random.Random) -> object:
    """Change the time of a file, and the order of the keys."""
    path = rng.choice(study.raw(name))
    path.touch()
    study.campaigns[name] = dict(reversed(study.campaigns[name].items()))
    return path.name


def set_policy(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) in RUN_KINDS)
    key = "error" if kind_of(name) == "validation" else rng.choice([*POLICIES, "missing"])
    values = ["wrong", "unanswered", "exclude"][: 2 if key == "missing" else 3]
    study.campaigns[name][key] = rng.choice(values)
    return key, study.campaigns[name][key]


def set_measures(study: Edited, name: str, rng: random.Random) -> object:
    """Add, remove or reorder."""
    study.campaigns[name]["measures"] = rng.sample(MEASURES[kind_of(name)], rng.randint(1, 2))
    return study.campaigns[name]["measures"]


# By key of a campaign, or of a part of it: which campaigns have it, and values.
SETTINGS: dict[str, tuple[tuple, list]] = {
    "title": (KINDS, ["A title", "Another"]),
    "shards": (RUN_KINDS, [1, 2, 3]),
    "judgments correct": (JUDGED_KINDS, [["R"], ["R", "X"], ["R", "U", "X"]]),
    "runs answer_from": (JUDGED_KINDS, [0.3, 0.5]),  # answers below a confidence are withheld
    "reliability": (
        (*JUDGED_KINDS, "graded"),
        [{"analyses": analyses, "level": level} for analyses in ANALYSES for level in (0.05, 0.1)],
    ),
}


def set_option(study: Edited, name: str, rng: random.Random) -> object:
    key, (kinds, values) = rng.choice([*SETTINGS.items()])
    need(kind_of(name) in kinds)
    *part, option = key.split()
    block = study.campaigns[name][part[0]] if part else study.campaigns[name]
    block[option] = copy.deepcopy(rng.choice(values))
    return key, block[option]


def change_scenarios(study: Edited, name: str, rng: random.Random) -> object:
    need(kind_of(name) == "judged")
    campaign = study.campaigns[name]
    if not campaign.pop("scenarios", None):
        campaign["scenarios"] = {"lenient": LENIENT, "strict": {"correct": ["U"]}}
    return "scenarios" in campaign


def change_rules(study: Edited, name: str, rng: random.Random) -> object:
    """Rules on the text of answers come, go or change."""
    need(kind_of(name) in (*JUDGED_KINDS, "inspect"))
    part = study.campaigns[name].get("runs") or study.campaigns[name]["graded"]
    if not part.pop("refusals", None):
        part["refusals"] = {"prefixes": [rng.choice(["par", "ro"])]}
    return part.get("refusals")


# Damage to what the engine keeps: results, and memos under results/.memo.
def draw_result(study: Edited, name: str, rng: random.Random) -> Path:
    """Return any file of a campaign's results, or of results of all campaigns, that is no memo."""
    folder = study.folder / "results"
    files = [path for path in folder.rglob("*") if path.is_file() and ".memo" not in path.parts]
    candidates = [
        path
        for path in sorted(files)
        if path.relative_to(folder).parts[0] == name or path.parent == folder
    ]
    path = rng.choice(candidates)
    study.damaged.add(str(path.relative_to(folder)))
    return path


def list_memos(study: Edited, name: str) -> list[Path]:
    folder = study.folder / "results/.memo"
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and name in path.relative_to(folder).parts
    )


def spoil(path: Path, rng: random.Random, way: str) -> str:
    """Delete, edit or truncate a file; return what was done to which."""
    content = path.read_bytes()
    if way == "delete":
        path.unlink()
    elif way == "truncate":
        path.write_bytes(content[: rng.randrange(len(content))] if content else b"")
    elif content:
        offset = rng.randrange(len(content))
        path.write_bytes(content[:offset] + bytes([content[offset] ^ 1]) + content[offset + 1 :])
    else:
        path.write_bytes(b"x")
    return f"{way} {path.parent.name}/{path.name}"


def damage_result(study: Edited, name: str, rng: random.Random) -> object:
    return spoil(draw_result(study, name, rng), rng, rng.choice(["delete", "edit", "truncate"]))


def damage_memo(study: Edited, name: str, rng: random.Random) -> object:
    return spoil(
        rng.choice(list_memos(study, name)), rng, rng.choice(["delete", "edit", "truncate"])
    )


def exchange_memo(study: Edited, name: str, rng: random.Random) -> object:
    """Replace a memo by that of another campaign, of the same stage where there is one."""
    path = rng.choice(list_memos(study, name))
    memos_of_others = [
        source
        for campaign in study.campaigns
        if campaign != name
        for source in list_memos(study, campaign)
    ]
    source = rng.choice(
        [memo for memo in memos_of_others if memo.name == path.name] or memos_of_others
    )
    shutil.copyfile(source, path)
    return path.name, str(source.relative_to(study.folder))


def make_fault(study: Edited, name: str, rng: random.Random) -> object:
    """Make a raw file faulty; the next edit mends it."""
    path = rng.choice(study.runs(name))
    text = path.read_text()
    study.mended[name] = path, text
    path.write_text(rng.choice(["", text + "q1\n", "question\tcolour\nq1\tred\n"]))
    return path.name


def go_back(study: Edited, name: str, rng: random.Random) -> object:
    """Undo the edit before; what was undone once may be undone further."""
    state = study.former[name].pop()
    study.campaigns[name] = state.configuration
    for path in study.raw(name):
        if path not in state.files:
            path.unlink()
    for path, content in state.files.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
    return len(study.former[name])


EDITS: list[Edit] = [turn_judgment] * 4 + [add_judgment] * 2 + [remove_judgment] * 2
EDITS += [change_assessor, change_gold, change_questions, add_run, remove_run, rename_run]
EDITS += [swap_runs, correct_run, move_older_run, replace_unseen, reorder_rows, touch]
EDITS += [set_policy, set_measures, *[set_option] * 5, change_scenarios, change_rules]
DAMAGE: list[Edit] = [damage_result, damage_memo, exchange_memo]
