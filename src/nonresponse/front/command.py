"""The command `nonresponse`, also `python -m nonresponse`: parses the command line, then loads and
calls the action.

Exit status: 0 if all is well; 1 if something was found (results that changed, a run or a gate that
failed); 2 if a gate is inconclusive; 3 if the request cannot be met, which leaves everything as it
was; 130 if interrupted; 141 if nobody reads what it prints.
"""

import argparse
import gc
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import nonresponse
from nonresponse.faults import quote
from nonresponse.front import RefusedError
from nonresponse.front.completion import Completion
from nonresponse.front.extras import refuse_without_extra
from nonresponse.legible import uncover
from nonresponse.statistics import FAIL, PASS

REFUSED, UNREAD = 3, 141  # the latter as of programs that a closed pipe ends


class Parser(argparse.ArgumentParser):
    """A parser that ends with the status REFUSED on an invalid command line, not with 2, which
    means inconclusive."""

    def error(self, message: str) -> NoReturn:
        """Print the message, and end the process."""
        if message.startswith("unrecognized") and "=" in message:
            message += " (--set before each KEY=VALUE)"
        self.exit(REFUSED, f"{self.prog}: {message}; see {self.prog} --help\n")


def shares(text: str) -> tuple[float, float]:
    """Return two numbers with a comma between them."""
    try:
        correct, unanswered = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not CORRECT,UNANSWERED, such as 0.6,0.2"
        ) from None
    return correct, unanswered


Option = tuple[str, dict[str, Any]]  # the flag or the name of an argument, and more for argparse


def filled(text: str) -> str:
    """Return a text that is not empty, as that of an unset variable of the shell is."""
    if not text:
        raise argparse.ArgumentTypeError("found an empty text; expected a name or a value")
    return text


def option(form: str, help: str, **details: Any) -> Option:
    """Return an argument of a command by its form, such as "FILE" or "--into DIR", and what it
    means."""
    flag, _, metavar = form.partition(" ")
    rules = {} if details.get("action", "").startswith("store_") else {"type": filled}
    return flag, {"help": help, **({"metavar": metavar} if metavar else {}), **rules, **details}


class Command(NamedTuple):
    """A command: what it does, in the list of all and with more on its own page, examples, and its
    arguments; those of a list exclude each other."""

    about: str
    details: str
    examples: str
    options: tuple[Option | list[Option], ...]


