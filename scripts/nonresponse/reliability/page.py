"""The page on a campaign's reliability: what each analysis found, in a sentence, a figure and a table."""

from base64 import b64encode
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import polars as pl
from tabulate import tabulate

from nonresponse import publish, tables
from nonresponse.measures import get
from nonresponse.reliability import findings, ranking

UNKNOWN = "cannot tell"


@dataclass
class Section:
    """One analysis on the page."""

    heading: str
    analysis: str
    findings: list[tuple[str, str]] = field(default_factory=list)  # measure ("" = of all) and sentence
    figures: list[str] = field(default_factory=list)  # names of files in figures/
    tables: list[tuple[str, list[str], list[list[str]]]] = field(default_factory=list)  # caption, header, cells


@dataclass(frozen=True)
class Campaign:
    """What the sections need to know."""

    name: str
    task: str
    measures: list[str]
    folder: Path
    options: dict
    official: str

    @property
    def title(self) -> str:
        return publish.heading(self.name, self.options.get("title"), self.options.get("simulated", False))

    def read(self, analysis: str) -> dict[str, pl.DataFrame]:
        return {id: pl.read_parquet(self.folder / "reliability" / analysis / f"{id}.parquet") for id in self.measures}

    def csv(self, name: str) -> pl.DataFrame:
        return pl.read_csv(self.folder / "reliability" / f"{name}.csv", infer_schema_length=None)


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


def draw(campaign: Campaign, name: str, chart) -> str:
    from nonresponse.figures.page import write_svg

    write_svg(chart, campaign.folder / "figures" / f"{name}.svg")
    return f"{name}.svg"


def stability(campaign: Campaign) -> Section:
    from nonresponse.figures import curves

    tables_of = campaign.read("stability")
    sentence = findings.stability(tables_of)
    size = next(iter(tables_of.values()))["size"][0]
    subtitle = f"random subsets of {size:,} questions"
    chart = curves.stability(tables_of, f"{campaign.title}: stability", subtitle, sentence)
    header = ["fuzziness", *[f"{id} {what}" for id in campaign.measures for what in ("error rate", "ties")]]
    columns = [table[name] for table in tables_of.values() for name in ("error_rate", "ties")]
    fuzziness = next(iter(tables_of.values()))["fuzziness"]
    cells = [
        [f"{value:g}", *[publish.number(column[row], 4) for column in columns]] for row, value in enumerate(fuzziness)
    ]
    caption = f"Error rate and ties on random subsets of {size:,} questions."
    return Section(
        "Stability", "stability", [("", sentence)], [draw(campaign, "stability", chart)], [(caption, header, cells)]
    )


def swap(campaign: Campaign) -> Section:
    from nonresponse.figures import curves

    level, gathered = campaign.options["level"], campaign.csv("sensitivity")
    sentence = findings.sensitivity(gathered, level)
    size = gathered["size"][0]
    subtitle = f"two disjoint random subsets of {size:,} questions"
    chart = curves.swap(campaign.read("swap"), f"{campaign.title}: swaps", subtitle, sentence, level)
    own = {"required_difference": 2, "highest_value": 2, "relative_difference": 4, "sensitivity": 4}
    published = any(gathered[f"published_{name}"].is_not_null().any() for name in own)
    header = ["measure", *[name.replace("_", " ") for name in own]]
    header += [f"published {name.replace('_', ' ')}" for name in own] if published else []
    names = own.copy()
    names |= {f"published_{name}": digits for name, digits in own.items()} if published else {}
    cells = [
        [row["measure"], *[publish.number(row[name], digits) for name, digits in names.items()]]
        for row in gathered.iter_rows(named=True)
    ]
    caption = f"The swap method with subsets of {size:,} questions at a swap rate of {level:g}."
    if published:
        caption += " Published: Peñas & Rodrigo 2011, table 2, on the runs of QA@CLEF 2009; other data."
    of_each = [(id, findings.swap(gathered, id, level)) for id in campaign.measures]
    return Section(
        "Sensitivity", "swap", [("", sentence), *of_each], [draw(campaign, "swap", chart)], [(caption, header, cells)]
    )


def sample_size(campaign: Campaign) -> Section:
    from nonresponse.figures import sample_size as figure

    level, needed, own = campaign.options["level"], campaign.csv("questions_needed"), campaign.csv("sample_size")
    found, figures = [], []
    for id, table in campaign.read("sample_size").items():
        sentence = findings.sample_size(needed, own, id, level=level)
        n = own.filter(pl.col("measure") == id)["questions"].item()
        title = f"{campaign.title}: error rate of {id} and number of questions"
        chart = figure.sample_size(table, n, title, "", sentence, level)
        figures.append(draw(campaign, f"sample_size-{id}", chart))
        found.append((id, sentence))
    header = ["difference", *campaign.measures]
    by_measure = needed.partition_by("measure", maintain_order=True)
    cells = [
        [f"{rows[0]['difference']:.2f}", *map(range_of, rows)]
        for rows in zip(*[table.iter_rows(named=True) for table in by_measure], strict=True)
    ]
    caption = (
        f"Questions needed to tell apart two runs at an error rate of {level:g}, with 95 % of the fit in brackets."
    )
    return Section("Number of questions", "sample_size", found, figures, [(caption, header, cells)])


