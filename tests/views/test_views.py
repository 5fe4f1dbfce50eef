"""Views of a campaign, each against a plain loop over its verdicts, judgments or answers."""

import random
from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from conftest import HOME
from every_figure import ON_ANSWERING, unseen
from every_record import assert_a_line_each
from nonresponse import measures, owners, tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.pages.sections import Campaign as Sections
from nonresponse.reliability import systems
from nonresponse.topics import views as page
from nonresponse.views import VIEWS
from nonresponse.views.material import Material, module_of
from pipeline import Campaign

MEASURES = {
    "qa": ["c@1", "accuracy", "uf", "romip_error"],
    "validation": ["e@2", "accuracy"],
    "matching": ["s", "c@1"],
}
REQUIRED = 0.1


def material(campaign: Campaign, ids: list[str], **settings) -> Material:
    """What the workflow would hand to the views, with a required difference and comparisons of every pair."""
    folder = campaign.folder
    tables.write(campaign.counts, folder / "counts.parquet")
    required = pl.DataFrame({"measure": ids, "required_difference": [REQUIRED] * len(ids)})
    tables.write(required, folder / "reliability/sample_size.parquet")
    runs = sorted(set(campaign.counts["run"]) - set(tasks.get(campaign.task).trivial))
    for place, id in enumerate(ids):
        tables.write(campaign.scores(id), folder / f"scores/{id}.parquet")
        rows = [(a, b, p_of(a, b, place)) for a, b in combinations(runs, 2)]
        compared = pl.DataFrame(rows, {"a": pl.String, "b": pl.String, "p_maxt": pl.Float64}, orient="row")
        tables.write(compared, folder / f"reliability/comparisons/{id}.parquet")
    known = {"measures": ids, "official": "official", "trivial": list(tasks.get(campaign.task).trivial), "level": 0.05}
    known |= {"seed": 0, "flips": 500, "options": 4, "tested": ids}
    return Material(tasks.get(campaign.task), folder, campaign.policy, known | settings)


def p_of(a: str, b: str, place: int) -> float | None:
    """Some p of a pair, null now and then."""
    return [0.01, 0.5, 0.02, None][(int(a[1:]) + int(b[1:]) + place) % 4]


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
        "shards": [0],
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


@pytest.fixture(scope="module")
def weighted(tmp_path_factory):
    """Abstracts and articles: one hypothesis, several, or none."""
    folder, rng = tmp_path_factory.mktemp("weighted"), random.Random(13)
    gold = [{"question": f"q{q}", "answer": "a"} for q in range(20)]
    runs = {}
    for i in range(4):
        rows = []
        for q in range(20):
            several = rng.sample("abc", rng.choice([0, 1, 1, 2])) if i else rng.sample("abc", 1)
            rows += [{"question": f"q{q}", "answer": a, "confidence": f"{1 / len(several)}"} for a in several]
        runs[f"r{i}"] = rows
    campaign = Campaign(folder, "matching").judged(runs, {"official": gold}, correct=[])
    return campaign, material(campaign, MEASURES["matching"], shards=[0]), runs


def of_official(campaign: Campaign) -> dict:
    """The rows of the verdicts by run, question and candidate."""
    rows = read_verdicts(campaign.verdicts).rows().filter(assessor="official").iter_rows(named=True)
    return {(row["run"], row["question"], row["candidate"]): row for row in rows}


def values(campaign: Campaign, id: str, assessor: str = "official") -> dict:
    found = dict(campaign.values(id).filter(assessor=assessor).select("run", "value").iter_rows())
    return {run: value for run, value in found.items() if run not in tasks.get(campaign.task).trivial}


def test_labels(asked):
    _campaign, facts, gold, runs = asked
    table = module_of("labels").table_of(facts)
    labels = {(row["question"], row["answer"]): row["label"] for row in gold["official"]}
    assert {*table["run"]} == {*runs}
    for row in table.iter_rows(named=True):
        given = {answer["question"]: answer["answer"] for answer in runs[row["run"]]}
        counted: Counter = Counter()
        for question in {name for name, _ in labels}:
            answer = given.get(question, "")
            other = {"NIL": "NIL", "": "not_answered"}.get(answer, "not_judged")
            counted[labels.get((question, answer), other)] += 1
        columns = ["R", "W", "U", "X", "NIL", "not_judged", "error", "not_answered"]
        assert {name: row[name] for name in columns} == {name: counted[name] for name in columns}
        assert sum(counted.values()) == row["n"] == row["n_ac"] + row["n_aw"] + row["n_u"]
    judged = table.select(pl.sum("R", "W", "U", "X")).row(0)
    (sentence,) = module_of("labels").sentences(table, facts)
    assert sentence.startswith(f"Of {sum(judged):,} judged answers of all runs: R ")


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


