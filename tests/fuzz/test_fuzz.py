"""The attack of tests/fuzz: some hundred of its cases (`make fuzz N=100000` for more), and that it finds something."""

import pytest
from nonresponse.faults import Fault

from fuzz import campaigns, cases, naive, recipes
from fuzz.counted import Faulty, Unsure, beside, product
from fuzz.naive import doors
from fuzz.samples import EVERY

SEED, BLOCK = 1, 60


def assert_nothing_found(what: str, numbers, look) -> None:
    found = {number: finding for number in numbers if (finding := look(number))}
    hint = f"shown by PYTHONPATH=src:tests python -m fuzz --seed {SEED} --{what} NUMBER"
    assert not found, "\n".join([hint, *(f"{number}: {': '.join(finding)}" for number, finding in found.items())])


@pytest.mark.slow
@pytest.mark.parametrize("block", range(2))
def test_damaged_files_are_read_as_documented_or_are_faults(tmp_path, block):
    numbers = range(block * BLOCK, (block + 1) * BLOCK)
    assert_nothing_found("case", numbers, lambda number: cases.finding(cases.case(SEED, number), tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1))
def test_counts_and_scores_of_odd_campaigns_fit_together(tmp_path, number):
    assert_nothing_found("campaign", [number], lambda number: campaigns.finding(SEED, number, tmp_path))


def counted(tmp_path, kind: str, numbers) -> None:
    found = {number: finding for number in numbers if (finding := beside.finding(kind, SEED, number, tmp_path))}
    hint = f"shown by PYTHONPATH=src:tests python -m fuzz --seed {SEED} --kind {kind} NUMBER"
    assert not found, "\n".join([hint, *(f"{number}: {', '.join(finding)}" for number, finding in found.items())])


@pytest.mark.parametrize("kind", beside.KINDS)
def test_a_few_random_campaigns_are_counted_as_documented(tmp_path, kind):
    counted(tmp_path, kind, range(3))


@pytest.mark.parametrize("kind", beside.KINDS)
def test_most_campaigns_are_counted_and_few_are_left_in_doubt(kind):
    outcomes = [type(beside.drawn(kind, SEED, number).expected) for number in range(100)]
    assert outcomes.count(dict) > 50 and outcomes.count(Unsure) < 15
    assert Faulty in outcomes or kind == "promptfoo"  # for which no faults are drawn
    assert beside.drawn(kind, SEED, 5)[:2] == beside.drawn(kind, SEED, 5)[:2]


@pytest.mark.parametrize(
    ("number", "made", "what"),
    [
        (0, lambda drawn, folder: "a fault", "refused"),
        (0, lambda drawn, folder: {"": ({}, {})}, "differs"),
        (0, lambda drawn, folder: 1 / 0, "exception"),
        (None, lambda drawn, folder: {}, "taken"),
    ],
    ids=["refuses", "loses runs", "raises", "takes faults"],
)
def test_a_campaign_that_is_counted_otherwise_is_found(tmp_path, monkeypatch, number, made, what):
    monkeypatch.setattr(product, "made", made)
    faulty = (n for n in range(100) if isinstance(beside.drawn("raw", SEED, n).expected, Faulty))
    assert beside.finding("raw", SEED, next(faulty) if number is None else number, tmp_path).what == what


def whole(sample) -> cases.Case:
    data = cases.mutations.to_parquet(sample.content) if sample.kind == "parquet" else sample.content
    return cases.Case(0, sample, sample.name, data, False)


def test_every_sample_is_sound(tmp_path):
    """Undamaged, it is read alike by both, and the naive reader is in no doubt."""
    there = [sample for sample in EVERY if sample.content]
    for case in map(whole, there):
        assert cases.finding(case, tmp_path) is None, case.sample
        if not case.sample.name.startswith("oaqa"):  # which answers some questions twice
            assert doors.tables_of(case.sample, case.name, case.data), case.sample


def test_the_naive_reader_is_seldom_in_doubt():
    outcomes = []
    for case in (cases.case(SEED, number) for number in range(150)):
        try:
            outcomes.append("rows" if doors.tables_of(case.sample, case.name, case.data) else "none")
        except (naive.Refused, naive.Unsure) as outcome:
            outcomes.append(type(outcome).__name__)
    assert outcomes.count("rows") > 35 and outcomes.count("Refused") > 35 and outcomes.count("Unsure") < 25


def test_a_case_is_the_same_whenever_it_is_made():
    assert [cases.case(SEED, n) for n in range(50)] == [cases.case(SEED, n) for n in range(50)]
    assert recipes.recipe(SEED, 5) == recipes.recipe(SEED, 5)


@pytest.mark.parametrize(
    ("reader", "what"),
    [
        (lambda sample, file: ([], []), "differs"),
        (lambda sample, file: ([], [Fault(file, 2, "this", "that")]), "refused"),
        (lambda sample, file: ([], [Fault(file, 99, "this", "that")]), "fault"),
        (lambda sample, file: ([], [Fault(file, 1, "a\tb", "that")]), "fault"),
        (lambda sample, file: 1 / 0, "exception"),
        (lambda sample, file: [None for _ in iter(int, 1)], "slow"),
    ],
    ids=["loses rows", "refuses", "names no line", "shows a tab", "raises", "hangs"],
)
def test_a_reader_that_fails_is_found(tmp_path, monkeypatch, reader, what):
    monkeypatch.setattr(cases, "ours", reader)
    monkeypatch.setattr(cases, "SECONDS", 0.1)
    assert cases.finding(whole(EVERY[0]), tmp_path).what == what


def test_a_file_that_should_be_refused_and_is_not_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(cases, "ours", lambda sample, file: ([], []))
    case = whole(EVERY[0])._replace(data=b"question\tanswer\nq1\n")
    assert cases.finding(case, tmp_path).what == "taken"
    assert len(cases.smallest(case, cases.finding(case, tmp_path), tmp_path).data) < 14
