"""action.yml: its steps, run as GitHub's runner runs those of a composite action."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml
from conftest import HOME
from mutants import MUTANTS, draw_system, write
from offline import OFFLINE

pytest.importorskip("hatchling", reason="hatchling builds the wheel")

ACTION = yaml.safe_load((HOME / "action.yml").read_text())
INSTALL, EVALUATE, COMMENT = ACTION["runs"]["steps"]
pytestmark = pytest.mark.xdist_group("action")
OLD = draw_system(400, 0.7, 0.2)


class Comments(BaseHTTPRequestHandler):
    """The comments of pull request 7, two a page; the first two are of others."""

    comments: list[dict]
    is_read_only = False

    def answer(self) -> None:
        assert self.headers["Authorization"] == "Bearer secret"
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "null")
        if self.is_read_only and body:
            return self.send_error(403)
        path, _, query = self.path.removeprefix("/repos/owner/repository/issues/").partition("?")
        assert path == "7/comments" or self.command == "PATCH"
        if self.command == "GET":
            page = int(re.search("page=([0-9]+)$", query)[1])
            reply = self.comments[2 * page - 2 : 2 * page]
        elif self.command == "POST":
            reply = {"id": len(self.comments), "user": {"type": "Bot"}, **body}
            self.comments.append(reply)
        else:
            reply = self.comments[int(path.removeprefix("comments/"))]
            reply |= body
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    do_GET = do_POST = do_PATCH = answer  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


class Runner:
    """A folder in which steps run, and the port of a server in place of GitHub's API."""

    def __init__(self, folder: Path, temporary: Path, port: int = 0):
        self.folder, self.outputs = folder, {}
        self.environment = OFFLINE | {
            "GITHUB_ACTION_PATH": str(HOME),
            "GITHUB_API_URL": f"http://127.0.0.1:{port}",
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_OUTPUT": str(folder / "output.txt"),
            "GITHUB_REPOSITORY": "owner/repository",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "PATH": os.environ["PATH"],
            "RUNNER_TEMP": str(temporary),
        }
        (folder / "event.json").write_text('{"pull_request": {"number": 7}}')

    def step(self, step: dict, inputs: dict[str, str]) -> subprocess.CompletedProcess:
        """Run a step; an input that is not given is its default, or empty."""
        defaults = {name: about.get("default", "") for name, about in ACTION["inputs"].items()}
        values = {f"inputs.{name}": value for name, value in (defaults | inputs).items()}
        values |= {f"steps.evaluate.outputs.{name}": value for name, value in self.outputs.items()}
        values["github.token"] = "secret"
        variables = {
            name: re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda match: values[match[1]], value)
            for name, value in step.get("env", {}).items()
        }
        output = self.folder / "output.txt"
        output.write_text("")
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        process = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment | variables,
            capture_output=True,
            text=True,
        )
        self.outputs |= dict(line.split("=", 1) for line in output.read_text().splitlines())
        return process

    def act(self, **inputs: str) -> tuple[int, str, str]:
        """Return the status of the second step, what it prints, and the summary; the third follows."""
        summary = self.folder / "summary.md"
        summary.unlink(missing_ok=True)
        process = self.step(EVALUATE, inputs)
        commented = self.step(COMMENT, inputs)
        assert commented.returncode == 0, commented.stderr
        return process.returncode, process.stdout + process.stderr, summary.read_text()


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The runner's temporary folder after the first step."""
    temporary, folder = (tmp_path_factory.mktemp(name) for name in ("runner", "work"))
    process = Runner(folder, temporary).step(INSTALL, {"gates": "gates.yaml"})
    assert process.returncode == 0, process.stdout + process.stderr
    return temporary


@pytest.fixture
def runner(installed, tmp_path, monkeypatch) -> Iterator[Runner]:
    (tmp_path / "gates.yaml").write_text("[{measure: c@1, margin: 0.05}]")
    write(OLD, tmp_path / "before.csv")
    for name in ("the same", "says nothing"):
        write(MUTANTS[name](OLD), tmp_path / f"{name}.csv")
    comments = [{"id": n, "user": {"type": "Bot"}, "body": "<!-- other"} for n in range(2)]
    monkeypatch.setattr(Comments, "comments", comments, raising=False)
    with HTTPServer(("127.0.0.1", 0), Comments) as api:
        Thread(target=api.serve_forever, daemon=True).start()
        yield Runner(tmp_path, installed, api.server_port)
        api.shutdown()


GATED = {"against": "before.csv", "gates": "gates.yaml"}


def test_no_input_is_written_into_a_script():
    steps = (INSTALL, EVALUATE, COMMENT)
    assert not [step["name"] for step in steps if "${{" in step["run"]]
    expressions = [value for step in steps for value in (*step["env"].values(), step.get("if", ""))]
    assert set(re.findall(r"inputs\.(\w+)", " ".join(expressions))) == {*ACTION["inputs"]}


@pytest.mark.slow
def test_a_build_passes_and_fails_by_its_gates_in_one_comment(runner, tmp_path):
    inputs = GATED | {"log": "new.csv"}
    for mutant, status, outcome, sentence in (
        ("the same", 0, "pass", "2 gates passed, 0 failed"),
        ("says nothing", 1, "fail", "1 gate passed, 1 failed"),
    ):
        (tmp_path / f"{mutant}.csv").rename(tmp_path / "new.csv")
        actual, printed, summary = runner.act(**inputs)
        assert (actual, f"Gates: {outcome}" in printed) == (status, True), printed
        assert sentence in summary
        assert "<testsuite" in Path(runner.outputs["junit"]).read_text()
        [comment] = Comments.comments[2:]
        assert comment["body"].partition("\n")[2] == summary
    few = write(dict([*OLD.items()][:30]), tmp_path / "few.csv")
    few = {"log": few, "against": few, "gates": "gates.yaml"}
    assert runner.act(**few, inconclusive="pass")[0] == 0
    assert len(Comments.comments) == 4  # of another log, another comment


@pytest.mark.slow
def test_a_comparison_is_a_comment(runner, tmp_path, monkeypatch):
    inputs = {"command": "compare", "log": "says nothing.csv", "against": "before.csv"}
    status, printed, summary = runner.act(**inputs)
    assert status == 0, printed
    assert "says nothing" in summary and "c@1" in summary
    assert Comments.comments[2]["body"].endswith(summary)
    Comments.comments[2]["user"] = {"type": "User"}  # anybody may copy the marker
    runner.step(COMMENT, inputs)
    assert len(Comments.comments) == 4
    # Where the token may write nothing, and where there is no pull request
    monkeypatch.setattr(Comments, "is_read_only", True)
    assert "::warning::" in runner.step(COMMENT, inputs).stdout
    (tmp_path / "event.json").write_text("{}")
    process = runner.step(COMMENT, inputs)
    assert (process.returncode, "::warning::" in process.stdout) == (0, False)


@pytest.mark.slow
def test_what_is_refused_fails_and_nothing_in_an_input_is_run(runner, tmp_path):
    for evil in ("$(touch run)`touch run`", """'; touch run; "; touch run; '"""):
        for inputs in (dict.fromkeys(("log", "against", "gates"), evil), {"command": evil}):
            status, printed, summary = runner.act(**{"log": "before.csv"} | inputs)
            assert status == 3 and "nonresponse: " in printed
            assert summary.startswith("    nonresponse: ")
        assert runner.act(**GATED, log="the same.csv", inconclusive=evil)[0] == 3
        assert not (tmp_path / "run").exists()
