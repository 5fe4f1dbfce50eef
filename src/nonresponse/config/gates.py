"""Whether each gate of a campaign, as configured, can be evaluated."""

from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse import measures
from nonresponse.config.options import is_judged, needs_judgments

LIMITS = ("margin", "at_most", "at_least")


def problems(key: str, campaign: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the gates of a campaign, besides what the schema finds."""
    for place, gate in enumerate(campaign.get("gates", [])):
        at, limits = f"{key}.gates.{place}", [name for name in LIMITS if name in gate]
        if ("measure" in gate) == ("count" in gate):
            yield f"{at}: name a measure or a count, and only one of the two"
        elif len(limits) != 1:
            yield f"{at}: give one number: margin, at_most or at_least; found {' and '.join(limits) or 'none'}"
        elif ("margin" in gate) != ("against" in gate):
            yield f"{at}: a margin and `against: baseline` go together"
        elif "count" in gate and limits != ["at_most"]:
            yield f"{at}: a count has at_most"
        elif gate.get("count") == "unscored" and not is_judged(campaign):
            yield f"{at}: beside `judged: false` all answers are unscored; gate on the measure answered"
        elif "against" in gate and "baseline" not in campaign:
            yield f"{at}: there is no baseline; name a run, `baseline:`"
        elif "measure" in gate:
            try:
                measure = measures.get(campaign["task"], gate["measure"])
            except KeyError as error:
                yield f"{at}: {error.args[0]}"
                continue
            if unjudged := needs_judgments(campaign, measure.id):
                yield f"{at}: {unjudged}"
