"""Pages and pictures of docs/ are as the tools that make them write them now."""

import abstention_page
import costs
import formats_page
import measures_page
import page as performance
import pytest
import readme_picture
from conftest import HOME
from nonresponse import charts, formats, measures
from reproduction import page as reproduction
from simulation import seeds, shipped
from validation import page as validation
from validation.sections import INTRO, SECTIONS

PAGES = {
    "abstention.md": abstention_page.renew_page,
    "abstention.svg": lambda _: charts.render_svg(abstention_page.draw()),
    "logs.md": formats_page.page,
    "measures.md": lambda _: measures_page.render_page(),
    "performance.md": lambda _: performance.page(costs.FOLDER),
    "reproduction.md": lambda _: reproduction.render_page(),
    # `python tools/validation --only -` writes the text anew, without simulations
    "validation.md": lambda _: validation.compose(SECTIONS, INTRO, validation.read_page(SECTIONS)),
}
for name in reproduction.HEADS:
    PAGES[f"reproduction/{name}.csv"] = lambda _, name=name: reproduction.render_csv(name)


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_current(name):
    text = (HOME / "docs" / name).read_text(encoding="utf-8")
    assert text == PAGES[name](text), "run make docs, or what CONTRIBUTING.md says of this page"
    assert validation.UNKNOWN not in text, "a mark without an explanation"


def test_the_picture_of_the_readme_is_current(tmp_path):
    counts = HOME / "resources/penas-2011-table-3/counts.csv"
    readme_picture.main(counts, tmp_path / "earlier.svg")  # of this process
    readme_picture.main(counts, tmp_path / "new.svg")
    picture = HOME / "docs/images/unanswered.svg"
    assert picture.read_bytes() == (tmp_path / "new.svg").read_bytes(), "run make pictures"


def test_every_log_has_a_section_with_its_table():
    text = (HOME / "docs/logs.md").read_text()
    marks = [f"## {id}\n\n{formats_page.BEGIN.format(id)}" for id in formats.LOGS]
    lacking = [mark + formats_page.END for mark in marks if f"\n{mark}" not in text]
    assert not lacking, "add to docs/logs.md:\n" + "\n".join(lacking)


def test_no_two_functions_have_one_description():
    functions = {record.definition: record for record in measures.REGISTRY.values()}.values()
    ids_by_text: dict[str, set[str]] = {}
    for record in functions:
        ids_by_text.setdefault(record.description, set()).add(record.id)
    assert [ids for ids in ids_by_text.values() if len(ids) > 1] == []


def test_the_page_of_simulations_has_the_first_seed():
    text = (HOME / "docs/simulation.md").read_text()
    assert seeds.beside_published() in text and f"The seed is {shipped.SEED}." in text
