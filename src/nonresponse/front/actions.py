"""What each command does; it returns the exit status, or raises Refused. Heavy imports are in the functions."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from nonresponse.front import Refused
from nonresponse.home import HOME
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS

CONFIG = Path("config.yaml")
STATUS = {PASS: 0, FAIL: 1, INCONCLUSIVE: 2}


def look(files: list[str], write: str | None, name: str | None) -> int:
    """Prints what files are, and the block of config.yaml that reads them, which may be appended to a file."""
    from nonresponse.look import block
    from nonresponse.look.campaigns import NoPlace, campaigns, renamed
    from nonresponse.look.files import look as look_at
    from nonresponse.look.page import page

    config = Path(write) if write else None
    try:
        taken = block.names_in(config) if config else set()
        looked = look_at(files)
        made, faults = campaigns(looked, taken)
        made = renamed(made, name, taken)
        print(page(made, looked, [*looked.refused, *faults]), end="")
        if config and made:
            block.append(made, config)
            print(f"\n{config} has {', '.join(campaign.name for campaign in made)} now.")
    except NoPlace as error:
        return failed(str(error))
    return 0 if made else 1


def failed(why: str) -> int:
    """Says why something is not as it should be, on standard error; returns the exit status."""
    print(why, file=sys.stderr)
    return 1


def silently(snakemake: list[str]) -> int:
    """Runs Snakemake without using standard output, which is left to the command; progress is on standard error."""
    return run(snakemake, subprocess.DEVNULL)


def run(snakemake: list[str], stdout: int | None = None) -> int:
    """Runs Snakemake on our Snakefile by this interpreter; `snakemake`: further options, which follow our own."""
    told = [option.partition("=")[0] for option in snakemake]
    if not CONFIG.is_file() and not {"--configfile", "--configfiles"} & {*told}:
        raise Refused("There is no config.yaml here: nonresponse evaluate FILES makes one, nonresponse demo an example")
    cores = [] if {"--cores", "-c", "--jobs", "-j", "--workflow-profile", "--profile"} & {*told} else ["--cores", "all"]
    return subprocess.run(snakemake_command(*cores, *snakemake), stdout=stdout).returncode


def snakemake_command(*options: str) -> list[str]:
    """The command line of Snakemake. With -P, no file in the working folder can shadow a library."""
    return [sys.executable, "-P", "-m", "snakemake", "--snakefile", str(HOME / "Snakefile"), *options]


def evaluate(files: list[str], into: str, name: str | None, options: list[str]) -> int:
    """Adds files as a campaign to a folder's config.yaml, with paths relative to it, and prints its leaderboard."""
    if "" in files:
        raise Refused("The name of a file is empty: name the files, such as logs/*.json")
    given = [Path(path).absolute() for path in files]
    with working_in(into):
        before = CONFIG.read_bytes() if CONFIG.is_file() else None
        name = configured([os.path.relpath(path) for path in given], name, settings(options))
        status = silently([])
        if status and Path("results", name, "faults.txt").is_file():
            # Else the same command with mended options would find another campaign of this name.
            CONFIG.unlink() if before is None else CONFIG.write_bytes(before)
            print("config.yaml is as it was: mend the files or the options, and evaluate again", file=sys.stderr)
    if status == 0:
        from nonresponse.legible import uncovered
        from nonresponse.pages.blocks import read_topics

        results = Path(into, "results", name)
        said = read_topics(results / "leaderboard.json")["leaderboard"].sentences
        print(*map(uncovered, said or ["No score ranks the runs."]), sep="\n")
        print(f"The page: {results / 'report.html'}")
    return status


def configured(files: list[str], name: str | None, options: dict[str, Any]) -> str:
    """Adds a campaign of these files to config.yaml, unless it is there already; returns its name."""
    import polars as pl
    import yaml

    from nonresponse.front.campaign import checked, known
    from nonresponse.look import block
    from nonresponse.look.campaigns import Campaign, NoPlace

    what = known(files, name, options)
    try:
        taken = block.names_in(CONFIG)
        if what.name in taken:
            if yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["campaigns"][what.name] == what.written:
                return what.name
            other = f"config.yaml has another campaign {what.name} already"
            raise Refused(f"{other}: give this one a name of its own, --name")
        checked(what)
        block.append([Campaign(what.name, what.written, [], pl.DataFrame(), [])], CONFIG)
    except NoPlace as error:
        raise Refused(str(error)) from None
    for note in [*what.left_out, *what.notes]:
        print(f"{what.name}: {note}", file=sys.stderr)
    return what.name


