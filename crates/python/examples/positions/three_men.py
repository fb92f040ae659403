"""Three men's morris: nine points, three men each. Place them, then move along the lines. A row of three wins.

    python three_men.py
"""

from typing import Iterator, Optional, Tuple

import retrograde

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
NEXT = [(1, 3), (0, 2, 4), (1, 5), (0, 4, 6), (1, 3, 5, 7), (2, 4, 8), (3, 7), (4, 6, 8), (5, 7)]
TURNS = ["012345678", "630741852", "876543210", "258147036", "210543876", "036147258", "678345012", "852741630"]
SWAP = str.maketrans("xo", "ox")


class ThreeMen:
    start = "........."  # x is to move: after a move the letters change places

    def value(self, board: str) -> Optional[retrograde.Value]:
        return retrograde.LOSS if any(board[a] == board[b] == board[c] == "o" for a, b, c in ROWS) else None

    def moves(self, board: str) -> Iterator[Tuple[str, str]]:
        placing = board.count("x") < 3
        for at in [-1] if placing else [at for at in range(9) if board[at] == "x"]:
            for to in range(9) if placing else NEXT[at]:
                if board[to] == ".":
                    after = "".join("." if n == at else "x" if n == to else board[n] for n in range(9))
                    yield f"{'' if placing else at}-{to}", after.translate(SWAP)

    def symmetry(self, board: str) -> str:
        return min("".join(board[int(n)] for n in turn) for turn in TURNS)

    def board(self, board: str) -> str:
        return "\n".join(" ".join(board[row : row + 3]) for row in (0, 3, 6))


if __name__ == "__main__":
    solution = retrograde.solve(ThreeMen())
    print(len(solution), solution[solution.start], solution.line(solution.start).states)
