"""What runs again after an edit, and nothing else: each line of the contract, in one invocation of Snakemake.

The three doors side by side: `judged` (runs and judgments, with analyses), `graded` and a published table of counts.
"""

import itertools
import os
import time
from pathlib import Path

import pytest
from conftest import HOME, JUDGMENTS, RUNS, Project, copy_workflow

pytestmark = pytest.mark.slow

QUICK = {"analyses": ["comparison", "agreement", "rankings"], "samples": 100, "exchanges": 100}
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
        """The jobs that one run of Snakemake repeats; after it there is nothing to be done."""
        steps = [step for step in self.steps() if step != "all"]
        assert not steps or "Nothing to be done" in self.snakemake().stderr
        return steps

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


def by_a_copy(project: Project) -> OfCopy:
    study = OfCopy(three_campaigns(project).folder)
    copy_workflow(study.folder / "project")
    return study


@pytest.fixture
def study(evaluated) -> Study:
    return Study(evaluated("three-campaigns", three_campaigns).folder)


@pytest.fixture
def study_of_copy(evaluated) -> OfCopy:
    return OfCopy(evaluated("by-a-copy", by_a_copy).folder)


def steps(*patterns: str) -> list[str]:
    """`trials graded,judged c@1` is a job for graded and one for judged, as Project.steps words them."""
    words = [[word.split(",") for word in pattern.split()] for pattern in patterns]
    return sorted(" ".join(step) for pattern in words for step in itertools.product(*pattern))


# What follows from each table of `judged`.
PAGES = ["report_part judged", "report", "summary"]
BOARD = ["leaderboard judged", *PAGES]
PAGE = ["pages judged", *PAGES]
GATHERED = ["summaries,adjudication,pages judged", *BOARD]
SCORED = ["score_counts judged", "score_verdicts judged cws", "trials judged c@1,cws", *GATHERED]
BELOW = ["tally judged", *SCORED]
READ = ["ingest_judgments,check,known,sharing,tally judged", "verdicts judged 0,1"]

FINAL = "judged/judgments/final.tsv"
CONTRACT = {
    "a judgment that changes a verdict": (
        lambda study: study.edit(FINAL, "q2\tRome\tX", "q2\tRome\tR"),
        [*READ, "judging judged", *SCORED],
    ),
    "a judgment that changes no verdict": (
        lambda study: study.edit(FINAL, "q2\tRome\tX", "q2\tRome\tU"),
        [*READ, "judging,adjudication,leaderboard judged", *PAGE],
    ),
    "a removed run": (
        lambda study: (study.folder / "judged/runs/gamma.tsv").unlink(),
        ["ingest_runs,verdicts judged 0", "check,known,sharing judged", *BELOW],
    ),
    "a new run, and a corrected one that is older than the results": (  # moved into its place, or copied with its time
        lambda study: (
            study.write("judged/runs/delta.tsv", RUNS["alpha"]),
            os.utime(study.edit("judged/runs/beta.tsv", "Lyon", "Paris"), (0, 0)),
        ),
        ["ingest_runs,verdicts judged 0,1", "check,known,sharing judged", *BELOW],
    ),
    "a new measure, and one removed": (
        lambda study: study.change("judged", measures=["c@1", "uf"]),
        ["tally,score_counts judged", "trials judged uf", *GATHERED],
    ),
    "a title, and in other campaigns a graded response and a count": (
        lambda study: (
            study.change("judged", title="A title"),
            study.edit("graded/one.csv", "q1,tp", "q1,fn"),
            study.edit("counts.csv", "loga092de,187,", "loga092de,187.0,"),
        ),
        [
            "leaderboard judged",
            *PAGE,
            "ingest_graded,verdicts graded 1",
            "check,known,sharing,tally,score_counts,leaderboard,pages,report_part graded",
            f"ingest_counts,check,tally_table,score_counts,leaderboard,pages,report_part {TABLE}",
            "fidelity",
        ],
    ),
    "a baseline": (lambda study: study.change("judged", baseline="beta"), ["check,sharing,tally judged", *BOARD]),
    "the policy on unscored answers, of which there are none": (
        lambda study: study.change("judged", unscored="exclude"),
        [
            "tally judged",
            "score_verdicts judged cws",
            "summaries,pages judged",
            *BOARD,
        ],
    ),
    "labels that are correct, on which no verdict depends": (
        lambda study: study.change("judged", judgments=CAMPAIGNS["judged"]["judgments"] | {"correct": ["R", "U"]}),
        ["check,known,sharing,tally,judging judged", "verdicts judged 0,1", *PAGE],
    ),
    "a new analysis": (
        lambda study: study.trust(analyses=["stability", *QUICK["analyses"]]),
        ["trials judged c@1,cws", "summaries,leaderboard judged", *PAGE],
    ),
    "a removed analysis": (
        lambda study: study.trust(analyses=["comparison", "agreement"]),
        ["summaries judged", *PAGE],
    ),
    "a setting of an analysis": (
        lambda study: study.trust(samples=200),
        ["trials judged c@1,cws", "summaries,leaderboard judged", *PAGE],
    ),
    "a campaign added": (
        lambda study: study.configure({"analyses": []}, **CAMPAIGNS, more=CAMPAIGNS[TABLE]),
        [
            "ingest_counts,check,tally_table,score_counts,leaderboard,pages,report_part more",
            "report",
            "summary",
        ],
    ),
    "a campaign removed": (
        lambda study: study.configure({"analyses": []}, **{TABLE: CAMPAIGNS[TABLE], "judged": CAMPAIGNS["judged"]}),
        ["report", "summary"],
    ),
}


