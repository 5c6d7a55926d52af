"""How far a long piece of work is."""

import math
import sys
from typing import TYPE_CHECKING, Self, TextIO

from cp_cli.render.words import format_units

if TYPE_CHECKING:
    from rich.progress import Progress

    from cp_cli.simulation.run import Standing

ON_DEMAND = "once for these rules (up to a minute)"


class WorkProgress:
    """Shows how far a piece of work is: a bar on a terminal, elsewhere one line.

    Nothing is shown, and Rich is not loaded, until the first report.
    """

    def __init__(self, text: str, stream: TextIO | None = None) -> None:
        self.text = text
        self.stream = stream or sys.stderr
        self._bar: Progress | None = None
        self._told = False

    def __call__(self, done: float, what: str) -> None:
        """Report that a part `done` (0 to 1) of the step `what` is finished."""
        if not self._told:
            self._told = True
            self._begin()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=what)

    def _begin(self) -> None:
        print(f"{self.text} ...", file=self.stream, flush=True)
        if self.stream.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(file=self.stream), transient=True)
            self._bar.add_task("", total=1.0)
            self._bar.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class TrainingProgress(WorkProgress):
    """Shows how far the training of a strategy is; `size` says how much work it is."""

    def __init__(self, name: str, stream: TextIO | None = None, size: str = ON_DEMAND) -> None:
        super().__init__(f"training a strategy for {name}, {size}", stream)


class RunProgress:
    """Shows how a simulation stands: share, rate, time left and estimate, on a terminal alone."""

    def __init__(self, stream: TextIO | None = None) -> None:
        """Take the stream to show it on, by default stderr."""
        self.stream = stream or sys.stderr
        self._bar: Progress | None = None
        self._first: Standing | None = None

    def __call__(self, standing: "Standing") -> None:
        """Show how the simulation stands."""
        if self._bar is None:
            return
        if self._first is None:
            self._first = standing
        told = describe_standing(standing, self._first)
        self._bar.update(self._bar.task_ids[0], completed=standing.done, description=told)

    def __enter__(self) -> Self:
        if self.stream is not None and self.stream.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

            columns = BarColumn(16), TaskProgressColumn(), TextColumn("{task.description}")
            self._bar = Progress(*columns, console=Console(file=self.stream), transient=True)
            self._bar.add_task("", total=1.0)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def describe_standing(standing: "Standing", first: "Standing") -> str:
    """Say how fast it goes since the `first` report, how long it takes, and what is known."""
    seconds = standing.elapsed - first.elapsed
    told = [f" {standing.deals:,} deals"]
    if seconds > 0:
        told.append(f"{(standing.deals - first.deals) / seconds:,.0f}/s")
        if standing.done > first.done:
            left = (1 - standing.done) * seconds / (standing.done - first.done)
            told.append(f"{_format_time(left)} left")
    error = f" ± {standing.units.se:.3f}" if math.isfinite(standing.units.se) else ""
    told.append(f"EV {format_units(standing.units.mean)}{error}")
    return ", ".join(told)


def _format_time(seconds: float) -> str:
    """Write a time as minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
