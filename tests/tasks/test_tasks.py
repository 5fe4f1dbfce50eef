"""A task is a record: the stages ask for its properties, never for its name, and all that it names
is there."""

import re

import pytest
from conftest import HOME
from nonresponse import formats, measures, tasks

LIBRARY = HOME / "src/nonresponse"


@pytest.mark.parametrize("name", tasks.NAMES)
def test_all_that_a_task_names_is_there(name):
    task = tasks.get(name)
    assert task.id == name
    files = [*[f"measures/{module}.py" for module in task.measures], f"judging/{task.judge}.py"]
    assert [file for file in files if not (LIBRARY / file).is_file()] == []
    assert formats.list_formats("runs", name)
    assert {*task.board_counts, *task.parts, *task.required, "n"} <= set(task.counts)
    assert sorted(name for names in task.outcomes.values() for name in names) == sorted(task.parts)
    assert set(task.words) <= set(tasks.VERDICTS) or task.pairs
    assert measures.load_measures(name)


def test_no_stage_asks_which_task_it_has():
    """A branch on the name of a task would be one more place to change for a new one."""
    names = "|".join(tasks.NAMES)
    branch = re.compile(rf"""[=!]= *["']({names})["']|["']({names})["'] *[=!]=""")
    files = [
        *LIBRARY.rglob("*.py"),
        *(HOME / "scripts").glob("*.py"),
        *(HOME / "workflow/rules").glob("*.smk"),
    ]
    actual = [
        f"{path.relative_to(HOME)}: {line.strip()}"
        for path in files
        if "tasks" not in path.relative_to(HOME).parts
        for line in path.read_text().splitlines()
        if branch.search(line)
    ]
    assert actual == []
