"""models.csv of the predictions that MMLU-Pro publishes, a zip for each model: python table.py
ZIP... > models.csv

An empty field: no letter could be found in what the model said. MISSING: the file has no response
to the question.
"""

import csv
import json
import re
import sys
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

letters: dict[int, dict[str, str]] = defaultdict(dict)
# models' files differ in a few right answers: most have them
keys: dict[int, Counter[str]] = defaultdict(Counter)
about: dict[int, tuple[str, int]] = {}
names = {
    path: re.fullmatch(r"model_outputs_(.+)_5shots", Path(path).stem)[1] for path in sys.argv[1:]
}
for path, name in names.items():
    with zipfile.ZipFile(path) as packed:
        [inside] = packed.namelist()
        records = json.loads(packed.read(inside))
    for one in (record for record in records if isinstance(record, dict)):
        question = one["question_id"]
        letters[question][name] = one["pred"] or ""
        keys[question][one["answer"]] += 1
        about.setdefault(question, (one["category"], len(one["options"])))

models = sorted(names.values())
table = csv.writer(sys.stdout)
table.writerow(["question_id", "category", "n_options", "answer", *models])
for question in sorted(about):
    [(key, _)] = keys[question].most_common(1)
    table.writerow(
        [
            question,
            *about[question],
            key,
            *(letters[question].get(name, "MISSING") for name in models),
        ]
    )
