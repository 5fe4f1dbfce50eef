"""The command `nonresponse`, run in this process."""

import pytest
from nonresponse.front import command


def run(*arguments: object) -> int:
    """Run the command, and return its exit status."""
    with pytest.raises(SystemExit) as ended:
        command.main([str(argument) for argument in arguments])
    return ended.value.code or 0
