"""`official:` as a vote of the assessors; if no verdict wins, the assessor named by `ties` decides,
or nobody."""

from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse.faults import shown

MAJORITY = "majority"


def vote_of(part: Mapping[str, Any]) -> dict | None:
    """The vote that judgments or graded responses ask for; None where they ask for none.

    name: that the vote has as an assessor. needed, of: null for a majority. ties: the assessor who
    decides if no verdict wins, null = nobody. or_named: whether an assessor of that name would
    replace the vote, as for `majority`.
    """
    written = part.get("official")
    if written == MAJORITY and not part.get("closed") and MAJORITY not in part.get("assessors", {}):
        return {"name": MAJORITY, "needed": None, "of": None, "ties": None, "or_named": True}
    if not isinstance(written, dict):
        return None
    needed, _, of = written["vote"].partition(" of ")
    numbers = {"needed": int(needed) if of else None, "of": int(of) if of else None}
    return {"name": written["vote"], **numbers, "ties": written.get("ties"), "or_named": False}


def problems(key: str, part: Mapping[str, Any], closed: bool, voting: bool) -> Iterator[str]:
    """Why a vote can decide nothing; `closed`: there is an answer key, `voting`: the task has
    judged answers."""
    vote = vote_of(part)
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
        yield f"{key}.vote: {vote['name']} may elect two verdicts, or none; give {allowed}"
    if not (names := list(part.get("assessors", {}))):
        return
    known = ", ".join(shown(name, 30) for name in names)
    if vote["of"] and vote["of"] != len(names):
        yield (
            f"{key}.vote: {vote['name']} asks for {vote['of']} assessors; there are "
            f"{len(names)}: {known}"
        )
    if vote["ties"] is not None and vote["ties"] not in names:
        yield f"{key}.ties: {shown(vote['ties'])} is none of {known}"
    if vote["name"] in names and not vote["or_named"]:
        yield f"{key}.vote: an assessor is called {shown(vote['name'])}, too"
    if len(names) < 2:
        yield f"{key}.vote: takes two assessors or more; there is only {known}"


def with_official(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part with `official` as the name of an assessor and, where a vote makes it, the
    `vote`."""
    vote = vote_of(part)
    return part if vote is None else {**part, "official": vote["name"], "vote": vote}
