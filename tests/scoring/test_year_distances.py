"""How far predicted years are from the reference: tables against plain loops, sentences, and the page."""

import re
from fractions import Fraction
from statistics import median
from urllib.parse import unquote
from xml.etree import ElementTree

import polars as pl
import pytest
from drawn import joined
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import legible, measures
from nonresponse.figures import year_curves as figures
from nonresponse.judging.store import of_rows, write_verdicts
from nonresponse.scoring import year_distances
from nonresponse.scoring.score import score_verdicts
from nonresponse.stages import pages
from nonresponse.stages.params import YearsParams
from nonresponse.tasks import POLICIES
from nonresponse.topics import years
from year_campaigns import OTHER, SCHEMA, SMALL, distances, verdict_rows

# Allowed in a run's name or not: a file system takes all of them.
HOSTILE = ["<b>&amp;\"'", "];alert(1);'}", "null", "__proto__", "[x](y) | 100%20 #1? é עברית", "日" * 100]
HOSTILE += ["Null", "a\u202eb", "nul\u200bl"]


# A few years and distances, so that they coincide; bounds of decades, and as far as 1801 is from 1944.
FRAGMENT = st.one_of(
    st.tuples(
        st.sampled_from([1801, 1809, 1810, 1870, 1879, 1944]),
        st.none() | st.integers(-12, 12) | st.sampled_from([-143, -1810, 143]),
    ),
    st.just((1870, None, "error")),
)
CAMPAIGN = st.integers(1, 12).flatmap(
    lambda n: st.dictionaries(
        st.tuples(st.sampled_from("op"), st.sampled_from(["b", "a", "1"])),
        st.lists(FRAGMENT, min_size=n, max_size=n),
        min_size=1,
    )
)


SLOW = settings(deadline=None, max_examples=8)  # each example goes through a file


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """A function from a campaign and what becomes of errors to the file of its verdicts, and to their distances."""
    path = tmp_path_factory.mktemp("years") / "verdicts.parquet"

    def reading(campaign: dict, policy: str, shuffle=lambda rows: None):
        rows = [row for (assessor, run), own in campaign.items() for row in verdict_rows(assessor, run, own)]
        shuffle(rows)
        write_verdicts(path, of_rows(pl.DataFrame(rows, SCHEMA), "dating"))
        return path, year_distances.distances(path, "dating", POLICIES | {"error": policy})

    return reading


def counted(fragments: list[tuple], policy: str) -> list[tuple]:
    return [fragment[:2] for fragment in fragments if policy != "exclude" or len(fragment) == 2]


def literal_within(campaign: dict, farthest: int, policy: str) -> list[tuple]:
    rows = []
    for (assessor, run), fragments in sorted(campaign.items()):
        own = counted(fragments, policy)
        for e in range(farthest + 1):
            near = 0
            for _, distance in own:
                if distance is not None and -e <= distance <= e:
                    near += 1
            rows.append((assessor, run, e, near, near / len(own) if own else None))
    return rows


def literal_decades(campaign: dict, policy: str) -> list[tuple]:
    def decade(year: int) -> int:
        return year - year % 10

    rows = []
    for (assessor, run), fragments in sorted(campaign.items()):
        cells = {}
        for year, distance in counted(fragments, policy):
            cell = decade(year), None if distance is None else decade(year + distance)
            cells[cell] = cells.get(cell, 0) + 1
        for cell in sorted(cells, key=lambda cell: (cell[0], cell[1] is None, cell[1])):
            rows.append((assessor, run, *cell, cells[cell]))
    return rows


