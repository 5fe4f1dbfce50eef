"""Checksums of raw files: what changes them, and that what is known is not read again."""

import os

import pytest
from nonresponse import contents


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("one")
    (tmp_path / "b").write_text("two")
    return tmp_path


def test_another_content_of_the_same_size_and_time(folder):
    before = contents.checksums(["a", "b"])
    time = (folder / "a").stat().st_mtime_ns
    (folder / "a").write_text("six")
    os.utime("a", ns=(time, time))
    after = contents.checksums(["a", "b"])
    assert after["a"] != before["a"] and after["b"] == before["b"]


def test_names_that_are_exchanged(folder):
    before = contents.checksum_of(["a", "b"], contents.checksums(["a", "b"]))
    (folder / "a").rename("c")
    (folder / "b").rename("a")
    (folder / "c").rename("b")
    assert contents.checksum_of(["a", "b"], contents.checksums(["a", "b"])) != before


def test_a_touched_file_has_the_same_checksum_and_a_known_one_is_not_read(folder, monkeypatch):
    before = contents.checksums(["a", "b"])
    (folder / "a").touch()
    assert contents.checksums(["a", "b"]) == before
    monkeypatch.delattr(contents.hashlib, "file_digest")
    assert contents.checksums(["a", "b"]) == before


def test_a_damaged_note_and_files_that_are_not_there(folder):
    before = contents.checksums(["a", "b"])
    (folder / contents.NOTE).write_text("{")
    assert contents.checksums(["a", "b", "missing"]) == before
