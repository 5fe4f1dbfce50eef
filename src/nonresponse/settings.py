"""The types of a checked configuration (campaign/models.py). Imports nothing heavy."""

from typing import Any, Literal

Source = Literal["runs", "graded", "counts"]
Options = dict[str, Any]  # a campaign of config.yaml, checked and complete
# How the files of a part of it are read, and what they mean: runs, judgments, graded or counts
Files = dict[str, Any]
Reliability = dict[str, Any]  # the settings of the analyses, and the seed
# What statistics and pages know of it, by name: the parameters of their stage (stages.params)
Settings = dict[str, Any]
