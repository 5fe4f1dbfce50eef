"""What was judged the last time changes no verdict: after any edits, the bytes are those of judging
anew."""

import random
from pathlib import Path

import databases
import polars as pl
import pytest
from nonresponse import judging, tables

QUESTIONS = [f"q{number}" for number in range(8)]


class Files:
    """The tables of a random campaign in three shards, written to a folder."""

    def __init__(self, folder: Path, draw: random.Random):
        self.folder, self.draw = folder, draw
        self.several = draw.random() < 0.3  # answers to a question
        self.assessors = ["a", "b"][: draw.randint(1, 2)]
        self.by_document = draw.random() < 0.3
        self.runs = {f"r{number}": self.run() for number in range(6)}
        self.shards = {run: draw.randrange(3) for run in self.runs}
        self.judged = {
            (who, q, x): draw.choice("RWU")
            for who in self.assessors
            for q in QUESTIONS
            for x in "xyz"
        }

    def run(self) -> list[dict]:
        """Responses of a run; some questions it leaves out."""
        rows = []
        for question in QUESTIONS:
            for rank in range(1, self.draw.choice([0, 1, 1, 1, 3 if self.several else 1]) + 1):
                answer = self.draw.choice(["x", "y", "z", None])
                answered = {"answer": answer, "answered": answer is not None}
                own = {"nil": answer == "z", "confidence": self.draw.choice([None, 0.25, 0.5])}
                rows.append({"question": question, "rank": rank, "document": "d"} | answered | own)
        return rows

    def edit(self) -> None:
        """Turn, drop or add a judgment; add, drop or replace a run, or move it to another shard."""
        draw, run = self.draw, self.draw.choice([*self.runs])
        match draw.randrange(7):
            case 0 | 1:
                self.judged[draw.choice([*self.judged])] = draw.choice("RWU")
            case 2:
                del self.judged[draw.choice([*self.judged])]
            case 3:
                self.judged[draw.choice(self.assessors), draw.choice(QUESTIONS), "new"] = "R"
            case 4:
                self.runs[f"new{len(self.runs)}"] = self.run()
                self.shards[f"new{len(self.runs) - 1}"] = draw.randrange(3)
            case 5 if len(self.runs) > 2:
                del self.runs[run]
            case _:
                self.runs[run] = self.run()

    def write(self) -> dict[str, list[Path]]:
        """Write the tables; return their files."""
        for shard in range(3):
            rows = [
                {"run": run} | row
                for run in sorted(self.runs)
                if self.shards[run] == shard
                for row in self.runs[run]
            ]
            frame = pl.DataFrame(
                rows, {**tables.RESPONSES, "question": pl.String, "run": pl.String}, orient="row"
            )
            tables.write(
                tables.complete(frame, tables.RESPONSES), self.folder / f"responses/{shard}.parquet"
            )
        named = "document" if self.by_document else "answer"
        judged = [
            {
                "assessor": who,
                "question": question,
                named: "d" if self.by_document else answer,
                "label": label,
            }
            for (who, question, answer), label in sorted(self.judged.items())
        ]
        judged = tables.complete(pl.DataFrame(judged), tables.JUDGMENTS)
        tables.write(
            judged.unique(tables.JUDGMENTS_KEY, maintain_order=True),
            self.folder / "judgments.parquet",
        )
        asked = tables.complete(pl.DataFrame({"question": QUESTIONS}), tables.QUESTIONS)
        tables.write(asked, self.folder / "questions.parquet")
        return judging.source_tables(self.folder, [0, 1, 2], False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_verdicts_are_the_same_with_a_memo_and_without(tmp_path, monkeypatch, seed):
    monkeypatch.setattr("duckdb.connect", databases.unoptimised)
    files, memo = Files(tmp_path, random.Random(seed)), tmp_path / "memo.npz"
    for _ in range(6):
        made = {}
        for name, kept in (("with", memo), ("without", None)):
            judging.judge(
                "qa",
                files.write(),
                tmp_path / f"{name}.npz",
                kept,
                "code",
                correct=["R"],
                partial=["U"],
            )
            made[name] = (tmp_path / f"{name}.npz").read_bytes()
        assert made["with"] == made["without"]
        files.edit()
        if files.draw.random() < 0.2:  # a memo may be damaged
            content = bytearray(memo.read_bytes())
            content[files.draw.randrange(len(content))] ^= 1
            memo.write_bytes(content)


def test_only_what_changed_is_judged_again(tmp_path, monkeypatch):
    files, seen = Files(tmp_path, random.Random(1)), []
    answers = judging.import_module("nonresponse.judging.answers")
    judge = answers.judge

    def judge_and_note(connection, cells, rows):
        seen.append(tables.spelt(rows.collect()))
        judge(connection, cells, rows)

    monkeypatch.setattr(answers, "judge", judge_and_note)

    def judged() -> pl.DataFrame:
        seen.clear()
        judging.judge(
            "qa",
            files.write(),
            tmp_path / "verdicts.npz",
            tmp_path / "memo.npz",
            "code",
            correct=["R"],
        )
        return pl.concat(seen) if seen else pl.DataFrame({"run": [], "question": []})

    assert judged()["run"].n_unique() == len(files.runs)
    assert judged().is_empty()
    who = files.assessors[0]
    files.judged[who, "q3", "x"] = "R" if files.judged[who, "q3", "x"] != "R" else "W"
    assert set(judged()["question"]) == {"q3"}
    files.runs["r0"] = files.run()
    assert set(judged()["run"]) == {
        run for run in files.runs if files.shards[run] == files.shards["r0"]
    }
