"""What an attack finds, and how it is limited in time."""

import re
import signal
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Finding(NamedTuple):
    """Something that must not be. Findings with the same `what` and `where` are one."""

    what: str  # exception, taken, refused, differs, config
    where: str
    detail: str


class TooSlow(BaseException):
    pass


def place(error: BaseException) -> str:
    """The function of ours that it came through last."""
    calls = [
        (Path(frame.filename), frame.name) for frame in traceback.extract_tb(error.__traceback__)
    ]
    ours = [f"{path.name}, {function}" for path, function in calls if "nonresponse" in path.parts]
    return ours[-1] if ours else "?"


def kind(found: str) -> str:
    """What is found, without what was found."""
    return re.sub(r"'.*'|\".*\"|[0-9]+|(?<=the key )\S+", "…", found)[:80]


@contextmanager
def limited(seconds: float):
    """TooSlow after so many seconds of CPU, or twenty times as many by the clock, for what waits
    and does not work."""

    def ring(*_):
        raise TooSlow

    timers = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
    before = {number: signal.signal(number, ring) for number in timers}
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 20 * seconds)
        yield
    finally:
        for number, timer in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])
