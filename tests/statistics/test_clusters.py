"""Questions in clusters and questions asked several times: what is drawn, what is tested, and how
alike they are."""

import numpy as np
import pytest
from comparing import scored
from nonresponse import measures
from nonresponse.statistics.pseudo_values import intraclass
from pipeline import Campaign, outcomes_of


def literal(values: list, unit: list) -> float:
    """The one-way analysis of variance in plain loops."""
    classes = sorted(set(unit))
    groups = [
        [value for value, own in zip(values, unit, strict=True) if own == name] for name in classes
    ]
    n, mean = len(values), sum(values) / len(values)
    between = sum(len(group) * (sum(group) / len(group) - mean) ** 2 for group in groups) / (
        len(groups) - 1
    )
    inside = sum((value - sum(group) / len(group)) ** 2 for group in groups for value in group) / (
        n - len(groups)
    )
    size = (n - sum(len(group) ** 2 for group in groups) / n) / (len(groups) - 1)
    return (between - inside) / (between + (size - 1) * inside)


@pytest.mark.parametrize("seed", range(5))
def test_intraclass_correlation_of_classes_of_any_size(seed):
    draw = np.random.default_rng(seed)
    unit = np.append(np.arange(6), draw.integers(0, 6, 40))
    values = draw.normal(0, 1, (3, 46)) + draw.normal(0, 1, (3, 6))[:, unit]
    expected = [literal(row.tolist(), unit.tolist()) for row in values]
    assert intraclass(values, unit) == pytest.approx(expected)


def test_an_intraclass_correlation_that_does_not_exist():
    assert np.isnan(intraclass(np.ones((1, 6)), np.arange(6) % 2)).all()
    assert np.isnan(intraclass(np.array([[1.0, 0, 1]]), np.arange(3))).all()
    assert np.isnan(intraclass(np.array([[1.0, 0, np.nan, 1]]), np.arange(4) % 2)).all()


def asked_again(
    folder, epochs: dict[str, int], questions: int = 40, seed: int = 1
) -> tuple[Campaign, dict]:
    """Graded responses of runs to questions that they were asked so many times; and whether each
    was right."""
    draw, right, rows = np.random.default_rng(seed), {}, {}
    hard = draw.random(questions)
    for run, times in epochs.items():
        right[run] = draw.random((questions, times)) < hard[:, None]
        rows[run] = [
            {
                "question": f"q{q:03}",
                "epoch": str(epoch + 1),
                "verdict": "correct" if right[run][q, epoch] else "wrong",
            }
            for q in range(questions)
            for epoch in range(times)
        ]
    return Campaign(folder).graded(rows), right


def test_samples_of_a_question_are_one_unit(tmp_path):
    """A run's counts are means over its epochs; psi are those of the means; runs may have fewer
    epochs than others."""
    made, right = asked_again(tmp_path, {"five": 5, "three": 3, "one": 1})
    for run, answers in right.items():
        mean = answers.mean(axis=1)
        n, n_ac, n_u = made.count(run, "n", "n_ac", "n_u")
        assert (n, n_u) == (40, 0) and n_ac == pytest.approx(mean.sum())
        assert made.score("c@1", run) == pytest.approx(mean.mean())
    for id in ("accuracy", "c@1", "mrr"):
        seen = outcomes_of(made.verdicts, measures.get("qa", id), made.policy, "official")
        assert (seen.n, seen.asked, seen.inside.n) == (40, 40, 200)
        score, psi = scored(seen)
        for row, run in enumerate(seen.runs):
            mean = right[run].mean(axis=1)
            assert score[row] == pytest.approx(mean.mean())
            assert psi[row] == pytest.approx(mean), (
                "each question counts the same, whatever its number of epochs"
            )
