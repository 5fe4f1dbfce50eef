"""`make bench-check`: which ratios have become worse since they were last committed.

Only ratios to something else that was timed in the same run are compared, since machines differ.
"""

import json
import subprocess
from pathlib import Path

import measured

import commands

MOST = 1.3  # times the committed ratio


def ratios(found: dict) -> dict[str, float]:
    """Our time by that of a reference, by name, of a file of what was measured."""
    ours = {
        f"{row['what']}, beside {row['beside']}": row["ratio"]
        for row in found.get("rows", [])
        if "ratio" in row
    }
    for row in found.get("peer_rows", []):
        for kind in ("calls", "process"):
            name = (
                f"{row['what']}, {row['runs']} x {row['questions']}, beside {row['peer']}, {kind}"
            )
            ours[name] = 1 / row[kind]["ratio"]
    return ours


def slower(before: dict[str, float], now: dict[str, float]) -> dict[str, float]:
    """By which factor, for each name that both have and that exceeds MOST; the worst first."""
    factors = {name: now[name] / before[name] for name in before.keys() & now.keys()}
    worse = {name: factor for name, factor in factors.items() if factor > MOST}
    return dict(sorted(worse.items(), key=lambda item: -item[1]))


def committed(name: str) -> dict:
    """What the last commit has of a file; nothing if it is not there."""
    path = (measured.FOLDER / name).relative_to(measured.HOME)
    git = subprocess.run(
        ["git", "show", f"HEAD:{path}"], cwd=measured.HOME, capture_output=True, text=True
    )
    return json.loads(git.stdout) if git.returncode == 0 else {}


OPTIONS = {"folder": {"type": Path, "help": "with what was measured now, %(default)s if left out"}}


def main(folder: Path = measured.FOLDER) -> None:
    """Compare; ends with 1 where something is slower, or there is nothing to compare."""
    before, now = {}, {}
    for file in sorted(folder.glob("*.json")):
        before |= ratios(committed(file.name))
        now |= ratios(json.loads(file.read_text()))
    both = before.keys() & now.keys()
    worse = slower(before, now)
    for name, factor in worse.items():
        print(f"{factor:.2f} times slower: {name} ({before[name]:.3g} -> {now[name]:.3g})")
    print(
        f"{len(both)} ratios compared with the last commit, {len(worse)} more than {MOST} "
        "times slower"
    )
    for name in sorted(now.keys() - both):
        print(f"not measured at that size before: {name}")
    raise SystemExit(1 if worse or not both else 0)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
