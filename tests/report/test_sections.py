"""Sections: figures and matrices are those of tables, and sentences have the numbers of theirs."""

import re
from math import inf
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from nonresponse import tables
from nonresponse.report import question_sets, questions
from nonresponse.report.campaign import Campaign
from nonresponse.report.sections import (
    adjudication,
    agreement,
    candidates,
    comparison,
    cost,
    gates,
    generalizability,
    imports,
    judges,
    pooling,
    rankings,
    reliability_diagram,
    risk_coverage,
    scenarios,
)
from nonresponse.report.sections import (
    questions as needed_questions,
)
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS
from nonresponse.statistics import candidates as estimated
from nonresponse.statistics.adjudication import DISPUTED
from nonresponse.statistics.rankings import RANKINGS
from nonresponse.statistics.reliability_diagram import DIAGRAM
from nonresponse.statistics.risk_coverage import RISK_CONTROL, RISK_COVERAGE

CURVES = [
    ("bold", 1, 0.2, 0, 0.9, False),
    ("bold", 3, 0.6, 0, 0.7, False),
    ("bold", 5, 1, 0.4, 0.5, True),
    ("mute", 2, 0.4, 0.5, None, True),
]
BINS = [("bold", 9, 4, 0.85, 0.75, 0.1), ("bold", 10, 1, 1.0, 1.0, 0.0)]
ROWS = {
    "risk_coverage": (CURVES, RISK_COVERAGE),
    "risk_control": ([("bold", 0.1, 0.5, 60, 1, 0.09, False)], RISK_CONTROL),
    "reliability_diagram": (BINS, DIAGRAM),
}


def make_campaign(folder: Path, ids: list[str], analyses: list[str], **files) -> Campaign:
    """A campaign with scores by these measures, and tables by path below `reliability`."""
    for id in ids:
        score = pl.DataFrame({"assessor": ["x"], "value": [0.5]})
        tables.write(score, folder / f"scores/{id}.parquet")
    for name, table in files.items():
        tables.write(table, folder / f"reliability/{name}.parquet")
    settings = {"measures": ids, "official": "x", "analyses": analyses, "level": 0.05}
    return Campaign("x", "qa", folder, settings)


def test_curves_are_those_of_the_tables_and_without_rows_there_is_no_section(tmp_path):
    def make_sections(number: int) -> list:
        files = {
            f"summaries/{name}": pl.DataFrame(rows[:number], schema, orient="row")
            for name, (rows, schema) in ROWS.items()
        }
        campaign = make_campaign(tmp_path, ["c@1"], [], **files)
        return [part.make_section(campaign) for part in (risk_coverage, reliability_diagram)]

    risk, diagram = make_sections(9)
    [risk], [diagram] = risk.figures, diagram.figures
    assert {curve.name: curve.points for curve in risk.curves} == {
        "bold": [[0.2, 0], [0.6, 0], [1, 0.4]],
        "mute": [[0.4, 0.5]],
    }
    assert [curve.points for curve in diagram.curves] == [[[0.85, 0.75, 0.8], [1, 1, 0.2]]]
    assert make_sections(0) == [None] * 2


def test_swap_rates_are_drawn_for_each_measure(tmp_path):
    """Without a bin where no pair differs that much."""
    ids = ["c@1", "uf"]
    swaps = pl.DataFrame({"lower": [0.01, 0.0, 0.02], "swap_rate": [0.1, 0.4, None]})
    sizes = pl.DataFrame({"measure": ids, "size": 5, "questions": 11, "required_difference": 0.01})
    files = {f"by_measure/{id}/swap": swaps for id in ids} | {"summaries/sensitivity": sizes}
    campaign = make_campaign(tmp_path, ids, ["swap"], **files)
    [figure] = needed_questions.make_section(campaign).figures
    points = [[0, 0.4], [0.01, 0.1]]
    assert {curve.name: curve.points for curve in figure.curves} == {"c@1": points, "uf": points}
    assert figure.level == 0.05 and "5 of the 11 questions" in figure.title


def test_rankings_have_a_matrix_of_assessors_by_measure_and_of_measures(tmp_path):
    rows = [
        ("assessors", "c@1", "x", "y", 2, 0.5, 1, 1, 0, None),
        ("assessors", "uf", "x", "y", 2, None, 0, 0, 0, None),
        ("measures", None, "c@1", "uf", 2, 1, 0, 0, 0, None),
    ]
    files = {"summaries/rankings": pl.DataFrame(rows, RANKINGS, orient="row")}
    campaign = make_campaign(tmp_path, ["c@1", "uf"], ["rankings"], **files)
    assessor_matrix, _, measure_matrix = rankings.make_section(campaign).tables
    assert assessor_matrix.cells == [["x – y", "0.50", "–"]]
    assert measure_matrix.cells == [["c@1", "–", "1.00"], ["uf", "1.00", "–"]]


