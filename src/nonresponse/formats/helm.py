"""`format: helm`: the folder of a run of HELM (docs/logs.md)."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import logs
from nonresponse.formats.json_pieces import elements_of, value_of
from nonresponse.formats.logs import Log, Sample, Statement, at, finite, number, records, said, text
from nonresponse.formats.text import Faults
from nonresponse.settings import Files

SPEC, STATES, INSTANCES, STATS = "run_spec.json", "scenario_state.json", "per_instance_stats.json", "stats.json"
MUST = (SPEC, STATES, INSTANCES)
# The metrics that say whether an answer is right; the first of them that a run has.
KNOWN = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "f1_score")
TEST = "test"  # the split that counts, where a run has it
SPLITS = (TEST, "valid")  # in the order in which they are preferred
EXPECTED = "the folder of a finished run of HELM"

Key = tuple[str, int]  # an instance, and a trial from 0
State = tuple[bool, str | None, str | None, str | None]  # of an instance and trial, see states_in


def files_of(path: str, options: Files) -> list[str]:
    """The four files of the folder that are read, without missing ones."""
    return [str(file) for name in (*MUST, STATS) if (file := Path(path, name)).is_file()]


def read_log(path: str, options: Files) -> Log:
    """A response per unperturbed instance of one split and per trial, by one metric."""
    there = {Path(file).name: file for file in files_of(path, options)}
    if missing := [name for name in MUST if name not in there]:
        return Log([], [], [Fault(path, 0, f"a folder without {', '.join(missing)}", EXPECTED)])
    faults = Faults(path)
    spec = value_of(there[SPEC], options, faults)
    run, name = text(at(spec, "adapter_spec", "model")), text(at(spec, "name"))
    if not faults and not (run and name):
        faults.append(Fault(there[SPEC], 0, "no adapter_spec.model, or no name", EXPECTED))
    stats = [stat for _, stat in elements_of(there[STATS], (), options, faults)] if STATS in there else []
    own = elements_of(there[INSTANCES], (), options, [])
    splits = splits_of(stats) or splits_of(stat for _, one in own for stat in records(at(one, "stats")))
    split = next((name for name in SPLITS if name in splits), splits[0] if splits else TEST)
    if len(splits) > 1 and split not in SPLITS:
        expected = f"{shown(TEST)}, or one only"
        faults.append(Fault(there.get(STATS, path), 0, f"the splits {listed(splits)}", expected))
    states = states_in(there[STATES], split, options, faults)
    asked = list(instances(there[INSTANCES], split, options, faults))
    if faults:
        return Log([], [], faults)
    metrics = list(dict.fromkeys(name for _, _, means in asked for name in means))
    metric = options.get("metric") or next((name for name in KNOWN if name in metrics), None)
    if asked and metric not in metrics:
        problem = f"no metric {shown(metric)}" if metric else "no metric that is known to say what is right"
        expected = f"`metric:` in config.yaml, one of {listed(metrics)}" if metrics else EXPECTED
        return Log([], [], [Fault(there[INSTANCES], 0, problem, expected)])
    # The name of a run without its model: mmlu:subject=anatomy for mmlu:subject=anatomy,model=org_name.
    scenario, _, arguments = str(name).partition(":")
    kept = [part for part in arguments.split(",") if part and not part.startswith("model=")]
    scenario = f"{scenario}:{','.join(kept)}" if kept else scenario
    samples, values = [], []
    for line, (id, trial), means in asked:
        failed, answer, question, target = states.get((id, trial), (False, None, None, None))
        value = means.get(str(metric))
        verdict = "error" if failed else logs.verdict_of(value)
        if verdict is None:
            problem = f"{metric} {value} of instance {shown(id)}"
            faults.append(Fault(there[INSTANCES], line, problem, "a number from 0 to 1"))
            continue
        response = (line, str(run), f"{scenario}/{id}", verdict, trial + 1, None, scenario, answer)
        samples.append(Sample(*response, asked=question, target=target, share=value))
        values.append((trial, value))
    stated_means = {at(stat, "name", "name"): finite(at(stat, "mean")) for stat in stats if of_split(stat, split)}
    stated, told = stated_means.get(metric), stated_means.get("num_instances")
    there_are = len({sample.question for sample in samples})
    notes = tuple(logs.lacking(there_are, told))
    chosen = (f"split {split} of {listed(splits)}",) if len(splits) > 1 else ()
    why = f"no {metric} in {STATS}" if stated is None else ""
    recomputed, number_told = None if why else logs.mean_of_means(values), None if told is None else int(told)
    said = Statement(str(run), str(metric), stated, recomputed, number_told, why, notes, chosen=chosen)
    return Log(samples, [said], faults)


def splits_of(stats: Iterable[object]) -> list[str]:
    """The splits that unperturbed statistics are of, sorted."""
    of = {text(at(stat, "name", "split")) for stat in stats if not at(stat, "name", "perturbation")}
    return sorted(split for split in of if split)


def key_of(value: object, id: object) -> Key | None:
    """Instance and trial; null where the id is missing or the trial invalid."""
    name, trial = text(id), logs.whole(at(value, "train_trial_index") or 0)
    return (name, trial) if name is not None and trial is not None and trial >= 0 else None


def states_in(file: str, split: str, options: Files, faults: list[Fault]) -> dict[Key, State]:
    """By unperturbed instance of the split and trial: whether a request failed, answer, question, and right answer."""
    states: dict[Key, State] = {}
    for _, state in elements_of(file, ("request_states",), options, faults):
        key = key_of(state, at(state, "instance", "id"))
        if key is None or at(state, "instance", "split") != split or at(state, "instance", "perturbation"):
            continue
        answer = said(at(state, "result", "completions", 0, "text"))
        mapping = at(state, "output_mapping")
        answer = text(at(mapping, answer.strip())) or answer if answer and isinstance(mapping, dict) else answer
        failed = at(state, "result", "success") is False or bool(at(state, "result", "error"))
        right = [one for one in records(at(state, "instance", "references")) if at(one, "tags", 0) == "correct"]
        texts = logs.passage(at(state, "instance", "input", "text")), logs.passage(at(right, 0, "output", "text"))
        before = states.get(key, (False, answer, *texts))  # several states: some adapters ask once for each choice
        states[key] = (before[0] or failed, *before[1:])
    return states


def instances(
    file: str, split: str, options: Files, faults: list[Fault]
) -> Iterator[tuple[int, Key, dict[str, float]]]:
    """Line, key and metrics of each instance of the split that is not perturbed."""
    for line, one in elements_of(file, (), options, faults):
        key = key_of(one, at(one, "instance_id"))
        if key is None or not isinstance(at(one, "stats"), list):
            faults.append(Fault(file, line, "an entry without an instance_id, a trial or stats", EXPECTED))
            continue
        if at(one, "perturbation"):
            continue
        own = [stat for stat in records(at(one, "stats")) if of_split(stat, split)]
        means = {str(at(stat, "name", "name")): mean for stat in own if (mean := number(at(stat, "mean"))) is not None}
        if own:  # else it is of another split
            yield line, key, means


def of_split(stat: object, split: str) -> bool:
    """Whether a statistic is of this split and unperturbed."""
    return at(stat, "name", "split") == split and not at(stat, "name", "perturbation")
