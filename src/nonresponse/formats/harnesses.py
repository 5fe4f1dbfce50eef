"""All logs of harnesses, in the order in which they are listed for people."""

from nonresponse.formats import (
    abstentionbench,
    deepeval,
    evalscope,
    every_eval_ever,
    helm,
    inspect,
    lighteval,
    lm_eval,
    longmemeval,
    metric_tables,
    mmlu,
    openai_evals,
    promptfoo,
    simple_evals,
    squad2,
    verifiers,
)

SPECS = (
    *(
        inspect.SPEC,
        lm_eval.SPEC,
        abstentionbench.SPEC,
        squad2.SPEC,
        helm.SPEC,
        promptfoo.SPEC,
        openai_evals.SPEC,
    ),
    *(
        lighteval.SPEC,
        simple_evals.SPEC,
        longmemeval.SPEC,
        deepeval.SPEC,
        evalscope.SPEC,
        verifiers.SPEC,
    ),
    *(every_eval_ever.SPEC, mmlu.SPEC, *metric_tables.SPECS),
)
