"""The rulesets of the rules text as plain dicts, in the shape of its YAML keys.

Every key that a ruleset does not mention has the default of section 4.
"""

from __future__ import annotations

from typing import Any

Rules = dict[str, Any]

# --- royalty tables (section 3) ------------------------------------------------------------------


def instead(**rows: dict[str, int]) -> Rules:
    return {"style": "instead", "paid": "winner", **rows}


def extra(paid: str, **rows: dict[str, int]) -> Rules:
    return {"style": "extra", "paid": paid, **rows}


PAGAT_STANDARD = instead(
    front={"trips": 3},
    middle={"full_house": 2, "quads": 4, "straight_flush": 5},
    back={"quads": 4, "straight_flush": 5},
)
# R13, R15, R19, R20 share one table of numbers.
DOUBLED_MIDDLE = {
    "front": {"trips": 3},
    "middle": {"full_house": 2, "quads": 8, "straight_flush": 10},
    "back": {"quads": 4, "straight_flush": 5},
}
R19_ROYALTIES = extra("winner", **DOUBLED_MIDDLE)
OPEN_FACE_FRONT = {"pair_from": 6, "pair_base": 1, "trips_base": 10}

# --- naturals, weakest first ---------------------------------------------------------------------

PAGAT_NATURALS = {
    "rank": "listed",
    "list": [["six_pairs", 3], ["three_straights", 3], ["three_flushes", 3], ["dragon", 13]],
}
MALAY_NATURALS = {
    "clash": "difference",
    "list": [
        ["three_flushes", 3],
        ["three_straights", 4],
        ["six_pairs", 4],
        ["five_pairs_trips", 5],
        ["four_trips", 6],
        ["one_colour", 10],
        ["small", 10],
        ["big", 10],
        ["three_quads", 16],
        ["three_straight_flushes", 18],
        ["twelve_pictures", 18],
        ["one_suit", 26],
    ],
}
VIETNAMESE_NATURALS = {
    "rank": "listed",
    "list": [
        ["three_straights", 3],
        ["three_flushes", 3],
        ["six_pairs", 3],
        ["five_pairs_trips", 6],
        ["dragon", 13],
        ["one_suit", 26],
    ],
}
HAWAIIAN_NATURALS = {
    "rank": "value_then_listed",
    "list": [
        ["three_straights", 4],
        ["three_flushes", 4],
        ["twelve_one_colour", 4],
        ["six_pairs", 4],
        ["one_colour", 6],
        ["dragon", 13],
        ["one_suit", 39],
    ],
}
# R19; A08: Q-K-A is no straight; A17: the ace is no picture.
WIKIPEDIA_NATURALS = {
    "rank": "listed",
    "front_qka": False,
    "no_pictures": {"units": 3, "ace_is_picture": False},
    "list": [
        ["three_flushes", 3],
        ["three_straights", 4],
        ["six_pairs", 6],
        ["four_trips", 8],
        ["one_colour", 10],
        ["all_low", 12],
        ["all_high", 12],
        ["three_quads", 20],
        ["three_straight_flushes", 24],
        ["twelve_royalties", 32],
        ["dragon", 36],
        ["clean_dragon", 108],
    ],
}

NATURALS: dict[str, Rules] = {
    "pagat-standard": PAGAT_NATURALS,
    "malay": MALAY_NATURALS,
    "vietnamese": VIETNAMESE_NATURALS,
    "hawaiian-gardens": HAWAIIAN_NATURALS,
    "wikipedia": WIKIPEDIA_NATURALS,
}

# --- rulesets (section 2) ------------------------------------------------------------------------


def fantasyland(entry: list[int], stay: Rules, stay_cards: int) -> Rules:
    """Cards for queens, kings, aces and trips in front; the weakest row that stays."""
    enter = dict(zip(("queens", "kings", "aces", "trips"), entry, strict=True))
    return {"enter": enter, "stay": stay, "stay_cards": stay_cards}


OVERALL = {"units": 1, "when": "majority"}
OPEN_FACE_FOUL = {"pays": "scoop", "royalties": True}

