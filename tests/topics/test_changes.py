"""changes.md: what a change did, against the results that the pipeline itself kept."""

import html
import re

import polars as pl
import pytest
import report_files
from conftest import TINY
from former_results import page_of, results
from markdown_it import MarkdownIt
from nonresponse import legible, tables
from nonresponse.judging.store import read_verdicts, write_verdicts
from nonresponse.pages.report import Section, Topics, cells, part
from nonresponse.pages.sections import Campaign
from nonresponse.topics import changes

EDITED = """\
# A test (simulated data): what changed

## What the last change did

2 judgments and 3 verdicts changed; 3 of 3 scores moved, at most by 0.3125 (c@1 of alpha); 3 runs changed rank.

## Judgments

| assessor   | question   | answer   | before   | now   |
|------------|------------|----------|----------|-------|
| judgments  | q3         | Oslo     | R        | W     |
| judgments  | q4         | Bonn     | W        | R     |

## Verdicts

| assessor   | run   | question   | before   | now     |
|------------|-------|------------|----------|---------|
| judgments  | alpha | q4         | wrong    | correct |
| judgments  | beta  | q3         | correct  | wrong   |
| judgments  | gamma | q3         | correct  | wrong   |

## Scores

| run   | measure   |   before |    now |   difference |
|-------|-----------|----------|--------|--------------|
| alpha | c@1       |   0.3125 | 0.6250 |      +0.3125 |
| beta  | c@1       |   0.3125 | 0.0000 |      -0.3125 |
| gamma | c@1       |   0.7500 | 0.5000 |      -0.2500 |

## Counts

| run   | n_ac   | n_aw   | nil_gold   | a     | b     | c     | d     | e     | nil_silent   |
|-------|--------|--------|------------|-------|-------|-------|-------|-------|--------------|
| alpha | 1 → 2  | 2 → 1  | 1 → 2      | 1 → 2 | 1 → 0 |       | 1 → 0 | 0 → 1 | 0 → 1        |
| beta  | 1 → 0  | 2 → 3  | 1 → 2      | 1 → 0 |       | 1 → 2 |       |       |              |
| gamma | 3 → 2  | 1 → 2  | 1 → 2      | 3 → 2 |       | 1 → 2 |       |       |              |

## Ranks

| run   | before   | now   |
|-------|----------|-------|
| alpha | 2=       | 1     |
| gamma | 1        | 2     |
| beta  | 2=       | 3     |

By c@1.
"""


def ranked(scores: dict[str, float]):
    """Results with the ranks of a leaderboard, which equal scores share."""
    better = {run: sum(other > score for other in scores.values()) for run, score in scores.items()}
    ranks = [better[run] + 1 for run in sorted(scores)]
    return results({"c@1": scores}, rank=pl.Series(ranks))


def edit(project, name, *replacements):
    text = (project.folder / name).read_text()
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    (project.folder / name).write_text(text)


def page(project, campaign="tiny"):
    return (project.folder / f"results/{campaign}/changes.md").read_text()


def sentence(project, campaign="tiny"):
    lines = page(project, campaign).splitlines()
    return lines[lines.index("## What the last change did") + 2]


