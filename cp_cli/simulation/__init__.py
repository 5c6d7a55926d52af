"""Equity by playing deals out: whole tables, every hand set by a strategy, settled in full."""

from cp_cli.simulation.natural_chances import NaturalCounts, count_naturals
from cp_cli.simulation.plan import Plan, Request, build_plan
from cp_cli.simulation.play import Played
from cp_cli.simulation.results import Entry, Estimate, Simulation
from cp_cli.simulation.resume import read_state, write_state
from cp_cli.simulation.ruin import Ruin
from cp_cli.simulation.run import DEALS, HORIZON, Simulator, Standing, State, Stop

__all__ = [
    "DEALS",
    "HORIZON",
    "Entry",
    "Estimate",
    "NaturalCounts",
    "Plan",
    "Played",
    "Request",
    "Ruin",
    "Simulation",
    "Simulator",
    "Standing",
    "State",
    "Stop",
    "build_plan",
    "count_naturals",
    "read_state",
    "write_state",
]
