"""Write a file as a comment on the pull request of a GitHub workflow: comment.py FILE KEY.

The comment of an earlier run with the same key is replaced. Without a pull request nothing is done.
"""

import hashlib
import json
import os
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

LONGEST = 65_000  # characters; GitHub takes 65,536


def call(method: str, path: str, body: dict | None = None) -> list[dict]:
    """Return the answer of GitHub's API."""
    request = Request(
        f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}",
        json.dumps(body).encode() if body else None,
        {"Authorization": f"Bearer {os.environ['TOKEN']}", "Accept": "application/vnd.github+json"},
        method=method,
    )
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)


def find(number: int, marker: str) -> int | None:
    """Return the id of the comment that a workflow has written with a marker."""
    page = 1
    while comments := call("GET", f"issues/{number}/comments?per_page=100&page={page}"):
        for comment in comments:
            # Anybody may write a comment with the marker
            if comment["user"]["type"] == "Bot" and comment["body"].startswith(marker):
                return comment["id"]
        page += 1
    return None


def main(file: str, key: str) -> None:
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text())
    if not (number := event.get("pull_request", {}).get("number")):
        return
    marker = f"<!-- nonresponse {hashlib.sha256(key.encode()).hexdigest()[:16]} -->\n"
    text = Path(file).read_text(encoding="utf-8")
    if len(text) > LONGEST:
        text = text[:LONGEST].rpartition("\n")[0] + "\n\nThe summary of the job has the rest.\n"
    try:
        if (comment := find(number, marker)) is None:
            call("POST", f"issues/{number}/comments", {"body": marker + text})
        else:
            call("PATCH", f"issues/comments/{comment}", {"body": marker + text})
    except HTTPError as error:
        if error.code != 403:
            raise
        # A pull request from a fork may write nothing: that fails no build
        print("::warning::nonresponse may not comment here: the job has no pull-requests: write")


if __name__ == "__main__":
    main(*sys.argv[1:])
