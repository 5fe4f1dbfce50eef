"""The findings of random leaderboards, held against a literal computation; and their sentences."""

import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import measures, tasks
from nonresponse.report import findings, sentences
from nonresponse.report.findings import CARDS, Comparison, Finding
from nonresponse.scoring.leaderboard import add_ranks

QA, LEVEL, TIE = tasks.get("qa"), 0.05, 1e-12
MEASURES = ("c@1", "accuracy", "hallucination_rate", "uf", "answered")


class RandomBoard:
    """Draw a leaderboard with its comparison; `rows` are the ranked runs, best first."""

    def __init__(self, seed: int, runs: int, id: str, long: bool = False):
        draw = self.draw = np.random.default_rng(seed)
        self.id, self.first = id, measures.get("qa", id)
        n = int(draw.choice([0, 1, 7, 30, 500, 20000], p=[0.05, 0.15, 0.2, 0.2, 0.2, 0.2]))
        totals = np.full(runs, n) if draw.random() < 0.7 else draw.integers(0, n + 1, runs)
        shares = draw.dirichlet([1, 1, draw.choice([0.01, 1])])
        counts = draw.multinomial(totals, shares).astype(float)
        counts[draw.random(runs) < 0.2] = counts[0]  # ties
        if seed % 5 == 0:
            counts = counts / 3  # means over epochs, from a table
        board = pl.DataFrame(counts, ["n_ac", "n_aw", "n_u"]).with_columns(
            run=pl.Series([f"r{number}" + "x" * 60 * long for number in range(runs)]),
            n=pl.sum_horizontal("n_ac", "n_aw", "n_u"),
            trivial=pl.Series(draw.random(runs) < 0.1),
            **dict.fromkeys(("n_aw_partial", "n_x_partial", "n_rightful"), 0.0),
        )
        if seed % 3 == 0:  # the data say which questions have no answer
            unanswerable = np.floor(counts.min(axis=0)[0] * draw.random())
            rightful = pl.Series(np.floor(unanswerable * draw.random(runs)))
            board = board.with_columns(n_unanswerable=pl.lit(unanswerable), n_rightful=rightful)
        with np.errstate(invalid="ignore"):
            value = self.first(**{name: board[name].to_numpy() for name in self.first.totals})
        value = pl.Series(id, np.where(board["n"] > 0, value, np.nan), nan_to_null=True)
        board = add_ranks(board.with_columns(value), self.first)
        self.unscored = [None, "wrong", "exclude"][seed % 7 % 3]
        self.board = self.unjudged(board) if seed % 2 else board
        self.rows = [row for row in self.board.rows(named=True) if row["rank"] is not None]
        self.runs = [row["run"] for row in self.rows]
        self.sign = 1 if self.first.higher_is_better else -1
        top = max((self.sign * row[id] for row in self.rows), default=0)
        self.best = [row["run"] for row in self.rows if self.sign * row[id] > top - TIE]
        self.pairs = None if seed % 11 == 0 else self.compared()
        rows = [] if self.pairs is None else self.pairs.rows(named=True)
        self.by_pair = {frozenset((row["a"], row["b"])): row for row in rows}
        self.paired = seed % 13 != 0
        comparison = Comparison(self.pairs, self.paired, LEVEL)
        headlines = findings.list_findings(self.board, QA, self.first, comparison, self.unscored)
        self.findings = {finding.code: finding for finding in headlines}

    def unjudged(self, board: pl.DataFrame) -> pl.DataFrame:
        """Add unscored responses, the range of the score over their values, and an interval."""
        unscored = self.draw.integers(0, 3, board.height) * (self.draw.random(board.height) < 0.5)
        (within, reach), score = self.draw.random(2) * 0.3, pl.col(self.id)
        bound = within * pl.col("n_unscored")
        ends = {"worst": score - bound, "best": score + bound}
        ends |= {"lower": score - reach, "upper": score + reach}
        return board.with_columns(n_unscored=pl.Series(unscored)).with_columns(
            end.alias(f"{self.id} {name}") for name, end in ends.items()
        )

    def compared(self) -> pl.DataFrame:
        """Pairs of scored runs, of which some could not be tested."""
        score = dict(self.board.drop_nulls(self.id).select("run", self.id).rows())
        power, rows = self.draw.choice([0.3, 1, 6]), []
        for a, b in combinations(sorted(score), 2):
            gap, reach = score[a] - score[b], self.draw.random(2) / 3
            interval = (gap - reach[0], gap + reach[1], self.draw.random() ** power)
            rows.append((a, b, gap, *(interval if self.draw.random() < 0.9 else (None,) * 3)))
        kinds = dict.fromkeys(("difference", "lower", "upper", "p_maxt"), pl.Float64)
        return pl.DataFrame(rows, {"a": pl.String, "b": pl.String} | kinds, orient="row")

    def tied(self, best: str) -> list[str]:
        """The runs, but for one, that are not significantly different from it."""
        p = {run: self.by_pair.get(frozenset((best, run)), {}).get("p_maxt") for run in self.runs}
        return [run for run in self.runs if run != best and (p[run] or 0) > LEVEL]


