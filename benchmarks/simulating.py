"""Playing deals out: whole tables at equilibrium, a fixed split, and what that costs in memory."""

import tracemalloc

from benchmarks.timing import SEED, Figure, Result, alternate, digest_integers, open_ruleset
from cp_cli.arrangement import parse_arrangement
from cp_cli.simulation import Plan, Played, Request, Simulator, State, Stop, build_plan

SPLIT = parse_arrangement("Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s")
WHOLE_TABLE = "hawaiian-gardens"  # home runs, royalties, naturals, surrender
CHEAP = "back-first"


def play(simulator: Simulator, deals: int | None) -> State:
    """Play deals from the beginning; None plays all stored ones."""
    state = State()
    for _ in simulator.run(state, Stop(deals)):
        pass
    return state


def measure_growth(simulator: Simulator, deals: int, times: int) -> float:
    """Return the KB that a run of `times` as many deals holds more than one of `deals`."""
    held = []
    tracemalloc.start()
    play(simulator, times * deals)  # fills the pools that NumPy and Python keep
    for count in (deals, times * deals):
        before = tracemalloc.get_traced_memory()[0]
        state = play(simulator, count)
        held.append(tracemalloc.get_traced_memory()[0] - before)
        del state
    tracemalloc.stop()
    return (held[1] - held[0]) / 1e3


def sum_units(plan: Plan) -> str:
    """Return a digest of what every hand got in a few deals set by a rule."""
    parts: list[Played] = []
    for _ in Simulator(plan, seed=SEED).run(State(), Stop(512), parts.append):
        pass
    return digest_integers(*(part.units for part in parts), *(part.cards for part in parts))


def run(quick: bool) -> Result:
    """Play deals on one core in three ways; the checksum is over deals set by a rule."""
    deals, rounds, long = (512, 3, 3_000) if quick else (2_048, 9, 30_000)
    plain, whole = open_ruleset(), open_ruleset(WHOLE_TABLE)
    simulators = {
        "whole": Simulator(build_plan(Request(whole, 3)), seed=SEED),
        "dealt": Simulator(build_plan(Request(plain, 1, (SPLIT,))), seed=SEED),
        "stored": Simulator(build_plan(Request(plain, 1, (SPLIT,), stored=True)), seed=SEED),
    }
    stored = play(simulators["stored"], None).deals
    times = alternate(
        {
            "whole": lambda: play(simulators["whole"], deals),
            "dealt": lambda: play(simulators["dealt"], 3 * deals),
            "stored": lambda: play(simulators["stored"], None),
        },
        rounds,
    )
    cheap = Simulator(build_plan(Request(plain, 1, (SPLIT,), versus=(CHEAP,))))
    grown = measure_growth(cheap, long, 8)
    table = times.take("whole") / deals
    return Result(
        sum_units(build_plan(Request(whole, 3, strategy=CHEAP, versus=("front-heavy",)))),
        [
            Figure("tables of four at equilibrium", 1 / table, "deals/s", ">= 3,000", WHOLE_TABLE),
            Figure("a split, opponents dealt", 3 * deals / times.take("dealt"), "deals/s"),
            Figure(
                "a split, stored opponents", stored / times.take("stored"), "deals/s",
                ">= 100,000", f"{stored:,} of them",
            ),
            Figure(f"held after {8 * long:,} deals, not {long:,}", grown, "KB more", "flat"),
        ],
    )  # fmt: skip
