#!/usr/bin/env python3
"""Times PyTorch on the networks of this project: forward, input gradient and training step, several settings, as JSON.

Each setting runs in a process of its own, so that its peak memory and its allocator are its own.

Usage: torch_speed.py [--network ufno] [--grid 96 200 24] [--width 36] [--modes 10 10 10] [--channels 12] [--batch 1]
                      [--threads 1 2] [--variants stock channels_last malloc bf16 compile] [--tasks forward input_gradient training]
                      [--weights FILE.safetensors] [--repetitions 5] [--device cpu|cuda] [--output FILE.json]

The task input_gradient is a forward pass and a backward pass to the input channels alone. With --weights the network is the one whose
weights are in the file, instead of a random one of that width and those modes.

Variants add up with `+`: `channels_last+malloc`. `malloc` keeps glibc from returning memory to the system after every
layer, which costs PyTorch millions of page faults at this size. On CUDA, `tf32` lets products and convolutions round to
ten bits, and `compile` takes the mode that records CUDA graphs. Of several settings the fastest is the one to compare with.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

TUNED_MALLOC = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "40000000000",
    "MALLOC_TOP_PAD_": "268435456",
}
VARIANTS = {
    "cpu": ("stock", "channels_last", "malloc", "channels_last+malloc", "bf16+malloc", "compile+malloc"),
    "cuda": ("stock", "tf32", "bf16", "tf32+channels_last", "bf16+channels_last", "bf16+channels_last+compile"),
}


def make_network(job):
    import torch_models

    if job["weights"]:
        from safetensors.torch import load_file
        from torch_weights import network_for

        return network_for(load_file(job["weights"]))
    if job["network"] == "cnn":
        return torch_models.CNN(job["channels"])
    return torch_models.NETWORKS[job["network"]](tuple(job["modes"]), job["width"], channels_in=job["channels"])


def make_task(job, traits):
    """A function that does one forward pass, one with the gradient of the inputs, or one training step."""
    import torch
    import torch_models

    torch.manual_seed(0)
    device = job["device"]
    network = make_network(job).to(device)
    if "channels_last" in traits:
        network = network.to(memory_format=torch.channels_last_3d)
    shape = (job["batch"], *job["grid"])
    inputs, target = torch.rand(*shape, job["channels"], device=device), torch.rand(*shape, device=device)
    recorded = {"mode": "reduce-overhead"} if device == "cuda" else {}
    run = torch.compile(network, **recorded) if "compile" in traits else network
    precision = torch.autocast(device, dtype=torch.bfloat16, enabled="bf16" in traits)
    if job["task"] == "forward":
        network.eval()

        def forward():
            with torch.inference_mode(), precision:
                run(inputs)

        return forward
    if job["task"] == "input_gradient":
        network.eval().requires_grad_(False)
        inputs.requires_grad_()

        def gradient():
            inputs.grad = None
            with precision:
                prediction = run(inputs)
            prediction.float().sum().backward()

        return gradient
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-4)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with precision:
            prediction = run(inputs)
        torch_models.relative_l2(prediction.float(), target).backward()
        optimizer.step()

    return step


def work(job):
    """Runs one job in this process and returns its times in seconds and its peak memory in MB."""
    import torch

    torch.set_num_threads(job["threads"])
    traits = job["variant"].split("+")
    on_cuda = job["device"] == "cuda"
    wait = torch.cuda.synchronize if on_cuda else lambda: None
    if on_cuda:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = "tf32" in traits or "bf16" in traits
        torch.backends.cudnn.benchmark = True
    bare = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    task = make_task(job, traits)
    for _ in range(4 if on_cuda else 1):  # algorithms are chosen and graphs recorded
        task()
    wait()
    seconds = []
    for _ in range(job["repetitions"]):
        start = time.perf_counter()
        task()
        wait()
        seconds.append(time.perf_counter() - start)
    device_mb = {"peak_device_mb": torch.cuda.max_memory_allocated() / 2**20} if on_cuda else {}
    return {
        "median_s": statistics.median(seconds),
        "min_s": min(seconds),
        "max_s": max(seconds),
        "repetitions": len(seconds),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "memory_before_mb": bare,
        "torch": torch.__version__,
        **device_mb,
    }


def run_apart(job):
    """Runs one job in a new process; an unsupported setting gives its error instead of times."""
    threads = str(job["threads"])
    environment = dict(os.environ, OMP_NUM_THREADS=threads, MKL_NUM_THREADS=threads)
    if "malloc" in job["variant"].split("+"):
        environment.update(TUNED_MALLOC)
    command = [sys.executable, __file__, "--job", json.dumps(job)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=job["seconds"])
    except subprocess.TimeoutExpired:
        return {"error": f"not done within {job['seconds']} s"}
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return {"error": lines[-1] if lines else f"ended with status {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", default="ufno", choices=("fno", "conv_fno", "ufno", "cnn"))
    parser.add_argument("--grid", type=int, nargs=3, default=(96, 200, 24), metavar=("Z", "R", "T"))
    parser.add_argument("--width", type=int, default=36)
    parser.add_argument("--modes", type=int, nargs=3, default=(10, 10, 10))
    parser.add_argument("--channels", type=int, default=12)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, nargs="+", default=(1, 2))
    parser.add_argument("--device", default="cpu", choices=tuple(VARIANTS))
    parser.add_argument("--variants", nargs="+", help="default: all that are named above for the device")
    parser.add_argument("--tasks", nargs="+", default=("forward", "training"), choices=("forward", "input_gradient", "training"))
    parser.add_argument("--weights", help="state dict in the published names; sets width, modes and channels")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=float, help="give a setting up after so long")
    parser.add_argument("--output", type=Path, help="JSON file to write beside the output")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.job:
        print(json.dumps(work(json.loads(arguments.job))))
        return
    shared = ("network", "grid", "width", "modes", "channels", "batch", "repetitions", "device", "seconds", "weights")
    threads_of = arguments.threads if arguments.device == "cpu" else arguments.threads[-1:]
    results = []
    for task in arguments.tasks:
        for variant in arguments.variants or VARIANTS[arguments.device]:
            for threads in threads_of:
                job = {name: getattr(arguments, name) for name in shared}
                job.update(task=task, variant=variant, threads=threads)
                results.append({**job, **run_apart(job)})
                print(json.dumps(results[-1]), flush=True)
    if arguments.output:
        arguments.output.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
