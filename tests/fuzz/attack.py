"""Many campaigns, by kind, in several processes; what they find is shown once of each sort."""

import faulthandler
import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from fuzz.counted import beside
from fuzz.findings import Finding

SIZE = 50  # campaigns that a process does at a time
LONGEST = 900  # seconds for that, should no timer of ours wake the process


def attack(numbers: dict[str, range], seed: int, processes: int, folder: Path) -> int:
    """Looks at all cases and campaigns of these numbers; how many different findings there are."""
    blocks = [
        (what, some[begin : begin + SIZE])
        for what, some in numbers.items()
        for begin in range(0, len(some), SIZE)
    ]
    quiet()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=quiet)
    try:
        futures = {pool.submit(block, what, seed, some, folder): what for what, some in blocks}
        return shown(futures, seed, folder)
    except BrokenProcessPool:
        print(
            "\na process died at work on",
            *sorted(path.read_text() for path in folder.glob("*.at-work")),
        )
        return 1
    finally:
        # Whatever ends us, the workers end with what they are at
        pool.shutdown(cancel_futures=True)


def shown(futures: dict, seed: int, folder: Path) -> int:
    """Shows each sort of finding once, as soon as it is found; how many there are."""
    known, begin = {}, time.monotonic()
    for done, future in enumerate(as_completed(futures), start=1):
        for number, finding in future.result():
            if known.setdefault(finding[:2], number) == number:
                print(f"\n{beside.explained(futures[future], seed, number, folder)}\n", flush=True)
        minutes = (time.monotonic() - begin) / 60
        print(
            f"\r{done}/{len(futures)} blocks, {minutes:.1f} minutes, {len(known)} findings",
            end="",
            flush=True,
        )
    print(
        "",
        *(f"{what}: {where} ({number})" for (what, where), number in sorted(known.items())),
        sep="\n",
    )
    return len(known)


def quiet() -> None:
    """Discards what Polars prints when it panics, shows where Python crashes, and leaves Ctrl-C to
    the main process."""
    if multiprocessing.parent_process():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = os.fdopen(os.dup(2), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    faulthandler.enable()


def block(what: str, seed: int, numbers: range, folder: Path) -> list[tuple[int, Finding]]:
    """The first finding of each sort."""
    found, note = {}, folder / f"{os.getpid()}.at-work"
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    for number in numbers:
        note.write_text(f"{what} {number}")  # to be read if the process dies
        if finding := beside.finding(what, seed, number, folder):
            found.setdefault(finding[:2], (number, finding))
    note.unlink()
    faulthandler.cancel_dump_traceback_later()
    return list(found.values())
