"""Random edits to a working folder with a campaign of each kind;
tests/workflow/test_random_edits.py runs Snakemake.

There are few texts of each kind of file, so that edits often lead to files that some sequence of
edits had before. An edit is drawn by a seed, its step and the campaign, so that it is the same
whatever else is edited. It leaves the input valid, except for a fault, which the campaign's next
edit mends.
"""

import copy
import json
import os
import random
import shutil
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import NamedTuple

import yaml
from conftest import Project

# The campaigns: the texts of their files, and what config.yaml says of them.
QUESTIONS = [f"q{number}" for number in range(1, 7)]
ANSWERS = ["Paris", "Rome", "Oslo"]
ANSWERED = [f"{question} {answer}" for question, answer in product(QUESTIONS, ANSWERS)]
PAIRS = [f"q{number} c{candidate}" for number, candidate in product(range(1, 5), (1, 2))]
RANKED = [f"{question} {rank}" for question, rank in product(QUESTIONS, (1, 2))]
EPOCHS = [f"{question} {epoch}" for question, epoch in product(QUESTIONS, (1, 2))]
DIGITS = "123456789"
PHRASES = "phrases.yaml"  # a list of refusals
COPIES = 5  # of each text


class Table(NamedTuple):
    """A random table: a first row that stays, and rows for a share of the keys."""

    columns: str
    keys: list[str]
    choices: list  # the values of each column that is no key
    share: float = 1
    first: str = ""

    def draw(self, rng: random.Random) -> str:
        rows = [
            [*key.split(), *map(rng.choice, self.choices)]
            for key in self.keys
            if rng.random() < self.share
        ]
        rows = [self.columns.split(), self.first.split(), *rows]
        return "".join("\t".join(row) + "\n" for row in rows if row)


TENTHS = [f"0.{digit}" for digit in DIGITS]
YEARS = ["1900", "1901", "1905"]
WORDS = ["VALIDATED", "REJECTED", "ERR", ""]
TABLES = {
    "responses": Table(
        "question answer confidence", QUESTIONS, [[*ANSWERS, "NIL", ""], TENTHS], 0.9
    ),
    "ranks": Table("question rank answer confidence", RANKED, [[*ANSWERS, ""], TENTHS]),
    "verdicts": Table("question verdict", QUESTIONS, ["ABCD"], 0.9),
    "epochs": Table("question epoch verdict", EPOCHS, ["ABCD"], 0.9, first="q1 3 A"),
    "decisions": Table("question candidate answer", PAIRS, [WORDS], 0.9, first="q5 c1 REJECTED"),
    "years": Table("question answer", QUESTIONS, [[*YEARS, ""]], 0.9, first="q7 1900"),
    "references": Table("question answer", QUESTIONS, [YEARS], first="q7 1905"),
    "counts": Table("run n_ac n_aw n_u", ["r0", "r1", "r2"], [DIGITS] * 3),
    # No run gives this answer.
    "judgments": Table("question answer label", ANSWERED, ["RWUX"], 0.8, first="q1 Madrid W"),
    "truth": Table("question candidate label", PAIRS, [["YES", "NO", "UNKNOWN"]], 1, "q5 c1 YES"),
    # One of them is asked and never answered.
    "questions": Table(
        "question has_answer category passage",
        [*QUESTIONS, "q7"],
        ["011", ["person", "place"], "abc"],
    ),
}
# By kind of campaign: the texts of the files of its runs, or of its counts
RUNS = {"judged": "responses", "assessors": "ranks", "graded": "verdicts", "epochs": "epochs"}
RUNS |= {"validation": "decisions", "dating": "years", "inspect": "log", "counts": "counts"}
# The others: which copy they are of the text of their folder's name
MORE_FILES = {"judged": {"judgments/final.tsv": 0, "questions.tsv": 0}}
MORE_FILES["assessors"] = MORE_FILES["judged"] | {"judgments/other.tsv": 1}
MORE_FILES["judged"] |= {PHRASES: 0}
MORE_FILES["dating"] = {"references/final.tsv": 0}
MORE_FILES["validation"] = {"truth/final.tsv": 0}
MEASURES = {
    "judged": ["c@1", "accuracy", "uf", "cws", "nil_recall", "mrr"],
    "assessors": ["mrr", "map", "c@1", "cws"],
    "validation": ["accuracy", "c@1", "error", "precision", "f@0.5"],
    "dating": ["s", "s_c", "accuracy"],
} | {kind: ["accuracy", "c@1", "answered"] for kind in ("graded", "epochs", "inspect", "counts")}
LENIENT = {"correct": ["R", "U"]}  # a scenario, which may not say what its campaign says
CODES = {"A": "correct", "B": "wrong", "C": "unanswered", "D": "unscored"}


