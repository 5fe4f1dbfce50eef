"""`format: helm`: the folder of a run of HELM."""

import re
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import Fault, quote, quote_names
from nonresponse.formats.declared import SHARED_OPTIONS, Sign, Spec
from nonresponse.formats.json_pieces import read_array, read_value
from nonresponse.formats.logs import (
    clean_answer,
    cut_text,
    dig,
    find_files,
    get_finite,
    get_integer,
    get_number,
    get_text,
    list_objects,
)
from nonresponse.settings import Files

RUN, STATES, INSTANCES = "run_spec.json", "scenario_state.json", "per_instance_stats.json"
STATS = "stats.json"  # which a folder need not have
FILES = (RUN, STATES, INSTANCES, STATS)
# Metrics of HELM's basic_metrics.py that measure the request, not the answer
BOOKKEEPING = re.compile(
    "(max_)?num_.*|(inference|training|finish_reason)_.*|batch_size|prompt_truncated"
    "|logprob.*|max_prob|predicted_index|perplexity|bits_per_byte"
)
SPLITS = ("test", "valid")  # in the order in which they are preferred
Key = tuple[str, int]  # an instance, and a trial from 0


def read_instances(reading: Any, records: object) -> Iterator[tuple[int, dict]]:
    """Yield each unperturbed instance and trial of one split, with its means and its request."""
    path, options, faults = reading.path, reading.options, reading.faults
    files = find_files(path, FILES)
    if missing := [name for name in FILES if name not in files and name != STATS]:
        faults.add(0, f"a folder without {', '.join(missing)}", SPEC.about)
        return
    spec = read_value(files[RUN], options, faults)
    run, name = get_text(spec, "adapter_spec", "model"), get_text(spec, "name")
    if not faults and not (run and name):
        faults.append(Fault(files[RUN], 0, "no adapter_spec.model, or no name", SPEC.about))
    # The task is the name without the model, mmlu:subject=anatomy for
    # mmlu:subject=anatomy,model=org_name.
    scenario, _, arguments = str(name).partition(":")
    parts = [part for part in arguments.split(",") if part and not part.startswith("model=")]
    reading.names["run"] = run or ""
    reading.names["task"] = f"{scenario}:{','.join(parts)}" if parts else scenario
    stats = []
    if STATS in files:
        stats = [stat for _, stat in read_array(files[STATS], (), options, faults)]
    splits = list_splits(stats) or list_splits(
        stat
        for _, entry in read_array(files[INSTANCES], (), options, [])
        for stat in list_objects(entry, "stats")
    )
    split = next((name for name in SPLITS if name in splits), splits[0] if splits else SPLITS[0])
    if len(splits) > 1:
        reading.chosen.append(f"split {split} of {quote_names(splits)}")
        if split not in SPLITS:
            expected = f"{quote(SPLITS[0])}, or one only"
            found = f"the splits {quote_names(splits)}"
            faults.append(Fault(files.get(STATS, path), 0, found, expected))
    stated = select_means(stats, split)
    reading.head["means"] = {name: get_finite(mean) for name, mean in stated.items()}
    # Each metric of a run writes an entry of its own for an instance
    found_means: dict[Key, tuple[int, dict[str, float]]] = {}
    states = read_states(files[STATES], split, options, faults)
    for line, entry in read_array(files[INSTANCES], (), options, faults):
        key, stats_inside = make_key(entry, dig(entry, "instance_id")), dig(entry, "stats")
        if key is None or not isinstance(stats_inside, list):
            found = "an entry without an instance_id, a trial or stats"
            faults.append(Fault(files[INSTANCES], line, found, SPEC.about))
        elif not dig(entry, "perturbation") and (selected := select_means(stats_inside, split)):
            _, means = found_means.setdefault(key, (line, {}))
            for name, value in selected.items():
                mean = get_number(value)
                if mean is None or BOOKKEEPING.fullmatch(name):
                    continue
                if str(means.setdefault(name, mean)) != str(mean):  # as texts, NaN is equal to NaN
                    found = f"a second {name} of {quote(key[0])}, {mean:g} after {means[name]:g}"
                    faults.append(Fault(files[INSTANCES], line, found, "one only"))
    for (id, trial), (line, means) in found_means.items():
        yield line, {"id": id, "trial": trial, "means": means} | states.get((id, trial), {})


def list_splits(stats: Any) -> list[str]:
    """Return the splits that unperturbed statistics are of, sorted."""
    unperturbed = [stat for stat in stats if not dig(stat, "name", "perturbation")]
    return sorted(filter(None, {get_text(stat, "name", "split") for stat in unperturbed}))


def select_means(stats: list, split: str) -> dict[str, object]:
    """Return the means of the unperturbed statistics of a split by name."""
    names = ((dig(stat, "name"), stat) for stat in list_objects(stats))
    return {
        str(dig(name, "name")): stat.get("mean")
        for name, stat in names
        if dig(name, "split") == split and not dig(name, "perturbation")
    }


def make_key(value: object, id: object) -> Key | None:
    """Return instance and trial; null where the id is missing or the trial invalid."""
    name, trial = get_text(id), get_integer(dig(value, "train_trial_index") or 0)
    return (name, trial) if name is not None and trial is not None and trial >= 0 else None


def read_states(file: str, split: str, options: Files, faults: list[Fault]) -> dict[Key, dict]:
    """Return failure, answer, question and gold answer by instance and trial."""
    states: dict[Key, dict] = {}
    for _, state in read_array(file, ("request_states",), options, faults):
        instance, result = dig(state, "instance"), dig(state, "result")
        key = make_key(state, dig(instance, "id"))
        if key is None or dig(instance, "split") != split or dig(instance, "perturbation"):
            continue
        answer = clean_answer(result, "completions", 0, "text")
        mapping = dig(state, "output_mapping")
        if answer and isinstance(mapping, dict):
            answer = get_text(mapping.get(answer.strip())) or answer
        references = list_objects(instance, "references")
        correct = [reference for reference in references if dig(reference, "tags", 0) == "correct"]
        request = {
            "answer": answer,
            "asked": cut_text(dig(instance, "input", "text")),
            "target": cut_text(dig(correct, 0, "output", "text")),
        }
        # Several states: some adapters ask once for each choice
        states.setdefault(key, request)
        if dig(result, "success") is False or dig(result, "error"):
            states[key]["state"] = "error"
    return states


SPEC = Spec(
    "helm",
    "the folder of a finished run of HELM",
    ("partial", "unscored", "error"),
    options=("metric", "epochs", *SHARED_OPTIONS),
    limitation="nothing marks refusals, so they count as answers",
    signs=(Sign("/", "run_spec.json"),),
    list_more_files=lambda path, options: [*find_files(path, FILES).values()],
    records=read_instances,
    builds_records=True,
    run=("{run}",),
    task=("{task}",),
    task_in_name=True,
    epoch="trial",
    first_epoch=0,
    scores="means",
    missing_state="unscored",
    headlines=(("means", "{metric}"),),
    unstated="no such metric in stats.json",
    sample_counts=(("means", "num_instances"),),
    group="epoch",
)
