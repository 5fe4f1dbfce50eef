"""docs/measures.md is what the registry says."""

import measures_page
from conftest import HOME
from nonresponse import measures

PAGE = HOME / "docs/measures.md"


def test_the_page_is_current():
    text = PAGE.read_text(encoding="utf-8")
    assert text == measures_page.render_page(), (
        "run python tools/measures_page.py --output docs/measures.md"
    )


def test_no_two_functions_have_one_description():
    functions = {record.definition: record for record in measures.REGISTRY.values()}.values()
    ids_by_text: dict[str, set[str]] = {}
    for record in functions:
        ids_by_text.setdefault(record.description, set()).add(record.id)
    assert [ids for ids in ids_by_text.values() if len(ids) > 1] == []


def test_formulas_have_their_braces_in_pairs():
    for measure in measures.REGISTRY.values():
        assert measure.formula.count("{") == measure.formula.count("}"), measure.id
        assert measure.formula.count(r"\left") == measure.formula.count(r"\right"), measure.id