def write_log(rng: random.Random) -> str:
    """A log of Inspect, with a run name that its file will never have."""
    samples = []
    for question, epoch in product(QUESTIONS, (1, 2)):
        score = {"value": rng.choice("CIPN"), "answer": rng.choice(ANSWERS)}
        samples.append({"id": question, "epoch": epoch, "scores": {"match": score}})
    metrics = {"accuracy": {"value": round(rng.random(), 2)}}
    log = {"version": 2, "status": "success", "samples": samples}
    log["eval"] = {"model": f"org/m{rng.randrange(10**9)}", "task": "toy"}
    log["results"] = {"total_samples": 12, "completed_samples": 12}
    log["results"]["scores"] = [{"name": "match", "metrics": metrics}]
    return json.dumps(log, indent=1)


def draw(text: str, number: int) -> str:
    """One of the copies of a text; the same number gives the same copy."""
    rng = random.Random(f"{text} {number % COPIES}")
    if text == PHRASES:
        return f"prefixes: {rng.sample(['pa', 'ro', 'os'], 2)}\n"
    return write_log(rng) if text == "log" else TABLES[text].draw(rng)


def find_text(path: str) -> str:
    """The text that a file has, by its path from the working folder."""
    name, part, *_ = path.split("/")
    return RUNS[name] if part == "runs" else part.removesuffix(".tsv")


def files(kind: str) -> dict[str, str]:
    """The files of a campaign before any edit, in a folder of its name, which is its kind."""
    end, runs = "json" if kind == "inspect" else "tsv", range(1 if kind == "counts" else 3)
    numbers = {f"runs/r{number}.{end}": number for number in runs} | MORE_FILES.get(kind, {})
    paths = {f"{kind}/{path}": number for path, number in numbers.items()}
    return {path: draw(find_text(path), number) for path, number in paths.items()}


def configuration(kind: str) -> dict:
    """What config.yaml says of a campaign before any edit."""
    runs = {"format": "inspect" if kind == "inspect" else "tabular", "files": f"{kind}/runs/*"}
    task = kind if kind in ("validation", "dating") else "qa"
    block = {"task": task, "measures": MEASURES[kind][:1]}
    if kind == "counts":
        return block | {"counts": f"{kind}/runs/r0.tsv"}
    if kind == "assessors":
        block |= {"shards": 2, "reliability": {"analyses": ["agreement"]}}
    elif kind == "judged":  # with the analyses of config.yaml
        block |= {"scenarios": {"lenient": LENIENT}, "measures": ["c@1", "cws"]}
        runs |= {"refusals": {"lists": [f"{kind}/{PHRASES}"]}, "nil": ["NIL"]}
    elif kind != "dating":
        block["reliability"] = {"analyses": []}
    if kind in ("graded", "epochs", "inspect"):
        return block | {"graded": runs | ({} if kind == "inspect" else {"verdicts": CODES})}
    if kind == "validation":
        truth = {"format": "tabular", "files": f"{kind}/truth/*"}
        return block | {"runs": runs | {"failed": ["ERR"]}, "judgments": truth}
    if kind == "dating":
        judgments = {"format": "tabular", "files": f"{kind}/references/*"}
        return block | {"runs": runs, "judgments": judgments}
    official = ["majority", "final"] if kind == "assessors" else "final"
    judgments = {"format": "tabular", "files": f"{kind}/judgments/*", "official": official}
    return block | {"runs": runs, "judgments": judgments, "questions": f"{kind}/questions.tsv"}


