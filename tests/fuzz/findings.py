"""How what is tried on odd files is limited in time."""

import signal
from contextlib import contextmanager


class TooSlow(BaseException):
    pass


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
