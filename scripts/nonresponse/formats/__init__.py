"""On-disk formats: a record for each, and a module of its name, with _ for -, that turns a file into rows of tables.

`read_runs(file, options)` and `read_judgments(file, options)` return a frame with `line` and some of the columns of
`tables.RESPONSES` or `tables.JUDGMENTS`, or with none where nothing could be read, and the faults of what cannot be
read. A run or assessor that the file does not name is its stem. What is read but wrong is found by `ingest`.

This file imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from nonresponse.formats.declared import Format, Log, Sign
from nonresponse.tasks.qa import ROMIP_LABELS

if TYPE_CHECKING:
    import polars as pl

    from nonresponse.faults import Fault

# A reader with its options: a file's rows with `line`, and its faults.
Read = Callable[[str], tuple["pl.DataFrame", list["Fault"]]]


def columns(names: str) -> tuple[str, ...]:
    return tuple(f"columns.{name}" for name in names.split())


DECISION = "(VALIDATED|SELECTED|REJECTED)"
OF_ABSTENTIONBENCH = "LLMJudgeCorrectnessEvaluator.json GroundTruthAbstentionEvaluator.json InferencePipeline.json"
OWN = ("run", "question", "kind", "records", "duplicates", "empty_questions")  # options of the user's own tables


def of_deft(task: str, answer: str) -> tuple[Sign, ...]:
    """A run has confidences; what has none may be a run or a reference."""
    return (
        Sign(".xml", f"doc hypothesis @{answer} @confidence", "runs", task=task),
        Sign(".xml", f"doc hypothesis @{answer}", "", task=task),
        Sign(".csv", f"question {answer} confidence", "runs", task=task, alone=True),
        Sign(".csv", f"question {answer}", "", task=task, alone=True),
    )


# In the order in which they are listed for people.
FORMATS = {
    format.id: format
    for format in (
        Format(
            "tabular",
            runs=(
                *columns("run question epoch candidate answer document rank position confidence score state error"),
                *("quoted", "unanswered", "nil", "failed", "answers", "threshold", "answer_from", "normalise", *OWN),
                *("states", "refusals", "failures"),
            ),
            judgments=(
                *columns("assessor run question candidate document answer label"),
                *("quoted", "labels", "normalise", *OWN),
            ),
            tells=("ranks", "scores", "selected", "withheld"),
        ),
        Format(
            "trec-qa",
            tasks=("qa",),
            runs=("layout", "refusals", "failures"),
            tells=("nil", "ranks", "scores"),
            signs=(
                Sign("", r"\S+ (Q0 .*|\S+ \d+ [-+.\de]+ .*)", "runs", why="its lines have a rank and a score"),
                Sign("", r"\S+ \S+ (-1|[123WRUX])( .*)?", "judgments", why="its lines have a document and a judgment"),
                Sign("", r"\d+ (?P<tag>\S+) .*", "runs", why="its lines have a question, the tag {}, and a document"),
            ),
        ),
        Format(
            "clef-qa4mre",
            tasks=("qa",),
            cluster="^(.*)/",  # the topic and the reading test
            category="^(.*?)/",  # the topic
            choices=True,
            tells=("withheld",),
            signs=(
                Sign(".xml", "output question", "runs"),
                Sign(".xml", "test-set answer", "judgments", some="q question"),
            ),
        ),
        Format(
            "clef-respubliqa",
            tasks=("qa",),
            runs=(*columns("question status paragraph text"), "quoted", "refusals", "failures"),
            judgments=(*columns("run question paragraph judgment"), "quoted"),
            tells=("withheld",),
            signs=(
                Sign(".csv", "question status paragraph", "runs"),
                Sign(".csv", "run question paragraph judgment", "judgments"),
            ),
        ),
        Format(
            "romip",
            tasks=("qa",),
            runs=(*columns("question rank kind answer document"), "quoted", "refusals", "failures"),
            judgments=(*columns("question answer label document"), "quoted"),
            correct=("good",),
            tells=("ranks", "romip"),
            signs=(
                Sign(".csv", "question rank kind answer", "runs"),
                Sign(".csv", "question answer label", "judgments", labels=ROMIP_LABELS),
            ),
        ),
        Format(
            "pan",
            tasks=("validation",),
            runs=columns("question score"),
            judgments=columns("question label"),
            tells=("scores",),
            signs=(
                Sign(".jsonl", "id value", "runs", alone=True),
                Sign(".jsonl", "id same", "judgments", alone=True),
                Sign(".jsonl", "id same authors", "judgments", alone=True),
                Sign(".jsonl", "id label", ""),
                Sign(".jsonl", "id is_human", ""),
            ),
        ),
        Format(
            "ave",
            tasks=("validation",),
            tells=("scores", "selected"),
            signs=(
                Sign(".xml", "q a @value", "judgments"),
                Sign("", rf"\S+ \S+ {DECISION}( \S+)?", "runs", why="its lines have decisions on answers"),
                Sign("", r"\S+ \S+ (YES|NO|UNKNOWN)", "judgments", why="its lines have YES, NO or UNKNOWN last"),
            ),
        ),
        Format(
            "deft",
            tasks=("dating", "matching"),
            runs=(*columns("question answer confidence"), "quoted"),
            judgments=(*columns("question answer"), "quoted"),
            signs=(*of_deft("dating", "year"), *of_deft("matching", "label")),
        ),
    )
}

OF_HARNESS = "results of a harness, which are read with the samples or details beside them"
NOTHING_BUT = "no state but a metric such as not_attempted tells a refusal"
ALL = ("correct", "wrong")  # verdicts that every log can tell
# Options of tables, and of logs that do not say of each answer whether it is one.
RULES = ("unanswered", "failed", "refusals", "failures")
BOTH = (*RULES, "correct_from")  # of tables and of logs
# The same for logs.
LOGS = {
    log.id: log
    for log in (
        Log(
            "inspect",
            (*ALL, "partial", "unanswered", "unscored", "error"),
            options=("scorer", "epochs", *BOTH),
            blind="an error of the system and one of the judge are the same, and each is an error",
            signs=(Sign(".eval", "", why="its ending is .eval"), Sign(".json", "eval", some="samples status results")),
        ),
        Log(
            "lm-eval",
            (*ALL, "partial", "unanswered", "unscored"),
            options=("metric", "filter", "best", *BOTH),
            tells=("scores",),
            blind=f"{NOTHING_BUT}, an answer that was held back, or silence from an answer",
            signs=(
                Sign(".jsonl", "doc_id", some="resps filtered_resps arguments filter"),
                Sign(".json", "results", "beside", "config_general n-samples n-shot higher_is_better", OF_HARNESS),
            ),
        ),
        Log(
            "abstentionbench",
            (*ALL, "unanswered", "unscored"),
            blind="a breakdown of the system cannot be told from an answer",
            signs=(Sign("/", "config.json", some=OF_ABSTENTIONBENCH),),
        ),
        Log(
            "squad2",
            (*ALL, "unanswered"),
            options=("key", "na_prob", "threshold", *RULES),
            questions="key",
            tells=("scores",),
            told_with=("na_prob",),
            empty_is_state=True,
            blind="an empty prediction is one left unanswered, though the system may have broken down",
        ),
        Log(
            "helm",
            (*ALL, "partial", "unscored", "error"),
            options=("metric", "epochs", *BOTH),
            blind="no state tells a refusal from an answer",
            signs=(Sign("/", "run_spec.json"),),
        ),
        Log(
            "promptfoo",
            (*ALL, "unanswered", "error"),
            options=("epochs", *RULES),
            blind="a failed judge is a failed assertion, and a refusal that the provider does not report is an answer",
            signs=(Sign(".json", "results.results"), Sign(".jsonl", "testIdx promptIdx success")),
        ),
        Log(
            "openai-evals",
            (*ALL, "partial", "unscored", "error"),
            options=BOTH,
            blind="no state tells silence from an answer: nothing picked only means that nothing matched",
            signs=(Sign(".jsonl", "spec"), Sign(".jsonl", "event_id sample_id type")),
        ),
        Log(
            "lighteval",
            (*ALL, "partial", "unanswered", "unscored"),
            options=("metric", "best", *BOTH),
            tells=("scores",),
            blind=f"{NOTHING_BUT}, an error, or silence from an answer",
            signs=(Sign(".parquet", "doc metric"), Sign(".parquet", "__doc__ __metric__")),
        ),
        Log(
            "simple-evals",
            (*ALL, "unanswered"),
            part="counts",
            blind="a judge that gave no grade counts as a question that was not attempted",
            signs=(Sign(".json", "convos metrics", "counts"), Sign(".json", "is_correct is_not_attempted", "counts")),
        ),
        Log(
            "longmemeval",
            (*ALL, "unanswered", "unscored"),
            options=("key", *RULES),
            blind="a failed judge said no, a failed request is an empty answer, and in version 1 silence may be wrong",
            signs=(
                Sign(".jsonl", "question_id autoeval_label"),
                Sign(".jsonl", "question_id is_unknown is_abstention_problem"),
                Sign(".json", "overall abstention_overall", "beside", why=OF_HARNESS),
            ),
        ),
        Log(
            "deepeval",
            (*ALL, "unscored", "error"),
            options=("metric", "epochs", *RULES),
            blind="no state tells silence from an answer: where an empty one cannot be scored, its test is unscored",
            signs=(
                Sign(".json", "testCases", some="metricsScores testPassed"),
                Sign(".json", "testRunData.testCases"),
                Sign(".json", "testRunLink", "none", why="nothing but a link to a test run of DeepEval"),
                Sign(".json", "test_cases_lookup_map", "none", why="what DeepEval keeps of metrics, of no one run"),
            ),
        ),
        Log(
            "evalscope",
            (*ALL, "partial", "unanswered", "unscored"),
            options=("metric", "best", "epochs", *BOTH),
            blind=f"{NOTHING_BUT}, and what failed before it was reviewed is not there",
            signs=(
                Sign(".jsonl", "index sample_score"),
                Sign(".json", "dataset_name model_name metrics", "beside", why=OF_HARNESS),
            ),
        ),
        Log(
            "verifiers",
            (*ALL, "partial", "unscored", "error"),
            options=("metric", "best", "epochs", *BOTH),
            blind="no state tells silence from an answer, nor what reward a failed judge stands for",
            signs=(
                Sign(".jsonl", "reward completion", some="example_id id"),
                Sign(".json", "avg_reward", "beside", why=OF_HARNESS),
            ),
        ),
        Log(
            "every-eval-ever",
            (*ALL, "partial", "error"),
            options=("metric", "epochs", *BOTH),
            blind="silence is wrong, as are answers that nobody scored, and a refusal may be an error",
            signs=(
                Sign(".jsonl", "evaluation_id sample_id evaluation"),
                Sign(".json", "evaluation_id evaluation_results", "beside", why=OF_HARNESS),
            ),
        ),
        Log(
            "mmlu",
            (*ALL, "unscored"),
            options=RULES,
            tells=("scores",),
            blind="the likeliest letter is the answer, so that no question is left unanswered",
            signs=(Sign(".csv", "0 1 2 3 4 5"),),
        ),
        Log(
            "ragas",
            (*ALL, "partial", "unscored"),
            options=("metric", "best", "epochs", *BOTH),
            blind="no state tells silence or a breakdown from an answer",
        ),
        Log(
            "langsmith",
            (*ALL, "partial", "unscored", "error"),
            options=("metric", "best", "epochs", *BOTH),
            blind="no state tells silence from an answer",
        ),
        Log(
            "mlflow",
            (*ALL, "partial", "unscored", "error"),
            options=("metric", "best", "epochs", *BOTH),
            blind="no state tells silence from an answer, nor, in a table without `state`, a breakdown",
        ),
    )
}


def options(part: str) -> list[str]:
    """The options of `part`, runs or judgments, that only some formats have."""
    return list(dict.fromkeys(option for format in FORMATS.values() for option in getattr(format, part)))


def in_part(part: str, task: str | None = None) -> list[str]:
    """The formats of a part for a task or for any: of `graded` and `counts` the user's own tables, and logs."""
    if part in ("runs", "judgments"):
        return [format.id for format in FORMATS.values() if task is None or task in (format.tasks or (task,))]
    return ["tabular", *(log.id for log in LOGS.values() if log.part == part and (task is None or task in log.tasks))]


