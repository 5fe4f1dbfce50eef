"""Random edits to a project of campaigns through all three doors; tests/fuzz/sequences.py runs Snakemake after them.

Every edit leaves the input valid, except the last one of a step, which may be a fault that the next step mends. Files
keep the time of their last change when they are renamed, as with `mv`.
"""

import os
import random
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from conftest import Project
from edited_campaigns import DOORS, TEXTS, asked, labelled

MEASURES = ["c@1", "accuracy", "uf", "cws", "nil_recall", "mrr"]
OF_COUNTS, OF_PAIRS = ["c@1", "accuracy", "answered"], ["c@1", "accuracy", "error", "precision", "f@0.5"]
ANSWERED = ("runs", "graded", "epochs", "logs")  # doors of campaigns of answers
FILES = (*ANSWERED, "validation")  # with a file for each run
TABLES = ("runs", "graded", "epochs", "validation")
QUICK = {"trials": 20, "swap_trials": 20, "size_trials": 2, "samples": 100, "exchanges": 100, "sizes": 20}
SETTINGS = {
    "analyses": [["stability"], ["swap", "rankings"], ["agreement", "comparison"], ["sample_size"], []],
    "fuzziness": [[0.05], [0.01, 0.1]],
    "size": [1, 2],
    "samples": [100, 150],
    "level": [0.05, 0.1],
}


class Edited(Project):
    """A project, the configuration that it shall have, and the edits of the last step.

    The first campaigns stay, by default one through each source; d and e come and go through any door.
    """

    def __init__(self, folder: Path, seed: int, doors: Iterable[str] = ("runs", "graded", "counts")):
        super().__init__(folder)
        self.random = random.Random(seed)
        self.campaigns = {}
        self.trust, self.seed, self.names = QUICK | {"analyses": ["stability"]}, 1, 0
        self.deck, self.made, self.mended = [], [], None
        for name, door in zip("abcfghij", doors, strict=False):
            DOORS[door](self, name)
        self.configured()

    def step(self, edits: int, faulty: bool) -> None:
        """Mends the last fault, makes edits of different kinds, then perhaps another fault."""
        self.made = []
        if self.mended:
            self.replace(*self.mended)
            self.mended = None
        while len(self.made) < edits:
            self.deck = self.deck or self.random.sample(EDITS, len(EDITS))
            edit = self.deck.pop()
            with suppress(IndexError):  # there is nothing that it could edit
                self.made.append(f"{edit.__name__}: {edit(self)}")
        if faulty:
            self.made.append(f"fault: {fault(self)}")
        self.configured()

    def configured(self) -> None:
        self.configure(self.trust, **self.campaigns)
        path = self.folder / "config.yaml"
        self.replace(path, path.read_text() + f"seed: {self.seed}\n")

    def new(self, letter: str) -> str:
        """A name that was never used."""
        self.names += 1
        return f"{letter}{self.names}"

    def one_of(self, *doors: str) -> str:
        """A campaign that came through one of these doors."""
        return self.random.choice([name for name in self.campaigns if door(self, name) in doors])

    def one_file(self, *doors: str) -> Path:
        """A file of runs, or the table of counts, of a campaign; IndexError where there is only r0, which stays."""
        name = self.one_of(*doors)
        paths = sorted((self.folder / name / door(self, name)).glob("*"))
        return self.random.choice([path for path in paths if path.stem != "r0"])

    def replace(self, path: Path, text: str) -> Path:
        return self.write(str(path.relative_to(self.folder)), text)


def door(study: Edited, name: str) -> str:
    """The folder of the files of its runs."""
    return next(door for door in DOORS if f"{name}/{door}/" in str(study.campaigns[name]))


# The edits; each returns what it changed, and raises IndexError if there is nothing to change.
def other_label(study):
    """An assessor changes a label: often one that changes no verdict."""
    path = study.folder / study.one_of("runs") / "judgments/final.tsv"
    lines = path.read_text().splitlines()
    i = study.random.randrange(1, len(lines))
    lines[i] = lines[i][:-1] + study.random.choice("RWUX")
    return study.replace(path, "\n".join(lines) + "\n")


def other_judgments(study):
    """Other answers are judged."""
    return study.write(f"{study.one_of('runs')}/judgments/final.tsv", labelled(study.random))


def second_assessor(study):
    """Comes or goes."""
    path = study.folder / study.one_of("runs") / "judgments/other.tsv"
    return path.unlink() if path.exists() else study.replace(path, labelled(study.random))


def new_run(study):
    path = study.one_file(*FILES)
    return study.replace(path.with_stem(study.new("n")), TEXTS[path.parent.name](study.random))


def removed_run(study):
    path = study.one_file(*FILES)
    path.unlink()
    return path


def corrected_file(study):
    """Of a run, of graded responses, or of counts."""
    path = study.one_file(*DOORS)
    return study.replace(path, TEXTS[path.parent.name](study.random))


def renamed_run(study):
    path = study.one_file(*FILES)
    return path.rename(path.with_stem(study.new("m")))


def swapped_runs(study):
    """Two runs change their names."""
    path = study.one_file(*FILES)
    other, aside = path.with_stem("r0"), path.with_suffix(".aside")
    path.rename(aside)
    other.rename(path)
    return aside.rename(other)


def categories(study):
    return study.write(f"{study.one_of('runs')}/questions.tsv", asked(study.random))


def measures(study):
    name = study.one_of(*DOORS)
    known = {"runs": MEASURES, "validation": OF_PAIRS}.get(door(study, name), OF_COUNTS)
    study.campaigns[name]["measures"] = study.random.sample(known, study.random.randint(1, 2))
    return name, study.campaigns[name]["measures"]


