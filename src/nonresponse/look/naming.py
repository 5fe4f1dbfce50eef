"""Names campaigns and runs after their files and folders."""

import os
import re
from itertools import chain, count
from pathlib import Path

from nonresponse.formats import own_columns
from nonresponse.formats.roles import word_list
from nonresponse.formats.text import stem
from nonresponse.look import QUESTIONS, Source
from nonresponse.look.table import BY_FILE

# Words that any folder or file may be named, and that would tell nothing as the name of a campaign.
SAYS_NOTHING = {
    *word_list("log logs data result results output outputs out raw run runs eval evals files file tmp temp sample"),
    *word_list("samples prediction predictions answers answer all records record table tables json csv jsonl a x test"),
    *word_list("train here the home latest full"),
}


def by_folder(group: list[Source]) -> list[Source]:
    """The sources; runs in tables of the same file name (gpt/results.csv) are named after their folders instead."""
    own = [one for one in group if by_file(one)]
    for pattern in ("{file}", "{folder}", "{folder}-{file}", "{path}"):
        words = own_columns.NAME.findall(pattern)
        names = {tuple(own_columns.OF_FILE[word](one.path) for word in words) for one in own}
        if len(names) == len(own):
            break
    if pattern == "{file}":
        return group
    which = f"which run it is: here the one that {pattern} of its path names"
    named = {one.path: tuple(which if said == BY_FILE else said for said in one.undecided) for one in own}
    return [
        one._replace(options=one.options | {"run": pattern}, undecided=named[one.path]) if one.path in named else one
        for one in group
    ]


def by_file(one: Source) -> bool:
    """Whether a table has one run, named after the file."""
    return one.format == "tabular" and one.part in ("graded", "runs") and BY_FILE in one.undecided


def free(group: list[Source], names: set[str]) -> str:
    """A name for a campaign that is not in `names`, after its only file, or the folder that all its files are in."""
    own = [one.path for one in group if one.part not in ("judgments", QUESTIONS)]
    path = Path(own[0] if len(own) == 1 else os.path.commonpath([Path(one).absolute() for one in own]))
    given = [ascii_of(part) for part in Path(os.path.relpath(path)).parent.parts[::-1]]  # below the working folder
    path = path.absolute()
    said = [
        ascii_of(stem(path)),
        *(ascii_of(folder.name) for folder in path.parents if not folder.name.startswith(".")),
    ]
    if says_something(said[0]):
        base = said[0]
    elif anything(said[0]):  # then the nearest folder whose name says something
        base = next((word for word in said[1:] if says_something(word)), said[0])
    else:  # a date, or a letter
        base = f"{next((word for word in given if says_something(word)), said[1])}_{said[0]}"
    kind = ascii_of(group[0].format)
    bases = [base, *([f"{base}_{kind}"] if kind != "tabular" else [])]
    bases = [one.replace("_", "-")[:80].strip("-") or "campaign" for one in bases]
    numbered = (f"{bases[-1]}-{number}" for number in count(2))
    return next(name for name in chain(bases, numbered) if name not in names)


def ascii_of(word: str) -> str:
    """The letters and figures of a word that the name of a campaign may have, in small letters, with _ for all else."""
    return "_".join(re.findall("[a-z0-9]+", word.lower()))


def says_something(word: str) -> bool:
    """Whether a part of a path is informative as a name: no date, and not what any folder may be named."""
    return bool(re.search("[a-z]{2}", word)) and not anything(word)


def anything(word: str) -> bool:
    """Whether a part of a path is a name that any file or folder may have: run1, data."""
    return {*re.sub("[0-9]+", "_", word).strip("_").split("_")} <= SAYS_NOTHING
