"""What the page on a campaign's reliability shows of each analysis: sentences, figures, tables."""

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from nonresponse import legible, publish
from nonresponse.measures import get
from nonresponse.reliability import findings, ranking

# The columns of the tables that are names and words, and whole numbers; all others are reals.
TEXTS = ["measure", "compared", "a", "b", "scale", "assessors", "statistic", "pattern", "warning", "remark"]
NUMBERS = ["questions", "size", "items", "runs", "pairs", "swaps", "swaps_005", "swaps_007", "lower", "upper"]
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
        """A table with its names as text, whatever they look like, and a column of nothing as numbers."""
        table = pl.read_csv(self.folder / "reliability" / f"{name}.csv", infer_schema=False)
        types = {name: pl.Int64 if name in NUMBERS else pl.Float64 for name in table.columns if name not in TEXTS}
        return table.cast(types)


def draw(campaign: Campaign, name: str, chart) -> str:
    from nonresponse.figures.page import write_svg

    write_svg(chart, campaign.folder / "figures" / f"{name}.svg")
    return f"{name}.svg"


def shown(table: pl.DataFrame, columns: dict[str, int | None]) -> tuple[list[str], list[list[str]]]:
    """Header and cells of some columns: texts, whole numbers, and reals with so many decimals."""

    def cell(value, digits):
        if value is None or digits is not None:
            return publish.number(value, digits)
        # Several names may stand in one cell.
        return f"{value:,}" if isinstance(value, int) else legible.short(value, legible.LONGEST_TITLE)

    rows = table.select(*columns).iter_rows()
    cells = [[cell(value, digits) for value, digits in zip(row, columns.values(), strict=True)] for row in rows]
    return list(columns), cells


