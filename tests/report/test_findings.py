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


class Drawn:
    """A leaderboard of random counts with its comparison; `rows` are the ranked runs, best
    first."""

    def __init__(self, seed: int, runs: int, id: str, long: bool = False):
        draw = self.draw = np.random.default_rng(seed)
        self.id, self.first = id, measures.get("qa", id)
        n = int(draw.choice([0, 1, 7, 30, 500, 20000], p=[0.05, 0.15, 0.2, 0.2, 0.2, 0.2]))
        asked = np.full(runs, n) if draw.random() < 0.7 else draw.integers(0, n + 1, runs)
        shares = draw.dirichlet([1, 1, draw.choice([0.01, 1])])
        counts = draw.multinomial(asked, shares).astype(float)
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
            none = np.floor(counts.min(axis=0)[0] * draw.random())
            rightful = pl.Series(np.floor(none * draw.random(runs)))
            board = board.with_columns(n_unanswerable=pl.lit(none), n_rightful=rightful)
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
        found = findings.list_findings(self.board, QA, self.first, comparison, self.unscored)
        self.found = {one.code: one for one in found}
        self.said = {code: sentences.render(one) for code, one in self.found.items()}
        self.runs = [row["run"] for row in self.rows]
        sign = 1 if self.first.higher_is_better else -1
        top = max((sign * row[id] for row in self.rows), default=0)
        self.best = [row["run"] for row in self.rows if sign * row[id] > top - TIE]

    def unjudged(self, board: pl.DataFrame) -> pl.DataFrame:
        """Add responses that nobody judged, the range of the score over all ways to take them, and
        an interval."""
        some = self.draw.integers(0, 3, board.height) * (self.draw.random(board.height) < 0.5)
        (within, reach), score = self.draw.random(2) * 0.3, pl.col(self.id)
        more = within * pl.col("n_unscored")
        ends = {"worst": score - more, "best": score + more}
        ends |= {"lower": score - reach, "upper": score + reach}
        return board.with_columns(n_unscored=pl.Series(some)).with_columns(
            end.alias(f"{self.id} {name}") for name, end in ends.items()
        )

    def compared(self) -> pl.DataFrame:
        """Pairs of scored runs, of which some could not be tested."""
        score = dict(self.board.drop_nulls(self.id).select("run", self.id).rows())
        power, rows = self.draw.choice([0.3, 1, 6]), []
        for a, b in combinations(sorted(score), 2):
            gap, reach = score[a] - score[b], self.draw.random(2) / 3
            known = (gap - reach[0], gap + reach[1], self.draw.random() ** power)
            rows.append((a, b, gap, *(known if self.draw.random() < 0.9 else (None,) * 3)))
        names = ("difference", "lower", "upper", "p_maxt")
        kinds = {"a": pl.String, "b": pl.String, **dict.fromkeys(names, pl.Float64)}
        return pl.DataFrame(rows, kinds, orient="row")


SHORT = re.compile(r"(?<![\d.])-?0\.0+(?![\d])")


def drawn(runs: int, **more) -> st.SearchStrategy[Drawn]:
    """Return a strategy of campaigns of so many runs."""
    return st.builds(Drawn, st.integers(0, 10**6), st.just(runs), st.sampled_from(MEASURES), **more)


def printed(value: float, made: Drawn) -> str:
    """Return a score half up, with as many decimals more as it takes not to print 0."""
    values = [abs(row[made.id]) for row in made.rows]
    few, percent = max((row["n"] for row in made.rows), default=0) < 100, made.first.is_share
    digits = 1 if percent or max(values) >= 10 else 2 if few else 3
    value = Fraction(f"{value:.12g}") * (100 if percent else 1)
    while value and abs(value) * 10**digits < Fraction(1, 2) and digits < 12:
        digits += 1
    units = int(abs(value) * 10**digits + Fraction(1, 2))
    sign, rest = "−" * (value < 0 and units > 0), f"{units % 10**digits:0{digits}}"
    return f"{sign}{units // 10**digits:,}.{rest}{' %' * percent}"


def runs_in(text: str) -> set[str]:
    return set(re.split(", | and | or ", text))


def same(text: str, runs: list[str], of: str = "runs") -> bool:
    """Whether a text names these runs, or, where there are many, their number."""
    return runs_in(text) == set(runs) if len(runs) <= 5 else text == f"{len(runs)} {of}"


