"""Cases: arrays of the caller by their names in the data set format, or a file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from plumecast import _native
from plumecast.errors import InvalidInput
from plumecast.format import unit_of


class Extents(NamedTuple):
    """How many cases, times and cells there are."""

    cases: int  #: N
    times: int  #: T
    rows: int  #: Z; of a plane of points Y, of a line 1
    lines: int  #: Y; 0 of a radial grid and of planes and lines of points
    columns: int  #: R, or X
    is_cartesian: bool
    wells: int = 0  #: W of a schedule
    periods: int = 0  #: P of a schedule; 0 without one
    axes: int = 0  #: axes of space of generic data; 0 of reservoirs
    is_timed: bool = True  #: False of generic data without times

    @property
    def whole_shape(self) -> tuple[int, ...]:
        """Shape with all axes: [N, T, Z, R] or [N, T, Z, Y, X]; of planes of points [N, T, Y, X], of lines [N, T, 1, X]."""
        space = (self.rows, self.lines, self.columns) if self.lines else (self.rows, self.columns)
        return (self.cases, self.times, *space)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of fields: [N, T, Z, R] or [N, T, Z, Y, X]; of generic data as outputs have it, [N, X] or [N, T, Y, X].

        >>> Extents(cases=2, times=24, rows=32, lines=0, columns=64, is_cartesian=False).shape
        (2, 24, 32, 64)
        """
        cases, times, *space = self.whole_shape
        return (cases, *[times] * self.is_timed, *space[-self.axes :])

    def with_all_axes(self, array: Any) -> Any:
        """A view of a field in its whole shape, as plumecast.h has it; what has another shape as it is."""
        return array.reshape(self.whole_shape) if getattr(array, "shape", None) == self.shape else array


class Violation(NamedTuple):
    """What is wrong with cases."""

    path: str
    problem: str
    remedy: str
    is_error: bool  #: False for a warning

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; {self.remedy}"


def path_of(path: str | bytes | os.PathLike[str]) -> str:
    """A path as text. Raises InvalidInput for one that no file can have."""
    text = os.fsdecode(path)
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InvalidInput(f"path {text!r} cannot be used (it holds a NUL or is not UTF-8); rename the file")
    return text