def draw_boards(*runs: int, **options) -> st.SearchStrategy[RandomBoard]:
    """Return a strategy of campaigns of so many runs."""
    return st.builds(
        RandomBoard,
        st.integers(0, 10**6),
        st.sampled_from(runs),
        st.sampled_from(MEASURES),
        **options,
    )


def expect_leader(board: RandomBoard) -> dict | None:
    """Values of the finding, null where there is none."""
    if len(board.rows) < 2:
        return None
    (top, second), best = board.rows[:2], board.best
    pair = board.by_pair.get(frozenset((best[0], second["run"])), {})
    values = {"best": best, "measure": board.id, "top": top[board.id], "runs": len(board.rows)}
    values |= {"tied": [run for run in board.tied(best[0]) if run not in best]}
    values |= {"others": len(board.rows) - len(best), "second": second["run"]}
    values |= {"gap": abs(top[board.id] - second[board.id]), "p": pair.get("p_maxt")}
    if len(best) == 1 and pair.get("lower") is not None:
        sign = 1 if pair["difference"] > 0 else -1
        low, high = sorted(sign * pair[end] for end in ("lower", "upper"))
        values |= {"low": low, "high": high}
    return values | {"alone": board.paired and all(row["n"] == 1 for row in board.rows)}


def expect_unanswered(board: RandomBoard) -> dict | None:
    if len(board.rows) < 2:
        return None
    id = "c@1" if board.id == "accuracy" else "accuracy"
    shares = {}
    for row in board.rows:
        n = Fraction(row["n"])
        share = Fraction(row["n_ac"]) / n
        shares[row["run"]] = float(share * (1 + Fraction(row["n_u"]) / n) if id == "c@1" else share)
    leaders = [run for run, score in shares.items() if score > max(shares.values()) - TIE]
    affected = sum(row["n_u"] > 0 for row in board.rows)
    overtaken = [run for run in board.best if run not in leaders] or board.best
    values = {"with_some": affected, "measure": id, "top": max(shares.values())}
    values |= {"changes": affected > 0 and {*leaders} != {*board.best}}
    values |= {"score_of_first": max(shares[run] for run in overtaken)}
    values |= {"rightful": any(row["n_rightful"] for row in board.rows)}
    if len(leaders) == 1:
        [row] = [row for row in board.rows if row["run"] == leaders[0]]
        values |= {"coverage": (row["n"] - row["n_u"] - row["n_rightful"]) / row["n"]}
    return values | {"leaders": {*leaders}}


def list_gains(board: RandomBoard) -> dict[str, float]:
    """By how much each run does better than never answering, of its questions."""
    rows = board.rows
    gains = [row["n_ac"] - row["n_aw"] - row.get("n_unanswerable", 0) for row in rows]
    return {row["run"]: gain / row["n"] for row, gain in zip(rows, gains, strict=True)}


def expect_worth(board: RandomBoard) -> dict | None:
    gains = list_gains(board)
    losing = [run for run, gain in gains.items() if gain < -TIE]
    values = {"below": losing, "above": sum(gain > TIE for gain in gains.values())}
    return values | {"runs": len(board.rows)} if gains else None


def expect_order(board: RandomBoard) -> dict | None:
    if board.pairs is None or not board.paired or len(board.rows) < 2:
        return None
    pairs = [*map(frozenset, combinations(board.runs, 2))]
    tested = [p for p in (board.by_pair[pair]["p_maxt"] for pair in pairs) if p is not None]
    different = sum(p <= LEVEL for p in tested)
    return {"pairs": len(tested), "all_pairs": len(pairs), "different": different}


