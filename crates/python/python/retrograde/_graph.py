"""Solving graphs: lists of edges, scipy's sparse matrices, networkx's digraphs."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _engine
from ._names import Names, Nodes, whole
from ._progress import Report, reporting
from ._solve import checked_threads, numbers
from ._solved import Labels, Solution
from ._values import OPEN
from .errors import RulesError

VERTEX = "a vertex of a list of edges is a whole number; for names, make a digraph of networkx"


def solve_graph(
    graph: Any,
    values: Any = None,
    *,
    states: Optional[int] = None,
    misere: bool = False,
    distances: bool = True,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    progress: Report = None,
) -> Solution:
    """Solves a game on a graph. The players move one token along the edges, in turn. A player who cannot move loses.

    ``graph`` is one of

    * edges: an array of two columns, or any sequence of pairs of numbers; ``states`` is the number of vertices, if the
      last ones have no edges; a text as third entry of an edge is its label, which ``label`` returns;
    * a square sparse matrix of scipy: every stored entry is an edge from its row to its column;
    * a directed graph of networkx; the data ``label`` of an edge is its label. Then states are nodes, here and in all
      answers; ``blocks`` and ``to_arrow`` go through them in the order of ``solution.nodes``.

    ``values`` are the vertices that the rules decide: a mapping from vertices to :class:`~retrograde.Value` or to a pair of value
    and distance; or an array with a value for each vertex, with ``OPEN`` for a vertex whose moves decide. Edges from
    decided vertices do not count. The other arguments are those of :func:`~retrograde.solve`.

    >>> solution = retrograde.solve_graph([(0, 1), (1, 2), (2, 0), (1, 3)])
    >>> solution.value(0), solution.value(1)
    (<Value.LOSS: -1>, <Value.WIN: 1>)
    """
    count = checked_threads(threads)
    nodes: Optional[Nodes] = None
    labels: Labels = {}
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        nodes, pairs, labels = from_networkx(graph)
        lists = fill(nodes.count, values, nodes, pairs)
    elif hasattr(graph, "tocsr"):
        matrix = graph.tocsr()
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            raise RulesError(f"a matrix of {matrix.shape}: a graph has as many rows as columns")
        lists = _engine.Lists(matrix.shape[0])
        codes, plies = decided(matrix.shape[0], values, Names(matrix.shape[0], lists.parse))
        lists.add_lists(codes, plies, numbers(matrix.indptr, "indptr", np.int64), numbers(matrix.indices, "indices", np.int64))
    else:
        pairs, labels = edges(graph)
        most = int(pairs.max()) + 1 if pairs.size else 0
        if pairs.size and int(pairs.min()) < 0:
            raise RulesError(f"an edge touches vertex {int(pairs.min())}: they are numbered from 0")
        if states is not None and states < most:
            raise RulesError(f"an edge touches vertex {most - 1}, and states={states}")
        if states is None and isinstance(values, Mapping):
            vertices = (whole(vertex, VERTEX) for vertex in values if not isinstance(vertex, str))
            most = max(most, 1 + max(vertices, default=-1))
        elif states is None and values is not None:
            most = max(most, len(values))
        lists = fill(most if states is None else states, values, None, pairs)
    with reporting(progress, "settled") as report:
        return Solution(lists.solve(misere, distances, count, memory_max, report), nodes, labels)


def from_networkx(graph: Any) -> Tuple[Nodes, npt.NDArray[np.int64], Labels]:
    """The nodes of a digraph, its edges as pairs of numbers, and the labels of those that have one."""
    if not graph.is_directed():
        raise TypeError("the graph has no directions: graph.to_directed() lets every edge be a move both ways")
    nodes = Nodes(list(graph.nodes))
    number = nodes.number
    pairs = np.array([(number(a), number(b)) for a, b in graph.edges()], dtype=np.int64)
    labelled = (edge for edge in graph.edges(data="label") if edge[2] is not None)
    return nodes, pairs.reshape(-1, 2), {(number(a), number(b)): label for a, b, label in labelled}


def edges(graph: Any) -> Tuple[npt.NDArray[np.int64], Labels]:
    """Pairs of numbers as an array of two columns, and the labels of those that have one."""
    labels: Labels = {}
    if not isinstance(graph, np.ndarray):
        graph = list(graph)
        if graph and all(isinstance(edge, tuple) and len(edge) == 3 and isinstance(edge[2], str) for edge in graph):
            labels = {(origin, target): label for origin, target, label in graph}
            graph = [edge[:2] for edge in graph]
    array = np.asarray(graph)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64), labels
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise RulesError(f"edges are pairs of whole numbers, and this is {array.dtype} of shape {array.shape}")
    return np.asarray(array, dtype=np.int64), labels


def fill(count: int, values: Any, nodes: Optional[Nodes], pairs: npt.NDArray[np.int64]) -> _engine.Lists:
    """The lists of a graph that is given by its edges."""
    lists = _engine.Lists(count)
    codes, plies = decided(count, values, nodes or Names(count, lists.parse))
    lists.add_pairs(codes, plies, np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]))
    return lists


def decided(
    count: int, values: Any, names: Names
) -> Tuple[npt.NDArray[np.int8], Optional[npt.NDArray[np.int64]]]:
    """The status of each vertex, and the distances of decided ones, if any are given."""
    codes = np.full(count, OPEN, dtype=np.int8)
    if values is None:
        return codes, None
    if not isinstance(values, Mapping):
        array = numbers(values, "values", np.int8)
        if array.shape != codes.shape:
            raise RulesError(f"values are {array.shape} for {count} vertices: there is one for each")
        return array, None
    plies = np.full(count, -1, dtype=np.int64)
    for vertex, value in values.items():
        at = names.number(vertex)
        pair: Union[Any, Tuple[Any, Any]] = value if isinstance(value, tuple) else (value, -1)
        codes[at], plies[at] = pair
    return codes, plies
