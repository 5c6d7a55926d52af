"""The one decorator every kernel is compiled with, and where its machine code is kept.

Compiled kernels are cached in the user's cache folder, in a folder named by a digest of *all*
kernel sources: a cached kernel keeps the old copy of any kernel or constant it took from another
file, so no file may be newer than the machine code beside it. A cache that cannot be written is
replaced by a temporary folder for this process; a damaged one is compiled again.
"""

import hashlib
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from numba import extending
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys

_SOURCES = sorted(Path(__file__).parent.glob("*.py"))


def digest_sources() -> str:
    """Return 16 hex digits that change whenever any kernel source changes."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in _SOURCES:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def find_cache_dir() -> Path | None:
    """Return the user's folder for compiled kernels, or None where it cannot be written."""
    root = os.environ.get("CPOKER_CACHE_DIR")
    if not root:
        from platformdirs import user_cache_dir

        root = user_cache_dir("cpoker")
    folder = Path(root) / f"kernels-{digest_sources()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


_found = find_cache_dir()
TEMPORARY = None if _found else tempfile.TemporaryDirectory(prefix="cpoker-kernels-")
CACHE_DIR = _found or Path(TEMPORARY.name if TEMPORARY else tempfile.gettempdir())
_announced = False


def _announce_compilation() -> None:
    global _announced
    if not _announced and not os.environ.get("CPOKER_QUIET"):
        kinds = "once for questions of this kind (up to half a minute)"
        print(f"compiling kernels, {kinds} ...", file=sys.stderr)
    _announced = True


def _let_interrupt(stop_at_once: bool) -> None:
    """Choose what Ctrl-C does: LLVM swallows Python's exception, so it must end the process."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, signal.SIG_DFL):
        handler = signal.SIG_DFL if stop_at_once else signal.default_int_handler
        signal.signal(signal.SIGINT, handler)


class _SafeCache(FunctionCache):
    """A kernel cache that treats any damage as a miss and says when it has to compile.

    Machine code that is found needs Numba's memory functions but none of its tables of what
    Python and NumPy functions mean, which take a tenth of a second to set up; Numba's own cache
    sets them up before it looks.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            rtsys.initialize(target_context)
            found = self._load_overload(sig, target_context)
        except Exception:  # a damaged pickle can raise anything at all
            found = None
            try:
                self.flush()
            except OSError:
                self.disable()
        if found is None:
            _announce_compilation()
            _let_interrupt(stop_at_once=True)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        _let_interrupt(stop_at_once=False)
        try:
            super().save_overload(sig, data)
        except Exception:  # a full disk or a damaged index must not stop an answer
            self.disable()


class _LazyCache:
    """A kernel cache that is opened when its kernel is first called.

    Opening one asks the file system several questions, and most runs call a few of the kernels.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _cache(self) -> _SafeCache:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(CACHE_DIR)
        try:
            return _SafeCache(self._function)
        finally:
            numba.config.CACHE_DIR = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function with Numba (nopython, no GIL) and keep its machine code."""

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = numba.njit(nogil=True, **options)(function)
        if isinstance(compiled, Dispatcher):  # not with NUMBA_DISABLE_JIT
            vars(compiled)["_cache"] = _LazyCache(function)
        return compiled

    return decorate


def jitable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels call a plain function, which stays plain for everybody else; return it.

    A rule is written once: whoever settles one table runs it interpreted, without loading Numba,
    and kernels compile the same lines for millions of deals.
    """
    plain: Callable[..., Any] = extending.register_jitable(function)
    return plain
