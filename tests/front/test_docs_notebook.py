"""docs/notebook.ipynb shows what it gives today, and the examples in docstrings do.

To write its outputs anew, with PYTHONPATH=$PWD/src:
jupyter execute --inplace --NotebookClient.record_timing=False docs/notebook.ipynb
"""

import copy
import doctest
from typing import Any

import pytest
from conftest import HOME
from nonresponse.front import api


def run_cell(notebook: Any) -> list[list[Any]]:
    """What the outputs of each cell show, without when and where they were made."""
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return [[line.get("data", line.get("text", line)) for line in output] for output in outputs]


@pytest.mark.slow
def test_the_notebook_shows_what_it_gives(monkeypatch):
    nbformat = pytest.importorskip("nbformat", reason="nbclient executes the notebook")
    nbclient = pytest.importorskip("nbclient", reason="nbclient executes the notebook")
    pytest.importorskip("ipykernel", reason="ipykernel executes the notebook")
    monkeypatch.setenv("PYTHONPATH", str(HOME / "src"))
    stored = nbformat.read(HOME / "docs/notebook.ipynb", as_version=4)
    notebook = copy.deepcopy(stored)
    run = nbclient.NotebookClient(
        notebook, resources={"metadata": {"path": str(HOME / "docs")}}, timeout=300
    )
    run.execute()
    assert all(run_cell(stored))
    assert run_cell(notebook) == run_cell(stored)


def test_the_examples_in_docstrings_give_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(
        "run,question,verdict\na,q1,correct\na,q2,unanswered\nb,q1,wrong\nb,q2,correct\n"
    )
    result = doctest.testmod(api)
    assert (result.failed, result.attempted > 3) == (0, True)
