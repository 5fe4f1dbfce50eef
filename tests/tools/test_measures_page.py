"""docs/measures.md is what the registry says."""

import re

import measures_page
from conftest import HOME
from nonresponse import measures, tasks

PAGE = HOME / "docs/measures.md"


def test_the_page_is_current():
    written = PAGE.read_text(encoding="utf-8")
    assert written == measures_page.page(), (
        "run python tools/measures_page.py --output docs/measures.md"
    )


def test_every_measure_has_a_row_and_a_formula():
    page = measures_page.page()
    parts = re.split(r"^## ", page, flags=re.MULTILINE)
    of_task = {
        task: next(part for part in parts if part.startswith(tasks.get(task).title))
        for task in tasks.NAMES
    }
    assert measures_page.NOTES.keys() <= measures.of_task("qa").keys()
    for task in tasks.NAMES:
        for measure in measures.of_task(task).values():
            [row] = re.findall(rf"^\| `{re.escape(measure.id)}`.*", of_task[task], re.MULTILINE)
            assert f"| $`{measure.formula}`$ |" in row, measure.id
            assert (
                f"`{measure.parameter}` is a " in row and f"number {measure.bounds}." in row
            ) == bool(measure.parameter)


def test_tables_have_as_many_cells_in_every_line():
    for block in re.findall(r"(?:^\|.*\n)+", measures_page.page(), re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1, block


def test_formulas_have_their_braces_in_pairs_and_no_bar_which_ends_a_cell():
    for measure in measures.REGISTRY.values():
        assert "|" not in measure.formula, measure.id
        assert measure.formula.count("{") == measure.formula.count("}"), measure.id
        assert measure.formula.count(r"\left") == measure.formula.count(r"\right"), measure.id
