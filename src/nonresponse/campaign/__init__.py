"""Check config.yaml as a whole before any job starts. Imports nothing heavy."""

from collections.abc import Sequence
from typing import Any

from nonresponse.campaign.options import has_clusters as has_clusters
from nonresponse.campaign.options import list_labels as list_labels
from nonresponse.campaign.options import select_policy as select_policy
from nonresponse.legible import short

RESERVED = ("benchmarks", "logs", "previous")

# Settings of the analyses that no campaign changes: those of the papers where there are any.
FIXED = {"fuzziness": [n / 100 for n in range(1, 11)], "bins": 21, "width": 0.01, "sizes": 250}


class ConfigError(Exception):
    """What is wrong with the configuration, a sentence per line."""


def check_config(
    config_as_written: dict,
    file_name: str = "config.yaml",
    sound: bool = False,
    files: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the configuration with all defaults filled in; raise ConfigError with every problem.

    Each problem is a line that begins with file and line if one of `files` has the key, else with
    `file_name`. A job on a cluster gets a configuration that is `sound`, since it was checked
    before the job was submitted. It is only completed.
    """
    from nonresponse.campaign import checks, completion, models, validation

    try:
        config, problems = validation.validate(config_as_written)
    # Of a notebook, say, whose dict contains itself
    except (RecursionError, TypeError, ValueError):
        problem = "too many brackets within brackets, a NUL, or what JSON does not have"
        raise make_error([("", problem)], file_name) from None
    config = validation.add_defaults(models.Config, config)
    if not problems or config["campaigns"]:
        settings = validation.add_defaults(models.Reliability, config["reliability"])
    for name, options in config["campaigns"].items():
        campaign = config["campaigns"][name] = validation.add_defaults(models.Campaign, options)
        for part, model in (("judgments", models.Judgments), ("graded", models.Graded)):
            if part in options:
                campaign[part] = validation.add_defaults(model, options[part])
        campaign["reliability"] = derive_settings(
            settings | options.get("reliability", {}) | {"seed": config["seed"]}
        )
        if not sound:
            problems += checks.find_problems(name, campaign, options)
    if problems:
        raise make_error(problems, file_name, files)
    for campaign in config["campaigns"].values():
        completion.complete(campaign)
    return config


def derive_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the analyses, from those of `reliability:` and the seed."""
    trials, samples = settings["trials"], settings["samples"]
    counts = {
        "swap_trials": 10 * trials,
        "size_trials": max(1, trials // 10),
        "flips": max(100, samples // 2),
    }
    return FIXED | settings | counts


def make_error(
    problems: list[tuple[str, str]], file_name: str, files: Sequence[str] = ()
) -> ConfigError:
    """Return one error with all problems, cut short, and visible on a terminal."""
    from nonresponse.campaign.file import locate_keys

    positions, texts = locate_keys([*files]), list[str]()
    for key, problem in problems[:100]:
        nearest = key
        while nearest and nearest not in positions:
            nearest = nearest.rpartition(".")[0]
        text = short(f"{key}{': ' * bool(key)}{problem}", 1000)
        texts.append(f"{positions.get(nearest, file_name)}: {text}")
    if len(problems) > 100:
        texts.append(f"{file_name}: and {len(problems) - 100:,} more")
    return ConfigError("\n".join(texts))
