"""Hypothesis strategies for rulesets, and arranged deals for them to settle.

A ruleset is drawn as the plain dict that both a YAML file and the naive oracle read.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from cp_cli._kernels.answers import set_at_random
from cp_cli._kernels.opponents import Game, arrange_deals
from cp_cli._kernels.payoff import COLUMN
from cp_cli.arrangement import Natural
from cp_cli.candidates import read_split
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.strategy import set_deals
from tests import naive
from tests.sizes import pick_size

Rules = dict[str, Any]
UNITS = st.integers(0, 9)
SOME_UNITS = st.integers(1, 9)
CATEGORIES = ("trips", "straight", "flush", "full_house", "quads", "straight_flush")


# --- rules ---------------------------------------------------------------------------------------


@st.composite
def draw_front(draw: st.DrawFn) -> Rules:
    front: Rules = {}
    if draw(st.booleans()):
        front |= {"pair_from": draw(st.integers(2, 14)), "pair_base": draw(SOME_UNITS)}
    how = draw(st.sampled_from(["trips", "trips_base", None]))
    if how:
        front[how] = draw(SOME_UNITS)
    return front


@st.composite
def draw_row(draw: st.DrawFn) -> Rules:
    row: Rules = draw(st.dictionaries(st.sampled_from(CATEGORIES), SOME_UNITS))
    if draw(st.booleans()):
        row["royal_flush"] = draw(SOME_UNITS)
    return row


@st.composite
def draw_royalties(draw: st.DrawFn, *, outcome: bool, low: bool) -> Rules | None:
    """Draw a table of royalties; strong rows may well pay less than weak ones."""
    rows = {"front": draw(draw_front()), "middle": draw(draw_row()), "back": draw(draw_row())}
    if low:
        rows["middle"] = {}
    if not any(rows.values()):
        return None
    ways = [("extra", "winner"), ("extra", "always")]
    style, paid = draw(st.sampled_from(ways if outcome else [*ways, ("instead", "winner")]))
    return {
        "style": style,
        "paid": paid,
        **rows,
        "cancel": draw(st.booleans()),
        "max_per_hand": draw(st.sampled_from([None, 1, 2, 3])),
    }


@st.composite
def draw_rules(draw: st.DrawFn, *, equal_worth: bool = False) -> Rules:
    """Draw the rules of a pair: every key of RULES.md section 4 that changes what rows pay.

    With `equal_worth` a royalty in place of a row may be worth just what the row is.
    """
    low = draw(st.integers(0, 3)) == 0
    rules: Rules = {
        "id": "drawn",
        "order": {
            "equal_rows": draw(st.sampled_from(["legal", "foul"])),
            "wheel": draw(st.sampled_from(["low", "second"])),
            "middle": "low27" if low else "high",
        },
    }
    outcome = draw(st.integers(0, 2)) == 0
    if outcome:
        names = ("3-0", "2-1", "2-0", "1-0")
        rules["rows"] = {"outcome": {name: draw(UNITS) for name in names} | {"1-1": 0}}
    else:
        rules["rows"] = {"win": draw(st.integers(0, 4))}
    whens = st.sampled_from(["majority", "more_rows", "net"])
    if draw(st.booleans()):
        rules["overall"] = {"units": draw(SOME_UNITS), "when": draw(whens)}
    if draw(st.booleans()):
        units, times = draw(st.sampled_from([(3, 1), (0, 2), (2, 3)]))
        scope = draw(st.sampled_from(["all", "rows"]))
        rules["sweep"] = {
            "units": units, "times": times, "scope": scope, "tie_counts": draw(st.booleans()),
        }  # fmt: skip
    if draw(st.booleans()):
        royalties = draw(draw_royalties(outcome=outcome, low=low))
        if royalties:
            rules["royalties"] = royalties
            picky = royalties["cancel"] or royalties["max_per_hand"]
            if picky and royalties["style"] == "instead" and not equal_worth:
                # The kernels of expected units take such a royalty for none.
                rules["rows"] = {"win": draw(st.sampled_from([0, 30]))}
    # The kernels of expected units let the surcharge of the middle cancel with its royalty.
    cancels = rules.get("royalties", {}).get("cancel") and not equal_worth
    if not low and not cancels and draw(st.booleans()):
        rules["middle_extra"] = draw(SOME_UNITS)
    return rules


PAIR_MODES = ("pairs", "bank", "criss_cross")
POT_MODES = ("sole_winner", "row_pots", "race")
KINDS = [natural.value for natural in Natural if natural != Natural.NO_PICTURES]
FLAGS = st.booleans()


@st.composite
def draw_naturals(draw: st.DrawFn) -> Rules:
    """Draw a list of naturals in any order, with any switches."""
    names = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=9, unique=True))
    naturals: Rules = {
        "clash": draw(st.sampled_from(["higher", "difference"])),
        "rank": draw(st.sampled_from(["listed", "value_then_listed", "value"])),
        "list": [[name, draw(st.integers(1, 4))] for name in names],
    }
    for switch in ("quads_as_two_pairs", "trips_as_pair", "odd_card_breaks_tie", "front_qka"):
        naturals[switch] = draw(FLAGS)
    naturals["ace_low_in_small"] = draw(FLAGS)
    if draw(FLAGS):
        naturals["no_pictures"] = {"units": draw(SOME_UNITS), "ace_is_picture": draw(FLAGS)}
    return naturals


@st.composite
def draw_all_sweep(draw: st.DrawFn) -> Rules:
    units, times = draw(st.sampled_from([(3, 1), (0, 2), (2, 3)]))
    return {"units": units, "times": times, "opponents": draw(st.integers(1, 3))}


@st.composite
def draw_stakes(draw: st.DrawFn) -> Rules:
    """Draw stakes of pairs, some of whom are not at the table, and perhaps chips in front."""
    pairs = st.dictionaries(st.sampled_from(["A-B", "C-A", "D-B", "A-Z"]), st.integers(1, 5))
    cap = draw(st.sampled_from(["chips", "chips", None]))
    return {"default": draw(st.integers(1, 3)), "pairs": draw(pairs), "cap": cap}


@st.composite
def draw_fantasyland(draw: st.DrawFn) -> Rules:
    cards = st.sampled_from([0, 13, 14, 15, 16, 17])
    names = ("tens", "jacks", "queens", "kings", "aces")
    least = st.sampled_from([None, "full_house", "quads", "straight_flush"])
    stay = {"front": draw(st.sampled_from([None, "trips"])), "middle": draw(least)}
    return {
        "enter": {name: draw(cards) for name in names} | {"trips": draw(st.integers(13, 17))},
        "stay": {**stay, "back": draw(least)},
        "stay_cards": draw(st.sampled_from([13, 14, 17, "by_front"])),
    }


@st.composite
def draw_pot_rules(draw: st.DrawFn, mode: str) -> Rules:
    """Draw rules in which players do not settle in pairs."""
    rules: Rules = {"id": "drawn", "mode": mode, "order": draw(draw_rules())["order"]}
    if mode == "race":
        target = draw(st.integers(1, 12))
        rules["race"] = {"target": target, "fourth_point": draw(FLAGS)}
    else:
        rules["ante"] = draw(st.sampled_from([3, 6] if mode == "row_pots" else [1, 5]))
    return rules


@st.composite
def draw_pair_rules(draw: st.DrawFn, mode: str) -> Rules:
    """Draw rules of pairs and what the table adds to them."""
    rules = draw(draw_rules(equal_worth=True)) | {"mode": mode}
    parts = {
        "all_sweep": draw_all_sweep(),
        "naturals": draw_naturals(),
        "surrender": st.integers(0, 5),
        "aces": st.lists(UNITS, min_size=5, max_size=5),
    }
    for key, part in parts.items():
        if draw(FLAGS):
            rules[key] = draw(part)
    pays = st.sampled_from(["scoop", "rows"]) | UNITS
    rules["foul"] = {"pays": draw(pays), "royalties": draw(FLAGS)}
    rules["bank"] = {"wins_ties": draw(FLAGS)}
    if "royalties" in rules:
        rules["royalties"]["declare"] = draw(st.sampled_from(["auto", "required"]))
    return rules


@st.composite
def draw_table_rules(draw: st.DrawFn) -> Rules:
    """Draw the rules of a whole table, in any mode."""
    mode = draw(st.sampled_from(PAIR_MODES * 3 + POT_MODES))
    rules: Rules = draw(draw_pair_rules(mode) if mode in PAIR_MODES else draw_pot_rules(mode))
    if rules["order"]["middle"] == "low27":
        rules["order"]["middle_max"] = draw(st.sampled_from([None, 6, 9, 14]))
    if mode in PAIR_MODES and draw(FLAGS):
        rules["stakes"] = draw(draw_stakes())
    if draw(FLAGS):
        rules |= {"deal": "open", "fantasyland": draw(draw_fantasyland())}
    rules["rake"] = draw(st.sampled_from([0, 0, 2]))
    return rules


@cache
def _open_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="cpoker-rules-")


def load_rules(rules: Rules) -> Ruleset:
    """Load drawn rules from a file, as a user's house rules are."""
    path = Path(_open_folder().name) / "drawn.yaml"
    path.write_text(json.dumps(rules))
    return load_ruleset(str(path))


