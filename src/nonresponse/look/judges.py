"""Which yes-no columns judge the answers of a table, by their content."""

import polars as pl

from nonresponse.faults import OWN_VERDICT, Fault, listed
from nonresponse.formats.roles import called, parts
from nonresponse.look import keys
from nonresponse.look.names import DESCRIBING, JUDGING, in_doubt, is_flag, judging
from nonresponse.look.words import different, may_be_answers, meanings, verdict
from nonresponse.wording import plural

PEOPLE = ("human", "expert", "gold", "final", "official", "adjudicated", "consensus", "majority")
ANSWERS = ("answer", "answers", "response", "responses", "prediction", "output")
AGREED = 0.3  # Cohen's kappa from which two columns judge the same thing
FEW = 8  # rows needed for agreement to mean anything
EQUAL = 0.9  # a judge has to call at least this share of the answers that equal the right one right


def among(
    frame: pl.DataFrame, question: str, names: list[str], gold: str | None, answer: str | None
) -> list[str] | Fault:
    """The columns that judge answers, in the order of `names`; a fault where neither name nor content decides it.

    Columns whose name leaves it in doubt are none of them, even if two such columns agree; nor those against the key.
    """
    others = {called(names, role) for role in ("run", "category", "confidence", "has_answer", "cluster", "options")}
    may = [name for name in names if name not in others and not {*parts(name)} & {*DESCRIBING} and not is_flag(name)]
    said = {name: said for name in may if (said := right_of(frame[name])) is not None}
    said = {name: one for name, one in said.items() if not of_question(frame[question], one)}
    sure = {name: one for name, one in said.items() if not in_doubt(name, different(frame[name]))}
    sure = {name: one for name, one in sure.items() if not (gold and answer and against(frame, one, gold, answer))}
    named = [name for name, one in said.items() if judging(name) and one.drop_nulls().n_unique() > 1]
    known = [name for name in sure if gold and answer and follows(frame, said[name], gold, answer)]
    known += [one for one in sure for other in sure if one != other and agree(said[one], said[other])]
    doubted = [name for name in named if name not in sure]
    if (doubted or (said and answer)) and not sure.keys() & {*named, *known}:
        beside, all_of, them = ("answers, and ", [*said], "them") if answer else ("", doubted, "answers")
        found = f"{beside}yes and no in {listed(all_of)}, which may judge {them} or say something else"
        return Fault("", 0, found, f"{OWN_VERDICT}, or no such column")
    known = [name for name in said if name in (*named, *known)]
    alone = [one for one in known if not any(agree(said[one], said[other]) for other in known if other != one)]
    people = any(is_of_people(name) for name in known if name in sure)
    if len(known) > 1 and alone and frame.height >= FEW and not people:
        which = f"of which {listed(alone)} agree with no other, and may judge other things"
        expected = f"{OWN_VERDICT} or `assessors:`"
        return Fault("", 0, f"yes and no in {listed(known)}, {which}", expected)
    return [name for name in known if name in sure]


def right_of(values: pl.Series) -> pl.Series | None:
    """A column of right and wrong as booleans, empty fields null; null for a column with any other words."""
    words = different(values)
    if not words or any(len(word) == 1 and word.isalpha() for word in words) or not meanings(words):
        return None
    meant = {word: verdict(word) == "correct" for word in words}
    if any(verdict(word) not in ("correct", "wrong") for word in words):
        return None
    return values.replace_strict(meant, default=None, return_dtype=pl.Boolean)