def test_what_the_questions_of_a_campaign_can_show(tmp_path):
    """Of a measure without a number of questions there is none."""
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    rows = {"c@1": (0.05, 620, 580, 1670), "uf": (0.05, None, None, None), "k": (0.06, 9, 8, 10)}
    files = {
        f"by_measure/{id}/questions_needed": pl.DataFrame([row], schema, orient="row").with_columns(
            n=500, required_difference=0.07, left_out=0, remark=pl.lit("")
        )
        for id, row in rows.items()
    }
    power = pl.DataFrame({"measure": [*rows], "pair": "median", "detectable": [0.03, 0.04, 0.05]})
    maxt = pl.DataFrame({"measure": [*rows], "maxt": [0.5, 0.25, 0.1]})
    files |= {"summaries/power": power, "summaries/discriminative_power": maxt}
    campaign = make_campaign(tmp_path, [*rows], ["sample_size", "comparison"], **files)
    assert needed_questions.tabulate_measures(campaign).rows() == [
        ("c@1", 0.07, "620 (580 to 1,670)", 0.5, 0.03),
        ("uf", 0.07, None, 0.25, 0.04),
        ("k", 0.07, None, 0.1, 0.05),
    ]


NUMBER = re.compile(r"(?<![\w.@])\d[\d,]*\.?\d*")  # but for those in names such as c@1
# A value of a program, and something as nothing
UNFIT = r"NaN|nan\b|\bNone\b(?! of)|null|\b0\.0+\b|\b1 of 1\b|\b1 (runs|questions|pairs|answers)\b"


def frame(names: str, *rows: tuple, **constants) -> pl.DataFrame:
    """A table of these columns; those of nulls alone are numbers, and some have one value."""
    table = pl.DataFrame(rows, names.split(), orient="row", infer_schema_length=None)
    table = table.with_columns(pl.selectors.by_dtype(pl.Null).cast(pl.Float64))
    return table.with_columns(**{name: pl.lit(value) for name, value in constants.items()})


def say_asked(compare_on: str, *rows: tuple) -> str:
    """Of runs, questions asked of 50, those of all runs, and those without a response."""
    board = frame("run n_asked n_shared n_missing", *rows, trivial=False)
    board = board.with_columns(n_not_asked=50 - pl.col("n_asked"))
    return " ".join(question_sets.describe_question_sets(board, "wrong", compare_on))


def say_scenarios(*rows: tuple) -> str:
    names = "scenario other_scenario tau swaps assessors_mean_tau"
    return scenarios.describe_rankings(frame(names, *rows), "c@1", "a")


def say_agreement(*values: float | None) -> str:
    """Of disagreement and alpha on labels, and of disagreement on verdicts."""
    statistics = ("disagreement", "krippendorff_alpha", "disagreement")
    rows = zip(("label", "label", "correct"), statistics, values, strict=False)
    table = frame("scale statistic value", *rows, items=1200)
    return agreement.describe_agreement(
        table.with_columns(assessors=pl.concat_list(pl.lit("a"), pl.lit("b")))
    )


def say_pooling(*rows: tuple) -> str:
    """Of runs, scores before and after, and tau."""
    table = frame("run value without tau", *rows, measure="c@1")
    return pooling.describe_changes(table.with_columns(change=pl.col("without") - pl.col("value")))


def say_candidates(*rows: tuple) -> str:
    counts = frame("run n_ac n_aw n_u n_ur n_uw", *rows)
    counts = counts.with_columns(n=pl.sum_horizontal("n_ac", "n_aw", "n_u"))
    runs = estimated.compare_rates(counts)
    estimates = estimated.summarise_estimates(counts, runs)
    sentences = (
        candidates.describe_candidates(runs, estimates),
        candidates.describe_effect(estimates),
    )
    return " ".join(sentences)


def say_judges(*rows: tuple) -> str:
    names = "judge compared failed agreement kappa leniency tau swaps_significant unjudged swapped"
    table = frame(names, *rows, judged=90, measure="c@1").with_columns(
        swaps=pl.col("swaps_significant") + 1
    )
    compared = table.filter(pl.col("compared") > 0)
    sentences = judges.describe_agreement(compared, "o") + judges.describe_leniency(compared)
    sentences += judges.describe_rankings(compared) + judges.describe_missing(table)
    return " ".join(sentences)


def say_imports(partial: float, *outcomes: str) -> str:
    rows = zip("abcde", outcomes, strict=False)
    return " ".join(
        imports.make_section(frame("run outcome", *rows, from_partial=partial)).sentences
    )


def say_disputed(*labels: int | None) -> str:
    table = pl.DataFrame({"labels_to_swap": labels}, {"labels_to_swap": pl.Int64})
    nulls = {name: pl.lit(None, kind) for name, kind in DISPUTED.items() if name not in table}
    return " ".join(
        adjudication.make_section(table.with_columns(**nulls).with_columns(place=1)).sentences
    )


