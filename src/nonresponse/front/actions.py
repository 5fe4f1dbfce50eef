"""What each command does; it returns the exit status, or raises RefusedError. Heavy imports are in
the functions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonresponse.front import RefusedError
from nonresponse.front.extras import require
from nonresponse.home import HOME
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS

if TYPE_CHECKING:
    from nonresponse.front.campaign import CampaignBlock
    from nonresponse.workflow.campaigns import Campaign

CONFIG = Path("config.yaml")
STATUS = {PASS: 0, FAIL: 1, INCONCLUSIVE: 2}


def look(
    files: list[str], write: str | None, name: str | None, options: list[str], accept: bool
) -> int:
    """Print the block of config.yaml that reads files, with ??? for what is open; append it to a
    file if wanted."""
    from nonresponse.detect import mapping
    from nonresponse.front.campaign import CampaignBlock, detect_campaigns
    from nonresponse.front.evaluation import describe_verdicts

    config = Path(write) if write else None
    try:
        reserved = mapping.read_names(config) if config else set()
        answers = parse_settings(options)
        campaigns, scan = detect_campaigns(files, answers, name, reserved, accept, ask=False)
        print(mapping.render_page(campaigns, scan), end="")
        is_open = any(campaign.questions for campaign in campaigns)
        for campaign in [campaign for campaign in campaigns if not campaign.questions]:
            print(*describe_verdicts(CampaignBlock(campaign.name, campaign.block)), sep="\n")
        if config and not is_open:
            mapping.add(campaigns, config)
            print(f"\n{config} has {', '.join(campaign.name for campaign in campaigns)} now.")
    except mapping.NoPathError as error:
        raise RefusedError(str(error)) from None
    return RefusedError.status if is_open else 0


def run_quietly(snakemake: list[str]) -> int:
    """Run Snakemake with its progress on standard error. Standard output is left to the command."""
    return run(snakemake, subprocess.DEVNULL)


def run(snakemake: list[str], stdout: int | None = None) -> int:
    """Run Snakemake on our Snakefile by this interpreter. `snakemake`: further options, which
    follow our own."""
    flags = {option.partition("=")[0] for option in snakemake}
    if not CONFIG.is_file() and not {"--configfile", "--configfiles"} & flags:
        raise RefusedError(
            "There is no config.yaml here: nonresponse evaluate FILES makes one, nonresponse "
            "demo an example"
        )
    has_cores = {"--cores", "-c", "--jobs", "-j", "--workflow-profile", "--profile"} & flags
    cores = [] if has_cores else ["--cores", "all"]
    require("snakemake")
    # With -P, no file in the working folder can shadow a library
    program = [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(HOME / "Snakefile")]
    return subprocess.run([*program, *cores, *snakemake], stdout=stdout).returncode


def evaluate(
    files: list[str], into: str, name: str | None, options: list[str], accept: bool, page: bool
) -> int:
    """Add files as campaigns to a folder's config.yaml, print their findings, and evaluate them for
    the page."""
    from nonresponse.detect import DetectedCampaign, mapping
    from nonresponse.front.campaign import read_campaigns
    from nonresponse.front.evaluation import list_findings

    paths = [Path(path).absolute() for path in files]
    # A pattern such as * also names what an earlier evaluation wrote
    paths = [path for path in paths if path != Path(into, CONFIG).absolute()] or paths
    answers = parse_settings(options)
    # Files that are named from here, not from where config.yaml is
    option_paths = {
        key: Path(answers[key]).absolute()
        for key in ("key", "questions", "na_prob")
        if is_file(answers, key)
    }
    with work_in(into):
        answers |= {key: os.path.relpath(path) for key, path in option_paths.items()}
        campaigns, old_names = find_blocks([*map(os.path.relpath, paths)], name, answers, accept)
        names = [campaign.name for campaign in campaigns]
        blocks = {campaign.name: campaign.block for campaign in campaigns}
        configured = read_campaigns(CONFIG, blocks)
        print_notes(names, [campaign.left_out for campaign in campaigns])
        for campaign in names:
            sentences = list_findings(configured[campaign])
            print(*[f"{campaign}:"] * (len(names) > 1), *sentences, sep="\n", flush=True)
        print_notes(names, [campaign.notes for campaign in campaigns])
        # Written last: what is refused, or interrupted, leaves everything as it was
        new = [
            DetectedCampaign(*entry, []) for entry in blocks.items() if entry[0] not in old_names
        ]
        if new:
            mapping.add(new, CONFIG)
        if page and (status := run_quietly(["--quiet"])):
            return status
    pages = [Path(into, "results", campaign, "report.html") for campaign in names if page]
    print(*(f"The page: {path}\n" for path in pages), sep="", end="")
    return 0


def is_file(answers: dict[str, Any], key: str) -> bool:
    """Return whether what the user says of a key is the path of a file."""
    return isinstance(answers.get(key), str) and Path(answers[key]).is_file()


def find_blocks(
    files: list[str], name: str | None, options: dict[str, Any], accept: bool
) -> tuple[list[CampaignBlock], Collection[str]]:
    """Return the campaigns of these files, and the names of those in config.yaml. RefusedError if
    it has another campaign of such a name."""
    import yaml

    from nonresponse.detect import mapping
    from nonresponse.front.campaign import find_campaigns

    try:
        has_blocks = mapping.read_names(CONFIG)
    except mapping.NoPathError as error:
        raise RefusedError(str(error)) from None
    blocks = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["campaigns"] if has_blocks else {}
    campaigns = find_campaigns(files, name, options, accept=accept)
    for campaign in campaigns:
        if blocks.get(campaign.name, campaign.block) != campaign.block:
            problem = f"config.yaml has another campaign {campaign.name} already"
            raise RefusedError(f"{problem}: give this one a name of its own, --name")
    return campaigns, blocks


def print_notes(names: list[str], notes: list[Sequence[str]]) -> None:
    """Print notes on the files of campaigns to standard error, each with the campaign's name."""
    for name, lines in zip(names, notes, strict=True):
        for line in lines:
            print(f"{name}: {line}", file=sys.stderr)


