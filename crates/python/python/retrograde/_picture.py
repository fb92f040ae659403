"""What a notebook draws of a position."""

from __future__ import annotations

from typing import Optional, Tuple


class Picture(str):
    """The board of a position as text, and drawn: a notebook shows it with the values of its moves.

    >>> solution = retrograde.solve("pursuit", "P..\\n.*.\\n..T")
    >>> print(solution.picture())
    P..
    .*.
    ..T
    >>> written = pathlib.Path("start.svg").write_text(solution.picture().svg)

    Where letters cannot draw the board, the text is that of the position.
    """

    svg: str
    """The drawing. Each point that moves go to has the value of the best of them, and an arrow shows the best move."""

    def __new__(cls, text: str, svg: str) -> Picture:
        picture = super().__new__(cls, text)
        picture.svg = svg
        return picture

    def __getnewargs__(self) -> Tuple[str, str]:  # type: ignore[override]
        return str(self), self.svg

    def _repr_svg_(self) -> str:
        return self.svg


def picture(drawn: Optional[Tuple[str, str]]) -> Optional[Picture]:
    """A picture of the board, if there is one."""
    return None if drawn is None else Picture(*drawn)
