"""Test the gallery: data by checksum, at hand or from a server; the page by real results."""

import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import gallery_page
import loaded
import polars as pl
import pytest
from conftest import HOME, Project
from nonresponse import legible
from polars.testing import assert_frame_equal
from reading import DATA, needs

CASE = "czech-simpleqa"  # of published counts: in seconds


def copy_gallery(folder: Path) -> Path:
    """The gallery in a folder of its own, without data and results."""
    for case in sorted(path.parent for path in (HOME / "gallery").glob("*/config.yaml")):
        shutil.copytree(
            case, folder / "gallery" / case.name, ignore=shutil.ignore_patterns("tables")
        )
    shutil.copy2(HOME / "gallery/fetch", folder / "gallery/fetch")
    (folder / "resources").symlink_to(HOME / "resources")
    return folder / "gallery"


def fetch(gallery: Path, *options: str, check: bool = True) -> subprocess.CompletedProcess:
    """Take data, none of which are at hand."""
    environment = os.environ | {"NONRESPONSE_DATA": str(gallery / "nowhere")}
    run = loaded.snakemake(["--snakefile", "fetch", "--cores", "2", *options], gallery, environment)
    assert not check or run.returncode == 0, run.stderr
    return run


@pytest.mark.slow
def test_the_page_says_what_the_results_say(tmp_path):
    gallery = copy_gallery(tmp_path)
    Project(gallery).snakemake("--configfile", f"{CASE}/config.yaml")
    page = (HOME / "docs/gallery.md").read_text(encoding="utf-8")
    for finding in gallery_page.CASES[CASE]:
        sentences = legible.markdown(
            gallery_page.quote_sentences(gallery / "results" / CASE, finding)
        )
        assert f"- {sentences} (" in page, "run make gallery-page"
        table = HOME / "gallery" / CASE / "tables" / Path(finding.table).name
        found, shown = map(pl.read_csv, (gallery / "results" / CASE / finding.table, table))
        assert_frame_equal(found, shown, rel_tol=1e-9)  # else run make gallery-page


def test_every_link_and_every_picture_of_the_page_is_there():
    page = (HOME / "docs/gallery.md").read_text(encoding="utf-8")
    for path in re.findall(r"\]\(([^)]+)\)", page):
        assert (HOME / "docs" / path).is_file(), path
    assert {*gallery_page.CASES} == {
        path.parent.name for path in (HOME / "gallery").glob("*/config.yaml")
    }


def read_nomiracl(folder: Path, relevant: Path, non_relevant: Path) -> list[dict[str, str]]:
    """The table that is made of NoMIRACL's files."""
    table, result = HOME / "gallery/nomiracl/table.py", folder / "answers.csv"
    subprocess.run([sys.executable, table, relevant, non_relevant, result], check=True)
    with result.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


@pytest.mark.parametrize(
    ("response", "relevant", "non_relevant"),
    [
        ("\nYES, answer\nis present in [3].", "correct", "wrong"),
        ("[7]", "correct", "wrong"),
        ("I don't know. See [7].", "unanswered", "unanswered"),
        ("Yes, answer is present. I don't know.", "unscored", "unscored"),
        ("According to passage [7]", "unscored", "unscored"),
    ],
)
def test_a_response_of_nomiracl_is_yes_unknown_or_neither(
    tmp_path, response, relevant, non_relevant
):
    paths = [tmp_path / name for name in ("relevant.jsonl", "non_relevant.jsonl")]
    for path in paths:
        prompt = "Read this.\n\nQUESTION:\nIn which\u2028country?\n\nCONTEXTS:\n[1] A passage."
        record = {"query_id": path.stem, "prompt": prompt, "results": {"m": response}}
        path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    rows = read_nomiracl(tmp_path, *paths)
    assert [row["verdict"] for row in rows] == [relevant, non_relevant]
    assert [row["has_answer"] for row in rows] == ["yes", "no"]
    assert {row["asked"] for row in rows} == {"In which\u2028country?"}


@needs("nomiracl")
def test_the_counts_of_nomiracl_are_those_of_its_own_evaluation(tmp_path):
    """What its script hallucination_evaluation.py counts in the files of the gallery's commit."""
    files = [DATA / "nomiracl" / f"en.{name}.jsonl" for name in ("relevant", "non_relevant")]
    rows = read_nomiracl(tmp_path, *files)
    tally = Counter((row["run"], row["passages"], row["verdict"]) for row in rows)
    published = {
        "gpt-4-azure": (237, 12, 1, 106, 143, 1),
        "Mixtral-8x7B-Instruct-v0.1": (197, 52, 1, 68, 181, 1),
        "llama-2-13b-chat": (116, 1, 133, 87, 2, 161),
        "aya-101": (129, 10, 111, 168, 39, 43),
    }
    states = [
        *product(["relevant"], ["correct", "unanswered", "unscored"]),
        *product(["not relevant"], ["wrong", "unanswered", "unscored"]),
    ]
    for run, counts in published.items():
        assert tuple(tally[run, *state] for state in states) == counts, run


@pytest.mark.slow
def test_data_are_taken_from_where_they_were_published_by_commit_and_checksum(tmp_path):
    gallery, truth = copy_gallery(tmp_path), "data/pan-2020/truth.jsonl"
    published = Project(tmp_path).write("owner/name/abc/truth.jsonl", '{"id": 1}\n')
    row = {"file": "truth.jsonl", "repository": "owner/name", "commit": "abc"}
    row |= {"path": "truth.jsonl", "at_hand": "nowhere"}
    row["sha256"] = hashlib.sha256(published.read_bytes()).hexdigest()
    pl.DataFrame([row]).write_csv(gallery / "pan-2020/data.csv")
    position = f"published=file://{tmp_path}/{{repository}}/{{commit}}/{{path}}"
    fetch(gallery, truth, "--config", position)
    assert (gallery / truth).read_bytes() == published.read_bytes()
    shutil.rmtree(gallery / "data")
    published.write_text("{}\n")
    refused = fetch(gallery, truth, "--config", position, check=False)
    assert refused.returncode
    assert f"{truth}: its checksum is not the one that is known" in refused.stderr
    assert not (gallery / truth).exists()
