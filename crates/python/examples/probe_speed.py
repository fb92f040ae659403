"""How fast a table answers from Python: beside `cargo run --release -p retrograde-table --example probe_speed`.

    python probe_speed.py BOARD [FOLDER]

Solves a pursuit, writes its table and asks it, as that program does with a board of its own.
"""

import pathlib
import sys
import tempfile
import time

import numpy as np

import retrograde


def best(call, times=5):
    """The least of the seconds that a call takes."""
    seconds = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


class Leaps:
    """A game written in Python: from each of ten million states to three that lie all over, and a tenth are lost."""

    numbers = 10_000_000

    def status(self, states):
        return np.where(states % 10 == 0, retrograde.LOSS, retrograde.OPEN)

    def successors(self, states):
        return (states[:, None] * np.array([7, 131, 1009]) + np.array([1, 3, 8])) % self.numbers


def main():
    board = pathlib.Path(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()
    begun = time.perf_counter()
    solution = retrograde.solve("pursuit", board)
    print(f"solve              {time.perf_counter() - begun:8.3f} s, {len(solution):,} states")
    table = solution.save(pathlib.Path(folder) / "board.table", overwrite=True)

    random = np.random.default_rng(4)
    many = random.integers(0, len(table), 1_000_000)
    cold = best(lambda: retrograde.Table(table.path).probe_many(many))
    print(f"a million at once  {cold:8.3f} s")
    print(f"from the solution  {best(lambda: solution.probe_many(many)):8.3f} s")
    assert (table.probe_many(many).values == solution.probe_many(many).values).all()

    few = many[:20_000].tolist()
    each = best(lambda: [solution.probe(state) for state in few]) / len(few)
    print(f"one by one         {each * 1e6:8.3f} us a probe, from the solution")
    seconds = best(lambda: sum(1 for _ in table.blocks()), 2)
    print(f"blocks, in order   {len(table) / seconds / 1e6:8.0f} M states/s")

    begun = time.perf_counter()
    leaps = retrograde.solve(Leaps())
    print(f"written in Python  {time.perf_counter() - begun:8.3f} s for {len(leaps):,} states, three moves each")


if __name__ == "__main__":
    main()
