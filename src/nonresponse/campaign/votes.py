"""`official:` as a vote of the assessors; if no verdict wins, the second name of a list decides, or
nobody."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse.faults import shown

VOTE = re.compile("majority|([1-9][0-9]{0,3}) of ([1-9][0-9]{0,3})")


def vote_of(part: Mapping[str, Any]) -> dict | None:
    """Return the vote that judgments or graded responses ask for; None where they ask for none.

    name: that the vote has as an assessor. needed, of: null for a majority. ties: the assessor who
    decides if no verdict wins, null = nobody. or_named: whether an assessor of that name would
    replace the vote.
    """
    written = part.get("official")
    alone = not isinstance(written, list)
    name, ties = (written or "", None) if not isinstance(written, list) else written
    found = VOTE.fullmatch(name)
    if not found or (alone and (part.get("closed") or name in part.get("assessors", {}))):
        return None
    needed, of = (int(number) if number else None for number in found.groups())
    return {"name": name, "needed": needed, "of": of, "ties": ties, "or_named": alone}


def problems(key: str, part: Mapping[str, Any], closed: bool, voting: bool) -> Iterator[str]:
    """Yield why a vote can decide nothing; `closed`: there is an answer key, `voting`: the task has
    judged answers."""
    vote, official = vote_of(part), part.get("official")
    if isinstance(official, list) and vote is None:
        yield f"{key}: {shown(official[0])} is no vote, such as majority or 2 of 3"
    if vote is None or (vote["or_named"] and not voting):
        return
    if not voting:
        yield f"{key}: a vote is for judgments of answers; name an assessor"
    if closed:
        yield (
            f"{key}: a vote needs judgments of what is wrong, too; an answer key (closed) has none"
        )
    if vote["of"] and not vote["of"] / 2 < vote["needed"] <= vote["of"]:
        allowed = f"{vote['of'] // 2 + 1} to {vote['of']} of {vote['of']}"
        yield f"{key}: {vote['name']} may elect two verdicts, or none; give {allowed}"
    if not (names := list(part.get("assessors", {}))):
        return
    known = ", ".join(shown(name, 30) for name in names)
    if vote["of"] and vote["of"] != len(names):
        yield (
            f"{key}: {vote['name']} asks for {vote['of']} assessors; there are {len(names)}: "
            f"{known}"
        )
    if vote["ties"] is not None and vote["ties"] not in names:
        yield f"{key}: {shown(vote['ties'])} is none of {known}"
    if vote["name"] in names:
        yield f"{key}: an assessor is called {shown(vote['name'])}, too"
    if len(names) < 2:
        yield f"{key}: a vote takes two assessors or more; there is only {known}"


def with_official(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part with `official` as the name of an assessor and, where a vote makes it, the
    `vote`."""
    vote = vote_of(part)
    return part if vote is None else {**part, "official": vote["name"], "vote": vote}
