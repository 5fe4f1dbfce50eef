"""`make bench`, logs: what reading them costs beside a loop that takes each sample out of its file and parses it.

Every log has a process of its own, so that its peak memory is its own too; the loop is timed in the same process.
"""

import json
import random
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import measured
from nonresponse import formats
from nonresponse.formats import log_reader

import commands

SHARE = 0.1
OPTIONS = ["archives", "bonds", "cabbages", "debts", "eels", "fleets", "gardens", "hours", "inks", "jars"]


def text(draw: random.Random, words: int) -> str:
    """Some words, about five letters each."""
    return " ".join(f"w{draw.randrange(10**4)}" for _ in range(words))


def inspect(folder: Path, samples: int) -> list[Path]:
    """A log of Inspect, zipped, with a question of 100 words and an answer of 200 in each sample."""
    draw, path = random.Random(1), folder / "log.eval"
    scores = [{"name": "match", "scorer": "match", "metrics": {"accuracy": {"name": "accuracy", "value": 0.5}}}]
    results = {"total_samples": samples, "completed_samples": samples, "scores": scores}
    header = {"version": 2, "status": "success", "eval": {"model": "m", "task": "t"}, "results": results}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("header.json", json.dumps(header))
        for id in range(samples):
            asked, said = text(draw, 100), text(draw, 200)
            messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
            score = {"match": {"value": "C" if id % 2 else "I", "answer": "A", "explanation": said[:100]}}
            output = {"choices": [{"message": messages[1], "stop_reason": "stop"}], "completion": said}
            sample = {"id": id, "epoch": 1, "input": asked, "target": "A", "messages": messages}
            packed.writestr(f"samples/{id}_epoch_1.json", json.dumps(sample | {"output": output, "scores": score}))
    return [path]


def lm_eval(folder: Path, samples: int) -> list[Path]:
    """The samples of 21 models, each of ten options, in equal parts."""
    draw, paths = random.Random(1), []
    for model in range(21):
        path = folder / f"m{model}/samples_task_2026-01-01T00-00-00.jsonl"
        path.parent.mkdir()
        with path.open("w") as file:
            for id in range(samples // 21):
                asked = text(draw, 60)
                likely = [[str(-draw.random() * 9), "False"] for _ in OPTIONS]
                arguments = {f"gen_args_{n}": {"arg_0": asked, "arg_1": f" {one}"} for n, one in enumerate(OPTIONS)}
                line = {"doc_id": id, "doc": {"question": asked}, "target": "1", "arguments": arguments}
                line |= {"filtered_resps": likely, "filter": "none", "metrics": ["acc"], "acc": float(id % 2)}
                file.write(json.dumps(line) + "\n")
        paths.append(path)
    return paths


def members(path: Path) -> Iterator[bytes]:
    """The samples of a zip file."""
    with zipfile.ZipFile(path) as packed:
        for name in packed.namelist():
            yield packed.read(name)


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file."""
    with path.open("rb") as file:
        yield from file


LOGS: dict[str, tuple[Callable, Callable, int]] = {  # what writes it, what takes the samples out, how many there are
    "inspect": (inspect, members, 100_000),
    "lm-eval": (lm_eval, lines, 21 * 12_032),
}


def log(log: str, samples: int, rounds: int) -> None:
    """Time a log against the loop; prints JSON."""
    write, taken_out, _ = LOGS[log]
    spec = formats.LOGS[log]

    def ours() -> None:
        assert sum(len(log_reader.read(spec, str(path), {}).samples) for path in paths) == samples

    def theirs() -> None:
        for path in paths:
            for sample in taken_out(path):
                json.loads(sample)

    with tempfile.TemporaryDirectory() as name:
        paths = write(Path(name), samples)
        times = measured.in_turns({"ours": ours, "theirs": theirs}, rounds)
        print(json.dumps(times | {"gb": measured.peak()}))


def main(share: float = SHARE, rounds: int = 3, full: bool = False, into: Path | None = None) -> None:
    """Time every log."""
    share, rows = 1 if full else share, []
    for name, (_, _, whole) in LOGS.items():
        samples = int(whole * share) // 21 * 21
        options = ["--log", name, "--samples", str(samples), "--rounds", str(rounds)]
        found = measured.apart(__file__, "log", *options)
        rows.append(measured.row(f"{samples:,} samples of {name}", "a loop of json.loads", **found))
        measured.write(into, "logs", share >= SHARE, {"rounds": rounds, "rows": rows})


HELP = {
    "share": {"type": float, "help": "of 100,000 samples of Inspect and 252,672 of lm-eval, %(default)s if left out"},
    "rounds": {"type": int, "help": "rounds that each ratio is the median of, %(default)s if left out"},
    "full": {"action": "store_true", "help": "all of them"},
    "into": {"type": Path, "help": "the folder for what was measured"},
    "log": {"help": "the format"},
    "samples": {"type": int, "help": "how many"},
}

if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["log"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, log], HELP, arguments)
