"""`format: evalscope`: the reviews of EvalScope, .jsonl, with the report of the same model (docs/formats.md)."""

from collections import Counter
from pathlib import Path

from nonresponse.faults import shown
from nonresponse.formats import logs
from nonresponse.formats.json_pieces import lines_of, value_of
from nonresponse.formats.logs import Log, Metric, Sample, Statement, at, finite, passage, records, said, text, whole
from nonresponse.formats.text import Faults, stem
from nonresponse.settings import Files

REVIEWS, REPORTS = "reviews", "reports"
USABLE = (None, "success", "fallback", "degraded")  # statuses of a score; any other means that the judge failed
EXPECTED = "a line of reviews/{model}/{benchmark}_{subset}.jsonl of EvalScope"
DIGITS = 4  # to which its reports round


def files_of(path: str, options: Files) -> list[str]:
    """The reviews, and the report on their benchmark if it is there."""
    place = place_of(path)
    folder = place[0] / REPORTS / place[1] if place else Path()
    there = sorted(folder.glob("*.json"), key=lambda file: len(file.name)) if place else []
    own = [str(file) for file in there if stem(path).startswith(f"{file.stem}_")]
    return [path, *own[-1:]]  # the longest name that fits: gsm8k_hard rather than gsm8k


def place_of(path: str) -> tuple[Path, str] | None:
    """The folder of all output, and the model, from a path with reviews/{model}/; null for any other path."""
    folders = Path(path).absolute().parent.parts
    if REVIEWS not in folders[:-1]:
        return None
    place = len(folders) - 1 - folders[::-1].index(REVIEWS)
    return Path(*folders[:place]), "/".join(folders[place + 1 :])


def read_log(path: str, options: Files) -> Log:
    """A response per sample and repetition, by one metric of its score; the report states the mean of this metric."""
    faults, place, task = Faults(path), place_of(path), str(text(stem(path)))
    reports = files_of(path, options)[1:]
    report = value_of(reports[0], options, faults) if reports else None
    run = text(at(report, "model_name")) or text(place[1] if place else Path(path).absolute().parent.name)
    metric: Metric | None = None
    samples, judges, asked = list[Sample](), dict[str, None](), Counter[str]()
    for line, value in lines_of(path, EXPECTED, options, faults):
        of_sample = at(value, "sample_score")
        score, group = at(of_sample, "score"), text(at(of_sample, "group_id"))
        values = at(score, "value")
        id = group or text(at(of_sample, "sample_id")) or text(at(value, "index"))
        if not isinstance(values, dict) or id is None:
            faults.add(line, "a line without sample_score.score.value, or without an id", EXPECTED)
            continue
        main = text(at(score, "main_score_name"))
        if metric is None and values:
            named: Files = {"metric": main} if main is not None and main in values else {}
            metric = Metric(named | options, faults)
        for judge in names(at(score, "judge_summary", "judge_models")):
            judges[judge] = None
        asked[id] += 1
        repetition = whole(at(of_sample, "generation_index"))
        epoch = asked[id] if repetition is None or repetition < 0 else repetition + 1
        failed = at(score, "status") not in USABLE or not values
        verdict = "unscored" if failed else metric and metric.verdict(line, values, list(values), EXPECTED, [])
        if verdict:
            answer = said(at(score, "extracted_prediction")) or said(at(score, "prediction"))
            response = (line, str(run), f"{task}/{id}", verdict, epoch, None, task, answer)
            question, target = passage(at(value, "messages"), at(value, "input")), passage(at(value, "target"))
            why, share = passage(at(score, "explanation")), metric.share if metric and not failed else None
            samples.append(Sample(*response, asked=question, target=target, explanation=why, share=share))
    if metric and metric.name in metric.names:
        metric.check_direction([])
    if faults or not samples:
        return Log([], [], faults)
    name, subset = str(metric.name if metric else ""), task.removeprefix(f"{stem(reports[0])}_") if reports else ""
    stated = stated_in(report, name, subset)
    why = f"its report states no mean of {shown(name)} for {shown(subset)}" if stated is None else ""
    recomputed = logs.mean(metric.values) if metric and not why else None
    recomputed = None if recomputed is None else round(recomputed, DIGITS)
    statement = Statement(str(run), name, stated, recomputed, None, why if reports else "no report on it")
    if metric:
        statement = statement._replace(notes=metric.notes, chosen=metric.chosen)
    return Log(samples, [statement._replace(judge=", ".join(judges), failures="unscored" if judges else "")], [])


def choose(path: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """For look.py: a metric, if neither the log nor the names of several tell which counts, and that open question."""
    each = (at(value, "sample_score", "score") for _, value in lines_of(path, EXPECTED, {}, []))
    score, values = next(((one, own) for one in each if isinstance(own := at(one, "value"), dict) and own), (None, {}))
    return ({}, ()) if at(score, "main_score_name") in values else logs.ask_which(values)


def names(value: object) -> list[str]:
    return [name for one in value if (name := text(one))] if isinstance(value, list) else []


def stated_in(report: object, metric: str, subset: str) -> float | None:
    """The mean of a metric over a subset, as a report has it; null where it has none."""
    for one in records(at(report, "metrics")):
        own = at(one, "identity", "name") if at(one, "identity", "aggregation") == "mean" else at(one, "name")
        if own in (metric, f"mean_{metric}"):  # the second is its name in older reports
            parts = [part for category in records(at(one, "categories")) for part in records(at(category, "subsets"))]
            return finite(next((at(part, "score") for part in parts if at(part, "name") == subset), None))
    return None