def policy(study):
    name = study.one_of(*FILES)
    told = ["error"] if door(study, name) == "validation" else ["unscored", "error", "partial"]
    key = study.random.choice(told)
    study.campaigns[name][key] = study.random.choice(["wrong", "unanswered", "exclude"])
    return name, key, study.campaigns[name][key]


def correct_labels(study):
    name = study.one_of("runs")
    study.campaigns[name]["judgments"]["correct"] = study.random.choice([["R"], ["R", "X"], ["R", "U", "X"]])
    return name, study.campaigns[name]["judgments"]["correct"]


def title(study):
    name = study.one_of(*DOORS)
    study.campaigns[name]["title"] = study.new("Title ")
    return name


def baseline(study):
    name = study.one_of("runs", "graded", "epochs", "validation", "counts")
    study.campaigns[name]["baseline"] = study.campaigns[name].get("names", {}).get("r0", "r0")
    return name


def named(study):
    """The run r0 gets another name, or its own again."""
    name = study.one_of(*TABLES)
    if study.random.random() < 0.6:
        study.campaigns[name]["names"] = {"r0": study.new("org/é ")}
    else:
        study.campaigns[name].pop("names", None)
    study.campaigns[name].pop("baseline", None)
    return name, study.campaigns[name].get("names")


def shards(study):
    name = study.one_of(*FILES)
    study.campaigns[name]["shards"] = study.random.randint(1, 4)
    return name, study.campaigns[name]["shards"]


def reliability(study):
    """A setting, of all campaigns or of one."""
    name, key = study.one_of("runs", "graded"), study.random.choice(list(SETTINGS))
    where = study.random.choice([study.trust, study.campaigns[name].setdefault("reliability", {})])
    where[key] = study.random.choice(SETTINGS[key])
    return name, where


def other_rows(study):
    """The rows of a table in another order."""
    path = study.one_file(*TABLES)
    head, *rows = path.read_text().splitlines(keepends=True)
    return study.replace(path, head + "".join(study.random.sample(rows, len(rows))))


def row_twice(study):
    """A second row for a response, of which the first or the last counts."""
    path = study.one_file(*TABLES)
    part = study.campaigns[path.parent.parent.name]
    part = part.get("runs") or part["graded"]
    part["duplicates"] = study.random.choice(["first", "last"])
    more = study.random.choice(TEXTS[path.parent.name](study.random).splitlines(keepends=True)[1:])
    return study.replace(path, path.read_text() + more), part["duplicates"]


def swapped_epochs(study):
    """Exchanges a run's responses to a question in the first and in the second epoch."""
    path, question = study.one_file("epochs"), study.random.choice(["q1\t", "q2\t", "q3\t"])
    swapped = {"1": "2", "2": "1"}
    rows = path.read_text().splitlines(keepends=True)
    for i, row in enumerate(rows):
        if row.startswith(question):
            name, epoch, rest = row.split("\t", 2)
            rows[i] = "\t".join([name, swapped.get(epoch, epoch), rest])
    return study.replace(path, "".join(rows)), question


def copied_run(study):
    """The same answers under another name."""
    path = study.one_file(*TABLES)
    return study.replace(path.with_stem(study.new("k")), path.read_text())


def scenarios(study):
    """Come or go."""
    campaign = study.campaigns[study.one_of("runs")]
    if not campaign.pop("scenarios", None):
        campaign["scenarios"] = {"lenient": {"correct": ["R", "U", "X"]}, "strict": {"correct": ["R"]}}
    return "scenarios" in campaign


def refusals(study):
    """Rules on the text of answers come or go."""
    name = study.one_of("runs", "logs")
    part = study.campaigns[name].get("runs") or study.campaigns[name]["graded"]
    if not part.pop("refusals", None):
        part["refusals"] = {"prefixes": [study.random.choice(["par", "ro"])]}
    return name, part.get("refusals")


def cut_off(study):
    """Answers below a confidence are withheld, or are not."""
    part = study.campaigns[study.one_of("runs")]["runs"]
    part["answer_from"] = study.random.choice([0, 0.3, 0.5])
    return part["answer_from"]


def touched(study):
    """Changes only the time of a file and the order of the keys."""
    name = study.one_of(*DOORS)
    study.campaigns[name] = dict(reversed(study.campaigns[name].items()))
    path = study.one_file(*DOORS)
    os.utime(path)
    return name, path


def seed(study):
    study.seed += 1
    return study.seed


def campaign_added(study):
    """Under a name that another may have had before."""
    name = study.random.choice([name for name in "de" if name not in study.campaigns])
    way = study.random.choice(list(DOORS))
    DOORS[way](study, name)
    return name, way


def campaign_removed(study):
    """From config.yaml; its files stay."""
    name = study.random.choice([name for name in "de" if name in study.campaigns])
    return name, study.campaigns.pop(name)["task"]


EDITS = [
    *[other_label, other_judgments, second_assessor, new_run, removed_run, corrected_file, renamed_run, swapped_runs],
    *[categories, measures, policy, correct_labels, title, baseline, shards, reliability, seed, named, other_rows],
    *[row_twice, swapped_epochs, copied_run, scenarios, refusals, cut_off, touched],
    *[campaign_added, campaign_added, campaign_removed],
]


def fault(study) -> Path:
    """Makes a file faulty, and keeps its text for the next step."""
    path = study.one_file(*DOORS)
    if door(study, path.parent.parent.name) == "runs" and study.random.random() < 0.4:
        path = path.parent.parent / "judgments/final.tsv"
    study.mended = path, path.read_text()
    return study.replace(path, study.random.choice(["", path.read_text() + "q1\n", "question\tcolour\nq1\tred\n"]))