@pytest.mark.slow
@SLOW
@given(CAMPAIGN, st.integers(0, 15), st.sampled_from(["wrong", "unanswered", "exclude"]), st.randoms())
def test_tables_are_those_of_plain_loops_whatever_the_order(read, campaign, farthest, policy, random):
    _, found = read(campaign, policy, random.shuffle)
    within, decades = year_distances.shares_within(found, farthest), year_distances.decades(found)
    assert within.rows() == literal_within(campaign, farthest, policy)
    assert decades.rows() == literal_decades(campaign, policy)
    assert [within.schema[name] for name in ("fragments", "share")] == [pl.Int64, pl.Float64]
    assert [decades.schema[name] for name in ("decade", "predicted", "fragments")] == [pl.Int32, pl.Int32, pl.Int64]


def test_a_share_is_the_nearest_number_to_the_fraction_of_one_run_too(tmp_path):
    runs = {"a": [(1801, 0)] * 3 + [(1801, None)] * 7}
    one = year_distances.shares_within(distances(runs, tmp_path), 10)
    two = year_distances.shares_within(distances(runs | {"b": [(1801, None)] * 10}, tmp_path), 10)
    assert one["share"].to_list() == two.filter(pl.col("run") == "a")["share"].to_list() == [0.3] * 11


@pytest.mark.slow
@SLOW
@given(CAMPAIGN, st.integers(1, 15), st.sampled_from(["wrong", "exclude"]))
def test_the_area_is_the_mean_of_the_affine_similarity_and_the_measure(read, campaign, farthest, policy):
    path, found = read(campaign, policy)
    areas = {
        row[:2]: row[2] for row in year_distances.by_run(found, farthest).select("assessor", "run", "area").iter_rows()
    }
    for key, fragments in campaign.items():
        own = counted(fragments, policy)
        similar = [max(Fraction(0), 1 - Fraction(abs(d), farthest)) for _, d in own if d is not None]
        assert areas.pop(key) == (float(sum(similar) / len(own)) if own else None)
    assert not areas
    scores, _ = score_verdicts(measures.get("dating", f"auc@{farthest}"), path, POLICIES | {"error": policy})
    table = year_distances.by_run(found, farthest).sort("assessor", "run")
    assert scores["value"].to_list() == pytest.approx(table["area"].to_list(), abs=1e-15)