def folders(id: str) -> bool:
    """Whether `files:` names folders in a format."""
    return id in LOGS and any(sign.ending == "/" for sign in LOGS[id].signs)


def ruled(options: dict) -> bool:
    """Whether options name rules on the text of answers: words for whole answers are, where they are no key's."""
    of_words = options.get("format") in LOGS or ("layout" in options and "gold" not in options)
    return bool({"refusals", "failures"} & options.keys() or (of_words and {"unanswered", "failed"} & options.keys()))


def telling(state: str) -> list[str]:
    return [log.id for log in LOGS.values() if state in log.states]


def read_with(id: str, paths: list[str], options: dict) -> list[str]:
    """Every file that is read with those that `files:` names, each once."""
    if id not in LOGS:
        return paths
    files_of = getattr(module(id), "files_of", lambda path, options: [path])  # most logs are one file
    return list(dict.fromkeys(file for path in paths for file in files_of(path, options)))


def with_ending(ending: str) -> list[str]:
    """The formats that look.py knows by files with this ending."""
    known: list[Format | Log] = [*FORMATS.values(), *LOGS.values()]
    return [one.id for one in known if ending and any(sign.ending == ending for sign in one.signs)]


def taking(part: str, option: str) -> list[str]:
    """The formats that have such an option, or options inside it, for a part of the configuration."""
    if part in ("counts", "graded"):
        logs = [log.id for log in LOGS.values() if part == "graded" and option in log.options]
        tables = ["tabular"] if not logs or option in BOTH else []
        return [] if option in ("", "format", "files") else [*tables, *logs]
    taken = {format.id: [f"{name}." for name in getattr(format, part)] for format in FORMATS.values()}
    return [id for id, names in taken.items() if any(name.startswith(f"{option}.") for name in names)]


def module(id: str) -> ModuleType:
    return import_module(f"nonresponse.formats.{id.replace('-', '_')}")
