"""Views of a campaign, each against a plain loop over its verdicts, judgments or answers."""

import random
from collections import Counter

import polars as pl
import pytest
from conftest import HOME
from every_record import assert_a_line_each
from nonresponse import measures, owners, tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.pages.sections import Campaign as Sections
from nonresponse.statistics import systems
from nonresponse.topics import views as page
from nonresponse.views import VIEWS
from nonresponse.views.material import Material, module_of
from pipeline import Campaign

MEASURES = {
    "qa": ["c@1", "accuracy", "uf", "romip_error"],
    "validation": ["e@2", "accuracy"],
}


def material(campaign: Campaign, ids: list[str], **settings) -> Material:
    """What the workflow would hand to the views."""
    folder = campaign.folder
    tables.write(campaign.counts, folder / "counts.parquet")
    for id in ids:
        tables.write(campaign.scores(id), folder / f"scores/{id}.parquet")
    known = {"measures": ids, "official": "official", "trivial": list(tasks.get(campaign.task).trivial), "level": 0.05}
    responses = campaign.sources.get("responses", [])
    known |= {"seed": 0, "flips": 500, "options": 4, "tested": ids, "responses": responses}
    known |= {"source": "runs" if responses else "graded"}
    return Material(tasks.get(campaign.task), folder, campaign.policy, known | settings)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Question answering: two assessors, NIL, no answers, unjudged ones, an order; some questions without an answer."""
    folder, rng = tmp_path_factory.mktemp("asked"), random.Random(11)
    names = [f"q{i:02}" for i in range(40)]
    runs = {}
    for i in range(6):
        kept = [name for name in names if rng.random() < 0.95]
        answers = [rng.choices(["a", "b", "c", "d", "NIL", ""], [2 + i, 3, 2, 1, 2, 2 + (5 - i)])[0] for _ in kept]
        runs[f"r{i}"] = [
            {"question": q, "answer": a, "confidence": f"{rng.randrange(6) / 5}"}
            for q, a in zip(kept, answers, strict=True)
        ]
    gold = {
        assessor: [
            {"question": q, "answer": a, "label": rng.choices("RWUX", weights)[0]}
            for q in names
            for a, weights in (("a", (6, 2, 1, 1)), ("b", (1, 6, 2, 1)), ("c", (1, 5, 0, 2)))
        ]
        for assessor in ("official", "other")
    }
    tests = [{"question": q, "cluster": f"1/{i % 5}" if i < 36 else None} for i, q in enumerate(names)]
    campaign = Campaign(folder).judged(runs, gold, tests, options={"nil": ["NIL"]}, correct=["R"])
    rules = {"correct": ["R"], "partial": [], "closed": False}
    named = {
        "participants": {"x": ["r0", "r5"], "y": ["r1", "r2", "r3"]},
        "meaning": rules,
        "format": "tabular",
    }
    return (
        campaign,
        material(campaign, MEASURES["qa"], **named),
        gold,
        runs,
    )


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Answer validation with selections: three candidates to a question, some of which have no right one."""
    folder, rng = tmp_path_factory.mktemp("pairs"), random.Random(12)
    gold = [
        {"question": f"q{q}", "candidate": c, "label": rng.choice(["YES", "NO", "NO", "UNKNOWN"])}
        for q in range(25)
        for c in "abc"
    ]
    runs = {}
    for i in range(4):
        rows = []
        for q in range(25):
            selected = rng.choice("abc-")
            for c in "abc":
                answer = "SELECTED" if c == selected else rng.choice(["REJECTED", "VALIDATED"])
                rows.append({"question": f"q{q}", "candidate": c, "answer": answer, "confidence": "0.5"})
        runs[f"r{i}"] = rows
    campaign = Campaign(folder, "validation").judged(runs, {"official": gold}, correct=["YES"])
    return campaign, material(campaign, MEASURES["validation"])


