"""How far a long piece of work is."""

import sys
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress

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
