"""Solving graphs: lists of edges, scipy's sparse matrices, networkx's digraphs."""

from __future__ import annotations

import itertools
import operator
import sys
from typing import Any, Dict, Hashable, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _engine
from ._memory import Ledger
from ._names import Names, Nodes, kind, whole
from ._progress import Report, reporting
from ._solve import RUN_STATES, checked_threads, numbers
from ._solved import Labels, Solution
from ._values import OPEN
from .errors import RulesError

EDGE_BYTES = 16
CHUNK_EDGES = 1 << 16
"""How many edges are read at a time."""

VERTEX = "a vertex of a list of edges is a whole number; for names, make a digraph of networkx"


def solve_graph(
    graph: Any,
    values: Any = None,
    *,
    vertices: Optional[int] = None,
    misere: bool = False,
    distances: bool = True,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    progress: Report = None,
) -> Solution:
    """Solves a game on a graph. The players move one token along the edges, in turn. A player who cannot move loses.

    ``graph`` is one of

    * edges: an array of two columns, or any sequence of pairs of numbers; ``vertices`` is how many there are, if the
      last ones have no edges; a text as third entry of an edge is its label, which ``label`` returns;
    * a square sparse matrix of scipy: every stored entry is an edge from its row to its column;
    * a directed graph of networkx; the data ``label`` of an edge is its label. Then states are nodes, here and in all
      answers; ``blocks`` and ``to_arrow`` go through them in the order of ``solution.nodes``.

    ``values`` are the vertices that the rules decide: a mapping from vertices to :class:`~retrograde.Value` or to a pair of value
    and distance; or an array with a value for each vertex, with ``OPEN`` for a vertex whose moves decide. Edges from
    decided vertices do not count. The other arguments are those of :func:`~retrograde.solve`.

    ``memory_max`` counts the edges as they are read, 16 bytes each, the moves as they are stored, the numbers of nodes, the
    keys of labels, and the solve. It does not count what you hold: the graph, its nodes and the texts of labels.

    >>> solution = retrograde.solve_graph([(0, 1), (1, 2), (2, 0), (1, 3)])
    >>> solution.value(0), solution.value(1)
    (<Value.LOSS: -1>, <Value.WIN: 1>)
    """
    count = checked_threads(threads)
    ledger = Ledger(memory_max)
    nodes: Optional[Nodes] = None
    labels: Labels = {}
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        lists, nodes, labels = of_networkx(graph, values, ledger)
    elif hasattr(graph, "tocsr"):
        lists = of_matrix(graph, values, ledger)
    else:
        lists, labels = of_edges(graph, values, vertices, ledger)
    with reporting(progress, "settled") as report:
        return Solution(lists.solve(misere, distances, count, report), nodes, labels)


def of_networkx(graph: Any, values: Any, ledger: Ledger) -> Tuple[_engine.Lists, Nodes, Labels]:
    """The moves of a digraph, the names of its nodes, and the labels of its edges."""
    if not graph.is_directed():
        raise TypeError("the graph has no directions: graph.to_directed() lets every edge be a move both ways")
    nodes = Nodes(list(graph.nodes))
    ledger.keep(nodes.bytes, f"the names of {nodes.count} nodes")
    count = graph.number_of_edges()
    ledger.check(EDGE_BYTES * count, f"{count} edges")
    number, pairs = nodes.number, []
    labels: Dict[Tuple[int, int], Hashable] = {}
    for chunk in chunks(graph.edges(data="label")):
        pairs.append(np.array([(number(a), number(b)) for a, b, _ in chunk], dtype=np.int64))
        labels.update(((number(a), number(b)), label) for a, b, label in chunk if label is not None)
        check_labels(labels, EDGE_BYTES * count, ledger)
    ledger.keep(label_bytes(labels), f"{len(labels)} labels")
    return fill(nodes.count, values, nodes, pairs, ledger), nodes, labels


def of_matrix(graph: Any, values: Any, ledger: Ledger) -> _engine.Lists:
    """The moves of a sparse matrix."""
    if len(graph.shape) != 2 or graph.shape[0] != graph.shape[1]:
        raise RulesError(f"a matrix of {graph.shape}: a graph has as many rows as columns")
    count = graph.shape[0]
    if graph.format != "csr":
        ledger.check((8 + graph.dtype.itemsize) * graph.nnz + 8 * count, "the rows of the matrix")
    matrix = graph.tocsr()
    lists = _engine.Lists(count, ledger.limit, ledger.kept)
    lists.expect(matrix.nnz)
    codes, plies = decided(count, values, Names(count, lists.parse), ledger)
    for first in range(0, count, RUN_STATES):
        run = slice(first, min(count, first + RUN_STATES))
        offsets = numbers(matrix.indptr[first : run.stop + 1], "indptr", np.int64)
        targets = numbers(matrix.indices[offsets[0] : offsets[-1]], "indices", np.int64)
        lists.add_lists(codes[run], None if plies is None else plies[run], offsets - offsets[0], targets)
    return lists


