"""The sentences that come first, held against the tables that they speak of."""

import itertools
import re

import numpy as np
import polars as pl
import pytest
from nonresponse import measures, tasks
from nonresponse.pages import answer
from nonresponse.scoring.leaderboard import with_rank
from nonresponse.statistics import unpaired

QA = tasks.get("qa")
LEVEL = 0.05


def campaign(seed: int, runs: int, id: str, compared: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A leaderboard and its pairs, with random counts, intervals and p; for some pairs p is unknown."""
    draw, first = np.random.default_rng(seed), measures.get("qa", id)
    n = int(draw.integers(1, 12)) if seed % 2 else 500
    counts = draw.multinomial(n, draw.dirichlet([2, 1, 1]), runs)
    board = pl.DataFrame(counts, ["n_ac", "n_aw", "n_u"]).with_columns(
        n=pl.lit(n), run=pl.Series(map(str, range(runs)))
    )
    board = board.with_columns(n_aw_partial=pl.lit(0), n_x_partial=pl.lit(0), trivial=pl.lit(False))
    with np.errstate(invalid="ignore"):
        value = first(**{name: board[name].to_numpy().astype(float) for name in first.totals})
    board = board.with_columns(pl.Series(id, value, nan_to_null=True))
    board = with_rank(board, first).with_columns(
        (pl.col(id) - 0.1).alias(f"{id} lower"), (pl.col(id) + 0.1).alias(f"{id} upper")
    )
    score = dict(board.drop_nulls(id).select("run", id).iter_rows())
    rows = [
        (a, b, score[a] - score[b], score[a] - score[b] - 0.2, score[a] - score[b] + 0.1, p if known else None)
        for a, b in itertools.combinations(sorted(score), 2)
        for p, known in [(draw.random() ** 4, draw.random() < compared)]
    ]
    schema = ["a", "b", "difference", "lower", "upper", "p_maxt"]
    return board, pl.DataFrame(
        rows, dict.fromkeys(schema[:2], pl.String) | dict.fromkeys(schema[2:], pl.Float64), orient="row"
    )


def shown(value: float, n: int) -> str:
    """Half up, with two decimals of fewer than 100 questions."""
    places = 2 if n < 100 else 3
    units = int(abs(value) * 10**places + 0.5 + 1e-7)
    return f"{'−' if value < 0 and units else ''}{units // 10**places}.{units % 10**places:0{places}}"


def named(text: str) -> set[str]:
    return set(re.split(", | and | or ", text))


@pytest.mark.parametrize("id", ["c@1", "accuracy", "hallucination_rate"])
@pytest.mark.parametrize("runs", [1, 2, 3, 40])
@pytest.mark.parametrize("seed", range(4))
def test_the_answer_is_what_the_tables_say(seed, runs, id):
    first = measures.get("qa", id)
    board, pairs = campaign(seed, runs, id, compared=1 - (seed % 3) / 4)
    said, board = answer.sentences(board, QA, first, pairs, LEVEL), board.drop_nulls(id)
    if not (runs := board.height):
        assert said == []
        return
    scores, sign = dict(board.select("run", id).iter_rows()), 1 if first.higher_is_better else -1
    order = sorted(scores.values(), key=lambda value: -sign * value)
    best = {run for run, value in scores.items() if abs(value - order[0]) < 1e-12}
    right = {row["run"]: row["n_ac"] / row["n"] for row in board.iter_rows(named=True)}

    # Who leads, with which score, and how far ahead.
    top = board["run"][0]
    n = board["n"][0]
    assert shown(order[0], n) in said[0]
    if runs == 1:
        assert said[0].startswith(f"{top} has {id} ") and len(said) == 2
        assert [int(one) for one in re.findall(r"\d+", said[1])] == [
            board[name].item() for name in ("n", "n_ac", "n_aw", "n_u")
        ]
        return
    if len(best) > 1:
        whom = re.match("(.*) are first by", said[0])[1]
        assert named(whom) == best if len(best) <= 5 else whom == f"{len(best)} runs"
    else:
        assert re.match("(.*) is first by", said[0])[1] == top
        by, second, least, most, alone = re.search(
            r", (\S+) ahead of (\S+) \(95 % interval (\S+) to (\S+?)(; of this pair by itself)?\)", said[0]
        ).groups()
        gap = abs(order[0] - order[1])
        assert scores[second] == order[1] and by == (
            shown(gap, n) if float(shown(gap, n)) else f"{gap:.{len(by) - 2}f}"
        )
        assert float(least.replace("−", "-")) <= float(by) <= float(most.replace("−", "-")) and float(by) > 0

        # The interval, gap - .2 to gap + .1 where more is better, else gap - .1 to gap + .2, and the test may disagree.
        lower = gap - (0.2 if (top < second) == (sign > 0) else 0.1)
        [p] = [p for a, b, p in pairs.select("a", "b", "p_maxt").iter_rows() if {a, b} == {top, second}]
        assert bool(alone) == (lower > 0 and p is not None and p > LEVEL)
        if lower <= 0 and p is not None and p <= LEVEL:
            assert said.pop(2).startswith(f"From {second} it differs by the test{' of all pairs' * (runs > 2)}, p ")

    # Who does not differ from it.
    p = {(set(row) - {top}).pop(): value for *row, value in pairs.select("a", "b", "p_maxt").iter_rows() if top in row}
    alike = {run for run, value in p.items() if value is not None and value > LEVEL}
    untold = {run for run, value in p.items() if value is None}
    if len(untold) == len(p):
        assert "cannot be told" in said[1]
    elif not alike:
        assert "differs significantly from" in said[1]
    else:
        whom = re.search("does not differ significantly from (.*?)(?:, all pairs|;|\\.)", said[1])[1]
        many = "any other run" if len(alike) == runs - 1 else f"{len(alike)} of the {runs - 1} other"
        assert named(whom) == alike if len(alike) <= 5 else whom.startswith(many)
    assert ("cannot be told" in said[1]) == bool(untold)

    # What silence did.
    silent = board.filter(pl.col("n_u") > 0).height
    if not silent:
        assert said[2] == "No run left a question open."
        return
    would = {run for run, share in right.items() if abs(share - max(right.values())) < 1e-12}
    assert said[2].startswith(
        {2: "Both"}.get(runs, f"All {runs}") if silent == runs else f"{silent} of {runs} runs left questions open"
    )
    assert ("still be first" in said[2]) == (would == best)
    whom = re.search("if these counted as wrong, (.*) would (?:still )?be first", said[2])[1]
    assert named(whom) == would if len(would) <= 5 else whom == f"{len(would)} runs"


def test_no_run_is_ahead_by_nothing():
    board = pl.DataFrame({"run": ["a", "b"], "rank": [1, 2], "n": 50, "c@1": [0.6, 0.596], "n_ac": 30})
    pairs = pl.DataFrame({"a": "a", "b": "b", "difference": 0.004, "lower": -0.2, "upper": 0.21, "p_maxt": 0.9})
    said = answer.leader(board, ["a"], measures.get("qa", "c@1"), answer.seen_from("a", pairs, True), LEVEL)
    assert said == "a is first by c@1 with 0.60, 0.004 ahead of b (95 % interval −0.200 to 0.210)."


def test_a_name_stays_as_it_is_where_nothing_can_be_told():
    """Of two that are first together, ItaloLLM stands on top; alone, it is called it."""
    board = pl.DataFrame({"run": ["ItaloLLM", "b", "c"], "rank": [1, 1, 3]})
    beside = pl.DataFrame({"run": ["b", "c"], "p": None})
    for best, who in ((["ItaloLLM", "b"], "ItaloLLM"), (["ItaloLLM"], "it")):
        said = answer.not_apart(board, best, beside, LEVEL)
        assert said == f"Whether {who} differs significantly from any other run cannot be told."


@pytest.mark.parametrize("runs", [1, 2, 40])
def test_what_nothing_was_compared_of_says_who_leads(runs):
    board, _ = campaign(1, runs, "c@1", 1)
    said = answer.sentences(board.drop("c@1 lower", "c@1 upper"), QA, measures.get("qa", "c@1"), None, LEVEL)
    assert len(said) == 2 and "interval" not in said[0]


def test_counts_that_are_no_integers_have_decimals_only_where_they_are():
    """The counts of a table, or means over epochs: 2,000.0 questions stood there."""
    counts = {"n": 2000.0, "n_ac": 1200.0, "n_aw": 1 / 3 + 500, "n_u": 300 - 1 / 3, "accuracy": 0.6}
    board = pl.DataFrame([{"run": "m", "trivial": False} | counts])
    said = answer.sentences(
        with_rank(board, measures.get("qa", "accuracy")), QA, measures.get("qa", "accuracy"), None, LEVEL
    )
    assert said[1] == "Of 2,000 questions, it got 1,200 right and 500.33 wrong, and left 299.67 open."


def test_what_is_described_has_no_first():
    board, pairs = campaign(1, 3, "answered", 1)
    assert board["rank"].is_null().all() and not board["tied"].any()
    first, describes = measures.get("qa", "answered"), "he first measure, answered, describes the runs and does not"
    assert answer.sentences(board, QA, first, pairs, LEVEL) == [f"T{describes} rank them."]
    unjudged = answer.sentences(board, QA, first, pairs, LEVEL, unscored=None)
    assert unjudged == [f"Nobody judged the answers; t{describes} rank them."]
    assert answer.sentences(board.head(1), QA, first, None, LEVEL, unscored=None) == ["Nobody judged the answers."]
    assert answer.sentences(board.head(1), QA, first, None, LEVEL) == []


OPEN = {"c@1": [0.6, 0.5], "c@1 worst": [0.6, 0.5], "c@1 best": [0.85, 0.5], "n": 300, "n_shared": 300}


@pytest.mark.parametrize(
    ("columns", "unscored", "said"),
    [
        (
            {"n_unscored": [75, 0]},
            "wrong",
            "In 1 of 2 runs, nobody judged the answers to 75 of 300 questions; they count",
        ),
        (
            {"n_unscored": [75, 9]},
            "exclude",
            "In both runs, nobody judged the answers to 9 to 75 of 300 questions; they a",
        ),
        (
            {"n_unscored": [75, 0], "n_error": 2},
            "unanswered",
            "In 1 of 2 runs, nobody judged the answers to 75 of 300 q",
        ),
        ({"n_unscored": [0, 75]}, "wrong", ""),
        ({"n_unscored": [75, 0], "c@1 lower": 0.4, "c@1 upper": 0.9}, "wrong", ""),
        ({"n_unscored": [75, 0], "c@1 lower": 0.4, "c@1 upper": 0.8}, "wrong", "In 1 of 2 runs, nobody judged the ans"),
    ],
)
def test_answers_that_nobody_judged_are_said_where_they_matter(columns, unscored, said):
    """Two thirds of the answers could be unjudged, and the first sentences said nothing of it."""
    first = measures.get("qa", "c@1")
    board = pl.DataFrame({"run": ["a", "b"], "trivial": False} | OPEN | columns, strict=False)
    found = answer.unjudged(with_rank(board, first), first, unscored)
    assert found.startswith(said) and bool(found) == bool(said)
    if found:
        taken = "are left out" if unscored == "exclude" else f"count as {unscored}"
        they = "they and the failed responses" if "n_error" in columns else "they"
        assert found.endswith(
            f"; they {taken} (option unscored), and however {they} are taken, c@1 of a is 0.600 to 0.850."
        )
        assert answer.sentences(with_rank(board, first), QA, first, None, LEVEL, unscored=unscored)[1] == found
    assert answer.unjudged(with_rank(board, first), first, None) == ""
    of_one = answer.unjudged(with_rank(board, first), first, unscored, "human")
    assert of_one == found.replace("nobody judged", "human has no verdict on")


def test_a_sentence_fits_a_terminal():
    board, pairs = campaign(2, 40, "c@1", 1)
    for board_ in (board, board.with_columns(run=pl.col("run") + "-" + "x" * 100)):
        assert all(len(one) <= 240 for one in answer.sentences(board_, QA, measures.get("qa", "c@1"), pairs, LEVEL))


def needed(rows: list[tuple], n: int, required: float | None) -> pl.DataFrame:
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    table = pl.DataFrame(rows, schema, orient="row")
    return table.with_columns(n=pl.lit(n), required_difference=pl.lit(required, pl.Float64))


ROWS = [(0.05, 900, 700, 1200), (0.06, 600, 450, 800), (0.07, 400, 300, 500), (0.08, None, None, None)]


@pytest.mark.parametrize(
    ("n", "required", "said"),
    [
        (500, 0.07, "With 500 questions, differences in c@1 below 0.07 (95 % range 0.06 to 0.07) may reverse"),
        (400, 0.07, "With 400 questions, differences in c@1 below 0.07 (95 % range 0.07 or more) may reverse"),
        (2000, 0.05, "With 2,000 questions, differences in c@1 below 0.05 may reverse"),
        (300, None, "With 300 questions, any difference in c@1 may reverse"),
        (9000, 0, "With 9,000 questions, even small differences in c@1 hold"),
    ],
)
def test_one_threshold_says_what_the_questions_can_show(n, required, said):
    near = pl.Series([0.9, 0.5, 0.501])
    assert answer.threshold(needed(ROWS, n, required), "c@1", near) == f"{said} with other questions."
    assert answer.threshold(needed(ROWS[3:], n, required), "c@1", near) == ""


def test_nothing_is_said_of_differences_that_are_much_smaller_than_those_of_the_runs():
    """Three runs .18 and .26 apart: "differences below 0.01 may reverse", beside a test that shows .1 at least."""
    of_three = needed([(0.01, 231, 196, 305), (0.02, 139, 119, 178)], 400, 0.01)
    assert answer.threshold(of_three, "c@1", pl.Series([0.86, 0.684, 0.426])) == ""
    assert answer.threshold(of_three, "c@1", pl.Series([0.86, 0.684, 0.68, None])).endswith(
        "below 0.01 may reverse with other questions."
    )
    assert answer.threshold(needed(ROWS, 400, 0.07), "c@1", pl.Series([0.9, 0.1])) != "", "the range has no end"


@pytest.mark.parametrize(("id", "known"), [("accuracy", True), ("c@1", True), ("cws", False)])
def test_published_counts_have_intervals_and_no_test(id, known):
    """Czech SimpleQA: the difference as drawn once more, by numpy's own Dirichlet draws."""
    counts = {"n_ac": [1345, 1225], "n_aw": [2904, 2329], "n_u": [77, 772]}
    first = measures.get("qa", id)
    board = pl.DataFrame({"run": ["a", "b"], "rank": [1, 2], "trivial": False, **counts, "n": 4326})
    parts = ["n_ac", "n_aw", "n_u"]
    value = first.function(*(board[name] for name in first.totals)) if known else [1.0, 0.5]
    board = board.with_columns(pl.Series(id, value))
    found = unpaired.difference(board, parts, first, 0.05, 1)
    assert (found is not None) == known
    assert (f"{id} lower" in unpaired.intervals(board, parts, [first], 0.05, 1).columns) == known
    if known:
        draw = np.random.default_rng(7)
        shares = [draw.dirichlet(np.array(row) + 0.5, 200_000).T for row in board.select(parts).rows()]
        totals = [dict(zip(parts, own, strict=True)) | {"n": 1} for own in shares]
        scores = [first.function(**{name: own[name] for name in first.totals}) for own in totals]
        ends = np.quantile(scores[0] - scores[1], [0.025, 0.975])
        assert found.select("lower", "upper").row(0) == pytest.approx(ends, abs=0.001)
        said = answer.sentences(board, QA, first, found, LEVEL, paired=False)
        assert "from counts alone, unpaired" in said[0] and not [one for one in said if "significantly" in one]
    assert unpaired.difference(board.with_columns(n_ac=pl.lit(10.5)), parts, first, 0.05, 1) is None