@pytest.mark.slow
def test_an_edit_is_told_once_and_for_all(tiny):
    config = TINY | {"measures": ["c@1"], "shards": 1, "title": "A test", "simulated": True}
    tiny.write("raw/counts.csv", "run,n_ac,n_aw,n_u\na,1,2,3\n")
    counted = {"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]}
    tiny.configure(tiny=config, counted=counted)
    assert "changes.md" not in tiny.snakemake().stdout
    first = "# A test (simulated data): what changed\n\n## What the last change did\n\n"
    assert page(tiny) == f"{first}These are the first results: there is nothing to compare them with.\n"
    other = page(tiny, "counted")

    edit(tiny, "raw/judgments.tsv", ("q3\tOslo\tR", "q3\tOslo\tW"), ("q4\tBonn\tW", "q4\tBonn\tR"))
    printed = tiny.snakemake().stdout + tiny.snakemake().stdout
    assert page(tiny) == EDITED
    assert page(tiny, "counted") == other
    assert re.findall(r"^(.*) \(results/\w+/changes.md\)$", printed, re.MULTILINE) == [f"tiny: {sentence(tiny)}"]


def test_what_is_added_and_removed_is_told_as_such():
    many = range(1000)
    before = results(
        {"c@1": {"x": 0.5, "z": 0.4, "gone": 0.25}, "uf": {"x": 0.5, "z": 0.5, "gone": 0.0}},
        [("a", run, str(q), None, "wrong") for run in ("x", "gone") for q in many],
        [("a", str(q), "", None, None, "Rome", "W") for q in many],
    )
    now = results(
        {"c@1": {"x": 0.5, "z": 0.4, "new": 0.75}, "accuracy": {"x": 0.5, "z": 0.6, "new": 1.0}},
        [(by, run, str(q), None, "wrong") for by in "ab" for run in ("x", "new") for q in many[5:]],
        [(by, str(q), "", None, None, "Rome", "W") for by in "ab" for q in many[5:]],
        official="b",
        first="accuracy",
    )
    said = (
        "No judgment and no verdict changed; none of 2 scores moved; 2 runs changed rank among the 2 on both sides;"
        " assessor added: b;"
        " questions removed: 0, 1, 2 and two others; run added: new; run removed: gone; measure added: accuracy;"
        " measure removed: uf; ranked by accuracy instead of c@1; official judgments of b instead of the only assessor."
    )
    text = page_of(before, now)
    assert text.splitlines()[4] == said
    assert re.search(r"\| question +\| 4 +\| removed +\|", text)
    assert "By accuracy. Under the official judgments, of b." in text
    assert "## Verdicts" not in text and "## Scores" not in text


def test_campaigns_with_nothing_in_common():
    before, now = results({"uf": {"x": 0.5}}, first="uf"), results({"c@1": {"y": 0.5}}, [])
    said = page_of(before, now).splitlines()[4]
    assert said.startswith(
        "No score is on both sides; no run is on both sides; run added: y; run removed: x; measure added"
    )


def test_scores_are_compared_exactly_and_undefined_ones_too():
    before = results({"c@1": {"w": 0.5, "x": 0.5, "y": None, "z": None}})
    now = results({"c@1": {"w": 0.5, "x": 0.5 + 1e-12, "y": 0.25, "z": None}})
    text = page_of(before, now)
    assert "2 of 4 scores moved, at most by 1.0e-12 (c@1 of x)" in text
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "c@1  " in line]
    assert rows == [["y", "c@1", "–", "0.2500", "–"], ["x", "c@1", "0.5000", "0.5000", "+1.0e-12"]]


def test_judgments_and_pairs_added_and_removed():
    key = ("a", "q", "", None, None)
    before = results({"c@1": {"x": 1}}, [("a", "x", "q", "1", "wrong")], [(*key, "Rome", "W"), (*key, "Oslo", "W")])
    now = results({"c@1": {"x": 1}}, [("a", "x", "q", "2", "wrong")], [(*key, "Rome", "R"), (*key, "Bonn", "R")])
    text = page_of(before, now)
    assert "3 judgments (1 added, 1 removed) and 2 verdicts (1 added, 1 removed) changed;" in text
    rows = [re.split(r" *\| *", line)[3:-1] for line in text.splitlines() if line.startswith("| a ")]
    assert rows[:3] == [["Bonn", "–", "R"], ["Oslo", "W", "–"], ["Rome", "W", "R"]]
    assert rows[3:] == [["q", "1", "wrong", "–"], ["q", "2", "–", "wrong"]]


def asked_again(*words: str) -> list[tuple]:
    """The verdicts of a run on a question, time by time."""
    return [("a", "x", "q", str(epoch), None, word) for epoch, word in enumerate(words)]


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (["wrong"] * 5, ["correct"] * 5, ["0", "1", "2", "3", "4"]),
        (["wrong", "correct"], ["correct", "wrong"], ["0", "1"]),
        (["wrong", "correct"], ["wrong", "correct", "wrong"], ["2"]),
        (["wrong", "correct"] * 2, ["wrong", "correct", "correct", "correct"], ["2"]),
    ],
)
def test_questions_asked_several_times_change_time_by_time(before, now, told):
    """One by one, also if two of them are exchanged."""
    found = verdicts_changed(before, now)
    assert found["epoch"].to_list() == told
    assert changes.changes_table(found, "", []).header == ["assessor", "run", "question", "epoch", "before", "now"]
    once = verdicts_changed(["wrong"], ["correct"])
    assert changes.changes_table(once, "", []).header == ["assessor", "run", "question", "before", "now"]


def verdicts_changed(before: list[str], now: list[str]) -> pl.DataFrame:
    sides = (results({"c@1": {"x": 0.5}}, asked_again(*words)) for words in (before, now))
    return changes.changes(*sides)["verdicts"]