def say_thresholds(*rows: tuple) -> str:
    """Of runs, thresholds, answers, wrong ones, and whether they are alike."""
    table = frame("run threshold answers wrong alike", *rows, risk=0.1, at_most=0.09)
    return " ".join(risk_coverage.describe_thresholds(table, 0.05))


def say_calibration(*rows: tuple) -> str:
    """Of runs, answers in a bin, and by how much their confidences are too high."""
    return reliability_diagram.describe_calibration(frame("run answers over", *rows))


def say_needed(*row) -> str:
    table = frame("difference questions lower upper remark", (0.04, 1, 1, 1, ""), row)
    return f"{needed_questions.format_needed(table)}."


def say_few_answers() -> str:
    rows = [("r", 19, True), ("s", 12, True), ("t", 1, False)]
    table = frame("run answers compared", *rows, value=0.5)
    sentences = comparison.warn_of_few_answers(table, "precision")
    return " ".join([*sentences, *comparison.list_not_compared(pl.DataFrame(), table, "precision")])


def say_clusters(clusters: int | None, samples: int | None, flips: int = 5000) -> str:
    table = frame("questions clusters samples", (20, clusters, samples))
    return " ".join(comparison.list_caveats(table, 0.05, flips, True))


VARIANCE = {"measure": "c@1", "error": 0.05, "twice_assessors": 4e-4, "twice_questions": 0.03}
VARIANCE |= {"of_questions": 0.5, "of_assessors": 0.25, "of_both": 0.25}
PARTS = {"a": "a", "b": "b", "measure": "c@1", "difference": 0.125}
PARTS |= {"by_right": 0.025, "by_right_lower": -0.05, "by_right_upper": 0.05}
PARTS |= {"by_abstention_lower": 0.1, "by_abstention_upper": 0.15}
COSTS = [(0, 1.5, ["a"]), (1.5, 3, ["b", "c"]), (3, inf, ["never answering"])]
TAUS = frame("a b tau", ("c@1", "k1", 0.9), ("c@1", "uf", 0.5), ("k1", "uf", None))
RISKS = [("mute", 9, 0.1, 0.5, True)]
RISKS += [("bold", n, n / 500, bad / n, n == 90) for n, bad in ((10, 1), (50, 10), (90, 45))]
RISKS = frame("run answers coverage risk whole", *RISKS).with_columns(
    down_to=pl.when(run="bold").then(0.5)
)
HARD = np.array([[2, 0, 0, 1], [0, 2, 1, 1], [0, 0, 1, 0]])
ASKED = [("a", 10, 5, 0), ("b", 20, 5, 2), ("c", 50, 0, 0)]
# What is said, its numbers, and words that only this case has.
# fmt: off
CASES = [
    (lambda: say_asked("shared", *ASKED), [2, 3, 10, 20, 50, 5, 1, 1, 2], "1 run is not scored"),
    (lambda: say_asked("all", *ASKED), [2, 3, 10, 20, 50, 1, 2], "asked, which may be easier or harder"),
    (lambda: say_asked("shared", ("a", 50, 50, 3), ("b", 50, 50, 0)), [1, 3], "no response"),
    (lambda: questions.describe_difficulty(HARD, 4), [1, 4, 2, 1], ""),
    (lambda: questions.describe_difficulty(HARD[:, 2:], 2), [2, 1], "None of 2"),
    (lambda: cost.describe_best_runs(COSTS), [1.5, 1.5, 3, 3], "b and c from 1.50 to 3.00 and never answering"),
    (lambda: rankings.describe_tau(TAUS, "by two measures"), [0.5, 0.9], "k1"),
    (lambda: say_scenarios(("a", "b", 0.5, 3, 0.25), ("b", "c", 0.7, 1, None)), [0.5, 3, 0.25], "least"),
    (lambda: say_scenarios(("a", "b", 0.5, 3, None)), [0.5, 3], "swapped."),
    (lambda: say_scenarios(("a", "b", None, 0, None)), [], "could be compared"),
    (lambda: say_agreement(0.25, 0.5, 0.5), [25, 1200, 0.5], "answers"),
    (lambda: say_agreement(0.25, None), [25, 1200], "undefined"),
    (lambda: say_agreement(None, 0.5, 0.5), [0.5], "No answer"),
    (lambda: say_pooling(("r", 0.5, 0.25, 0.9), ("s", 0.5, None, None), ("t", 0.5, 0.5, 0.8)), [0.25, 0.8, 1], ""),
    (lambda: say_pooling(("r", 0.5, 0.5, None)), [], "no c@1 would change"),
    (lambda: say_candidates(("r", 5, 5, 10, 1, 3)), [25, 1, 100, 25], "the same as with"),
    (lambda: say_candidates(("r", 150, 150, 300, 100, 100), ("s", 150, 100, 350, 70, 130)), [43, 2, 2.5, 25, 0.092], "lower than"),
    (lambda: say_judges(("j", 80, 10, 0.75, 0.5, -0.2, 0.9, 0, 1, [])), [75, 20, 0.9, 10, 100, 1], "fewer"),
    (lambda: say_judges(("j", 80, 0, 0.75, None, 0.1, 0.5, 2, 0, ["r and s"]), ("k", 80, 0, 0.9, 0.5, 0.2, None, None, 2, [])),
     [2, 75, 90, 10, 20, 0.5, 2, 2], "more of the responses"),
    (lambda: say_judges(("j", 0, 0, 0.5, None, 0.0, None, None, 0, [])), [], "No other judge"),
    (lambda: generalizability.describe_variance(VARIANCE), [50, 25, 25, 0.05, 0.0004, 0.03], ""),
    (lambda: generalizability.describe_variance(dict.fromkeys(VARIANCE, 0.0) | {"measure": "c@1"}), [], "Neither"),
    (lambda: say_imports(0.0, "agrees", "differs", "agrees"), [2, 1], "another number"),
    (lambda: say_imports(0.6, "agrees", "agrees"), [2], "mostly from partly"),
    (lambda: say_disputed(1, 1, 2), [3, 2], "two runs equal"),
    (lambda: say_disputed(None), [1], "for none of them"),
    (lambda: gates.describe_gates([]), [], "no gate was tried"),
    (lambda: gates.describe_gates([PASS, FAIL, PASS, INCONCLUSIVE]), [2, 1, 1], ""),
    (lambda: say_thresholds(("r", 0.5, 60, 1, False), ("s", None, None, None, False), ("t", None, None, None, True)),
     [0.5, 10, 95, 1, 60, 1, 2, 10, 1], ""),
    (lambda: say_thresholds(("r", None, 60, 1, False)), [10, 95, 1, 60, 10], "all its answers"),
    (lambda: say_thresholds(("r", None, None, None, False)), [10], "No run has"),
    (lambda: say_thresholds(("r", 0.99996, 60, 1, False)), [0.99996, 10, 95, 1, 60, 10], "above 0.99996"),
    (lambda: risk_coverage.describe_gain(RISKS)[0], [18, 50, 20, 50], "most confident"),
    (lambda: say_calibration(("r", 50, 0.5), ("r", 50, -0.1)), [30], "The run is over"),
    (lambda: say_calibration(("r", 5, 0.1), ("r", 5, -0.1)), [10], "No run is"),
    (lambda: say_calibration(("r", 50, 0.5), ("s", 50, -0.25), ("t", 50, 0.3)), [25, 2, 3], "s is best"),
    (lambda: say_needed(0.05, 620, 580, 1670, ""), [620, 580, 1670], ""),
    (lambda: say_needed(0.05, 620, 580, None, ""), [620, 580], "to more"),
    (lambda: say_needed(0.05, None, 2000, None, "more than 1,000,000"), [10**6], "more than"),
    (say_few_answers, [20, 2, 12], "Not compared: t (a single"),
    (lambda: say_clusters(4, None), [20, 4, 10, 4, 0.125], "No difference"),
    (lambda: say_clusters(None, 60), [3], ""),
    (lambda: say_clusters(None, None, flips=9), [9, 5], "Set `samples` higher."),
    (lambda: comparison.describe_order(frame("p_maxt", (0.01,), (0.2,), (None,)), "c@1"), [1, 3, 1, 5], "1 could not"),
    (lambda: comparison.describe_abstention(PARTS, 0.05), [12.5, 2.5, 95, 5, 5, 10, 95, 10, 15], "95 % CI −5.0 to 5.0"),
]
# fmt: on


@pytest.mark.parametrize(("say", "expected", "words"), CASES)
def test_a_sentence_has_the_numbers_of_its_table(say, expected, words):
    sentence = say()
    whole = sentence.replace("least 1.00.", "one.")
    assert whole.endswith(".") and "  " not in whole and whole == whole.strip()
    assert not re.search(UNFIT, whole), sentence
    numbers = [float(number.replace(",", "")) for number in NUMBER.findall(sentence)]
    assert numbers == expected and words in sentence, sentence


def test_the_page_shows_first_what_logs_state_and_hides_checksums_and_empty_columns():
    row = ("a", 2, 0, 0.5, "", "1f", "agrees", 0.0)
    names = "run files partial stated judge ruler outcome from_partial"
    [table] = imports.make_section(frame(names, row)).tables
    shown = [column.name for column in table.columns if column.shown]
    assert shown == ["run", "stated", "outcome", "files"]
