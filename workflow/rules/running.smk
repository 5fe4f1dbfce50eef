"""What happens around a run: what is checked before it, what is noted while it runs, and what a person sees."""

import json
import subprocess
import tempfile
from functools import cache

from snakemake.logging import logger

from nonresponse import legible, verify
from nonresponse.progress import Progress, said
from nonresponse.wording import listed, plural

QUIET = {choice.name for choice in workflow.output_settings.quiet or []}
FAULTY = "results/faults.html"
PAGES_BEFORE = {}  # the page on changes of each campaign, as it was when the run began


def all_results():
    """Of all campaigns, and of all of them together."""
    of_each = [path for campaign in CAMPAIGNS.values() for path in results.of(campaign)]
    return [*of_each, "results/summary.md", "results/report.html", *FIDELITY]


# As they are known when Snakemake starts, which may take a measure for one with trials; each time there are more jobs they
# are asked for again.
RESULTS = all_results() if IN_CHARGE else []
all_results_with = cache(lambda jobs: set(all_results()))


def made(ended):
    """How many results are up to date, as far as is known: of what waits for counts, none. A job has just ended."""
    graph = workflow.dag
    done = (job for job in graph.jobs if not graph.needrun(job) or graph.finished(job) or graph.jobid(job) == ended)
    left = all_results_with(len(graph)).difference(*(job.output for job in done))
    return len(RESULTS) - len(left)


PROGRESS = Progress(sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"), made, len(RESULTS))

if IN_CHARGE and QUIET >= {"RULES"} and not QUIET & {"ALL", "PROGRESS"}:
    for handler in logger.handlers:
        handler.addFilter(lambda record: not said(record))
    logger.addHandler(PROGRESS)

# Where jobs note what they write; on a cluster they have it from who submitted them.
if not IS_MODULE:
    os.environ.setdefault(checksums.NOTES, str(checksums.of_a_run()))

# What is there and has no note, such as a folder copied without .snakemake, Snakemake would take for what it seems.
UNKNOWN = verify.unknown(RESULTS, checksums.noted(checksums.RESULTS)) if IN_CHARGE else []


def before_the_run():
    """Stops where a result is not as a job made it, or would be called so; notes what the run goes by."""
    if workflow.touch:
        sys.exit("Nothing is touched: results would count as made from files that they were not made from.")
    found = verify.results(asked := all_results())
    if why := verify.stop(found, project_file("verify.py")):
        sys.exit(why)
    if found.unknown:
        number = plural(len(found.unknown), "result")
        print(f"No note, so made again: {number}, such as {found.unknown[0]}", file=sys.stderr)
    checksums.settle(found.lasting)
    checksums.write(dict.fromkeys(asked, True), checksums.ASKED)
    checksums.write(RAW, checksums.RAW)
    PAGES_BEFORE.update((name, page_of_changes(name)) for name in CAMPAIGNS)


def print_aliases():
    """A line for each measure that a campaign calls by another name than its results do."""
    for name, campaign in CAMPAIGNS.items():
        for alias, id in campaign.options["aliases"].items():
            print(f"{name}: {alias} is another name of {id}, under which its results stand", file=sys.stderr)


def spare_the_scheduler():
    """Takes away the default limit on submissions, 100 jobs in 1 s, once the scheduler is there; others stay.

    With a limit, Snakemake 9.27 sets a timer at each turn of its scheduler, whose end is another turn: they pile up
    with every job that ends. snakemake/snakemake#3744 describes it.
    """
    limiter = workflow.scheduler.job_rate_limiter
    if limiter and (limiter.max_jobs, limiter.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


def page_of_changes(campaign):
    """The page on a campaign's changes as it stands; null where there is none."""
    page = Path(f"results/{campaign}/changes.md")
    return page.read_text(encoding="utf-8", errors="replace") if page.is_file() else None


def results_not_asked_for():
    """The results that the run did not look at, since --until, --omit-from or its targets leave them out."""
    looked_at = {path for job in workflow.dag.jobs for path in job.output}
    return [path for path in all_results() if path not in looked_at]


def print_results(left):
    """The page for the terminal, unless it is of a former run; then what was left as it was."""
    if left:
        number = f"{len(left):,} of {plural(len(all_results()), 'result')}"
        print(f"Not asked for, so left as they were, perhaps out of date: {number}, {listed(left[::-1])}")
    if "results/summary.md" not in left:
        print(legible.plain(Path("results/summary.md").read_text(encoding="utf-8")))


def print_changed_pages():
    """A line for each campaign whose page was there before and says something else now, below its title."""
    for campaign, page in PAGES_BEFORE.items():
        before, now = ((text or "").partition("\n\n")[2] for text in (page, page_of_changes(campaign)))
        if before and now and now != before:
            print(f"{campaign}: {legible.plain(now.partition(chr(10))[0])} (results/{campaign}/changes.md)")


def write_faulty():
    """The report as far as it goes, which waits for all campaigns: with the faults of those that have any."""
    unnamed = {"title": "", "simulated": False}
    known = [unnamed | facts.of(it, "name", "task", "title", "simulated") for it in CAMPAIGNS.values()]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as named:
        json.dump(known, named)
        named.flush()
        options = ["--results", "results", "--campaigns", named.name, "--output", FAULTY]
        done = subprocess.run([sys.executable, project_file("report.py"), "faults", *options])
    if done.returncode == 0:
        print(f"The report as far as it goes, with all faults: {FAULTY}", file=sys.stderr)


def print_faulty():
    """A line that names the reports of all faulty campaigns, since theirs may be far above by now; and their page."""
    reports = [f"results/{name}/faults.txt" for name in CAMPAIGNS if Path(f"results/{name}/faults.txt").is_file()]
    Path(FAULTY).unlink(missing_ok=True)
    if reports:
        write_faulty()
        print(
            f"Faults in the files of {len(reports):,} of {len(CAMPAIGNS):,} campaigns: {', '.join(reports)}",
            file=sys.stderr,
        )


onstart:
    before_the_run()
    spare_the_scheduler()
    print_aliases()


onsuccess:
    PROGRESS.stop()
    checksums.write(dict.fromkeys(all_results(), True), checksums.ASKED)  # which measures are tested is known now
    Path(FAULTY).unlink(missing_ok=True)
    print_results(left := results_not_asked_for())
    print_changed_pages()
    if "results/report.html" not in left:
        print("All of it on one page, for a browser: results/report.html")


onerror:
    PROGRESS.stop()
    checksums.RAW.unlink(missing_ok=True)  # every file is read again, also one that changed and looks the same
    print_changed_pages()
    print_faulty()
