"""Run benchmarks and print one table; exit 1 if a result, not a time, is wrong."""

import argparse
import dataclasses
import importlib
import json
import sys
import time
from pathlib import Path

from benchmarks.timing import Figure, Result

QUICK = (
    *("rows", "splits", "settling", "setting", "answer", "tables", "batch", "simulating"),
    "startup",
)
DEFAULT = (*QUICK, "agreement")
BY_NAME = ("strength", "calibration")
CHECKSUMS = Path(__file__).with_name("checksums.json")
HEAD = ("benchmark", "what", "measured", "unit", "target", "note")


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = (*DEFAULT, *BY_NAME)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--quick", action="store_true", help="less work, under a minute in total")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--ruleset", action="append", default=[], metavar="NAME",
                        help="for strength; may be repeated")  # fmt: skip
    parser.add_argument("--record", action="store_true", help="store the checksums found")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in known:
            parser.error(f"unknown benchmark {name!r}; expected {', '.join(known)}")
    return arguments


def _run_one(name: str, arguments: argparse.Namespace) -> Result:
    print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
    start = time.perf_counter()
    module = importlib.import_module(f"benchmarks.{name}")
    extra = {"rulesets": tuple(arguments.ruleset)} if name == "strength" else {}
    result: Result = module.run(arguments.quick, **extra)
    print(f"{time.perf_counter() - start:.1f} s", file=sys.stderr)
    return result


def _format_value(figure: Figure) -> str:
    value = abs(figure.value)
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 4
    return f"{figure.value:,.{decimals}f}"


def _draw_table(results: dict[str, Result]) -> str:
    """Return the figures as an aligned Markdown table, checksums and notes below."""
    lines = [
        (name, f.name, _format_value(f), f.unit, f.target, f.note)
        for name, result in results.items()
        for f in result.figures
    ]
    widths = [max(map(len, column)) for column in zip(HEAD, *lines, strict=True)]
    rule = ["-" * width for width in widths]
    rule[2] = rule[2][:-1] + ":"
    drawn = [
        "| " + " | ".join(
            cell.rjust(width) if i == 2 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ) + " |"
        for line in (HEAD, tuple(rule), *lines)
    ]  # fmt: skip
    drawn.append("")
    sums = [f"{name} {result.checksum}" for name, result in results.items() if result.checksum]
    if sums:
        drawn.append("checksums: " + ", ".join(sums))
    drawn += [f"{name}: {note}" for name, result in results.items() for note in result.notes]
    return "\n".join(drawn)


def _check_sums(results: dict[str, Result], record: bool) -> None:
    """Compare the checksums with the stored ones, or store them."""
    stored: dict[str, str] = json.loads(CHECKSUMS.read_text()) if CHECKSUMS.exists() else {}
    found = {name: result.checksum for name, result in results.items() if result.checksum}
    if record:
        CHECKSUMS.write_text(json.dumps(stored | found, indent=2, sort_keys=True) + "\n")
        return
    for name, checksum in found.items():
        if stored.get(name) != checksum:
            expected = stored.get(name, "none stored")
            results[name].faults.append(f"checksum {checksum}, expected {expected}")


def main() -> int:
    """Run what was asked for and return the exit code."""
    arguments = _read_arguments()
    names = arguments.names or (QUICK if arguments.quick else DEFAULT)
    results = {name: _run_one(name, arguments) for name in dict.fromkeys(names)}
    _check_sums(results, arguments.record)
    if arguments.json:
        print(json.dumps({name: dataclasses.asdict(result) for name, result in results.items()}))
    else:
        print(_draw_table(results))
    faults = [f"{name}: {fault}" for name, result in results.items() for fault in result.faults]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
