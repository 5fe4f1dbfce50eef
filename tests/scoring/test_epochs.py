"""Every question that a run was asked counts the same, whatever the number of its epochs."""

from comparing import make_comparison, score_runs
from nonresponse.report.question_sets import describe_question_sets
from nonresponse.report.sections import comparison
from pipeline import Campaign, spell


def test_a_cancelled_run_loses_no_question(tmp_path):
    """k was asked eight questions twice, and m lacks four of the second epoch."""
    columns = {"question": [f"q{q}" for q in range(8)] * 2, "epoch": "1" * 8 + "2" * 8}
    rows = spell(**columns, verdict="CCCCWWWW" * 2)
    result = Campaign(tmp_path).evaluate_graded({"k": rows, "m": rows[:12]})
    names = ("n", "n_ac", "n_aw", "n_u", "n_asked", "n_shared", "n_not_asked", "n_missing")
    for run in ("k", "m"):
        assert result.count(run, *names) == (8, 4, 4, 0, 8, 8, 0, 0)
        for id in ("accuracy", "c@1", "mrr"):
            assert result.score(id, run) == 0.5
            assert score_runs(result.outcomes(id)[0])[0].tolist() == [0.5, 0.5]
    counts = result.counts.with_columns(trivial=False)
    assert describe_question_sets(counts, "exclude", "shared") == []
    intervals, _ = make_comparison(result.outcomes("precision_answered")[0])
    assert intervals["samples"].to_list() == [16, 12] and intervals["answers"].to_list() == [8, 8]
    assert comparison.list_caveats(intervals, 0.05, 5000, False)[0].startswith(
        "Questions were asked several times (1.75 on average)"
    )
