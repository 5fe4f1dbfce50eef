"""Test the gallery: data by checksum, at hand or from a server; the page by real results."""

import csv
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
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


def fetch(
    gallery: Path, data: Path, *options: str, check: bool = True
) -> subprocess.CompletedProcess:
    environment = os.environ | {"NONRESPONSE_DATA": str(data.resolve())}
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


@needs("nomiracl")
def test_the_counts_of_nomiracl_are_those_of_its_own_evaluation(tmp_path):
    """What its script hallucination_evaluation.py counts in the files of the gallery's commit."""
    files = [DATA / "nomiracl" / f"en.{name}.jsonl" for name in ("relevant", "non_relevant")]
    table, result = HOME / "gallery/nomiracl/table.py", tmp_path / "answers.csv"
    subprocess.run([sys.executable, table, *files, result], check=True)
    rows = pl.read_csv(result).group_by("run", "passages", "verdict").len().rows()
    tally = {tuple(states): number for *states, number in rows}
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
        assert tuple(tally.get((run, *state), 0) for state in states) == counts, run


@pytest.mark.slow
@needs("pan20")
def test_data_are_taken_from_a_server_by_commit_and_checksum(tmp_path):
    gallery = copy_gallery(tmp_path)
    site = tmp_path / "served"
    with (gallery / "pan-2020/data.csv").open() as file:
        for row in csv.DictReader(file):
            path = site / row["repository"] / row["commit"] / row["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(DATA / row["at_hand"], path)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    position = f"published=http://127.0.0.1:{server.server_port}/{{repository}}/{{commit}}/{{path}}"
    truth = "data/pan-2020/truth.jsonl"
    fetch(gallery, tmp_path / "nowhere", truth, "--config", position)
    assert (gallery / truth).read_bytes() == (DATA / "pan20/truth.jsonl").read_bytes()
    shutil.rmtree(gallery / "data")
    [published] = site.rglob("truth.jsonl")
    published.write_text("{}\n")
    refused = fetch(gallery, tmp_path / "nowhere", truth, "--config", position, check=False)
    assert refused.returncode
    assert f"{truth}: its checksum is not the one that is known" in refused.stderr
    assert not (gallery / truth).exists()
    server.shutdown()