def finer(frame: pl.DataFrame, verdict: str, names: list[str]) -> str | Fault | None:
    """A column with more detailed verdicts that agrees with the column `verdict` (yes and no), or null.

    It judges each response that the other judges, and calls some right if the other does, since otherwise right answers
    would be lost. A column without a word for silence has to agree on FEW rows or more, since it may be another
    judge's. A fault if one that has such a word, and is named like a judge, differs on which responses are right, or
    lacks some.
    """
    right = right_of(frame[verdict])
    for name in names if right is not None else ():
        words = different(frame[name])
        meant, *other = meanings(words) or [{}]
        named = judging(name) or called([name], "verdict")
        silent = "unanswered" in meant.values()
        if not meant or other or (may_be_answers(words) and not (named and silent)):
            continue
        said = frame[name].replace_strict(meant, default=None, return_dtype=pl.String)
        rows = pl.DataFrame({"right": right, "said": said}).filter(pl.col("right").is_not_null())
        both = rows.drop_nulls().filter(pl.col("said") != "partial")
        differ = int((both["right"] != (both["said"] == "correct")).sum())
        if differ and silent and named:
            found = f"verdicts in {listed([verdict, name])}, of which only one calls {plural(differ, 'response')} right"
            return Fault("", 0, found, OWN_VERDICT)
        knows_right = "correct" in meant.values()
        if lacking := rows["said"].null_count():
            if silent and named and knows_right:
                found = f"verdicts in {listed([verdict, name])}, of which the latter lacks {lacking:,}"
                return Fault("", 0, found, OWN_VERDICT)
        elif (knows_right or not rows["right"].any()) and both.height >= (1 if silent else FEW) and not differ:
            return name
    return None


def of_question(asked: pl.Series, said: pl.Series) -> bool:
    """Whether a column describes questions: FEW or more have several rows, and each has one value on all its rows."""
    each = pl.DataFrame({"asked": asked, "said": said}).drop_nulls().group_by("asked")
    of = each.agg(pl.len().alias("rows"), pl.col("said").n_unique().alias("different"))
    several = of.filter(pl.col("rows") > 1)
    return several.height >= FEW and not (several["different"] > 1).any()


def follows(frame: pl.DataFrame, said: pl.Series, gold: str, answer: str) -> bool:
    """Whether a column calls nearly all answers that equal the key right, and a smaller share of the others."""
    of_equal, of_others = by_key(frame, said, gold, answer)
    fits = bool(len(of_equal)) and share(of_equal) >= EQUAL
    return fits and (not len(of_others) or share(of_others) < share(of_equal))


def against(frame: pl.DataFrame, said: pl.Series, gold: str, answer: str) -> bool:
    """Whether a column calls a smaller share of the answers that equal the key right than of the others."""
    of_equal, of_others = by_key(frame, said, gold, answer)
    return bool(len(of_equal) and len(of_others)) and share(of_equal) < share(of_others)


def by_key(frame: pl.DataFrame, said: pl.Series, gold: str, answer: str) -> tuple[pl.Series, pl.Series]:
    """What a column says of the answers that equal the key, and of the others."""
    equal = frame.select((keys.same(answer) == keys.same(gold).alias("gold")).fill_null(False)).to_series()
    return said.filter(equal).drop_nulls(), said.filter(~equal).drop_nulls()


def share(values: pl.Series) -> float:
    """The share of true values."""
    return int(values.sum()) / len(values)


def agree(one: pl.Series, other: pl.Series) -> bool:
    """Whether two columns of booleans agree better than by chance (AGREED), on FEW rows or more."""
    both = pl.DataFrame({"one": one, "other": other}).drop_nulls()
    if both.height < FEW:
        return False
    same, one_true, other_true = share(both["one"] == both["other"]), share(both["one"]), share(both["other"])
    chance = one_true * other_true + (1 - one_true) * (1 - other_true)
    return chance < 1 and (same - chance) / (1 - chance) >= AGREED


def of_systems(names: list[str], columns: list[str]) -> list[str]:
    """The columns that judge answers of several systems, as a_correct and b_correct beside a_answer; else empty."""
    given = {bare(name, ANSWERS) for name in columns if {*parts(name)} & {*ANSWERS}}
    own = [name for name in names if judging(name) and bare(name, JUDGING) in given - {()}]
    return own if len({bare(name, JUDGING) for name in own}) > 1 else []


def bare(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name, without `words`."""
    return tuple(word for word in parts(name) if word not in words)


def official(names: list[str]) -> str:
    """The judge that is, by its name, people or their agreement; else the first judge."""
    return next((name for word in PEOPLE for name in names if any(word in part for part in parts(name))), names[0])


def is_of_people(name: str) -> bool:
    """Whether a column is named as what people said, or their agreement."""
    return any(word in part for word in PEOPLE for part in parts(name))