@contextmanager
def working_in(folder: str) -> Iterator[None]:
    """Works in a folder, which is made if need be; if the block raises Refused, folders just made are removed again."""
    made = [path for path in (Path(folder), *Path(folder).parents) if not path.exists()]
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with chdir(folder):
            yield
    except OSError as error:
        raise Refused(f"{folder}: {error.strerror}: name a folder that can be written to") from None
    except Refused:
        for path in made:
            path.rmdir()
        raise


def open(campaign: str | None) -> int:
    """Opens a report in the browser, and prints its path."""
    import webbrowser

    page = Path("results", campaign or "", "report.html")
    if not page.is_file():
        raise Refused(f"{page} is not there: nonresponse run makes it")
    print(page)
    webbrowser.open(page.resolve().as_uri())
    return 0


def export(campaign: str) -> int:
    """Brings responses.parquet and responses.jsonl of a campaign up to date, and prints their paths."""
    from nonresponse.front.sides import configured
    from nonresponse.workflow.paths import exports

    written = exports(configured(campaign, CONFIG))
    if status := silently(written):
        return status
    print(*written, sep="\n")
    return 0


def demo(into: str) -> int:
    """Copies our config.yaml and the files that it names into a folder, and runs its campaigns."""
    with working_in(into):
        if there := [name for name in (CONFIG, Path("resources")) if name.exists()]:
            raise Refused(f"{into} has {there[0]} already: name an empty folder, --into DIR")
        ours = ("published", "refusals", "simulation")  # not copied: no campaign reads them from there
        shutil.copytree(HOME / "resources", "resources", ignore=lambda folder, names: {*ours} & {*names})
        shutil.copy2(HOME / CONFIG, CONFIG)
        return run([])


def compare(
    first: str,
    others: list[str],
    inside: str | None,
    measure: list[str],
    list: bool,
    markdown: bool,
    json: bool,
    options: list[str],
) -> int:
    """Prints comparisons of systems as text, Markdown or JSON."""
    from nonresponse.front import comparing, sides
    from nonresponse.front.shown import as_text

    if inside is None:
        found = sides.of_logs(first, others, measure, settings(options))
    elif Path(inside).exists():
        found = sides.of_files([inside], [first, *others], measure, settings(options))
    else:
        found = sides.of_campaign(inside, [first, *others], measure, CONFIG, silently)
    if json:
        print(comparing.as_json(found))
    elif markdown:
        print("\n".join(it.markdown(list) for it in found), end="")
    else:
        print("\n".join(as_text(f"{it.b} beside {it.a}", it.topics(list)) for it in found), end="")
    return 0


def gate(
    new: str, against: str | None, gates: str | None, inconclusive: str | None, into: str | None, options: list[str]
) -> int:
    """Prints the outcome of each gate; returns the STATUS of all."""
    from nonresponse.front import gates as module
    from nonresponse.front.shown import as_text

    folder = Path(into) if into else None
    if gates is not None:
        (state, found), warnings = module.of_logs(new, against, Path(gates), settings(options), folder)
    elif against is not None or options:
        raise Refused("--against and --set are of logs: name their gates too, --gates FILE")
    else:
        (state, found), warnings = module.of_campaign(new, CONFIG, folder, silently), []
    print("".join(f"{warning}\n" for warning in warnings) + as_text(f"Gates: {state}", found), end="")
    return STATUS[inconclusive or state if state == INCONCLUSIVE else state]


def check(campaign: str, markdown: bool) -> int:
    """Prints the report on the files of a campaign."""
    from nonresponse.front import submissions

    sound, said = submissions.check(campaign, CONFIG, markdown, silently)
    print(said, end="")
    return int(not sound)


def settings(options: Sequence[str]) -> dict[str, Any]:
    """The options given with --set, each value parsed as YAML."""
    import yaml

    found = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise Refused(f"--set {option}: give a key and a value, such as missing=exclude")
        try:
            found[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise Refused(f"--set {option}: the value is no YAML") from None
    return found