def of_official(campaign: Campaign) -> dict:
    """The rows of the verdicts by run, question and candidate."""
    rows = read_verdicts(campaign.verdicts).rows().filter(assessor="official").iter_rows(named=True)
    return {(row["run"], row["question"], row["candidate"]): row for row in rows}


def values(campaign: Campaign, id: str, assessor: str = "official") -> dict:
    found = dict(campaign.values(id).filter(assessor=assessor).select("run", "value").iter_rows())
    return {run: value for run, value in found.items() if run not in tasks.get(campaign.task).trivial}


def test_the_best_run_of_each_participant(asked):
    campaign, facts, *_ = asked
    table = module_of("participants").table_of(facts)
    value = values(campaign, "c@1")
    best = {name: max(runs, key=value.get) for name, runs in facts.settings["participants"].items()}
    assert table.select("participant", "run").rows() == sorted(best.items(), key=lambda pair: -value[pair[1]])
    assert dict(table.select("participant", "runs").iter_rows()) == {"x": 2, "y": 3}
    assert table["rank"].to_list() == [1 + sum(it > value[run] for it in value.values()) for run in table["run"]]
    assert table["c@1"].to_list() == sorted((value[run] for run in best.values()), reverse=True)
    for id in MEASURES["qa"]:
        assert table[id].to_list() == [values(campaign, id)[run] for run in table["run"]]


def test_silence(asked):
    campaign, facts, *_ = asked
    table = module_of("silence").table_of(facts)
    rows = of_official(campaign)
    questions = {question: row["has_answer"] for (_, question, _), row in rows.items()}
    silence = {"uf": 0.0, "romip_error": sum(questions.values()) / len(questions)}
    assert table["measure"].unique(maintain_order=True).to_list() == list(silence), "by c@1 nothing is behind silence"
    assert {*table["run"]} == {run for run, _, _ in rows}
    for id, run, value, silent, behind in table.iter_rows():
        assert silent == pytest.approx(silence[id]) and value == values(campaign, id)[run]
        assert behind == (value < silent if id == "uf" else value > silent)
    assert table["behind_silence"].any()


def test_silence_of_every_measure_is_the_score_of_a_run_that_answers_nothing(asked, tmp_path):
    """One that is there: every measure of counts gives it what the view says of silence."""
    _campaign, _, gold, runs = asked
    every = [m.id for m in measures.of_task("qa").values() if m.kind == "counts"]
    with_one = Campaign(tmp_path).judged(
        runs | {"r9": [{"question": "q00", "answer": "", "confidence": "0"}]},
        gold,
        options={"nil": ["NIL"]},
        correct=["R"],
    )
    table = module_of("silence").table_of(material(with_one, every))
    seen = table.filter(run="r9")
    assert seen["value"].to_list() == pytest.approx(seen["silence"].to_list())
    assert seen.height > 3 and not seen["behind_silence"].any()


@pytest.mark.parametrize("id", VIEWS)
def test_every_view_that_applies_has_a_section(id, asked, pairs):
    view, made = module_of(id), 0
    source = {"reliability": {"analyses": ["sample_size"]}, "judgments": {}, "runs": {}, "options": 4, "cluster": "x"}
    for campaign, facts in (asked[:2], pairs):
        configured = (
            source
            | {"measures": MEASURES[campaign.task]}
            | ({"participants": {}} if "participants" in facts.settings else {})
        )
        if VIEWS[id].applies(facts.task, configured):
            table = view.table_of(facts)
            named = [name for name in view.COLUMNS if "{" not in name]
            assert [name for name in table.columns if name in named] == named
            if table.height:
                section = page.of_view(id, table, facts, facts.folder.name)
                assert section.figures == ([f"views/{id}.svg"] if hasattr(view, "figure") else [])
                assert all((facts.folder / name).exists() for name in section.figures)
                assert section.heading == view.HEADING and len(section.tables[0].cells) == min(table.height, page.MOST)
                made += 1
    assert made


