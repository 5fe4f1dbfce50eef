"""Whether the results are as they were made: what has changed, is missing, or is not asked for any more.

Run it in the folder in which snakemake runs. It goes by the configuration of the last run, and changes nothing unless
it is told to.
"""

import sys
from pathlib import Path

from nonresponse import commands, verify

OPTIONS = {
    "keep": {"nargs": "+", "metavar": "RESULT", "help": "take these results as they are"},
    "remove": {"action": "store_true", "help": "remove what is not asked for any more"},
}


def main(keep: tuple[str, ...] = (), remove: bool = False) -> None:
    state = verify.results()
    if not state.asked:
        sys.exit("Nothing is known of results here: run it where snakemake has run.")
    if unknown := [path for path in keep if path not in state.asked or not Path(path).exists()]:
        sys.exit(f"No result here: {', '.join(unknown)}")
    if keep:
        verify.keep(list(keep))
        state = verify.results()
    faults = verify.faults(state)
    print(*(faults or [f"All {len(state.asked):,} results are as they were made."]), sep="\n")
    for path in state.former:
        if path in state.changed:
            print(f"{path} is not asked for any more, but has changed since it was made: remove it yourself.")
        elif remove:
            verify.remove(path)
            print(f"{path} is removed.")
        else:
            print(f"{path} is not asked for any more: --remove removes it.")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
