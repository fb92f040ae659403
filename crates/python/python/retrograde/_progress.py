"""Progress of long work: to a function of the caller, to tqdm if it is installed, or to a line on standard error."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Callable, Iterator, Optional, Union

from ._values import Progress

Report = Optional[Union[bool, Callable[[Progress], object]]]
"""``True`` for a line on standard error, a function to be called with :class:`Progress`, or nothing."""

Call = Callable[[Optional[int], int, int], None]


@contextlib.contextmanager
def reporting(progress: Report, verb: str) -> Iterator[Optional[Call]]:
    """The function that the engine calls now and then, if any."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        call = progress

        def report(level: Optional[int], done: int, total: int) -> None:
            call(Progress(level, done, total))

        yield report
    else:
        with (by_tqdm(verb) if bars() else by_line(verb)) as shown:
            yield shown


def bars() -> Any:
    """The bars of tqdm, if it is installed and the notebook or terminal shows them."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return None
    return tqdm


@contextlib.contextmanager
def by_tqdm(verb: str) -> Iterator[Call]:
    """A bar of tqdm, which shows the rate and the time left."""
    with bars()(unit=" states", unit_scale=True, desc=verb) as bar:

        def show(level: Optional[int], done: int, total: int) -> None:
            bar.total = total
            if is_seeding(level, verb):
                bar.set_postfix_str("seeding", refresh=False)
            elif level is not None:
                bar.set_postfix_str(f"level {level}", refresh=False)
            bar.update(done - bar.n)

        yield show


@contextlib.contextmanager
def by_line(verb: str) -> Iterator[Call]:
    """A line that overwrites itself."""
    began = time.monotonic()

    def show(level: Optional[int], done: int, total: int) -> None:
        at = "" if level is None else f"level {level}, "
        does = "seeded" if is_seeding(level, verb) else verb
        line = f"{at}{done:,} of {total:,} states {does}{pace(done, total, time.monotonic() - began)}"
        sys.stderr.write(f"\r{line:<79}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\n")


def is_seeding(level: Optional[int], verb: str) -> bool:
    """Whether a solve has not come to its first level."""
    return level is None and verb == "settled"


def pace(done: int, total: int, seconds: float) -> str:
    """The rate, and how long the rest takes at this rate: an upper bound for a solve, whose draws never settle."""
    if seconds < 0.5 or done == 0:
        return ""
    rate = done / seconds
    left = (total - done) / rate
    ends = f", at most {left:,.0f} s left" if left >= 1 else ""
    return f", {rate:,.0f} a second{ends}"
