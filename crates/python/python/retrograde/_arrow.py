"""Columns for pandas, polars, pyarrow and duckdb: the Arrow C data interface, without a copy and without a dependency.

https://arrow.apache.org/docs/format/CDataInterface.html has the two structs. A consumer of a capsule copies its struct
and calls ``release`` when done; until then ``_alive`` holds what the struct points to.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any, Dict, List, Tuple, Type, Union

import numpy as np
import numpy.typing as npt


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


_Struct = Union[_Schema, _Array]

_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_NULLABLE = 2
_alive: Dict[int, Tuple[Any, ...]] = {}
_keys = itertools.count(1)
_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destroy = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]


def _releaser(kind: Type[_Struct]) -> Any:
    def release(address: int) -> None:
        struct: Any = kind.from_address(address)
        for number in range(struct.n_children):
            _drop(struct.children[number].contents)
        # What the struct pointed to may go; it is marked as released first.
        struct.release = None
        _alive.pop(struct.private_data, None)

    return _Release(release)


def _drop(struct: Any) -> None:
    """Releases a struct that no consumer has moved elsewhere."""
    if struct.release:
        _Release(struct.release)(ctypes.addressof(struct))


_RELEASE = {_Schema: _releaser(_Schema), _Array: _releaser(_Array)}


def _owned(struct: Any, *held: Any) -> Any:
    """A struct that keeps alive what it points to, until it is released."""
    struct.private_data = next(_keys)
    struct.release = ctypes.cast(_RELEASE[type(struct)], ctypes.c_void_p)
    _alive[struct.private_data] = held
    return struct


def _parent(struct: Any, children: List[Any], *held: Any) -> Any:
    pointers = (ctypes.POINTER(type(struct)) * len(children))(*map(ctypes.pointer, children))
    struct.n_children = len(children)
    struct.children = pointers
    return _owned(struct, pointers, children, *held)


# The struct of a capsule lives as long as the capsule.
_structs: Dict[int, Any] = {}


def _destroyer(name: bytes) -> Any:
    def destroy(capsule: int) -> None:
        struct = _structs.pop(_pointer(capsule, name), None)
        if struct is not None:
            _drop(struct)

    return _Destroy(destroy)


_DESTROY = {name: _destroyer(name) for name in (b"arrow_schema", b"arrow_array")}


def _capsule(struct: Any, name: bytes) -> Any:
    address = ctypes.addressof(struct)
    _structs[address] = struct
    return _new(address, name, ctypes.cast(_DESTROY[name], ctypes.c_void_p))


class Columns:
    """States, values and distances of a run of states, as columns of Arrow. A state without a distance has null.

    >>> pandas.DataFrame.from_arrow(table.to_arrow())
    >>> polars.DataFrame(table.to_arrow())
    >>> pyarrow.table(table.to_arrow())
    """

    def __init__(self, first: int, values: npt.NDArray[np.int8], distances: npt.NDArray[np.int64]) -> None:
        self._columns: List[Tuple[bytes, bytes, npt.NDArray[Any]]] = [
            (b"state", b"L", np.arange(first, first + len(values), dtype=np.uint64)),
            (b"value", b"c", values),
            (b"distance", b"l", distances),
        ]

    def __len__(self) -> int:
        return len(self._columns[0][2])

    def __arrow_c_schema__(self) -> object:
        """The types of the columns, for libraries that know Arrow."""
        children = [
            _owned(_Schema(format=kind, name=name, flags=_NULLABLE if name == b"distance" else 0))
            for name, kind, _ in self._columns
        ]
        return _capsule(_parent(_Schema(format=b"+s", name=b"", flags=0), children), b"arrow_schema")

    def __arrow_c_array__(self, requested_schema: object = None) -> Tuple[object, object]:
        """The columns themselves, for libraries that know Arrow."""
        children = [self._column(name, array) for name, _, array in self._columns]
        none = (ctypes.c_void_p * 1)(None)
        whole = _Array(length=len(self), null_count=0, offset=0, n_buffers=1, buffers=none)
        return self.__arrow_c_schema__(), _capsule(_parent(whole, children, none), b"arrow_array")

    def _column(self, name: bytes, array: npt.NDArray[Any]) -> Any:
        array = np.ascontiguousarray(array)
        known = array >= 0
        nulls = int(len(array) - np.count_nonzero(known)) if name == b"distance" else 0
        bits = np.packbits(known, bitorder="little") if nulls else None
        buffers = (ctypes.c_void_p * 2)(None if bits is None else bits.ctypes.data, array.ctypes.data)
        column = _Array(length=len(array), null_count=nulls, offset=0, n_buffers=2, buffers=buffers)
        return _owned(column, buffers, bits, array)