FORMS = [
    option("--markdown", "for a pull request", action="store_true"),
    option("--json", "for a program", action="store_true"),
]
NAME = "of the campaign: small letters, digits, hyphens"
SET = option(
    "--set KEY=VALUE",
    "what the files do not say, as in config.yaml, missing=exclude, or a column, verdict=label",
    action="append",
    default=[],
    dest="options",
)
ACCEPT = option(
    "--accept", "answer the questions as proposed, where they have a proposal", action="store_true"
)
SHARES = "its shares CORRECT,UNANSWERED, such as 0.6,0.2"
COMMANDS = {
    "look": Command(
        "say what files are, and print the block of config.yaml that reads them",
        ",\nwith ??? for what they leave open, and the questions; exit status 3 if there are any",
        """\
  nonresponse look logs/
  nonresponse look table.csv --set verdict=label --set unanswered=no""",
        (
            option("files FILE", "a file, or a folder with all files in it and below", nargs="+"),
            option("--write CONFIG", "add the block to this config.yaml"),
            option("--name", f"{NAME}; of several, with their numbers"),
            SET,
            ACCEPT,
        ),
    ),
    "run": Command(
        "evaluate the campaigns of this folder's config.yaml, with all cores unless --cores says "
        "otherwise",
        "",
        """\
  nonresponse run
  nonresponse run -- --cores 4 --dry-run""",
        (option("snakemake OPTION", "options of snakemake, after --", nargs="*"),),
    ),
    "evaluate": Command(
        "look at files, add them to config.yaml, print the findings, and make the page",
        "",
        "  nonresponse evaluate logs/ --into evaluation --name my-models",
        (
            option("files FILE", "a file or a folder: logs, or graded responses", nargs="+"),
            option(
                "--into DIR",
                "where config.yaml and results/ go; this folder if left out",
                default=".",
            ),
            option("--name", NAME),
            option("--no-page", "only print the findings", action="store_false", dest="page"),
            SET,
            ACCEPT,
        ),
    ),
    "compare": Command(
        "compare systems with a first one, question by question, on what both were asked",
        "",
        """\
  nonresponse compare before.json after.json --measure c@1 accuracy
  nonresponse compare --in logs/ gpt-a gpt-b --list
  nonresponse compare --in my-models gpt-a gpt-b --markdown > comment.md""",
        (
            option("baseline A", "a log with one run; with --in, the name of a run"),
            option(
                "runs B",
                "what is compared with it; several are also tested together (p_maxt)",
                nargs="+",
            ),
            option(
                "--in WHERE",
                "a file or folder, or a campaign of config.yaml, that has the runs",
                dest="inside",
            ),
            option("--measure ID", "such as c@1; all that fit if left out", nargs="+", default=[]),
            option("--list", "also the questions that changed", action="store_true"),
            FORMS,
            SET,
            ACCEPT,
        ),
    ),
    "gate": Command(
        "test whether a system is good enough: exit status 0 (pass), 1 (fail), 2 (inconclusive)",
        "",
        """\
  nonresponse gate my-models
  nonresponse gate after.json --against before.json --gates gates.yaml
gates.yaml:
  - {measure: c@1, margin: 0.02}
  - {measure: answered, margin: 0.05}
  - {measure: wrong_given_attempted, at_most: 0.2}
  - {measure: n_unscored, at_most: 0.01}""",
        (
            option("new WHAT", "a log with one run; or a campaign of config.yaml that has gates"),
            option("--against LOG", "that of the baseline"),
            option("--gates FILE", "the gates of a log, as YAML; a campaign has its own"),
            option(
                "--inconclusive",
                "what the exit status makes of an inconclusive gate",
                choices=[PASS, FAIL],
            ),
            option("--into DIR", "write gates.json, gates.md and gates.xml (JUnit) there"),
            SET,
            ACCEPT,
        ),
    ),
    "score": Command(
        "score one run against the truth of a shared task, as Codabench and TIRA ask for it",
        ";\nwrites scores.json, evaluation.prototext and detailed_results.html",
        """\
  nonresponse score $inputRun $inputDataset/*truth.jsonl --into $outputDir --task pan26
  nonresponse score /app/input/res /app/input/ref --into /app/output --campaign my-task""",
        (
            option("run RUN", "the file of the run, or the folder that holds it alone"),
            option("truth TRUTH", "the file with the judgments, or the folder that holds it alone"),
            option("--into OUT", "the folder for the results", required=True),
            [
                option("--task TASK", "a known one: pan14, pan15, pan20 to pan26"),
                option("--campaign NAME", "of config.yaml: its block without its files"),
            ],
        ),
    ),
    "plan": Command(
        "say how many questions tell two systems apart",
        ", given the share\nof questions that each answers rightly, and the share that it leaves "
        "unanswered",
        """\
  nonresponse plan 0.60,0.20 0.65,0.20
  nonresponse plan 0.60,0.20 0.65,0.20 --measure accuracy --agreement 0.8 --power 0.9""",
        (
            option("a A", SHARES, type=shares),
            option("b B", SHARES, type=shares),
            option("--measure ID", "a measure that counts answers; c@1 if left out", default="c@1"),
            option(
                "--agreement SHARE",
                "of the questions on which both are in the same state; that of independent systems "
                "if left out",
                type=float,
            ),
            option("--level", "of the two-sided test; 0.05 if left out", type=float, default=0.05),
            option("--power", "how likely it is found; 0.8 if left out", type=float, default=0.8),
            FORMS[1],
        ),
    ),
    "check": Command(
        "say what is wrong with the files of campaigns, before anything is scored: exit status 0 "
        "(nothing), 1",
        "",
        """\
  nonresponse check my-task
  nonresponse check my-task --markdown > comment.md""",
        (
            option("campaigns CAMPAIGN", "its name in config.yaml; all if left out", nargs="*"),
            FORMS[0],
        ),
    ),
    "open": Command(
        "open the report of this folder, or of one campaign, in the browser",
        "",
        "  nonresponse open my-models",
        (option("campaign", "its name; the report of all if left out", nargs="?"),),
    ),
    "export": Command(
        "write every response of a campaign, with its state and why it has it, for other programs",
        ",\nor the figures of its report as SVG for a paper",
        """\
  nonresponse export my-models
  nonresponse export my-models --figures paper/figures --width 7""",
        (
            option("campaign", "its name"),
            option("--figures DIR", "write the figures there instead"),
            option(
                "--width INCHES",
                "of each figure; 3.3, a column, if left out",
                type=float,
                default=3.3,
            ),
        ),
    ),
    "demo": Command(
        "put the campaigns that come with nonresponse into a folder, and evaluate them: some 20 "
        "seconds on two cores",
        "",
        "  nonresponse demo --into demo",
        (option("--into DIR", "a folder without config.yaml; this one if left out", default="."),),
    ),
}


