"""Every option of a campaign has an effect wherever it is allowed, and is refused elsewhere."""

import polars as pl
import pytest
from configured import ingest_and_judge, render_outcome, set_option
from nonresponse import campaign as config
from nonresponse import formats, tasks
from nonresponse.campaign import effects, options
from reading import write
from sample_campaigns import QUESTIONS, make_campaigns

# Values of an option that change something; by format or task if they are not the same everywhere.
WORDS = ["Oslo", "REJECTED", "1804", "A", "wrong"]
ANSWERS = [*WORDS, "Paris", "said", "?", "Even", "Odd", "answer q1", "yes", "Rome", "Milan"]
ANSWERS += ["answer a1", "answer 0", "answer a"]
VALUES = {
    **dict.fromkeys(["unscored", "partial", "error"], "exclude"),
    **dict.fromkeys(["runs.unanswered", "runs.nil", "runs.failed"], WORDS),
    **dict.fromkeys(["graded.unanswered", "graded.failed"], ANSWERS),
    "graded.judged": False,
    "runs.layout": "ordered",
    "runs.labels": {"REJECTED": "VALIDATED"},
    "runs.threshold": 0.35,
    "judgments.closed": True,
    "judgments.correct": ["W"],
    "judgments.partial": ["W"],
    "judgments.labels": {"validation": {"NO": "YES"}, "": {"W": "R"}},
    "graded.gold": "key",
    "graded.verdicts": {"correct": "wrong"},
    "graded.missing": ["partial", "tp"],  # of a question with one answer
    "graded.assessors": {"one": "ann"},
    "graded.systems": ["m1"],
    "graded.ignore": ["confidence"],
    "graded.epochs": "runs",
    "graded.metric": {"inspect": "other", "lm-eval": "acc_norm,other"},
    "graded.best": 0,
    "graded.key": "other.json",
    "graded.na_prob": "na/{run}.json",
    "graded.threshold": 0.5,
    "questions": "questions.csv",
}
for part in ("runs", "graded"):
    for rules in ("refusals", "failures"):
        VALUES[f"{part}.{rules}"] = {"contains": list("aeiou")}
    VALUES[f"{part}.states"] = {"unanswered": "error", "answered": "answered"}
    VALUES[f"{part}.answer_from"] = 0.45
for part in ("runs", "judgments", "graded"):
    VALUES |= {f"{part}.run": "x_run", f"{part}.question": "x_question", f"{part}.quoted": False}
VALUES["questions.quoted"] = False
NEED_ANSWERS = ("unanswered", "failed", "refusals", "failures", "columns.answer")
# Other options that an option needs, or that must be removed for it (None).
COMPANIONS = {
    "error": {"runs.failed": WORDS, "graded.failed": VALUES["graded.failed"]},
    "partial": {"judgments.correct": ["W"], "judgments.partial": ["R"]},
    "graded.judged": {"measures": ["answered"]},
    **{f"{part}.states": {f"{part}.columns.state": "x_state"} for part in ("runs", "graded")},
    **{f"graded.{name}": {"graded.gold": "key"} for name in NEED_ANSWERS},
    "graded.threshold": {"graded.na_prob": "na/{run}.json"},
}
PARTS = ("runs", "judgments", "graded", "counts")
# Options that make it another campaign, that control how it is computed, or that affect only pages.
ELSEWHERE = {*options.SOURCES, "task", "judgments", "questions.file", "graded.layout", "shards"}
ELSEWHERE |= {"reliability", "cluster", "options", "title", "scenarios", "systems"}
ELSEWHERE |= {"gates", "names", "measures", "baseline"}
ELSEWHERE |= {"judgments.official", "graded.official"}
ELSEWHERE |= {f"questions.{name}" for name in ("kind", "encoding", "separator")}
ELSEWHERE |= {f"{part}.{name}" for part in PARTS for name in ("format", "files")}
ELSEWHERE |= {f"{part}.columns" for part in (*PARTS, "questions")}  # each column is looked at
# Columns of counts: tests/formats/test_counts.py.
ELSEWHERE |= {f"counts.{name}" for name in ("run", *formats.SHAPE, "ignore", "quoted")}
# What only data of their own show: tests/formats/test_own_tables.py, test_numbers.py.
ELSEWHERE |= {"graded.pivot", "graded.correct_from"}
ELSEWHERE |= {f"{part}.decimal" for part in ("runs", "graded", "counts")}
ELSEWHERE |= {f"{part}.normalise" for part in PARTS[:3]}
# Where judges are compared (tests/statistics/test_judges.py), where a measure stands for another
# (tests/measures/test_combined.py), where runs lack responses (tests/judging/test_asked.py) or NIL
# is judged.
ELSEWHERE |= {"open", "missing", "compare_on", "questions.columns.run"}
ELSEWHERE |= {
    f"{part}.{name}"
    for part in PARTS[:3]
    for name in (*formats.SHAPE, "duplicates", "empty_questions")
}


