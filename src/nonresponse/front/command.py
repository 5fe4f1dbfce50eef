"""The command `nonresponse`, also `python -m nonresponse`: parses the command line, then loads and
calls the action.

Exit status: 0 if all is well; 1 if something was found (results that changed, a run or a gate that
failed); 2 if a gate is inconclusive; 3 if the request cannot be met, which leaves everything as it
was; 130 if interrupted.
"""

import argparse
import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

import nonresponse
from nonresponse.faults import shown
from nonresponse.front import RefusedError
from nonresponse.front.completion import Completion
from nonresponse.front.extras import refuse_without_extra
from nonresponse.legible import uncovered
from nonresponse.statistics import FAIL, PASS

REFUSED = 3


class Parser(argparse.ArgumentParser):
    """A parser that ends with the status REFUSED on an invalid command line, not with 2, which
    means inconclusive."""

    def error(self, message: str) -> NoReturn:
        """Print the message, and end the process."""
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


def parser() -> Parser:
    """Return the parser of all commands. Each --help is one screen, with an example at its end."""
    whole = Parser(
        prog="nonresponse",
        description=nonresponse.__doc__,
        epilog="nonresponse COMMAND --help says more, with an example.",
        allow_abbrev=False,
    )
    whole.add_argument(
        "--version", action="version", version=f"nonresponse {nonresponse.__version__}"
    )
    whole.add_argument(
        "--completion",
        action=Completion,
        nargs=0,
        default=argparse.SUPPRESS,
        help='for bash and zsh, in ~/.bashrc: eval "$(nonresponse --completion)"',
    )
    commands = whole.add_subparsers(metavar="COMMAND", required=True, dest="command")

    def add(name: str, about: str, example: str, more: str = "") -> Parser:
        form, told = argparse.RawDescriptionHelpFormatter, f"{about}{more}"
        return commands.add_parser(
            name,
            help=about,
            description=told,
            epilog=f"example:\n{example}",
            formatter_class=form,
            allow_abbrev=False,
        )

    def with_options(one: Parser) -> None:
        one.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            dest="options",
            help="what the files do not say, as in config.yaml, missing=exclude, or a column, "
            "verdict=label",
        )

    def with_answers(one: Parser) -> None:
        with_options(one)
        one.add_argument(
            "--accept",
            action="store_true",
            help="answer the questions as proposed, where they have a proposal",
        )

    one = add(
        "look",
        "say what files are, and print the block of config.yaml that reads them",
        "  nonresponse look logs/\n  nonresponse look table.csv --set verdict=label --set "
        "unanswered=no",
        ",\nwith ??? for what they leave open, and the questions; exit status 3 if there are any",
    )
    one.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file, or a folder with all files in it and below",
    )
    one.add_argument("--write", metavar="CONFIG", help="append the block to this config.yaml")
    one.add_argument(
        "--name",
        help="of the campaign: small letters, digits, hyphens; of several, with their numbers",
    )
    with_answers(one)

    one = add(
        "run",
        "evaluate the campaigns of this folder's config.yaml, with all cores unless --cores "
        "says otherwise",
        "  nonresponse run\n  nonresponse run -- --cores 4 --dry-run",
    )
    one.add_argument(
        "snakemake", nargs="*", metavar="OPTION", help="options of snakemake, after --"
    )

    one = add(
        "evaluate",
        "look at files, add them to config.yaml, print the findings, and make the page",
        "  nonresponse evaluate logs/ --into evaluation --name my-models",
    )
    one.add_argument(
        "files", nargs="+", metavar="FILE", help="a file or a folder: logs, or graded responses"
    )
    one.add_argument(
        "--into",
        default=".",
        metavar="DIR",
        help="where config.yaml and results/ go; this folder if left out",
    )
    one.add_argument("--name", help="of the campaign: small letters, digits, hyphens")
    one.add_argument("--no-page", dest="page", action="store_false", help="only print the findings")
    with_answers(one)

    one = add(
        "compare",
        "compare systems with a first one, question by question, on what both were asked",
        "  nonresponse compare before.json after.json --measure c@1 accuracy\n"
        "  nonresponse compare --in logs/ gpt-a gpt-b --list\n"
        "  nonresponse compare --in my-models gpt-a gpt-b --markdown > comment.md",
    )
    one.add_argument("first", metavar="A", help="a log with one run; with --in, the name of a run")
    one.add_argument(
        "others",
        metavar="B",
        nargs="+",
        help="what is compared with it; p is corrected where there are several",
    )
    one.add_argument(
        "--in",
        dest="inside",
        metavar="WHERE",
        help="a file or folder, or a campaign of config.yaml, that has the runs",
    )
    one.add_argument(
        "--measure",
        nargs="+",
        default=[],
        metavar="ID",
        help="such as c@1; all that fit if left out",
    )
    one.add_argument("--list", action="store_true", help="also the questions that changed")
    form = one.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="for a pull request")
    form.add_argument("--json", action="store_true", help="for a program")
    with_options(one)

    one = add(
        "gate",
        "test whether a system is good enough: exit status 0 (pass), 1 (fail), 2 (inconclusive)",
        "  nonresponse gate my-models\n"
        "  nonresponse gate after.json --against before.json --gates gates.yaml\n"
        "gates.yaml:\n"
        "  - {measure: c@1, margin: 0.02}\n"
        "  - {measure: answered, margin: 0.05}\n"
        "  - {measure: wrong_given_attempted, at_most: 0.2}\n"
        "  - {measure: n_unscored, at_most: 0.01}",
    )
    one.add_argument(
        "new", metavar="WHAT", help="a log with one run; or a campaign that has gates and was run"
    )
    one.add_argument("--against", metavar="LOG", help="that of the baseline")
    one.add_argument(
        "--gates", metavar="FILE", help="the gates of a log, as YAML; a campaign has its own"
    )
    one.add_argument(
        "--inconclusive",
        choices=[PASS, FAIL],
        help="what the exit status makes of an inconclusive gate",
    )
    one.add_argument(
        "--into", metavar="DIR", help="write gates.json, gates.md and gates.xml (JUnit) there"
    )
    with_options(one)

    one = add(
        "score",
        "score one run against the truth of a shared task, as Codabench and TIRA ask for it",
        "  nonresponse score $inputRun $inputDataset/*truth.jsonl --into $outputDir --task pan26\n"
        "  nonresponse score /app/input/res /app/input/ref --into /app/output --campaign my-task",
        ";\nwrites scores.json, evaluation.prototext and detailed_results.html",
    )
    one.add_argument(
        "run", metavar="RUN", help="the file of the run, or the folder that holds it alone"
    )
    one.add_argument(
        "truth",
        metavar="TRUTH",
        help="the file with the judgments, or the folder that holds it alone",
    )
    one.add_argument("--into", required=True, metavar="OUT", help="the folder for the results")
    which = one.add_mutually_exclusive_group()
    which.add_argument("--task", metavar="TASK", help="a known one: pan14, pan15, pan20 to pan26")
    which.add_argument(
        "--campaign", metavar="NAME", help="of config.yaml: its block without its files"
    )

    one = add(
        "plan",
        "say how many questions tell two systems apart",
        "  nonresponse plan 0.60,0.20 0.65,0.20\n"
        "  nonresponse plan 0.60,0.20 0.65,0.20 --measure accuracy --agreement 0.8 --power 0.9",
        ", given the share\nof questions that each answers rightly, and the share that it "
        "leaves unanswered",
    )
    for name in ("a", "b"):
        one.add_argument(
            name,
            type=shares,
            metavar=name.upper(),
            help="its shares CORRECT,UNANSWERED, such as 0.6,0.2",
        )
    one.add_argument(
        "--measure",
        default="c@1",
        metavar="ID",
        help="a measure that counts answers; c@1 if left out",
    )
    one.add_argument(
        "--agreement",
        type=float,
        metavar="SHARE",
        help="of the questions on which both are in the same state; that of independent "
        "systems if left out",
    )
    one.add_argument(
        "--level", type=float, default=0.05, help="of the two-sided test; 0.05 if left out"
    )
    one.add_argument(
        "--power", type=float, default=0.8, help="how likely it is found; 0.8 if left out"
    )
    one.add_argument("--json", action="store_true", help="for a program")

    one = add(
        "check",
        "say what is wrong with the files of campaigns, before anything is scored: exit "
        "status 0 (nothing), 1",
        "  nonresponse check my-task\n  nonresponse check my-task --markdown > comment.md",
    )
    one.add_argument(
        "campaigns",
        nargs="*",
        metavar="CAMPAIGN",
        help="its name in config.yaml; all if left out",
    )
    one.add_argument("--markdown", action="store_true", help="for a pull request")

    one = add(
        "open",
        "open the report of this folder, or of one campaign, in the browser",
        "  nonresponse open my-models",
    )
    one.add_argument("campaign", nargs="?", help="its name; the report of all if left out")

    one = add(
        "export",
        "write every response of a campaign, with its state and why it has it, for other programs",
        "  nonresponse export my-models",
    )
    one.add_argument("campaign", help="its name")

    one = add(
        "demo",
        "put the campaigns that come with nonresponse into a folder, and evaluate them: some "
        "two minutes",
        "  nonresponse demo --into demo",
    )
    one.add_argument(
        "--into",
        default=".",
        metavar="DIR",
        help="a folder without config.yaml; this one if left out",
    )
    return whole


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command, and end the process. `arguments`: by default, those of the process."""
    given = vars(parser().parse_args(arguments))
    # A command lives for seconds: collecting what it imports takes a tenth of them
    gc.set_threshold(100_000, 20, 100)
    from nonresponse.front import actions

    called = getattr(actions, given.pop("command"))
    try:
        with refuse_without_extra():
            status = called(**given)
        sys.stdout.flush()
    except RefusedError as error:
        print(uncovered(f"nonresponse: {error}", kept="\n"), file=sys.stderr)
        status = error.status
    except BrokenPipeError:  # the user left the pager
        sys.stderr.close()
        status = 0
    except OSError as error:  # with a file name: a path that is too long, or not ours to write to
        if error.filename is None:
            raise
        print(f"nonresponse: {shown(error.filename)}: {error.strerror}", file=sys.stderr)
        status = REFUSED
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)
