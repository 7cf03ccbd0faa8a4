"""Predictions as functions of JAX, with derivatives by physical inputs.

    predict = plumecast.jax.function(model, fields=["pressure_buildup"])
    jax.grad(lambda k: jax.numpy.nansum(predict({**inputs, "permeability_r": k})["pressure_buildup"]))(k)      # bar per mD

    apply, parameters = plumecast.jax.apply_of(plumecast.Network(model))
    jax.grad(lambda parameters: loss(apply(parameters, channels)))(parameters)

The functions work in jax.jit(); second derivatives are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import jax
from plumecast.model import Model
from plumecast.network import Network
from plumecast.tensors import Function, Weighted, differentiable, refuse_second, shape_of

Arrays = dict[str, Any]


def _callback(call: Callable[..., list[Any]], shapes: Sequence[tuple[tuple[int, ...], Any]], *arrays: Any) -> Any:
    """Calls a function of NumPy arrays from compiled code; no JAX is used inside."""
    results = [jax.ShapeDtypeStruct(shape, kind) for shape, kind in shapes]

    def of_numpy(*given: Any) -> list[Any]:
        found = call(*[np.asarray(array) for array in given])
        return [np.asarray(one, kind) for one, (_, kind) in zip(found, shapes, strict=True)]

    return jax.pure_callback(of_numpy, results, *arrays, vmap_method="sequential")


def function(
    model: Model,
    fields: Sequence[str] | None = None,
    limits: bool = False,
    batch: int = 0,
    inactive: float = np.nan,
) -> Callable[[Mapping[str, Any]], Arrays]:
    """A model as a function from the arrays of cases, by their names in the data set format, to fields.

    Fields are float32 [N, T, Z, R] or [N, T, Z, Y, X], NaN in inactive cells. Derivatives go to every map and number of the
    cases but `active`, per the unit of each; others have none. A backward pass predicts once more, with a tape. `limits`
    off, the default, leaves clipping and cutoff out of values and derivatives. `inactive` is the value of inactive cells,
    NaN without it: the largest of fields with NaN is NaN and has no gradient, that of fields with -inf has one. Derivatives of
    dissolved CO2 that closes the balance are refused.
    """
    held = Function(model, fields, limits, batch, inactive)

    @jax.custom_jvp
    def forward(inputs: Arrays) -> Arrays:
        names = list(inputs)
        shape = shape_of(names, [np.shape(inputs[name]) for name in names])
        found = _callback(
            lambda *arrays: held.predict(names, arrays), [(shape, np.float32)] * len(held.fields), *inputs.values()
        )
        return dict(zip(held.fields, found))

    @jax.custom_jvp
    def pull_back(inputs: Arrays, weights: Arrays) -> Arrays:
        names = list(inputs)
        wanted = _wanted(inputs)
        found = _callback(
            lambda *arrays: held.pull_back(names, arrays[: len(names)], arrays[len(names) :], wanted),
            [(np.shape(inputs[name]), np.float32) for name in wanted],
            *inputs.values(),
            *(weights[name] for name in held.fields),
        )
        return dict(zip(wanted, found))

    forward.defjvp(refuse_second)  # reached by derivatives of derivatives alone
    pull_back.defjvp(refuse_second)

    def backward(inputs: Arrays, weights: Arrays) -> tuple[Arrays]:
        found = pull_back(inputs, weights)
        return ({name: _cotangent(array, found.get(name)) for name, array in inputs.items()},)

    predict = jax.custom_vjp(lambda inputs: forward(inputs))
    predict.defvjp(lambda inputs: (forward(inputs), inputs), backward)
    return lambda inputs: predict({name: jax.numpy.asarray(array) for name, array in inputs.items()})


def _wanted(inputs: Arrays) -> list[str]:
    return [name for name in differentiable(list(inputs)) if jax.numpy.issubdtype(inputs[name].dtype, np.floating)]


def _cotangent(array: Any, gradient: Any) -> Any:
    """The derivative in the type of the input; none of an integer, zeros of what has none."""
    if not jax.numpy.issubdtype(array.dtype, np.floating):
        return np.zeros(array.shape, jax.dtypes.float0)
    return jax.numpy.zeros(array.shape, array.dtype) if gradient is None else gradient.astype(array.dtype)


def apply_of(network: Network, training: bool = False) -> tuple[Callable[[Arrays, Any], Any], Arrays]:
    """A network as a function of its parameters and of channels, and copies of the parameters, by their names.

    apply(parameters, channels) takes normalised channels [B, space..., T, C], float16 and bfloat16 too, and gives float32
    [B, space..., T, F], with derivatives by both. The network stays as it is: `network.assign(parameters)` brings parameters
    back to it. With `training` batch norms take the statistics of the batch; running ones do not move. A backward pass runs
    forward once more.
    """
    held = Weighted(network)
    fields = len(network.fields)

    @jax.custom_jvp
    def forward(parameters: Arrays, channels: Any) -> Any:
        shape = (*np.shape(channels)[:-1], fields)
        (found,) = _callback(
            lambda given, *weights: [held.forward(weights, given, training)],
            [(shape, np.float32)],
            channels,
            *(parameters[name] for name in held.names),
        )
        return found

    @jax.custom_jvp
    def pull_back(parameters: Arrays, channels: Any, cotangent: Any) -> tuple[Arrays, Any]:
        def vjp(given: Any, weight: Any, *weights: Any) -> list[Any]:
            found = held.vjp(weights, given, weight, held.names, True, training)
            return [found.channels, *found.parameters.values()]

        weights = [parameters[name] for name in held.names]
        shapes = [(np.shape(array), np.float32) for array in (channels, *weights)]
        by_channels, *by_weights = _callback(vjp, shapes, channels, cotangent, *weights)
        return dict(zip(held.names, by_weights)), by_channels

    forward.defjvp(refuse_second)
    pull_back.defjvp(refuse_second)

    def backward(kept: tuple[Arrays, Any], cotangent: Any) -> tuple[Arrays, Any]:
        parameters, channels = kept
        by_parameters, by_channels = pull_back(parameters, channels, cotangent)
        return {name: _cotangent(array, by_parameters.get(name)) for name, array in parameters.items()}, _cotangent(
            channels, by_channels
        )

    apply = jax.custom_vjp(lambda parameters, channels: forward(parameters, channels))
    apply.defvjp(lambda parameters, channels: (forward(parameters, channels), (parameters, channels)), backward)
    copies = {name: jax.numpy.array(array) for name, array in network.parameters.items()}
    return lambda parameters, channels: apply(
        {name: jax.numpy.asarray(array) for name, array in parameters.items()}, jax.numpy.asarray(channels)
    ), copies
