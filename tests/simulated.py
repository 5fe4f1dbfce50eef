"""The simulated campaigns that come with the project."""

from conftest import HOME

RESOURCES = HOME / "resources"
RESPUBLIQA = RESOURCES / "respubliqa-2009-simulated"
TREC = RESOURCES / "trec-2002-simulated"
