"""What users call: the command `nonresponse`, and the functions for a notebook."""


class RefusedError(Exception):
    """Why something cannot be done: what was found, and what to do about it."""

    status = 3  # of the command's exit


class FaultyError(RefusedError):
    """The faults of files."""

    status = 1
