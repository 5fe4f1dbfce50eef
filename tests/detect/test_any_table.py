"""Any table is read, asked about or a fault: nothing crashes, and questions end."""

import json
import random
from pathlib import Path

import detected
import polars as pl
import pytest
from nonresponse.front.campaign import merge

NAMES = """id qid question prompt model run answer prediction gold target answers label verdict
correct grade score is_correct hallucinated refused abstained status error category epoch seed rater
confidence has_answer explanation n total wrong foo.bar {file} row ÄÖ"""
COLUMNS = NAMES.split()
TEXTS = """0,1;true,false;yes,no,Y,N;correct,wrong,unanswered,incorrect,partial;good,bad,IDK;z;,;A,B,C
Paris,Rome,N/A,HTTP_500,,Error:_x,null;0.1,0.9,2,-1,NaN;q1,q2,q3,q4;a,b;["a"],[{"v":1}];a\u202eb,_x_"""
VALUES = TEXTS.replace("\n", ";").split(";")


def some_table(draw: random.Random) -> pl.DataFrame:
    """A table with a few of these columns and values."""
    rows = range(draw.randint(1, 9))
    names = draw.sample(COLUMNS, draw.randint(1, 7))
    values = {name: draw.choice(VALUES).replace("_", " ").split(",") for name in names}
    columns = {name: [draw.choice(values[name]) for _ in rows] for name in names}
    if "id" in columns and draw.random() < 0.6:
        columns["id"] = [f"q{row // draw.choice([1, 1, 2])}" for row in rows]
    return pl.DataFrame(columns)


def write_table(table: pl.DataFrame, draw: random.Random) -> str:
    """The path of a file with the table, in some form."""
    kind = draw.choice(["csv", "json", "keyed", "by_column", "parquet"])
    path = f"{kind}.{kind if kind in ('csv', 'parquet') else 'json'}"
    if kind == "csv":
        table.write_csv(path)
    elif kind == "parquet":
        table.write_parquet(path)
    else:
        rows = table.to_dicts()
        forms = {"json": {"data": rows}, "by_column": table.to_dict(as_series=False)}
        forms["keyed"] = {f"k{place}": row for place, row in enumerate(rows)}
        Path(path).write_text(json.dumps(forms[kind]))
    return path


@pytest.mark.parametrize("seed", range(40))
def test_its_questions_have_answers_and_come_to_an_end(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw, answers = random.Random(seed), {}
    path = write_table(some_table(draw), draw)
    for _ in range(9):
        campaigns, scan = detected.detect_files(path, **answers)
        questions = [question for campaign in campaigns for question in campaign.questions]
        if not questions:
            assert campaigns or scan.faults
            return
        for question in questions:
            choice = draw.choice(question.choices or [None])
            if choice is None:
                merge(answers, {question.key: draw.choice(question.columns)})
            elif isinstance(choice.value, dict):
                filled = "answered" if choice.key == "states" else "wrong"
                words = {
                    word: filled if reading == "???" else reading
                    for word, reading in choice.value.items()
                }
                merge(answers, {choice.key: words})
            else:
                merge(answers, {choice.key: choice.value})
    pytest.fail(f"{path} still asks {detected.keys(campaigns)} after {answers}")
