"""The views on when to answer, each against a plain loop over a run's answers: prices, risk, calibration, cut-offs."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from statistics import mean

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import tables, tasks
from nonresponse.judging.store import of_rows, read_verdicts, write_verdicts
from nonresponse.views import prices
from nonresponse.views.material import Material, module_of
from nonresponse.wording import amount, percent
from pipeline import Campaign
from scipy.stats import beta, binom

MEASURES = ["c@1", "uf", "penalty@0.75", "accuracy", "precision_answered", "aurc", "ece@10"]
NAMES = [f"q{i:02}" for i in range(60)]


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Five runs: with ties, without, with positions, without any of these, and one that is silent on everything."""
    folder, rng = tmp_path_factory.mktemp("answering"), random.Random(3)
    runs = {}
    for i in range(5):
        cut, skill = 0.1 * i, 0.7 - 0.1 * i
        rows = []
        for place, q in enumerate(rng.sample(NAMES, len(NAMES))):
            sure = round(rng.random(), 1) if i == 0 else rng.random()
            answer = "a" if rng.random() < skill * (0.5 + sure) else "b"
            row = {"question": q, "answer": "" if i == 4 or sure < cut else answer}
            row |= {"position": place + 1} if i == 2 else {"confidence": f"{sure}"} if i < 2 else {}
            rows.append(row)
        runs[f"r{i}"] = rows
    gold = [{"question": q, "answer": a, "label": label} for q in NAMES for a, label in (("a", "R"), ("b", "W"))]
    campaign = Campaign(folder).judged(runs, {"official": gold}, correct=["R"])
    tables.write(campaign.counts, folder / "counts.parquet")
    for id in MEASURES:
        tables.write(campaign.scores(id), folder / f"scores/{id}.parquet")
    known = {"measures": MEASURES, "official": "official", "trivial": [], "seed": 7, "flips": 500, "level": 0.05}
    return campaign, Material(tasks.get("qa"), folder, campaign.policy, known), runs


def rights(run: list[dict]) -> dict[str, bool]:
    """Of the answered questions, whether the answer is right."""
    return {row["question"]: row["answer"] == "a" for row in run if row["answer"]}


def standing(run: list[dict]) -> dict[str, float]:
    """What orders the questions, more is surer."""
    return {row["question"]: -row["position"] if "position" in row else float(row["confidence"]) for row in run}


def value(campaign: Campaign, id: str) -> dict:
    return dict(campaign.values(id).select("run", "value").iter_rows())


def worth(run: list[dict], t: Fraction) -> Fraction:
    right = sum(rights(run).values())
    return (right - (len(rights(run)) - right) * t / (1 - t)) / Fraction(len(run))


def test_which_run_is_best_at_which_price(asked):
    _, facts, runs = asked
    table = module_of("prices").table_of(facts)
    assert table["price_from"][0] == 0 and table["price_to"][:-1].equals(table["price_from"][1:], check_names=False)
    assert table["confidence_to"][-1] == 1 and table["price_to"][-1] is None
    for step in range(1, 100):
        t = Fraction(2 * step + 1, 202)
        worths = {name: worth(run, t) for name, run in runs.items()} | {None: Fraction(0)}
        expected = {name for name, its in worths.items() if its == max(worths.values())}
        there = table.filter(pl.col("confidence_from") <= float(t), pl.col("confidence_to") > float(t))
        assert there.height == 1, t
        row = there.row(0, named=True)
        assert {*(row["best"] or [None])} == ({None} if None in expected else expected), t
        price = float(t / (1 - t))
        assert row["right"] - row["wrong"] * price == pytest.approx(float(max(worths.values())))
        assert row["value"] == pytest.approx(row["right"] - row["wrong"] * row["price_from"])
        assert row["confidence_from"] == pytest.approx(row["price_from"] / (1 + row["price_from"]))
    assert (
        module_of("prices")
        .sentences(table, facts)[0]
        .startswith(f"By right − price · wrong for a question, the best is {table['best'][0].item()} below ")
    )
    assert module_of("prices").table_of(facts).equals(table)


SHARES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=8)


@settings(max_examples=80, deadline=None)
@given(rows=SHARES)
def test_the_best_runs_are_the_upper_envelope_of_lines(rows):
    """At every price between two meetings of lines, exactly one of the runs named is best, or its equals."""
    found = prices.best_runs([(float(c), float(w)) for c, w in rows])
    starts = [start for _, start in found]
    assert starts[0] == 0 and starts == sorted(set(starts))
    meetings = {Fraction(c - d, w - v) for c, w in rows for d, v in rows if w > v and c > d}
    marks = [Fraction(0), *sorted(meetings), max(meetings, default=Fraction(0)) + 2]
    for price in [(a + b) / 2 for a, b in pairwise(marks)]:
        t = float(price / (1 + price))
        place = [i for i, start in found if start <= t][-1]
        assert rows[place][0] - rows[place][1] * price == max(c - w * price for c, w in rows)