def expect_unjudged(board: RandomBoard) -> dict | None:
    complete = "n_unscored" not in board.board.columns or not board.unscored
    affected = [row for row in board.rows if not complete and row["n_unscored"]]
    if not affected:
        return None
    counts, moved = [row["n_unscored"] for row in affected], []
    for row in affected:
        ends = (row[f"{board.id} {name}"] for name in ("worst", "best", "lower", "upper"))
        low, high, lower, upper = ends
        moved += [row] * (high - low > TIE and not lower - TIE < low <= high < upper + TIE)
    values = {"fewest": min(counts), "most": max(counts), "runs_with": len(affected)}
    values |= {"taken": board.unscored}
    if not moved:
        return values | {"run": None}

    def find_reach(row: dict, best: bool) -> float:
        return board.sign * row[f"{board.id} {'best' if best == (board.sign > 0) else 'worst'}"]

    sure = max(find_reach(row, best=False) for row in board.rows)
    ahead = [row for row in moved if row["run"] not in board.best]
    ahead = [row for row in ahead if find_reach(row, best=True) > sure + TIE]
    top = max(ahead, key=lambda row: find_reach(row, best=True)) if ahead else moved[0]
    values |= {"low": top[f"{board.id} worst"], "high": top[f"{board.id} best"]}
    return values | {"run": top["run"], "overtakes": bool(ahead)}


def expect_rightful(board: RandomBoard) -> dict | None:
    rightful = sum(row["n_rightful"] for row in board.rows)
    unanswered = rightful + sum(row["n_u"] for row in board.rows)
    return {"rightful": rightful, "unanswered": unanswered} if rightful else None


def expect_single(board: RandomBoard) -> dict | None:
    [run, *_] = board.runs or [None]
    return {"run": run, "top": board.rows[0][board.id]} if len(board.runs) == 1 else None


def expect_describes(board: RandomBoard) -> dict | None:
    scored = board.board.filter(~pl.col("trivial"))
    if not board.first.descriptive or (scored.height < 2 and board.unscored):
        return None
    return {"least": scored[board.id].min(), "most": scored[board.id].max(), "runs": scored.height}


EXPECTED = (expect_leader, expect_single, expect_describes, expect_unanswered, expect_worth)
EXPECTED += (expect_order, expect_unjudged, expect_rightful)


@given(draw_boards(1, 2, 3, 40))
def test_the_findings_are_what_the_tables_say(board):
    for expect in EXPECTED:
        code = expect.__name__.removeprefix("expect_")
        expected, finding = expect(board), board.findings.get(code)
        assert (expected is None) == (finding is None), code
        for name, value in (expected or {}).items():
            actual = finding.values[name]
            actual = {*actual} if isinstance(value, set) else actual
            is_number = isinstance(value, float)
            assert actual == (pytest.approx(value, abs=1e-9) if is_number else value), (code, name)
    warnings = {code for code, finding in board.findings.items() if finding.warning}
    worrying = {
        "worth": bool(board.rows) and list_gains(board)[board.runs[0]] < -TIE,
        "order": "order" in board.findings and bool(board.tied(board.runs[0])),
        "unanswered": (expect_unanswered(board) or {"changes": False})["changes"],
    }
    assert warnings == {*[code for code in CARDS if worrying[code]][:1]}, "the most serious one"


SHORT = re.compile(r"(?<![\d.])-?0\.0+(?![\d])")
UNFIT = re.compile(r"NaN|nan\b|\binf\b|null|\d[eE][-+]|\b1 (questions|responses|runs)\b|  ")


@given(draw_boards(2, 3, 40, long=st.booleans()))
def test_sentences_are_short_and_never_print_nothing_for_something(board):
    is_long = any(len(run) > 40 for run in board.runs)
    for finding in board.findings.values():
        sentence = sentences.render(finding)
        for part in re.split(r"(?<=\.) ", sentence):
            assert len(part) <= 260 and part == part.strip() and part.endswith("."), part
        assert len(sentence) <= (420 if is_long else 260) and not UNFIT.search(sentence), sentence
        numbers = [value for value in finding.values.values() if isinstance(value, int | float)]
        assert any(abs(number) < TIE for number in numbers) or not SHORT.search(sentence), sentence


