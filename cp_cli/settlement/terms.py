"""A ruleset's amounts for a whole table, as the arithmetic reads them."""

from typing import TYPE_CHECKING

from cp_cli._kernels.table_rules import (
    MAJORITY,
    MORE_ROWS,
    NET,
    ROWS_PAID,
    SCOOP_PAID,
    Terms,
)
from cp_cli.ruleset import AllSweep, Overall, Royalties, Sweep
from cp_cli.settlement.royalties import pays_instead

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

OVERALL_WHEN = {"majority": MAJORITY, "more_rows": MORE_ROWS, "net": NET}
_FOUL = {"scoop": SCOOP_PAID, "rows": ROWS_PAID}


def build_terms(ruleset: "Ruleset") -> Terms:
    """Return the amounts of a ruleset; sections that it does not have are worth nothing."""
    rows = ruleset.rows
    royalties = ruleset.royalties or Royalties()
    sweep = ruleset.sweep or Sweep()
    overall = ruleset.overall or Overall(units=1)
    all_sweep = ruleset.all_sweep or AllSweep()
    foul, naturals = ruleset.foul, ruleset.naturals
    return Terms(
        win=rows.win,
        outcome=int(rows.outcome is not None),
        three_none=rows.pays(3, 0),
        two_one=rows.pays(2, 1),
        two_none=rows.pays(2, 0),
        one_none=rows.pays(1, 0),
        instead=int(pays_instead(ruleset)),
        always=int(royalties.paid == "always"),
        cancel=int(royalties.cancel),
        sweep_units=sweep.units,
        sweep_times=sweep.times,
        sweep_rows_only=int(sweep.scope == "rows"),
        sweep_ties=int(sweep.tie_counts),
        overall=overall.units if ruleset.overall else 0,
        overall_when=OVERALL_WHEN[overall.when],
        foul=_FOUL[foul.pays] if isinstance(foul.pays, str) else foul.pays,
        foul_royalties=int(foul.royalties),
        surrender=ruleset.surrender or 0,
        all_sweep_units=all_sweep.units,
        all_sweep_times=all_sweep.times,
        all_sweep_opponents=all_sweep.opponents if ruleset.all_sweep else 0,
        bank_ties=int(ruleset.bank.wins_ties),
        equal_by_units=int(naturals is not None and naturals.rank == "value"),
        difference=int(naturals is not None and naturals.clash == "difference"),
    )
