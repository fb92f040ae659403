"""A token on a ring of one-way streets. The player who brings it home wins; play can go round for ever.

    python token.py
"""

from typing import Optional

import retrograde

STREETS = {"a": "bc", "b": "cd", "c": "ae", "d": "b", "e": "fg", "f": "e", "g": "fh", "h": ""}


class Token:
    start = "a"

    def moves(self, place: str) -> "list[str]":
        return list(STREETS[place])

    def value(self, place: str) -> Optional[retrograde.Value]:
        # The other player has just brought it home.
        return retrograde.LOSS if place == "h" else None


if __name__ == "__main__":
    solution = retrograde.solve(Token())
    for place in sorted(solution):
        print(place, *solution[place])
    print(solution.line("a"))