def check_lead(made: Drawn) -> None:
    rows, best = made.rows, made.best
    if not rows:
        several = (~made.board["trivial"]).sum() > 1 or made.unscored is None
        assert not {"leader", "single"} & {*made.said}
        assert ("describes" in made.said) == (made.first.descriptive and several)
        return
    top = re.escape(printed(rows[0][made.id], made))
    if len(rows) == 1:
        assert re.match(f"{best[0]} has {made.id} {top}", made.said["single"])
        return
    said, second = made.said["leader"], rows[1]
    p = {run: made.by_pair.get(frozenset((best[0], run)), {}).get("p_maxt") for run in made.runs}
    tied = [run for run in made.runs if run not in best and (p[run] or 0) > LEVEL]
    extreme = "highest" if made.first.higher_is_better else "lowest"
    which = rf"(?:has|share) the {extreme} {made.id}, {top}"
    if " leads with " in said:
        ahead = rf"{best[0]} leads with {made.id} {top}, .* ahead of {second['run']} "
        assert re.match(ahead, said)
        assert best == [best[0]] and not tied and p[second["run"]] <= LEVEL
    else:
        who, rest = re.match(rf"(.*) {which}(.*)\.(?= |$)", said).groups()
        assert same(who, best) and (" share " in said) == (len(best) > 1)
        near = f"ahead of {second['run']}, which is not significantly different"
        assert (near in rest) == (tied == [second["run"]] and len(best) == 1)
        assert near in rest or rest.startswith(", but ") == bool(tied)
        assert tied or len(best) > 1 or p[second["run"]] is None
        if others := re.match(", but (?!no other)(.*?) (?:is|are) not significantly", rest):
            assert same(others[1], tied, f"of the {len(rows) - len(best)} other runs")
        elif tied and near not in rest:
            assert rest == ", but no other run is significantly different"
            assert len(tied) == len(rows) - len(best) > 1
    check_gap(made, said, tied)


def check_gap(made: Drawn, said: str, tied: list[str]) -> None:
    """The distance of the best run to the next one, and what is known of it."""
    first, second = made.rows[:2]
    alone = len(made.best) == 1 and tied in ([], [second["run"]])
    if not alone:
        assert "CI" not in said
        return
    by = re.search(r"(\S+)(?: points?)? ahead of ", said)[1]
    value = abs(first[made.id] - second[made.id]) * (100 if made.first.is_share else 1)
    assert float(by) == pytest.approx(value, abs=0.50001 / 10 ** len(by.partition(".")[2]))
    assert float(by) > 0
    pair = made.by_pair.get(frozenset((first["run"], second["run"])))
    known = bool(pair and pair["lower"] is not None)
    assert (" CI " in said) == known
    assert ("from counts alone, unpaired" in said) == (known and not made.paired)
    if pair and pair["p_maxt"] is not None:
        sign = 1 if pair["difference"] >= 0 else -1
        ends = sorted(sign * pair[end] for end in ("lower", "upper"))
        low, high = (printed(end, made).removesuffix(" %") for end in ends)
        assert f"95 % CI {low} to {high}; p " in said
        assert ("more cautious" in said) == (ends[0] <= 0 and pair["p_maxt"] <= LEVEL)


def check_unanswered(made: Drawn) -> None:
    said, rows = made.said.get("unanswered"), made.rows
    if len(rows) < 2:
        assert said is None
        return
    other = "c@1" if made.id == "accuracy" else "accuracy"
    by = {}
    for row in rows:
        n = Fraction(row["n"])
        share = Fraction(row["n_ac"]) / n
        by[row["run"]] = float(share * (1 + Fraction(row["n_u"]) / n) if other == "c@1" else share)
    would = [run for run, score in by.items() if score > max(by.values()) - TIE]
    silent = sum(row["n_u"] > 0 for row in rows)
    rightful = any(row.get("n_rightful") for row in rows)
    if not silent:
        assert said == f"No question{' that has an answer' * rightful} counts as unanswered."
        return
    whole = "Both runs" if len(rows) == 2 else f"All {len(rows)} runs"
    who = whole if silent == len(rows) else f"{silent} of {len(rows)} runs"
    assert said.startswith(
        f"{who} left questions{' that have an answer' * rightful} unanswered. By {other}, "
    )
    assert said.endswith(" first, too.") == ({*would} == {*made.best})
    assert same(re.search(rf"By {other}, (.*?) (?:is|are) first\b", said)[1], would)
    if scores := re.search(r"\((.*) % against (.*) %\)", said):
        left = [by[run] for run in made.best if run not in would] or [by[made.best[0]]]
        for text, value in zip(scores.groups(), (max(by.values()), max(left)), strict=True):
            assert float(text) == pytest.approx(100 * value, abs=0.0501)
        assert scores[1] != scores[2]
    [top] = [row for row in rows if row["run"] == would[0]]
    if coverage := re.search(r"answering (\d+) %", said):
        answered = (top["n"] - top["n_u"] - (top.get("n_rightful") or 0)) / top["n"]
        assert len(would) == 1 and float(coverage[1]) == pytest.approx(100 * answered, abs=0.501)


