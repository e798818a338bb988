"""The interval of a share of wins from rounds: games with the same luck, one for each rotation.

Common luck makes the games of a round alike in what chance does, so a round is the unit: its mean
varies less than games with luck of their own would, and the interval is narrower.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import mean, stdev

Interval = tuple[float, float]


def interval_of(rounds: Sequence[float]) -> Interval:
    """Return the 95 % interval of the mean of the rounds' means, each 0 to 1.

    Rounds that are all alike say only how rare others are: the interval reaches as far as the mean
    would if others had the largest chance at which they stay away in one of forty runs, and were
    all lost, or all won (Clopper and Pearson's, if a round is one game).
    """
    if not rounds:
        return 0.0, 1.0
    if max(rounds) == min(rounds):
        share, others = rounds[0], 1 - 0.025 ** (1 / len(rounds))
        return share * (1 - others), share + (1 - share) * others
    low, high = difference_of(rounds)
    return max(0.0, low), min(1.0, high)


def difference_of(differences: Sequence[float]) -> Interval:
    """Return the 95 % interval of the mean of numbers by Student's t; two numbers at least."""
    half = student(len(differences) - 1) * stdev(differences) / sqrt(len(differences))
    middle = mean(differences)
    return middle - half, middle + half


def student(freedom: int) -> float:
    """Return Student's t for 95 % on two sides, from the normal distribution's 1.96.

    The series of Cornish and Fisher; exact to 0.3 % from four degrees of freedom on, and too small
    below (8.6 instead of 12.7 for one).
    """
    z = 1.959964
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
