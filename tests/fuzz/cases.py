"""One case: a sample damaged, read by our readers and by the naive one, and what that shows."""

import io
import random
import re
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pyarrow
import pyarrow.parquet
from nonresponse import tasks
from nonresponse.formats.counts import read_counts
from nonresponse.ingest import reading
from reading import YEARS

from fuzz import mutations, naive
from fuzz.naive import doors
from fuzz.naive.text import content, without_packing
from fuzz.samples import EVERY, Sample

SECONDS = 5.0  # of CPU, so that a busy machine is no finding


class Finding(NamedTuple):
    """Something that must not be. Findings with the same `what` and `where` are one."""

    what: str  # exception, slow, fault (an unfit one), taken, refused, elsewhere (in another line), differs
    where: str
    detail: str


class Case(NamedTuple):
    number: int
    sample: Sample
    name: str
    data: bytes
    damaged: bool  # in such a way that nobody can say what the file contains


class TooSlow(BaseException):
    pass


def case(seed: int, number: int) -> Case:
    """The same case for the same seed and number, wherever and however often."""
    draw = random.Random(f"{seed} {number}")
    sample = EVERY[number % len(EVERY)]
    data = mutations.mutate(draw, sample.content, sample.shape) if sample.content else b""
    name, data, damaged = mutations.packed(draw, data, mutations.renamed(draw, sample.name))
    return Case(number, sample, name, data, damaged)


def finding(case: Case, folder: Path) -> Finding | None:
    """What is wrong with how the case is read. Nothing if its sample is not there."""
    if not case.sample.content:
        return None
    folder = Path(tempfile.mkdtemp(dir=folder))
    file = folder / case.name
    try:
        file.write_bytes(case.data)
        return compared(case, file)
    finally:
        shutil.rmtree(folder)


def compared(case: Case, file: Path) -> Finding | None:
    begin = time.process_time()
    try:
        with limited(SECONDS):
            rows, faults = ours(case.sample, str(file))
    except KeyboardInterrupt:
        raise
    except TooSlow:
        return Finding("slow", str(case.sample), f"more than {SECONDS} s")
    except BaseException as error:  # a panic of Polars is no Exception
        return Finding("exception", f"{type(error).__name__} in {place(error)}", repr(error)[:300])
    if time.process_time() - begin > SECONDS:
        return Finding("slow", str(case.sample), f"{time.process_time() - begin:.1f} s")
    for fault in faults:
        if problem := unfit(fault, file, case):
            return Finding("fault", f"{problem}: {kind(fault.found)}", str(fault))
    if case.damaged:
        return None
    try:
        expected = doors.tables_of(case.sample, str(file), case.data)
    except naive.Unsure:
        return None
    except naive.Refused as error:
        where = f"{case.sample.kind}: {kind(error.reason)}"
        if not faults:
            return Finding("taken", where, f"{error}, but no fault")
        if error.line and error.line not in [fault.line for fault in faults]:
            return Finding("elsewhere", where, f"{error}, but {faults[0]}")
        return None
    if faults:
        return Finding("refused", f"{case.sample.kind}: {kind(faults[0].found)}", str(faults[0]))
    missing, more = Counter(expected) - Counter(rows), Counter(rows) - Counter(expected)
    if not missing and not more:
        return None
    where = f"{case.sample.door} {case.sample.kind}: {differing(case.sample, missing, more)}"
    return Finding("differs", where, f"expected {shown(missing)}\n    but read {shown(more)}")


def shown(rows: Counter) -> str:
    return "\n             ".join(str(row)[:400] for row in list(rows)[:3]) or "nothing more"


def differing(sample: Sample, missing: Counter, more: Counter) -> str:
    if missing.total() != more.total() or missing.total() > 1:
        return "rows"
    return ", ".join(
        name for name, one, other in zip(doors.columns_of(sample), *missing, *more, strict=True) if one != other
    )


def place(error: BaseException) -> str:
    """The function of ours that it came through last."""
    calls = [(Path(frame.filename), frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [f"{path.name}, {function}" for path, function in calls if "nonresponse" in path.parts]
    return ours[-1] if ours else "?"


def kind(found: str) -> str:
    """What is found, without what was found."""
    return re.sub(r"'.*'|\".*\"|[0-9]+|(?<=the key )\S+", "…", found)[:80]


@contextmanager
def limited(seconds: float):
    """TooSlow after so many seconds of CPU, or twenty times as many by the clock, for what waits and does not work."""

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


def ours(sample: Sample, file: str) -> tuple[list[tuple], list]:
    """Return the rows of the table and the faults, as the stages that read files have them."""
    spec, task = sample.options | {"format": sample.format}, sample.task
    spec |= {"years": YEARS} if tasks.get(task).years else {}
    if sample.door == "counts":
        table, faults = read_counts(file, task)
    elif sample.door == "questions":
        table, faults = reading.questions(spec | {"file": file})
    elif sample.door == "graded":
        table, *_, faults = reading.graded([file], spec, task)
    elif sample.door == "runs":
        table, names, faults = reading.responses([file], spec, task)
        if not faults:
            assert names["responses"].sum() == table.height, "the table of runs has another number of responses"
    else:
        table, faults = reading.judgments([file], spec, tasks.get(task).labels_in(sample.format), task)
    return [] if faults else table.select(doors.columns_of(sample)).rows(), faults


def unfit(fault, file: Path, case: Case) -> str | None:
    """What keeps a fault from being reported."""
    if fault.file != str(file):
        return "another file"
    if not isinstance(fault.line, int) or not 0 <= fault.line <= last_line(case):
        return "no such line"
    if not fault.found or not fault.expected or not (fault.found + fault.expected).isprintable():
        return "not printable"
    return None


def last_line(case: Case) -> int:
    """The number of the last line, or of the one after it; in Parquet, of the last record."""
    try:
        if case.sample.kind == "parquet":
            return 1 + pyarrow.parquet.read_metadata(io.BytesIO(case.data)).num_rows
        text = content(case.name, case.data)
    except (naive.Refused, pyarrow.ArrowException, OSError):
        return 10**9 if case.damaged else 0
    return text.count(b"\n") + text.count(b"\r") + 2


def smallest(case: Case, found: Finding, folder: Path, attempts: int = 500) -> Case:
    """The case without all that the finding does not need, as far as this is found in that many attempts."""
    plain = str(without_packing(case.name))
    if plain != case.name:
        with suppress(naive.Refused):
            unpacked = case._replace(name=plain, data=content(case.name, case.data))
            again = finding(unpacked, folder)
            case = unpacked if again and again[:2] == found[:2] else case
    size = max(1, len(case.data) // 2)
    while size and attempts > 0:
        begin, shorter = 0, False
        while begin < len(case.data) and attempts > 0:
            attempts -= 1
            less = case._replace(data=case.data[:begin] + case.data[begin + size :])
            again = finding(less, folder)
            if again and again[:2] == found[:2]:
                case, shorter = less, True
            else:
                begin += size
        size = size if shorter and size == 1 else size // 2
    return case


def readable(case: Case) -> str:
    """What is in the file, unpacked, or the records of a Parquet file."""
    try:
        if case.sample.kind == "parquet":
            return str(pyarrow.parquet.read_table(io.BytesIO(case.data)).to_pylist())[:2000]
        return repr(content(case.name, case.data))[:2000]
    except (naive.Refused, pyarrow.ArrowException, OSError):
        return repr(case.data)[:1000]
