"""On-disk formats: each module turns one file into rows of the tables, and its faults.

A module has `read_runs(file, options)` and `read_judgments(file, options)`; both return a frame and a
list of faults. The frame has some of the columns of `tables.RESPONSES` or `tables.JUDGMENTS` (what is left
out gets its default; a run or assessor that the file does not name is the file's stem) and a column `line`.
A reader reports what it cannot read; what is read but wrong (a duplicate, a confidence of 7) is found
by `ingest`, once for all formats.
"""

from importlib import import_module

MODULES = {
    "tabular": "tabular",
    "trec-qa": "trec_qa",
    "pan": "pan",
    "clef-qa4mre": "clef_qa4mre",
    "clef-respubliqa": "clef_respubliqa",
    "ave": "ave",
    "romip": "romip",
    "deft": "deft",
}

# What a module loads of this package, itself included, beside records and text: its sources, for Snakemake.
PARTS = {
    "tabular": ["numbers", "tabular"],
    "trec_qa": ["fields", "numbers", "trec_qa"],
    "pan": ["numbers", "pan", "tabular"],
    "clef_qa4mre": ["clef_qa4mre", "fields", "xml"],
    "clef_respubliqa": ["clef_respubliqa", "numbers", "tabular"],
    "ave": ["ave", "fields", "numbers", "xml"],
    "romip": ["numbers", "romip", "tabular"],
    "deft": ["deft", "numbers", "tabular", "xml"],
}


def module(name: str):
    return import_module(f"nonresponse.formats.{MODULES[name]}")