def test_risk_and_coverage(asked):
    campaign, facts, runs = asked
    table = module_of("risk").table_of(facts)
    assert set(table["run"]) == {"r0", "r1", "r2", "r3"}, "the silent run has no answers"
    for name in ("r0", "r1", "r2"):
        right, sure = rights(runs[name]), standing(runs[name])
        rows = table.filter(run=name)
        assert rows["answers"].to_list() == list(range(1, len(right) + 1))
        for row in rows.iter_rows(named=True):
            k = row["answers"]
            edge = sorted((sure[q] for q in right), reverse=True)[k - 1]
            above = [not right[q] for q in right if sure[q] > edge]
            tied = [not right[q] for q in right if sure[q] == edge]
            wrong = sum(above) + Fraction(sum(tied), len(tied)) * (k - len(above))
            assert row["risk"] == pytest.approx(float(wrong / k)) and row["down_to"] == edge
            assert row["coverage"] == pytest.approx(k / len(NAMES)) and row["own"] == (k == len(right))
        # The mean of all risks is aurc; where it stands in the curve, risk is risk@cov.
        assert rows["risk"].mean() == pytest.approx(value(campaign, "aurc")[name])
        half = rows.filter(answers=30)["risk"]
        assert half.item() == pytest.approx(value(campaign, "risk@0.5")[name]) if half.len() else True
    right = rights(runs["r3"])
    [(answers, risk)] = table.filter(run="r3").select("answers", "risk").iter_rows()
    assert (answers, risk) == (len(right), pytest.approx(1 - sum(right.values()) / len(right)))