READERS = {"ingest_runs", "ingest_judgments", "ingest_graded", "ingest_counts", "ingest_questions", "check"}
ABOVE = READERS | {"known", "sharing", "verdicts"}
OF_MODULES = {  # a module, rules whose commands may load it, and rules that are left alone
    "measures/question_answering.py": ({"tally", "score_counts", "trials", "pages"}, ABOVE),
    # The leaderboard says what logs state of their rulers, and may load their formats.
    "formats/tabular.py": (READERS, {"score_verdicts", "trials", "judging"}),
    "reliability/swap.py": ({"trials", "judging", "pages", "report"}, ABOVE | {"score_verdicts"}),
    "pages/claims/penas.py": ({"fidelity"}, ABOVE | {"tally", "score_counts", "leaderboard", "pages"}),
}


@pytest.mark.parametrize("edit", CONTRACT)
def test_an_edit_repeats_what_follows_from_it(study, edit):
    make, expected = CONTRACT[edit]
    make(study)
    assert study.repeated() == steps(*expected)


@pytest.mark.parametrize("module", OF_MODULES)
def test_an_edit_to_a_module_repeats_the_commands_that_may_load_it(study_of_copy, module):
    repeated, left = OF_MODULES[module]
    path = study_of_copy.folder / "project/scripts/nonresponse" / module
    path.write_text(path.read_text() + "\n# Edited.\n")
    rules = {step.split()[0] for step in study_of_copy.repeated()}
    assert repeated <= rules and not left & rules


def test_nothing_changed(study_of_copy):
    assert "Nothing to be done" in study_of_copy.snakemake().stderr
    # All at the same time, like the workflow: Snakemake looks at the time of a folder of figures or views, not inside.
    now = time.time()
    for path in study_of_copy.folder.rglob("*"):
        os.utime(path, (now, now))
    assert study_of_copy.repeated() == []
    # The same configuration, written differently: keys in another order, defaults written out, 2.0 for 2, comments.
    judged = {"unscored": "wrong", **dict(reversed(CAMPAIGNS["judged"].items())), "shards": 2.0}
    judged["reliability"] = {"level": 0.05, **dict(reversed(QUICK.items()))}
    study_of_copy.configure({"analyses": []}, **CAMPAIGNS | {"judged": judged})
    study_of_copy.edit("config.yaml", "campaigns:", "# A comment.\ncampaigns:")
    assert study_of_copy.repeated() == []
    study_of_copy.trust(fuzziness=[0.05])  # a setting of an analysis that is not configured
    assert study_of_copy.repeated() == []
