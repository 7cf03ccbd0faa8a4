"""Models, and predictions with them."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from plumecast import _native
from plumecast.cases import Cases
from plumecast.errors import InvalidInput, InvalidModel, PlumecastWarning
from plumecast.fields import Fields
from plumecast.progress import Progress, closed_on_exit
from plumecast.quantity import Quantity, as_html, as_text, quantity_of

if TYPE_CHECKING:
    import xarray

    _AnyCases = Cases | xarray.Dataset | str | os.PathLike[str]

_LOG = logging.getLogger("plumecast")
_IMPORTED_IN = os.getpid()


class _Options(NamedTuple):
    """Of the device of a model."""

    device: str
    threads: int
    bfloat16: bool
    memory_limit: int


def _open(options: _Options) -> _native.Device:
    """The device. In a child made by fork the threads of the parent are gone, so the work is done by one."""
    if os.getpid() != _IMPORTED_IN:
        if options.device.startswith("cuda"):
            raise InvalidInput(
                f"device '{options.device}' is not used in a process made by fork (CUDA does not survive it); start "
                "processes by the method 'spawn'"
            )
        if options.threads > 1:
            warnings.warn(
                f"one thread instead of {options.threads} (the process was made by fork, which OpenMP does not "
                "survive); start processes by the method 'spawn'",
                PlumecastWarning,
                stacklevel=4,
            )
        options = options._replace(device="cpu", threads=1)
    return _native.Device(*options)


def _found(path: str | os.PathLike[str]) -> str:
    """The folder of a model: a path, or the name of one that is shipped with the package."""
    given = os.fspath(path)
    shipped = Path(__file__).parent / "models" / given
    if not os.path.exists(given) and os.path.basename(given) == given and shipped.is_dir():
        return str(shipped)
    return given


def load(
    path: str | os.PathLike[str],
    device: str = "auto",
    threads: int = 0,
    bfloat16: bool = False,
    memory_limit: int = 0,
) -> Model:
    """Loads a model: the path of its folder, or the name of a shipped one ("radial-co2", "radial-co2-fast").

    `device` is "auto" (CUDA where it can be used, else the CPU), "cpu", "cuda" or "cuda:N"; `threads` of the CPU, 0 for all
    that the process may use; `bfloat16` stores fields in 16 bits; `memory_limit` in bytes, 0 for what machine, container
    and process may use. In a process made by fork the CPU works with one thread. Raises InvalidModel, InvalidInput,
    DeviceError, NotBuilt.

    >>> model = load("radial-co2", device="cpu", threads=1)
    >>> model.inputs["permeability_r"].unit, model.inputs["permeability_r"].axes
    ('mD', ('N', 'Z', 'R'))
    """
    return Model(_found(path), _Options(device, threads, bfloat16, memory_limit))


def _load_again(path: str, options: tuple[str, int, bool, int], hash: str) -> Model:
    """A model from what a pickle says of it."""
    model = Model(path, _Options(*options))
    if model.hash != hash:
        raise InvalidModel(
            f"{path}: has the hash {model.hash} (the model that was pickled had {hash}); load the model that is there now"
        )
    return model


class Model:
    """A trained model on a device; `plumecast.load` makes one. Any number of threads may use it at once."""

    def __init__(self, path: str, options: _Options) -> None:
        self._options = options
        self._path = os.path.abspath(path)
        self._load()

    def _load(self) -> None:
        self._process = os.getpid()
        self._device = _open(self._options)
        self._native = _native.Model(self._device, self._path)
        self._description: dict[str, Any] = json.loads(self._native.description)
        self.inputs: Mapping[str, Quantity] = _by_name(self._description["inputs"])  #: what the model takes
        self.fields: Mapping[str, Quantity] = _by_name(self._description["fields"])  #: what it predicts

    def _handle(self) -> _native.Model:
        """The handle; of a model loaded anew in a child made by fork, where that of the parent cannot work."""
        if os.getpid() != self._process:
            before = self.hash
            inherited = self._native, self._device
            self._load()
            if self.hash != before:
                raise InvalidModel(f"{self._path}: changed since the parent loaded it (hash {before}); load it again")
            self._inherited = inherited  # not released: their threads are the parent's
        return self._native

    @property
    def path(self) -> str:
        """The folder it was loaded from."""
        return self._path

    @property
    def title(self) -> str:
        return str(self._description["title"])

    @property
    def hash(self) -> str:
        """SHA-256 of the weights in hexadecimal digits."""
        return str(self._description["hash"])

    @property
    def device(self) -> str:
        """What it computes with."""
        return str(self._description["device"])

    @property
    def description(self) -> Mapping[str, Any]:
        """Title, hash, inputs, fields and grid of the training."""
        return self._description

    def trim(self) -> None:
        """Gives memory of the device that nothing uses back to the system."""
        self._handle()
        self._device.trim()

    @overload
    def predict(
        self,
        cases: _AnyCases,
        fields: Iterable[str] | None = None,
        batch: int = 0,
        out: Mapping[str, NDArray[Any]] | None = None,
        progress: bool | Progress | None = None,
        stop: Callable[[], bool] | None = None,
        output: None = None,
    ) -> Fields: ...

    @overload
    def predict(
        self,
        cases: _AnyCases,
        fields: None = None,
        batch: int = 0,
        out: None = None,
        progress: bool | Progress | None = None,
        stop: Callable[[], bool] | None = None,
        *,
        output: str | os.PathLike[str],
    ) -> Path: ...

    def predict(
        self,
        cases: _AnyCases,
        fields: Iterable[str] | None = None,
        batch: int = 0,
        out: Mapping[str, NDArray[Any]] | None = None,
        progress: bool | Progress | None = None,
        stop: Callable[[], bool] | None = None,
        output: str | os.PathLike[str] | None = None,
    ) -> Fields | Path:
        """Predicts fields of all cases, in physical units, NaN in inactive cells.

        `cases` are Cases, an xarray.Dataset with the names of the data set format, or the path of a data set file. The
        fields are float32 arrays [N, T, Z, R] or [N, T, Z, Y, X]; all, or those named by `fields`, or those for which `out`
        has arrays of the caller's (float32 or float64, any strides), which are written straight through. `batch` cases are
        computed at once, 0 for as many as seem to fit. `progress` is True for a bar, or a function of (done, all); `stop`
        is asked between batches, and ends the work with Interrupted where it returns True; Ctrl-C ends it with
        KeyboardInterrupt. With `output`, all fields go into a result file of that path, with a verdict for each case, and
        the path is returned. Other threads of Python run meanwhile. Warnings are PlumecastWarning. Raises InvalidInput,
        InvalidData, OutOfMemory, IoError, Interrupted.

        >>> import numpy as np
        >>> rock = np.ones((1, 32, 64))
        >>> cases = Cases(r_edges=np.append(0.1, np.geomspace(4, 1e5, 64)), z_edges=np.linspace(0, 200, 33),
        ...               times=np.geomspace(1, 10950, 24), permeability_r=100 * rock, permeability_z=10 * rock,
        ...               porosity=0.2 * rock, perforation=rock * (np.arange(64) == 0), active=rock, injection_rate=[1.0],
        ...               initial_pressure=[150.0], temperature=[60.0], irreducible_water_saturation=[0.2],
        ...               van_genuchten_lambda=[0.5], thickness=[190.0])
        >>> fields = load("radial-co2", threads=1).predict(cases)
        >>> fields["gas_saturation"].shape, fields.quantities["pressure_buildup"].unit
        ((1, 24, 32, 64), 'bar')
        """
        given = _cases_of(cases)
        report, close = closed_on_exit(progress)
        messages: list[tuple[int, str]] = []
        handle = self._handle()

        def log(severity: int, message: str) -> None:
            messages.append((severity, message))

        try:
            if output is not None:
                if fields is not None or out is not None:
                    raise InvalidInput("output is given with fields or out (a result file has all fields); give one")
                _native.predict_file(handle, given._native, os.fspath(output), batch, report, stop, log)
                return Path(output)
            arrays = self._outputs(given, fields, out)
            _native.predict(handle, given._native, arrays, batch, report, stop, log)
        finally:
            close()
            _tell(messages)
        return Fields(arrays, given, self.fields, {"title": self.title, "hash": self.hash})

    def _outputs(
        self, cases: Cases, fields: Iterable[str] | None, out: Mapping[str, NDArray[Any]] | None
    ) -> dict[str, NDArray[Any]]:
        """The arrays to write, the caller's or new ones."""
        given = dict(out or {})
        for name, array in given.items():
            if not isinstance(array, np.ndarray) or not array.flags.writeable:
                raise InvalidInput(f"out['{name}'] is no array that can be written; give a writable NumPy array")
        if fields is None:
            names = list(given) if out is not None else list(self.fields)
        else:
            names = [fields] if isinstance(fields, str) else list(fields)
            for name in given.keys() - set(names):
                raise InvalidInput(f"out has '{name}', which fields do not name; name it, or leave it out")
        shape = cases.extents.shape
        return {name: given[name] if name in given else np.empty(shape, np.float32) for name in names}

    def __repr__(self) -> str:
        lines = [f"{self.title} ({self.path}, {self.device})", as_text("inputs", self.inputs.values())]
        return "\n".join([*lines, as_text("fields", self.fields.values())])

    def _repr_html_(self) -> str:
        from html import escape

        tables = as_html("input", self.inputs.values()) + as_html("field", self.fields.values())
        return f"<p><b>{escape(self.title)}</b> ({escape(self.path)}, {escape(self.device)})</p>{tables}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_again, (self._path, tuple(self._options), self.hash)


def _by_name(entries: Iterable[Mapping[str, Any]]) -> dict[str, Quantity]:
    return {quantity.name: quantity for quantity in map(quantity_of, entries)}


def _cases_of(given: _AnyCases) -> Cases:
    if isinstance(given, Cases):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Cases.open(given)
    xarray = sys.modules.get("xarray")
    if xarray is not None and isinstance(given, xarray.Dataset):
        from plumecast.labelled import cases_of

        return cases_of(given)
    raise InvalidInput(
        f"cases are a {type(given).__name__} (Cases, an xarray.Dataset and the path of a data set file are known); "
        "make plumecast.Cases of them"
    )


def _tell(messages: list[tuple[int, str]]) -> None:
    """Warns whoever called predict()."""
    for severity, message in messages:
        if severity > 0:
            warnings.warn(message, PlumecastWarning, stacklevel=3)
        else:
            _LOG.info(message)
