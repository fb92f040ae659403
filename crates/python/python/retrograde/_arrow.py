"""Columns for pandas, polars, pyarrow and duckdb, without a copy: nanoarrow hands them over by the Arrow C data interface.

The crate pyo3-arrow would do so in the engine. It would make the wheel several times larger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Protocol, Tuple

import numpy as np
import numpy.typing as npt

from ._values import INVALID

if TYPE_CHECKING:
    import pandas


class Columns(Protocol):
    """States, values and distances of a run of states, as columns of Arrow. An invalid number has no value, and a state
    without a distance has none.

    >>> polars.DataFrame(table.to_arrow())   # doctest: +SKIP
    >>> pyarrow.table(table.to_arrow())   # doctest: +SKIP
    """

    def __len__(self) -> int:
        """How many rows there are."""

    def __arrow_c_array__(self, requested_schema: object = None) -> Tuple[object, object]:
        """The columns themselves, for libraries that know Arrow."""


def columns(
    first: int, values: npt.NDArray[np.int8], distances: npt.NDArray[np.int64], texts: Optional[List[Optional[str]]]
) -> Columns:
    """The columns of the states from ``first`` on."""
    try:
        import nanoarrow
    except ImportError as error:
        raise ImportError("to_arrow takes nanoarrow: pip install nanoarrow") from error
    numbers = np.arange(first, first + len(values), dtype=np.uint64)
    fields = {
        "state": (nanoarrow.uint64(nullable=False), numbers, None),
        "value": (nanoarrow.int8(), values, values != INVALID),
        "distance": (nanoarrow.int64(), distances, distances >= 0),
    }
    types = {name: kind for name, (kind, _, _) in fields.items()}
    children = [column(*field) for field in fields.values()]
    if texts is not None:
        # Many texts are longer together than the offsets of a plain string may be.
        types["text"] = nanoarrow.large_string()
        children.append(nanoarrow.c_array(texts, types["text"]))
    types = nanoarrow.struct(types, nullable=False)
    whole = nanoarrow.c_array_from_buffers(types, len(values), [None], null_count=0, children=children)
    found: Columns = nanoarrow.Array(whole)
    return found


def frame(
    first: int, values: npt.NDArray[np.int8], distances: npt.NDArray[np.int64], texts: Optional[List[Optional[str]]]
) -> pandas.DataFrame:
    """The same columns as a frame of pandas."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas takes pandas: pip install pandas") from error
    fields: Dict[str, Any] = {
        "value": pandas.arrays.IntegerArray(values, values == INVALID),
        "distance": pandas.arrays.IntegerArray(distances, distances < 0),
    }
    if texts is not None:
        fields["text"] = pandas.array(texts, dtype="string")
    return pandas.DataFrame(fields, index=pandas.RangeIndex(first, first + len(values), name="state"))


def column(kind: Any, array: npt.NDArray[Any], known: Any) -> Any:
    """An array as a column, with a bit for each place that has something."""
    import nanoarrow

    bits = None if known is None or known.all() else np.packbits(known, bitorder="little")
    return nanoarrow.c_array_from_buffers(kind, len(array), [bits, array])
