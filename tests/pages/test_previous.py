"""The results before: kept whatever is killed or damaged, and the same answer however often one asks."""

import itertools
import shutil
from pathlib import Path

import polars as pl
import pytest
from former_results import A, B, C, page_of
from nonresponse import legible, tables
from nonresponse.judging.store import of_rows, unlike
from nonresponse.pages import previous
from nonresponse.pages.previous import FIRST, Results


@pytest.fixture
def kept(tmp_path):
    """A folder that knows A and, after it, B."""
    state = tmp_path / "state"
    assert previous.previous(state, A) == FIRST
    assert previous.previous(state, B) == A
    return state


def test_the_same_results_again_get_the_same_answer(kept):
    assert [previous.previous(kept, B) for _ in range(2)] == [A, A]
    assert [previous.previous(kept, A) for _ in range(2)] == [B, B]
    assert previous.previous(kept.with_name("other"), B) == FIRST
    assert previous.previous(kept.with_name("other"), B) == FIRST


class Killed(BaseException):
    pass


def killed_at(step: int, state: Path, new: Results) -> bool:
    """Keeps new results, and dies at this step of it, half done; False if it has fewer steps."""
    steps = itertools.count()

    def half_written(_, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"PAR1 half")

    def half_deleted(folder):
        min(folder.iterdir()).unlink()

    def dies(function, half):
        def wrapper(*arguments):
            if next(steps) == step:
                half(*arguments)
                raise Killed
            return function(*arguments)

        return wrapper

    with pytest.MonkeyPatch.context() as patch:
        for owner, name, half in [
            (tables, "write", half_written),
            (tables, "write_text", half_written),
            (tables, "keep", half_written),
            (Path, "rename", lambda *paths: None),
            (shutil, "rmtree", half_deleted),
        ]:
            patch.setattr(owner, name, dies(getattr(owner, name), half))
        try:
            previous.previous(state, new)
        except Killed:
            return True
    return False


@pytest.mark.parametrize("step", range(6))
def test_killed_between_two_steps(kept, step):
    again = kept.with_name("again")
    killed = killed_at(step, kept, C)
    assert killed == (step < 5)
    shutil.copytree(kept, again)
    assert previous.previous(kept, C) == B
    assert previous.previous(kept, A) == C
    assert len(list(kept.iterdir())) == 2  # nothing is left behind
    # Back to the earlier results: compared with those before them or, if C had been kept, with C.
    answer = previous.previous(again, B)
    assert answer in (A, C) and previous.previous(again, B) == answer


@pytest.mark.parametrize("step", range(5))
def test_killed_at_the_first_results(tmp_path, step):
    assert killed_at(step, tmp_path / "state", A) == (step < 4)
    assert previous.previous(tmp_path / "state", A) == FIRST
    assert previous.previous(tmp_path / "state", B) == A


@pytest.mark.parametrize("file", ["settings.json", "leaderboard.parquet", "verdicts.npz"])
@pytest.mark.parametrize("left", [slice(-9), slice(0), None])
def test_damage_is_said_and_forgotten(kept, file, left):
    def damage(path):
        content = path.read_bytes()
        path.unlink()  # it may be another name of a result
        if left:
            path.write_bytes(content[left])

    lost = (
        f"There is nothing to compare with: {file} of the previous results is missing or cannot be read."
        " The next change will be compared."
    )
    damage(kept / "1" / file)
    assert previous.previous(kept, B) == lost
    damage(kept / "2" / file)
    assert [previous.previous(kept, C) for _ in range(2)] == [lost, lost]
    assert previous.previous(kept, A) == C
    assert page_of(lost, C) == f"# tiny: what changed\n\n## What changed\n\n{legible.markdown(lost)}\n"


def test_ranks_as_an_earlier_version_kept_them(kept):
    """They were texts: 2, or 2= where runs shared one, which is said and forgotten."""
    for rank, told in (("2", A), ("2=", previous.LOST.format(name="leaderboard.parquet"))):
        board = kept / "1/leaderboard.parquet"
        tables.write(pl.read_parquet(board).with_columns(rank=pl.Series(["1", rank])), board)
        answer = previous.previous(kept, B)
        assert answer == told if told is not A else answer.board["rank"].to_list() == [1, 2]


def test_a_folder_that_is_gone(kept):
    shutil.rmtree(kept / "2")
    assert previous.previous(kept, C) == A
    for folder in kept.iterdir():
        shutil.rmtree(folder)
    assert previous.previous(kept, C) == FIRST


@pytest.mark.parametrize("epochs", [None, [0, 0], [0, 1]])
def test_verdicts_of_tasks_with_and_without_epochs(tmp_path, epochs):
    """Without epochs, every question was asked once: the same as if all epochs are 0."""
    columns = {"assessor": "a", "run": "r", "question": ["q", "p"], "candidate": "", "verdict": "wrong"}
    more = {} if epochs is None else {"epoch": pl.Series(epochs, dtype=pl.Int32)}
    store = of_rows(pl.DataFrame(columns | more), "qa")
    found = unlike(store, of_rows(pl.DataFrame(columns | more | {"run": "other"}), "qa")).sort(
        "question", descending=True
    )
    assert found["epoch"].to_list() == [str(epoch) for epoch in epochs or [0, 0]]
    assert found.columns == [*previous.KEYS["verdicts"], "verdict"]
