"""Words for yes, no and nothing, in small letters, that tables and judges use."""

TRUE = ("1", "1.0", "true", "yes", "y", "t", "ja", "wahr", "oui", "vrai", "si", "sí", "да", "是")
FALSE = ("0", "0.0", "false", "no", "n", "f", "nein", "falsch", "non", "faux", "нет", "否")
YES_OR_NO = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}
# Values of `error` that mean that there was none
NO_ERROR = ("", "0", "0.0", "false", "no", "none", "null", "nan")
# Ends the names of questions that have no answer, in LongMemEval and what follows it
NO_ANSWER = "_abs"
