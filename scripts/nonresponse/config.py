"""config.yaml, checked as a whole before any job starts; imports nothing heavy.

Every problem is a sentence that names the key and what is allowed there.
"""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from nonresponse import counts, formats, measures, tasks
from nonresponse.files import files_of

RESERVED = ("benchmarks", "logs", "previous")
DOORS = {"runs": ("runs", "judgments"), "graded": ("graded",), "counts": ("counts",)}
# What says nothing where judgments are reference answers.
OF_LABELS = {"runs": ["nil", "threshold", "answers"], "judgments": ["correct", "partial", "labels"]}
YEARS = [1801, 1944]  # those of DEFT 2011


class ConfigError(Exception):
    """What is wrong with the configuration, a sentence per line."""


def door(campaign: dict) -> str:
    """Which of the three doors a campaign's data come through: runs, graded or counts."""
    return next(name for name in DOORS if name in campaign)


def checked(config: dict, schema_file) -> dict:
    """The configuration with all defaults filled in; ConfigError with every problem there is."""
    schema = schema_in(schema_file)
    try:
        config = plain(config)
    except ValueError as error:
        raise ConfigError(f"config.yaml: {error}") from None
    problems = list(schema_problems(config, schema))
    if not problems:
        for campaign in config["campaigns"].values():
            campaign["reliability"] = config.get("reliability", {}) | campaign.get("reliability", {})
        fill_defaults(config, schema, schema)
        for name, campaign in config["campaigns"].items():
            campaign["reliability"]["seed"] = config["seed"]
            problems += campaign_problems(name, campaign)
    if problems:
        raise ConfigError("config.yaml: " + "\nconfig.yaml: ".join(problems))
    for campaign in config["campaigns"].values():
        complete(campaign)
    return config


def plain(config: dict) -> dict:
    """A copy as JSON has it: keys are text, 21.0 is 21; ValueError for what is no number (.nan, .inf)."""

    def number(text: str) -> int | float:
        return int(float(text)) if float(text).is_integer() else float(text)

    def refused(text: str):
        raise ValueError(f"{text} is no number that means anything here")

    text = json.dumps(config, default=str, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError('half a character, as in "\\ud800", is no text') from None
    return json.loads(text, parse_float=number, parse_constant=refused)


def schema_in(file) -> dict:
    """The schema of the configuration, with what follows from the records of tasks and formats."""
    import yaml

    schema = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    schema["$defs"]["task"]["enum"] = list(tasks.NAMES)
    schema["$defs"]["format"]["enum"] = list(formats.FORMATS)
    for part in ("runs", "judgments"):
        columns = [option.removeprefix("columns.") for option in formats.options(part) if option.startswith("columns.")]
        schema["$defs"][part]["properties"]["columns"]["propertyNames"] = {"enum": columns}
    return schema


def schema_problems(config: dict, schema: dict) -> Iterator[str]:
    from jsonschema import Draft202012Validator

    for error in sorted(
        Draft202012Validator(schema).iter_errors(config), key=lambda e: [str(p) for p in e.absolute_path]
    ):
        yield sentence(error)


def fill_defaults(value, schema: dict, root: dict) -> None:
    """Defaults of the schema's properties, written into the configuration."""
    if "$ref" in schema:
        schema = {**root["$defs"][schema["$ref"].rsplit("/", 1)[1]], **schema}
    if not isinstance(value, dict):
        return
    for name, sub in schema.get("properties", {}).items():
        if "default" in sub:
            value.setdefault(name, sub["default"])
        if name in value:
            fill_defaults(value[name], sub, root)
    if isinstance(schema.get("additionalProperties"), dict):
        for name in value.keys() - schema.get("properties", {}).keys():
            fill_defaults(value[name], schema["additionalProperties"], root)


def sentence(error) -> str:
    """One line on one violation: which key, what was found, what is allowed."""
    key = ".".join(str(part) for part in error.absolute_path) or "the file"
    if error.validator == "additionalProperties":
        allowed = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(allowed))
        hints = [f"{name}{did_you_mean(name, allowed)}" for name in unknown]
        return f"{key}: unknown key {', '.join(hints)}; allowed are {', '.join(allowed)}"
    if error.validator == "enum":
        allowed = [str(word) for word in error.validator_value]
        hint = did_you_mean(str(error.instance), allowed)
        return f"{key}: {error.instance!r} is none of the allowed values {', '.join(allowed)}{hint}"
    if error.validator == "pattern":
        return f"{key}: the name {error.instance!r} may hold small letters, digits and hyphens only"
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"{key}: the key {', '.join(missing)} is missing"
    what = error.schema.get("description")
    return f"{key}: {error.message}" + (f" (this is {what})" if what else "")


