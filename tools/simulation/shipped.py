"""The four campaigns that ship with the project, and their writing."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from nonresponse import tables

from simulation import dating, matching, respubliqa, trec

SEED = 2011

NOTICE = """# {name}: a simulated campaign

No system gave these answers and no person judged them: they are drawn from an item-response model with a
fixed seed, in {form}, so that every stage can be tried on files of that form and size.
{more}
docs/simulation.md has the model and the figures. `python tools/simulate.py shipped --into resources` writes
these files again, byte for byte.
"""
DETAILS = {
    "respubliqa-2009-simulated": """
The runs icia091ro, uaic092ro, loga092de and base092de have the counts of answers (right, wrong, none) that
Peñas & Rodrigo (2011, table 3) report of the real runs with these names. To which questions those answers belong
is simulated here too. The runs simNN stand for nobody.
""",
    "trec-2002-simulated": """
The runs stand for nobody. The parameters were chosen so that the pool of judged answers and the disagreement among
assessors come near to what Voorhees (2003) reports of TREC 2002.
""",
    "deft-2011-dating-simulated": """
The runs and the newspapers stand for nobody; `median-year` always says the median of the references. Neither the
form in which runs were handed in to DEFT 2011 nor its official scores could be found: `format: deft` (docs/formats.md)
is ours, and so is how well the runs do.
""",
    "deft-2011-matching-simulated": """
The runs and the journals stand for nobody. Neither the form in which runs were handed in to DEFT 2011 nor its
official scores could be found: `format: deft` (docs/formats.md) is ours, and so is how well the runs do.
""",
}


SIZES = {  # runs, questions
    "respubliqa-2009-simulated": (44, 500),
    "trec-2002-simulated": (60, 500),
    "deft-2011-dating-simulated": (14, 500),
    "deft-2011-matching-simulated": (12, 200),
}


def campaigns(seed: int = SEED) -> dict[str, Iterator[tuple[str, str]]]:
    """Return path and text of the files of each shipped campaign, or from another seed."""
    makers = (respubliqa.files, trec.files, dating.files, matching.files)
    return {
        name: make(*size, seed) for (name, size), make in zip(SIZES.items(), makers, strict=True)
    }


def notice(name: str) -> tuple[str, str]:
    """The README.md of a campaign: path and text."""
    form = "a form of our own" if name.startswith("deft") else "the format of a real campaign"
    return "README.md", NOTICE.format(name=name, form=form, more=DETAILS[name])


def write_files(files: Iterable[tuple[str, str]], directory: Path) -> None:
    """Writes files, each given by path and text, into a folder."""
    for path, text in files:
        tables.write_text(text, directory / path)


def write_all(into: Path) -> None:
    """Writes all shipped campaigns, each into a folder with its name."""
    for name, files in campaigns().items():
        write_files([notice(name)], into / name)
        write_files(files, into / name)
