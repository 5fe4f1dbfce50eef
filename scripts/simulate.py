"""Write simulated campaigns: those that ship with the project, or one of any size (docs/simulation.md)."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help=__doc__, add_completion=False, pretty_exceptions_enable=False)
Into = Annotated[Path, typer.Option(help="Directory to write to.")]


class Kind(StrEnum):
    tabular = "tabular"
    respubliqa = "respubliqa"
    trec = "trec"
    dating = "dating"
    matching = "matching"


@app.command()
def shipped(into: Into = Path("resources")) -> None:
    """Write the shipped campaigns again: the same bytes."""
    from simulation import shipped

    shipped.write_all(into)


@app.command()
def campaign(
    runs: Annotated[int, typer.Option(min=2)],
    questions: Annotated[int, typer.Option(min=10)],
    into: Into,
    seed: Annotated[int, typer.Option(min=0)] = 1,
    kind: Annotated[Kind, typer.Option(help="Its format, and with it what is simulated.")] = Kind.tabular,
) -> None:
    """Write a campaign of any size into a new or empty directory."""
    from simulation import campaign, dating, matching, respubliqa, shipped, trec

    if into.exists() and any(into.iterdir()):
        raise typer.BadParameter(f"{into} is not empty", param_hint="--into")
    if kind is Kind.tabular:
        campaign.write(into, runs, questions, seed)
    elif kind is Kind.respubliqa:
        shipped.write(respubliqa.files(runs, questions, seed, named={}), into)
    else:
        module = {Kind.trec: trec, Kind.dating: dating, Kind.matching: matching}[kind]
        shipped.write(module.files(runs, questions, seed), into)


@app.command()
def facts(
    directory: Annotated[Path, typer.Option(help="Where the shipped campaigns are.")] = Path("resources"),
) -> None:
    """Print what came out, next to what the papers report if they do, as in docs/simulation.md."""
    from simulation import facts_deft
    from simulation.facts import markdown, respubliqa_facts, trec_facts

    typer.echo(markdown(respubliqa_facts(directory / "respubliqa-2009-simulated")))
    typer.echo(markdown(trec_facts(directory / "trec-2002-simulated")))
    typer.echo(facts_deft.dating_table(directory / "deft-2011-dating-simulated"))
    typer.echo(facts_deft.matching_table(directory / "deft-2011-matching-simulated"), nl=False)


if __name__ == "__main__":
    app()