def range_of(row: dict) -> str:
    if row["questions"] is None:
        return UNKNOWN
    ends = [publish.NOTHING if row[end] is None else f"{row[end]:,}" for end in ("lower", "upper")]
    return f"{row['questions']:,}" + (f" ({ends[0]}–{ends[1]})" if ends != [publish.NOTHING] * 2 else "")


def comparison(campaign: Campaign) -> Section:
    from nonresponse.figures import intervals

    level, power = campaign.options["level"], campaign.csv("discriminative_power")
    between, own = campaign.read("comparisons"), campaign.read("intervals")
    found, figures = [("", findings.discriminative_power(power))], []
    for id in campaign.measures:
        sentence = findings.comparison(between[id], own[id], id, level)
        higher = get(campaign.task, id).higher_is_better
        title = f"{campaign.title}: {id} with {publish.confidence(level)} intervals"
        chart = intervals.intervals(own[id], id, higher, campaign.official, title, "", sentence)
        figures.append(draw(campaign, f"intervals-{id}", chart))
        found.append((id, sentence))
    header = ["measure", "pairs", "interval", "p", "p (Holm)", "p (Tukey HSD)"]
    cells = [
        [row["measure"], f"{row['pairs']:,}", *[publish.number(row[name], 4) for name in header_columns(power)]]
        for row in power.iter_rows(named=True)
    ]
    caption = (
        f"Shares of the pairs of runs that are told apart at {level:g}, by the bootstrap interval of the difference, "
    )
    caption += "by a paired randomisation test alone and with Holm's correction, and by the randomised Tukey HSD."
    return Section("Which runs can be told apart", "comparison", found, figures, [(caption, header, cells)])


def header_columns(power: pl.DataFrame) -> list[str]:
    return [name for name in power.columns if name not in ("measure", "pairs")]


def agreement(campaign: Campaign) -> Section:
    table, patterns = campaign.csv("agreement"), campaign.csv("agreement_patterns")
    section = Section("Assessors", "agreement", [("", findings.agreement(table))])
    if table.is_empty():
        return section
    section.tables = [
        (
            "Agreement of the assessors on their labels, and on whether an answer is correct.",
            ["scale", "assessors", "statistic", "items", "value"],
            [
                [row["scale"], row["assessors"], row["statistic"], f"{row['items']:,}", publish.number(row["value"], 4)]
                for row in table.iter_rows(named=True)
            ],
        ),
        (
            "How many answers got which labels, whoever gave which.",
            ["pattern", "items", "share", "share of disagreements"],
            [
                [row["pattern"], f"{row['items']:,}", publish.number(row["share"], 4)]
                + [publish.number(row["share_of_disagreements"], 4)]
                for row in patterns.iter_rows(named=True)
            ],
        ),
    ]
    return section


def rankings(campaign: Campaign) -> Section:
    from nonresponse.figures import rankings as figure

    table = campaign.csv("rankings")
    section = Section("Rankings", "rankings")
    if (table["compared"] == "assessors").any():
        section.findings = [(id, findings.between_assessors(table, id, campaign.official)) for id in campaign.measures]
        title = f"{campaign.title}: rankings under each two assessors"
        chart = figure.tau_between_assessors(table, campaign.measures, title, "", section.findings[0][1])
        section.figures.append(draw(campaign, "rankings-assessors", chart))
        mean = ranking.against_official(table, campaign.official)
        header = ["measure", "mean tau", "swaps", "of at least 0.05", "of at least 0.07"]
        cells = [
            [row["measure"], publish.number(row["mean_tau"], 3)]
            + [f"{row[name]:,}" for name in ("swaps", "swaps_005", "swaps_007")]
            for row in mean.iter_rows(named=True)
        ]
        section.tables = [(f"Rankings under each assessor against those of {campaign.official}.", header, cells)]
    if len(campaign.measures) > 1:
        sentence = findings.between_measures(table)
        section.findings.append(("", sentence))
        chart = figure.tau_between_measures(table, f"{campaign.title}: rankings by each two measures", "", sentence)
        section.figures.append(draw(campaign, "rankings-measures", chart))
    return section


SECTIONS = {
    "comparison": comparison,
    "swap": swap,
    "sample_size": sample_size,
    "stability": stability,
    "agreement": agreement,
    "rankings": rankings,
}


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
