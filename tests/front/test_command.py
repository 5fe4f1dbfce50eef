"""The command: what it says of itself, how fast it starts, and what it does with a folder."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import nonresponse
import pytest
import yaml
from command_line import run
from conftest import HOME
from mutants import draw_system, write
from nonresponse import formats
from nonresponse.front import actions, command, evaluation
from nonresponse.report import model
from nonresponse.report.model import Section

HEAVY = ("polars", "numpy", "duckdb", "yaml", "snakemake", "jinja2", "rich")
# The distributions that a light command may load, beside the standard library
LIGHT = {"_polars_runtime_32", "annotated_types", "numpy", "polars", "pydantic", "pydantic_core"}
LIGHT |= {"typing_extensions", "typing_inspection", "yaml", "_yaml", "nonresponse"}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The working folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def logs(folder) -> Path:
    """The working folder, with a log."""
    write(draw_system(20, 0.5, 0.2), Path("logs/a.csv"))
    return folder


def test_it_starts_at_once(tmp_path):
    assert not loaded_by("command.parser()", tmp_path) & {*HEAVY}


def loaded_by(code: str, folder: Path) -> set[str]:
    """Run code in a process with the module `command`; return the packages that it has loaded."""
    code = f"""import sys; from nonresponse.front import command\n{code}
print(*{{name.split('.')[0] for name in sys.modules}}, file=sys.stderr)"""
    environment = {"PYTHONPATH": str(HOME / "src"), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-P", "-c", code]
    process = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    return {*process.stderr.splitlines()[-1].split()}


@pytest.mark.slow
def test_what_light_commands_load(tmp_path):
    """Neither DuckDB nor PyArrow, which the light installation lacks."""
    pairs = "".join(f'{{"id": "p{n}", "label": {n % 2}}}\n' for n in range(6))
    rows = [f"m,{n},{n % 2},0.{n},yes" for n in range(1, 9)]
    for name, text in {
        "gates.yaml": "- {measure: c@1, margin: 0.5}",
        "sure.csv": "\n".join(["model,id,correct,confidence,answered", *rows]),
        "runs.csv": "id,model,prediction\n1,m,x\n2,m,y\n1,n,y\n2,n,y\n",
        "key.csv": "id,gold\n1,x\n2,y\n",
        **dict.fromkeys(("run.jsonl", "truth.jsonl"), pairs),
        **{name: (HOME / "docs/data" / name).read_text() for name in ("before.json", "after.json")},
    }.items():
        (tmp_path / name).write_text(text)
    commands = """compare before.json after.json
        evaluate --no-page before.json after.json
        gate after.json --against before.json --gates gates.yaml
        look before.json
        look sure.csv
        evaluate --no-page sure.csv --name two
        evaluate --no-page runs.csv key.csv --accept --name three
        score run.jsonl truth.jsonl --into out --task pan26
        plan 0.6,0.2 0.65,0.2"""
    files = {*tmp_path.iterdir()}
    code = f"""import nonresponse; nonresponse.evaluate("sure.csv")
