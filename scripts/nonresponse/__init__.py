"""Evaluate question-answering campaigns in which a system may decline to answer."""

__version__ = "0.1.0"
