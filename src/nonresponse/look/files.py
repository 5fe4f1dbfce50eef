"""Finds out what files and folders are: logs, files of a known format, tables, or nothing that can be read."""

import os
from pathlib import Path

from nonresponse.faults import Fault
from nonresponse.ingest.files import as_utf8, what_is
from nonresponse.look import Looked, Source, keys, known
from nonresponse.look.tables import of_table

READABLE = "a file or a folder that can be read"
# Names with a leading dot that are looked at all the same.
HIDDEN = (".deepeval", ".latest_run_full.json", ".latest_test_run.json", ".temp_test_run_data.json")


def look(paths: list[str]) -> Looked:
    """What these files are, and all files below these folders; a folder that is a log counts as one source."""
    looked = Looked([], {}, [])
    parts: known.Parts = {}
    read_as: list[Source | Fault | keys.Open] = []
    for path in below(paths, looked):
        if not known.of_file(path, looked, parts):
            read_as.append(of_table(path))
    undecided = [one for one in read_as if isinstance(one, keys.Open)]
    told = keys.together(undecided)
    read_as += [of_table(it.path, {it.column: told[it.path]}) if it.path in told else it.fault for it in undecided]
    looked.sources.extend(one for one in read_as if isinstance(one, Source))
    looked.refused.extend(one for one in read_as if isinstance(one, Fault))
    known.add_together(parts, looked)
    known.add_questions(looked)
    looked.sources[:] = known.with_one_truth(looked.sources)
    looked.sources[:] = keys.with_keys(looked.sources)
    looked.refused.extend(one.doubt for one in looked.sources if one.doubt)
    looked.sources[:] = [one for one in looked.sources if not one.doubt]
    return looked


def below(paths: list[str], looked: Looked) -> list[str]:
    """The files to look at one by one, each once; folders that are logs, and unreadable paths, go to `looked`."""
    files: dict[str, None] = {}
    folders: set[str] = set()
    for path in paths:
        path = os.path.normpath(path)
        kind = what_is(path)
        if kind not in (None, "a folder"):
            looked.refused.append(Fault(as_utf8(path), 0, kind, READABLE))
            continue
        inside = [] if kind else [path]
        for top, below_it, names in os.walk(path) if kind else ():
            below_it[:] = [name for name in below_it if not name.startswith(".") or name in HIDDEN]
            # DeepEval's hidden files are all of the same run; the first of HIDDEN that is there has the most data.
            seen = [name for name in HIDDEN if name in names][:1]
            inside += [os.path.normpath(f"{top}/{name}") for name in names if not name.startswith(".") or name in seen]
        for file in sorted(inside):
            folder = known.folder_of(str(Path(file).parent))
            if folder and folder.path not in folders:
                looked.sources.append(folder)
                folders.add(folder.path)
            elif not folder and (other := what_is(file)):
                looked.refused.append(Fault(as_utf8(file), 0, other, READABLE))
            elif not folder:
                files[file] = None
    return list(files)
