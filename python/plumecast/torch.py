"""Predictions as operations of PyTorch, with derivatives by physical inputs.

    predict = plumecast.torch.Predict(model, fields=["pressure_buildup"])
    fields = predict(permeability_r=k, ...)                # tensors by the names of the data set format
    fields["pressure_buildup"].nansum().backward()         # k.grad: bar per mD

Tensors lie in host memory. The operations work in torch.compile(); second derivatives are refused.
"""

from __future__ import annotations

import itertools
import math
import weakref
from collections.abc import Sequence
from typing import Any

import torch

from plumecast.errors import InvalidInput
from plumecast.model import Model
from plumecast.tensors import Function, differentiable, refuse_second, shape_of

_NUMBERS = itertools.count(1)
_FUNCTIONS: weakref.WeakValueDictionary[int, Function] = weakref.WeakValueDictionary()


def _function(number: int) -> Function:
    found = _FUNCTIONS.get(number)
    if found is None:
        raise InvalidInput("the Predict of this operation is gone (operations do not keep it); keep it as long as them")
    return found


def _arrays(tensors: Sequence[torch.Tensor]) -> list[Any]:
    for tensor in tensors:
        if tensor.device.type != "cpu":
            raise InvalidInput(f"a tensor lies on {tensor.device} (tensors are read in host memory); use tensor.cpu()")
    return [tensor.detach().numpy() for tensor in tensors]


@torch.library.custom_op("plumecast::predict", mutates_args=())
def _predict(function: int, names: str, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    return [torch.from_numpy(field) for field in _function(function).predict(names.split(), _arrays(tensors))]


@_predict.register_fake
def _(function: int, names: str, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    shape = shape_of(names.split(), [tensor.shape for tensor in tensors])
    return [tensors[0].new_empty(shape, dtype=torch.float32) for _ in _function(function).fields]


@torch.library.custom_op("plumecast::pull_back", mutates_args=())
def _pull_back(
    function: int, names: str, tensors: Sequence[torch.Tensor], weights: Sequence[torch.Tensor], wanted: str
) -> list[torch.Tensor]:
    given = dict(zip(names.split(), tensors))
    found = _function(function).pull_back(names.split(), _arrays(tensors), _arrays(weights), wanted.split())
    return [
        torch.from_numpy(gradient).to(given[name].dtype) for name, gradient in zip(wanted.split(), found, strict=True)
    ]


@_pull_back.register_fake
def _(
    function: int, names: str, tensors: Sequence[torch.Tensor], weights: Sequence[torch.Tensor], wanted: str
) -> list[torch.Tensor]:
    given = dict(zip(names.split(), tensors))
    return [given[name].new_empty(given[name].shape) for name in wanted.split()]


def _keep(ctx: Any, inputs: tuple[int, str, Sequence[torch.Tensor]], output: list[torch.Tensor]) -> None:
    ctx.function, ctx.names, tensors = inputs
    ctx.save_for_backward(*tensors)


def _backward(ctx: Any, weights: list[torch.Tensor]) -> tuple[None, None, list[torch.Tensor | None]]:
    tensors = list(ctx.saved_tensors)
    names = ctx.names.split()
    needed = {name for name, tensor in zip(names, tensors) if tensor.is_floating_point()}
    wanted = [name for name in differentiable(names) if name in needed]
    found = _pull_back(ctx.function, ctx.names, tensors, [weight.contiguous() for weight in weights], " ".join(wanted))
    gradients = dict(zip(wanted, found))
    return None, None, [gradients.get(name) for name in names]


_predict.register_autograd(_backward, setup_context=_keep)
_pull_back.register_autograd(refuse_second)


class Predict:
    """A model as a function of tensors; keep it as long as results that are to be differentiated.

    Takes every array of the cases as a tensor, by its name in the data set format, and gives the fields by their names,
    float32 [N, T, Z, R] or [N, T, Z, Y, X], NaN in inactive cells. Derivatives go to every map and number of the cases
    but `active`, per the unit of each. A backward pass predicts once more, with a tape. `limits` off, the default, leaves
    clipping and cutoff out of values and derivatives. `inactive` is the value of inactive cells, NaN without it: the
    largest of fields with NaN is NaN and has no gradient, that of fields with -inf has one. Raises what Model.predict() and
    Model.record() raise; derivatives of dissolved CO2 that closes the balance are refused.
    """

    def __init__(
        self,
        model: Model,
        fields: Sequence[str] | None = None,
        limits: bool = False,
        batch: int = 0,
        inactive: float = math.nan,
    ) -> None:
        self._function = Function(model, fields, limits, batch, inactive)
        self._number = next(_NUMBERS)
        _FUNCTIONS[self._number] = self._function

    def __call__(self, **inputs: torch.Tensor) -> dict[str, torch.Tensor]:
        found = _predict(self._number, " ".join(inputs), list(inputs.values()))
        return dict(zip(self._function.fields, found))

    @property
    def arguments(self) -> int:
        """The number by which the operations plumecast::predict and plumecast::pull_back know this function."""
        return self._number
