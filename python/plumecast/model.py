"""Models, and predictions with them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from plumecast import _native
from plumecast.cases import Cases, path_of
from plumecast.device import DeviceOptions, open_device
from plumecast.errors import InvalidInput, InvalidModel
from plumecast.evaluation import Evaluation
from plumecast.fields import CaseVerdict, Fields
from plumecast.messages import Judging, Stop, options_of
from plumecast.progress import Progress
from plumecast.quantity import Quantity, as_html, as_text, quantity_of
from plumecast.recording import Recording

if TYPE_CHECKING:
    import xarray

    from plumecast.network import NamedInputs

    _AnyCases = Cases | xarray.Dataset | str | os.PathLike[str]


def found_model(path: str | os.PathLike[str]) -> str:
    """The folder of a model: a path, or the name of one that is shipped with the package."""
    given = path_of(path)
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
    spectral: str = "auto",
    memory_share: float = 0.0,
) -> Model:
    """Loads a model: the path of its folder, or the name of a shipped one, "radial-co2" for example.

    `device` is "auto" (CUDA where it can be used, else the CPU), "cpu", "cuda" or "cuda:N"; `threads` of the CPU, 0 for all
    that the process may use; `bfloat16` stores fields in 16 bits; `memory_limit` in bytes, 0 for what machine, container
    and process may use; `spectral` says how CUDA takes spectral transforms: "cufft", "dft" (products with truncated
    matrices) or "auto", what is faster; `memory_share`, from 0 to 1, is the share of a CUDA device's memory to take, in
    place of `memory_limit`; with neither, nearly all that is free. In a process made by fork the CPU works with one
    thread. Raises InvalidModel, InvalidInput, DeviceError, NotBuilt.

    >>> model = load("radial-co2", device="cpu", threads=1)
    >>> model.inputs["permeability_r"].unit, model.inputs["permeability_r"].axes
    ('mD', ('N', 'Z', 'R'))
    """
    return Model(found_model(path), DeviceOptions(device, threads, bfloat16, memory_limit, spectral, memory_share))


def _load_again(path: str, options: tuple[str, int, bool, int, str, float], hash: str) -> Model:
    """A model from what a pickle says of it."""
    model = Model(path, DeviceOptions(*options))
    if model.hash != hash:
        raise InvalidModel(
            f"{path}: has the hash {model.hash} (the model that was pickled had {hash}); load the model that is there now"
        )
    return model


class Model:
    """A trained model on a device; `plumecast.load` makes one. Any number of threads may use it at once."""

    def __init__(self, path: str, options: DeviceOptions) -> None:
        self._options = options
        self._path = os.path.abspath(path)
        self._load()

    def _load(self) -> None:
        self._device = open_device(self._options)
        self._native = _native.Model(self._device, self._path)
        self._process = os.getpid()
        self._description: dict[str, Any] = json.loads(self._native.description)
        self.inputs: Mapping[str, Quantity] = _by_name(self._description["inputs"])  #: what the model takes
        self.fields: Mapping[str, Quantity] = _by_name(self._description["fields"])  #: what it predicts
        self.bands: Mapping[str, Quantity] = _by_name(self._description["bands"])  #: ends of bands, where it is calibrated

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

    def native(self) -> _native.Model:
        """The handle of plumecast.h."""
        return self._handle()

    def named_inputs(self, cases: _AnyCases, field: str | None = None, targets: bool = False) -> NamedInputs:
        """What the network that predicts a field takes of cases: see Network.named_inputs()."""
        from plumecast.network import Network

        return Network(self, field).named_inputs(cases, targets)

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

    @property
    def grid(self) -> dict[str, Any]:
        """Edges [m] and times [day] of the training, and a rotation [degree] where it states one; {} if not known.

        `Cases(**model.grid, ...)` are on the grid of the training: they are predicted as they are, and have gradients.

        >>> sorted(load("radial-co2", device="cpu", threads=1).grid)
        ['r_edges', 'times', 'z_edges']
        """
        stated = self._description.get("grid", {})
        return {name: np.array(stated[name], dtype=float) for name in stated if name != "origin"}

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
        stop: Stop | None = None,
        output: None = None,
        limits: bool = True,
        extrapolate: str = "refuse",
        buildup_limit: float | None = None,
        strict: bool = False,
        uncertainty: bool = False,
    ) -> Fields: ...

    @overload
    def predict(
        self,
        cases: _AnyCases,
        fields: None = None,
        batch: int = 0,
        out: None = None,
        progress: bool | Progress | None = None,
        stop: Stop | None = None,
        *,
        output: str | os.PathLike[str],
        limits: bool = True,
        extrapolate: str = "refuse",
        buildup_limit: float | None = None,
        strict: bool = False,
        uncertainty: bool = False,
    ) -> Path: ...

    def predict(
        self,
        cases: _AnyCases,
        fields: Iterable[str] | None = None,
        batch: int = 0,
        out: Mapping[str, NDArray[Any]] | None = None,
        progress: bool | Progress | None = None,
        stop: Stop | None = None,
        output: str | os.PathLike[str] | None = None,
        limits: bool = True,
        extrapolate: str = "refuse",
        buildup_limit: float | None = None,
        strict: bool = False,
        uncertainty: bool = False,
    ) -> Fields | Path:
        """Predicts fields of all cases, in physical units, NaN in inactive cells.

        `cases` are Cases, an xarray.Dataset with the names of the data set format, or the path of a data set file. The
        fields are float32 arrays [N, T, Z, R] or [N, T, Z, Y, X]; all, or those named by `fields`, or those for which `out`
        has arrays of the caller's (float32 or float64, any strides), which are written straight through. `batch` cases are
        computed at once, 0 for as many as seem to fit. `progress` is True for a bar, or a function of (done, all); `stop`
        is asked between batches, and ends the work with Interrupted where it returns True; Ctrl-C ends it with
        KeyboardInterrupt. With `output`, all fields go into a result file of that path, with a verdict for each case, and
        the path is returned. `limits` off leaves out the limits of the fields: saturations may lie outside 0 to 1, and traces
        below a field's cutoff stay. A case that cannot be computed is NaN in all its fields, and bad: `verdicts` of the fields
        says of each case how far it is to be trusted, and why not. With `strict` a bad case raises InvalidData, after the
        results are there, whole; a build-up above `buildup_limit` [bar] makes a case doubtful; `extrapolate` is "refuse" or
        "nan" for cells and times beyond those of the training, where a network predicts whole fields. With `uncertainty`
        the ends of the band of each field come too, "FIELD_low" and "FIELD_high", NaN for cases of which the calibration of the
        model says nothing (docs/uncertainty.md); a model that is not calibrated raises InvalidInput. Other threads of Python run meanwhile. Warnings are PlumecastWarning. Raises InvalidInput,
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
        given = cases_of(cases)
        handle = self._handle()
        verdicts: list[CaseVerdict] = []
        judging = Judging(extrapolate, buildup_limit, strict)
        told = partial(_keep, verdicts)
        with options_of(batch, limits, progress, stop, judging, told, uncertainty) as options:
            if output is not None:
                if fields is not None or out is not None:
                    raise InvalidInput("output is given with fields or out (a result file has all fields); give one")
                _native.predict_file(handle, given.native, path_of(output), options)
                return Path(output)
            arrays = self._outputs(given, fields, out, uncertainty)
            _native.predict(handle, given.native, _with_all_axes(arrays, given), options)
        return self._fields_of(arrays, given, verdicts)

    def record(
        self,
        cases: _AnyCases,
        fields: Iterable[str] | None = None,
        batch: int = 0,
        progress: bool | Progress | None = None,
        stop: Stop | None = None,
        limits: bool = True,
    ) -> Recording:
        """Runs cases forward and keeps the tape: `record(cases).pull_back(weights)` gives derivatives by the inputs.

        Arguments are those of predict(). `limits` off leaves clipping and cutoff out of values and derivatives: a
        saturation below the cutoff would else never feel an observation. Arrays of the cases must stay as they are until
        the pull-back. Cases on another grid than that of the training have no derivatives. Raises what predict()
        raises.
        """
        given = cases_of(cases)
        handle = self._handle()
        with options_of(batch, limits, progress, stop) as options:
            arrays = self._outputs(given, fields, None)
            native = _native.record(handle, given.native, _with_all_axes(arrays, given), options)
        return Recording(native, self._fields_of(arrays, given), self.inputs)

    def evaluate(
        self,
        cases: _AnyCases,
        batch: int = 0,
        progress: bool | Progress | None = None,
        stop: Stop | None = None,
    ) -> Evaluation:
        """Errors of each field against the outputs of the cases, by the names of fields: a dictionary that prints as a table.

        Of each field `mean` and `nine_of_ten_cases` over the cases, what is pooled over all of them, and `cases` one by one:
        "mpe", "mre", "r2" and others, which docs/numerics.md defines. Cases that cannot be computed, and those without
        injection, are left out. Raises InvalidData for cases without outputs, or when none can be compared.
        """
        given = cases_of(cases)
        handle = self._handle()
        with options_of(batch, True, progress, stop) as options:
            found = json.loads(_native.evaluate(handle, given.native, options))
        return Evaluation({one.pop("field"): one for one in found["fields"]})

    def _fields_of(
        self, arrays: Mapping[str, NDArray[Any]], cases: Cases, verdicts: Iterable[CaseVerdict] = ()
    ) -> Fields:
        return Fields(arrays, cases, {**self.fields, **self.bands}, {"title": self.title, "hash": self.hash}, verdicts)

    def _outputs(
        self,
        cases: Cases,
        fields: Iterable[str] | None,
        out: Mapping[str, NDArray[Any]] | None,
        uncertainty: bool = False,
    ) -> dict[str, NDArray[Any]]:
        """The arrays to write, the caller's or new ones, with the ends of bands where they are wanted."""
        given = dict(out or {})
        for name, array in given.items():
            if not isinstance(array, np.ndarray) or not array.flags.writeable:
                raise InvalidInput(f"out['{name}'] is no array that can be written; give a writable NumPy array")
        if fields is None:
            names = list(given) if out is not None else list(self.fields)
        else:
            names = [fields] if isinstance(fields, str) else list(fields)
            for name in names:
                if not isinstance(name, str):
                    raise InvalidInput(f"fields name {name!r} (fields have texts as names); name {', '.join(self.fields)}")
            for name in given.keys() - set(names):
                raise InvalidInput(f"out has '{name}', which fields do not name; name it, or leave it out")
        if uncertainty:  # of a model without bands the library says what to do
            banded = {name.rpartition("_")[0] for name in self.bands} or self.fields
            names += [f"{name}_{end}" for name in names if name in banded for end in ("low", "high")]
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


def _keep(verdicts: list[CaseVerdict], which: int, trust: int, reasons: str) -> None:
    verdicts.append(CaseVerdict(which, ("good", "doubtful", "bad")[trust], reasons))


def _with_all_axes(arrays: Mapping[str, NDArray[Any]], cases: Cases) -> dict[str, NDArray[Any]]:
    extents = cases.extents
    return {name: extents.with_all_axes(array) for name, array in arrays.items()}


def _by_name(entries: Iterable[Mapping[str, Any]]) -> dict[str, Quantity]:
    return {quantity.name: quantity for quantity in map(quantity_of, entries)}


def cases_of(given: _AnyCases) -> Cases:
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