def test_runs_that_others_push_down_have_not_changed_places():
    """60 runs, of which two swap places and two share one, and three more: one ahead, one between, one behind."""
    scores = {f"r{place:02}": 1 - place / 100 for place in range(60)}
    scores["r21"] = scores["r20"]
    swapped = scores | {"r10": scores["r11"], "r11": scores["r10"]}
    others = {"first": 1.5, "between": 0.955, "last": 0.1}
    before, now = ranked(scores), ranked(swapped | others)
    for one, other, change in ((before, now, "added"), (now, before, "removed")):
        text = page_of(one, other)
        said = f"2 runs changed rank among the 60 on both sides; runs {change}: between, first and last"
        assert said in text.splitlines()[4]
        rows = re.findall(r"^\| (r\d+) +\| (\S+) +\| (\S+) +\|$", text, re.MULTILINE)
        there, back = ("11", "12"), ("12", "11")
        assert sorted(rows) == [("r10", *there), ("r11", *back)] if one is before else [("r10", *back), ("r11", *there)]
        assert "The ranks are those among the runs on both sides." in text
    text = page_of(before, ranked(swapped))
    assert "2 runs changed rank." in text and "on both sides" not in text
    assert "no run changed rank among the 60 on both sides" in page_of(before, ranked(scores | others))
    # A run that shared a place now has it to itself.
    apart = page_of(before, ranked(scores | others | {"r21": 0.7905}))
    assert "2 runs changed rank among the 60 on both sides" in apart and re.search(r"\| r20 +\| 21= +\| 21 ", apart)


def test_long_tables_are_cut_and_say_so():
    sides = [[("a", "x", f"{q:03}", None, verdict) for q in range(120)] for verdict in ("wrong", "correct")]
    text = page_of(*(results({"c@1": {"x": 1}}, rows) for rows in sides))
    assert "120 verdicts changed" in text and "The first 50 of 120 rows." in text
    assert "| 049 " in text and "| 050 " not in text


NASTY = "a|b\n# x\r\n<script>`c` [l](http://x) ![i](y)" + "z" * 200 + " *b* &lt; \\| \x1b[31m\u202e"


def test_what_comes_from_files_stays_text():
    sides = [
        results({"c@1": {"x": 1}}, [("a", "x", NASTY, None, verdict)], [("a", NASTY, "", None, None, NASTY, label)])
        for verdict, label in (("wrong", "W"), ("correct", "R"))
    ]
    text = page_of(*sides)
    rows = [line for line in text.splitlines() if line.startswith("| a ")]
    assert len(rows) == 2
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row.replace("\\\\", ""))) == 6
        assert "&amp;lt;" in row and "…" in row and len(row) < 400
    rendered = MarkdownIt("commonmark").enable("table").render(text)
    assert html.unescape(rendered).count(f"<td>{legible.short(NASTY)}</td>") == 3
    assert not {"a", "img", "em", "code", "script"} & set(re.findall(r"<(\w+)", rendered))
    # Nothing has begun a line of its own; captions do.
    lines = {line[:2] for line in text.splitlines() if line not in ("Judgments", "Verdicts")}
    assert lines <= {"", "# ", "##", "1 ", "| ", "|-"}


def test_the_report_tells_what_the_page_tells(tmp_path):
    name, folder = "<b>x</b>", tmp_path / "tiny"
    settings = report_files.SETTINGS | {"measures": ["c@1"], "previous": tmp_path / "previous/tiny"}
    campaign = Campaign("tiny", "qa", folder, settings)
    for value, verdict in ((0.1, "wrong"), (1, "correct")):
        made = results({"c@1": {name: value}}, [("a", name, "q", None, verdict)])
        tables.write(made.board.with_columns(rank=1, tied=False), folder / "leaderboard.parquet")
        write_verdicts(folder / "verdicts.npz", read_verdicts(made.parts["verdicts"]))
        changes.make(campaign, [folder / "verdicts.npz"])
    section = Section("x", "What the last change did", (Topics("changes", "changes.json"),))
    shown, *found = part.blocks_of(section, campaign)
    [said] = shown["sentences"]
    page = (folder / "changes.md").read_text()
    assert said.startswith("1 verdict changed; 1 of 1 score moved") and page.splitlines()[4] == legible.markdown(said)
    assert shown["title"] == ""
    assert [table["caption"] for table in found] == [table["folded"] for table in found] == ["Verdicts", "Scores"]
    [row] = [[html.unescape(cell) for cell in row] for row in cells.cells(found[1])]
    assert row == [name, "c@1", "0.1000", "1.0000", "+0.9000"]
    assert [column["label"] for column in found[1]["columns"]] == ["run", "measure", "before", "now", "difference"]
    assert [cell.strip() for cell in page.splitlines()[-1].split("|")[1:-1]] == [*map(legible.markdown, row)]


def test_scores_of_different_scales_are_compared_by_their_shares():
    """50 points of 100 are more than 0.4 of 1, and 30 are less."""
    for now, most in ((50.0, "50.0000 (omniscience of a)"), (30.0, "0.4000 (c@1 of a)")):
        old, new = (results({"c@1": {"a": x}, "omniscience": {"a": y}}) for x, y in ((0.5, 0.0), (0.9, now)))
        new.scales = {"omniscience": 100}
        said, _ = changes.told(old, new)
        assert f"2 of 2 scores moved, at most by {most}" in said
