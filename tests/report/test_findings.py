"""The findings of random leaderboards and their sentences, held against a literal computation."""

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
from nonresponse.report.findings import CARDS, Comparison
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
        names = [f"r{number}" + "x" * 60 * long for number in range(runs)]
        board = pl.DataFrame(counts, ["n_ac", "n_aw", "n_u"]).with_columns(
            run=pl.Series(names),
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
        self.pairs = None if seed % 11 == 0 else self.compared()
        rows = [] if self.pairs is None else self.pairs.rows(named=True)
        self.by_pair = {frozenset((row["a"], row["b"])): row for row in rows}
        self.paired = seed % 13 != 0
        comparison = Comparison(self.pairs, self.paired, LEVEL)
        headlines = findings.list_findings(self.board, QA, self.first, comparison, self.unscored)
        self.findings = {finding.code: finding for finding in headlines}
        self.texts = {code: sentences.render(finding) for code, finding in self.findings.items()}
        self.runs = [row["run"] for row in self.rows]
        sign = 1 if self.first.higher_is_better else -1
        top = max((sign * row[id] for row in self.rows), default=0)
        self.best = [row["run"] for row in self.rows if sign * row[id] > top - TIE]

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
        names = ("difference", "lower", "upper", "p_maxt")
        kinds = {"a": pl.String, "b": pl.String, **dict.fromkeys(names, pl.Float64)}
        return pl.DataFrame(rows, kinds, orient="row")


SHORT = re.compile(r"(?<![\d.])-?0\.0+(?![\d])")


def draw_boards(runs: int, **options) -> st.SearchStrategy[RandomBoard]:
    """Return a strategy of campaigns of so many runs."""
    return st.builds(
        RandomBoard, st.integers(0, 10**6), st.just(runs), st.sampled_from(MEASURES), **options
    )


def printed(value: float, board: RandomBoard) -> str:
    """Return a score half up, with as many decimals more as it takes not to print 0."""
    values = [abs(row[board.id]) for row in board.rows]
    few, percent = max((row["n"] for row in board.rows), default=0) < 100, board.first.is_share
    digits = 1 if percent or max(values) >= 10 else 2 if few else 3
    value = Fraction(f"{value:.12g}") * (100 if percent else 1)
    while value and abs(value) * 10**digits < Fraction(1, 2) and digits < 12:
        digits += 1
    units = int(abs(value) * 10**digits + Fraction(1, 2))
    sign, decimals = "−" * (value < 0 and units > 0), f"{units % 10**digits:0{digits}}"
    return f"{sign}{units // 10**digits:,}.{decimals}{' %' * percent}"


def lists(text: str, runs: list[str], noun: str = "runs") -> bool:
    """Whether a text names these runs, or, where there are many, their number."""
    if len(runs) > 5:
        return text == f"{len(runs)} {noun}"
    return {*re.split(", | and | or ", text)} == {*runs}


def check_lead(board: RandomBoard) -> None:
    rows, best = board.rows, board.best
    if not rows:
        has_runs = (~board.board["trivial"]).sum() > 1 or board.unscored is None
        assert not {"leader", "single"} & {*board.texts}
        assert ("describes" in board.texts) == (board.first.descriptive and has_runs)
        return
    top = re.escape(printed(rows[0][board.id], board))
    if len(rows) == 1:
        assert re.match(f"{best[0]} has {board.id} {top}", board.texts["single"])
        return
    sentence, runner_up = board.texts["leader"], rows[1]
    p = {run: board.by_pair.get(frozenset((best[0], run)), {}).get("p_maxt") for run in board.runs}
    tied = [run for run in board.runs if run not in best and (p[run] or 0) > LEVEL]
    extreme = "highest" if board.first.higher_is_better else "lowest"
    clause = rf"(?:has|share) the {extreme} {board.id}, {top}"
    only = "Runs are compared on 1 question, from which nothing can be concluded: "
    assert sentence.startswith(only) == (board.paired and all(row["n"] == 1 for row in rows))
    if sentence.startswith(only):
        assert lists(*re.fullmatch(rf"{only}(.*) {clause}\.", sentence).groups(), best)
        return
    if " leads with " in sentence:
        ahead = rf"{best[0]} leads with {board.id} {top}, .* ahead of {runner_up['run']} "
        assert re.match(ahead, sentence)
        assert best == [best[0]] and not tied and p[runner_up["run"]] <= LEVEL
    else:
        subject, remark = re.match(rf"(.*) {clause}(.*)\.(?= |$)", sentence).groups()
        assert lists(subject, best) and (" share " in sentence) == (len(best) > 1)
        near = f"ahead of {runner_up['run']}, which is not significantly different"
        assert (near in remark) == (tied == [runner_up["run"]] and len(best) == 1)
        assert near in remark or remark.startswith(", but ") == bool(tied)
        assert tied or len(best) > 1 or p[runner_up["run"]] is None
        if group := re.match(", but (?!no other)(.*?) (?:is|are) not significantly", remark):
            assert lists(group[1], tied, f"of the {len(rows) - len(best)} other runs")
        elif tied and near not in remark:
            assert remark == ", but no other run is significantly different"
            assert len(tied) == len(rows) - len(best) > 1
    check_gap(board, sentence, tied)


def check_gap(board: RandomBoard, sentence: str, tied: list[str]) -> None:
    """The distance of the best run to the next one, and what is known of it."""
    best, next_row = board.rows[:2]
    alone = len(board.best) == 1 and tied in ([], [next_row["run"]])
    if not alone:
        assert "CI" not in sentence
        return
    lead = re.search(r"(\S+)(?: points?)? ahead of ", sentence)[1]
    value = abs(best[board.id] - next_row[board.id]) * (100 if board.first.is_share else 1)
    assert float(lead) == pytest.approx(value, abs=0.50001 / 10 ** len(lead.partition(".")[2]))
    assert float(lead) > 0
    pair = board.by_pair.get(frozenset((best["run"], next_row["run"])))
    has_interval = bool(pair and pair["lower"] is not None)
    assert (" CI " in sentence) == has_interval
    assert ("from counts alone, unpaired" in sentence) == (has_interval and not board.paired)
    if pair and pair["p_maxt"] is not None:
        sign = 1 if pair["difference"] >= 0 else -1
        ends = sorted(sign * pair[end] for end in ("lower", "upper"))
        low, high = (printed(end, board).removesuffix(" %") for end in ends)
        assert f"95 % CI {low} to {high}; p " in sentence
        assert ("more cautious" in sentence) == (ends[0] <= 0 and pair["p_maxt"] <= LEVEL)


def check_unanswered(board: RandomBoard) -> None:
    sentence, rows = board.texts.get("unanswered"), board.rows
    if len(rows) < 2:
        assert sentence is None
        return
    id = "c@1" if board.id == "accuracy" else "accuracy"
    shares = {}
    for row in rows:
        n = Fraction(row["n"])
        share = Fraction(row["n_ac"]) / n
        shares[row["run"]] = float(share * (1 + Fraction(row["n_u"]) / n) if id == "c@1" else share)
    would = [run for run, score in shares.items() if score > max(shares.values()) - TIE]
    silent = sum(row["n_u"] > 0 for row in rows)
    rightful = any(row.get("n_rightful") for row in rows)
    if not silent:
        assert sentence == f"No question{' that has an answer' * rightful} counts as unanswered."
        return
    total = "Both runs" if len(rows) == 2 else f"All {len(rows)} runs"
    subject = total if silent == len(rows) else f"{silent} of {len(rows)} runs"
    assert sentence.startswith(
        f"{subject} left questions{' that have an answer' * rightful} unanswered. By {id}, "
    )
    assert sentence.endswith(" first, too.") == ({*would} == {*board.best})
    assert lists(re.search(rf"By {id}, (.*?) (?:is|are) first\b", sentence)[1], would)
    if scores := re.search(r"\((.*) % against (.*) %\)", sentence):
        overtaken = [shares[run] for run in board.best if run not in would] or [
            shares[board.best[0]]
        ]
        for text, value in zip(
            scores.groups(), (max(shares.values()), max(overtaken)), strict=True
        ):
            assert float(text) == pytest.approx(100 * value, abs=0.0501)
        assert scores[1] != scores[2]
    [top] = [row for row in rows if row["run"] == would[0]]
    if coverage := re.search(r"answering (\d+) %", sentence):
        value = (top["n"] - top["n_u"] - (top.get("n_rightful") or 0)) / top["n"]
        assert len(would) == 1 and float(coverage[1]) == pytest.approx(100 * value, abs=0.501)


def check_worth(board: RandomBoard) -> None:
    gains = [row["n_ac"] - row["n_aw"] - (row.get("n_unanswerable") or 0) for row in board.rows]
    losing = [
        row["run"] for row, gain in zip(board.rows, gains, strict=True) if gain < -TIE * row["n"]
    ]
    if not board.rows:
        assert "worth" not in board.texts
        return
    sentence, runs = board.texts["worth"], len(board.rows)
    match = re.search(
        r"gains, (.*) do(?:es)? (worse than|better than|at least as well as) never answering\.$",
        sentence,
    )
    total = {1: "the run", 2: "both runs"}.get(runs, f"all {runs} runs")
    if not losing or len(losing) == runs:
        all_gain = all(gain > TIE * row["n"] for row, gain in zip(board.rows, gains, strict=True))
        well = "better than" if all_gain else "at least as well as"
        assert match.groups() == (total, "worse than" if losing else well)
    else:
        assert match[2] == "worse than" and lists(match[1], losing, f"of {runs} runs")
    worries = board.rows[0]["run"] in losing
    assert board.findings["worth"].warning == worries, (
        "never answering matters more than the other cards"
    )


def check_order(board: RandomBoard) -> None:
    runs = board.runs
    if board.pairs is None or not board.paired or len(runs) < 2:
        assert "order" not in board.texts
        return
    pairs = [frozenset(pair) for pair in combinations(runs, 2)]
    sentence, values = board.texts["order"], {pair: board.by_pair[pair]["p_maxt"] for pair in pairs}
    tested = [p for p in values.values() if p is not None]
    different, top = sum(p <= LEVEL for p in tested), board.best[0]
    equal = [run for run in runs[1:] if run != top and (values[frozenset((top, run))] or 0) > LEVEL]
    if not tested:
        assert sentence == "No pair of runs could be tested."
    elif len(runs) == 2:
        assert (
            sentence == f"The two runs {'differ' if different else 'do not differ'} significantly."
        )
    elif different == len(values):
        assert sentence == f"All {len(values)} pairs of runs differ significantly."
    else:
        clause = rf"{different or 'None'} of {len(values)} pairs of runs differs? significantly"
        untested = len(values) - len(tested)
        assert re.match(clause, sentence)
        assert (f", {untested} could not be tested" in sentence) == bool(untested)
    assert board.findings["order"].warning == (bool(equal) and not board.findings["worth"].warning)


def check_unjudged(board: RandomBoard) -> None:
    moved, complete = [], "n_unscored" not in board.board.columns or not board.unscored
    for row in [] if complete else board.rows:
        ends = (row[f"{board.id} {name}"] for name in ("worst", "best", "lower", "upper"))
        low, high, lower, upper = ends
        within = lower - TIE < low and high < upper + TIE
        moved += [row] * bool(row["n_unscored"] and high - low > TIE and not within)
    counts = [] if complete else sorted({row["n_unscored"] for row in board.rows} - {0})
    assert ("unjudged" in board.texts) == bool(counts)
    if counts:
        sentence = board.texts["unjudged"]
        number = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        assert sentence.startswith(f"Nobody judged {number} response{'s' * (counts != [1])}")
        assert "all 2 runs" not in sentence
        assert ("are left out" in sentence) == (board.unscored == "exclude")
        assert ("Whichever way they are all taken" in sentence) == bool(moved)
    if moved:
        sign, worst, best = (
            (1, f"{board.id} worst", f"{board.id} best")
            if board.first.higher_is_better
            else (-1, f"{board.id} best", f"{board.id} worst")
        )
        sure = max(sign * row[worst] for row in board.rows)
        ahead = [row for row in moved if row["run"] not in board.best]
        ahead = [row for row in ahead if sign * row[best] > sure + TIE]
        top = max(ahead, key=lambda row: sign * row[best]) if ahead else moved[0]
        low, high = (printed(top[f"{board.id} {end}"], board) for end in ("worst", "best"))
        ends = f"{low.removesuffix(' %')} to {high}"
        lead = ", so it could be first" if ahead else ""
        assert sentence.endswith(f"{board.id} of {top['run']} is {ends}{lead}.")


def check_rightful(board: RandomBoard) -> None:
    rightful = sum(row.get("n_rightful") or 0 for row in board.rows)
    assert ("rightful" in board.texts) == bool(rightful)
    if rightful:
        total = rightful + sum(row["n_u"] for row in board.rows)
        numbers = re.findall(r"\d[\d,.]*\d|\d", board.texts["rightful"])
        values = [float(number.replace(",", "")) for number in numbers]
        assert values == pytest.approx([total, rightful], abs=0.005)


CHECKS = (check_lead, check_unanswered, check_worth, check_order, check_unjudged, check_rightful)


@given(st.sampled_from([1, 2, 3, 40]).flatmap(draw_boards))
def test_the_findings_are_what_the_tables_say(board):
    for check in CHECKS:
        check(board)


@given(st.sampled_from([2, 3, 40]).flatmap(lambda runs: draw_boards(runs, long=st.booleans())))
def test_sentences_are_short_and_never_print_nothing_for_something(board):
    names = {row["run"] for row in board.rows}
    for code, sentence in board.texts.items():
        value = board.findings[code].values
        for part in re.split(r"(?<=\.) ", sentence):
            assert len(part) <= 260 and part == part.strip() and part.endswith("."), part
        assert len(sentence) <= (420 if any(len(name) > 40 for name in names) else 260)
        assert not re.search(
            r"NaN|nan\b|\binf\b|null|\d[eE][-+]|\b1 (questions|responses|runs)\b|  ", sentence
        ), sentence
        zeros = [
            number
            for number in value.values()
            if isinstance(number, int | float) and abs(number) < TIE
        ]
        assert zeros or not SHORT.search(sentence), sentence
    assert sum(finding.warning for finding in board.findings.values() if finding.code in CARDS) <= 1


def needed(rows: list[tuple], n: int, required: float | None) -> pl.DataFrame:
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    table = pl.DataFrame(rows, schema, orient="row")
    return table.with_columns(n=pl.lit(n), required_difference=pl.lit(required, pl.Float64))


ROWS = [(0.05, 900, 700, 1200), (0.06, 600, 450, 800), (0.07, 400, 300, 500), (0.08, *[None] * 3)]
SMALL = [(0.01, 231, 196, 305)]


@pytest.mark.parametrize(
    ("rows", "n", "required", "scores", "sentence"),
    [
        (ROWS, 500, 0.07, [0.9, 0.5, 0.501], "Differences below 7.0 points may reverse with"),
        (ROWS, 300, None, [0.9, 0.5, 0.501], "Any difference may reverse with other questions."),
        (
            ROWS,
            9000,
            0.0,
            [0.9, 0.5, 0.501],
            "Even small differences seldom reverse with other questions.",
        ),
        (ROWS[3:], 500, 0.07, [0.9, 0.5], ""),
        # Nothing is said of differences that are much smaller than those of the runs.
        (SMALL, 400, 0.01, [0.86, 0.684, 0.426], ""),
        (SMALL, 400, 0.01, [0.86, 0.684, 0.68], "Differences below 1.0 point may reverse with"),
        (ROWS, 400, 0.07, [0.9, 0.1], "Differences below 7.0 points may reverse with"),
    ],
)
def test_one_threshold_says_what_the_questions_can_show(rows, n, required, scores, sentence):
    values = findings.find_threshold(needed(rows, n, required), pl.Series(scores))
    text = sentences.say_threshold(sentences.Values(**values))
    assert text.startswith(sentence) and bool(text) == bool(sentence)


def test_failed_responses_are_told_with_what_they_count_as():
    def describe_failed(board: pl.DataFrame, seconds: str | None) -> str:
        text = findings.find_unscored("failed", board, measures.get("qa", "c@1"), seconds, {})
        return sentences.render(text) if text else ""

    board = pl.DataFrame({"run": ["a", "b", "c"], "n_error": [0, 2, 5], "n": 10, "c@1": 0.5})
    ends = "2 to 5 responses in 2 of 3 runs, which count as wrong (option error)."
    assert describe_failed(board, "wrong") == f"Systems failed on {ends}"
    epochs = board.with_columns(n_error=pl.Series([0.0, 1.0, 5 / 3]))
    ends = "the responses to 1 to 1.67 questions (means over epochs) in 2 of 3 runs, which count as"
    ends += " wrong (option error)."
    assert describe_failed(epochs, "wrong") == f"Systems failed on {ends}"
    bounded = board.with_columns(pl.lit(0.25).alias("c@1 worst"), pl.lit(0.75).alias("c@1 best"))
    reach = "Whichever way they are all taken, c@1 of b is 25.0 to 75.0 %."
    assert describe_failed(bounded, "exclude").endswith(
        f"which are left out (option error). {reach}"
    )
    assert describe_failed(board[:1], "wrong") == describe_failed(board, None) == ""
