"""The first runs of every leaderboard on one page, in Markdown."""

from dataclasses import replace
from pathlib import Path

from nonresponse import legible
from nonresponse.pages import document
from nonresponse.pages.blocks import read_topics


def page(results: Path, campaigns: list[dict], top: int) -> str:
    """The page in Markdown, with `top` rows of each leaderboard; `campaigns` are as the stage `summary` takes them."""
    lines = []
    for campaign in campaigns:
        folder = results / campaign["name"]
        topic = read_topics(folder / "leaderboard.json")["leaderboard"]
        [board] = topic.tables
        # The first rows, without intervals and differences, and only the note on measures left out.
        columns = [c for c in board.columns if c.kind not in ("interval", "delta")]
        lacking = [note for note in board.notes if note.about == "lacking"]
        first = replace(board, rows=board.rows[:top], columns=columns, caption="", notes=lacking, whole=0)
        heading = document.heading(campaign["name"], campaign.get("title"), campaign.get("simulated", False))
        more = f"{len(board.rows) - top} more runs and the notes" if len(board.rows) > top else "The notes"
        lines += [f"## {legible.markdown(heading)}", *map(legible.markdown, topic.sentences)]
        lines.append(document.markdown_table(first))
        if notes := read_topics(folder / "check.json")["notes"].sentences:
            lines.append("\n".join(f"- {legible.markdown(note)}" for note in notes))
        lines += [f"{more}: {folder}/leaderboard.md"]
        if campaign["analyses"]:
            lines.append(f"How far the scores can be trusted, by all measures: {folder}/reliability.md")
    return "\n\n".join(lines) + "\n"