def part(table: pl.DataFrame) -> str:
    """How many of the questions the subsets hold; on small campaigns that is half of them."""
    size, questions = table.select("size", "questions").row(0)
    return f"{size:,} of the {questions:,} questions" + (", half of them" if size == questions // 2 else "")


def stability(campaign: Campaign) -> Section:
    from nonresponse.figures import curves

    by_measure = campaign.read("stability")
    sentence = findings.stability(by_measure)
    drawn = f"random subsets of {part(next(iter(by_measure.values())))}"
    chart = curves.stability(by_measure, f"{campaign.title}: stability", drawn, sentence)
    table = pl.concat(
        [
            next(iter(by_measure.values())).select("fuzziness"),
            *[frame.select(pl.col("error_rate", "ties").name.prefix(f"{id} ")) for id, frame in by_measure.items()],
        ],
        how="horizontal",
    )
    header, cells = shown(table, {name: 2 if name == "fuzziness" else 4 for name in table.columns})
    figures = [draw(campaign, "stability", chart)]
    return Section("Stability", "stability", [("", sentence)], figures, [(f"On {drawn}.", header, cells)])


def swap(campaign: Campaign) -> Section:
    from nonresponse.figures import curves

    level, gathered = campaign.options["level"], campaign.csv("sensitivity")
    sentence = findings.sensitivity(gathered, level)
    drawn = f"two disjoint random subsets of {part(gathered)}"
    chart = curves.swap(campaign.read("swap"), f"{campaign.title}: swaps", drawn, sentence, level)
    digits = {"required_difference": 2, "highest_value": 2, "relative_difference": 4, "sensitivity": 4}
    published = {f"published_{name}": number for name, number in digits.items()}
    caption = f"The swap method on {drawn}, at a swap rate of {level:g}."
    if gathered["published_sensitivity"].is_null().all():
        published = {}
    else:
        caption += " Published: Peñas & Rodrigo 2011, table 2, on the runs of QA@CLEF 2009, which are other data."
    warning = {"warning": None} if (gathered["warning"].fill_null("") != "").any() else {}
    table = (caption, *shown(gathered, {"measure": None} | digits | warning | published))
    of_each = [(id, findings.swap(gathered, id, level)) for id in campaign.measures]
    return Section("Sensitivity", "swap", [("", sentence), *of_each], [draw(campaign, "swap", chart)], [table])


def sample_size(campaign: Campaign) -> Section:
    from nonresponse.figures import sample_size as figure

    level, needed, own = campaign.options["level"], campaign.csv("questions_needed"), campaign.csv("sample_size")
    section = Section("Number of questions", "sample_size")
    for id, table in campaign.read("sample_size").items():
        sentence = findings.sample_size(needed, own, id, level=level)
        title = f"{campaign.title}: error rate of {id} and number of questions"
        chart = figure.sample_size(table, own["questions"][0], title, "", sentence, level)
        section.figures.append(draw(campaign, f"sample_size-{id}", chart))
        section.findings.append((id, sentence))
    answers = needed.with_columns(answer=pl.Series([answer(row) for row in needed.iter_rows(named=True)]))
    wide = answers.pivot("measure", index="difference", values="answer", maintain_order=True)
    caption = (
        f"Questions needed to tell apart two runs at an error rate of {level:g}, with 95 % of the fit in brackets."
    )
    section.tables = [(caption, *shown(wide, {"difference": 2} | dict.fromkeys(campaign.measures)))]
    return section


def answer(row: dict) -> str:
    if row["questions"] is None:
        return UNKNOWN
    if row["remark"]:
        return row["remark"]
    return f"{row['questions']:,} ({row['lower']:,}–{row['upper']:,})"


def comparison(campaign: Campaign) -> Section:
    from nonresponse.figures import intervals as figure

    level, power = campaign.options["level"], campaign.csv("discriminative_power")
    pairs, intervals = campaign.read("comparisons"), campaign.read("intervals")
    section = Section("Which runs can be told apart", "comparison")
    section.findings = [("", findings.discriminative_power(power))]
    for id in campaign.measures:
        sentence = findings.comparison(pairs[id], intervals[id], id, level)
        higher = get(campaign.task, id).higher_is_better
        title = f"{campaign.title}: {id} with {publish.confidence(level)} intervals"
        chart = figure.intervals(intervals[id], id, higher, campaign.official, title, "", sentence, level)
        section.figures.append(draw(campaign, f"intervals-{id}", chart))
        section.findings.append((id, sentence))
    caption = (
        f"Shares of the pairs of runs that are told apart at {level:g}: by the bootstrap interval of the difference, by"
        " a paired randomisation test alone and with Holm's correction, and by the randomised Tukey HSD."
    )
    if power["pairs"].max() > level * campaign.options["exchanges"] / 10:
        caption += (
            f" Holm's correction of {power['pairs'].max():,} pairs with {campaign.options['exchanges']:,} trials is"
            " coarse; more `exchanges` would make it finer."
        )
    columns = {"measure": None, "pairs": None, "interval": 4, "p": 4, "holm": 4, "tukey": 4}
    section.tables = [(caption, *shown(power, columns))]
    return section


def agreement(campaign: Campaign) -> Section:
    table, patterns = campaign.csv("agreement"), campaign.csv("agreement_patterns")
    section = Section("Assessors", "agreement", [("", findings.agreement(table))])
    if table.is_empty():
        return section
    judged = "correct" in table["scale"]  # not so among reference answers
    of_all = {"scale": None, "assessors": None, "statistic": None, "items": None, "value": 4}
    of_patterns = {"pattern": None, "items": None, "share": 4, "share_of_disagreements": 4}
    section.tables = [
        (f"Agreement on the labels{', and on whether an answer is correct' * judged}.", *shown(table, of_all)),
        ("How many answers got which labels, whoever gave which.", *shown(patterns, of_patterns)),
    ]
    section.tables = [table for table in section.tables if table[2]]
    return section


def rankings(campaign: Campaign) -> Section:
    from nonresponse.figures import rankings as figure

    table = campaign.csv("rankings")
    section = Section("Rankings", "rankings")
    if (table["compared"] == "assessors").any():
        section.findings = [(id, findings.between_assessors(table, id, campaign.official)) for id in campaign.measures]
        title = f"{campaign.title}: rankings under each two assessors"
        sentence = findings.assessors(table)
        section.findings.insert(0, ("", sentence))
        chart = figure.tau_between_assessors(table, campaign.measures, title, "", sentence)
        section.figures.append(draw(campaign, "rankings-assessors", chart))
        against = ranking.against_official(table, campaign.official)
        columns = {"measure": None, "mean_tau": 3, "swaps": None, "swaps_005": None, "swaps_007": None}
        columns["largest_difference"] = 4
        official = legible.short(campaign.official)
        caption = f"Rankings under each assessor against those of {official}; swaps of all of them together."
        section.tables = [(caption, *shown(against, columns))]
    if len(campaign.measures) > 1:
        sentence = findings.between_measures(table)
        section.findings.append(("", sentence))
        chart = figure.tau_between_measures(table, f"{campaign.title}: rankings by each two measures", "", sentence)
        section.figures.append(draw(campaign, "rankings-measures", chart))
    return section


# By the analyses of the configuration, in the order of the page.
SECTIONS = {
    "comparison": comparison,
    "swap": swap,
    "sample_size": sample_size,
    "stability": stability,
    "agreement": agreement,
    "rankings": rankings,
}