from pathlib import Path; assert len([*Path().iterdir()]) == {len(files)}
for line in {commands.splitlines()}:
    try: command.main(line.split())
    except SystemExit as end: assert not end.code, line"""
    modules = loaded_by(code, tmp_path) & {*packages_distributions()}
    assert modules <= LIGHT | {"_distutils_hack"}


@pytest.mark.skipif(not shutil.which("bash"), reason="completes in bash")
@pytest.mark.parametrize(
    ("words", "completions"),
    [("pl", "plan\n"), ("plan 0.6,0.2 --ag", "--agreement\n"), ("compare a", ""), ("no --", "")],
)
def test_completion(words, completions, capsys):
    assert run("--completion") == 0
    words = ["nonresponse", *words.split()]
    typed = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}"
    typed += f"; _nonresponse x '{words[-1]}'; printf '%s\\n' ${{COMPREPLY[@]}}"
    script = f"{capsys.readouterr().out}\n{typed}"
    process = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == completions.strip() and not process.stderr


@pytest.mark.parametrize(
    ("target", "status", "errors"),
    [
        (">&-", 0, ""),
        (">/dev/full", 3, "nonresponse: standard output: No space left on device\n"),
        ("2>&1 >/dev/full | cat >&2", 3, "nonresponse: standard output: No space left on device\n"),
    ],
)
def test_standard_output_that_takes_nothing(target, status, errors):
    process = run_in_shell(f"--version {target}; exit ${{PIPESTATUS[0]}}")
    assert (process.returncode, process.stderr) == (status, errors)


def test_standard_output_whose_reader_has_ended():
    reader, writer = os.pipe()
    os.close(reader)
    process = run_in_shell("--version", output=writer)
    assert (process.returncode, process.stderr) == (141, "")


def test_a_locale_that_lacks_a_letter_changes_nothing():
    assert "results/ö/report.html" in run_in_shell("open ö 2>&1", "ascii").stdout


def run_in_shell(
    words: str, encoding: str = "utf-8", output: int = subprocess.PIPE
) -> subprocess.CompletedProcess:
    """Run the command with these words, which may redirect it, in a shell."""
    environment = {"PYTHONPATH": str(HOME / "src"), "PATH": os.environ["PATH"]}
    environment["PYTHONIOENCODING"] = encoding
    process = ["bash", "-c", f"{sys.executable} -P -m nonresponse {words}"]
    streams = {"stdout": output, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.run(process, env=environment, **streams)


def test_plan_prints_or_refuses(capsys):
    assert run("plan", "0.6,0.2", "0.65,0.2", "--measure", "c@1") == 0
    assert "934 questions are needed" in capsys.readouterr().out
    assert run("plan", "0.6,0.2", "0.6,0.2") == 3 and run("plan", "0.6", "0.6,0.2") == 3


@pytest.fixture
def snakemake_calls(monkeypatch) -> list[tuple[Path, tuple[str, ...]]]:
    """The folders in which Snakemake would have run, and its options."""
    calls: list = []

    def noted(options: list[str], stdout: int | None = None) -> int:
        calls.append((Path.cwd(), tuple(options)))
        for name in yaml.safe_load(Path("config.yaml").read_text())["campaigns"]:
            board = Path("results", name, "leaderboard.json")
            board.parent.mkdir(parents=True, exist_ok=True)
            model.write_sections({"leaderboard": Section("Scores", [f"{name} is first."])}, board)
        return 0

    monkeypatch.setattr(actions, "run", noted)
    return calls


def test_export_asks_for_both_files_of_a_campaign(logs, snakemake_calls, capsys):
    assert run("evaluate", "logs", "--name", "mine") == 0
    capsys.readouterr()
    assert run("export", "mine") == 0
    paths = ("results/mine/responses.parquet", "results/mine/responses.jsonl")
    assert snakemake_calls[-1] == (logs, paths)
    assert capsys.readouterr().out == "\n".join(paths) + "\n"
    assert run("export", "other") == 3 and "no campaign 'other'" in capsys.readouterr().err
    assert snakemake_calls[-1] == (logs, paths), "nothing more was run"


def test_export_of_figures_needs_an_extra_and_a_width(logs, monkeypatch, snakemake_calls, capsys):
    assert run("evaluate", "logs", "--name", "mine", "--no-page") == 0
    capsys.readouterr()
    assert run("export", "mine", "--figures", "figures", "--width", "33cm") == 3
    assert "argument --width: invalid float value: '33cm'" in capsys.readouterr().err
    monkeypatch.delattr(nonresponse, "charts", raising=False)
    monkeypatch.delitem(sys.modules, "nonresponse.charts", raising=False)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert run("export", "mine", "--figures", "figures") == 3
    error = "This needs vl_convert, which is not installed: pip install 'nonresponse[figures]'"
    assert error in capsys.readouterr().err
    assert snakemake_calls == [], "nothing was run"


def test_evaluate_writes_the_block_that_runs_in_that_folder(logs, snakemake_calls, capsys):
    for _ in range(2):  # the second time, the campaign is there already
        assert run("evaluate", "logs", "--into", "deep/er", "--name", "mine") == 0
        output = capsys.readouterr().out.splitlines()
        assert output[0].startswith("a has c@1 62.5 %")
        assert output[-1] == "The page: deep/er/results/mine/report.html"
        block = yaml.safe_load(Path("deep/er/config.yaml").read_text())["campaigns"]
        assert block["mine"]["graded"]["files"] == "../../logs/a.csv"
    assert snakemake_calls == [(logs / "deep/er", ("--quiet",))] * 2
    write(draw_system(20, 0.5, 0.2), Path("logs/b.csv"))
    assert run("evaluate", "logs/b.csv", "--into", "deep/er", "--name", "mine") == command.REFUSED
    assert "another campaign mine" in capsys.readouterr().err
    assert run("evaluate", "logs/b.csv", "--into", "deep/er") == 0
    campaigns = yaml.safe_load(Path("deep/er/config.yaml").read_text())["campaigns"]
    assert [*campaigns] == ["logs-b", "mine"]


TABLES = {  # and what is said of them
    "two": ("run,question,verdict\nM 1,p,correct\nm1,p,wrong\n", "differ only in capitals"),
    "counts": ("run,n_ac,n_aw,n_u\na,6,2,2\nb,5,5,0\n", "a has the highest c@1, 72.0 %"),
}


def test_notes_follow_the_findings(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    log = str(HOME / "docs/data/before.json")
    assert run("evaluate", log, "--no-page", "--name", "mine") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("assistant-before has c@1")
    assert lines[-1] == f"mine: {formats.LOGS['inspect'].caveat}"
    for name, (text, message) in TABLES.items():
        Path(f"{name}.csv").write_text(text)
        assert run("evaluate", f"{name}.csv", "--no-page") == 0
        assert message in capsys.readouterr().out


def test_what_an_evaluation_that_is_interrupted_has_begun_is_undone(logs, monkeypatch):
    interrupt = signal.default_int_handler
    monkeypatch.setattr(evaluation, "list_findings", lambda _: interrupt(signal.SIGINT, None))
    assert run("evaluate", "logs/a.csv", "--no-page", "--accept", "--into", "new") == 130
    assert not Path("new").exists()


REFUSED = yaml.safe_load((Path(__file__).parent / "refusals.yaml").read_text())


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_leaves_nothing(case, folder, snakemake_calls, capsys):
    command_line, message, *more = REFUSED[case]
    files = {"a.csv": "question,verdict|q1,correct|q2,wrong"}
    files |= {"b.csv": "run,question,verdict|x,q1,correct|y,q1,wrong"} | (more[0] if more else {})
    for name, text in files.items():
        Path(name).write_text(text.replace("|", "\n") + "\n")
    gate = "gate a.csv --gates gates.yaml --into out"
    command_line = command_line.replace("GATE", gate).replace("LONG", 300 * "n")
    assert run(*shlex.split(command_line)) == command.REFUSED
    output = capsys.readouterr()
    assert output.err.startswith("nonresponse") and message in output.err
    assert len(output.err.splitlines()) == 1 and output.out == ""
    assert {path.name for path in folder.iterdir()} == {*files} and snakemake_calls == []


def test_questions_end_with_3_and_faults_of_files_with_1_and_nothing_is_written(
    folder, snakemake_calls, capsys
):
    files = {"open.csv": "id,label\n1,good\n2,bad\n3,good\n4,bad\n", "bad.csv": "id,verdict\n1\n"}
    files["late.csv"] = "question,run,verdict\n1,r,correct\n2,,wrong\n"
    for name, text in files.items():
        Path(name).write_text(text)
    assert run("evaluate", "open.csv") == run("look", "open.csv") == 3
    output = capsys.readouterr()
    assert "verdict=label" in output.out and "verdict: ???" in output.err
    assert run("evaluate", "late.csv") == run("compare", "late.csv", "late.csv") == 1
    assert capsys.readouterr().err.count("late.csv:3: found") == 2
    assert run("evaluate", "bad.csv") == run("look", "bad.csv") == 1
    assert "bad.csv:2: found 1 fields" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == {*files} and snakemake_calls == []


def test_the_same_pattern_may_name_what_was_written(folder, capsys):
    Path("a.csv").write_text("id,verdict\n1,correct\n2,unanswered\n")
    assert run("evaluate", "a.csv", "--no-page") == 0
    sentences = capsys.readouterr().out
    assert run("evaluate", "a.csv", "config.yaml", "--no-page") == 0
    assert capsys.readouterr().out == sentences
    assert run("evaluate", "config.yaml", "--no-page") == 1


def test_words_of_a_file_need_no_quotes(folder):
    for name, right, wrong in (("yes", "yes", "no"), ("one", "1", "0"), ("null", "true", "null")):
        Path(f"{name}.csv").write_text(f"id,ok\n1,{right}\n2,{wrong}\n")
        words = f"--set 'verdicts={{{wrong}: wrong, {right}: correct}}'"
        options = shlex.split(f"--no-page --set verdict=ok --set unanswered=no {words}")
        assert run("evaluate", f"{name}.csv", *options) == 0
        block = yaml.safe_load(Path("config.yaml").read_text())["campaigns"][name]["graded"]
        assert block["verdicts"] == {wrong: "wrong", right: "correct"}
        assert block["columns"] == {"question": "id", "verdict": "ok"}
    options = {"verdict": "ok", "verdicts": {0: "wrong", 1: "correct"}, "unanswered": False}
    assert nonresponse.read("one.csv", **options).frame.height == 2


def test_a_key_is_named_from_here_and_a_pattern_needs_no_quotes(folder, capsys):
    Path("in").mkdir()
    for name, answer in (("gold", "a"), ("run", "b")):
        Path(f"in/{name}.json").write_text(f'{{"q": "{answer}", "r": "a"}}')
    options = ("--no-page", "--into", "deep/er", "--accept", "--set")
    assert run("evaluate", "in", *options, "key=in/gold.json", "--set", "unanswered=no") == 0
    assert "run has c@1 50.0 %" in capsys.readouterr().out
    Path("a.csv").write_text("verdict\ncorrect\nwrong\n")
    assert run("evaluate", "a.csv", *options, "question={row}") == 0


def test_what_is_run_is_in_this_folder(folder, capsys):
    assert run("run") == command.REFUSED and "no config.yaml here" in capsys.readouterr().err


def test_the_demo_is_that_of_a_clone(tmp_path, snakemake_calls):
    demo = tmp_path / "demo"
    assert run("demo", "--into", demo) == 0
    assert snakemake_calls == [(demo, ())]
    assert (demo / "config.yaml").read_bytes() == (HOME / "config.yaml").read_bytes()
    campaigns = yaml.safe_load((HOME / "config.yaml").read_text())["campaigns"]
    assert {path.name for path in (demo / "resources").iterdir()} == {*campaigns}


def test_the_browser_is_asked_for_the_page(folder, monkeypatch, capsys):
    pages = []
    monkeypatch.setattr("webbrowser.open", pages.append)
    Path("results/one").mkdir(parents=True)
    Path("results/one/report.html").touch()
    assert run("open", "one") == 0
    assert pages == [(folder / "results/one/report.html").as_uri()]