# --- deals and arrangements ----------------------------------------------------------------------


def deal_strong(rng: np.random.Generator, count: int) -> NDArray[np.uint8]:
    """Deal hands of which many hold quads, full houses and flushes: uint8 (count, 13).

    Each is dealt from a pack of its own that has lost some ranks or suits.
    """
    hands = np.empty((count, 13), dtype=np.uint8)
    for hand in hands:
        if rng.random() < 0.5:
            pack = np.add.outer(rng.choice(13, rng.integers(4, 9), replace=False) * 4, np.arange(4))
        else:
            pack = np.add.outer(np.arange(13) * 4, rng.choice(4, rng.integers(1, 4), replace=False))
        hand[:] = np.sort(rng.choice(pack.ravel(), 13, replace=False))[::-1]
    return hands


@dataclass(frozen=True)
class Crowd:
    """Deals, each in a random legal split: cards (n, 13), codes (n,), arranged (8, n)."""

    cards: NDArray[np.uint8]
    codes: NDArray[np.int32]
    arranged: NDArray[np.int16]

    def read_rows(self, i: int) -> naive.Rows:
        """Return the rows of one deal."""
        return read_split(self.cards[i], int(self.codes[i])).rows


def arrange_crowd(cards: NDArray[np.uint8], codes: NDArray[np.int32], game: Game) -> Crowd:
    """Return deals set by `codes`."""
    arranged = np.empty((COLUMN, len(cards)), dtype=np.int16)
    arrange_deals(cards, codes, game, arranged)
    return Crowd(cards, codes, arranged)


def draw_crowd(seed: int, count: int, game: Game) -> Crowd:
    """Deal hands and set half of them at random, the others with the strongest back.

    Every other one differs from its neighbour in a card or two only, so rows are often equal.
    """
    rng = np.random.default_rng(seed)
    cards = deal_strong(rng, count)
    for i in range(1, count, 2):
        fresh = [card for card in rng.permutation(52) if card not in cards[i - 1]]
        cards[i] = cards[i - 1]
        changed = rng.integers(1, 3)
        cards[i, rng.choice(13, changed, replace=False)] = fresh[:changed]
        cards[i] = np.sort(cards[i])[::-1]
    codes = np.empty(count, dtype=np.int32)
    set_at_random(cards, game, seed, codes)
    strongest = np.arange(count) % 4 < 2
    codes[strongest] = set_deals("back-first", cards[strongest], game)
    return arrange_crowd(cards, codes, game)


CROWD = pick_size(24, 6)