def viewed(array: Any) -> Any:
    """What the library can look at where it is: arrays as they are; a copy of numbers, lists and foreign byte orders."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise ValueError("it has masked values, which no array of the format knows; fill them")
    if not isinstance(array, np.ndarray) and hasattr(array, "__dlpack__"):
        return array
    array = np.asarray(array)
    if array.dtype.kind == "O" or not array.dtype.isnative:
        return array.astype(float)
    if array.dtype.name == "bfloat16":  # of ml_dtypes, which has no name in DLPack's NumPy
        return array.astype(np.float32)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"its elements are of the type {array.dtype}")
    if any(stride % array.itemsize for stride in array.strides):
        return array.copy()
    return array


class Cases:
    """Cases that a model predicts.

    Arrays have the names, shapes and units of the data set format: `permeability_r` [N, Z, R] in mD, `injection_rate` [N]
    in Mt/year. They may be of any real type and have any strides, and may be read-only; NumPy arrays, buffers and tensors of
    other libraries (DLPack) in host memory are looked at where they are, and must stay as they are while the cases are
    used. Lists and numbers are copied. A number without axes states one of `initial_brine_temperature` [degC],
    `residual_gas_saturation`, `entry_pressure` [bar], `rock_compressibility` [1/bar], `temperature_gradient` [degC/m] and
    `rotation` [degree].

    `units` states units where they are to be checked; they must be those of the format, nothing is converted.

    >>> cases = Cases(times=[1.0, 365.0], injection_rate=[0.5, 1.0], units={"injection_rate": "Mt/year"})
    >>> sorted(cases.arrays)
    ['injection_rate', 'times']
    """

    def __init__(self, *, units: Mapping[str, str] | None = None, **arrays: Any) -> None:
        self._look_at("", _native.Cases.create(), arrays, units)

    @classmethod
    def generic(cls, axes: str, arrays: Mapping[str, Any], units: Mapping[str, str] | None = None) -> Cases:
        """Cases of any operator (docs/operators.md), on points along the axes "x", "y,x" or "z,y,x".

        Arrays go by their paths: inputs "/inputs/NAME", which are a number [N], a map [N, space...], a field that varies in
        time [N, T, space...] or, but on lines, a series [N, T]; outputs "/outputs/NAME" [N, T, space...], or [N, space...]
        without times; coordinates "/grid/x" and so on. "times" [T] and the mask "active" [N, space...] have these names. Each
        is in the unit that `units` state, else "1".

        >>> heat = Cases.generic("x", {"/inputs/start": np.zeros((2, 8)), "times": [1.0, 2.0]}, {"times": "s"})
        >>> heat.extents.shape
        (2, 2, 8)
        """
        cases = cls.__new__(cls)
        cases._look_at(axes, _native.Cases.create_generic(axes), arrays, units)
        return cases

    def _look_at(
        self, axes: str, native: _native.Cases, arrays: Mapping[str, Any], units: Mapping[str, str] | None
    ) -> None:
        self._path: str | None = None
        self._axes = axes
        self._units = dict(units or {})
        self._native = native
        kept: dict[str, Any] = {}
        for name in self._units.keys() - arrays.keys():
            raise InvalidInput(f"units name '{name}' (no array of that name is given); give it, or leave the unit out")
        for name, array in arrays.items():
            if not isinstance(name, str) or not name.isprintable():
                raise InvalidInput(f"{name!r} is no name of an array (docs/data_format.md has them); correct it")
            kept[name] = self._set(name, array)
        self._arrays = MappingProxyType(kept)

    def _unit(self, name: str) -> str:
        return self._units.get(name, "1" if self._axes else unit_of(name))

    def _set(self, name: str, array: Any) -> Any:
        try:
            looked_at = viewed(array)
            self._native.set(name, self._unit(name), looked_at)
        except (TypeError, ValueError, BufferError) as error:
            if isinstance(error, InvalidInput):
                raise
            kind = f" of {array.dtype}" if isinstance(array, np.ndarray) else ""
            why = str(error).splitlines()[0] if not str(error).startswith("set()") else "its type has no name in DLPack"
            raise InvalidInput(
                f"{name} is a {type(array).__name__}{kind} that is no array of real numbers ({why}); give a NumPy array, "
                "a buffer or a tensor in host memory"
            ) from error
        return looked_at

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Cases:
        """Cases of a data set file. Raises InvalidData for another kind of file, IoError for one that cannot be read."""
        cases = cls.__new__(cls)
        cases._path = path_of(path)
        cases._axes = ""
        cases._units = {}
        cases._arrays = MappingProxyType({})
        cases._native = _native.Cases.open(cases._path)
        return cases

    @property
    def arrays(self) -> Mapping[str, Any]:
        """The arrays by name; none of a file."""
        return self._arrays

    @property
    def path(self) -> str | None:
        """Path of the file; None of cases in memory."""
        return self._path

    @property
    def native(self) -> _native.Cases:
        """The handle of plumecast.h."""
        return self._native

    @property
    def units(self) -> Mapping[str, str]:
        """Units of the arrays."""
        return {name: self._unit(name) for name in self._arrays}

    @property
    def extents(self) -> Extents:
        """How many cases, times and cells there are. Raises InvalidData where the arrays do not say or disagree."""
        return Extents(*self._native.extents())

    def check(self) -> list[Violation]:
        """Everything that violates the data set format, warnings too; empty for cases that can be predicted.

        >>> Cases(times=[2.0, 1.0]).check()[0].is_error
        True
        """
        return [Violation(**entry) for entry in json.loads(self._native.check())]

    def with_outputs(self, outputs: Mapping[str, Any], units: Mapping[str, str]) -> Cases:
        """These cases, in memory, with fields as their outputs."""
        path = "/outputs/{}" if self._axes else "{}"
        named = {path.format(name): array for name, array in outputs.items()}
        return _from_arrays(self._axes, {**self._arrays, **named}, self._units | {path.format(name): units[name] for name in outputs})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes them as a data set file, outputs too; it appears whole or not at all. Raises InvalidData, IoError."""
        self._native.write(path_of(path))

    def __len__(self) -> int:
        return self.extents.cases

    def __repr__(self) -> str:
        if self._path is not None:
            return f"plumecast.Cases.open({self._path!r})"
        lines = [f"  {name} {tuple(np.shape(array))} [{self.units[name]}]" for name, array in self._arrays.items()]
        return "\n".join(["plumecast.Cases of", *lines])

    def __reduce__(self) -> tuple[Any, ...]:
        if self._path is not None:
            return Cases.open, (self._path,)
        return _from_arrays, (self._axes, dict(self._arrays), self._units)


def _from_arrays(axes: str, arrays: dict[str, Any], units: dict[str, str]) -> Cases:
    return Cases.generic(axes, arrays, units) if axes else Cases(units=units, **arrays)
