"""Writes every response with its state, the reason for it, and its text: responses.parquet and
responses.jsonl."""

from pathlib import Path

from nonresponse.database import connect, copy
from nonresponse.judging.store import read_verdicts
from nonresponse.tables import replacing

PARQUET, JSONL = "responses.parquet", "responses.jsonl"
# The text of first answers: of graded responses from tables.TEXTS, of runs from their responses
TEXTS = {
    "texts": "SELECT * FROM sources WHERE rank = 1",
    "responses": """
SELECT DISTINCT ON (run, question, epoch, pair)
    run, question, epoch, pair AS candidate, text AS answer,
    NULL::VARCHAR AS asked, NULL::VARCHAR AS target,
    NULL::VARCHAR AS explanation, NULL::VARCHAR AS metadata
FROM (
    SELECT
        run, question, epoch,
        CASE WHEN {pairs} THEN candidate ELSE '' END AS pair,
        CASE WHEN answered AND nil THEN 'NIL' WHEN answered THEN coalesce(answer, document)
            WHEN NOT {pairs} THEN candidate END AS text
    FROM sources WHERE rank = 1
)
ORDER BY ALL""",
}


def write_responses(
    folder: Path,
    verdicts: Path,
    sources: dict[str, list[Path]],
    assessor: str | None,
    field: str,
    pairs: bool,
) -> None:
    """Write both files into the folder of a campaign, sorted by run and question.

    `sources` has the files of texts (tables.TEXTS) or responses, of ruled and, for graded
    responses, of imports. `assessor` is the official one, None if there is only one; `field` names
    what decided on a response, where no log names a measure. DuckDB holds the rows and texts, and
    spills what does not fit into memory.
    """
    connection, [source] = connect(), [name for name in TEXTS if name in sources]
    store = read_verdicts(verdicts)
    official = store.official(assessor)
    columns = [*store.columns]
    store.add_rows(connection, columns, official)
    connection.execute("CREATE TABLE imports (run VARCHAR, measure VARCHAR)")
    for name, paths in sources.items():
        rows = connection.read_parquet([str(path) for path in paths])
        if name == "imports":
            rows.select("run, measure").insert_into(name)
        else:
            rows.create_view("sources" if name == source else name)
    variables = {"campaign": folder.name, "official": official, "field": field}
    for name, value in variables.items():
        connection.execute(f"SET VARIABLE {name} = $1", [value])
    # Words of the program only, never anything read from a file
    placeholders = {
        "texts": TEXTS[source].replace("{pairs}", str(pairs)),
        "answer": "coalesce(v.answer, t.answer)" if "answer" in columns else "t.answer",
        "epoch": "v.epoch" if "epoch" in columns else "0",
        "rightful": "v.rightful" if "rightful" in columns else "FALSE",
    }
    query = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    for name, value in placeholders.items():
        query = query.replace("{" + name + "}", value)
    connection.execute(query)
    copy(connection, "SELECT * FROM exported", folder / PARQUET)
    rows = connection.read_parquet(str(folder / PARQUET))
    rows.create_view("written")
    fields = rows.select("metadata").types[0].children
    # Text, as the schema wants it
    entries = ", ".join(f"{{'k': '{name}', 'v': metadata.{name}}}" for name, _ in fields)
    metadata = f"map_from_entries(list_filter([{entries}], lambda entry: entry.v IS NOT NULL))"
    with replacing(folder / JSONL) as part:
        path = str(part).replace("'", "''")
        query = f"SELECT * REPLACE ({metadata} AS metadata) FROM written"
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT json)")
