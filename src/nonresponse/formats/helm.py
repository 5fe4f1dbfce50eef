"""`format: helm`: the folder of a run of HELM."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats.declared import Sign, Spec, When, within
from nonresponse.formats.json_pieces import elements_of, value_of
from nonresponse.formats.log_records import ALL, BOTH
from nonresponse.formats.logs import clean_text, dig, finite, number, passage, records, text, whole
from nonresponse.settings import Files

RUN, STATES, INSTANCES, STATS = (
    "run_spec.json",
    "scenario_state.json",
    "per_instance_stats.json",
    "stats.json",
)
MUST = (RUN, STATES, INSTANCES)
SPLITS = ("test", "valid")  # in the order in which they are preferred
FILES = within(*MUST, STATS)
Key = tuple[str, int]  # an instance, and a trial from 0


def instances(reading: Any) -> Iterator[tuple[int, dict]]:
    """Yield each unperturbed instance and trial of one split, with its means and the state of its
    request."""
    path, options, faults = reading.path, reading.options, reading.faults
    there = {Path(file).name: file for file in FILES(path, options)}
    if missing := [name for name in MUST if name not in there]:
        faults.add(0, f"a folder without {', '.join(missing)}", SPEC.about)
        return
    spec = value_of(there[RUN], options, faults)
    run, name = text(dig(spec, "adapter_spec", "model")), text(dig(spec, "name"))
    if not faults and not (run and name):
        faults.append(Fault(there[RUN], 0, "no adapter_spec.model, or no name", SPEC.about))
    # The name of a run without its model: mmlu:subject=anatomy for
    # mmlu:subject=anatomy,model=org_name.
    scenario, _, arguments = str(name).partition(":")
    kept = [part for part in arguments.split(",") if part and not part.startswith("model=")]
    reading.names |= {
        "run": run or "",
        "task": f"{scenario}:{','.join(kept)}" if kept else scenario,
    }
    stats = (
        [stat for _, stat in elements_of(there[STATS], (), options, faults)]
        if STATS in there
        else []
    )
    splits = splits_of(stats) or splits_of(
        stat
        for _, one in elements_of(there[INSTANCES], (), options, [])
        for stat in records(dig(one, "stats"))
    )
    split = next((name for name in SPLITS if name in splits), splits[0] if splits else SPLITS[0])
    if len(splits) > 1 and split not in SPLITS:
        found = f"the splits {listed(splits)}"
        faults.append(Fault(there.get(STATS, path), 0, found, f"{shown(SPLITS[0])}, or one only"))
    reading.chosen += [f"split {split} of {listed(splits)}"] if len(splits) > 1 else []
    reading.head["means"] = {
        str(dig(stat, "name", "name")): finite(dig(stat, "mean"))
        for stat in stats
        if is_of(stat, split)
    }
    states = states_in(there[STATES], split, options, faults)
    for line, one in elements_of(there[INSTANCES], (), options, faults):
        key = key_of(one, dig(one, "instance_id"))
        if key is None or not isinstance(dig(one, "stats"), list):
            found = "an entry without an instance_id, a trial or stats"
            faults.append(Fault(there[INSTANCES], line, found, SPEC.about))
        elif not dig(one, "perturbation") and (
            own := [stat for stat in records(dig(one, "stats")) if is_of(stat, split)]
        ):
            means = {
                str(dig(stat, "name", "name")): mean
                for stat in own
                if (mean := number(dig(stat, "mean"))) is not None
            }
            yield line, {"id": key[0], "trial": key[1], "means": means} | states.get(key, {})


def splits_of(stats: Any) -> list[str]:
    """Return the splits that unperturbed statistics are of, sorted."""
    named = {
        text(dig(stat, "name", "split")) for stat in stats if not dig(stat, "name", "perturbation")
    }
    return sorted(filter(None, named))


def is_of(stat: object, split: str) -> bool:
    """Whether a statistic is of this split and unperturbed."""
    return dig(stat, "name", "split") == split and not dig(stat, "name", "perturbation")


def key_of(value: object, id: object) -> Key | None:
    """Return instance and trial; null where the id is missing or the trial invalid."""
    name, trial = text(id), whole(dig(value, "train_trial_index") or 0)
    return (name, trial) if name is not None and trial is not None and trial >= 0 else None


def states_in(file: str, split: str, options: Files, faults: list[Fault]) -> dict[Key, dict]:
    """Return whether a request failed, the answer, the question and the right answer, by instance
    and trial."""
    states: dict[Key, dict] = {}
    for _, state in elements_of(file, ("request_states",), options, faults):
        instance = dig(state, "instance")
        key = key_of(state, dig(instance, "id"))
        if key is None or dig(instance, "split") != split or dig(instance, "perturbation"):
            continue
        answer, mapping = (
            clean_text(dig(state, "result", "completions", 0, "text")),
            dig(state, "output_mapping"),
        )
        answer = (
            text(dig(mapping, answer.strip())) or answer
            if answer and isinstance(mapping, dict)
            else answer
        )
        failed = dig(state, "result", "success") is False or bool(dig(state, "result", "error"))
        right = [
            one for one in records(dig(instance, "references")) if dig(one, "tags", 0) == "correct"
        ]
        target = passage(dig(right, 0, "output", "text"))
        own = {
            "answer": answer,
            "asked": passage(dig(instance, "input", "text")),
            "target": target,
            "failed": failed,
        }
        # Several states: some adapters ask once for each choice
        before = states.setdefault(key, own)
        before["failed"] |= failed
    return states


SPEC = Spec(
    "helm",
    "the folder of a finished run of HELM",
    (*ALL, "partial", "unscored", "error"),
    options=("metric", "epochs", *BOTH),
    blind="no state tells a refusal from an answer",
    signs=(Sign("/", "run_spec.json"),),
    others=FILES,
    records=instances,
    joined=True,
    run=("{run}",),
    task=("{task}",),
    prefixed=True,
    epoch="trial",
    first_epoch=0,
    scores="means",
    lacking="unscored",
    rules=(When("failed", "error"),),
    headlines=(("means", "{metric}"),),
    unstated="no such metric in stats.json",
    sample_counts=(("means", "num_instances"),),
    group="epoch",
)
