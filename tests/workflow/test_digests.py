"""The digests of results tell which were edited, or lost from their folder."""

from pathlib import Path

from nonresponse.workflow.digests import NOTES, find_edited, write_manifest


def test_a_file_lost_from_a_folder_that_was_no_result_for_a_while(tmp_path, monkeypatch):
    """An analysis is dropped from the configuration, and wanted again."""
    monkeypatch.chdir(tmp_path)
    tables, check = Path("results/x/judging"), Path("results/x/check.txt")
    for folder in (tables, NOTES):
        folder.mkdir(parents=True)
    for path in (tables / "agreement.csv", tables / "pooling.csv", check):
        path.write_text("1\n")
    all_results = [str(tables), str(check)]
    assert write_manifest(all_results).keys() == {*map(str, tables.iterdir()), str(check)}
    assert write_manifest([str(check)]) == {}
    assert find_edited(all_results) == []
    (tables / "pooling.csv").unlink()
    assert find_edited(all_results) == [str(tables)]
    assert find_edited([str(check)]) == []
    write_manifest(all_results)  # once it is made again, without that file
    assert find_edited(all_results) == []
