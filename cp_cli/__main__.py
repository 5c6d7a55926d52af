"""Run the command line with `python -m cp_cli`."""

from cp_cli.cli import main

main()