RULES: dict[str, Rules] = {
    "basic": {"rows": {"win": 1}},  # R01
    "pagat-standard": {"royalties": PAGAT_STANDARD, "naturals": PAGAT_NATURALS},  # R02
    "pagat-extras": {  # R08, overall is optional
        "royalties": extra(
            "always",
            front={"trips": 2},
            middle={"full_house": 1, "quads": 3, "straight_flush": 4},
            back={"quads": 3, "straight_flush": 4},
        )
    },
    "malay": {  # R12
        "mode": "bank",
        "royalties": extra(
            "always",
            front={"trips": 2},
            middle={"full_house": 2, "quads": 6, "straight_flush": 8},
            back={"quads": 4, "straight_flush": 6},
        ),
        "naturals": MALAY_NATURALS,
    },
    "vietnamese": {"royalties": instead(**DOUBLED_MIDDLE), "naturals": VIETNAMESE_NATURALS},  # R13
    "singapore": {  # R14
        "royalties": instead(
            front={"trips": 3},
            middle={"full_house": 2, "quads": 8, "straight_flush": 14},
            back={"quads": 4, "straight_flush": 7},
        ),
        "naturals": "none",
    },
    "hawaiian-gardens": {  # R15 without its optional ace bet
        "rows": {"win": 1},
        "sweep": {"units": 3},
        "all_sweep": {"units": 3, "opponents": 3},
        "royalties": R19_ROYALTIES,
        "naturals": HAWAIIAN_NATURALS,
        "surrender": 3,
        "stakes": {"cap": "chips"},
        "jackpot": {"front": "pair", "middle": "trips", "back": "straight_flush"},
    },
    "one-four": {"sweep": {"units": 1}},  # R16
    "two-four": {"overall": OVERALL},  # R17
    "one-six": {"sweep": {"units": 3}},  # R18
    "taiwanese": {  # R20
        "royalties": instead(**DOUBLED_MIDDLE),
        "sweep": {"times": 2},
        "all_sweep": {"times": 2, "opponents": 3},
        "naturals": WIKIPEDIA_NATURALS,
    },
    "open-face-2013": {  # R25
        "rows": {"outcome": {"3-0": 6, "2-1": 2, "2-0": 2, "1-0": 0, "1-1": 0}},
        "royalties": extra(
            "always",
            front=OPEN_FACE_FRONT,
            middle={
                "straight": 4,
                "flush": 8,
                "full_house": 12,
                "quads": 16,
                "straight_flush": 20,
                "royal_flush": 30,
            },
            back={
                "straight": 2,
                "flush": 4,
                "full_house": 6,
                "quads": 8,
                "straight_flush": 10,
                "royal_flush": 15,
            },
        ),
        "foul": OPEN_FACE_FOUL,
    },
    "open-face": {  # R26
        "sweep": {"units": 3},
        "royalties": extra(
            "always",
            front=OPEN_FACE_FRONT,
            middle={
                "trips": 2,
                "straight": 4,
                "flush": 8,
                "full_house": 12,
                "quads": 20,
                "straight_flush": 30,
                "royal_flush": 50,
            },
            back={
                "straight": 2,
                "flush": 4,
                "full_house": 6,
                "quads": 10,
                "straight_flush": 15,
                "royal_flush": 25,
            },
        ),
        "foul": OPEN_FACE_FOUL,
        "fantasyland": fantasyland(
            [13, 13, 13, 13], {"front": "trips", "middle": "full_house", "back": "quads"}, 13
        ),
    },
    "ante": {"mode": "row_pots", "ante": 3},  # R10
    "sole-winner": {"mode": "sole_winner", "ante": 1},  # R07
    "race": {"mode": "race", "race": {"target": 11, "fourth_point": True}},  # R24
}
NO_HOUSE = {"front": "trips", "middle": None, "back": "quads"}
RULES["pineapple"] = {  # R27
    **RULES["open-face"],
    "fantasyland": fantasyland([14, 14, 14, 14], NO_HOUSE, 14),
}
RULES["progressive"] = {  # R28
    **RULES["open-face"],
    "fantasyland": fantasyland([14, 15, 16, 17], NO_HOUSE, 14),
}


def change(name: str, **keys: Any) -> Rules:
    """A ruleset with some keys replaced, which is how the rules text writes modifiers."""
    return {**RULES[name], **keys}


STRICT = {"equal_rows": "foul"}  # A02
OVERALL_NET = {"units": 1, "when": "net"}  # A13

RULES |= {
    "pagat-standard + sweep 3": change("pagat-standard", sweep={"units": 3}),  # R04
    "pagat-extras + overall": change("pagat-extras", overall=OVERALL),  # R06
    "pagat-extras + overall (overall: net)": change("pagat-extras", overall=OVERALL_NET),
    "two-four + R19 royalties": change("two-four", royalties=R19_ROYALTIES),
    "one-six + R19 royalties": change("one-six", royalties=R19_ROYALTIES),
    "two-four (overall: net)": change("two-four", overall=OVERALL_NET),
    "royalties cancel (R19 option)": change(
        "pagat-standard", royalties={**PAGAT_STANDARD, "cancel": True}
    ),
    "pagat-standard + strict order": change("pagat-standard", order=STRICT),
    "open-face + strict order": change("open-face", order=STRICT),
    "basic + bank": change("basic", mode="bank", bank={"wins_ties": True}),  # R03
    "wheel-second (row scoring basic)": change("basic", order={"wheel": "second"}),  # R23
    "low-middle (row scoring basic)": change("basic", order={"middle": "low27"}),  # R21
    "basic + surrender 1": change("basic", surrender=1),  # R09
    "basic + overall + surrender 2": change("basic", overall=OVERALL, surrender=2),
    "two-four + surrender 3": change("two-four", surrender=3),
}
