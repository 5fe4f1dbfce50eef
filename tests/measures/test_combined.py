"""Combined measures: their names, and F beside `open: rejected`."""

import pytest
from nonresponse import campaign as config
from nonresponse import measures


def test_a_combined_measure_has_one_name():
    measure = measures.get("validation", "mean( c@1,auc , f@1)")
    assert measure.id == "mean(c@1,auc,f@1)" and measure is not measures.get(
        "validation", "mean(c@1,auc)"
    )
    assert measures.get("qa", "mean(idk_score,c@1)").id == "mean(uf,c@1)"


@pytest.mark.parametrize(
    ("id", "ends"),
    [
        ("mean(c@1,penalty@0.75)", (-1.5, 1)),
        ("mean(c@1,rejection_quality)", (0, None)),
        ("product(c@1,accuracy)", (0, 1)),
    ],
)
def test_the_range_is_that_of_the_parts(id, ends):
    assert measures.get("qa", id).range == ends


def test_it_is_smooth_where_its_parts_are():
    assert measures.get("qa", "mean(c@1,cws)").smooth
    assert not measures.get("qa", "mean(c@1,coverage@0.3)").smooth


def test_f_beside_open_rejected(tmp_path, monkeypatch):
    """F by itself, in what is combined and in gates; no other measure."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"id": "a", "label": 0.7}\n')
    files = {"format": "pan", "files": "a.jsonl"}
    campaign = {"task": "validation", "runs": files, "judgments": files, "open": "rejected"}
    ids = ["mean(auc,f@1,fu@0.5)", "f@1", "fu@0.5", "c@1"]
    gates = [{"measure": "f@1", "at_least": 0.5}, {"measure": "n_error", "at_most": 0}]
    campaign |= {"baseline": "a", "measures": ids, "gates": gates}
    checked = config.check_config({"campaigns": {"t": campaign}})["campaigns"]["t"]
    assert checked["measures"] == ["mean(auc,f_2024@1,fu@0.5)", "f_2024@1", "fu@0.5", "c@1"]
    assert checked["aliases"] == dict(zip(ids[:2], checked["measures"][:2], strict=True))
    assert [gate.get("measure") for gate in checked["gates"]] == ["f_2024@1", "n_error"]
