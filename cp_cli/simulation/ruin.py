"""The risk to lose a bankroll."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Ruin(NamedTuple):
    """The chance to lose a bankroll within so many deals, and its standard error."""

    bankroll: int
    deals: int
    chance: float
    se: float


def estimate_ruin(
    units: "NDArray[np.int64]",
    counts: "NDArray[np.int64]",
    bankroll: int,
    deals: int,
    *,
    scale: int = 1,
    effective: float,
    seed: int,
) -> Ruin:
    """Return the risk of a bankroll."""
    raise NotImplementedError
