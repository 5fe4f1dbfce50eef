"""What a person sees while jobs run, in place of Snakemake's own lines where the profile is quiet about rules."""

from snakemake.logging import logger

from nonresponse.progress import Progress, said

PROGRESS = Progress(terminal=sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"))
QUIET = {choice.name for choice in workflow.output_settings.quiet or []}

if workflow.is_main_process and QUIET >= {"RULES"} and not QUIET & {"ALL", "PROGRESS"}:
    for handler in logger.handlers:
        handler.addFilter(lambda record: not said(record))
    logger.addHandler(PROGRESS)