@contextmanager
def work_in(folder: str) -> Iterator[None]:
    """Work in a folder, which is made if need be; if the block is refused or ended, folders just
    made are removed again."""
    new_folders = [path for path in (Path(folder), *Path(folder).parents) if not path.exists()]
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with chdir(folder):
            yield
    except (RefusedError, OSError, KeyboardInterrupt) as error:
        for path in new_folders:
            with suppress(OSError):
                path.rmdir()
        if not isinstance(error, OSError) or error.filename is None:  # or of standard output
            raise
        raise RefusedError(
            f"{folder}: {error.strerror}: name a folder that can be written to"
        ) from None


def open(campaign: str | None) -> int:
    """Open a report in the browser, and print its path."""
    import webbrowser

    page = Path("results", campaign or "", "report.html")
    if not page.is_file():
        raise RefusedError(f"{page} is not there: nonresponse run makes it")
    print(page)
    webbrowser.open(page.resolve().as_uri())
    return 0


def export(campaign: str, figures: str | None, width: float) -> int:
    """Bring responses.parquet and responses.jsonl of a campaign up to date, or write its figures,
    and print the paths."""
    from nonresponse.front.campaign import NO_VERDICTS, read_campaign
    from nonresponse.workflow.paths import list_outputs

    configured = read_campaign(CONFIG, campaign)
    if figures is not None:
        return export_figures(configured, Path(figures), width)
    if not configured.single:
        raise RefusedError(f"{campaign} {NO_VERDICTS}")
    files = list_outputs(configured, "export_responses")
    if status := run_quietly(files):
        return status
    print(*files, sep="\n")
    return 0


def export_figures(campaign: Campaign, folder: Path, inches: float) -> int:
    """Bring the pages of a campaign up to date, draw their figures, and print the paths of
    these."""
    from nonresponse import charts
    from nonresponse.report import part
    from nonresponse.workflow import paths

    if status := run_quietly(paths.pages_written(campaign)):
        return status
    pages = paths.pages(campaign)
    sections = part.read_pages(Path(campaign.folder), pages).values()
    print(*charts.write_figures(sections, folder, inches), sep="\n")
    return 0


def demo(into: str) -> int:
    """Copy our config.yaml and the files that it names into a folder, and run its campaigns."""
    require("snakemake")
    with work_in(into):
        if present := [name for name in (CONFIG, Path("resources")) if name.exists()]:
            raise RefusedError(f"{into} has {present[0]} already: name an empty folder, --into DIR")
        # Not copied: no campaign reads them from there
        ours = ("published", "refusals", "simulation")
        shutil.copytree(
            HOME / "resources", "resources", ignore=lambda folder, names: {*ours} & {*names}
        )
        shutil.copy2(HOME / CONFIG, CONFIG)
        return run([])