def did_you_mean(word: str, allowed: list[str]) -> str:
    close = get_close_matches(word, allowed, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def campaign_problems(name: str, campaign: dict) -> Iterator[str]:
    """What the schema cannot see: doors, formats, measures, files that are not there."""
    key = f"campaigns.{name}"
    if name in RESERVED:
        yield f"{key}: results/{name} is the workflow's own; give the campaign another name"
    doors = [door for door in DOORS if any(part in campaign for part in DOORS[door])]
    if len(doors) != 1:
        found = ", ".join(doors) or "none"
        yield f"{key}: give runs and judgments, or graded, or counts, and only one of the three; found {found}"
        return
    for part in DOORS[doors[0]]:
        if part not in campaign:
            yield f"{key}: the key {part} is missing beside {doors[0]}"
            return
    own = tasks.get(campaign["task"])
    if doors[0] not in own.doors:
        yield f"{key}.{doors[0]}: task {own.id} takes runs and judgments only"
        return
    yield from file_problems(key, campaign)
    yield from format_problems(key, campaign)
    yield from measure_problems(key, campaign, doors[0])
    if doors[0] != "counts":
        for option in ("reject_all", "accept_all"):
            if option in campaign:
                yield f"{key}.{option}: only a table of counts names its trivial runs; elsewhere they are added"


def file_problems(key: str, campaign: dict) -> Iterator[str]:
    for part in ("runs", "judgments", "graded"):
        if part not in campaign:
            continue
        files = files_of(campaign[part]["files"])
        if not files:
            yield f"{key}.{part}.files: no file matches {campaign[part]['files']!r} (looked from {Path.cwd()})"
        yield from (f"{key}.{part}.files: {problem}" for file in files if (problem := unfit_path(file)))
    for part, path in (("counts", campaign.get("counts")), ("questions", questions_file(campaign))):
        if path and (problem := unfit_path(path)):
            yield f"{key}.{part}: {problem}"
        elif path and not Path(path).is_file():
            yield f"{key}.{part}: there is no file {path!r} (looked from {Path.cwd()})"


def unfit_path(path: str) -> str | None:
    """Why a file cannot be an input of the workflow."""
    if "{" in path or "}" in path:
        return f"{path!r} has a brace, which Snakemake takes for a wildcard; rename it"
    if Path(path).parts[0] == "results":
        return f"{path!r} is a result of this workflow; narrow the pattern"
    return None


def format_problems(key: str, campaign: dict) -> Iterator[str]:
    own = tasks.get(campaign["task"])
    allowed = formats.of(own.id)
    for part in ("runs", "judgments"):
        written = campaign.get(part, {})
        form = written.get("format")
        if form and form not in allowed:
            yield f"{key}.{part}.format: {form} is not for task {own.id}; allowed are {', '.join(allowed)}"
        inside = formats.columns(*written.get("columns", {}))
        for option in [name for name in written if name != "columns"] + [*inside]:
            others = formats.taking(part, option)
            if others and form not in others:
                yield f"{key}.{part}.{option}: says nothing for {form} files; it is for {', '.join(others)}"
    if "judgments" in campaign:
        known = known_labels(campaign)
        for option in ("correct", "partial"):
            for label in campaign["judgments"].get(option, []):
                if label not in known:
                    yield f"{key}.judgments.{option}: {label!r} is no label; allowed are {', '.join(known)}"
    if "questions" in campaign and "counts" in campaign:
        yield f"{key}.questions: a table of counts has no single questions"
    yield from reference_problems(key, campaign, own)
    if own.pairs and "gold" in campaign.get("graded", {}):
        yield f"{key}.graded.gold: is for task qa; for validation map your words to tp, fp, fn, tn, u_p, u_n"
    graded = campaign.get("graded", {})
    for word, verdict in graded.get("verdicts", {}).items():
        if verdict not in own.words:
            allowed = ", ".join(own.words)
            yield f"{key}.graded.verdicts.{word}: {verdict} is not for task {own.id}; allowed are {allowed}"
    if graded.get("layout") == "wide" and "assessors" in graded:
        yield f"{key}.graded.assessors: is for layout long; in a wide file each column is a system"
    assessors = list(graded.get("assessors", ["official"]))
    if graded.get("official", assessors[0]) not in assessors:
        yield f"{key}.graded.official: {graded['official']!r} is none of {', '.join(assessors)}"
    if len(assessors) > 1 and "official" not in graded:
        yield f"{key}.graded.official: is missing; name one of {', '.join(assessors)}"


def reference_problems(key: str, campaign: dict, own: tasks.Task) -> Iterator[str]:
    """What belongs to the tasks whose judgments are the right answers, or does not."""
    for part, options in OF_LABELS.items():
        for option in options:
            if own.references and campaign[part].get(option):
                yield f"{key}.{part}.{option}: says nothing for task {own.id}, whose judgments are the right answers"
    for option in ("unscored", "partial"):
        if own.references and campaign[option] != counts.POLICIES[option]:
            yield f"{key}.{option}: says nothing for task {own.id}: an answer is the right one or it is not"
    first, last = campaign.get("years", YEARS)
    if "years" in campaign and not own.years:
        yield f"{key}.years: is for tasks whose answers are years; {own.id} has none"
    if first > last:
        yield f"{key}.years: the first year, {first}, comes after the last, {last}"


def measure_problems(key: str, campaign: dict, door: str) -> Iterator[str]:
    task = campaign["task"]
    known = list(measures.of(task))
    for id in campaign.get("measures", []):
        try:
            measure = measures.get(task, id)
        except KeyError as error:
            hint = did_you_mean(id, known)
            yield f"{key}.measures: {error.args[0]}{hint}; allowed are {', '.join(known)}"
            continue
        if door == "counts" and measure.kind != "counts":
            yield f"{key}.measures: {id} needs the single responses, and this campaign has only counts"


def complete(campaign: dict) -> None:
    """Defaults that depend on other keys: the measures, the labels that count as correct."""
    task = campaign["task"]
    own = tasks.get(task)
    if own.years:
        campaign.setdefault("years", YEARS)
        for part in ("runs", "judgments"):
            campaign[part]["years"] = campaign["years"]
    if own.references:
        campaign["judgments"]["closed"] = True
    elif "judgments" in campaign:
        form = formats.FORMATS[campaign["judgments"]["format"]]
        campaign["judgments"].setdefault("correct", list(form.correct))
    if "measures" not in campaign:
        have = counts_in(campaign) if door(campaign) == "counts" else None
        campaign["measures"] = [
            m.id for m in measures.of(task).values() if have is None or (m.kind == "counts" and have >= set(m.totals))
        ]


def counts_in(campaign: dict) -> set[str]:
    """The counts that a published table holds, from its first line, and those that follow from them."""
    from nonresponse.formats import counts as reader

    frame, _ = reader.records.read(campaign["counts"])
    own = tasks.get(campaign["task"])
    # Of a table that cannot be read the check says why; until then it has what it must have.
    return set(frame.columns or own.required) | own.derived


def known_labels(campaign: dict) -> list[str]:
    """The labels that a campaign's judgments may carry."""
    return tasks.get(campaign["task"]).labels_in(campaign["judgments"]["format"])


def policy_of(campaign: dict) -> dict[str, str]:
    return {name: campaign[name] for name in counts.POLICIES}


def questions_file(campaign: dict) -> str | None:
    questions = campaign.get("questions")
    return questions["file"] if isinstance(questions, dict) else questions