def of_edges(graph: Any, values: Any, vertices: Optional[int], ledger: Ledger) -> Tuple[_engine.Lists, Labels]:
    """The moves that a list of edges gives, and the labels of those that have one."""
    pairs, labels = edges(graph, ledger)
    most = 1 + max((int(each.max()) for each in pairs), default=-1)
    least = min((int(each.min()) for each in pairs), default=0)
    if least < 0:
        raise RulesError(f"an edge touches vertex {least}: they are numbered from 0")
    if vertices is not None and whole(vertices, "vertices is how many there are") < most:
        raise RulesError(f"an edge touches vertex {most - 1}, and vertices={vertices}")
    if vertices is None and isinstance(values, Mapping):
        decided_ones = (whole(vertex, VERTEX) for vertex in values if not isinstance(vertex, str))
        most = max(most, 1 + max(decided_ones, default=-1))
    elif vertices is None and values is not None:
        most = max(most, len(values))
    return fill(most if vertices is None else vertices, values, None, pairs, ledger), labels


def edges(graph: Any, ledger: Ledger) -> Tuple[List[npt.NDArray[np.int64]], Labels]:
    """Edges as arrays of two columns, and the labels of those that have one."""
    labels: Dict[Tuple[int, int], Hashable] = {}
    if isinstance(graph, np.ndarray):
        if graph.size == 0:
            return [], labels
        if graph.ndim != 2 or graph.shape[1] != 2 or graph.dtype.kind not in "iu":
            raise RulesError(f"edges are pairs of whole numbers, and this is {graph.dtype} of shape {graph.shape}")
        ledger.check(EDGE_BYTES * len(graph), f"{len(graph)} edges")
        return [numbers(graph, "edges", np.int64)], labels
    ledger.check(EDGE_BYTES * operator.length_hint(graph), "the edges")
    pairs: List[npt.NDArray[np.int64]] = []
    for chunk in chunks(graph):
        pairs.append(of_chunk(chunk, labels))
        check_labels(labels, EDGE_BYTES * sum(map(len, pairs)), ledger)
    ledger.keep(label_bytes(labels), f"{len(labels)} labels")
    return pairs, labels


def chunks(items: Iterable[Any]) -> Iterator[List[Any]]:
    """Items, some at a time."""
    rest = iter(items)
    while chunk := list(itertools.islice(rest, CHUNK_EDGES)):
        yield chunk


def of_chunk(chunk: List[Any], labels: Dict[Tuple[int, int], Hashable]) -> npt.NDArray[np.int64]:
    """Some edges as an array, and their labels."""
    # Most lists have only pairs of numbers, and numpy takes those at once.
    plain = set(map(type, chunk)) <= {tuple, list} and set(map(len, chunk)) == {2}
    if plain and set(map(type, itertools.chain.from_iterable(chunk))) == {int}:
        try:
            flat = itertools.chain.from_iterable(chunk)
            return np.fromiter(flat, dtype=np.int64, count=2 * len(chunk)).reshape(-1, 2)
        except OverflowError:
            pass
    return np.array([of_edge(edge, labels) for edge in chunk], dtype=np.int64)


def of_edge(edge: Any, labels: Dict[Tuple[int, int], Hashable]) -> Tuple[int, int]:
    """The ends of an edge."""
    if not isinstance(edge, (tuple, list, np.ndarray)) or not 2 <= len(edge) <= 3:
        raise RulesError(f"an edge is a pair of whole numbers, or these and its label, and this is {edge!r}")
    try:
        origin, target = (whole(vertex, VERTEX) for vertex in edge[:2])
    except TypeError as error:
        raise RulesError(str(error)) from None
    for vertex in (origin, target):
        if not 0 <= vertex < 1 << 32:
            raise RulesError(f"an edge touches vertex {vertex}: they are numbered from 0, and there are at most 2^32")
    if len(edge) == 3:
        if not isinstance(edge[2], str):
            raise RulesError(f"the label of an edge is a text, and this is {kind(edge[2])}: {edge[2]!r}")
        labels[origin, target] = edge[2]
    return origin, target


def label_bytes(labels: Labels) -> int:
    """How many bytes the labels take, without those of the texts, which the caller has."""
    return sys.getsizeof(labels) + len(labels) * sys.getsizeof((0, 0))


def check_labels(labels: Labels, others: int, ledger: Ledger) -> None:
    """Refuses labels and edges that take too much memory."""
    ledger.check(label_bytes(labels) + others, f"the edges and {len(labels)} labels")


def fill(count: int, values: Any, nodes: Optional[Nodes], pairs: List[npt.NDArray[np.int64]], ledger: Ledger) -> _engine.Lists:
    """The lists of a graph that is given by its edges."""
    lists = _engine.Lists(count, ledger.limit, ledger.kept)
    lists.expect(sum(map(len, pairs)))
    codes, plies = decided(count, values, nodes or Names(count, lists.parse), ledger)
    lists.add_edges(codes, plies, pairs)
    return lists


def decided(
    count: int, values: Any, names: Names, ledger: Ledger
) -> Tuple[npt.NDArray[np.int8], Optional[npt.NDArray[np.int64]]]:
    """The status of each vertex, and the distances of decided ones, if any are given."""
    # The arrays are counted again when they are added, together with all that is stored.
    ledger.check(9 * count, f"the values of {count} vertices")
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
        try:
            codes[at], plies[at] = (whole(number, "") for number in pair)
        except (TypeError, ValueError, OverflowError):
            raise RulesError(
                f"the value of {vertex!r} is {value!r}: it is WIN, LOSS, DRAW, INVALID or OPEN of retrograde, or a pair of one and "
                "a distance"
            ) from None
    return codes, plies
