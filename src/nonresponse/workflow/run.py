"""What happens around a run of Snakemake: what is checked before it, and what a person sees after
it.

Snakemake's `workflow` and the class of its errors are handed in: the library never imports
Snakemake.
"""

import atexit
import gc
import json
import os
import shlex
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from nonresponse import campaign as config
from nonresponse import legible
from nonresponse.campaign import file as configfile
from nonresponse.campaign.paths import explain_unfit
from nonresponse.wording import plural
from nonresponse.workflow import paths, server
from nonresponse.workflow.campaigns import Campaign, list_evaluations
from nonresponse.workflow.digests import (
    MANIFEST,
    NOTES,
    Digests,
    find_edited,
    find_unfinished,
    write_manifest,
)

SENTENCE = 200  # characters
# nanoseconds: a clock that is no further ahead is behind again once the first job has ended
AHEAD = 10 * 10**9


class Run:
    """One run of Snakemake. In another workflow, nonresponse does only what its rules need."""

    def __init__(self, workflow: Any, base: Path, refusal: type[Exception]):
        """Check what precedes the configuration. `refusal` is Snakemake's class of errors."""
        self.workflow, self.refusal = workflow, refusal
        # Relative to the working folder, so that results stay valid wherever the project is moved
        # or linked to.
        self.stage = str(Path(os.path.relpath(base, Path.cwd().resolve())) / "scripts/stage.py")
        self.is_module = not workflow.modifier.is_main_snakefile()
        self.is_main = workflow.is_main_process and not self.is_module
        if reason := explain_unfit(self.stage):
            self.refuse(f"The folder of nonresponse: {reason}, or run snakemake in it")
        [overview, _] = paths.OVERVIEWS
        if self.is_module and workflow.modifier.modify_path(overview) != overview:
            keys = "neither prefix: nor replace_prefix: of `module`"
            self.refuse(f"nonresponse takes {keys}; docs/modules.md tells why")
        if not self.is_module:
            # Objects between garbage collections: at 700, they take a tenth of an idle start
            gc.set_threshold(100_000)
            # No garbage collection at the end, which takes a fifth of an idle start
            atexit.register(gc.freeze)
        self.configured = [*map(os.path.relpath, workflow.overwrite_configfiles)] or ["config.yaml"]
        if self.is_main and (problems := configfile.find_problems(self.configured)):
            self.refuse("\n".join(problems))

    def refuse(self, reason: str) -> NoReturn:
        """End before any job. In a module, raise, so that Snakemake says where it is loaded."""
        if self.is_module:
            raise self.refusal(reason)
        sys.exit(reason)

    def configure(self, config_as_written: dict) -> dict[str, Campaign]:
        """Return the campaigns and their evaluations by name. Refuse an unsound configuration."""
        file_name = "the module's config" if self.is_module else ", ".join(self.configured)
        try:
            sound, files = not self.workflow.is_main_process, self.configured * self.is_main
            checked = config.check_config(config_as_written, file_name, sound, files)
        except config.ConfigError as error:
            self.refuse(str(error))
        evaluations = list_evaluations(checked)
        self.campaigns = [item for item in evaluations.values() if not item.parent]
        put_python_first()
        self.raw = Digests("raw.json")
        if self.is_main:
            self.refuse_edited()
            atexit.register(self.settle)
        return evaluations

    def refuse_edited(self) -> None:
        """End before any job if a result was edited, or copied without Snakemake's metadata, or if
        a file stands where a folder of results will be."""
        results = self.results()
        folders = {path.rpartition("/")[0] for path in results}
        paths_above = {path for folder in folders for path in (Path(folder), *Path(folder).parents)}
        if files := [str(path) for path in paths_above if path.is_file()]:
            self.refuse(f"{min(files)} is a file where a folder of results has to be: move it away")
        if MANIFEST.exists() and not Path(".snakemake/metadata").is_dir():
            problem = "results/ is here, but not .snakemake, which knows how it was made"
            self.refuse(f"{problem}: remove it (rm -r results)")
        if edited := find_edited(results):
            self.refuse(advise_removal("results changed since they were made", edited))

    def settle(self) -> None:
        """Write the manifest if a run was killed before it did, and nothing was left to do."""
        workflow = self.workflow
        was_asked_to_run = workflow.executor_plugin is not None and not workflow.dryrun
        if was_asked_to_run and len(workflow.dag) == 0 and (NOTES / "running").exists():
            write_manifest(self.results())

    def results(self) -> list[str]:
        """Return all results of all campaigns."""
        results = (path for campaign in self.campaigns for path in paths.list_results(campaign))
        return [*results, *paths.OVERVIEWS]

    def begin(self) -> None:
        """Note what the run goes by, before its first job."""
        if self.workflow.touch:
            reason = "the results would be recorded as made from other files than they were"
            sys.exit(f"Nothing was touched: {reason}.")
        limit = time.time_ns() + AHEAD
        if ahead := [path for path, look in self.raw.known.items() if look[1] > limit]:
            problem = "No result can be newer than these files, whose time of change lies ahead"
            sys.exit(f"{problem}: give them the present time:\n  touch {shlex.join(ahead)}")
        if unfinished := find_unfinished(self.results()):
            sys.exit(advise_removal("an earlier run was killed while it made these", unfinished))
        self.raw.save()
        (NOTES / "running").touch()
        if self.workflow.local_exec:  # else jobs may run on other machines
            server.start()
        for campaign in self.campaigns:
            for alias, id in campaign.aliases.items():
                text = f"{alias} is another name of {id}, under which its results stand"
                print(f"{campaign.name}: {text}", file=sys.stderr)

    def succeed(self) -> None:
        """Say what is new in each campaign, and where the report is."""
        self.end()
        print("All of it on one page, for a browser: results/report.html")

    def fail(self) -> None:
        """Name the fault reports of all campaigns."""
        self.end()
        reports = [f"{campaign.folder}/faults.txt" for campaign in self.campaigns]
        if reports := [path for path in reports if Path(path).is_file()]:
            number = f"{len(reports):,} of {plural(len(self.campaigns), 'campaign')}"
            print(f"Faults in the files of {number}: {', '.join(reports)}", file=sys.stderr)

    def end(self) -> None:
        """Write the manifest. Say what changed in each campaign, or who leads a new one."""
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer):  # Snakemake's, which would look for jobs again
                thread.cancel()
        changed_results = write_manifest(self.results())
        names = ("changes.json", "leaderboard.json", "check.txt")
        for campaign in self.campaigns:
            changes, board, check = paths.add_folder(campaign, *names)
            if changed_results.get(changes):
                sentence, page = read_first_sentence(changes), "changes.md"
            elif board in changed_results:
                sentence, page = read_first_sentence(board), "report.html"
            else:
                continue
            print(f"{campaign.name}: {sentence} ({campaign.folder}/{page})")
            if notes := Path(check).read_text(encoding="utf-8").splitlines()[1:]:
                print(f"{campaign.name}: {plural(len(notes), 'note')} on its files ({check})")


def advise_removal(problem: str, results: list[str]) -> str:
    """Return what is wrong with results, and how to have them made again."""
    advice = f"To have them made again:\n  rm -r {shlex.join(results)}"
    return f"Nothing was run: {problem}: {', '.join(results)}.\n{advice}"


def put_python_first() -> None:
    """Put the Python that runs Snakemake first in PATH, which the commands of jobs inherit.

    shell.prefix would apply to all rules, also those of a workflow that has this one as a module.
    """
    folder, found_python = Path(sys.executable).parent, shutil.which("python")
    if not found_python or Path(found_python).parent != folder:
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def read_first_sentence(path: str) -> str:
    """Return the first sentence of a file of sections, cut short."""
    sentences = next(iter(json.loads(Path(path).read_text(encoding="utf-8")).values()))["sentences"]
    text = legible.uncover(sentences[0]) if sentences else "no run could be ranked."
    return text if len(text) <= SENTENCE else f"{text[: SENTENCE - 1].rpartition(' ')[0]}…"
