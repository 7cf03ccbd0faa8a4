"""How the mean build-up of pressure changes with the rate of injection, in JAX: python 06_jax.py MODEL CASES"""
import sys

import h5py
import jax
import plumecast
import plumecast.jax

with h5py.File(sys.argv[2]) as file:
    inputs = {name: array[:] for group in ("grid", "inputs") for name, array in file[group].items()}
predict = plumecast.jax.function(plumecast.load(sys.argv[1]), fields=["pressure_buildup"])


@jax.jit
def mean_buildup(rate: jax.Array) -> jax.Array:
    return jax.numpy.nanmean(predict(inputs | {"injection_rate": rate})["pressure_buildup"])


slopes = jax.grad(mean_buildup)(inputs["injection_rate"])
print("bar per Mt/year:", ", ".join(f"{slope:.3g}" for slope in slopes * len(slopes)))
