"""Objects that hold a part of the engine. They cannot be pickled. Those with open files can be closed."""

from __future__ import annotations

from types import TracebackType
from typing import Generic, NoReturn, Optional, Type, TypeVar

Engine = TypeVar("Engine")
Self = TypeVar("Self", bound="Closing")  # type: ignore[type-arg]


class Held(Generic[Engine]):
    """An object of the engine, as long as it is open."""

    _held: Optional[Engine] = None

    @property
    def _engine(self) -> Engine:
        if self._held is None:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return self._held

    def __reduce__(self) -> NoReturn:
        kind = type(self).__name__
        raise TypeError(f"a {kind} cannot be pickled: hand on the path of what is on disk, and open it there")


class Closing(Held[Engine]):
    """The same with files: open until ``close``, or until the end of a ``with``."""

    def close(self) -> None:
        """Closes the files. Every later question is an error."""
        self._held = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
