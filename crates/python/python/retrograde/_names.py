"""What states are called: numbers and texts in a game, nodes in a graph of networkx. Every method that takes states asks
here for their numbers, so one state means the same everywhere.
"""

from __future__ import annotations

import difflib
import operator
import os
import sys
from pathlib import Path
from typing import Any, Callable, Collection, Dict, Hashable, Iterable, List, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._values import State
from .errors import StateError

States = Union[npt.NDArray[Any], Iterable[State]]
"""Many states: a sequence with a state for each element, or an array of numpy of any shape."""


SUGGEST_MAX = 10_000
"""Among how many names a wrong one is looked for: some hundredths of a second."""


def whole(number: Any, what: str) -> int:
    """A whole number. A truth value, a fraction or a text is none, whatever Python and numpy make of it."""
    if not isinstance(number, (bool, np.bool_)):
        try:
            return operator.index(number)
        except TypeError:
            pass
    raise TypeError(f"{what}, and this is {kind(number)}: {number!r}")


def kind(thing: object) -> str:
    """The name of the type of something."""
    return type(thing).__name__


def meant(asked: object, known: Collection[object]) -> str:
    """The end of an error about a name that is not known: the known name that is most like it, if one is."""
    if len(known) > SUGGEST_MAX:
        return ""
    texts = {str(each): each for each in known}
    close = difflib.get_close_matches(str(asked), texts, n=1)
    return f"; did you mean {texts[close[0]]!r}?" if close else ""


def meant_path(path: Union[str, "os.PathLike[str]"]) -> str:
    """The same about the name of no file: what lies in its folder is known."""
    try:
        return "" if os.path.exists(path) else meant(Path(path).name, os.listdir(Path(path).parent))
    except OSError:
        return ""


class Names:
    """The names of the states of a game: their numbers, below ``count``, and the texts that ``parse`` reads."""

    def __init__(self, count: int, parse: Callable[[str], int]) -> None:
        self.count = count
        self._parse = parse

    def number(self, state: State) -> int:
        """The number of a state."""
        if isinstance(state, str):
            return self._parse(state)
        number = whole(state, "a state is a number or a text")
        if not 0 <= number < self.count:
            raise StateError(f"there is no state {number}: they are numbered from 0 to {self.count - 1}")
        return number

    def name(self, number: Optional[int]) -> Any:
        """What answers call a state."""
        return number

    def targets(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """What answers call the targets of many moves; -1 leaves the game."""
        return numbers

    def numbers(self, states: States) -> npt.NDArray[np.uint64]:
        """The numbers of many states, as an array of the same shape."""
        if hasattr(states, "__array__"):
            array = np.asarray(states)
            return self._of_array(array.reshape(-1)).reshape(array.shape)
        if isinstance(states, (str, bytes)) or not isinstance(states, Iterable):
            raise TypeError(f"many states are a sequence or an array, and this is {kind(states)}: {states!r}")
        return self._of_list(list(states))

    def _of_array(self, array: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """The numbers of an array with one axis."""
        if array.dtype.kind in "iu":
            if array.dtype.kind == "i" and array.size and int(array.min()) < 0:
                self.number(int(array.min()))
            return np.ascontiguousarray(array, dtype=np.uint64)
        return self._of_list(array.tolist())

    def _of_list(self, states: List[Any]) -> npt.NDArray[np.uint64]:
        # Most lists have only numbers, and numpy takes those at once.
        if set(map(type, states)) == {int}:
            try:
                return self._of_array(np.array(states, dtype=np.int64))
            except OverflowError:
                pass
        return self._one_by_one(states)

    def _one_by_one(self, states: List[Any]) -> npt.NDArray[np.uint64]:
        return np.fromiter(map(self.number, states), dtype=np.uint64, count=len(states))


class Nodes(Names):
    """The names of the states of a graph whose nodes may be anything that can be a key."""

    def __init__(self, nodes: Sequence[Hashable]) -> None:
        self.nodes = nodes
        self.count = len(nodes)
        self._numbers: Dict[Hashable, int] = {node: number for number, node in enumerate(nodes)}

    @property
    def bytes(self) -> int:
        """How many bytes the names take, without the nodes themselves."""
        return sys.getsizeof(self.nodes) + sys.getsizeof(self._numbers) + self.count * sys.getsizeof(self.count)

    def number(self, state: State) -> int:
        """The number of a node."""
        try:
            return self._numbers[state]
        except (KeyError, TypeError):
            raise StateError(f"the graph has no node {state!r}{meant(state, self._numbers)}") from None

    def name(self, number: Optional[int]) -> Any:
        """The node."""
        return None if number is None else self.nodes[number]

    def targets(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """The nodes that many moves lead to."""
        found = np.empty(len(numbers), dtype=object)
        for place, number in enumerate(numbers.tolist()):
            found[place] = self.nodes[number]
        return found

    def _of_array(self, array: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        # A whole number in it is a node like any other.
        return self._one_by_one(array.tolist())

    def _of_list(self, states: List[Any]) -> npt.NDArray[np.uint64]:
        return self._one_by_one(states)
