"""A task is a record: the stages ask for its properties, never for its name."""

import re

from conftest import HOME
from nonresponse import tasks

LIBRARY = HOME / "src/nonresponse"


def test_no_stage_asks_which_task_it_has():
    """A branch on the name of a task would be one more place to change for a new one."""
    names = "|".join(tasks.NAMES)
    branch = re.compile(rf"""[=!]= *["']({names})["']|["']({names})["'] *[=!]=""")
    files = [*LIBRARY.rglob("*.py"), *(HOME / "scripts").glob("*.py")]
    files += (HOME / "workflow/rules").glob("*.smk")
    lines = [
        f"{path.relative_to(HOME)}: {line.strip()}"
        for path in files
        if "tasks" not in path.relative_to(HOME).parts
        for line in path.read_text().splitlines()
        if branch.search(line)
    ]
    assert lines == []
