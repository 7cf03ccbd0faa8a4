"""What the faces for PyTorch and JAX share: predictions and their derivatives by arrays in order of names."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumecast.cases import Cases
from plumecast.errors import InvalidInput
from plumecast.format import CARTESIAN, RADIAL
from plumecast.model import Model
from plumecast.network import Gradients, Network

_SECOND = (
    "second derivatives are not there (a recording is pulled back once, and its result is not recorded); take first "
    "derivatives, or differences of them"
)


def refuse_second(*_: Any) -> Any:
    """Raises InvalidInput: derivatives of derivatives are asked for."""
    raise InvalidInput(_SECOND)


def fields_among(model: Model, fields: Sequence[str] | None) -> tuple[str, ...]:
    """The fields to predict; all of the model where none are named."""
    wanted = tuple(model.fields) if fields is None else tuple(fields)
    for name in wanted:
        if name not in model.fields:
            raise InvalidInput(f"'{name}' is not predicted by the model (it predicts {', '.join(model.fields)}); name one")
    return wanted


def differentiable(names: Sequence[str]) -> tuple[str, ...]:
    """Those inputs that have derivatives: maps and numbers of the cases but `active`, and of a schedule its rates."""
    known = RADIAL | CARTESIAN
    without = {"active", "injection_rate"} if "schedule_rate" in names else {"active"}
    return tuple(name for name in names if known.get(name, ("", ""))[1].startswith("case") and name not in without)


def shape_of(names: Sequence[str], shapes: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """Shape of fields [N, T, Z, R] or [N, T, Z, Y, X], from those of the inputs. Raises InvalidInput where they lack."""
    given = dict(zip(names, shapes))
    for needed in ("times", "porosity"):
        if needed not in given:
            raise InvalidInput(f"{needed} is missing (the shape of the fields follows from it); give it")
    return (given["porosity"][0], given["times"][0], *given["porosity"][1:])


class Function:
    """A model as a function from arrays to arrays, with its vector-Jacobian product."""

    def __init__(
        self, model: Model, fields: Sequence[str] | None, limits: bool, batch: int, inactive: float = np.nan
    ) -> None:
        if any(name.startswith("/") for name in model.inputs):
            raise InvalidInput(
                "the model is of generic data (arrays of reservoirs alone are named by keywords); take "
                "torch.Module, or jax.apply_of(), of plumecast.Network(model) over its named_inputs(), or model.record()"
            )
        self.model = model
        self.fields = fields_among(model, fields)
        self.limits = limits
        self.batch = batch
        self.inactive = inactive

    def predict(self, names: Sequence[str], arrays: Sequence[Any]) -> list[NDArray[np.float32]]:
        """The fields."""
        cases = Cases(**dict(zip(names, arrays)))
        predicted = self.model.predict(cases, self.fields, self.batch, limits=self.limits)
        found = [np.ascontiguousarray(predicted[name], np.float32) for name in self.fields]
        if not np.isnan(self.inactive):
            cells = dict(zip(names, arrays)).get("active", True)
            for field in found:
                np.copyto(field, self.inactive, where=np.expand_dims(np.asarray(cells) == 0, 1))
        return found

    def pull_back(
        self, names: Sequence[str], arrays: Sequence[Any], weights: Sequence[Any], wanted: Sequence[str]
    ) -> list[NDArray[np.float32]]:
        """Derivatives of the sum of weights times fields by the wanted inputs.

        Fields that a loss does not use come with zeros, of which only those are pulled back that have other weights:
        a model may predict what has no derivatives, such as dissolved CO2 that closes the balance.
        """
        given = dict(zip(names, arrays))
        used = {name: weight for name, weight in zip(self.fields, weights) if np.any(weight)}
        if not used:
            return [np.zeros(np.shape(given[name]), np.float32) for name in wanted]
        recording = self.model.record(Cases(**given), tuple(used), self.batch, limits=self.limits)
        gradients = recording.pull_back(used, wanted)
        return [gradients[name] for name in wanted]


def _lies_in(array: Any, own: NDArray[np.float32]) -> bool:
    """Whether an array is the network's own memory, as it is."""
    return (
        isinstance(array, np.ndarray)
        and array.dtype == own.dtype
        and array.strides == own.strides
        and array.ctypes.data == own.ctypes.data
    )


class Weighted:
    """A network as a function of weights and channels: with its own weights where these are given, else with copies.

    Other weights go into a second network, so that a function with given weights leaves the network as it is; calls with
    such take turns.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.names = tuple(network.parameters)
        self._parameters = network.parameters
        self._buffers = network.buffers
        self._second: Network | None = None
        self._turn = threading.Lock()

    @contextmanager
    def _with(self, weights: Sequence[Any], buffers: Mapping[str, Any] | None) -> Iterator[Network]:
        own = all(_lies_in(array, self._parameters[name]) for name, array in zip(self.names, weights, strict=True))
        given = dict(self._buffers if buffers is None else buffers)
        if own and all(_lies_in(array, self._buffers[name]) for name, array in given.items()):
            yield self.network
            return
        with self._turn:
            if self._second is None:
                self._second = self.network.copy()
            self._second.assign(dict(zip(self.names, weights)) | given)
            yield self._second

    def forward(
        self, weights: Sequence[Any], channels: Any, training: bool = False, buffers: Mapping[str, Any] | None = None
    ) -> NDArray[Any]:
        """The prediction; in training running statistics are moved in `buffers`, where these are given."""
        with self._with(weights, buffers) as network:
            prediction = network.forward(channels, training)
            if training and buffers is not None and network is not self.network:
                for name, moved in network.buffers.items():
                    np.copyto(buffers[name], moved)
        return prediction

    def vjp(
        self,
        weights: Sequence[Any],
        channels: Any,
        cotangent: Any,
        wanted: Sequence[str],
        by_channels: bool,
        training: bool = False,
        buffers: Mapping[str, Any] | None = None,
    ) -> Gradients:
        """Derivatives by the channels and by the wanted weights."""
        if not wanted and not by_channels:
            return Gradients(None, {})
        with self._with(weights, buffers) as network:
            return network.vjp(channels, cotangent, wanted, by_channels, training)
