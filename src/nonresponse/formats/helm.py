"""`format: helm`: the folder of a run of HELM."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import Fault, quote, quote_names
from nonresponse.formats.declared import RIGHT_OR_WRONG, SHARED_OPTIONS, Rule, Sign, Spec
from nonresponse.formats.json_pieces import read_array, read_value
from nonresponse.formats.logs import (
    clean_answer,
    cut_text,
    dig,
    get_finite,
    get_integer,
    get_number,
    get_text,
    list_objects,
)
from nonresponse.settings import Files

MUST = RUN, STATES, INSTANCES = "run_spec.json", "scenario_state.json", "per_instance_stats.json"
STATS = "stats.json"
SPLITS = ("test", "valid")  # in the order in which they are preferred
Key = tuple[str, int]  # an instance, and a trial from 0


def files(path: str, options: Files) -> list[str]:
    """Return the files of a folder that are read, as far as they are there."""
    each = [Path(path, name) for name in (*MUST, STATS)]
    return [str(file) for file in each if file.is_file()]


def instances(reading: Any, found: object) -> Iterator[tuple[int, dict]]:
    """Yield each unperturbed instance and trial of one split, with its means and its request."""
    path, options, faults = reading.path, reading.options, reading.faults
    there = {Path(file).name: file for file in files(path, options)}
    if missing := [name for name in MUST if name not in there]:
        faults.add(0, f"a folder without {', '.join(missing)}", SPEC.about)
        return
    spec = read_value(there[RUN], options, faults)
    run, name = get_text(dig(spec, "adapter_spec", "model")), get_text(dig(spec, "name"))
    if not faults and not (run and name):
        faults.append(Fault(there[RUN], 0, "no adapter_spec.model, or no name", SPEC.about))
    # The name of a run without its model: mmlu:subject=anatomy for
    # mmlu:subject=anatomy,model=org_name.
    scenario, _, arguments = str(name).partition(":")
    kept = [part for part in arguments.split(",") if part and not part.startswith("model=")]
    reading.names["run"] = run or ""
    reading.names["task"] = f"{scenario}:{','.join(kept)}" if kept else scenario
    stats = []
    if STATS in there:
        stats = [one for _, one in read_array(there[STATS], (), options, faults)]
    splits = splits_of(stats) or splits_of(
        stat
        for _, one in read_array(there[INSTANCES], (), options, [])
        for stat in list_objects(dig(one, "stats"))
    )
    split = next((name for name in SPLITS if name in splits), splits[0] if splits else SPLITS[0])
    if len(splits) > 1:
        reading.chosen.append(f"split {split} of {quote_names(splits)}")
        if split not in SPLITS:
            several, expected = (
                f"the splits {quote_names(splits)}",
                f"{quote(SPLITS[0])}, or one only",
            )
            faults.append(Fault(there.get(STATS, path), 0, several, expected))
    reading.head["means"] = {
        name: get_finite(dig(stat, "mean")) for name, stat in named(stats, split).items()
    }
    states = states_in(there[STATES], split, options, faults)
    for line, one in read_array(there[INSTANCES], (), options, faults):
        key, inside = key_of(one, dig(one, "instance_id")), dig(one, "stats")
        if key is None or not isinstance(inside, list):
            lacking = "an entry without an instance_id, a trial or stats"
            faults.append(Fault(there[INSTANCES], line, lacking, SPEC.about))
        elif not dig(one, "perturbation") and (own := named(inside, split)):
            each = {name: get_number(dig(stat, "mean")) for name, stat in own.items()}
            means = {name: mean for name, mean in each.items() if mean is not None}
            yield line, {"id": key[0], "trial": key[1] + 1, "means": means} | states.get(key, {})


def splits_of(stats: Any) -> list[str]:
    """Return the splits that unperturbed statistics are of, sorted."""
    plain = [stat for stat in stats if not dig(stat, "name", "perturbation")]
    return sorted(filter(None, {get_text(dig(stat, "name", "split")) for stat in plain}))


def named(stats: list, split: str) -> dict[str, dict]:
    """Return the unperturbed statistics of a split by name."""
    names = [(dig(stat, "name"), stat) for stat in list_objects(stats)]
    own = [one for one in names if dig(one[0], "split") == split]
    return {str(dig(name, "name")): stat for name, stat in own if not dig(name, "perturbation")}


def key_of(value: object, id: object) -> Key | None:
    """Return instance and trial; null where the id is missing or the trial invalid."""
    name, trial = get_text(id), get_integer(dig(value, "train_trial_index") or 0)
    return (name, trial) if name is not None and trial is not None and trial >= 0 else None


def states_in(file: str, split: str, options: Files, faults: list[Fault]) -> dict[Key, dict]:
    """Return failure, answer, question and gold answer by instance and trial."""
    states: dict[Key, dict] = {}
    for _, state in read_array(file, ("request_states",), options, faults):
        instance, result = dig(state, "instance"), dig(state, "result")
        key = key_of(state, dig(instance, "id"))
        if key is None or dig(instance, "split") != split or dig(instance, "perturbation"):
            continue
        answer = clean_answer(dig(result, "completions", 0, "text"))
        mapping = dig(state, "output_mapping")
        if answer and isinstance(mapping, dict):
            answer = get_text(mapping.get(answer.strip())) or answer
        references = list_objects(dig(instance, "references"))
        right = [one for one in references if dig(one, "tags", 0) == "correct"]
        failed = dig(result, "success") is False or bool(dig(result, "error"))
        own = {
            "answer": answer,
            "asked": cut_text(dig(instance, "input", "text")),
            "target": cut_text(dig(right, 0, "output", "text")),
            "failed": failed,
        }
        # Several states: some adapters ask once for each choice
        states.setdefault(key, own)["failed"] |= failed
    return states


SPEC = Spec(
    "helm",
    "the folder of a finished run of HELM",
    (*RIGHT_OR_WRONG, "partial", "unscored", "error"),
    options=("metric", "epochs", *SHARED_OPTIONS),
    blind="no state tells a refusal from an answer",
    signs=(Sign("/", "run_spec.json"),),
    list_more_files=files,
    records=instances,
    builds_records=True,
    run=("{run}",),
    task=("{task}",),
    task_in_name=True,
    epoch="trial",
    scores="means",
    missing_state="unscored",
    rules=(Rule("failed", "error"),),
    headlines=(("means", "{metric}"),),
    unstated="no such metric in stats.json",
    sample_counts=(("means", "num_instances"),),
    group="epoch",
)
