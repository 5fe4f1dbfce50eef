"""Results of promptfoo."""

import random

from fuzz.counted import Drawn
from fuzz.counted.drawing import chance
from fuzz.counted.logs import Options, Told, dumped, ids, lines, models
from fuzz.counted.logs import drawn as of_logs


def drawn(draw: random.Random) -> Drawn:
    options = Options(draw, "promptfoo", epochs=True)
    named = draw.choice(["description", "vars", "description of several"])
    questions = ids(draw)
    tests = [question for question in questions for _ in range(draw.choice([1, 1, 1, 2, 3]))]
    tests = draw.sample(tests, len(tests))
    told, by_file = [], {}
    of_files = draw.choice([1, 1, 2])
    for number, model in enumerate(models(draw)):
        seen: dict[str, int] = {}
        for place, question in enumerate(tests):
            if chance(draw, 0.05):
                continue
            record = result(draw, place, model, question, named, options.texts)
            by_file.setdefault(number % of_files, []).append(record)
            seen[question] = seen.get(question, 0) + 1
            text = record["response"]["output"]
            told.append(Told(model, question, verdict_of(record), text, seen[question]))
    if not told:
        return drawn(draw)
    files = {}
    for number, records in by_file.items():
        records = draw.sample(records, len(records))
        if chance(draw, 0.5):
            files[f"logs/{number}.jsonl"] = lines(records)
        else:
            files[f"logs/{number}.json"] = dumped({"evalId": "e", "results": {"version": 3, "results": records}}, draw)
    options.own["files"] = "logs/*"
    return of_logs(draw, options, files, told, ("error",))


def result(draw: random.Random, place: int, model: str, question: str, named: str, texts: list[str]) -> dict:
    """`vars` say which question it is; a description may, or be that of several questions, or be left out."""
    reason = draw.choice([0, 0, 0, 1, 1, 2])
    response: dict = {"output": draw.choice(texts)}
    if chance(draw, 0.2):
        response["isRefusal"] = chance(draw, 0.7)
    of_test = {"vars": {"question": question}, "assert": []}
    if named != "vars":
        of_test["description"] = question if named == "description" else "all of them"
    provider = {"id": model} if chance(draw, 0.5) else {"id": "some:id", "label": model}
    return {
        "provider": provider,
        "testIdx": place,
        "promptIdx": 0,
        "prompt": {"raw": "…", "label": "{{question}}"},
        "vars": {"question": question},
        "testCase": of_test,
        "success": reason == 0,
        "score": draw.choice([0.3, float(reason == 0)]),
        "failureReason": reason,
        "response": response,
    }


def verdict_of(record: dict) -> str:
    if record["failureReason"] == 2:
        return "error"
    if record["response"].get("isRefusal"):
        return "unanswered"
    return "correct" if record["success"] else "wrong"
