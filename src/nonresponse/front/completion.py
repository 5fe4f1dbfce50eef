"""Completion of commands and options in bash, and in zsh by bashcompinit."""

import argparse

SCRIPT = """\
_nonresponse() {{
    local words="{commands}"
    if [ "$COMP_CWORD" -gt 1 ]; then
        case "${{COMP_WORDS[1]}}" in
{cases}
            *) words="" ;;
        esac
    fi
    case "$2" in
        -*) COMPREPLY=($(compgen -W "$words" -- "$2")) ;;
        *) [ "$COMP_CWORD" -gt 1 ] || COMPREPLY=($(compgen -W "$words" -- "$2")) ;;
    esac
}}
complete -o default -F _nonresponse nonresponse
"""


class Completion(argparse.Action):
    """Prints the script of completion, and ends the process."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(script(parser), end="")
        parser.exit()


def script(parser: argparse.ArgumentParser) -> str:
    """Return a script for the shell that completes the commands of a parser and their options."""
    [commands] = [
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    ]
    options = {
        name: " ".join(option for action in subparser._actions for option in action.option_strings)
        for name, subparser in commands.choices.items()
    }
    cases = [f'            {name}) words="{words}" ;;' for name, words in options.items()]
    return SCRIPT.format(
        commands=" ".join([*options, "--help", "--version"]), cases="\n".join(cases)
    )
