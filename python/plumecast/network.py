"""Networks by themselves: forward passes, derivatives and weights, for losses and optimizers of one's own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumecast import _native
from plumecast.cases import path_of, viewed
from plumecast.device import DeviceOptions, open_device
from plumecast.errors import InvalidInput
from plumecast.messages import Stop, options_of
from plumecast.model import Model, cases_of, load
from plumecast.progress import Progress

if TYPE_CHECKING:
    from plumecast.model import _AnyCases

    _Floats = NDArray[np.float32]


class Gradients(NamedTuple):
    """Derivatives of a weighted sum of predictions."""

    channels: _Floats | None  #: [B, space..., T, C]; None where they were not asked for
    parameters: dict[str, _Floats]  #: by the names of parameters, in their shapes


#: Sources of factors that have a value at each time of a case (docs/conventions.md).
_SERIES = frozenset({"current_injection_rate", "injected_co2", "time_since_rate_change", "physics_buildup_rms_by_time"})


class NamedInputs(Mapping[str, "_Floats"]):
    """What a network takes of cases, normalised: each channel by its name [N, space..., T], and what goes with it."""

    def __init__(self, names: Iterable[str], arrays: Mapping[str, _Floats]) -> None:
        self._names = tuple(names)
        self.channels = arrays["channels"]  #: [N, space..., T, C], as Network.forward() takes them
        self.base = arrays.get("base")  #: [N, space..., T, F] of a network that corrects physics, else None
        self.correction = arrays.get("correction")  #: the same; a prediction is base + correction * network
        self.targets = arrays.get("targets")  #: [N, space..., T, F], the outputs of the cases, if they were asked for
        self.active = arrays["active"]  #: [N, space...], 1 in cells that count
        self.scales = arrays["scales"]  #: [N, F], or [N, T, F] where a scale varies in time; a physical value is value * scale + offset

    def __getitem__(self, name: str) -> _Floats:
        if name not in self._names:
            raise KeyError(name)
        return self.channels[..., self._names.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        lines = [f"NamedInputs of {len(self.channels)} cases"]
        for name, values in self.items():
            lines.append(f"  {name} {values.shape}: {values.min():.4g} to {values.max():.4g}")
        return "\n".join(lines)


def _readable(array: Any, what: str) -> Any:
    """What the library can look at where it is. Raises InvalidInput for what is no array of real numbers."""
    if getattr(array, "requires_grad", False):
        raise InvalidInput(
            f"the {what} are a tensor that requires a gradient (plumecast.torch.Module knows those); give tensor.detach()"
        )
    try:
        return viewed(array)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"the {what} are no array of real numbers ({error}); give a NumPy array or a tensor") from error


def _source(
    source: Model | Mapping[str, Any] | str | os.PathLike[str], options: DeviceOptions
) -> Model | Mapping[str, Any]:
    if isinstance(source, (Model, Mapping)):
        return source
    return load(source, *options[:4])


class Network:
    """A network with weights of its own: that of a model which predicts a field, or one that a configuration describes.

    `source` is a Model, the name or path of one, or a configuration: the entries of a network of a recipe
    (docs/training.md), with `channels` and `fields` as lists of model.json (docs/model_format.md) or as their numbers.
    `field` names the network of a model that has several. Initial weights of a configuration depend on `seed`. Weights are
    copied from a model, which stays as it is. `device` and what follows are those of `load`; parameters are arrays in host
    memory, so the CPU is the default. Any number of threads may run a network at once while nobody changes its weights, but
    for forward passes of a training. Raises InvalidInput, InvalidModel.

    >>> network = Network({"architecture": "fno", "channels": 2, "fields": 1, "width": 4, "modes": [2, 2, 2],
    ...                    "fourier_blocks": 1, "hidden": 4, "activation": "gelu"}, seed=1)
    >>> network.forward(np.ones((1, 8, 8, 4, 2))).shape, network.parameters["lift.weight"].shape
    ((1, 8, 8, 4, 1), (2, 4))
    """

    def __init__(
        self,
        source: Model | Mapping[str, Any] | str | os.PathLike[str],
        field: str | None = None,
        seed: int = 0,
        device: str = "cpu",
        threads: int = 0,
        bfloat16: bool = False,
        memory_limit: int = 0,
    ) -> None:
        self._options = DeviceOptions(device, threads, bfloat16, memory_limit)
        self._field = field or ""
        self._source = _source(source, self._options)
        if isinstance(self._source, Model):
            self._native = _native.Network.of_model(self._source.native(), self._field)
        else:
            if field is not None:
                raise InvalidInput("field is given with a configuration (it is one network); leave field out")
            text = json.dumps(self._source)
            self._native = _native.Network.create(open_device(self._options), text, seed)
        self._process = os.getpid()
        self._description: dict[str, Any] = json.loads(self._native.description)

    def _handle(self) -> _native.Network:
        if os.getpid() != self._process:
            raise InvalidInput(
                "the network was made before this process was, by fork (its threads are the parent's); make it here, or "
                "start processes by the method 'spawn'"
            )
        return self._native

    @property
    def configuration(self) -> dict[str, Any]:
        """What the network is; Network(configuration) is one like it."""
        return dict(self._description["configuration"])

    @property
    def title(self) -> str:
        """That of the model it comes from."""
        return str(self._description["title"])

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels in their order; channel_0 ... where the configuration has only their number."""
        return self._names("channels", "channel")

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields in their order; field_0 ... where the configuration has only their number."""
        return self._names("fields", "field")

    def _names(self, entry: str, word: str) -> tuple[str, ...]:
        known = self._description["configuration"][entry]
        return tuple(f"{word}_{i}" for i in range(known)) if isinstance(known, int) else tuple(one["name"] for one in known)

    @property
    def count(self) -> int:
        """How many numbers are trained; a complex one is one."""
        return int(self._description["count"])

    def _arrays(self, trainable: bool) -> Mapping[str, _Floats]:
        wanted = [one["name"] for one in self._description["parameters"] if one["trainable"] == trainable]
        arrays = self._handle().parameters() if wanted else {}
        return MappingProxyType({name: arrays[name] for name in wanted})

    @property
    def parameters(self) -> Mapping[str, _Floats]:
        """The weights that are trained, by their names: NumPy arrays (DLPack) of the network's own memory.

        What is written into them is what the network computes with: `network.parameters["lift.bias"][:] = 0`. Complex ones
        have an axis of two, real and imaginary part. InvalidInput of a network on a CUDA device; see state().
        """
        return self._arrays(True)

    @property
    def buffers(self) -> Mapping[str, _Floats]:
        """The running statistics of batch norms in the same way; {} of a network without batch norms."""
        return self._arrays(False)

    def state(self) -> dict[str, _Floats]:
        """Copies of all parameters and buffers by their names."""
        copies = {one["name"]: np.empty(one["shape"], np.float32) for one in self._description["parameters"]}
        self._handle().read(copies)
        return copies

    def assign(self, weights: Mapping[str, Any]) -> None:
        """Replaces parameters and buffers by copies of arrays, by their names. Raises InvalidInput, and nothing changed."""
        self._handle().assign({name: _readable(array, f"values of {name}") for name, array in weights.items()})

    def copy(self) -> Network:
        """A network like this one, with weights of its own."""
        return _again(self._source, self._field, tuple(self._options), self.state())

    def forward(self, channels: Any, training: bool = False, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Predicts normalised fields [B, space..., T, F] from normalised channels [B, space..., T, C].

        `channels` are a NumPy array or a DLPack tensor in host memory, of any real type, float16 and bfloat16 too, with any
        strides; the network computes in float32. With `training` batch norms take the statistics of the batch, and the running ones move. `out` is an
        array to write into, float32 or float64. Raises InvalidInput, OutOfMemory.
        """
        given = _readable(channels, "channels")
        shape = (*given.shape[:-1], len(self.fields))
        prediction = np.empty(shape, np.float32) if out is None else out
        self._handle().forward(given, prediction, training)
        return prediction

    def vjp(
        self,
        channels: Any,
        cotangent: Any,
        parameters: Iterable[str] | None = None,
        by_channels: bool = True,
        training: bool = False,
    ) -> Gradients:
        """Derivatives of the sum of cotangent times forward(channels): the vector-Jacobian product.

        `cotangent` [B, space..., T, F] are the derivatives of a loss by the predictions. By the channels, if `by_channels`, and by all
        parameters or those named by `parameters`; float32. Runs forward once more; running statistics stay. Raises
        InvalidInput, OutOfMemory.
        """
        shapes = {one["name"]: one["shape"] for one in self._description["parameters"] if one["trainable"]}
        names = shapes if parameters is None else [parameters] if isinstance(parameters, str) else list(parameters)
        found = {name: np.empty(shapes.get(name, (0,)), np.float32) for name in names}
        given = _readable(channels, "channels")
        own = np.empty(tuple(given.shape), np.float32) if by_channels else None
        self._handle().vjp(given, _readable(cotangent, "cotangent"), own, found, training)
        return Gradients(own, found)

    def named_inputs(
        self,
        cases: _AnyCases,
        targets: bool = False,
        batch: int = 0,
        progress: bool | Progress | None = None,
        stop: Stop | None = None,
    ) -> NamedInputs:
        """What the network takes of cases, on their own grid: normalised channels, the physics that it corrects, scales.

        With `targets` the outputs of the cases come along, normalised, to compare with. Of a network whose configuration
        lists channels and fields. Raises InvalidInput, InvalidData, OutOfMemory, Interrupted.
        """
        given = cases_of(cases)
        extents = given.extents
        of_cell = (extents.cases, *extents.whole_shape[2:], extents.times)
        known = self._description["configuration"]["fields"]
        known = [] if isinstance(known, int) else known
        over_time = any(factor["source"] in _SERIES for one in known for factor in one.get("factors", ()))
        of_scales = (extents.cases, extents.times) if over_time else (extents.cases,)
        shapes = {"channels": (*of_cell, len(self.channels)), "active": of_cell[:-1], "scales": (*of_scales, len(self.fields))}
        if any(one.get("base") for one in known):
            shapes |= {name: (*of_cell, len(self.fields)) for name in ("base", "correction")}
        if targets:
            shapes["targets"] = (*of_cell, len(self.fields))
        arrays = {name: np.empty(shape, np.float32) for name, shape in shapes.items()}
        with options_of(batch, True, progress, stop) as options:
            self._handle().inputs(given.native, arrays, options)
        return NamedInputs(self.channels, arrays)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Replaces all weights by those of a safetensors file of the same names and shapes. Raises InvalidModel, IoError."""
        self._handle().load(path_of(path))

    def save(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Writes the weights to a file FILE.safetensors, or a model of this one network to a folder of another name.

        `plumecast.load` reads the model; it has the title given, or that of the model it comes from, of which it keeps what
        that says of inputs and grid. Raises InvalidInput, IoError.
        """
        self._handle().save(path_of(path), title)

    def __repr__(self) -> str:
        architecture = self._description["configuration"]["architecture"]
        lines = [f"Network {architecture} of {self.count:,} numbers ({self.title}, {self._description['device']})"]
        lines += [f"  channels {', '.join(self.channels)}", f"  fields {', '.join(self.fields)}"]
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._source, self._field, tuple(self._options), self.state())


def _again(
    source: Model | Mapping[str, Any], field: str, options: tuple[Any, ...], state: Mapping[str, _Floats]
) -> Network:
    """A network from what a pickle says of it."""
    network = Network(source, field or None, 0, *options[:4])
    network.assign(state)
    return network
