"""Sizes of samples: without compiled kernels (NUMBA_DISABLE_JIT=1) all is a hundred times slower.

The tests are the same then, on less.
"""

import numba
from hypothesis import settings

COMPILED = not numba.config.DISABLE_JIT


def pick_size(compiled: int, plain: int) -> int:
    """Return the size of a sample: `plain` where the kernels run as plain Python."""
    return compiled if COMPILED else plain


def try_examples(compiled: int, plain: int) -> settings:
    """Return Hypothesis settings: so many examples, the same in every run."""
    return settings(
        max_examples=pick_size(compiled, plain),
        derandomize=True,
        database=None,
        deadline=None,
    )
