"""The part of the package that is written in Rust: numbers and arrays."""

from os import PathLike
from typing import Callable, Dict, List, Optional, Tuple, Union, final

import numpy as np
import numpy.typing as npt

__all__ = ["Answers", "Lists", "open", "solve"]

_Coded = Tuple[int, Optional[int]]
_Arrays = Tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]
_Progress = Optional[Callable[[int, int, int], None]]
_Path = Union[str, PathLike[str]]

@final
class Answers:
    @property
    def states(self) -> int: ...
    @property
    def distances(self) -> bool: ...
    @property
    def bytes(self) -> int: ...
    @property
    def path(self) -> Optional[PathLike[str]]: ...
    @property
    def header(self) -> str: ...
    @property
    def movers(self) -> List[str]: ...
    @property
    def start(self) -> Optional[int]: ...
    def probe(self, state: int) -> _Coded: ...
    def probe_many(self, states: npt.NDArray[np.uint64]) -> _Arrays: ...
    def range(self, first: int, count: int) -> _Arrays: ...
    def moves(self, state: int) -> List[Tuple[Optional[int], _Coded]]: ...
    def line(self, state: int) -> Tuple[List[int], str, _Coded, Optional[int]]: ...
    def text(self, state: int) -> str: ...
    def picture(self, state: int) -> Optional[str]: ...
    def mover(self, state: int) -> str: ...
    def parse(self, text: str) -> int: ...
    def counts(self) -> Dict[str, Tuple[int, int, int, int]]: ...
    def levels(self) -> List[Tuple[int, int, int]]: ...
    def verify(self, progress: _Progress) -> None: ...
    def check(self) -> None: ...
    def save(
        self,
        path: _Path,
        compression: str,
        half: bool,
        about: Optional[Tuple[str, str]],
        progress: _Progress,
    ) -> int: ...

@final
class Lists:
    def __new__(cls, states: int) -> Lists: ...
    def add_rows(
        self,
        status: npt.NDArray[np.int8],
        distances: Optional[npt.NDArray[np.int64]],
        rows: npt.NDArray[np.int64],
    ) -> None: ...
    def add_pairs(
        self,
        status: npt.NDArray[np.int8],
        distances: Optional[npt.NDArray[np.int64]],
        origins: npt.NDArray[np.int64],
        targets: npt.NDArray[np.int64],
    ) -> None: ...
    def add_lists(
        self,
        status: npt.NDArray[np.int8],
        distances: Optional[npt.NDArray[np.int64]],
        offsets: npt.NDArray[np.int64],
        targets: npt.NDArray[np.int64],
    ) -> None: ...
    def solve(
        self,
        misere: bool,
        distances: bool,
        threads: int,
        memory_max: Optional[int],
        progress: _Progress,
    ) -> Answers: ...

def open(path: _Path, cache_bytes: int) -> Answers: ...
def solve(
    game: str,
    parameters: str,
    board: Optional[str],
    distances: bool,
    threads: int,
    memory_max: Optional[int],
    progress: _Progress,
) -> Answers: ...
