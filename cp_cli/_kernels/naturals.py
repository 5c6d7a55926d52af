"""Naturals of many deals: the rules of `natural_rules`, compiled.

Importing this module is what makes those functions callable from kernels.
"""

from cp_cli._kernels import natural_rules as rules
from cp_cli._kernels.jit import jitable, kernel

for _function in (
    rules.count_ranks,
    rules.pack_lanes,
    rules.find_runs,
    rules.find_kinds,
    rules.holds_straights,
    rules.find_suits,
    rules.pack_tie,
    rules.tie_straights,
    rules.tie_flushes,
    rules.tie_groups,
    rules.break_tie,
):
    jitable(_function)

find_best_natural = jitable(rules.find_best_natural)
pay_naturals = jitable(rules.pay_naturals)


@kernel()
def find_naturals_of_deals(deals, spec, five, three, places, ties):
    """Write each deal's place into int16 `places` (n,) and its tie into int64 `ties` (n,)."""
    for i in range(deals.shape[0]):
        place, tie = find_best_natural(deals[i], spec, five, three)
        places[i] = place
        ties[i] = tie
