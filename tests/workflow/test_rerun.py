"""What runs again after an edit, and nothing else: each line of the contract, in one invocation of
Snakemake.

The three doors side by side: `judged` (runs and judgments, with analyses), `graded` and a published
table of counts.
"""

import itertools
import os
import time
from pathlib import Path

import pytest
from conftest import HOME, JUDGMENTS, RUNS, Project, copy_workflow

pytestmark = pytest.mark.slow

QUICK = {"analyses": ["comparison", "agreement", "rankings"], "samples": 100}
TABLE = "penas-2011-table-3"
CAMPAIGNS = {
    "judged": {
        "task": "qa",
        "runs": {"format": "tabular", "files": "judged/runs/*.tsv"},
        "judgments": {"format": "tabular", "files": "judged/judgments/*.tsv", "official": "final"},
        "questions": "judged/questions.tsv",
        "measures": ["c@1", "cws"],
        "shards": 2,
        "reliability": QUICK,
    },
    "graded": {
        "shards": 4,
        "task": "validation",
        "graded": {
            "format": "tabular",
            "files": "graded/*.csv",
            "verdicts": {"tp": "tp", "fp": "fp", "fn": "fn", "tn": "tn"},
        },
        "measures": ["accuracy"],
    },
    TABLE: {"task": "qa", "counts": "counts.csv", "measures": ["c@1", "accuracy"]},
}
RAW = {
    **{f"judged/runs/{run}.tsv": text for run, text in RUNS.items()},
    "judged/judgments/final.tsv": JUDGMENTS,
    "judged/judgments/other.tsv": JUDGMENTS.replace("q1\tLyon\tW", "q1\tLyon\tR"),
    "judged/questions.tsv": "question\tcategory\nq1\tcity\nq2\tcity\nq3\tcapital\nq4\tcapital\n",
    "graded/one.csv": "question,verdict\nq1,tp\nq2,fp\nq3,tp\n",
    "graded/two.csv": "question,verdict\nq1,fn\nq2,tn\nq3,tp\n",
    "counts.csv": (HOME / f"resources/{TABLE}/counts.csv").read_text(),
}


class Study(Project):
    """The three campaigns, and edits to them."""

    def repeated(self) -> list[str]:
        """The jobs that one run of Snakemake repeats."""
        return [step for step in self.steps() if step != "all"]

    def edit(self, name: str, old: str, new: str) -> Path:
        text = (self.folder / name).read_text()
        assert old in text
        return self.write(name, text.replace(old, new))

    def change(self, campaign: str, **keys) -> None:
        self.configure({"analyses": []}, **CAMPAIGNS | {campaign: CAMPAIGNS[campaign] | keys})

    def trust(self, **settings) -> None:
        self.change("judged", reliability=QUICK | settings)


class OfCopy(Study):
    """They are evaluated by a copy of the workflow, which can be edited, too."""

    def snakemake(self, *arguments, **options):
        return super().snakemake("-s", "project/Snakefile", *arguments, **options)


def three_campaigns(project: Project) -> Study:
    study = Study(project.folder)
    for path, text in RAW.items():
        study.write(path, text)
    study.configure({"analyses": []}, **CAMPAIGNS)
    return study


def copy_study(project: Project) -> OfCopy:
    study = OfCopy(three_campaigns(project).folder)
    study.configure({"analyses": []}, judged=CAMPAIGNS["judged"])
    copy_workflow(study.folder / "project")
    return study


@pytest.fixture
def study(evaluated) -> Study:
    return Study(evaluated("three-campaigns", three_campaigns).folder)


@pytest.fixture
def study_of_copy(evaluated) -> OfCopy:
    return OfCopy(evaluated("by-a-copy", copy_study).folder)


def steps(*patterns: str) -> list[str]:
    """Return a job each for graded and judged from `trials graded,judged c@1`."""
    words = [[word.split(",") for word in pattern.split()] for pattern in patterns]
    return sorted(" ".join(step) for pattern in words for step in itertools.product(*pattern))


# What follows from each table of `judged`. Verdicts are known first: what they leave as it was is
# not repeated.
REPORT = ["report"]
PAGES = ["report_part judged", *REPORT]
BOARD = ["leaderboard judged", *PAGES]
TRUST = ["summaries,reliability judged", *BOARD]
SCORED = ["score_counts judged c@1", "score_verdicts judged cws", *TRUST]
COUNTS = ["count,adjudication judged", "trials judged c@1,cws", *SCORED]
VERDICTS = ["ingest_judgments,check,judge judged"]

