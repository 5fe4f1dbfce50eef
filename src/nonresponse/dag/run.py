"""What happens around a run of Snakemake: what is checked before it, what is noted while it runs, what a person sees.

Snakemake's `workflow` and the class of its errors are handed in: the library never imports Snakemake.
"""

import atexit
import gc
import json
import logging
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from nonresponse import campaign as config
from nonresponse import checksums, legible, verify
from nonresponse.campaign import file as configfile
from nonresponse.campaign.paths import unfit_path
from nonresponse.dag import facts, files, results
from nonresponse.dag.campaigns import Campaign, evaluations
from nonresponse.progress import Progress, shown_by_progress
from nonresponse.wording import listed, plural

FAULTY = "results/faults.html"
SENTENCE = 200  # characters
AHEAD = 10 * 10**9  # nanoseconds: a clock that is no further ahead is behind again once the first job has ended


class Run:
    """One run of Snakemake; where nonresponse is a module of another workflow, it does only what its rules need.

    Files of configuration, messages and notes between runs are then that workflow's own affair.
    """

    def __init__(self, workflow: Any, base: Path, refusal: type[Exception]):
        """Precedes the loading of the configuration. `base` is the project's folder, `refusal` the class of errors."""
        self.workflow, self.base, self.refusal = workflow, base, refusal
        # Relative to the working folder, so that results stay valid wherever the project is moved or linked to.
        self.home = Path(os.path.relpath(base, Path.cwd().resolve()))
        self.is_module = not workflow.modifier.is_main_snakefile()
        self.in_charge = workflow.is_main_process and not self.is_module
        if why := unfit_path(str(self.home)):
            self.refuse(f"The folder of nonresponse: {why}, or run snakemake in it")
        if self.is_module and workflow.modifier.modify_path("results/summary.md") != "results/summary.md":
            self.refuse("nonresponse takes neither prefix: nor replace_prefix: of `module`; docs/modules.md tells why")
        if not self.is_module:
            gc.set_threshold(100_000)  # objects between garbage collections: at 700, they take a tenth of an idle start
            atexit.register(gc.freeze)  # no garbage collection at the end, which takes a fifth of an idle start
        # Snakemake has loaded the files of --configfile by now.
        self.configured = [*map(os.path.relpath, workflow.overwrite_configfiles)] or ["config.yaml"]
        if self.in_charge and (problems := configfile.problems(self.configured)):
            self.refuse("\n".join(problems))

    def refuse(self, why: str) -> NoReturn:
        """Ends before any job; in a module by an exception, so that Snakemake says where the module is loaded."""
        if self.is_module:
            raise self.refusal(why)
        sys.exit(why)

    def configure(self, written: dict) -> None:
        """Checks the configuration, and sets the campaigns and what is known of their files."""
        called = "the module's config" if self.is_module else ", ".join(self.configured)
        try:
            checked = config.checked(written, called, sound=not self.workflow.is_main_process)
        except config.ConfigError as error:
            self.refuse(str(error))
        self.evaluations = evaluations(checked)
        self.campaigns = [it for it in self.evaluations.values() if not it.whole]
        put_python_first()
        self.look_at_raw_files()
        # The results as far as they are known when Snakemake starts: trials of some measures may turn out to be none.
        self.asked = self.results() if self.in_charge else []
        # Results without a note, as in a folder that was copied without .snakemake: Snakemake would trust them.
        self.unknown = verify.unknown(self.asked, checksums.noted(checksums.RESULTS)) if self.in_charge else []
        # Of a checkpoint with several outputs, Snakemake misses the first alone until it knows what follows from them.
        for it in (one for campaign in self.campaigns for one in campaign.tallied if self.in_charge):
            there = [path for path in files.tallied(it) if Path(path).exists()]
            self.unknown += there if len(there) < len(files.tallied(it)) else []
        if not self.is_module:  # where jobs note what they write; a job on a cluster inherits it
            os.environ.setdefault(checksums.NOTES, str(checksums.of_a_run()))
        self.progress: Progress | None = None
        quiet = {choice.name for choice in self.workflow.output_settings.quiet or []}
        if self.in_charge and quiet >= {"RULES"} and not quiet & {"ALL", "PROGRESS"}:
            self.show_progress()

    def look_at_raw_files(self) -> None:
        """Only the main process looks at raw files; jobs on a cluster read its note, so that all compare the same."""
        noted = checksums.noted(checksums.RAW)
        if not self.workflow.is_main_process:  # a job parses the Snakefile, too
            self.raw = noted
        else:
            self.raw = checksums.states([path for campaign in self.campaigns for path in files.raw(campaign)], noted)
            if self.is_module:
                # No `begin` will note it: that is called for a main workflow only. There may be two such modules.
                checksums.write_note(noted | self.raw, checksums.RAW)
        self.checksums = checksums.by_path(self.raw)

    def results(self) -> list[str]:
        """The paths of the results of each campaign, and of all campaigns together."""
        of_each = [path for campaign in self.campaigns for path in results.results_of(campaign)]
        return [*of_each, "results/summary.md", "results/report.html", *files.fidelity_pages(self.campaigns)]

    def script(self, name: str) -> str:
        """The path of a command's script, relative to the working folder."""
        return str(self.home / "scripts" / name)

    def show_progress(self) -> None:
        """Shows our progress bar in place of Snakemake's own messages."""
        asked = cache(lambda jobs: set(self.results()))  # anew each time there are more jobs

        def made(ended: int) -> int:
            """How many results are up to date, once job `ended` has ended; none of those that still wait for counts."""
            graph = self.workflow.dag
            done = (it for it in graph.jobs if not graph.needrun(it) or graph.finished(it) or graph.jobid(it) == ended)
            return len(self.asked) - len(asked(len(graph)).difference(*(job.output for job in done)))

        terminal = sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
        self.progress = Progress(terminal, made, len(self.asked))
        logger: logging.Logger = self.workflow.logger_manager.logger
        for handler in logger.handlers:
            handler.addFilter(lambda record: not shown_by_progress(record, self.workflow.dryrun))
        logger.addHandler(self.progress)

    # Before the run.

    def begin(self) -> None:
        """Stops where a result is not as a job made it, or --touch would hide that, and where the time of a file lies
        ahead; notes what the run goes by.
        """
        if self.workflow.touch:
            sys.exit("Nothing was touched: the results would be recorded as made from other files than they were.")
        if ahead := [path for path, (_, modified, *_) in self.raw.items() if modified > time.time_ns() + AHEAD]:
            why = "No result can be newer than these files, whose time of change lies ahead: give them the present time"
            sys.exit(f"{why}:\n  touch {shlex.join(ahead)}")
        state = verify.results(asked := self.results())
        if why := verify.stop(state, self.script("verify.py")):
            sys.exit(why)
        if state.unknown:
            number = plural(len(state.unknown), "result")
            print(f"No note, so made again: {number}, such as {state.unknown[0]}", file=sys.stderr)
        checksums.settle(state.lasting)
        checksums.write_note(dict.fromkeys(asked, True), checksums.ASKED)
        checksums.write_note(self.raw, checksums.RAW)
        self.said_before = {it.name: said_of(it.folder) for it in self.campaigns}
        for campaign in self.campaigns:
            for alias, id in campaign.aliases.items():
                text = f"{alias} is another name of {id}, under which its results stand"
                print(f"{campaign.name}: {text}", file=sys.stderr)
        self.spare_the_scheduler()

    def spare_the_scheduler(self) -> None:
        """Removes the default limit on submissions, 100 jobs in 1 s, once the scheduler exists; any other limit stays.

        With a limit, Snakemake 9.27 sets a timer at each turn of its scheduler, and each timer that ends causes another
        turn: timers pile up with every job that ends. snakemake/snakemake#3744 describes it.
        """
        limiter = self.workflow.scheduler.job_rate_limiter
        if limiter and (limiter.max_jobs, limiter.timespan) == (100, 1):
            self.workflow.scheduler.job_rate_limiter = None

    # After the run.

    def succeed(self) -> None:
        """Says what is new in each campaign, what was left as it was, and where the report is."""
        self.stop_progress()
        asked = self.results()  # which measures are tested is known now
        checksums.write_note(dict.fromkeys(asked, True), checksums.ASKED)
        Path(FAULTY).unlink(missing_ok=True)
        looked_at = {path for job in self.workflow.dag.jobs for path in job.output}
        if left := [path for path in asked if path not in looked_at]:  # by --until, --omit-from or the targets
            number = f"{len(left):,} of {plural(len(asked), 'result')}"
            print(f"Not asked for, so left as they were, perhaps out of date: {number}, {listed(left[::-1])}")
        self.print_what_is_new()
        if "results/report.html" not in left:
            print("All of it on one page, for a browser: results/report.html")

    def fail(self) -> None:
        """Names the fault reports of all campaigns, whose own messages may be far above by now, and their page."""
        self.stop_progress()
        checksums.RAW.unlink(missing_ok=True)  # every file is read again, also one that changed and looks the same
        self.remove_what_groups_left()
        self.print_what_is_new()
        reports = [path for it in self.campaigns if Path(path := f"{it.folder}/faults.txt").is_file()]
        Path(FAULTY).unlink(missing_ok=True)
        if reports:
            self.write_faulty()
            number = f"{len(reports):,} of {len(self.campaigns):,} campaigns"
            print(f"Faults in the files of {number}: {', '.join(reports)}", file=sys.stderr)

    def remove_what_groups_left(self) -> None:
        """Removes outputs of a failed group that its jobs have not made in this run.

        What jobs of the group did make is kept (profiles/slurm: keep-incomplete), and Snakemake notes every output that
        exists as made by the group: results of an earlier run would pass for those of this one.
        """
        failed = [job for job in self.workflow.scheduler.failed if job.is_group()] if self.workflow.scheduler else []
        made = checksums.of_this_run() if failed else set()
        for path in (str(path) for group in failed for job in group.jobs for path in job.output):
            if not made.intersection(checksums.files_in(path)):
                shutil.rmtree(path) if Path(path).is_dir() else Path(path).unlink(missing_ok=True)

    def stop_progress(self) -> None:
        """Removes the progress bar."""
        if self.progress:
            self.progress.stop()

    def print_what_is_new(self) -> None:
        """Prints a sentence per campaign with new results: what changed or, of a new one, what its leaderboard says."""
        for campaign in self.campaigns:
            before, now = self.said_before[campaign.name], said_of(campaign.folder)
            for page, name in (("changes.md", "changes.json"), ("report.html", "leaderboard.json")):
                there = now[name] and Path(campaign.folder, page).is_file()
                if there and now[name] != before[name] and (before[name] or page == "report.html"):
                    print(f"{campaign.name}: {first_sentence(now[name])} ({campaign.folder}/{page})")
                    if notes := len(json.loads(now["check.json"])["notes"]["sentences"] if now["check.json"] else []):
                        print(f"{campaign.name}: {plural(notes, 'note')} on its files ({campaign.folder}/check.txt)")
                    break

    def write_faulty(self) -> None:
        """Writes the report as far as it goes, with all faults: the whole report needs campaigns without faults."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as named:
            json.dump([head(it) for it in self.campaigns], named)
            named.flush()
            options = ["--results", "results", "--campaigns", named.name, "--output", FAULTY]
            done = subprocess.run([sys.executable, self.script("report.py"), "faults", *options])
        if done.returncode == 0:
            print(f"The report as far as it goes, with all faults: {FAULTY}", file=sys.stderr)


def put_python_first() -> None:
    """Puts the Python that runs Snakemake first in PATH, which the commands of jobs inherit.

    shell.prefix would apply to all rules, also those of a workflow that has this one as a module.
    """
    ours, first = Path(sys.executable).parent, shutil.which("python")
    if not first or Path(first).parent != ours:
        os.environ["PATH"] = f"{ours}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def head(campaign: Campaign) -> dict[str, Any]:
    """What the page of faults must know of a campaign."""
    return {"title": "", "simulated": False} | facts.facts_of(campaign, "name", "task", "title", "simulated")


def said_of(folder: str) -> dict[str, str]:
    """What a campaign's check, changes and leaderboard say as they stand, as JSON by file; "" where there is none."""
    paths = {name: Path(folder, name) for name in ("check.json", "changes.json", "leaderboard.json")}
    return {
        name: path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        for name, path in paths.items()
    }


def first_sentence(topics: str) -> str:
    """The first sentence of topics (as `pages.blocks.write` writes them), or that no run could be ranked; cut short."""
    said = next(iter(json.loads(topics).values()))["sentences"]
    text = legible.uncovered(said[0]) if said else "no run could be ranked."
    return text if len(text) <= SENTENCE else f"{text[: SENTENCE - 1].rpartition(' ')[0]}…"
