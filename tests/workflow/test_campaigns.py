"""What stages must know of a campaign's configuration."""

import pytest
from nonresponse import campaign as config
from nonresponse.workflow.campaigns import Campaign

ASSESSORS = {"ann": "by ann", "bob": "by bob"}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({}, "verdict"),
        ({"columns": {"verdict": "grade", "error": "failure"}}, "failure, grade"),
        ({"assessors": {"ann": "by ann"}}, "by ann"),
        ({"assessors": ASSESSORS, "official": "bob"}, "by bob"),
        ({"gold": "expected"}, "answer against expected"),
    ],
)
def test_the_columns_that_decide_on_a_graded_response(tmp_path, monkeypatch, options, field):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graded.csv").touch()
    graded = {"format": "tabular", "files": "graded.csv", **options}
    checked = config.check_config({"campaigns": {"t": {"task": "qa", "graded": graded}}})
    assert Campaign("t", checked["campaigns"]["t"]).deciding_field == field