def check_worth(made: Drawn) -> None:
    gains = [row["n_ac"] - row["n_aw"] - (row.get("n_unanswerable") or 0) for row in made.rows]
    below = [
        row["run"] for row, gain in zip(made.rows, gains, strict=True) if gain < -TIE * row["n"]
    ]
    if not made.rows:
        assert "worth" not in made.said
        return
    said, runs = made.said["worth"], len(made.rows)
    whom = re.search(
        r"gains, (.*) do(?:es)? (worse than|better than|at least as well as) never answering\.$",
        said,
    )
    every = {1: "the run", 2: "both runs"}.get(runs, f"all {runs} runs")
    if not below or len(below) == runs:
        above = all(gain > TIE * row["n"] for row, gain in zip(made.rows, gains, strict=True))
        well = "better than" if above else "at least as well as"
        assert whom.groups() == (every, "worse than" if below else well)
    else:
        assert whom[2] == "worse than" and same(whom[1], below, f"of {runs} runs")
    worries = made.rows[0]["run"] in below
    assert made.found["worth"].warning == worries, (
        "never answering matters more than the other cards"
    )


def check_order(made: Drawn) -> None:
    runs = made.runs
    if made.pairs is None or not made.paired or len(runs) < 2:
        assert "order" not in made.said
        return
    pairs = [frozenset(pair) for pair in combinations(runs, 2)]
    said, own = made.said["order"], {pair: made.by_pair[pair]["p_maxt"] for pair in pairs}
    tested = [p for p in own.values() if p is not None]
    different, top = sum(p <= LEVEL for p in tested), made.best[0]
    alike = [run for run in runs[1:] if run != top and (own[frozenset((top, run))] or 0) > LEVEL]
    if not tested:
        assert said == "No pair of runs could be tested."
    elif len(runs) == 2:
        assert said == f"The two runs {'differ' if different else 'do not differ'} significantly."
    elif different == len(own):
        assert said == f"All {len(own)} pairs of runs differ significantly."
    else:
        some = rf"{different or 'None'} of {len(own)} pairs of runs differs? significantly"
        untested = len(own) - len(tested)
        assert re.match(some, said)
        assert (f", {untested} could not be tested" in said) == bool(untested)
    assert made.found["order"].warning == (bool(alike) and not made.found["worth"].warning)


def check_unjudged(made: Drawn) -> None:
    moved, judged = [], "n_unscored" not in made.board.columns or not made.unscored
    for row in [] if judged else made.rows:
        ends = (row[f"{made.id} {name}"] for name in ("worst", "best", "lower", "upper"))
        low, high, lower, upper = ends
        within = lower - TIE < low and high < upper + TIE
        moved += [row] * bool(row["n_unscored"] and high - low > TIE and not within)
    some = [] if judged else sorted({row["n_unscored"] for row in made.rows} - {0})
    assert ("unjudged" in made.said) == bool(some)
    if some:
        said = made.said["unjudged"]
        number = f"{some[0]}" if len(some) == 1 else f"{some[0]} to {some[-1]}"
        assert said.startswith(f"Nobody judged {number} response{'s' * (some != [1])}")
        assert "all 2 runs" not in said
        assert ("are left out" in said) == (made.unscored == "exclude")
        assert ("However they are taken" in said) == bool(moved)
    if moved:
        sign, worst, best = (
            (1, f"{made.id} worst", f"{made.id} best")
            if made.first.higher_is_better
            else (-1, f"{made.id} best", f"{made.id} worst")
        )
        sure = max(sign * row[worst] for row in made.rows)
        ahead = [row for row in moved if row["run"] not in made.best]
        ahead = [row for row in ahead if sign * row[best] > sure + TIE]
        told = max(ahead, key=lambda row: sign * row[best]) if ahead else moved[0]
        low, high = (printed(told[f"{made.id} {end}"], made) for end in ("worst", "best"))
        ends = f"{low.removesuffix(' %')} to {high}"
        lead = ", so it could be first" if ahead else ""
        assert said.endswith(f"{made.id} of {told['run']} is {ends}{lead}.")