def test_pairs_that_two_measures_order_differently(asked):
    campaign, facts, *_ = asked
    table = module_of("orders").table_of(facts)
    for (i, one), (j, other) in combinations(enumerate(MEASURES["qa"]), 2):
        x, y = values(campaign, one), values(campaign, other)
        sign_x, sign_y = (1 if measures.get("qa", id).higher_is_better else -1 for id in (one, other))
        expected = {}
        for a in x:
            for b in x:
                if sign_x * (x[a] - x[b]) > 1e-12 and sign_y * (y[a] - y[b]) < -1e-12:
                    pair = sorted((a, b))
                    expected[a, b] = (x[a], x[b], y[a], y[b], p_of(*pair, i), p_of(*pair, j))
        rows = table.filter(measure=one, other_measure=other)
        counted = ["pairs", "pairs_significant"]
        assert {row[:2]: row[2:] for row in rows.drop("measure", "other_measure", *counted).iter_rows()} == expected
        both = [values for values in expected.values() if None not in values]
        told = sum(max(values[4:]) <= 0.05 for values in both) if both else None  # where nothing was tested
        assert set(rows.select(counted).rows()) <= {(len(expected), told)}
    assert table.height > 5


def test_swapped_pairs_and_the_required_difference(asked):
    campaign, facts, *_ = asked
    table = module_of("required").table_of(facts)
    assert table.select("measure", "assessor", "other_assessor").rows() == [
        (id, "official", "other") for id in MEASURES["qa"]
    ]
    for row in table.iter_rows(named=True):
        x, y = (values(campaign, row["measure"], name) for name in ("official", "other"))
        swapped = [
            abs(x[a] - x[b])
            for a, b in combinations(x, 2)
            if abs(x[a] - x[b]) > 1e-12 and (x[a] - x[b]) * (y[a] - y[b]) < -1e-15
        ]
        assert row["swaps"] == len(swapped)
        assert row["swaps_required"] == sum(round(d, 9) >= REQUIRED for d in swapped)
        assert row["swaps_005"] == sum(round(d, 9) >= 0.05 for d in swapped)
        assert row["swaps_007"] == sum(round(d, 9) >= 0.07 for d in swapped)
        assert row["largest_difference"] == (pytest.approx(max(swapped)) if swapped else None)
        assert row["required_difference"] == REQUIRED


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


def test_perfect_selection_among_runs(asked):
    campaign, facts, *_ = asked
    rows = of_official(campaign)
    right = {
        run: {q for (r, q, _), row in rows.items() if r == run and row["verdict"] == "correct"} for run, _, _ in rows
    }
    some, questions = set().union(*right.values()), {question for _, question, _ in rows}
    table = module_of("combination").table_of(facts)
    assert {*table["run"]} == {*right}
    for row in table.iter_rows(named=True):
        others = set().union(*[own for run, own in right.items() if run != row["run"]])
        assert row["right"] == len(right[row["run"]]) and row["right_alone"] == len(right[row["run"]] - others)
        assert (row["possible_right"], row["all_questions"], row["questions"]) == (
            len(some),
            len(questions),
            len(questions),
        )
        assert row["potential_gain"] == pytest.approx((len(some) - len(right[row["run"]])) / len(questions))
        assert row["possible"] == pytest.approx(len(some) / len(questions))
    (sentence,) = module_of("combination").sentences(table, facts)
    best = max(right, key=lambda run: len(right[run]))
    assert sentence.startswith(f"{len(some)} of {len(questions)} questions") and f"best run, {best}, has" in sentence


def test_a_single_question_is_said_to_be_one(tmp_path):
    rows = [{"question": "q0", "verdict": "correct"}, {"question": "q1", "verdict": "wrong"}]
    for folder, own, said in (("a", rows, "1 of 2 questions (50 %) is"), ("b", rows[:1], "1 of 1 question (100 %) is")):
        facts = material(Campaign(tmp_path / folder).graded({"r0": own, "r1": own}), ["accuracy"], format="tabular")
        (sentence,) = module_of("combination").sentences(module_of("combination").table_of(facts), facts)
        assert sentence.startswith(f"{said} answered correctly by some run")
        alone = material(Campaign(tmp_path / f"{folder}alone").graded({"r0": own}), ["accuracy"], format="tabular")
        assert module_of("combination").sentences(module_of("combination").table_of(alone), alone) == []