@pytest.mark.slow
@SLOW
@given(CAMPAIGN, st.sampled_from(["wrong", "exclude"]))
def test_the_table_of_runs_is_that_of_plain_loops(read, campaign, policy):
    table = year_distances.by_run(read(campaign, policy)[1], 10)
    for row in table.iter_rows(named=True):
        own = counted(campaign[row["assessor"], row["run"]], policy)
        known = [distance for _, distance in own if distance is not None]
        same = [year // 10 == (year + distance) // 10 for year, distance in own if distance is not None]
        assert (row["n"], row["abstained"]) == (len(own), len(own) - len(known))
        assert row["same_decade"] == (sum(same) / len(own) if own else None)
        assert row["median"] == (median(map(abs, known)) if known else None)
        assert row["mean"] == (sum(known) / len(known) if known else None)
    order = [
        (assessor, 1 if area is None else -area, run)
        for assessor, run, area in table.select("assessor", "run", "area").rows()
    ]
    assert order == sorted(order)


def test_no_run_and_no_year_is_left_out(tmp_path):
    table = year_distances.shares_within(distances({"none": [(1801, None)], "far": [(1801, 143)]}, tmp_path), 2)
    assert table.drop("assessor").rows() == [
        *[("far", e, 0, 0.0) for e in range(3)],
        *[("none", e, 0, 0.0) for e in range(3)],
    ]
    excluded = distances({"failed": [(1801, None, "error")]}, tmp_path, POLICIES | {"error": "exclude"})
    assert year_distances.shares_within(excluded, 1).drop("assessor").rows() == [
        ("failed", 0, 0, None),
        ("failed", 1, 0, None),
    ]
    assert year_distances.decades(excluded).is_empty()


SILENT = {"sim03": [(1874, None), (1810, None), (1875, None), (1879, None), (1801, None)]}


def sentences(runs: dict, folder, farthest: int = 10) -> list[str]:
    """Of all runs, then two of each, the best run first."""
    found = distances(runs, folder)
    curves, decades = year_distances.shares_within(found, farthest), year_distances.decades(found)
    said = [years.of_all(year_distances.by_run(found, farthest), curves, farthest)]
    for row in year_distances.by_run(found, farthest).iter_rows(named=True):
        own = pl.col("run") == row["run"]
        said.append(years.of_run(row, curves.filter(own), farthest))
        said.append(years.of_decades(row, decades.filter(own)))
    return said


def test_sentences(tmp_path):
    near = "is within 5 years for 60 % of the fragments and within 10 years for 80 %; it predicts no year for 20 %."
    confused = "puts 60 % of the fragments into the right decade; its commonest confusion is"
    one = f"{confused} the 1870s taken for the 1880s (1 fragment)."
    assert sentences(SMALL, tmp_path) == [f"sim01 {near}", near, one]
    assert sentences(SMALL | OTHER, tmp_path) == [
        "sim01 has the highest auc@10, 0.580; the runs are within 5 years for 40 % to 60 % of the fragments"
        " and predict no year for 20 % to 60 %.",
        *[near, one],
        "is within 5 years for 40 % of the fragments and within 10 years for 40 %; it predicts no year for 60 %.",
        "puts 20 % of the fragments into the right decade; its commonest confusion is"
        " the 1810s taken for the 1800s (1 fragment).",
    ]
    assert sentences(SILENT, tmp_path) == ["sim03 predicts no year.", "predicts no year.", "predicts no year."]
    assert sentences(SILENT | {"sim04": SILENT["sim03"]}, tmp_path)[0] == "No run predicts a year."
    exact = "right to the year for 100 % of the fragments"
    near = f"is {exact} and within 1 year for 100 %."
    right = "puts 100 % of the fragments into the right decade and none into a wrong one."
    assert sentences({"a": [(1801, 0), (1810, 0)], "b": [(1801, 0), (1810, 0)]}, tmp_path, 1) == [
        f"a and b have the highest auc@1, 1.000; the runs are {exact}.",
        *[near, right, near, right],
    ]
    ties = sentences({"a": [(1809, 1), (1810, -1)]}, tmp_path)[2]
    assert ties.endswith(
        "commonest confusions are the 1800s taken for the 1810s and the 1810s taken for the 1800s (1 fragment each)."
    )


def write(folder, verdicts, **told) -> None:
    """All that the campaign's job writes, with a second assessor who is not official."""
    settings = {"policy": POLICIES, "year_range": {"first": 1801, "last": 1944, "farthest": 10}} | told
    named = {"name": "dating", "task": "dating", "title": None, "simulated": None, "official": "o", "measures": []}
    pages.years(verdicts, out=[folder / "years.md"], params=YearsParams(**named | settings))


@pytest.mark.slow
def test_the_same_bytes_are_written_twice(tmp_path):
    distances(SMALL | OTHER, tmp_path)
    written = []
    for name in ("first", "second"):
        write(tmp_path / name, tmp_path / "verdicts.npz")
        folder = tmp_path / name
        written.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")})
    assert written[0] == written[1]
    assert "dating: how near" in (tmp_path / "first/years.md").read_text()


@pytest.mark.slow
def test_tables_figures_and_a_page_for_any_names(tmp_path):
    rows = [row for run in HOSTILE for row in verdict_rows("o", run, SMALL["sim01"])]
    rows += verdict_rows("p", "of another", OTHER["sim02"])
    write_verdicts(tmp_path / "verdicts.npz", of_rows(pl.DataFrame(rows, SCHEMA), "dating"))
    title, folder = "<script>alert(1)</script>", tmp_path / "results"
    write(folder, tmp_path / "verdicts.npz", title=title, simulated=True)
    found = year_distances.distances(tmp_path / "verdicts.npz", "dating", POLICIES)
    assert pl.read_parquet(folder / "years/within.parquet").equals(year_distances.shares_within(found, 10))
    assert pl.read_parquet(folder / "years/decades.parquet").equals(year_distances.decades(found))
    files = {path.name for path in (folder / "years").glob("*.svg")}
    assert len(files) == 1 + 2 * len(HOSTILE) and "within-__proto__.svg" in files
    # Not even where a file system does not tell capitals apart.
    assert len({name.casefold() for name in files}) == len(files) and all(name.isprintable() for name in files)
    pictures = {name: joined(ElementTree.parse(folder / "years" / name).getroot()) for name in files}
    assert all("(simulated data)" in text for text in pictures.values())
    text = (folder / "years.md").read_text()
    headings = [f"{title} (simulated data): how near the years come", "All runs", *map(legible.short, HOSTILE)]
    found = re.findall("^#+ (.*)$", text, re.MULTILINE)
    assert found[:2] == [legible.markdown(name) for name in headings[:2]]
    assert sorted(found) == sorted(map(legible.markdown, headings)) and "of another" not in text
    linked = [unquote(path) for path in re.findall(r"^!\[.*\]\((\S+)\)$", text, re.MULTILINE)]
    assert {f"years/{name}" for name in files} == set(linked) and len(linked) == len(files)
    assert "<script" not in text and "<b>" not in text
    rows = [line for line in text.splitlines() if "0.5800" in line and line.startswith("|")]
    cells = [re.split(r"(?<!\\)\|", row)[2:-1] for row in rows]
    expected = "0.5800 5 1 0.400 0.600 0.600 0.600 0.800 0.600 0.5 2.3"
    assert [" ".join(map(str.strip, row)) for row in cells] == [expected] * len(HOSTILE)


def test_only_the_best_runs_have_figures_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(years, "MOST", 2)
    runs = {f"sim{number}": [(1850, 0)] * number + [(1850, None)] * (4 - number) for number in range(4)}
    years.write(tmp_path, "Dating", distances(runs, tmp_path), 10, (1801, 1944))
    text = (tmp_path / "years.md").read_text()
    assert "The best 2 of the 4 runs have figures of their own." in text
    assert re.findall("^## (.*)$", text, re.MULTILINE) == ["All runs", "sim3", "sim2"]
    assert len(list((tmp_path / "years").glob("*.svg"))) == 1 + 2 * years.MOST
    root = ElementTree.parse(tmp_path / "years/within-sim3.svg").getroot()
    assert "Grey: the others of the best 2 runs." in joined(root)
    assert [part.get("stroke") for part in root.iter()].count(figures.OTHERS) == 1
    assert text.count("| sim") == 4


def test_a_run_all_of_whose_fragments_are_excluded(tmp_path):
    runs = SMALL | {"failed": [(1801, None, "error")] * 5}
    years.write(tmp_path, "Dating", distances(runs, tmp_path, POLICIES | {"error": "exclude"}), 10, (1801, 1944))
    text = (tmp_path / "years.md").read_text()
    assert text.startswith("# Dating: how near the years come\n\n## All runs\n\nsim01 is within 5 years for 60 %")
    row = next(line for line in text.splitlines() if line.startswith("| failed"))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == ["–", "0", "0", *"––––––––"]
    assert "failed has no fragment that counts." in text
    assert not (tmp_path / "years/decades-failed.svg").exists() and "decades-failed" not in text


def test_no_two_runs_share_a_file_whatever_they_are_called():
    first = years.names_of_files(["a", "A", "b", "n" * 300, "c\u200b"])
    assert first["b"] == "b" and re.fullmatch("a-[0-9a-f]{12}", first["a"]) and re.fullmatch("A-.*", first["A"])
    # A run whose name is that of another run's file.
    names = [*first, first["a"], first["A"].lower(), first["n" * 300]]
    found = years.names_of_files(names)
    assert len({name.casefold() for name in found.values()}) == len(names)
    assert max(len(name.encode()) for name in found.values()) <= years.LONGEST
