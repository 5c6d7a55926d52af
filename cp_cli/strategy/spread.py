"""Standard errors of a mean over two samples at once: of deals, and of the opponents they met."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONFIDENCE = 1.959964
"""Standard errors to either side that make an interval of 95%."""


def estimate_error(values: "NDArray[np.float64]") -> float:
    """Return the standard error of the mean of values (deals, blocks of opponents).

    Two tables that share the deal, or the block of opponents, are not independent: the variances
    of the means by deal and by block are added, and what both count, that of single cells, is
    taken off once. Never less than either of the two alone; infinite for a single deal.

    >>> estimate_error(np.array([[1.0, 1.0], [3.0, 3.0], [2.0, 2.0], [2.0, 2.0]])).__round__(4)
    0.4082
    >>> estimate_error(np.array([[1.0, 3.0]] * 50)).__round__(4)
    1.0
    """
    d, b = values.shape
    if d < 2:
        return float("inf")
    by_deal = values.mean(axis=1)
    deals = float(by_deal.var(ddof=1)) / d
    if b < 2:
        return float(np.sqrt(deals))
    by_block = values.mean(axis=0)
    blocks = float(by_block.var(ddof=1)) / b
    left = values - by_deal[:, None] - by_block + values.mean()
    cells = float(np.square(left).sum()) / ((d - 1) * (b - 1)) / (d * b)
    return float(np.sqrt(max(deals + blocks - cells, deals, blocks)))