def test_perfect_selection_among_runs_that_answer_several_times(tmp_path):
    """The oracle chooses a run for each question, with all of its epochs, of which some runs have fewer than others.

    Counted in samples, there were 36 questions where there were 12, and samples right that the other run never had.
    """
    rng, names = random.Random(14), [f"q{i:02}" for i in range(12)]
    runs = {
        run: [
            {"question": q, "epoch": e, "verdict": rng.choice(["correct", "wrong", "unanswered"])}
            for q in names
            for e in range(1, 1 + epochs)
        ]
        for run, epochs in (("r0", 3), ("r1", 1), ("r2", 2))
    }
    share = {}  # right answers of a run to a question, of its epochs
    for run, rows in runs.items():
        for q in names:
            own = [row["verdict"] == "correct" for row in rows if row["question"] == q]
            share[run, q] = sum(own) / len(own)
    facts = material(Campaign(tmp_path).graded(runs), ["accuracy"], format="tabular")
    best = sum(max(share[run, q] for run in runs) for q in names)
    table = module_of("combination").table_of(facts)
    for row in table.iter_rows(named=True):
        own = sum(share[row["run"], q] for q in names)
        alone = [q for q in names if share[row["run"], q] and not any(share[r, q] for r in runs if r != row["run"])]
        assert (row["questions"], row["all_questions"], row["right_alone"]) == (12, 12, len(alone))
        found = [row[name] for name in ("right", "accuracy", "possible_right", "possible", "potential_gain")]
        assert found == pytest.approx([own, own / 12, best, best / 12, (best - own) / 12])
    (sentence,) = module_of("combination").sentences(table, facts)
    assert (
        sentence.startswith(f"{round(best, 2):g} of 12 questions") and "by the run that is best on each; " in sentence
    )
    scores = dict(facts.scores("accuracy").iter_rows())
    assert {run: scores[run] for run in runs} == pytest.approx(dict(table.select("run", "accuracy").iter_rows()))


def test_perfect_selection_among_candidates(pairs):
    campaign, facts = pairs
    rows = of_official(campaign)
    known = {(q, c): row["positive"] for (_, q, c), row in rows.items() if row["positive"] is not None}
    possible = {q for (q, _), right in known.items() if right}
    table = module_of("combination").table_of(facts)
    assert sorted(table["run"]) == ["r0", "r1", "r2", "r3"], "without the trivial runs"
    for row in table.iter_rows(named=True):
        right = {q for (r, q, c), it in rows.items() if r == row["run"] and it["selected"] and known.get((q, c))}
        asked_ = {q for q, _ in known}
        assert (row["right"], row["questions"], row["possible_right"]) == (len(right), len(asked_), len(possible))
        assert row["accuracy"] == pytest.approx(len(right) / len(asked_))


def test_nil_answers_in_the_order_of_confidence(asked):
    campaign, facts, *_ = asked
    rows = of_official(campaign)
    table = module_of("nil_places").table_of(facts)
    assert set(table["run"]) == {run for (run, _, _), row in rows.items() if row["nil"]}
    for row in table.iter_rows(named=True):
        own = [it for (run, _, _), it in rows.items() if run == row["run"]]
        sure = lambda it: (it["verdict"] != "unanswered", it["confidence"] if it["verdict"] != "unanswered" else 0)  # noqa: E731
        tenths, places = Counter(), []
        for it in own:
            if it["nil"]:
                before, same = sum(sure(x) > sure(it) for x in own), sum(sure(x) == sure(it) for x in own)
                place = before + (same + 1) / 2
                places.append(place / len(own))
                tenths[next(t for t in range(1, 11) if place - 0.5 <= t * len(own) / 10)] += 1
        assert row["nil_answers"] == len(places) and row["nil_right"] == sum(
            it["nil"] and it["verdict"] == "correct" for it in own
        )
        assert [row[f"tenth_{t}"] for t in range(1, 11)] == [tenths[t] for t in range(1, 11)]
        assert row["mean_place"] == pytest.approx(sum(places) / len(places))


def test_reading_tests(asked):
    campaign, facts, *_ = asked
    table = module_of("reading_tests").table_of(facts)
    assert {*table["run"]} == {run for run, _, _ in of_official(campaign)}
    test = dict(pl.read_parquet(facts.folder / "questions.parquet").select("question", "cluster").iter_rows())
    for row in table.iter_rows(named=True):
        scores = []
        for name in sorted({it for it in test.values() if it}):
            own = [
                it["verdict"]
                for (run, q, _), it in of_official(campaign).items()
                if run == row["run"] and test[q] == name
            ]
            right = own.count("correct") / len(own)
            scores.append(right + own.count("unanswered") / len(own) * right)
            assert row[f"c@1 of {name}"] == pytest.approx(scores[-1])
        assert (row["tests"], row["passed"]) == (5, sum(score >= 0.5 for score in scores))
        assert (row["lowest"], row["highest"]) == pytest.approx((min(scores), max(scores)))
        assert row["median"] == pytest.approx(sorted(scores)[2])
    assert {*table["passed"]} - {0, 5}
    best = max(table.iter_rows(named=True), key=lambda row: (row["passed"], row["median"]))
    assert (
        module_of("reading_tests")
        .sentences(table, facts)[0]
        .startswith(f"{best['run']} passes {best['passed']} of 5 tests")
    )


