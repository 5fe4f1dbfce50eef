"""Which runs may be the best at each price of a wrong answer, at all prices together.

At price c a run is worth right - c wrong, shares of the questions, and silence 0. Here a price is given as the
confidence t = c / (1 + c) from which on an answer pays, and a worth as (1 - t) right - t wrong, so that t = 1, where
wrong answers alone count, is a price like any other. Silence is a candidate, too: the last one.
"""

import numpy as np
from scipy.special import ndtr

from nonresponse.reliability.compared import SAME
from nonresponse.reliability.pseudo_values import centred, summable
from nonresponse.reliability.sign_flips import RARE, signed_sums

# The prices at which flips are evaluated: 0, prices a factor of √2 apart, between which leads hardly change, and
# infinity.
TESTED = np.array([0.0, *(1 / (1 + 2.0 ** (-step / 2)) for step in range(-8, 13)), 1.0])
LEADS = 2e9  # to evaluate at most; the more runs may be the best, the fewer flips
FEWEST = 999  # flips
MOST = 1000  # runs that are tested: all leads between 5,000 that are alike would take ten minutes
HALVINGS = 50  # in search of a saddlepoint
NEAR = 0.01  # standard errors; a saddlepoint nearer to 0 makes p 0.5


def contenders(right: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """Return which runs are tested, by their places in order: all, or the MOST that rank highest at some price.

    right and wrong are shares (runs,).
    """
    if len(right) <= MOST:
        return np.arange(len(right))
    highest = np.full(len(right), len(right))
    for price in TESTED:
        order = np.argsort(price * wrong - (1 - price) * right, kind="stable")
        highest[order] = np.minimum(highest[order], np.arange(len(right)))
    return np.sort(np.argsort(highest, kind="stable")[:MOST])


def may_be_best(
    right: tuple[np.ndarray, np.ndarray],
    wrong: tuple[np.ndarray, np.ndarray],
    prices: np.ndarray,
    seed: int,
    campaign: str,
    flips: int,
    level: float,
) -> np.ndarray:
    """Whether each run, and last silence, may be the best at each price: bool (prices, runs + 1).

    right and wrong are a score (runs,) and its pseudo-values (runs, questions) each, prices confidences (prices,). With
    probability 1 - level, the truly best candidate is kept at all prices at once. A run is ruled out at a price if

    - another candidate leads it by more than the largest lead over it, at any price, in all but a share `level` of the
      flips (Hsu 1984, one-sided; leads in standard errors and flips as in sign_flips.behind); and
    - that candidate is also ahead by the bound of Gaffke (2005) for a mean of bounded values, at level / candidates,
      with one more question on which the leader does its worst (for shares: the bound of Clopper and Pearson, 1934).

    Flips alone fail if a few wrong answers are expensive: 20 right answers out of 20 do not vary in any flip.
    """
    candidates = len(right[0]) + 1
    leads = Leads(right, wrong, np.arange(candidates))
    # By Hoeffding's inequality a flip of one pair reaches u with a probability of exp(-u² / 2) at most. A candidate far
    # enough behind at all prices is ruled out without flips, and is never the one farthest ahead of another.
    nearest = np.min([leads.seen(price)[0] for price in TESTED], axis=0)
    near = np.flatnonzero(nearest**2 <= 2 * np.log(candidates * len(TESTED) / RARE))
    seen = (leads.seen(price, near) for price in prices)
    farthest, leader = (np.array(found) for found in zip(*seen, strict=True))
    contest = Leads(right, wrong, near)
    flips = int(min(flips, max(FEWEST, LEADS / len(near) ** 2 / len(TESTED))))
    reached = contest.flipped(seed, campaign, flips)
    # The truly best run may change with the price: leads over any run observed as the best at some price count, too.
    of_best = np.sort(reached[[contest.best(price) for price in TESTED]].max(axis=0))
    possible = np.zeros((len(prices), candidates), bool)
    for place, run in enumerate(near.tolist()):
        below = (np.searchsorted(its, farthest[:, place] * (1 - SAME)) for its in (np.sort(reached[place]), of_best))
        as_far = flips - np.minimum(*below)
        possible[:, run] = (1 + as_far) / (1 + flips) > level
        for other in np.unique(leader[~possible[:, run], place]).tolist():
            at = np.flatnonzero(~possible[:, run] & (leader[:, place] == other))
            ahead, mistakes = (psi[other] - psi[run] for psi in leads.psi)
            # On the additional question the leader is wrong and the other run right; silence is neither.
            worst = -(1 - prices[at]) * (run < candidates - 1) - prices[at] * (other < candidates - 1)
            possible[at, run] = p_by_itself(ahead, mistakes, prices[at], worst) * (len(near) - 1) > level
    return possible


class Leads:
    """The leads of candidates over one another, in standard errors."""

    def __init__(
        self, right: tuple[np.ndarray, np.ndarray], wrong: tuple[np.ndarray, np.ndarray], chosen: np.ndarray
    ) -> None:
        """`chosen`: the candidates by index; the index after the last run is silence."""
        self.right, self.wrong = (np.append(score, 0)[chosen] for score, _ in (right, wrong))
        self.psi = [np.vstack([psi, np.zeros(psi.shape[1])])[chosen] for _, psi in (right, wrong)]
        self.questions = self.psi[0].shape[1]
        of_right, of_wrong = map(centred, self.psi)
        self.of_right, self.of_wrong = (apart(part.T @ part) for part in (of_right, of_wrong))
        self.of_both = apart(of_right.T @ of_wrong)

    def squares(self, price: float, led: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The sum of squares of the differences from their mean, for every two: (candidates led, candidates)."""
        parts = (1 - price) ** 2 * self.of_right[led], price**2 * self.of_wrong[led]
        squares = parts[0] + parts[1] - 2 * price * (1 - price) * self.of_both[led]
        return np.where(squares > SAME * (parts[0] + parts[1] + SAME), squares, 0)

    def seen(self, price: float, led: np.ndarray | slice = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        """The largest lead over each of some candidates, and who has it, (candidates led,) each."""
        worth = (1 - price) * self.right - price * self.wrong
        ahead = worth - worth[led, None]  # a row for each candidate that is led
        ahead[np.abs(ahead) < SAME] = 0
        with np.errstate(invalid="ignore"):
            # u of Compared.seen, which is √n where all questions say the same.
            u = self.questions * ahead / np.sqrt(self.squares(price, led) + self.questions * ahead**2)
        u = np.where(ahead == 0, 0, u)
        return u.max(axis=1), u.argmax(axis=1)

    def best(self, price: float) -> int:
        """The candidate observed as the best, by its place among the chosen."""
        return int(((1 - price) * self.right - price * self.wrong).argmax())

    def flipped(self, seed: int, campaign: str, flips: int) -> np.ndarray:
        """The largest lead over each candidate, at any price, in each flip: (candidates, flips)."""
        sums = (signed_sums(summable(psi - psi.mean(axis=1, keepdims=True)), seed, campaign, flips) for psi in self.psi)
        blocks = list(zip(*sums, strict=True))
        largest = [np.zeros(right.shape) for right, _ in blocks]
        for price in TESTED:  # one matrix of scales at a time
            with np.errstate(divide="ignore"):
                scale = self.squares(price)
                scale = np.where(scale > 0, 1 / np.sqrt(scale), 0)
            for found, (right, wrong) in zip(largest, blocks, strict=True):
                worth = (1 - price) * right - price * wrong
                for run, own in enumerate(worth):
                    leads = worth - own
                    leads *= scale[run][:, None]
                    np.maximum(found[run], leads.max(axis=0), out=found[run])
        return np.hstack(largest)


def p_by_itself(ahead: np.ndarray, mistakes: np.ndarray, prices: np.ndarray, worst: np.ndarray) -> np.ndarray:
    """The p-value of the hypothesis that a leader is not ahead, at each price (prices,): Gaffke's bound.

    ahead and mistakes (questions,) are the differences in right and in wrong answers; worst (prices,) is the least that
    the leader may gain on one more question. p is the probability that the mean with exponential weights is not above
    0, by the saddlepoint approximation of Lugannani and Rice (1980); 1 if the plain mean, including that question, is
    not above 0.
    """
    cells, number = np.unique(np.stack([ahead, mistakes]), axis=1, return_counts=True)
    values = np.column_stack([np.outer(1 - prices, cells[0]) - np.outer(prices, cells[1]), worst])
    number = np.append(number, 1)
    lowest = np.minimum(values.min(axis=1), -SAME)
    low, high = 1 / lowest, np.zeros(len(prices))  # of the saddlepoint, which is where the mean with weights is 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = (number * values / (1 - middle[:, None] * values)).sum(axis=1) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    factor = 1 - low[:, None] * values
    deep = np.sqrt(np.maximum(2 * (number * np.log(factor)).sum(axis=1), 0))
    wide = -low * np.sqrt((number * (values / factor) ** 2).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = ndtr(-deep) + np.exp(-(deep**2) / 2) / np.sqrt(2 * np.pi) * (1 / wide - 1 / deep)
    p = np.where((deep > NEAR) & (wide > 0), np.clip(p, 0, 1), 0.5)
    p = np.where((number * values).sum(axis=1) > 0, p, 1)
    return np.where((values >= 0).all(axis=1) & (values > 0).any(axis=1), 0, p)


def apart(products: np.ndarray) -> np.ndarray:
    """The sums of products (x - y) (x' - y') for every two candidates, from the sums of x x' of every two."""
    own = products.diagonal()
    return own[:, None] + own - products - products.T
