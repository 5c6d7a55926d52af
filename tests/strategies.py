"""Hypothesis strategies for cards, deals and arrangements."""

from hypothesis import strategies as st

from cp_cli.arrangement import Arrangement

cards = st.integers(min_value=0, max_value=51)


def card_sets(size: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Return `size` distinct cards in any order."""
    return st.lists(cards, min_size=size, max_size=size, unique=True).map(tuple)


deals = card_sets(13)


def set_deal(deal: tuple[int, ...]) -> Arrangement:
    """Put the cards of a deal into rows in the order they come, legal or not."""
    return Arrangement(deal[:3], deal[3:8], deal[8:])


arrangements = deals.map(set_deal)


def tables(players: int) -> st.SearchStrategy[tuple[Arrangement, ...]]:
    """Return the arrangements of `players` players, dealt from one pack."""
    return card_sets(13 * players).map(
        lambda pack: tuple(set_deal(pack[13 * seat :][:13]) for seat in range(players))
    )
