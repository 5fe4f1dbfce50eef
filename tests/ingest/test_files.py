"""What a pattern matches: files, and whatever else is there, which nobody may lose in silence."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import HOME
from nonresponse.campaign.paths import find_linked_truths
from nonresponse.ingest.files import find_files, find_unreadable, match_files, split_by_shard
from nonresponse.workflow.digests import Digests

# Root may read everything; without these two capabilities it may read only what anybody may.
SETPRIV = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []

NOWHERE = "a link that leads nowhere"
ALL_FILES = ["raw/a.tsv", "raw/b.tsv", "raw/deep/c.tsv", "raw/deep/er/d.tsv"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (*ALL_FILES, "raw/.hidden.tsv"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x")
    return tmp_path


def test_patterns_match_as_in_a_shell():
    for pattern in ("raw/*.tsv", "raw/?.tsv", "raw/[ab].tsv"):
        assert match_files(pattern) == (ALL_FILES[:2], {}), pattern
    for pattern in ("raw/**", "raw/**/*", "raw/**/*.tsv", "**/*.tsv", "**/**/*.tsv", "**"):
        assert match_files(pattern) == (ALL_FILES, {}), pattern
    assert find_files("raw/*/*.tsv") == ["raw/deep/c.tsv"]
    assert find_files("raw/.*.tsv") == ["raw/.hidden.tsv"]
    assert find_files(f"{Path.cwd()}/raw/a*") == [f"{Path.cwd()}/raw/a.tsv"]
    for pattern in ("raw/nothing*", "nowhere/*", "", "x/y" * 2000, "a*" * 2500, "[a" * 500):
        assert match_files(pattern) == ([], {}), pattern[:20]
    assert match_files("**/" * 500).files == []


def test_a_name_with_brackets_names_itself_and_a_file_called_star_hides_no_other():
    Path("raw/[x].tsv").write_text("x")
    Path("raw/*").write_text("x")
    assert find_files("raw/[x].tsv") == ["raw/[x].tsv"]
    assert find_files("raw/*") == ["raw/*", "raw/[x].tsv", "raw/a.tsv", "raw/b.tsv"]


def test_what_matches_and_is_no_file():
    Path("raw/dangling.tsv").symlink_to("gone")
    Path("raw/itself.tsv").symlink_to("itself.tsv")
    Path("raw/device.tsv").symlink_to("/dev/zero")
    Path("raw/link.tsv").symlink_to("a.tsv")
    Path("raw/folder.tsv").mkdir()
    os.mkfifo("raw/pipe.tsv")
    socket.socket(socket.AF_UNIX).bind("raw/socket.tsv")
    Path(os.fsdecode(b"raw/\xff.tsv")).write_text("x")
    reasons = {"dangling": NOWHERE, "device": "a device", "folder": "a folder", "itself": NOWHERE}
    reasons |= {"pipe": "a named pipe", "socket": "a socket", "\\xff": "a name that is not UTF-8"}
    unreadable = {f"raw/{name}.tsv": reason for name, reason in reasons.items()}
    files = ["raw/a.tsv", "raw/b.tsv", "raw/link.tsv"]
    matches = match_files("raw/*.tsv")
    assert matches == (files, unreadable)
    assert match_files("raw/**/*.tsv").unreadable == unreadable
    assert [fault.file for fault in find_unreadable(matches)] == [*unreadable]
    assert match_files("raw/dangling.tsv") == ([], {"raw/dangling.tsv": NOWHERE})
    shards = split_by_shard(matches, 3).values()
    paths = [path for shard in shards for path in [*shard.files, *shard.unreadable]]
    assert sorted(paths) == sorted([*files, *unreadable])
    names = ["raw/a.tsv", "raw/pipe.tsv", "raw/deep", "raw/gone"]
    assert [name for name in names if Digests("raw.json").digest(name)] == ["raw/a.tsv"]


def test_what_two_stars_and_a_lost_folder_match():
    Path("raw/team").symlink_to("gone")
    lost = {"raw/team": "a link that leads nowhere"}
    assert match_files("raw/*/c.tsv") == (["raw/deep/c.tsv"], lost)
    Path("raw/team").unlink()
    Path("raw/deep/run1").mkdir()
    Path("raw/deep/run1/run.tsv").write_text("x")
    assert match_files("raw/**/run*") == (["raw/deep/run1/run.tsv"], {})
    Path("raw/run2").mkdir()  # matches itself, but leads to no file
    assert match_files("raw/**/run*").unreadable == {"raw/run2": "a folder"}


def test_two_stars_follow_no_links_and_say_so_where_that_loses_files(tmp_path):
    matches = match_files("raw/**/*.tsv")
    for name, target in (("loop", "."), ("loop2", "."), ("up", ".."), ("again", "deep")):
        Path("raw", name).symlink_to(target)
    assert match_files("raw/**/*.tsv") == matches
    Path("elsewhere").mkdir()
    Path("raw/away").symlink_to("../elsewhere")
    assert match_files("raw/**/*.tsv").unreadable == {
        "raw/away": "a link to a folder, which ** does not follow"
    }


@pytest.mark.skipif(
    bool(SETPRIV) and not shutil.which("setpriv"), reason="no setpriv, and root may read everything"
)
def test_what_nobody_here_may_read():
    for name in ("raw/a.tsv", "raw/deep", "raw/deep/er"):
        Path(name).chmod(0)
    code = "import json; from nonresponse.ingest.files import match_files; "
    code += "print(json.dumps([*map(match_files, ['raw/*.tsv', 'raw/**/*.tsv', 'raw/*/c.tsv'])]))"
    environment = os.environ | {"PYTHONPATH": str(HOME / "src")}
    command = [*SETPRIV, sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    Path("raw/deep").chmod(0o700)
    star, stars, inside = json.loads(run.stdout)
    assert star == [["raw/b.tsv"], {"raw/a.tsv": "a file that nobody here may read"}]
    assert stars[1]["raw/deep"] == "a folder that cannot be read"
    assert inside == [[], {"raw/deep": "a folder that cannot be read"}]


@pytest.mark.parametrize(
    "parts",
    [
        {"runs": {"files": "*.tsv"}, "judgments": {"files": "truth.tsv"}},
        {"graded": {"files": "*.tsv", "key": "truth.tsv"}},
    ],
)
def test_a_run_is_no_link_to_what_it_is_judged_by(tmp_path, monkeypatch, parts):
    monkeypatch.chdir(tmp_path)
    Path("truth.tsv").touch()
    Path("mine.tsv").symlink_to("truth.tsv")
    [(key, problem)] = find_linked_truths(parts)
    assert key.endswith(".files") and problem.startswith("'mine.tsv' is a link")
