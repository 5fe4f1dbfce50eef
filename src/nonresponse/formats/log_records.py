"""The records of logs of harnesses, which formats/__init__.py gives to all others; imports nothing heavy."""

from nonresponse.formats.declared import Log, Sign

OF_ABSTENTIONBENCH = "LLMJudgeCorrectnessEvaluator.json GroundTruthAbstentionEvaluator.json InferencePipeline.json"
OF_HARNESS = "results of a harness, which are read with the samples or details beside them"
NOTHING_BUT = "no state but a metric such as not_attempted tells a refusal"
NO_STATE = "no state tells silence from an answer"
ALL = ("correct", "wrong")  # verdicts that every log can tell
# Options of tables, and of logs that do not tell which responses are answers.
RULES = ("unanswered", "failed", "refusals", "failures")
BOTH = (*RULES, "correct_from")  # of tables and of logs
NO_METRIC = (
    "user_input|response|multi_responses|reference.*|retrieved_.*|rubrics?|persona.*|query_.*|synthesizer.*|id|index"
)
# The columns of metrics in exports that have a column for each: regular expressions, whose group is the metric.
METRICS = {
    "ragas": f"(?!(?:{NO_METRIC})$)(.+)",
    "langsmith": r"feedback\.(.+)",
    "mlflow": r"(.+?)(?:/v[0-9]+)?/(?:value|score)",
}


def of_tables(names: str, some: str) -> tuple[Sign, ...]:
    """The signs of an export that may be in any of these kinds of tables."""
    return tuple(Sign(ending, names, some=some) for ending in (".csv", ".jsonl", ".parquet"))


# In the order in which they are listed for people.
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
            unanswerable=True,
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
            unanswerable=True,
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
            blind=f"{NO_STATE}: nothing picked only means that nothing matched",
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
            options=("key", "metric", *RULES),
            unanswerable=True,
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
            blind=f"{NO_STATE}: where an empty one cannot be scored, its test is unscored",
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
            blind=f"{NO_STATE}, nor what reward a failed judge stands for",
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
            signs=of_tables("user_input response", METRICS["ragas"]),
        ),
        Log(
            "langsmith",
            (*ALL, "partial", "unscored", "error"),
            options=("metric", "best", "epochs", *BOTH),
            blind=NO_STATE,
            signs=of_tables(METRICS["langsmith"], r"example_id inputs?\..+"),
        ),
        Log(
            "mlflow",
            (*ALL, "partial", "unscored", "error"),
            options=("metric", "best", "epochs", *BOTH),
            blind=f"{NO_STATE}, nor, in a table without `state`, a breakdown",
            signs=of_tables(METRICS["mlflow"], "request inputs?"),
        ),
    )
}
