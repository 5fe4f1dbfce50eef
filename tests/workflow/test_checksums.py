"""Checksums of raw files: what changes them, and that what is known is not read again."""

import os
import subprocess
from pathlib import Path

import pytest
from nonresponse import checksums, tables


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("one")
    (tmp_path / "b").write_text("two")
    return tmp_path


def seen(*paths) -> dict[str, str]:
    """As a run of Snakemake does it: look, note."""
    found = checksums.states(list(paths), checksums.noted(checksums.RAW))
    checksums.write_note(found, checksums.RAW)
    return checksums.by_path(found)


def test_another_content_of_the_same_size_and_time(folder):
    before = seen("a", "b")
    time = (folder / "a").stat().st_mtime_ns
    (folder / "a").write_text("six")
    os.utime("a", ns=(time, time))
    after = seen("a", "b")
    assert after["a"] != before["a"] and after["b"] == before["b"]


def test_names_that_are_exchanged(folder):
    before = checksums.checksum_of(["a", "b"], seen("a", "b"))
    (folder / "a").rename("c")
    (folder / "b").rename("a")
    (folder / "c").rename("b")
    assert checksums.checksum_of(["a", "b"], seen("a", "b")) != before


def test_a_touched_file_has_the_same_checksum_and_a_known_one_is_not_read(folder, monkeypatch):
    before = seen("a", "b")
    (folder / "a").touch()
    assert seen("a", "b") == before
    monkeypatch.delattr(checksums.hashlib, "file_digest")
    assert seen("a", "b") == before


def test_a_damaged_note_and_files_that_are_not_there(folder):
    before = seen("a", "b")
    (folder / checksums.RAW).write_text("{")
    assert seen("a", "b", "missing") == before


def test_the_job_knows_what_it_read(monkeypatch):
    monkeypatch.setattr(checksums, "READ", {})
    expected = checksums.checksum_of(["a", "b"], seen("a", "b"))
    for path in ("a", "b"):
        checksums.read_raw_file(path)
    Path("a").write_text("what is there now plays no part")
    lines = checksums.certificate(["a", "b"], expected)
    Path("a").write_text("one")
    printed = subprocess.run(["sha256sum", "a", "b"], capture_output=True, text=True, check=True).stdout
    assert lines == printed


@pytest.mark.parametrize("restored", [True, False])
def test_a_file_that_was_another_when_it_was_read(monkeypatch, restored):
    monkeypatch.setattr(checksums, "READ", {})
    expected = checksums.checksum_of(["a", "b"], seen("a", "b"))
    Path("a").write_text("six")
    checksums.read_raw_file("a")
    checksums.read_raw_file("b")
    Path("a").write_text("one" if restored else "six")
    with pytest.raises(SystemExit, match="a, b: changed while it was read"):
        checksums.certificate(["a", "b"], expected)


def test_a_file_that_no_reader_opened_is_compared_too(monkeypatch):
    monkeypatch.setattr(checksums, "READ", {})
    expected = checksums.checksum_of(["a"], seen("a"))
    assert checksums.certificate(["a"], expected)
    Path("a").write_text("six")
    with pytest.raises(SystemExit):
        checksums.certificate(["a"], expected)


def test_a_note_grows_by_lines_of_which_the_last_counts(folder):
    note = folder / "notes/note.json"
    assert checksums.noted(note) == {}
    for what in ({"a": 1, "b": 2}, {"b": 3, "c": None}, {"a": None}):
        checksums.add(what, note)
    assert checksums.noted(note) == {"b": 3}
    with note.open("a") as stream:
        stream.write('\n{"b": 4')  # cut short by a kill
    checksums.add({"d": 5}, note)
    assert checksums.noted(note) == {"b": 3, "d": 5}


def test_a_note_that_cannot_be_written_leaves_nothing_behind(folder):
    (folder / "note.json").mkdir()
    checksums.write_note({"a": 1}, folder / "note.json")
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b", "note.json"]


def test_a_job_notes_what_it_writes_and_a_killed_one_does_not(folder, monkeypatch):
    """In a note of its run and machine; and nothing where no run asks for it."""
    tables.write_text("before", "results/page.md")
    assert not checksums.FOLDER.exists()
    run = checksums.of_a_run()
    monkeypatch.setenv(checksums.NOTES, str(run))
    tables.write_text("first", "results/page.md")
    (tables.emptied(folder / "results/x"), tables.write_text("one", folder / "results/x/one"))
    found = checksums.noted(checksums.RESULTS)
    assert found == checksums.states(["results/page.md", str(folder / "results/x/one")], {})
    with pytest.raises(KeyboardInterrupt), checksums.noting("results/page.md"):
        raise KeyboardInterrupt
    tables.emptied(folder / "results/x")
    assert checksums.noted(checksums.RESULTS) == {}
    assert [path.name for path in run.iterdir()] == [os.uname().nodename]


def test_a_later_run_counts_more_and_settles_what_others_noted(folder, monkeypatch):
    earlier, now = checksums.of_a_run(), checksums.of_a_run()
    checksums.add({"a": 2}, now / "here")
    for machine in ("here", "there"):
        checksums.add({"a": 1, "b": 1}, earlier / machine)  # written after the other: by an orphan
    assert checksums.noted(checksums.RESULTS) == {"a": 2, "b": 1}
    monkeypatch.setenv(checksums.NOTES, str(now))
    checksums.settle({"a": 0, "b": 3})
    assert list(checksums.RESULTS.iterdir()) == [now] and checksums.noted(checksums.RESULTS) == {"a": 2, "b": 3}


def test_the_files_of_a_result_are_those_of_its_folder_but_hidden_ones(folder):
    for name in ("results/x/one", "results/x/y/two", "results/x/.snakemake_timestamp", "results/page.md"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    assert checksums.files_in("results/x") == ["results/x/one", "results/x/y/two"]
    assert checksums.files_in("results/page.md") == ["results/page.md"]


def test_a_pipe_is_not_waited_for_and_has_no_checksum():
    os.mkfifo("pipe")
    assert checksums.states(["pipe", "."], {}) == {}
