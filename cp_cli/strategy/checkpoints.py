"""What a training keeps between its steps, so that it can be stopped and go on.

The state is a NumPy archive. Its name and a key inside say for which rules, plan and kernels it
is; one that is damaged or of another training counts for nothing.
"""

import os
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEY = "key"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where the state of one training is kept; `key` tells trainings apart."""

    path: Path
    key: str

    def read(self) -> "dict[str, NDArray[Any]] | None":
        """Return the arrays written last, or None if there is no sound state of this training."""
        try:
            with self.path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error):
            return None
        return arrays if str(arrays.pop(KEY, "")) == self.key else None

    def write(self, arrays: "Mapping[str, NDArray[Any]]") -> None:
        """Keep arrays in place of those written before; a reader never sees half of them.

        A folder that cannot be written is done without.
        """
        temporary = self.path.with_suffix(f".{os.getpid()}.tmp")
        everything: dict[str, Any] = {KEY: np.array(self.key), **arrays}
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with temporary.open("wb") as stream:
                    np.savez(stream, **everything)
                temporary.replace(self.path)
            finally:
                temporary.unlink(missing_ok=True)

    def remove(self) -> None:
        """Forget the state."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