def check_rightful(made: Drawn) -> None:
    rightful = sum(row.get("n_rightful") or 0 for row in made.rows)
    assert ("rightful" in made.said) == bool(rightful)
    if rightful:
        left = rightful + sum(row["n_u"] for row in made.rows)
        numbers = re.findall(r"\d[\d,.]*\d|\d", made.said["rightful"])
        known = [float(number.replace(",", "")) for number in numbers]
        assert known == pytest.approx([left, rightful], abs=0.005)


CHECKS = (check_lead, check_unanswered, check_worth, check_order, check_unjudged, check_rightful)


@given(st.sampled_from([1, 2, 3, 40]).flatmap(drawn))
def test_the_findings_are_what_the_tables_say(made):
    for check in CHECKS:
        check(made)


@given(st.sampled_from([2, 3, 40]).flatmap(lambda runs: drawn(runs, long=st.booleans())))
def test_sentences_are_short_and_never_print_nothing_for_something(made):
    names = {row["run"] for row in made.rows}
    for code, said in made.said.items():
        value = made.found[code].values
        for part in re.split(r"(?<=\.) ", said):
            assert len(part) <= 260 and part == part.strip() and part.endswith("."), part
        assert len(said) <= (420 if any(len(name) > 40 for name in names) else 260)
        assert not re.search(
            r"NaN|nan\b|\binf\b|null|\d[eE][-+]|\b1 (questions|responses|runs)\b|  ", said
        ), said
        zeros = [
            number
            for number in value.values()
            if isinstance(number, int | float) and abs(number) < TIE
        ]
        assert zeros or not SHORT.search(said), said
    assert sum(one.warning for one in made.found.values() if one.code in CARDS) <= 1


def needed(rows: list[tuple], n: int, required: float | None) -> pl.DataFrame:
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    table = pl.DataFrame(rows, schema, orient="row")
    return table.with_columns(n=pl.lit(n), required_difference=pl.lit(required, pl.Float64))


ROWS = [(0.05, 900, 700, 1200), (0.06, 600, 450, 800), (0.07, 400, 300, 500), (0.08, *[None] * 3)]
SMALL = [(0.01, 231, 196, 305)]


@pytest.mark.parametrize(
    ("rows", "n", "required", "scores", "said"),
    [
        (ROWS, 500, 0.07, [0.9, 0.5, 0.501], "Differences below 7.0 points may reverse with"),
        (ROWS, 300, None, [0.9, 0.5, 0.501], "Any difference may reverse with other questions."),
        (ROWS, 9000, 0.0, [0.9, 0.5, 0.501], "Even small differences hold with other questions."),
        (ROWS[3:], 500, 0.07, [0.9, 0.5], ""),
        # Nothing is said of differences that are much smaller than those of the runs.
        (SMALL, 400, 0.01, [0.86, 0.684, 0.426], ""),
        (SMALL, 400, 0.01, [0.86, 0.684, 0.68], "Differences below 1.0 point may reverse with"),
        (ROWS, 400, 0.07, [0.9, 0.1], "Differences below 7.0 points may reverse with"),
    ],
)
def test_one_threshold_says_what_the_questions_can_show(rows, n, required, scores, said):
    found = findings.find_threshold(needed(rows, n, required), pl.Series(scores))
    text = sentences.say_threshold(sentences.Values(**found))
    assert text.startswith(said) and bool(text) == bool(said)


def test_failed_responses_are_told_with_what_they_count_as():
    def said(board: pl.DataFrame, taken: str | None) -> str:
        found = findings.find_unscored("failed", board, measures.get("qa", "c@1"), taken, {})
        return sentences.render(found) if found else ""

    board = pl.DataFrame({"run": ["a", "b", "c"], "n_error": [0, 2, 5], "n": 10, "c@1": 0.5})
    ends = "2 to 5 responses in 2 of 3 runs, which count as wrong (option error)."
    assert said(board, "wrong") == f"Systems failed on {ends}"
    of_epochs = board.with_columns(n_error=pl.Series([0.0, 1.0, 5 / 3]))
    ends = "the epochs of 1 to 1.67 questions in 2 of 3 runs, which count as wrong (option error)."
    assert said(of_epochs, "wrong") == f"Systems failed on {ends}"
    bounded = board.with_columns(pl.lit(0.25).alias("c@1 worst"), pl.lit(0.75).alias("c@1 best"))
    reach = "However they are taken, c@1 of b is 25.0 to 75.0 %."
    assert said(bounded, "exclude").endswith(f"which are left out (option error). {reach}")
    assert said(board[:1], "wrong") == said(board, None) == ""