def compare(
    baseline: str,
    runs: list[str],
    inside: str | None,
    measure: list[str],
    list: bool,
    markdown: bool,
    json: bool,
    options: list[str],
    accept: bool,
) -> int:
    """Print comparisons of systems as text, Markdown or JSON."""
    from nonresponse.front import compare, comparison
    from nonresponse.report import document

    names, answers = [baseline, *runs], parse_settings(options)
    if inside is None:
        pairs = compare.compare_logs(names, measure, answers, accept)
    else:
        pairs = compare.compare_inside(inside, names, measure, answers, CONFIG, accept)
    if json:
        print(comparison.to_json(pairs))
        return 0
    render = document.render_markdown if markdown else document.render_plain
    print("\n".join(render(pair.title, pair.sections(list)) for pair in pairs), end="")
    return 0


def gate(
    new: str,
    against: str | None,
    gates: str | None,
    inconclusive: str | None,
    into: str | None,
    options: list[str],
    accept: bool,
) -> int:
    """Print the outcome of each gate, and return the STATUS of all."""
    from nonresponse.front import gates as module
    from nonresponse.report import document

    folder, warnings = Path(into) if into else None, list[str]()
    if gates is not None:
        (state, sections), warnings = module.decide_logs(
            new, against, Path(gates), parse_settings(options), folder, accept
        )
    elif against is not None or options:
        raise RefusedError("--against and --set are of logs: name their gates too, --gates FILE")
    else:
        state, sections = module.decide_campaign(new, CONFIG, folder)
    print(*warnings, document.render_plain(f"Gates: {state}", sections), sep="\n", end="")
    return STATUS[inconclusive or state if state == INCONCLUSIVE else state]


def score(run: str, truth: str, into: str, task: str | None, campaign: str | None) -> int:
    """Print the scores of one run, and write them as platforms for shared tasks read them."""
    from nonresponse.front.campaign import read_block
    from nonresponse.front.scoring_program import PRESETS, Preset, score_run
    from nonresponse.report import document

    if campaign is not None:
        block = read_block(CONFIG, campaign)
        preset = Preset(block.get("title", campaign), {})
        scores = score_run(Path(run), Path(truth), preset, block)
    elif task in PRESETS:
        scores = score_run(Path(run), Path(truth), PRESETS[task], PRESETS[task].block)
    else:
        raise RefusedError(
            f"Name the task, --task {' or '.join(PRESETS)}, or a campaign of config.yaml, "
            "--campaign NAME"
        )
    scores.write(Path(into))
    print(document.render_plain(f"Scores of {scores.run}", scores.sections), end="")
    return 0


def plan(
    a: tuple[float, float],
    b: tuple[float, float],
    measure: str,
    agreement: float | None,
    level: float,
    power: float,
    json: bool,
) -> int:
    """Print how many questions tell two systems with these shares apart."""
    import nonresponse

    try:
        result = nonresponse.plan(a, b, measure, agreement, level, power)
    except ValueError as error:
        raise RefusedError(str(error)) from None
    print(result.json() if json else result)
    return 0


def check(campaigns: list[str], markdown: bool) -> int:
    """Print the report on the files of campaigns."""
    from nonresponse.front import submissions

    sound, report = submissions.check(campaigns, CONFIG, markdown)
    print(report, end="")
    return int(not sound)


def parse_settings(options: Sequence[str]) -> dict[str, Any]:
    """Return the options given with --set, each value parsed as YAML."""
    import yaml

    from nonresponse.detect import parse_answer
    from nonresponse.front.campaign import merge

    parsed: dict[str, Any] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise RefusedError(f"--set {option}: give a key and a value, such as missing=exclude")
        is_pattern = key in ("run", "question") and value.startswith("{")
        if is_pattern or (key == "records" and value.endswith("*")):  # which is no YAML
            parsed[key] = value
            continue
        try:
            merge(parsed, {key: parse_answer(value)})
        except yaml.YAMLError:
            raise RefusedError(f"--set {option}: the value is no YAML") from None
    return parsed