def parser() -> Parser:
    """Return the parser of all commands. Each --help is one screen, with an example at its end."""
    main_parser = Parser(
        prog="nonresponse",
        description=nonresponse.__doc__,
        epilog="nonresponse COMMAND --help says more, with an example.",
        allow_abbrev=False,
    )
    version = f"nonresponse {nonresponse.__version__}"
    main_parser.add_argument("--version", action="version", version=version)
    about = 'for bash and zsh, in ~/.bashrc: eval "$(nonresponse --completion)"'
    main_parser.add_argument(
        "--completion", action=Completion, nargs=0, default=argparse.SUPPRESS, help=about
    )
    commands = main_parser.add_subparsers(metavar="COMMAND", required=True, dest="command")
    for name, command in COMMANDS.items():
        page = commands.add_parser(
            name,
            help=command.about,
            description=command.about + command.details,
            epilog=f"example:\n{command.examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        for entry in command.options:
            group = entry if isinstance(entry, list) else [entry]
            target = page if group != entry else page.add_mutually_exclusive_group()
            for flag, details in group:
                target.add_argument(flag, **details)
    return main_parser


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command, and end the process. `arguments`: by default, those of the process."""
    prepare_streams()
    try:
        status = carry_out(arguments)
        sys.stdout.flush()
    except RefusedError as error:
        print(uncover(f"nonresponse: {error}", allowed="\n"), file=sys.stderr)
        status = error.status
    except OSError as error:  # a path that is too long, or not ours to write to, or a full disk
        status = UNREAD if isinstance(error, BrokenPipeError) else REFUSED
        name = "standard output"
        if error.filename is None:  # what is left of it would fail again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        else:
            name = quote(error.filename)
        if status == REFUSED:
            print(f"nonresponse: {name}: {error.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def prepare_streams() -> None:
    """Let standard output and errors be UTF-8, whatever the locale, and nothing if closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def carry_out(arguments: Sequence[str] | None) -> int:
    """Parse the command line, and return the exit status of the action."""
    try:
        values = vars(parser().parse_args(arguments))
    except SystemExit as ended:  # after --help, or a fault of the command line
        return int(ended.code or 0)
    # A command lives for seconds: collecting what it imports takes a tenth of them
    gc.set_threshold(100_000, 20, 100)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # looking for them takes as long
    from nonresponse.front import actions

    with refuse_without_extra():
        status: int = getattr(actions, values.pop("command"))(**values)
    return status