def test_a_curve_has_at_most_100_points_and_its_last_is_the_run(tmp_path):
    n = 437
    names = [f"q{i:03}" for i in range(n)]
    rows = [{"question": q, "answer": "a", "confidence": f"{(i * 7 % n) / n}"} for i, q in enumerate(names)]
    gold = [{"question": q, "answer": "a", "label": "RW"[i % 2]} for i, q in enumerate(names)]
    campaign = Campaign(tmp_path).judged({"r": rows}, {"official": gold}, correct=["R"])
    tables.write(campaign.counts, tmp_path / "counts.parquet")
    tables.write(campaign.scores("c@1"), tmp_path / "scores/c@1.parquet")
    facts = Material(tasks.get("qa"), tmp_path, campaign.policy, {"measures": ["c@1"], "official": "official"})
    table = module_of("risk").table_of(facts)
    assert table.height == 100 and table["answers"].is_sorted() and table["own"].to_list() == [False] * 99 + [True]
    assert table["answers"][-1] == n and table["risk"][-1] == pytest.approx((n // 2) / n)


def again(folder, runs: dict[str, list[int]], ids: list[str], **policy) -> tuple[Campaign, Material, dict]:
    """Runs that were asked their questions so many times each, with ties; some samples are silent, some unscored."""
    draw, rows = random.Random(8), {}
    for run, times in runs.items():
        rows[run] = [
            {
                "question": f"q{place:02}",
                "epoch": str(epoch),
                "verdict": draw.choices(["correct", "wrong", "unanswered", "unscored"], [5, 4, 2, 1])[0],
                "confidence": "" if run == "unsure" else str(draw.randint(1, 40) / 50),
            }
            for place, number in enumerate(times)
            for epoch in range(1, number + 1)
        ]
    campaign = Campaign(folder, policy=policy).graded(rows)
    tables.write(campaign.counts, folder / "counts.parquet")
    for id in ids:
        tables.write(campaign.scores(id), folder / f"scores/{id}.parquet")
    known = {"measures": ids, "official": "official", "trivial": [], "seed": 7, "flips": 500, "level": 0.05}
    return campaign, Material(tasks.get("qa"), folder, campaign.policy, known), rows


EPOCHS = {
    "equal": {"a": [3] * 40, "b": [2] * 40, "unsure": [3] * 40},
    "unequal": {"a": [1, 4] * 20, "b": [5] * 10 + [1] * 30, "unsure": [3, 1] * 20},
}


@pytest.mark.parametrize("unscored", ["wrong", "exclude"])
@pytest.mark.parametrize("epochs", EPOCHS)
def test_risk_where_questions_were_asked_several_times(epochs, unscored, tmp_path):
    """A sample is a part of its question: the last row is the run as counts and the view of prices have it."""
    campaign, facts, runs = again(tmp_path, EPOCHS[epochs], ["c@1"], unscored=unscored)
    table = module_of("risk").table_of(facts)
    whole = {}
    for name, rows in runs.items():
        n_ac, n_aw, n = campaign.count(name, "n_ac", "n_aw", "n")
        last = table.filter("own", run=name).row(0, named=True)
        whole[name] = [last["coverage"], last["risk"]]
        assert [last["answers"], *whole[name]] == pytest.approx([n_ac + n_aw, (n_ac + n_aw) / n, n_aw / (n_ac + n_aw)])
        if name == "unsure":
            continue
        asked = [row["question"] for row in rows]
        kept = ["correct", "wrong"] + ["unscored"] * (unscored == "wrong")
        given = [row for row in rows if row["verdict"] in kept]
        for row in table.filter(run=name).iter_rows(named=True):
            above, tied = (
                [
                    (Fraction(1, asked.count(it["question"])), it["verdict"] != "correct")
                    for it in given
                    if (float(it["confidence"]) == row["down_to"] if same else float(it["confidence"]) > row["down_to"])
                ]
                for same in (False, True)
            )
            whole_of, wrong_of = (sum(part for part, wrong in tied if wrong or every) for every in (True, False))
            answers, wrong = (sum(part for part, wrong in above if wrong or every) for every in (True, False))
            within = Fraction(row["answers"]).limit_denominator(10**6) - answers
            assert 0 <= within <= whole_of and row["coverage"] == pytest.approx(row["answers"] / n)
            assert row["risk"] == pytest.approx(float(wrong + wrong_of * within / whole_of) / row["answers"])
    first, second, third = module_of("risk").sentences(table, facts)
    run = next(run for run in facts.counts["run"] if run != "unsure")
    coverage, risk = (percent(share) for share in whole[run])
    assert first.startswith(f"{run} answers {coverage} of the questions, and {risk} of its answers are wrong; of its ")
    assert second.startswith(f"Of each run's {amount(min(table.filter('own', pl.col('run') != 'unsure')['answers']))} ")
    assert third == "Of several answers to a question, each counts as a part of one answer."


def test_the_bins_of_the_reliability_diagram_are_those_of_ece(asked):
    campaign, facts, runs = asked
    table = module_of("reliability_diagram").table_of(facts)
    assert set(table["run"]) == {"r0", "r1"}
    for name in ("r0", "r1"):
        right, sure = rights(runs[name]), standing(runs[name])
        rows = table.filter(run=name)
        for row in rows.iter_rows(named=True):
            low, high = Fraction(row["bin"] - 1, 10), Fraction(row["bin"], 10)
            decimal = {q: Fraction(str(sure[q])) for q in right}
            own = [q for q in right if low < decimal[q] <= high or (row["bin"] == 1 and decimal[q] == 0)]
            assert row["answers"] == len(own)
            assert row["confidence"] == pytest.approx(mean(sure[q] for q in own))
            assert row["right_share"] == pytest.approx(mean(right[q] for q in own))
        assert rows["answers"].sum() == len(right)
        ece = (rows["over"].abs() * rows["answers"]).sum() / len(right)
        assert ece == pytest.approx(value(campaign, "ece@10")[name])


def test_runs_without_self_scores_have_no_curves(tmp_path):
    rows = [{"question": q, "answer": "a"} for q in NAMES]
    gold = [{"question": q, "answer": "a", "label": "R"} for q in NAMES]
    campaign = Campaign(tmp_path).judged({"r": rows}, {"official": gold}, correct=["R"])
    tables.write(campaign.counts, tmp_path / "counts.parquet")
    tables.write(campaign.scores("c@1"), tmp_path / "scores/c@1.parquet")
    known = {"measures": ["c@1"], "official": "official", "seed": 1}
    facts = Material(tasks.get("qa"), tmp_path, campaign.policy, known)
    for id in ("risk", "reliability_diagram"):
        table = module_of(id).table_of(facts)
        assert table.is_empty() and table.columns == list(module_of(id).COLUMNS), id


def sentences(id: str, campaign: Campaign, folder, ids: list[str]) -> list[str]:
    """What the view says of a campaign."""
    tables.write(campaign.counts, folder / "counts.parquet")
    for measure in ids:
        tables.write(campaign.scores(measure), folder / f"scores/{measure}.parquet")
    known = {"measures": ids, "official": "official", "seed": 1, "flips": 500, "level": 0.05}
    facts = Material(tasks.get("qa"), folder, campaign.policy, known)
    return module_of(id).sentences(module_of(id).table_of(facts), facts)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (
            {"bold": "aaabb", "shy": "a----"},
            {
                "prices": [
                    "By right − price · wrong for a question, the best is bold below 1.00 and shy from 1.00 on.",
                ],
                "risk": [
                    "bold answers 100 % of the questions, and 40 % of its answers are wrong; of its 3 surest answers,"
                    " 0 % are.",
                    "Of each run's surest answer, as many are wrong with all runs, 0 %.",
                ],
                "guarantee": [
                    "No run has a cut-off above which at most 10 % of its answers are wrong, with 95 % confidence."
                ],
            },
        ),
    ],
)
def test_sentences(answers, said, tmp_path):
    runs = {
        name: [
            {"question": f"q{i}", "answer": a.strip("-"), "confidence": f"{0.9 - i / 10}"} for i, a in enumerate(row)
        ]
        for name, row in answers.items()
    }
    gold = [
        {"question": f"q{i}", "answer": a, "label": label} for i in range(5) for a, label in (("a", "R"), ("b", "W"))
    ]
    campaign = Campaign(tmp_path).judged(runs, {"official": gold}, correct=["R"])
    for id, expected in said.items():
        assert sentences(id, campaign, tmp_path, ["uf"]) == expected


