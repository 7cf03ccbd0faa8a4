"""Networks as modules of PyTorch."""

import copy
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
from network_test import SMALL, normal, small

try:
    import torch
except ImportError:
    torch = None
else:
    from plumecast.torch import Module


@unittest.skipIf(torch is None, "PyTorch is not installed")
class TorchModule(unittest.TestCase):
    def setUp(self):
        self.network = small()
        self.module = Module(self.network)
        self.channels = torch.from_numpy(normal(2, 6, 5, 4, 2))

    def check(self, call, inputs):
        """gradcheck as float32 allows it."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*not a double precision")
            self.assertTrue(torch.autograd.gradcheck(call, inputs, eps=1e-2, atol=2e-3, rtol=2e-2))

    def test_parameters_have_the_names_and_the_memory_of_the_network(self):
        self.assertEqual({name for name, _ in self.module.named_parameters()}, set(self.network.parameters))
        with torch.no_grad():
            self.module.get_parameter("projection.second.bias").add_(2)
        self.assertEqual(self.network.parameters["projection.second.bias"][0] - small().parameters["projection.second.bias"][0], 2)
        np.testing.assert_array_equal(self.module(self.channels).detach().numpy(), self.network.forward(self.channels))

    def test_passes_gradcheck_by_channels(self):
        channels = self.channels[:1, :3, :3, :2].clone().requires_grad_()
        module = Module(small(modes=[1, 1, 1]))
        self.check(module, (channels,))

    def test_passes_gradcheck_by_parameters(self):
        module = Module(small(modes=[1, 1, 1], width=2, hidden=2))
        channels = self.channels[:1, :3, :3, :2]
        names = [name for name, _ in module.named_parameters()]
        before = [parameter.detach().clone() for parameter in module.parameters()]

        def call(*parameters):
            return torch.func.functional_call(module, dict(zip(names, parameters)), (channels,))

        self.check(call, tuple(parameter.clone().requires_grad_() for parameter in before))
        for parameter, kept in zip(module.parameters(), before):
            self.assertTrue(torch.equal(parameter, kept))  # those of a functional call go to another network

    def test_gradients_are_those_of_the_network(self):
        self.channels.requires_grad_()
        cotangent = normal(2, 6, 5, 4, 1, seed=1)
        (self.module(self.channels) * torch.from_numpy(cotangent)).sum().backward()
        expected = self.network.vjp(self.channels.detach(), cotangent)
        np.testing.assert_array_equal(self.channels.grad.numpy(), expected.channels)
        for name, parameter in self.module.named_parameters():
            np.testing.assert_array_equal(parameter.grad.numpy(), expected.parameters[name], name)

    def test_frozen_parameters_have_no_gradient(self):
        self.module.get_parameter("lift.weight").requires_grad_(False)
        self.module(self.channels).sum().backward()
        self.assertIsNone(self.module.get_parameter("lift.weight").grad)
        self.assertIsNotNone(self.module.get_parameter("lift.bias").grad)

    def test_an_optimizer_lowers_a_loss_of_ones_own(self):
        target = torch.sin(self.channels[..., :1])
        optimizer = torch.optim.AdamW(self.module.parameters(), lr=0.02)
        losses = []
        for _ in range(40):
            optimizer.zero_grad()
            loss = (self.module(self.channels) - target).abs().mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.5 * losses[0])
        self.assertLess(np.abs(self.network.forward(self.channels) - target.numpy()).mean(), 0.5 * losses[0])

    def test_narrow_tensors_are_taken(self):
        channels = (self.channels * 4).round() / 4
        expected = self.module(channels)
        for kind in (torch.bfloat16, torch.float16, torch.float64):
            given = channels.to(kind).requires_grad_()
            found = self.module(given)
            self.assertTrue(torch.equal(found, expected))
            found.sum().backward()
            self.assertEqual(given.grad.dtype, kind)

    def test_train_and_eval_choose_the_statistics(self):
        module = Module(small(architecture="ufno", padded_multiple=8))
        before = {name: tensor.clone() for name, tensor in module.named_buffers()}
        evaluated = module(self.channels)
        module.train()
        module(self.channels).sum().backward()
        moved = dict(module.named_buffers())
        self.assertTrue(any(not torch.equal(moved[name], tensor) for name, tensor in before.items()))
        self.assertFalse(torch.equal(module.eval()(self.channels), evaluated))

    def test_state_dict_copies_and_pickles(self):
        expected = self.module(self.channels)
        other = Module(plumecast.Network(SMALL, seed=5, threads=1))
        other.load_state_dict(self.module.state_dict())
        alike = [other, copy.deepcopy(self.module), pickle.loads(pickle.dumps(self.module))]
        for module in alike:
            self.assertTrue(torch.equal(module(self.channels), expected))
            with torch.no_grad():
                module.get_parameter("lift.bias").fill_(7)
            np.testing.assert_array_equal(module.network.parameters["lift.bias"], 7)
        self.assertTrue(torch.equal(self.module(self.channels), expected))

    def test_other_types_are_copied_for_each_call(self):
        module = Module(small(architecture="ufno", padded_multiple=8)).double().train()
        before = {name: tensor.clone() for name, tensor in module.named_buffers()}
        found = module(self.channels)
        self.assertTrue(torch.equal(found, Module(small(architecture="ufno", padded_multiple=8)).train()(self.channels)))
        found.sum().backward()
        self.assertEqual(module.get_parameter("lift.weight").grad.dtype, torch.float64)
        moved = dict(module.named_buffers())
        self.assertTrue(any(not torch.equal(moved[name], tensor) for name, tensor in before.items()))

    def test_works_compiled(self):
        compiled = torch.compile(lambda given: self.module(given).square().sum(), backend="aot_eager")
        compiled(self.channels).backward()
        kept = {name: parameter.grad.clone() for name, parameter in self.module.named_parameters()}
        self.module.zero_grad()
        self.module(self.channels).square().sum().backward()
        for name, parameter in self.module.named_parameters():
            torch.testing.assert_close(parameter.grad, kept[name])

    def test_is_saved_with_its_weights(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "weights.safetensors"
            self.module.save(file)
            other = small()
            other.parameters["lift.bias"][:] = 7
            other.load(file)
        np.testing.assert_array_equal(other.parameters["lift.bias"], self.network.parameters["lift.bias"])

    def test_second_derivatives_are_refused(self):
        self.channels.requires_grad_()
        (first,) = torch.autograd.grad(self.module(self.channels).square().sum(), self.channels, create_graph=True)
        with self.assertRaises(RuntimeError):
            first.sum().backward()


if __name__ == "__main__":
    unittest.main()
