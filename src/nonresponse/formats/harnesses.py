"""All logs of harnesses, in the order in which they are listed for people."""

from importlib import import_module

NAMES = (
    "inspect",
    "lm_eval",
    "abstentionbench",
    "squad2",
    "helm",
    "promptfoo",
    "openai_evals",
    "lighteval",
    "simple_evals",
    "longmemeval",
    "deepeval",
    "every_eval_ever",
)
SPECS = [import_module(f"nonresponse.formats.{name}").SPEC for name in NAMES]