QUICK = {"trials": 2, "samples": 100}
KINDS = tuple(RUNS)
ANALYSES = [
    ["stability"],
    ["swap", "rankings"],
    ["comparison"],
    ["agreement", "comparison"],
    ["sample_size", "error_curves"],
    ["risk_coverage", "reliability_diagram", "judges"],
    ["generalizability", "pooling", "candidates"],
    [],
]
OLD = 10**9  # seconds: a time of change in 2001
CHOICES = ["wrong", "unanswered", "exclude"]
JUDGED_KINDS = ("judged", "assessors")
ANSWER_KINDS = (*JUDGED_KINDS, "graded", "epochs", "inspect")
RUN_KINDS = (*ANSWER_KINDS, "validation", "dating")  # with a file of each run


class Edited(Project):
    """A project with a campaign of each kind, and what its configuration shall be."""

    def __init__(self, folder: Path, names: Iterable[str] = KINDS):
        super().__init__(folder)
        self.campaigns = {name: configuration(name) for name in names}
        self.seed = 1
        self.damaged: set[str] = set()  # results that an edit has damaged, by path below results/
        # By campaign: the file that is faulty, and its text before
        self.mended: dict[str, tuple[Path, str]] = {}
        # What an edit may go back to: configuration and raw files
        self.former: dict[str, list[tuple[dict, dict[Path, bytes]]]] = {
            name: [] for name in self.campaigns
        }

    def write_all(self) -> None:
        """Write the files as they are before any edit."""
        for name in self.campaigns:
            for path, text in files(name).items():
                self.write(path, text)
        self.write_config()

    def write_config(self) -> None:
        self.write("config.yaml", self.configuration(self.campaigns))

    def configuration(self, names: Iterable[str]) -> str:
        """Return the text of config.yaml with these campaigns alone."""
        config = {"campaigns": {name: self.campaigns[name] for name in names}}
        config |= {"reliability": QUICK | {"analyses": ["comparison"]}, "seed": self.seed}
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
        contents = {path: path.read_bytes() for path in self.raw(name)}
        state = copy.deepcopy(self.campaigns[name]), contents
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


def draw_text(study: Edited, path: Path, rng: random.Random) -> str:
    """Return another text for a file; of logs, one of a model that has no log yet."""
    text = find_text(str(path.relative_to(study.folder)))
    copies = [draw(text, number) for number in range(COPIES)]
    if text == "log":
        models = {json.loads(log.read_text())["eval"]["model"] for log in path.parent.iterdir()}
        copies = [log for log in copies if json.loads(log)["eval"]["model"] not in models]
    return rng.choice(copies)


def edit_judgment(study: Edited, name: str, rng: random.Random) -> object:
    """Turn one, often to a label that changes no verdict, add or remove one; half of those that are
    added are of an answer that no run gave.
    """
    need(name in JUDGED_KINDS)
    path = rng.choice(sorted((study.folder / name / "judgments").iterdir()))
    head, *lines = path.read_text().splitlines()
    labels = dict(line.rsplit("\t", 1) for line in lines)
    unmatched = [f"{question} Atlantis" for question in QUESTIONS]
    new = [key.replace(" ", "\t") for key in rng.choice([ANSWERED, unmatched])]
    change = rng.choice(["turn", "turn", "add", "remove"])
    key = rng.choice([key for key in new if key not in labels] if change == "add" else [*labels])
    labels[key] = rng.choice("RWUX")
    if change == "remove":
        del labels[key]
    lines = [head, *map("\t".join, labels.items())]
    path.write_text("".join(f"{line}\n" for line in lines))
    return change, path.name, key


def change_assessor(study: Edited, name: str, rng: random.Random) -> object:
    """The second assessor comes or goes, and perhaps a vote with them."""
    need(name in JUDGED_KINDS)
    path, choices = study.folder / name / "judgments/other.tsv", ["final"]
    if path.exists():
        path.unlink()
    else:
        path.write_text(draw_text(study, path, rng))
        # An answer key, as `judged` may have, has no votes
        choices += ["other", *(["majority", ["majority", "other"]] if name == "assessors" else [])]
    study.campaigns[name]["judgments"]["official"] = official = rng.choice(choices)
    return official


