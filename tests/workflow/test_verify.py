"""What is known of results: files, and folders that are results as a whole."""

import pytest
from nonresponse import checksums, tables, verify

BOARD, FIGURES = "results/x/board.csv", "results/x/figures"
CURVE, PLANE = f"{FIGURES}/curve.svg", f"{FIGURES}/plane.svg"


@pytest.fixture(autouse=True)
def made(tmp_path, monkeypatch):
    """The results of one run, as its jobs write them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(checksums.NOTES, str(checksums.of_a_run()))
    tables.write_text("board", BOARD)
    tables.emptied(tmp_path.joinpath(FIGURES).relative_to(tmp_path))
    for path in (CURVE, PLANE):
        tables.write_text(path, path)
    return tmp_path


def found() -> verify.Results:
    return verify.results([BOARD, FIGURES])


def test_all_is_as_it_was_made(made):
    assert not (found().changed or found().unknown or found().former or verify.faults(found()))


def test_a_folder_that_is_made_again_with_fewer_files(made):
    """As Snakemake does it: it removes the folder, then the job fills it."""
    for path in (CURVE, PLANE):
        (made / path).unlink()
    assert found().unknown == [FIGURES] and not found().changed  # the job was killed before it began
    tables.emptied((made / FIGURES).relative_to(made))
    assert not found().unknown and not found().changed  # it is as empty as it may be
    (made / CURVE).write_text("a killed job left it before it noted it")
    assert found().unknown == [FIGURES] and not found().changed
    tables.write_text("again", CURVE)
    assert not (found().changed or found().unknown)


def test_what_is_lost_or_edited_can_be_kept(made):
    (made / PLANE).unlink()
    (made / CURVE).write_text("edited")
    (made / BOARD).write_text("edited")
    (made / FIGURES / "mine.txt").write_text("what nobody noted is passed over")
    sentences = [f"{BOARD} has changed since it was made."]
    folder = [f"{CURVE} has changed since it was made.", f"{PLANE} is missing."]
    assert found().changed == {BOARD: sentences, FIGURES: folder}
    verify.keep([FIGURES])
    assert found().changed == {BOARD: sentences} and not found().unknown


def test_reports_of_faults_are_no_former_results(made):
    for name in ("faults.txt", "x/faults.txt", "x/old.csv"):
        tables.write_text(name, f"results/{name}")
    assert found().former == ["results/x/old.csv"]


def test_a_campaign_that_was_never_made_is_one_line(made):
    json = "results/x/leaderboard.json"
    tables.write_text("{}", json)
    tables.write_text("read", "results/y/questions.parquet")  # on the way to a result
    asked = [
        BOARD,
        json,
        "results/y/questions.parquet",
        "results/y/leaderboard.json",
        "results/y/scores/c@1.parquet",
        "results/summary.md",
    ]
    missing = "results/summary.md is missing."
    assert verify.faults(verify.results(asked)) == ["results/y was never made: run snakemake.", missing]
    tables.write_text("why", "results/y/faults.txt")
    assert verify.faults(verify.results(asked)) == ["results/y was never made: results/y/faults.txt says why.", missing]
    (made / BOARD).unlink()  # which was made once, as
    (made / json).unlink()
    assert verify.faults(verify.results(asked))[1:] == [f"{BOARD} is missing.", f"{json} is missing.", missing]


def test_what_a_settled_note_says(made):
    """Files that are gone are not in it, edited ones are as they were made; only then are earlier notes removed."""
    (made / BOARD).write_text("edited")
    (made / PLANE).unlink()
    before = found().known
    checksums.settle(found().lasting)
    assert checksums.noted(checksums.RESULTS) == before  # this run's own notes count more
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(checksums.NOTES, str(checksums.of_a_run()))
        checksums.settle(found().lasting)
    assert checksums.noted(checksums.RESULTS) == {path: before[path] for path in (BOARD, CURVE)}