def select_value(value, campaign: dict):
    """Return the value for the campaign's format or task; any if the format lacks the option."""
    formats_used = [campaign.get(part, {}).get("format") for part in ("runs", "graded")]
    if not isinstance(value, dict) or not {"", "lm-eval"} & set(value):
        return value
    keys = [*formats_used, campaign["task"], ""]
    return next((value[key] for key in keys if key in value), "refused")


def pair_campaigns(campaign: dict, option: str) -> tuple[dict, dict]:
    """The campaign with all that the option needs, if possible, and the same with the option."""
    part, *inside = option.split(".")
    complete = campaign
    for companion, value in COMPANIONS.get(option, {}).items():
        if companion.split(".")[0] in campaign:
            complete = set_option(complete, companion, select_value(value, campaign))
    if not any(effects.find_idle(complete)):
        campaign = complete
    if part == "questions" and inside:
        campaign = campaign | {"questions": {"file": "questions.csv"}}
    value = f"x_{inside[1]}" if inside[1:] else select_value(VALUES[option], campaign)
    return campaign, set_option(campaign, option, value)


@pytest.mark.slow
@pytest.mark.parametrize("place", make_campaigns())
def test_an_option_has_an_effect_or_is_refused(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    campaign, files = make_campaigns()[place]
    for name, text in ({"questions.csv": QUESTIONS} | files).items():
        write(tmp_path, name, text)
    evaluated: dict[str, tuple] = {}

    def evaluate(campaign: dict) -> str:
        checked = config.check_config({"campaigns": {"t": campaign}})["campaigns"]["t"]
        # A policy is applied to the verdicts
        judging = str({key: value for key, value in checked.items() if key not in tasks.POLICIES})
        if judging not in evaluated:
            output = tmp_path / str(len(evaluated))
            evaluated[judging] = output, ingest_and_judge(checked, output)
        output, _ = evaluated[judging]
        texts = map(pl.read_parquet, sorted(output.glob("texts/*.parquet")))
        return render_outcome(checked, *evaluated[judging]) + "".join(
            text.write_json() for text in texts
        )

    ineffective = []
    for option in effects.list_options():
        part, *inside = option.split(".")
        if option in ELSEWHERE or (inside and part not in {*campaign, "questions"}):
            continue
        plain, edited = pair_campaigns(campaign, option)
        idle = [name for name, _ in effects.find_idle(edited)]
        if any(option == name or option.startswith(f"{name}.") for name in idle):
            with pytest.raises(config.ConfigError, match="has no effect"):
                config.check_config({"campaigns": {"t": edited}})
            continue
        before, after = evaluate(plain), evaluate(edited)
        assert ": found " not in before, (option, before)
        assert ": found " not in after, (option, after)
        if before == after:
            ineffective.append(option)
    assert ineffective == []