def add_run(study: Edited, name: str, rng: random.Random) -> object:
    need(name in RUN_KINDS)
    path = study.runs(name)[0].with_stem(f"n{rng.randrange(3)}")
    path.write_text(draw_text(study, path, rng))
    return path.name


def remove_run(study: Edited, name: str, rng: random.Random) -> object:
    path = rng.choice([run for run in study.runs(name) if run.stem not in LASTING])
    path.unlink()
    return path.name


def rename_run(study: Edited, name: str, rng: random.Random) -> object:
    """Its file keeps its time, as with mv; another run of that name is replaced."""
    need(name in RUN_KINDS)
    path = rng.choice([run for run in study.runs(name) if run.stem not in LASTING])
    return path.name, path.replace(path.with_stem(f"m{rng.randrange(3)}")).name


def swap_runs(study: Edited, name: str, rng: random.Random) -> object:
    need(len(study.runs(name)) > 1)
    first, second = rng.sample(study.runs(name), 2)
    aside = study.folder / "aside"
    first.rename(aside), second.rename(first), aside.rename(second)
    return first.name, second.name


def correct_file(study: Edited, name: str, rng: random.Random) -> object:
    """Write another text, half of the time as a file that is older than any result, as with mv."""
    path, aside = rng.choice(study.raw(name)), study.folder / "aside"
    text = draw_text(study, path, rng)
    if is_old := rng.random() < 0.5:
        aside.write_text(text)
        os.utime(aside, (OLD, OLD))
        aside.replace(path)
    else:
        path.write_text(text)
    return path.name, is_old


def replace_unseen(study: Edited, name: str, rng: random.Random) -> object:
    """Change some characters of a run's file, which keeps its size and time."""
    path = rng.choice(study.runs(name))
    text, status = path.read_text(), path.stat()
    swaps = {"Rome": "Oslo", "\tA\n": "\tB\n", "\tC\n": "\tA\n", '"C"': '"I"', "0.9": "0.8"}
    swaps |= {"\t9": "\t8", "1900": "1905"}
    old, new = rng.choice([(old, new) for old, new in swaps.items() if old in text])
    path.write_text(text.replace(old, new, 1))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    return path.name, old, new


def reorder_rows(study: Edited, name: str, rng: random.Random) -> object:
    need(name not in ("inspect", "counts"))
    path = rng.choice(study.runs(name))
    head, *rows = path.read_text().splitlines(keepends=True)
    path.write_text(head + "".join(rng.sample(rows, len(rows))))
    return path.name


def touch(study: Edited, name: str, rng: random.Random) -> object:
    """Change the time of a file, and the order of the keys."""
    path = rng.choice(study.raw(name))
    path.touch()
    study.campaigns[name] = dict(reversed(study.campaigns[name].items()))
    return path.name


def set_measures(study: Edited, name: str, rng: random.Random) -> object:
    """Add, remove or reorder."""
    study.campaigns[name]["measures"] = rng.sample(MEASURES[name], rng.randint(1, 2))
    return study.campaigns[name]["measures"]


