"""The chance of a row to beat several opponents, from its chance to beat one.

Opponents were independent if the chance against all were that against one, multiplied. They are
not quite: aces that one of them holds another lacks. How much that changes is learnt from tables
dealt at random, as a smooth function of the chance against one; at most it is about a hundredth.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEATURES = 3


@dataclass(frozen=True, slots=True)
class Dependence:
    """What is added to the chance to beat `others` independent opponents.

    slopes float64 (3, FEATURES) by row, and their covariances (3, FEATURES, FEATURES).
    """

    others: int
    slopes: "NDArray[np.float64]"
    covariances: "NDArray[np.float64]"

    def beat_all(self, chances: "NDArray[np.float64]", row: int) -> "NDArray[np.float64]":
        """Return the chances to beat all from those to beat one."""
        together: NDArray[np.float64] = chances**self.others
        if self.others > 1:
            more = list_features(chances, self.others) @ self.slopes[row]
            together = np.clip(together + more, 0, chances)
        return together

    def find_error(self, chances: "NDArray[np.float64]", row: int) -> float:
        """Return the standard error that the fit brings into the mean of `beat_all`."""
        mean = list_features(chances, self.others).mean(axis=0)
        return float(np.sqrt(mean @ self.covariances[row] @ mean))


def list_features(chances: "NDArray[np.float64]", others: int) -> "NDArray[np.float64]":
    """Return (n, FEATURES): parts of the chance against all that vanish where that is 0 or 1."""
    changing = chances**others * (1 - chances)
    return np.stack([changing * chances**k for k in range(FEATURES)], axis=-1)


def fit_dependence(
    rows: "NDArray[np.int16]", chances: "NDArray[np.float64]", others: int
) -> Dependence:
    """Learn from tables: rows (t, others + 1, 3), and chances to beat one (t, heroes, 3).

    The first seats are the heroes. What a hero does to all is compared with what he does to each,
    which his chances foretell; hands of one table are not taken for independent.
    """
    slopes = np.zeros((3, FEATURES))
    covariances = np.zeros((3, FEATURES, FEATURES))
    for row in range(3 if others > 1 else 0):
        x, y = [], []
        for seat in range(chances.shape[1]):
            theirs = np.delete(rows[:, :, row], seat, axis=1)
            beaten = rows[:, seat, row, None] > theirs
            p = chances[:, seat, row]
            off = (beaten - p[:, None]).sum(axis=1) * p ** (others - 1)
            x.append(list_features(p, others))
            y.append(beaten.all(axis=1) - p**others - off)
        slopes[row], covariances[row] = _regress(np.stack(x, axis=1), np.stack(y, axis=1))
    return Dependence(others, slopes, covariances)


def _regress(
    x: "NDArray[np.float64]", y: "NDArray[np.float64]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return least squares of y (t, seats) on x (t, seats, k), and their clustered covariance."""
    gram = np.einsum("tsk,tsl->kl", x, x)
    inverse = np.linalg.pinv(gram, hermitian=True)
    slopes = inverse @ np.einsum("tsk,ts->k", x, y)
    scores = np.einsum("tsk,ts->tk", x, y - x @ slopes)
    return slopes, inverse @ (scores.T @ scores) @ inverse
