"""Three hounds, which never go back, hunt a hare. It wins on the leftmost point, they win if it cannot move.

    python hounds.py
"""

from typing import Optional, Tuple

import retrograde

Position = Tuple[str, Tuple[int, ...], int]  # who is to move, where the hounds are, where the hare is

#      1 4 7
#    0 2 5 8 10
#      3 6 9
COLUMN = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]
LINES = "0-1 0-2 0-3 1-2 2-3 1-4 1-5 2-5 3-5 3-6 4-5 5-6 4-7 5-7 5-8 5-9 6-9 7-8 8-9 7-10 8-10 9-10".split()
NEXT = [[b for a in LINES for b in range(11) if {f"{n}-{b}", f"{b}-{n}"} & {a}] for n in range(11)]


class Hounds:
    start: Position = ("hounds", (0, 1, 3), 10)

    def moves(self, position: Position) -> "list[tuple[str, Position]]":
        side, hounds, hare = position
        if side == "hare":
            return [(f"{hare}-{to}", ("hounds", hounds, to)) for to in NEXT[hare] if to not in hounds]
        steps = [(at, to) for at in hounds for to in NEXT[at] if COLUMN[to] >= COLUMN[at] and to not in (*hounds, hare)]
        return [(f"{at}-{to}", ("hare", tuple(sorted({*hounds, to} - {at})), hare)) for at, to in steps]

    def value(self, position: Position) -> "Optional[retrograde.Value]":
        return retrograde.LOSS if position[0] == "hounds" and position[2] == 0 else None

    def board(self, position: Position) -> str:
        signs = ["H" if at in position[1] else "h" if at == position[2] else "." for at in range(11)]
        return "  {1} {4} {7}\n{0} {2} {5} {8} {10}\n  {3} {6} {9}".format(*signs)


if __name__ == "__main__":
    retrograde.solve(Hounds()).play()
