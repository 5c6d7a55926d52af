"""Whole tables of opponents: hands that share no card with the known ones nor with each other.

A field deal may be relabelled, so what can sit at the table is a list of *seatings*: the mask of
one relabelling of one field deal that shares no card with those known.
"""

import numpy as np

from cp_cli._kernels.deals import relabel_suits
from cp_cli._kernels.jit import kernel


@kernel()
def list_seatings(masks, tinted, known, seated, ids):
    """List all seatings: masks in uint64 `seated`, field deals in int32 `ids`; return how many.

    Deals in `tinted` (bool) keep their colours only under eight relabellings, which count three
    times each. Stops when the arrays are full.
    """
    relabelled = np.empty(24, np.uint64)
    n = 0
    for j in range(masks.shape[0]):
        relabel_suits(masks[j], relabelled)
        for k in range(24):
            mask = relabelled[k % 8 if tinted[j] else k]
            if mask & known == 0 and n < seated.shape[0]:
                seated[n] = mask
                ids[n] = j
                n += 1
    return n


@kernel()
def seat_pairs(seated, n, firsts, most, pairs):
    """Seat for each of `firsts` up to `most` seconds that share no card with it.

    Writes seatings into int32 `pairs` (f x most, 2), those of one first together, and returns how
    many there are. Seconds are the next that fit after the first, half way round the list: so no
    two seatings meet twice.
    """
    count = 0
    for first in firsts:
        taken = 0
        mask = seated[first]
        for step in range(1, n // 2 + 1):
            second = first + step
            if second >= n:
                second -= n
            opposite = 2 * step == n and second < first
            if seated[second] & mask == 0 and not opposite:
                pairs[count, 0] = first
                pairs[count, 1] = second
                count += 1
                taken += 1
                if taken == most:
                    break
    return count
