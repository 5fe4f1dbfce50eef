"""The page on a campaign's reliability, as Markdown, LaTeX and HTML."""

from base64 import b64encode
from html import escape
from pathlib import Path

import polars as pl
from tabulate import tabulate

from nonresponse import publish, tables
from nonresponse.reliability.sections import SECTIONS, Campaign, Section


def write(campaign: Campaign) -> None:
    """figures/*.svg, reliability/findings.csv, reliability.md, .tex and .html in the campaign's folder."""
    (campaign.folder / "figures").mkdir(parents=True, exist_ok=True)
    sections = [SECTIONS[analysis](campaign) for analysis in SECTIONS if analysis in campaign.options["analyses"]]
    found = [
        {"analysis": section.analysis, "measure": measure, "finding": sentence}
        for section in sections
        for measure, sentence in section.findings
    ]
    schema = {"analysis": pl.String, "measure": pl.String, "finding": pl.String}
    tables.write_text(pl.DataFrame(found, schema).write_csv(), campaign.folder / "reliability/findings.csv")
    title = f"{campaign.title}: how far the scores can be trusted"
    tables.write_text(markdown(title, sections), campaign.folder / "reliability.md")
    tables.write_text(latex(campaign, sections), campaign.folder / "reliability.tex")
    tables.write_text(html(title, sections, campaign.folder), campaign.folder / "reliability.html")


def markdown(title: str, sections: list[Section]) -> str:
    lines = [f"# {publish.markdown_text(title)}"]
    for section in sections:
        lines.append(f"## {section.heading}")
        lines += [publish.markdown_text(sentence) for _, sentence in section.findings]
        lines += [f"![{name}](figures/{name})" for name in section.figures]
        for caption, header, cells in section.tables:
            lines += [publish.markdown_text(caption), publish.markdown_table(header, cells)]
    return "\n\n".join(lines) + "\n"


def latex(campaign: Campaign, sections: list[Section]) -> str:
    parts = [
        publish.latex_table(
            header,
            cells,
            publish.latex_text(f"{campaign.title}. {caption}"),
            f"{campaign.name}-{section.analysis}-{number}",
        )
        for section in sections
        for number, (caption, header, cells) in enumerate(section.tables, 1)
    ]
    return "\n".join(parts) or "% No analysis of this campaign has a table.\n"


def html(title: str, sections: list[Section], folder: Path) -> str:
    """A page of its own: the figures are inside it."""
    body = [f"<h1>{escape(title)}</h1>"]
    for section in sections:
        body.append(f"<h2>{escape(section.heading)}</h2>")
        body += [f"<p>{escape(sentence)}</p>" for _, sentence in section.findings]
        for name in section.figures:
            picture = b64encode((folder / "figures" / name).read_bytes()).decode()
            body.append(f'<p><img alt="{escape(name)}" src="data:image/svg+xml;base64,{picture}"></p>')
        for caption, header, cells in section.tables:
            table = tabulate(cells, header, tablefmt="html", disable_numparse=True, colalign=publish.aligned(header))
            body += [f"<p>{escape(caption)}</p>", table]
    return publish.html_document(title, body)
