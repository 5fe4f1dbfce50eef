"""The questions: how hard each is, how many runs leave it open, and how each run did on it."""

from collections import Counter

from nonresponse.pages.report.blocks import Block, sentences, widget
from nonresponse.pages.report.verdicts import of_campaign
from nonresponse.pages.sections import Campaign
from nonresponse.wording import plural

FALLBACK = "The questions one by one need JavaScript."


def blocks(campaign: Campaign) -> list[Block]:
    """What is to be said of all questions, and the list of them."""
    data = of_campaign(campaign)
    if not data["questions"] or not data["runs"]:
        return []
    return [sentences([difficulty(data), *limits(data)]), widget("questions", data, FALLBACK)]


def difficulty(data: Block) -> str:
    """How many questions every run got right, and how many none."""
    columns = [
        Counter(data["counted"][verdict] for verdict in column) for column in zip(*data["verdicts"], strict=True)
    ]
    questions = data["of"] or range(len(columns))
    of_question: dict[int, Counter] = {}
    for question, found in zip(questions, columns, strict=True):
        of_question.setdefault(question, Counter()).update(found)
    taken = [found for found in of_question.values() if found["right"] + found["wrong"] + found["open"]]
    always = sum(found["right"] > 0 == found["wrong"] + found["open"] for found in taken)
    never = sum(found["right"] == 0 for found in taken)
    silent = sum(found["open"] > 0 == found["right"] + found["wrong"] for found in taken)
    which = "the questions of the sample" if len(data["questions"]) < data["asked"] else f"{len(taken):,} questions"
    said = f"Of {which}, every run is right on {always:,}, and none on {never:,}"
    return f"{said}; all runs leave {silent:,} open." if silent else f"{said}."


def limits(data: Block) -> list[str]:
    """What the page does not have, and how what it has was chosen."""
    known, asked, shown = len(data["questions"]), data["asked"], len(data["shown"])
    seed = f"drawn at random, seed {data['seed']}"
    said = []
    if known < asked:
        said.append(f"The page holds the verdicts on {known:,} of {plural(asked, 'question')}, {seed}.")
    if 0 < shown < known:
        said.append(f"Of what the runs answered, the page holds the answers to {plural(shown, 'question')}, {seed}.")
    return said