# Runs that are neither removed nor renamed, since a campaign may name them
LASTING = ("r0", "r1")
SYSTEMS = {"system": {"runs": [*LASTING], "baseline": "r1"}}
# By key of a campaign, or of a part of it: which campaigns have it, and values; without one, the
# key is removed.
SETTINGS: dict[str, tuple[tuple, list]] = {
    "title": (KINDS, ["A title", "Another"]),
    "shards": (RUN_KINDS, [1, 2, 3]),
    "error": (RUN_KINDS, CHOICES),
    "unscored": (ANSWER_KINDS, CHOICES),
    "partial": (ANSWER_KINDS, CHOICES),
    "missing": (ANSWER_KINDS, CHOICES),
    "compare_on": (ANSWER_KINDS, [None, "all"]),
    "cluster": (("judged",), [None, "passage"]),
    "baseline": (("assessors", "graded", "epochs", "dating"), [None, "r0"]),
    "systems": (("graded", "epochs"), [None, SYSTEMS]),
    "names": (("judged", "validation"), [None, {"r0": "=zz"}, {"r0": "<b>r0</b>"}]),
    "gates": (("judged", "graded"), [None, [{"measure": "n_unscored", "at_most": 0.2}]]),
    "judgments closed": (("judged",), [None, True]),
    "judgments partial": (JUDGED_KINDS, [None, ["U"]]),
    "judgments correct": (JUDGED_KINDS, [["R"], ["R", "X"]]),
    # Answers below a confidence are withheld; from two, there are two runs of each
    "runs answer_from": (JUDGED_KINDS, [0.3, 0.5, [0.3, 0.5]]),
    "runs refusals": (JUDGED_KINDS, [None, {"prefixes": ["par"]}, {"prefixes": ["ro"]}]),
    "runs failed": (JUDGED_KINDS, [None, ["Oslo"]]),
    "runs unanswered": (JUDGED_KINDS, [None, ["Rome"]]),
    "graded epochs": (("inspect",), ["first", "runs", "all"]),
    "graded refusals": (("inspect",), [None, {"prefixes": ["par"]}, {"prefixes": ["ro"]}]),
    "scenarios": (("judged",), [None, {"lenient": LENIENT, "strict": {"correct": ["U"]}}]),
    "reliability": (
        (*JUDGED_KINDS, "graded"),
        [{"analyses": analyses, "level": level} for analyses in ANALYSES for level in (0.05, 0.1)],
    ),
}


def set_option(study: Edited, name: str, rng: random.Random) -> object:
    options = {key: values for key, (kinds, values) in SETTINGS.items() if name in kinds}
    key, values = rng.choice([*options.items()])
    *part, option = key.split()
    block = study.campaigns[name][part[0]] if part else study.campaigns[name]
    block[option] = copy.deepcopy(rng.choice(values))
    if block[option] is None:
        del block[option]
    return key, block.get(option)


# Damage to what the engine keeps: results, and memos under results/.memo.
def list_memos(study: Edited, name: str) -> list[Path]:
    folder = study.folder / "results/.memo"
    paths = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in paths if name in path.relative_to(folder).parts)


def damage(study: Edited, name: str, rng: random.Random) -> object:
    """Delete, truncate or edit a file of a campaign's results, of results of all campaigns, or of
    memos.
    """
    folder = study.folder / "results"
    results = [path for path in folder.rglob("*") if path.is_file() and ".memo" not in path.parts]
    results = [
        path
        for path in sorted(results)
        if path.relative_to(folder).parts[0] == name or path.parent == folder
    ]
    path = rng.choice(rng.choice([results, list_memos(study, name)]))
    study.damaged.add(str(path.relative_to(folder)))
    content, change = path.read_bytes(), rng.choice(["delete", "truncate", "edit"])
    offset = rng.randrange(len(content) or 1)
    if change == "delete":
        path.unlink()
    elif change == "truncate":
        path.write_bytes(content[:offset])
    else:
        byte = bytes([content[offset] ^ 1]) if content else b"x"
        path.write_bytes(content[:offset] + byte + content[offset + 1 :])
    return f"{change} {path.parent.name}/{path.name}"


def exchange_memo(study: Edited, name: str, rng: random.Random) -> object:
    """Replace a memo by that of another campaign, of the same stage where there is one."""
    path = rng.choice(list_memos(study, name))
    memos = [
        memo for rival in study.campaigns for memo in list_memos(study, rival) if rival != name
    ]
    source = rng.choice([memo for memo in memos if memo.name == path.name] or memos)
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
    study.campaigns[name], contents = study.former[name].pop()
    for path in {*study.raw(name)} - contents.keys():
        path.unlink()
    for path, content in contents.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
    return len(study.former[name])


EDITS: list[Edit] = [*[edit_judgment] * 8, change_assessor, add_run, remove_run, rename_run]
EDITS += [swap_runs, *[correct_file] * 3, replace_unseen, reorder_rows, touch]
EDITS += [set_measures, *[set_option] * 6]
DAMAGE: list[Edit] = [damage, damage, exchange_memo]