def test_a_view_that_fails_costs_no_other(asked, monkeypatch):
    """Its table has no rows, and the page says why."""

    def fail(facts: Material) -> None:
        raise MemoryError

    views, facts = ["silence", "prices"], asked[1]
    monkeypatch.setattr(module_of("silence"), "table_of", fail)
    given = facts.settings | {"views": views, "policy": facts.policy}
    page.make(Sections(facts.folder.name, "qa", facts.folder, given), [])
    made = {id: pl.read_csv(facts.folder / f"views/{id}.csv").height for id in views}
    assert made["silence"] == 0 < made["prices"]
    assert "This view could not be made: MemoryError." in (facts.folder / "views.md").read_text()


@pytest.mark.parametrize(
    "id",
    [id for id in VIEWS if VIEWS[id].applies(tasks.get("qa"), {"measures": ["c@1"], "reliability": {"analyses": []}})],
)
def test_a_campaign_in_which_no_question_counts_has_every_view(id, tmp_path):
    """All are unscored and excluded, as where assessors share no question and both have to agree."""
    rows = [{"question": f"q{n}", "verdict": "unscored", "confidence": "0.5"} for n in range(4)]
    campaign = Campaign(tmp_path, policy={"unscored": "exclude"}).graded({"r0": rows, "r1": rows})
    facts = material(campaign, ["c@1", "uf"], format="tabular")
    table = module_of(id).table_of(facts)
    if table.height:
        page.of_view(id, table, facts, "none")


def test_the_page_on_views_names_every_view_and_column():
    """docs/views.md says what the records say."""
    text = " ".join((HOME / "docs/views.md").read_text(encoding="utf-8").split())
    for id in VIEWS:
        assert f"| `{id}` |" in text and f"`views/{id}.csv`" in text
        lines = [f"- `{name}`: {' '.join(what.split())}" for name, what in module_of(id).COLUMNS.items()]
        assert [line for line in lines if line not in text] == []


def test_of_questions_asked_several_times_each_sample_counts(tmp_path):
    """Two epochs of ten questions: the loop runs over run, question and epoch."""
    rng, labels = random.Random(14), {"a": "R", "b": "X"}
    names = [f"q{i}" for i in range(10)]
    runs = {
        run: [
            {"question": q, "epoch": e, "answer": rng.choice("abc")}
            for q in names
            for e in (1, 2)
            if rng.random() < 0.9
        ]
        for run in ("r0", "r1", "r2")
    }
    gold = [{"question": q, "answer": a, "label": label} for q in names for a, label in labels.items()]
    campaign = Campaign(tmp_path).judged(runs, {"official": gold}, correct=["R"])
    given = {(run, row["question"], row["epoch"]): row["answer"] for run, rows in runs.items() for row in rows}
    (group,) = owners.owners({"s": ["r0", "r1"]}, [])
    table = systems.gains(campaign.verdicts, "qa", campaign.policy, "official", [group])
    state = lambda answer: {"a": "right", None: "none"}.get(answer, "wrong")  # noqa: E731
    items = [(q, e) for q in names for e in (1, 2)]
    expected = Counter(systems.CHANGES[state(given.get(("r0", *i))), state(given.get(("r1", *i)))] for i in items)
    row = table.row(0, named=True)
    assert row["compared"] == 20 and {name: row[name] for name in systems.CHANGES.values()} == {
        name: expected[name] for name in systems.CHANGES.values()
    }


ORACLES = {
    "participants": test_the_best_run_of_each_participant,
    "silence": test_silence,
}


# Whose oracles are in tests/views/test_answering.py.
ON_ANSWERING = ("guessing", "prices", "risk", "reliability_diagram", "guarantee")


def test_every_view_has_an_oracle():
    assert_a_line_each(VIEWS, [*ORACLES, *ON_ANSWERING], "ORACLES of tests/views/test_views.py: its oracle")
