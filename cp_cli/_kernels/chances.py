"""How often the rows of a deal win, block by block of a field."""

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.opponents import count_fits


@kernel()
def count_blocks(known, heroes, masks, tinted, rows, plays, starts, won, tied, total):
    """Count, for each of d deals and each block of a field, opponents met and rows won and tied.

    `known` (d,) are the masks of the deals, `heroes` int16 (d, 3) their rows; the field is masks,
    tinted (see `opponents.count_fits`), rows int16 (3, n) and plays uint8 (n,), who shows rows.
    Block b goes from starts[b] to starts[b + 1]. Fills int64 `won` and `tied` (d, blocks, 3) and
    `total` (d, blocks), by weight.
    """
    n = masks.shape[0]
    fits = np.empty(n, np.uint8)
    for d in range(known.shape[0]):
        count_fits(masks, tinted, known[d], fits)
        for b in range(starts.shape[0] - 1):
            first, end = starts[b], starts[b + 1]
            weight = np.int64(0)
            for j in range(first, end):
                fits[j] *= plays[j]
                weight += fits[j]
            total[d, b] = weight
            for row in range(3):
                strength = heroes[d, row]
                theirs = rows[row]
                more = equal = np.int64(0)
                for j in range(first, end):
                    more += fits[j] * (strength > theirs[j])
                    equal += fits[j] * (strength == theirs[j])
                won[d, b, row] = more
                tied[d, b, row] = equal
