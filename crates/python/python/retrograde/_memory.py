"""How much memory the moves of a game may take while they are gathered."""

from __future__ import annotations

from typing import Optional

from . import _engine
from ._names import whole
from .errors import MemoryLimitError


class Ledger:
    """The limit of a solve, and what is taken for as long as its solution lives."""

    def __init__(self, memory_max: Optional[int]) -> None:
        if memory_max is not None and whole(memory_max, "memory_max is a number of bytes") < 0:
            raise ValueError(f"memory_max is a number of bytes, and this is {memory_max}")
        self.limit = _engine.memory_limit(memory_max)
        self.kept = 0

    def keep(self, count: int, what: str) -> None:
        """Takes bytes for good."""
        self.kept += count
        self.check(0, what)

    def check(self, count: int, what: str) -> None:
        """Refuses more bytes than there may be, beside those that are kept."""
        needed = self.kept + count
        if needed > self.limit:
            advice = f"{what} take {needed} bytes of memory and may take {self.limit}; memory_max= sets another limit"
            raise MemoryLimitError(advice, needed, self.limit)
