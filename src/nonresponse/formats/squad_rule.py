"""SQuAD's rule: when an answer is the right one (evaluate-v2.0.py)."""

import re
import string

ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(answer: str) -> str:
    """Return an answer as it is compared: small letters, no punctuation, no articles, single
    blanks."""
    return " ".join(ARTICLES.sub(" ", answer.lower().translate(PUNCTUATION)).split())
