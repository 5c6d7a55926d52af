"""Work on many deals in threads, in parts whose results do not depend on their order."""

from collections.abc import Callable

CHUNK = 256


def run_chunks(count: int, work: Callable[[slice], object], jobs: int, size: int = CHUNK) -> None:
    """Call `work` on consecutive slices of range(count), in `jobs` threads."""
    parts = [slice(i, min(i + size, count)) for i in range(0, count, size)]
    if jobs <= 1 or len(parts) < 2:
        for part in parts:
            work(part)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        try:
            for _ in pool.map(work, parts):
                pass
        except BaseException:
            pool.shutdown(cancel_futures=True)  # Ctrl-C must not wait for the rest
            raise
