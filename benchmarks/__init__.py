"""How fast and how strong cpoker is, measured: `python -m benchmarks --help`."""

import os

# One thread, unless a benchmark says otherwise; NumPy reads this when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