FINAL = "judged/judgments/final.tsv"
CONTRACT = {
    "a judgment that changes a verdict": (
        lambda study: study.edit(FINAL, "q2\tRome\tX", "q2\tRome\tR"),
        [*VERDICTS, "judging judged", *COUNTS],
    ),
    "a judgment that changes no verdict": (
        lambda study: study.edit(FINAL, "q2\tRome\tX", "q2\tRome\tU"),
        [*VERDICTS, "judging,adjudication,reliability judged", *BOARD],
    ),
    # Moved into its place, or copied with its time
    "a new run, and a corrected one that is older than the results": (
        lambda study: (
            study.write("judged/runs/delta.tsv", RUNS["alpha"]),
            os.utime(study.edit("judged/runs/beta.tsv", "Lyon", "Paris"), (0, 0)),
        ),
        ["ingest_runs judged 0,1", "check,judge judged", *COUNTS],
    ),
    "a new measure, and one removed": (
        lambda study: study.change("judged", measures=["c@1", "uf"]),
        ["score_counts judged uf", "trials judged uf", "adjudication,judging judged", *TRUST],
    ),
    "a count, written in another way": (
        lambda study: study.edit("counts.csv", "loga092de,187,", "loga092de,187.0,"),
        [
            f"ingest_counts,check,count_table,leaderboard,report_part {TABLE}",
            f"score_counts {TABLE} c@1,accuracy",
            *REPORT,
        ],
    ),
    "a title, and in another campaign a graded response": (
        lambda study: (
            study.change("judged", title="A title"),
            study.edit("graded/one.csv", "q1,tp", "q1,fn"),
        ),
        [
            "adjudication,reliability judged",
            *BOARD,
            "ingest_graded graded 1",
            "check,judge,count,leaderboard,report_part graded",
            "score_counts graded accuracy",
        ],
    ),
    "the policy on unscored answers, of which there are none": (
        lambda study: study.change("judged", unscored="exclude"),
        ["count,judging,adjudication judged", "trials judged c@1,cws", *SCORED],
    ),
    "labels that are correct, on which no verdict depends": (
        lambda study: study.change(
            "judged", judgments=CAMPAIGNS["judged"]["judgments"] | {"correct": ["R", "U"]}
        ),
        ["check,judge,judging,reliability,report_part judged", "report"],
    ),
    "a new analysis": (
        lambda study: study.trust(analyses=["stability", *QUICK["analyses"]]),
        ["trials judged c@1,cws", "judging judged", *TRUST],
    ),
    "a removed analysis": (
        lambda study: study.trust(analyses=["comparison", "agreement"]),
        ["judging,summaries,reliability judged", *PAGES],
    ),
    "a setting of an analysis": (
        lambda study: study.trust(samples=200),
        ["trials judged c@1,cws", *TRUST],
    ),
    "a campaign added": (
        lambda study: study.configure({"analyses": []}, **CAMPAIGNS, more=CAMPAIGNS[TABLE]),
        [
            "ingest_counts,check,count_table,leaderboard,report_part more",
            "score_counts more c@1,accuracy",
            *REPORT,
        ],
    ),
    "a campaign removed": (
        lambda study: study.configure(
            {"analyses": []}, **{TABLE: CAMPAIGNS[TABLE], "judged": CAMPAIGNS["judged"]}
        ),
        REPORT,
    ),
}

READERS = {"ingest_runs", "ingest_judgments", "check"}
MODULES = {  # modules, rules whose stages may load one of them, and rules that are left alone
    "formats/tabular.py": (READERS, {"score_verdicts", "trials", "judging"}),
    "statistics/swap.py report/page.py": (
        {"trials", "judging", "report"},
        {"score_counts", "score_verdicts", "judge"},
    ),
}


@pytest.mark.parametrize("edit", CONTRACT)
def test_an_edit_repeats_what_follows_from_it(study, edit):
    make, expected = CONTRACT[edit]
    make(study)
    assert study.repeated() == steps(*expected)


@pytest.mark.parametrize("modules", MODULES)
def test_an_edit_to_a_module_repeats_the_commands_that_may_load_it(study_of_copy, modules):
    repeated, untouched = MODULES[modules]
    for module in modules.split():
        path = study_of_copy.folder / "project/src/nonresponse" / module
        path.write_text(path.read_text() + "\n# Edited.\n")
    rules = {step.split()[0] for step in study_of_copy.repeated()}
    assert repeated <= rules and not untouched & rules


def test_nothing_changed(study_of_copy):
    assert "Nothing to be done" in study_of_copy.snakemake().stderr
    # All at the same time, like the workflow: Snakemake looks at the time of a folder of figures,
    # not inside.
    moment = time.time()
    for path in study_of_copy.folder.rglob("*"):
        os.utime(path, (moment, moment))
    assert study_of_copy.repeated() == []
    # The same configuration, written differently: keys in another order, defaults written out,
    # comments.
    options = {"unscored": "wrong", **dict(reversed(CAMPAIGNS["judged"].items()))}
    options["reliability"] = {"level": 0.05, **dict(reversed(QUICK.items()))}
    study_of_copy.configure({"analyses": []}, judged=options)
    study_of_copy.edit("config.yaml", "campaigns:", "# A comment.\ncampaigns:")
    assert study_of_copy.repeated() == []
    options["reliability"]["trials"] = 7  # a setting of an analysis that is not configured
    study_of_copy.configure({"analyses": []}, judged=options)
    assert study_of_copy.repeated() == []