LEADER = {"best": ["a"], "measure": "c@1", "top": 0.5, "percent": True, "digits": 1, "level": 0.05}
LEADER |= {"highest": True, "tied": [], "others": 2, "second": "b", "gap": 0.125, "p": None}
LEADER |= {"low": None, "high": None, "paired": True, "runs": 3, "alone": False}
CLEAR = {"p": 0.01, "low": 0.1, "high": 0.15}
UNJUDGED = {
    "fewest": 1,
    "most": 5 / 3,
    "runs_with": 2,
    "runs": 3,
    "taken": "wrong",
    "official": "o",
}
UNJUDGED |= {"measure": "c@1", "percent": True, "digits": 1, "failed": False, "ruled": False}


@pytest.mark.parametrize(
    ("code", "values", "words"),
    [
        ("leader", LEADER, "a has the highest c@1, 50.0 %, 12.5 points ahead of b."),
        ("leader", LEADER | CLEAR, "a leads with c@1 50.0 %, 12.5 points ahead of b (95 % CI 10.0"),
        ("leader", LEADER | CLEAR | {"low": -0.1}, sentences.CAUTIOUS),
        ("leader", LEADER | {"tied": ["b"]}, "12.5 points ahead of b, which is not significantly"),
        ("leader", LEADER | {"tied": ["b", "c"]}, ", but no other run is significantly different."),
        ("leader", LEADER | {"tied": ["c"]}, ", but c is not significantly different."),
        ("leader", LEADER | {"tied": [*"cdefgh"], "others": 7}, "but 6 of the 7 other runs are"),
        ("leader", LEADER | {"best": ["a", "b"], "others": 1, "tied": ["c"]}, ", but c is not"),
        ("leader", LEADER | {"best": ["a", "b"]}, "a and b share the highest c@1, 50.0 %."),
        ("leader", LEADER | {"highest": False, "paired": False, "low": 0.1, "high": 0.2}, "lowest"),
        ("leader", LEADER | {"alone": True}, "compared on 1 question, from which nothing can be"),
        ("unjudged", UNJUDGED | {"run": None}, "o did not judge the responses to 1 to 1.67 quest"),
        (
            "unjudged",
            UNJUDGED | {"run": "b", "low": 0.25, "high": 0.75, "overtakes": True},
            "Whichever way they are all taken, c@1 of b is 25.0 to 75.0 %, so it could be first.",
        ),
    ],
)
def test_what_a_finding_is_called(code, values, words):
    assert words in sentences.render(Finding(code, values))


ROWS = [(0.05, 900, 700, 1200), (0.06, 600, 450, 800), (0.07, 400, 300, 500), (0.08, *[None] * 3)]
SMALL = [(0.01, 231, 196, 305)]
SCORES = [0.9, 0.5, 0.501]


@pytest.mark.parametrize(
    ("rows", "n", "required", "scores", "holds"),
    [
        (ROWS, 500, 0.07, SCORES, "above"),
        (ROWS, 300, None, SCORES, "none"),
        (ROWS, 9000, 0.0, SCORES, "any"),
        (ROWS[3:], 500, 0.07, [0.9, 0.5], ""),
        # Nothing is said of differences that are much smaller than those of the runs.
        (SMALL, 400, 0.01, [0.86, 0.684, 0.426], ""),
        (SMALL, 400, 0.01, [0.86, 0.684, 0.68], "above"),
        (ROWS, 400, 0.07, [0.9, 0.1], "above"),
    ],
)
def test_one_threshold_says_what_the_questions_can_show(rows, n, required, scores, holds):
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    needed = pl.DataFrame(rows, schema, orient="row").with_columns(
        n=pl.lit(n), required_difference=pl.lit(required, pl.Float64)
    )
    values = findings.find_threshold(needed, pl.Series(scores))
    assert values == {"holds": holds, "required": required if holds else None}


def test_failed_responses_are_told_with_what_they_count_as():
    def find_failed(board: pl.DataFrame, policy: str | None) -> Finding | None:
        return findings.find_unscored("failed", board, measures.get("qa", "c@1"), policy, {})

    board = pl.DataFrame({"run": ["a", "b", "c"], "n_error": [0, 2, 5], "n": 10, "c@1": 0.5})
    values = {"fewest": 2, "most": 5, "runs_with": 2, "runs": 3, "taken": "wrong", "run": None}
    assert find_failed(board, "wrong").values == values
    bounded = board.with_columns(pl.lit(0.25).alias("c@1 worst"), pl.lit(0.75).alias("c@1 best"))
    reach = find_failed(bounded, "exclude").values
    assert (reach["run"], reach["low"], reach["high"]) == ("b", 0.25, 0.75)
    assert find_failed(board[:1], "wrong") is None is find_failed(board, None)
