#!/usr/bin/env python3
"""How long ONNX Runtime takes on a CUDA device for a pass of an exported network, by its CUDA kernels or by TensorRT.

Usage: onnx_device_speed.py NETWORK.onnx --provider CUDA|Tensorrt [--batch 1] [--repeat 20]
Prints one line of JSON. Inputs and outputs stay on the device. Needs onnxruntime-gpu and numpy.
"""
import argparse
import json
import statistics
import time

import numpy
import onnxruntime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network")
    parser.add_argument("--provider", choices=("CUDA", "Tensorrt"), required=True)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=20)
    given = parser.parse_args()
    wanted = given.provider + "ExecutionProvider"
    session = onnxruntime.InferenceSession(given.network, providers=[wanted, "CUDAExecutionProvider"])
    if session.get_providers()[0] != wanted:
        parser.error(f"{given.provider} is not used (ONNX Runtime takes {session.get_providers()[0]}); look at its log")
    generator = numpy.random.default_rng(1)
    binding = session.io_binding()
    for one in session.get_inputs():
        values = generator.standard_normal([given.batch, *one.shape[1:]], dtype=numpy.float32)
        binding.bind_ortvalue_input(one.name, onnxruntime.OrtValue.ortvalue_from_numpy(values, "cuda", 0))
    for one in session.get_outputs():
        binding.bind_output(one.name, "cuda")
    seconds = []
    for _ in range(given.repeat + 3):
        start = time.perf_counter()
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()
        seconds.append(time.perf_counter() - start)
    seconds = seconds[3:]  # the first choose kernels
    print(json.dumps({"variant": given.provider, "median_s": statistics.median(seconds), "min_s": min(seconds),
                      "batch": given.batch, "onnxruntime": onnxruntime.__version__}))


if __name__ == "__main__":
    main()
