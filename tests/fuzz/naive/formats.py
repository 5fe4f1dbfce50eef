"""Which function reads which format."""

from fuzz.naive import lines, markup, tabular
from fuzz.naive.text import without_packing


def by_ending(xml, other):
    """A reader of XML where the file's name ends so, of something else where it does not."""

    def read(name: str, *rest) -> list[dict]:
        return (xml if without_packing(name).suffix.lower() == ".xml" else other)(name, *rest)

    return read


RUNS = {
    "tabular": tabular.runs,
    "trec-qa": lines.trec_runs,
    "pan": tabular.pan_runs,
    "clef-qa4mre": markup.qa4mre_runs,
    "clef-respubliqa": tabular.respubliqa_runs,
    "ave": lines.ave_runs,
    "romip": tabular.romip_runs,
    "deft": by_ending(markup.deft, tabular.deft),
}
JUDGMENTS = {
    "tabular": tabular.judgments,
    "trec-qa": lines.trec_judgments,
    "pan": tabular.pan_judgments,
    "clef-qa4mre": markup.qa4mre_judgments,
    "clef-respubliqa": tabular.respubliqa_judgments,
    "ave": by_ending(markup.ave_judgments, lines.ave_judgments),
    "romip": tabular.romip_judgments,
    "deft": by_ending(markup.deft, tabular.deft),
}
