"""A first program: a game of your own, a table of it, and a graph. It runs as it is, and type checkers pass it in their
strict modes.

    python first_steps.py
"""

import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

import retrograde


class Stones:
    """A player takes one, two or three stones from a heap. A player who cannot move loses."""

    numbers = 1_000

    def status(self, states: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.full(len(states), retrograde.OPEN)

    def successors(self, states: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return states[:, None] - np.arange(1, 4)


def told(progress: retrograde.Progress) -> None:
    print(f"{progress.done} of {progress.total}")


def main() -> None:
    solution = retrograde.solve(Stones(), misere=False, progress=told)
    value, distance = solution.probe(15)
    print(f"15 stones: {value.name} in {distance}")
    for move in solution.moves(15):
        print(f"to {move.to}: {move.value.name} in {move.distance}")
    values, distances = solution.probe_many(np.arange(len(solution)))
    lost = int((values == retrograde.LOSS).sum())
    print(f"{lost} of {solution.state_count} states are lost, the last in {distances.max()}")

    with tempfile.TemporaryDirectory() as folder:
        with solution.save(Path(folder) / "stones.table", game="stones") as table:
            table.check()
            blocks = [int((block.values == retrograde.WIN).sum()) for block in table.blocks(size=100)]
            print(f"{table.path.name}: {sum(blocks)} wins, {len(table.to_arrow(0, 10))} rows for Arrow")

    graph = retrograde.solve_graph([(0, 1, "left"), (1, 2, "right"), (2, 0, "back"), (1, 3, "up")], {3: retrograde.DRAW})
    line = graph.line(0)
    print(" ".join(str(graph.label(state, to)) for state, to in zip(line.states, line.states[1:])), line.end)

    try:
        retrograde.solve("pursuit", "P..\n..T", police=1, memory_max=1)
    except retrograde.errors.MemoryLimitError as error:
        # The limit that the error names is enough.
        pursuit = retrograde.solve("pursuit", "P..\n..T", police=1, memory_max=error.needed)
        if pursuit.start is not None:
            print(pursuit.text(pursuit.start), pursuit.probe(pursuit.start).value.name)


if __name__ == "__main__":
    main()
