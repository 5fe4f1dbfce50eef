"""Every key of config.yaml is described, and the files that tell of the keys are up to date."""

import json

import pytest
import reference_pages
from conftest import HOME
from nonresponse.campaign import validation

SCHEMA = validation.make_json_schema()


def test_every_key_is_described():
    """Columns are called as the formats tell."""
    for name, part in SCHEMA["$defs"].items():
        for key, declared in part["properties"].items():
            assert "description" in declared or name.endswith("Columns"), (name, key)


def test_the_schema_for_editors_is_up_to_date():
    """As `python -m nonresponse.campaign > docs/config.schema.json` writes it."""
    shipped = json.loads((HOME / "docs/config.schema.json").read_text(encoding="utf-8"))
    assert shipped == SCHEMA, "run python -m nonresponse.campaign > docs/config.schema.json"


@pytest.mark.parametrize("name", ["keys", "commands", "python"])
def test_the_page_is_current(name):
    text = (HOME / f"docs/{name}.md").read_text(encoding="utf-8")
    assert text == getattr(reference_pages, f"{name}_page")(), "run python tools/reference_pages.py"