def test_hypotheses(weighted):
    campaign, facts, runs = weighted
    rows = of_official(campaign)
    table = module_of("hypotheses").table_of(facts)
    assert {*table["run"]} == {*runs}
    for row in table.iter_rows(named=True):
        number = Counter(answer["question"] for answer in runs[row["run"]])
        right = sum(it["verdict"] == "correct" for (run, _, _), it in rows.items() if run == row["run"])
        assert (row["proposed"], row["hypotheses"], row["most"]) == (len(number), number.total(), max(number.values()))
        assert row["several"] == sum(n > 1 for n in number.values()) and row["one_each"] == (row["several"] == 0)
        assert row["right"] == right
        assert row["precision"] == pytest.approx(right / len(number)) and row["share_right"] == pytest.approx(
            right / 20
        )
    (sentence,) = module_of("hypotheses").sentences(table, facts)
    assert sentence.startswith("Three of 4 runs give several hypotheses to some question;")


def test_roc_points(pairs):
    campaign, facts = pairs
    rows = of_official(campaign)
    table = module_of("roc").table_of(facts)
    assert {*table["run"]} == {run for run, _, _ in rows}
    for run, trivial, rate, recall, above in table.iter_rows():
        cells = Counter(
            (it["positive"], it["verdict"]) for (r, _, _), it in rows.items() if r == run and it["positive"] is not None
        )
        wrong = cells[False, "wrong"] + cells[False, "correct"]
        right = cells[True, "wrong"] + cells[True, "correct"]
        assert rate == pytest.approx(cells[False, "wrong"] / wrong) and recall == pytest.approx(
            cells[True, "correct"] / right
        )
        assert above == pytest.approx(recall - rate) and trivial == (run in ("accept-all", "reject-all"))
    points = {run: (rate, recall) for run, _, rate, recall, _ in table.iter_rows()}
    assert (points["accept-all"], points["reject-all"]) == ((1, 1), (0, 0))


@pytest.mark.parametrize("id", VIEWS)
def test_every_view_that_applies_has_a_section(id, asked, pairs, weighted):
    view, made = module_of(id), 0
    source = {"reliability": {"analyses": ["sample_size"]}, "judgments": {}, "runs": {}, "options": 4, "cluster": "x"}
    for campaign, facts in (asked[:2], pairs, weighted[:2]):
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

    views, facts = ["orders", "silence", "labels"], asked[1]
    monkeypatch.setattr(module_of("silence"), "table_of", fail)
    given = facts.settings | {"views": views, "policy": facts.policy}
    page.make(Sections(facts.folder.name, "qa", facts.folder, given), [])
    made = {id: pl.read_csv(facts.folder / f"views/{id}.csv").height for id in views}
    assert made.pop("silence") == 0 and min(made.values()) > 0
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
    """Two epochs of ten questions: the loops run over run, question and epoch."""
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
    rules = {"correct": ["R"], "partial": [], "closed": False}
    facts = material(campaign, ["accuracy", "c@1"], meaning=rules, shards=[0], format="tabular")
    given = {(run, row["question"], row["epoch"]): row["answer"] for run, rows in runs.items() for row in rows}
    for row in module_of("labels").table_of(facts).iter_rows(named=True):
        counted = Counter(a for (run, *_), a in given.items() if run == row["run"])
        assert (row["R"], row["X"], row["not_judged"]) == (counted["a"], counted["b"], counted["c"])
        assert row["not_answered"] == 20 - counted.total() and row["n"] == 10
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
    "labels": test_labels,
    "participants": test_the_best_run_of_each_participant,
    "orders": test_pairs_that_two_measures_order_differently,
    "required": test_swapped_pairs_and_the_required_difference,
    "silence": test_silence,
    "combination": test_perfect_selection_among_runs,
    "nil_places": test_nil_answers_in_the_order_of_confidence,
    "reading_tests": test_reading_tests,
    "hypotheses": test_hypotheses,
    "roc": test_roc_points,
}
UNSEEN: dict[str, set[str]] = {}


def test_every_view_has_an_oracle():
    assert_a_line_each(VIEWS, [*ORACLES, *ON_ANSWERING], "ORACLES of tests/views/test_views.py: its oracle")


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=pytest.mark.slow if id == "reading_tests" else ()) for id in ORACLES]
)
def test_the_oracle_sees_every_figure_that_changes(id, request):
    passed_over = unseen(id, ORACLES[id], request)
    assert passed_over == UNSEEN.get(id, set()), "extend the oracle, or say in UNSEEN what it passes over, and why"
