"""What an attack finds, and how it is limited in time."""

import re
import signal
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Finding(NamedTuple):
    """Something that must not be. Findings of one kind at one location are one."""

    kind: str  # exception, taken, refused, differs, config
    location: str
    detail: str


class TooSlow(BaseException):
    pass


def find_origin(error: BaseException) -> str:
    """Return the last function of ours that it came through."""
    calls = [
        (Path(frame.filename), frame.name) for frame in traceback.extract_tb(error.__traceback__)
    ]
    ours = [f"{path.name}, {function}" for path, function in calls if "nonresponse" in path.parts]
    return ours[-1] if ours else "?"


def generalise(message: str) -> str:
    """Return a message without the values in it, so that findings of one kind are equal."""
    return re.sub(r"'.*'|\".*\"|[0-9]+|(?<=the key )\S+", "…", message)[:80]


@contextmanager
def limit_time(seconds: float):
    """Raise TooSlow after so many seconds of CPU, or twenty times as many by the clock."""

    def ring(*_):
        raise TooSlow

    timers = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
    handlers = {number: signal.signal(number, ring) for number in timers}
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 20 * seconds)
        yield
    finally:
        for number, timer in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, handlers[number])
