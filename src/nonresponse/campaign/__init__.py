"""config.yaml, checked as a whole before any job starts, each problem in a sentence; imports
nothing heavy."""

from collections.abc import Sequence
from typing import Any

from nonresponse.campaign.options import clustered as clustered
from nonresponse.campaign.options import known_labels as known_labels
from nonresponse.campaign.options import policy_of as policy_of
from nonresponse.formats.text import UNPACKED

RESERVED = ("benchmarks", "logs", "previous")

# Settings of the analyses that no campaign changes: those of the papers where there are any.
FIXED = {"fuzziness": [n / 100 for n in range(1, 11)], "bins": 21, "width": 0.01, "sizes": 250}


class ConfigError(Exception):
    """What is wrong with the configuration, a sentence per line."""


def checked(
    written: dict, called: str = "config.yaml", sound: bool = False, files: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the configuration with all defaults filled in; raise ConfigError with every problem.

    Each problem is a line that begins with `called`, the name of the file; if `files`, in which it
    is written, have the key, with file and line. A job on a cluster gets a configuration that is
    known to be `sound`: it was checked before the job was submitted, and is only completed.
    """
    from nonresponse.campaign import checks, completion, models, validation

    try:
        config, problems = validation.validate(written)
    except (
        RecursionError,
        TypeError,
        ValueError,
    ):  # of a notebook, say, whose dict contains itself
        problem = "too many brackets within brackets, or keys that are no text"
        raise refused([("", problem)], called) from None
    config = validation.with_defaults(models.Config, config)
    if not problems or config["campaigns"]:
        settings = validation.with_defaults(models.Reliability, config["reliability"])
        unpacked = config["unpacked"] = bounds_of(config["unpacked"])
    for name, own in config["campaigns"].items():
        campaign = config["campaigns"][name] = validation.with_defaults(models.Campaign, own)
        for part, model in (("judgments", models.Judgments), ("graded", models.Graded)):
            if part in own:
                campaign[part] = validation.with_defaults(model, own[part])
        campaign["reliability"] = settings_of(
            settings | own.get("reliability", {}) | {"seed": config["seed"]}
        )
        if not sound:
            problems += checks.find_problems(name, campaign, own, unpacked)
    if problems:
        raise refused(problems, called, files)
    for campaign in config["campaigns"].values():
        completion.complete(campaign, unpacked)
    return config


def settings_of(written: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the analyses, from those of `reliability:` and the seed."""
    trials, samples = written["trials"], written["samples"]
    drawn = {
        "swap_trials": 10 * trials,
        "size_trials": max(1, trials // 10),
        "flips": max(100, samples // 2),
    }
    return FIXED | written | drawn


def bounds_of(gigabytes: float) -> dict[str, float]:
    """Return the bounds of packed files: who allows more than 8 GB allows more than 500 times the
    packed size."""
    most = UNPACKED["gigabytes"]
    return {"gigabytes": gigabytes, "ratio": UNPACKED["ratio"] * max(1, gigabytes / most)}


def refused(problems: list[tuple[str, str]], called: str, files: Sequence[str] = ()) -> ConfigError:
    """Return one error with all problems, cut to what a person reads; characters that control a
    terminal become ?."""
    from nonresponse.campaign.file import lines

    known, texts = lines([*files]), list[str]()
    for key, problem in problems[:100]:
        nearest = key
        while nearest and nearest not in known:
            nearest = nearest.rpartition(".")[0]
        name = key if len(key) <= 300 else f"{key[:299]}…"
        text = f"{name}{': ' * bool(key)}{problem}"
        cut = text if len(text) <= 1000 else f"{text[:999]}…"
        texts.append(f"{known.get(nearest, called)}: {cut}")
    if len(problems) > 100:
        texts.append(f"{called}: and {len(problems) - 100:,} more")
    return ConfigError(
        "\n".join("".join(one if one.isprintable() else "?" for one in line) for line in texts)
    )
