"""A ruleset as the kernels read it: its amounts laid over the strengths of rows."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from cp_cli._kernels.opponents import ALL_BEATEN, BEATEN_ALIKE, Game
from cp_cli._kernels.payoff import Pay
from cp_cli._kernels.table_rules import MAJORITY
from cp_cli._kernels.tables import RowTables
from cp_cli._kernels.whole import HOME_RUN, NO_WHOLE, RACE, ROW_POTS, SOLE_WINNER, Whole
from cp_cli.evaluator import find_low_floor, low_table, natural_spec, row_tables
from cp_cli.ruleset import Overall, Royalties, Sweep
from cp_cli.settlement.royalties import pays_instead, surcharge_rows, value_rows
from cp_cli.settlement.terms import OVERALL_WHEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

Role = Literal["player", "bank"]
PLAYER: Role = "player"
BANK: Role = "bank"


def _split_royalties(
    ruleset: "Ruleset", tables: RowTables
) -> "tuple[NDArray[np.int16], NDArray[np.int16]]":
    """Return (won, held): what a row adds if it wins, and what it is paid in any case.

    Where royalties can cancel all are `won` (see `_kernels.payoff.Pay`).
    """
    values = value_rows(ruleset, tables)
    won, held = values, np.zeros_like(values)
    royalties = ruleset.royalties
    if pays_instead(ruleset):
        won = np.where(values > 0, values - ruleset.rows.win, 0).astype(np.int16)
    elif royalties and royalties.paid == "always" and not royalties.cancel:
        won, held = held, values
    won[1] += surcharge_rows(ruleset, tables)
    return won, held


def _build_pay(ruleset: "Ruleset", has_royalties: bool) -> Pay:
    one, clear, two_one, three = (
        ruleset.rows.pays(won, lost) for won, lost in ((1, 0), (2, 0), (2, 1), (3, 0))
    )
    overall = ruleset.overall
    if ruleset.mode == "sole_winner":
        # Pair by pair: only who has at least two rows of the other matters.
        one = clear = two_one = three = 0
        overall = Overall(units=max(1, ruleset.ante), when="majority")
    elif ruleset.mode == "row_pots":
        # Heads-up, a third of both stakes for a row is what winning the row from the other pays.
        one, clear, two_one, three = (units * ruleset.ante // 3 for units in (1, 2, 1, 3))
    sweep = ruleset.sweep or Sweep()
    royalties = ruleset.royalties or Royalties()
    return Pay(
        row=one,
        majority=clear - 2 * one,
        triple=three - clear - one,
        split=two_one - clear + one,
        overall=overall.units if overall else 0,
        overall_when=OVERALL_WHEN[overall.when] if overall else MAJORITY,
        sweep_units=sweep.units,
        sweep_times=sweep.times,
        # What stands instead of a row's value is multiplied with the rows.
        sweep_rows_only=int(sweep.scope == "rows" and not pays_instead(ruleset)),
        sweep_ties=int(sweep.tie_counts),
        cancel=(1 + (royalties.paid == "always")) * royalties.cancel,
        most_royalties=royalties.max_per_hand or 3,
        royalties=int(has_royalties),
    )


def _value_outcome(pay: Pay, won: int, lost: int) -> int:
    """Return the units of a pair without royalties, for the player who won `won` rows."""
    if won < lost:
        return -_value_outcome(pay, lost, won)
    majority, triple, clear = won >= 2, won == 3, won == 2 and lost == 0
    swept = triple or (clear and bool(pay.sweep_ties))
    rows = pay.row * (won - lost) + pay.majority * majority + pay.triple * triple
    rows += pay.split * (majority and not triple and not clear)
    ahead = majority if pay.overall_when == MAJORITY else won > lost
    total = rows * (pay.sweep_times if swept else 1) + pay.sweep_units * swept
    return total + pay.overall * ahead


def _choose_pruning(
    pay: Pay,
    whole: Whole,
    won: "NDArray[np.int16]",
    held: "NDArray[np.int16]",
    tables: RowTables,
) -> int:
    """Tell which splits can never be the best, whatever opponents hold."""
    for won_rows in range(3):
        for lost in range(3 - won_rows):
            # One more row goes from lost to equal, or from equal to won.
            now = _value_outcome(pay, won_rows, lost)
            better = _value_outcome(pay, won_rows + 1, lost)
            worse = _value_outcome(pay, won_rows, lost + 1)
            if not worse <= now <= better:
                return 0
    # A sweep that multiplies what the swept player is paid in any case can be worth losing to.
    always = won if pay.cancel == 2 else held
    multiplies = pay.sweep_times > 1 and not pay.sweep_rows_only
    if (multiplies or whole.times > 1) and always.any():
        return 0
    if won.min() < -pay.row:
        return 0
    fives, threes = tables.size == 5, tables.size == 3
    for values in (won, held):
        rows = (values[0][threes], values[1][fives], values[2][fives])
        if any((np.diff(row) < 0).any() or (row < 0).any() for row in rows):
            return BEATEN_ALIKE
    if pay.most_royalties < 3 and (won.any() or held.any()):
        return BEATEN_ALIKE  # a new royalty may take the place of one that wins
    return ALL_BEATEN


def _classify_rows(
    won: "NDArray[np.int16]", held: "NDArray[np.int16]"
) -> "tuple[NDArray[np.int16], tuple[int, int, int]]":
    """Number the different royalties of each row; return the numbers by strength, and counts."""
    classes = np.empty_like(won)
    counts = []
    for row in range(3):
        paid = won[row].astype(np.int64) * (1 << 20) + held[row]
        values, numbers = np.unique(paid, return_inverse=True)
        classes[row] = numbers
        counts.append(len(values))
    return classes, (counts[0], counts[1], counts[2])


def _build_whole(ruleset: "Ruleset", others: int) -> Whole:
    """Return what the whole table pays a player with so many opponents.

    Against one opponent a pot or a race is a matter of the pair, and so is a sweep of everybody
    where more opponents are needed for it.
    """
    kinds = {"sole_winner": SOLE_WINNER, "row_pots": ROW_POTS, "race": RACE}
    if ruleset.mode in kinds and others > 1:
        fourth = ruleset.mode == "race" and ruleset.race.fourth_point
        return NO_WHOLE._replace(
            kind=kinds[ruleset.mode], others=others, stake=ruleset.ante, fourth=int(fourth)
        )
    everybody = ruleset.all_sweep
    if everybody and others >= everybody.opponents and ruleset.mode not in kinds:
        return Whole(
            kind=HOME_RUN,
            others=others,
            units=everybody.units,
            times=everybody.times,
            ties=int(ruleset.sweep is not None and ruleset.sweep.tie_counts),
            stake=0,
            fourth=0,
            rest=1.0 if others == 1 else 0.0,
        )
    return NO_WHOLE


def build_game(ruleset: "Ruleset", opponents: int = 1, role: Role = PLAYER) -> Game:
    """Return the ruleset as the kernels read it, for a player with so many opponents.

    Where there is a bank, a player has one opponent, the bank; `opponents` are those of the bank.
    """
    tables = row_tables(ruleset.order.wheel)
    won, held = _split_royalties(ruleset, tables)
    low = ruleset.order.middle == "low27"
    pay = _build_pay(ruleset, bool(won.any() or held.any()))
    classes, profiles = _classify_rows(won, held)
    banked = ruleset.mode == "bank"
    whole = _build_whole(ruleset, 1 if banked and role == PLAYER else opponents)
    lifted = banked and ruleset.bank.wins_ties
    return Game(
        five=tables.five,
        three=tables.three,
        middle=low_table() if low else tables.five,
        low=int(low),
        strict=int(ruleset.order.equal_rows == "foul"),
        floor=find_low_floor(ruleset.order),
        pruning=_choose_pruning(pay, whole, won, held, tables),
        classes=classes,
        profiles=profiles,
        won=won,
        held=held,
        surcharge=surcharge_rows(ruleset, tables),
        pay=pay,
        surrender=-1 if ruleset.surrender is None else ruleset.surrender,
        whole=whole,
        scale=2 if lifted else 1,
        lift=int(lifted and role == BANK),
    )


def digest_play(ruleset: "Ruleset", opponents: int = 1, role: Role = PLAYER) -> str:
    """Return 16 hex digits over everything that decides how deals are best set.

    Rulesets that differ only in stakes, chips or the penalty of a foul share it.
    """
    import hashlib

    game = build_game(ruleset, opponents, role)
    spec = natural_spec(ruleset)
    digest = hashlib.sha256(game.won.tobytes() + game.held.tobytes())
    plain = [*game.pay, game.low, game.strict, game.floor, game.surrender, ruleset.order.wheel]
    if game.whole.kind:
        plain += game.whole[:-1]
    if game.scale > 1:
        plain += [game.scale, game.lift]
    naturals = [spec.kinds.tolist(), spec.units.tolist(), *spec[2:]] if len(spec.kinds) else []
    digest.update(repr([plain, naturals]).encode())
    return digest.hexdigest()[:16]
