"""Progress of long work: to a function of the caller's, or to a line on standard error."""

from __future__ import annotations

import contextlib
import sys
from typing import Callable, Iterator, Optional, Union

from ._values import Progress

Report = Optional[Union[bool, Callable[[Progress], object]]]
"""``True`` for a line on standard error, a function to be called with :class:`Progress`, or nothing."""


@contextlib.contextmanager
def reporting(progress: Report, verb: str) -> Iterator[Optional[Callable[[int, int, int], None]]]:
    """What the engine is to call now and then, if anything."""
    if progress is None or progress is False:
        yield None
        return
    if callable(progress):
        call = progress

        def report(level: int, done: int, states: int) -> None:
            call(Progress(level, done, states))

        yield report
        return

    def show(level: int, done: int, states: int) -> None:
        at = f"level {level}, " if level else ""
        sys.stderr.write(f"\r{at}{done:,} of {states:,} states {verb} ")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\n")