@pytest.mark.slow
@pytest.mark.parametrize("id", ["guessing", "risk"])
def test_the_same_bytes_on_any_number_of_threads(asked, tmp_path, monkeypatch, id):
    """Of verdicts in many row groups, which threads read side by side and add in any order."""
    campaign, facts, _ = asked
    draw, copies = np.random.default_rng(5), pl.DataFrame({"copy": range(300)})
    rows = read_verdicts(campaign.verdicts).rows().join(copies, how="cross")
    rows = rows.with_columns(
        question=pl.format("{} {}", "question", "copy"),
        confidence=pl.when(pl.col("confidence").is_not_null()).then(pl.Series(draw.random(rows.height))),
        nil=pl.Series(draw.random(rows.height) < 0.5),
    )
    write_verdicts(tmp_path / "verdicts.npz", of_rows(rows.drop("copy"), "qa"))
    options = rows.select(pl.col("question").unique(maintain_order=True)).with_columns(
        options=pl.int_range(pl.len()) % 13 + 2, cluster=pl.lit(None, pl.String)
    )
    options.write_parquet(tmp_path / "questions.parquet", row_group_size=1000)
    tables.write(campaign.counts, tmp_path / "counts.parquet")
    tables.write(campaign.scores("c@1"), tmp_path / "scores/c@1.parquet")
    found = set()
    for threads in ("1", "4", "4"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        known = facts.settings | {"measures": ["c@1"], "options": {"column": "options"}}
        found.add(tables.as_csv(module_of(id).table_of(Material(facts.task, tmp_path, facts.policy, known))))
    assert len(found) == 1


@cache
def fewest(risk: float) -> int:
    """How many answers are enough, if half as many are wrong as the risk allows."""
    return next(n for n in range(1, 999) if binom.cdf(int(n * risk / 2), n, risk) <= 0.05)


def held(right: list[bool], sure: list[float], risk: float) -> tuple:
    """above, answers, wrong and at_most of `guarantee`: cut-offs from the surest on, until the first that fails."""
    last = (None,) * 4
    ends = [k for k in range(1, len(right) + 1) if k == len(right) or sure[k] < sure[k - 1]]
    ends = [k for k in ends if k >= min(fewest(risk), len(right))]
    apart = max(-(-len(ends) // 50), 1)  # at most 50 are tried, all answers among them
    for k in [k for place, k in enumerate(ends, 1) if (len(ends) - place) % apart == 0]:
        wrong = k - sum(right[:k])
        if binom.cdf(wrong, k, risk) > 0.05:
            break
        most = beta.ppf(0.95, wrong + 1, k - wrong)
        last = (sure[k] if k < len(right) else None, k, wrong, pytest.approx(most))
    return last


@pytest.fixture(scope="module")
def sure(tmp_path_factory):
    """A run that is right as often as it is sure, on 300 questions of two categories; the verdicts come with it."""
    folder, rng = tmp_path_factory.mktemp("sure"), random.Random(5)
    rows = []
    for place in range(300):
        confidence = round(1 - rng.random() ** 3, 3)
        verdict = "correct" if rng.random() < confidence else "wrong"
        row = {"question": f"q{place:03}", "verdict": verdict, "confidence": str(confidence)}
        rows.append(row | {"category": "ab"[place % 3 == 0]})
    known = {"measures": ["c@1"], "official": "official", "trivial": [], "seed": 1, "level": 0.05}
    campaign = Campaign(folder).graded({"r": rows})
    tables.write(campaign.counts, folder / "counts.parquet")
    tables.write(campaign.scores("c@1"), folder / "scores/c@1.parquet")
    return Material(tasks.get("qa"), folder, campaign.policy, known), rows


def test_cut_offs_that_keep_a_risk(sure):
    facts, rows = sure
    expected = {}
    for name in (None, "a", "b"):
        own = sorted((it for it in rows if name in (None, it["category"])), key=lambda it: -float(it["confidence"]))
        standings, right = [float(it["confidence"]) for it in own], [it["verdict"] == "correct" for it in own]
        for risk in (0.05, 0.1, 0.2):
            found = held(right, standings, risk)
            expected |= {("r", name, risk): found} if name is None or found[1] is not None else {}
    table = module_of("guarantee").table_of(facts)
    assert {row[:3]: row[3:] for row in table.rows()} == expected
    assert table["category"].n_unique() == 3 and table["above"].is_not_null().any()


def guaranteed(folder, rows: list[dict], clusters: dict[str, str], more: list[dict]) -> tuple[pl.DataFrame, list[str]]:
    """The table and sentences of a campaign with these rows of run r, and others of run s."""
    campaign = Campaign(folder).graded({"r": rows} | ({"s": more} if more else {}))
    campaign.write_questions([{"question": name, "cluster": cluster} for name, cluster in clusters.items()])
    tables.write(campaign.counts, folder / "counts.parquet")
    tables.write(campaign.scores("c@1"), folder / "scores/c@1.parquet")
    known = {"measures": ["c@1"], "official": "official", "trivial": [], "seed": 1, "level": 0.05}
    known |= {"clustered": bool(clusters)}
    facts = Material(tasks.get("qa"), folder, campaign.policy, known)
    table = module_of("guarantee").table_of(facts)
    return table, module_of("guarantee").sentences(table, facts)


def right_ones(names: list[str], **more: str) -> list[dict]:
    """Right answers to the questions, each less sure than the one before."""
    return [
        {"question": q, "verdict": "correct", "confidence": f"{0.99 - i / 1000}"} | more for i, q in enumerate(names)
    ]


def test_the_sentence_says_what_the_table_says(tmp_path):
    """60 right answers keep a risk of 10 %, though the first of several cut-offs would have 76."""
    table, [said] = guaranteed(tmp_path, right_ones(NAMES), {}, [])
    assert table.filter(risk=0.1).select("answers", "wrong").rows() == [(60, 0)]
    assert said.startswith("If r gives all its answers, at most 10 % of its answers are wrong")


@pytest.mark.parametrize("alike", ["epochs", "clusters"])
def test_answers_that_are_alike_guarantee_nothing(alike, tmp_path):
    """100 answers to ten questions, or to the questions of ten clusters; a run with one of each is tested."""
    names = [f"q{i:03}" for i in range(100)]
    rows, clusters = right_ones(names), {name: name[:3] for name in names}
    if alike == "epochs":
        rows, clusters = [row for e in range(1, 11) for row in right_ones(names[:10], epoch=str(e))], {}
    table, said = guaranteed(tmp_path / "r", rows, clusters, [])
    assert table.height == 3 and table["answers"].is_null().all()
    assert said == [
        "No cut-off is tested for 1 run with several answers to a question, or to the questions of a cluster: these are"
        " alike, and tell less than as many answers to other questions."
    ]
    if alike == "clusters":
        one_each = [row | {"verdict": "correct" if row["question"][-1] == "0" else "unanswered"} for row in rows]
        table, [first, second] = guaranteed(tmp_path / "s", rows, clusters, one_each)
        assert table.filter(run="r")["answers"].is_null().all() and "1 run with several" in second
        assert first.startswith("No run has a cut-off above")


def test_beside_guessing(asked):
    campaign, facts, runs = asked
    table = module_of("guessing").table_of(replace(facts, settings=facts.settings | {"options": 4}))
    assert table["run"].to_list() == [run for run in facts.counts["run"] if run in runs]
    for row in table.iter_rows(named=True):
        run = runs[row["run"]]
        right, silent = sum(rights(run).values()) / len(run), 1 - len(rights(run)) / len(run)
        found = {"chance": 0.25, "accuracy": right, "chance_corrected": (right - 0.25) / 0.75}
        found |= {"c@1": value(campaign, "c@1")[row["run"]], "had_it_guessed": right + silent / 4}
        assert {name: row[name] for name in found} == pytest.approx(found)
        assert row["gained"] == pytest.approx(row["c@1"] - row["had_it_guessed"])
