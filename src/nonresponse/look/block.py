"""The block `campaigns:` of config.yaml: as text, and appended to a file that may have campaigns already."""

from pathlib import Path

import yaml

from nonresponse import tables
from nonresponse.campaign import file
from nonresponse.look.campaigns import Campaign, NoPlace

INDENT = 2


def block(campaigns: list[Campaign]) -> str:
    return f"campaigns:\n{indented(campaigns, INDENT)}"


def indented(campaigns: list[Campaign], depth: int) -> str:
    """The campaigns as YAML, indented by `depth` blanks."""
    written = {campaign.name: campaign.written for campaign in campaigns}
    text = yaml.safe_dump(written, sort_keys=False, allow_unicode=True, default_flow_style=None, width=10**6)
    return "".join(f"{' ' * depth}{line}\n" for line in text.splitlines())


def names_in(path: Path) -> set[str]:
    """The names of the campaigns in a file; empty where there is no file. Raises NoPlace."""
    return {key.value for key, _ in campaigns_in(path).value} if path.exists() else set()


def campaigns_in(path: Path) -> yaml.MappingNode:
    """The YAML node with the campaigns of a file. Raises NoPlace."""
    if problems := file.problems([str(path)]):
        raise NoPlace(problems[0])
    root = yaml.compose(path.read_bytes().decode(), Loader=yaml.SafeLoader)
    own = next((value for key, value in root.value if key.value == "campaigns"), None)
    if not isinstance(own, yaml.MappingNode) or own.flow_style or root.flow_style:
        raise NoPlace(f"{path}: no `campaigns:` with a campaign below it on a line of its own")
    return own


def append(campaigns: list[Campaign], path: Path) -> None:
    """Adds campaigns after those in a file, or makes the file; nothing else in it changes. Raises NoPlace."""
    if not path.exists():
        tables.write_text(block(campaigns), path)
        return
    own, text = campaigns_in(path), path.read_bytes().decode()
    last = own.value[-1][1]
    while isinstance(last, yaml.CollectionNode) and last.value and not last.flow_style:
        last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
    end = last.end_mark.index
    cut = end if text[end - 1] == "\n" else text.find("\n", end) + 1 or len(text)
    before = text[:cut] if text[:cut].endswith("\n") else f"{text[:cut]}\n"
    new = before + indented(campaigns, own.start_mark.column) + text[cut:]
    was = yaml.safe_load(text)
    was["campaigns"] |= {campaign.name: campaign.written for campaign in campaigns}
    try:
        fits = yaml.safe_load(new) == was
    except yaml.YAMLError:
        fits = False
    if not fits:
        raise NoPlace(f"{path}: a form that cannot be added to; copy the block")
    tables.write_text(new, path)
