"""Claims of DEFT 2011 on its own measures: identities; the sentences are translated from the French."""

from fractions import Fraction

from nonresponse import measures
from nonresponse.pages.claims import Data, Found, Source, of_both, score
from nonresponse.pages.fidelity import similarities
from nonresponse.pages.published import DEFT

WIDTH = 10  # E, and the integral of the similarity
FARTHEST = 143  # years from 1801 to 1944
TABLE = "deft-2011-table-1"

SOURCE = Source("DEFT 2011")
claim = SOURCE.claim


@claim("task A, 2.1", "The integral of the similarity is 10.")
def integral(data: Data) -> Found:
    total = sum(similarities(DEFT, range(-FARTHEST, FARTHEST + 1)))
    evidence = f"over steps of a year, from -{FARTHEST} to {FARTHEST}: {total:.10f}"
    return Found(evidence, computed=abs(total - WIDTH) < 1e-9)


@claim("task A, table 1", "The values from -15 to 15 years sum to 10.")
def sum_of_the_table(data: Data) -> Found:
    values = [Fraction(row["similarity"]) for row in data.rows(TABLE)]
    total = 2 * sum(values) - values[0]
    return Found(f"the printed ones sum to {float(total):.3f}", printed=total == WIDTH)


@claim("task A, 3", "AUC is between 0 and 1, which is reached by exact dates throughout.")
def range_of_auc(data: Data) -> Found:
    """Eq. 7 sums from e = 0 up to E, auc@10 up to E - 1."""
    highest = [Fraction(sum(e >= 0 for e in range(last + 1)), WIDTH) for last in (WIDTH, WIDTH - 1)]
    whole, short = (f"{float(value):g}" for value in highest)
    evidence = f"with the sum up to e = E, as printed, {whole}; up to E - 1, as auc@10, {short}"
    return of_both(evidence, (value == 1 for value in highest))


@claim("task A, 3", "AUC is the mean of the affine similarity, 1 - distance / E below E and 0 beyond.")
def affine(data: Data) -> Found:
    far = range(FARTHEST + 1)
    curves = [[Fraction(sum(d <= e for e in range(last + 1)), WIDTH) for d in far] for last in (WIDTH, WIDTH - 1)]
    similarity = [max(Fraction(0), 1 - Fraction(d, WIDTH)) for d in far]
    apart = [sum(one != other for one, other in zip(curve, similarity, strict=True)) for curve in curves]
    evidence = f"of {len(far)} distances {apart[0]} differ with the sum up to e = E, as printed, {apart[1]} up to E - 1"
    return of_both(evidence, (number == 0 for number in apart))


@claim("task A, 3", "For an integral of 10 the affine similarity takes E = 10: two triangles with an area of 5 each.")
def triangles(data: Data) -> Found:
    areas = {end: Fraction(2 * end, 2) for end in range(1, 21)}  # twice half of base E times height 1
    [end] = [end for end, area in areas.items() if area == WIDTH]
    return Found(f"the area is 10 at E = {end}", computed=end == WIDTH)


@claim("task B, 2.1", "With one response to each abstract, precision, recall and correctness are the same.")
def one_response_each(data: Data) -> Found:
    """Also checks that the claim is not true if some abstracts have no response."""
    right, abstracts = 60, 200
    same = {}
    for given in (abstracts, 150):
        precision = score("qa", "precision_answered", n_ac=right, n_aw=given - right)
        same[given] = precision == measures.get("matching", "s")(similarity=Fraction(right), n=abstracts)
    evidence = f"{right} right of {abstracts} responses: the same; not so of {150} responses to {abstracts} abstracts"
    return Found(evidence, computed=same[abstracts] and not same[150])
