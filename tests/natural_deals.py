"""Deals that are likely to hold a natural or to miss one narrowly, and rulesets that want them."""

from hypothesis import strategies as st

from cp_cli._kernels.natural_rules import pay_naturals
from cp_cli.arrangement import Natural
from cp_cli.evaluator import Cards, best_natural, natural_spec, rate_natural
from cp_cli.ruleset import NaturalPay, Naturals, NoPictures, Order, Ruleset
from tests.strategies import deals as any_deals

Deal = tuple[int, ...]

RUNS: dict[int, list[tuple[int, ...]]] = {3: [(12, 0, 1), *((r, r + 1, r + 2) for r in range(11))],
        5: [(12, 0, 1, 2, 3), *(tuple(range(r, r + 5)) for r in range(9))]}  # fmt: skip
GROUPS: list[tuple[int, ...]] = [
    *((2,) * 6 + (1,), (4, 2, 2, 2, 2, 1), (3, 2, 2, 2, 2, 2), (4, 3, 2, 2, 2), (4, 4, 3, 2)),
    *((4, 4, 2, 2, 1), (3, 3, 3, 3, 1), (4, 3, 3, 3), (4, 4, 4, 1), (3, 3, 3, 2, 2)),
]
POOLS = {
    "red": [card for card in range(52) if card % 4 in (1, 2)],
    "black": [card for card in range(52) if card % 4 in (0, 3)],
    "low": [*range(28)],
    "low and aces": [*range(28), *range(48, 52)],
    "high": [*range(24, 52)],
    "ten and lower": [*range(36)],
    "ten and lower, aces": [*range(36), *range(48, 52)],
    "royalties": [*range(36, 52)],
}


@st.composite
def runs(draw: st.DrawFn) -> Deal:
    """Draw three straights that overlap, each in one suit or in any; sometimes a card off."""
    row = draw(st.sampled_from(RUNS[5]))
    pool = st.sampled_from(RUNS[5])
    ranks = [draw(st.just(row) | pool), draw(st.just(row) | pool), draw(st.sampled_from(RUNS[3]))]
    deal: list[int] = []
    for run in ranks:
        suit = draw(st.none() | st.integers(0, 3))
        for rank in run:
            free = [rank * 4 + s for s in range(4) if rank * 4 + s not in deal]
            wanted = [card for card in free if suit is None or card % 4 == suit]
            deal.append(draw(st.sampled_from(wanted or free)))
    return tuple(deal)


@st.composite
def suited(draw: st.DrawFn) -> Deal:
    """Draw numbers of cards in the suits that part into flushes, and one that does not."""
    sizes = draw(st.sampled_from([(3, 5, 5), (8, 5), (3, 10), (13,), (4, 4, 5)]))
    suits = draw(st.permutations(range(4)))
    ranks = (draw(st.permutations(range(13))) for _ in sizes)
    chosen = zip(sizes, suits, ranks, strict=False)
    return tuple(rank * 4 + suit for size, suit, order in chosen for rank in order[:size])


@st.composite
def grouped(draw: st.DrawFn) -> Deal:
    """Draw pairs, trips and quads."""
    sizes = draw(st.sampled_from(GROUPS))
    ranks = draw(st.permutations(range(13)))
    suits = (draw(st.permutations(range(4))) for _ in sizes)
    chosen = zip(sizes, ranks, suits, strict=False)
    return tuple(rank * 4 + suit for size, rank, order in chosen for suit in order[:size])


@st.composite
def pooled(draw: st.DrawFn) -> Deal:
    """Draw from cards of one colour, low or high ones, perhaps with one card from outside."""
    pool = draw(st.sampled_from(list(POOLS.values())))
    deal = draw(st.permutations(pool))[:13]
    if draw(st.booleans()):
        deal[-1] = draw(st.sampled_from([card for card in range(52) if card not in deal]))
    return tuple(deal)


@st.composite
def dragons(draw: st.DrawFn) -> Deal:
    """Draw one card of each rank, or all pictures and one card."""
    if draw(st.booleans()):
        return (*range(36, 48), draw(st.sampled_from([*range(36), *range(48, 52)])))
    suits = draw(st.sampled_from([(0,), (3,), (1, 2), (0, 1, 2, 3)]))
    return tuple(rank * 4 + draw(st.sampled_from(suits)) for rank in range(13))


TEMPLATES = (runs(), suited(), grouped(), pooled(), dragons(), any_deals)
likely = st.one_of(TEMPLATES)
KINDS = [natural for natural in Natural if natural != Natural.NO_PICTURES]


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Draw a ruleset with all naturals in any order and any switches."""
    listed = [NaturalPay(kind, draw(st.integers(1, 4))) for kind in draw(st.permutations(KINDS))]
    flags = st.booleans()
    naturals = Naturals(
        clash=draw(st.sampled_from(["higher", "difference"])),
        rank=draw(st.sampled_from(["listed", "value_then_listed", "value"])),
        list=tuple(listed),
        no_pictures=draw(st.none() | st.builds(NoPictures, st.just(2), flags)),
        quads_as_two_pairs=draw(flags),
        trips_as_pair=draw(flags),
        odd_card_breaks_tie=draw(flags),
        front_qka=draw(flags),
        ace_low_in_small=draw(flags),
    )
    order = Order(wheel=draw(st.sampled_from(["low", "second"])))
    return Ruleset(id="test", order=order, naturals=naturals)


def compare_naturals(first: Cards, second: Cards, ruleset: Ruleset) -> int:
    """Return the units that the second player pays the first when both declare what they hold.

    A player without a natural pays for the other's.
    """
    spec, hands = natural_spec(ruleset), []
    for cards in (first, second):
        best = best_natural(cards, ruleset)
        hands.append(rate_natural(cards, best[0], ruleset) if best else (-1, 0, 0))
    return pay_naturals(*hands[0], *hands[1], spec.equal_by_units, spec.difference)
