"""`official:` as a vote of the assessors, with a name that decides where no verdict wins."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse.faults import quote

VOTE = re.compile("majority|([1-9][0-9]{0,3}) of ([1-9][0-9]{0,3})")


def parse_vote(part: Mapping[str, Any]) -> dict | None:
    """Return the vote that judgments or graded responses ask for; None where they ask for none.

    name: that the vote has as an assessor, unless one of `assessors`, or of a key, has it. needed,
    of: null for a majority. ties: the assessor who decides if no verdict wins, null = nobody.
    """
    official = part.get("official") or ""
    alone = isinstance(official, str)
    name, ties = (official, None) if isinstance(official, str) else official
    match = VOTE.fullmatch(name)
    if not match or (alone and (part.get("closed") or name in part.get("assessors", {}))):
        return None
    needed, assessors = (int(number) if number else None for number in match.groups())
    return {"name": name, "needed": needed, "of": assessors, "ties": ties}


def find_problems(part: Mapping[str, Any], closed: bool, voting: bool) -> Iterator[str]:
    """Yield why a vote decides nothing. `closed`: there is a key. `voting`: answers are judged."""
    vote, official = parse_vote(part), part.get("official")
    if isinstance(official, list) and vote is None:
        yield f"{quote(official[0])} is no vote, such as majority or 2 of 3"
    if vote is None:
        return
    name, number, ties = vote["name"], vote["of"], vote["ties"]
    if not voting:
        yield "a vote is for judgments of answers; name an assessor"
    if closed:
        yield "a vote needs judgments of what is wrong, too; an answer key (closed) has none"
    if number and not number / 2 < vote["needed"] <= number:
        least = f"{number // 2 + 1} to " * (number > 2)
        yield f"{name} may elect two verdicts, or none; give {least}{number} of {number}"
    if not (names := list(part.get("assessors", {}))):
        return
    assessors = ", ".join(quote(name, 30) for name in names)
    if number and number != len(names):
        yield f"{name} asks for {number} assessors; there are {len(names)}: {assessors}"
    if ties is not None and ties not in names:
        yield f"{quote(ties)} is none of {assessors}"
    if name in names:
        yield f"an assessor is called {quote(name)}, too"
    if len(names) < 2:
        yield f"a vote takes two assessors or more; there is only {assessors}"


def add_vote(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part with the name of the official assessor and, where it asks for one, `vote`."""
    vote = parse_vote(part)
    return part if vote is None else {**part, "official": vote["name"], "vote": vote}
