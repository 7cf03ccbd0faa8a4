"""Predictions as operations of PyTorch, with derivatives by physical inputs.

    predict = plumecast.torch.Predict(model, fields=["pressure_buildup"])
    fields = predict(permeability_r=k, ...)                # tensors by the names of the data set format
    fields["pressure_buildup"].nansum().backward()         # k.grad: bar per mD

    module = plumecast.torch.Module(plumecast.Network(model))      # an nn.Module: its weights are those of the network
    loss(module(channels)).backward()

Tensors lie in host memory. The operations work in torch.compile(); second derivatives are refused.
"""

from __future__ import annotations

import itertools
import math
import operator
import weakref
from collections.abc import Sequence
from typing import Any

import torch

from plumecast.errors import InvalidInput
from plumecast.model import Model
from plumecast.network import Network
from plumecast.tensors import Function, Weighted, differentiable, refuse_second, shape_of

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
    return [_array(tensor) for tensor in tensors]


def _array(tensor: torch.Tensor) -> Any:
    """A NumPy array of the same memory; a copy of bfloat16, which NumPy does not know."""
    own = tensor.detach()
    return (own.float() if own.dtype == torch.bfloat16 else own).numpy()


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
    ctx.held = _function(ctx.function)  # as long as there may be a backward pass; a compiled one does not keep it
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
    """A model as a function of tensors; keep it as long as a compiled function that calls it.

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


class _Apply(torch.autograd.Function):
    """A network with given weights over channels."""

    @staticmethod
    def forward(ctx: Any, module: Module, channels: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
        ctx.module, ctx.training = module, module.training
        ctx.save_for_backward(channels, *weights)
        given, *own = _arrays([channels, *weights])
        return torch.from_numpy(module.weighted.forward(own, given, module.training, module.running()))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, cotangent: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        channels, *weights = ctx.saved_tensors
        needs_channels, *needed = ctx.needs_input_grad[1:]
        weighted: Weighted = ctx.module.weighted
        wanted = [name for name, is_needed in zip(weighted.names, needed) if is_needed]
        given, weight, *own = _arrays([channels, cotangent, *weights])
        found = weighted.vjp(own, given, weight, wanted, needs_channels, ctx.training, ctx.module.running())
        by_weights = [
            torch.from_numpy(found.parameters[name]).to(tensor.dtype) if is_needed else None
            for name, tensor, is_needed in zip(weighted.names, weights, needed)
        ]
        by_channels = None if found.channels is None else torch.from_numpy(found.channels).to(channels.dtype)
        return None, by_channels, *by_weights


class Module(torch.nn.Module):
    """A network as a module of PyTorch, whose parameters are those of the network: same names, same memory.

    module(channels) [B, space..., T, C] gives float32 [B, space..., T, F], both normalised; channels may be of any real type,
    float16 and bfloat16 too, and the network computes in float32. An optimizer that moves the parameters in place, as those
    of PyTorch do, moves the network's weights; so does load_state_dict(). Under torch.func.functional_call(), and after
    Module.to() of another type, weights are copied for each call. train() and eval() choose the statistics of batch norms.
    A backward pass runs forward once more; second derivatives are refused. Tensors lie in host memory. Raises InvalidInput.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        self.weighted = Weighted(network)
        for name, array in network.parameters.items():
            holder, last = self._holder_of(name)
            holder.register_parameter(last, torch.nn.Parameter(torch.from_numpy(array)))
        for name, array in network.buffers.items():
            holder, last = self._holder_of(name)
            holder.register_buffer(last, torch.from_numpy(array))
        self.eval()

    def _holder_of(self, name: str) -> tuple[torch.nn.Module, str]:
        """The module that a dotted name lies in, and the last part of the name."""
        *parts, last = name.split(".")
        holder: torch.nn.Module = self
        for part in parts:
            if part not in holder._modules:
                holder.add_module(part, torch.nn.Module())
            holder = holder.get_submodule(part)
        return holder, last

    def running(self) -> dict[str, Any]:
        """Arrays of the running statistics, by their names."""
        return {name: _array(tensor) for name, tensor in self.named_buffers()}

    @torch.compiler.disable
    def forward(self, channels: torch.Tensor) -> torch.Tensor:
        weights = (operator.attrgetter(name)(self) for name in self.weighted.names)  # of functional_call() they are plain tensors
        found: torch.Tensor = _Apply.apply(self, channels, *weights)
        return found

    def save(self, path: str, title: str = "") -> None:
        """Network.save() with the weights that the module has now."""
        self._settled().save(path, title)

    def _settled(self) -> Network:
        """The network, with the weights of the module also where these lie elsewhere."""
        tensors = [*self.named_parameters(), *self.named_buffers()]
        self.network.assign({name: _array(tensor) for name, tensor in tensors})
        return self.network

    def __reduce__(self) -> tuple[Any, ...]:
        frozen = [name for name, parameter in self.named_parameters() if not parameter.requires_grad]
        return _module_again, (self._settled(), self.training, frozen)


def _module_again(network: Network, training: bool, frozen: Sequence[str]) -> Module:
    """A module from what a pickle or a deep copy says of it."""
    module = Module(network)
    for name in frozen:
        module.get_parameter(name).requires_grad_(False)
    module.train(training)
    return module
