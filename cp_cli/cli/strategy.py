"""`cpoker strategy`: one module a subcommand, imported only when it runs."""

import click

from cp_cli.cli import LazyGroup, Table

COMMANDS: Table = {
    "list": ("cp_cli.cli.strategy_list:list_strategies", "List what strategies there are."),
    "train": ("cp_cli.cli.strategy_train:train", "Find the equilibrium of a ruleset."),
    "measure": ("cp_cli.cli.strategy_measure:measure", "Tell what a best answer gains."),
    "table": ("cp_cli.cli.strategy_table:table", "Print how often each row wins."),
    "match": ("cp_cli.cli.strategy_match:match", "Play two strategies against each other."),
    "set": ("cp_cli.cli.strategy_set:set_deals", "Print how a strategy sets deals, as CSV."),
}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    epilog="Run 'cpoker strategy COMMAND --help' for the options of a command and examples.",
)
def strategy() -> None:
    """List, train, measure and play strategies: ways to set deals."""
