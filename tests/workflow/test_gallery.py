"""The gallery: its data by checksum, from where they lie at hand and from a server, and its page from real results."""

import csv
import functools
import http.server
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

import gallery_page
import loaded
import pytest
import yaml
from conftest import HOME, Project
from nonresponse import legible
from nonresponse.reliability.analyses import ANALYSES
from reading import DATA, needs

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("gallery")]

SMALL = ["pan-2020", "nq301", "czech-simpleqa"]  # each in a minute
# What does not lie at hand is left out: the server that published it may answer once, and not a moment later.
NO_SERVER = "published=http://127.0.0.1:1/{repository}/{commit}/{path}"


def copied(folder: Path) -> Path:
    """The gallery in a folder of its own, without data and results."""
    for case in sorted(path.parent for path in (HOME / "gallery").glob("*/config.yaml")):
        shutil.copytree(case, folder / "gallery" / case.name, ignore=shutil.ignore_patterns("tables"))
    shutil.copy2(HOME / "gallery/fetch", folder / "gallery/fetch")
    (folder / "resources").symlink_to(HOME / "resources")
    return folder / "gallery"


def fetched(gallery: Path, data: Path, *options: str, check: bool = True) -> subprocess.CompletedProcess:
    environment = os.environ | {"NONRESPONSE_DATA": str(data.resolve())}
    run = loaded.snakemake(["--snakefile", "fetch", "--cores", "2", *options], gallery, environment)
    assert not check or run.returncode == 0, run.stderr
    return run


@needs("pan20")
def test_the_page_says_what_the_results_say(tmp_path):
    gallery = copied(tmp_path)
    fetched(gallery, DATA, "data/configs", "--config", NO_SERVER)
    assert "nq301/config.yaml" in (gallery / "data/configs").read_text()
    configs = [f"{case}/config.yaml" for case in SMALL]
    shown = [finding.topic for case in SMALL for finding in gallery_page.CASES[case]]
    path = gallery / configs[0]  # no analyses but those that are shown, and what the answer follows from
    own = yaml.safe_load(path.read_text()) | {"reliability": {"analyses": sorted({*shown} & {*ANALYSES})}}
    path.write_text(yaml.safe_dump(own))
    Project(gallery).snakemake("--configfile", *configs)
    page = (HOME / "docs/gallery.md").read_text(encoding="utf-8")
    for case in SMALL:
        for finding in gallery_page.CASES[case]:
            said = legible.markdown(gallery_page.sentence(gallery / "results" / case, finding))
            assert f"- {said} (" in page, "run make gallery-page"
            table = (HOME / "gallery" / case / "tables" / Path(finding.table).name).read_bytes()
            assert table == (gallery / "results" / case / finding.table).read_bytes(), "run make gallery-page"
    with (gallery / "results/pan-2020/leaderboard.csv").open() as file:
        ours = {row["run"]: row for row in csv.DictReader(file)}
    with (DATA / "pan20/metrics_published.csv").open() as file:
        official = [*csv.DictReader(file)]
    columns = {"AUC": "auc", "c@1": "c@1", "F1": "f@1", "F0.5u": "fu_2020@0.5"}
    apart = [abs(float(row[a]) - float(ours[row["system"]][b])) for row in official for a, b in columns.items()]
    assert max(apart) < 1e-6


def test_every_link_and_every_picture_of_the_page_is_there():
    page = (HOME / "docs/gallery.md").read_text(encoding="utf-8")
    for path in re.findall(r"\]\(([^)]+)\)", page):
        assert (HOME / "docs" / path).is_file(), path
    assert {*gallery_page.CASES} == {path.parent.name for path in (HOME / "gallery").glob("*/config.yaml")}


@needs("pan20")
def test_data_are_taken_from_a_server_by_commit_and_checksum(tmp_path):
    gallery = copied(tmp_path)
    served = tmp_path / "served"
    with (gallery / "pan-2020/data.csv").open() as file:
        for row in csv.DictReader(file):
            path = served / row["repository"] / row["commit"] / row["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(DATA / row["at_hand"], path)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=served)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = f"published=http://127.0.0.1:{server.server_port}/{{repository}}/{{commit}}/{{path}}"
    truth = "data/pan-2020/truth.jsonl"
    fetched(gallery, tmp_path / "nowhere", truth, "--config", where)
    assert (gallery / truth).read_bytes() == (DATA / "pan20/truth.jsonl").read_bytes()
    shutil.rmtree(gallery / "data")
    [published] = served.rglob("truth.jsonl")
    published.write_text("{}\n")
    refused = fetched(gallery, tmp_path / "nowhere", truth, "--config", where, check=False)
    assert refused.returncode and f"{truth}: its checksum is not the one that is known" in refused.stderr
    assert not (gallery / truth).exists()
    server.shutdown()
