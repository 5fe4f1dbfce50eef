"""Run `snakemake --lint` but for its demand for conda or a container on every rule."""

import re
import subprocess
import sys

SET_ASIDE = "Specify a conda environment or container for each rule."


def main(*options: str) -> None:
    # As text: Snakemake 9.27 prints text for `--lint json` too.
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", "--lint", *options], capture_output=True, text=True
    )
    output = run.stdout + run.stderr
    actual, file = [], "?"
    for line in output.splitlines():
        if match := re.match(r"Lints for (.*):$", line):
            file = match[1]
        elif (match := re.match(r" {4}\* (.*):$", line)) and match[1] != SET_ASIDE:
            actual.append(f"{file}: {match[1]}")
    if run.returncode and not re.search("^Lints for ", output, re.MULTILINE):
        sys.exit(output)  # no lint, but a failure
    sys.exit("\n".join(actual) or 0)


if __name__ == "__main__":
    main()
