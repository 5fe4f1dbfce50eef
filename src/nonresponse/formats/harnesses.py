"""All logs of harnesses, in the order in which they are listed for people."""

from importlib import import_module

from nonresponse.formats import metric_tables

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
    "evalscope",
    "verifiers",
    "every_eval_ever",
)
MODULES = [import_module(f"nonresponse.formats.{name}") for name in NAMES]
SPECS = (*(module.SPEC for module in MODULES), *metric_tables.SPECS)
