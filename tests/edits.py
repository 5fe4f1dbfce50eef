"""Random edits to a project of campaigns through all three doors, for tests/workflow/test_rerun.py.

Every edit leaves the input valid but the last one of a step, a fault, which the next step mends. Files keep
the time of their last change when they are renamed, as `mv` has it.
"""

import random
from contextlib import suppress
from pathlib import Path

from conftest import Project

ANSWERS = {f"q{i}": ["Paris", "Rome", "Oslo"] for i in range(1, 7)}
MEASURES = ["c@1", "accuracy", "uf", "cws", "nil_recall", "mrr"]
OF_COUNTS = ["c@1", "accuracy", "answered"]
QUICK = {"trials": 20, "size_trials": 2, "samples": 100, "exchanges": 100, "deals": 100, "sizes": 20}
SETTINGS = {
    "analyses": [["stability"], ["swap", "rankings"], ["agreement", "comparison"], ["sample_size"], []],
    "fuzziness": [[0.05], [0.01, 0.1]],
    "subsets": ["shared", "per_pair"],
    "size": [1, 2],
    "samples": [100, 150],
    "level": [0.05, 0.1],
}


class Edited(Project):
    """A project, the configuration that it shall have, and the edits of the last step.

    The campaigns a, b and c stay, one through each door; d and e come and go through any.
    """

    def __init__(self, folder: Path, seed: int):
        super().__init__(folder)
        self.random = random.Random(seed)
        self.campaigns = {}
        self.trust, self.seed, self.names = QUICK | {"analyses": ["stability"]}, 1, 0
        self.deck, self.made, self.mended = [], [], None
        for name, door in (("a", runs), ("b", graded), ("c", counts)):
            door(self, name)
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
    return next(door for door in DOORS if door in study.campaigns[name])


# The texts of the files.
def responses(rng: random.Random) -> str:
    rows = [[q, rng.choice([*words, ""]), f"{rng.random():.1f}"] for q, words in ANSWERS.items() if rng.random() < 0.9]
    return "question\tanswer\tconfidence\n" + "".join("\t".join(row) + "\n" for row in rows)


def labelled(rng: random.Random) -> str:
    rows = [[q, word, rng.choice("RWUX")] for q, words in ANSWERS.items() for word in words if rng.random() < 0.8]
    return "question\tanswer\tlabel\nq1\tMadrid\tW\n" + "".join("\t".join(row) + "\n" for row in rows)


def asked(rng: random.Random) -> str:
    rows = [f"{q}\t{rng.choice([0, 1, 1])}\t{rng.choice(['person', 'place'])}\n" for q in ANSWERS]
    return "question\thas_answer\tcategory\n" + "".join(rows)


def verdicts(rng: random.Random) -> str:
    return "question\tverdict\n" + "".join(f"{q}\t{rng.choice('ABCD')}\n" for q in ANSWERS)


def table(rng: random.Random) -> str:
    return "run,n_ac,n_aw,n_u\n" + "".join(
        f"r{i},{','.join(str(rng.randint(1, 9)) for _ in range(3))}\n" for i in range(3)
    )


TEXTS = {"runs": responses, "graded": verdicts, "counts": table}


# The doors: a campaign with its files.
def runs(study, name: str) -> None:
    for run in ("r0", "r1", "r2"):
        study.write(f"{name}/runs/{run}.tsv", responses(study.random))
    study.write(f"{name}/judgments/final.tsv", labelled(study.random))
    study.write(f"{name}/questions.tsv", asked(study.random))
    study.campaigns[name] = {
        "task": "qa",
        "runs": {"format": "tabular", "files": f"{name}/runs/*.tsv"},
        "judgments": {"format": "tabular", "files": f"{name}/judgments/*.tsv", "official": "final"},
        "questions": f"{name}/questions.tsv",
        "measures": ["c@1", "cws"],
        "shards": 2,
    }


def graded(study, name: str) -> None:
    for run in ("r0", "r1"):
        study.write(f"{name}/graded/{run}.tsv", verdicts(study.random))
    words = {"A": "correct", "B": "wrong", "C": "unanswered", "D": "unscored"}
    files = {"format": "tabular", "files": f"{name}/graded/*.tsv", "verdicts": words}
    study.campaigns[name] = {"task": "qa", "graded": files, "measures": ["accuracy"], "reliability": {"analyses": []}}


def counts(study, name: str) -> None:
    study.write(f"{name}/counts/table.csv", table(study.random))
    study.campaigns[name] = {"task": "qa", "counts": f"{name}/counts/table.csv", "measures": ["c@1"]}


DOORS = {"runs": runs, "graded": graded, "counts": counts}


# The edits; each returns what it did it to, and raises IndexError where there is nothing to do it to.
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
    name = study.one_of("runs", "graded")
    return study.write(f"{name}/{door(study, name)}/{study.new('n')}.tsv", TEXTS[door(study, name)](study.random))


def removed_run(study):
    path = study.one_file("runs", "graded")
    path.unlink()
    return path


def corrected_file(study):
    """Of a run, of graded responses, or of counts."""
    path = study.one_file("runs", "graded", "counts")
    return study.replace(path, TEXTS[path.parent.name](study.random))


def renamed_run(study):
    path = study.one_file("runs", "graded")
    return path.rename(path.with_stem(study.new("m")))


def swapped_runs(study):
    """Two runs change their names."""
    path = study.one_file("runs", "graded")
    other, aside = path.with_stem("r0"), path.with_suffix(".aside")
    path.rename(aside)
    other.rename(path)
    return aside.rename(other)


def categories(study):
    return study.write(f"{study.one_of('runs')}/questions.tsv", asked(study.random))


def measures(study):
    name = study.one_of(*DOORS)
    known = MEASURES if door(study, name) == "runs" else OF_COUNTS
    study.campaigns[name]["measures"] = study.random.sample(known, study.random.randint(1, 2))
    return name, study.campaigns[name]["measures"]


def policy(study):
    name, key = study.one_of("runs", "graded"), study.random.choice(["unscored", "error", "partial"])
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
    name = study.one_of(*DOORS)
    study.campaigns[name]["baseline"] = "r0"
    return name


def shards(study):
    name = study.one_of("runs", "graded")
    study.campaigns[name]["shards"] = study.random.randint(1, 4)
    return name, study.campaigns[name]["shards"]


def reliability(study):
    """A setting, of all campaigns or of one."""
    name, key = study.one_of("runs", "graded"), study.random.choice(list(SETTINGS))
    where = study.random.choice([study.trust, study.campaigns[name].setdefault("reliability", {})])
    where[key] = study.random.choice(SETTINGS[key])
    return name, where


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
    *[categories, measures, policy, correct_labels, title, baseline, shards, reliability, seed],
    *[campaign_added, campaign_added, campaign_removed],
]


def fault(study) -> Path:
    """Makes a file faulty, and keeps its text for the next step."""
    path = study.one_file(*DOORS)
    if door(study, path.parent.parent.name) == "runs" and study.random.random() < 0.4:
        path = path.parent.parent / "judgments/final.tsv"
    study.mended = path, path.read_text()
    return study.replace(path, study.random.choice(["", path.read_text() + "q1\n", "question\tcolour\nq1\tred\n"]))
