"""What scripts/gpu_check.sh does in each of its four calls: steps with their commands, limits and fallbacks."""
import shutil
import subprocess
from dataclasses import dataclass, field

MODEL, CASES = "models/radial-co2", "data/radial_sample.h5"
# Which convolutions are measured to be faster, cuDNN's or tiles of our own, is kept beside the results of a call.
TUNING = "cuda_tuning.json"
TUNED = {"PLUMECAST_CUDA_TUNING": "{out}/" + TUNING}
# Each way that a convolution can be forced to take.
TILES, LIBRARY, DIRECT = ({"PLUMECAST_CUDA_CONV": way} for way in ("tiles", "cudnn", "direct"))
# Repeating a step that failed in one of these ways tells what it failed of.
FALLBACKS = {
    "direct": ("direct convolutions", DIRECT),
    "unrecorded": ("no recording", {"PLUMECAST_CUDA_GRAPHS": "off"}),
    "blocking": ("blocking launches", {"PLUMECAST_CUDA_GRAPHS": "off", "CUDA_LAUNCH_BLOCKING": "1"}),
}


@dataclass(frozen=True)
class Step:
    """A command, of which {bin}, {out} and {scratch} are folders, as in its environment; `needs` tells why it cannot be
    done here, or ''."""

    name: str
    limit: float  # seconds
    command: tuple
    fallback: str = "blocking"
    environment: dict = field(default_factory=dict)
    libraries: str = "ours"  # "system" for programs that bring their own
    needs: object = lambda: ""


def needs_program(name):
    return lambda: "" if shutil.which(name) else f"no {name} here"


def needs_python(probe, what):
    """'' where a line of Python runs, else that `what` is not installed."""
    try:
        found = subprocess.run(["python3", "-c", probe], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        found = False
    return "" if found else f"not installed: {what}"


def needs_torch():
    return needs_python("import sys, torch; sys.exit(not torch.cuda.is_available())", "PyTorch with CUDA")


def needs_onnx_provider(provider):
    probe = f"import sys, onnxruntime as o; sys.exit('{provider}ExecutionProvider' not in o.get_available_providers())"
    return lambda: needs_python(probe, f"ONNX Runtime with {provider}")


def tests(name, limit, program, pattern, fallback="direct", **environment):
    report = "{out}/" + name + "{way}.json"
    return Step(name, limit, (f"{{bin}}/{program}", f"--gtest_filter={pattern}", "--gtest_brief=1",
                              f"--gtest_output=json:{report}"), fallback, environment)


def evaluation(name, limit, *options):
    return Step(name, limit, ("{bin}/plumecast", "evaluate", MODEL, CASES, "--json", *options), "direct", TUNED)


def convolutions():
    """The matrix of forward pass, data and weight gradient, by what the backend chooses, and by each way alone."""
    flags = {"bf16": ("--bf16",), "tf32": ("--tf32",), "fp32": ()}
    routes = {"": TUNED, "_library": LIBRARY, "_tiles": TILES, "_own": DIRECT}
    return tuple(Step(f"conv_{precision}{route}", 40, ("{bin}/bench_conv_matrix", "--cuda", *flag, "--repeat", "3"), "blocking", variables)
                 for precision, flag in flags.items() for route, variables in routes.items())


DEVICE = Step("driver", 20, ("nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"),
              needs=needs_program("nvidia-smi"))


def alive():
    """Does anything run, and is it right?"""
    ours = "*/cuda*:*_cuda*:*Cuda*-*cuda_kernels*"
    missing = 'ldd "$0"/* | grep "not found" && exit 1; exit 0'
    return (
        DEVICE,
        Step("libraries", 20, ("bash", "-c", missing, "{bin}")),
        tests("first_kernel", 60, "test_backend", "Cuda.SumsAreTheSameBitsAsOnTheHost", "blocking"),
        tests("convolutions", 60, "test_backend", "Cuda.*Convolve*"),
        evaluation("device", 60, "--device", "cuda"),
        evaluation("cpu", 60, "--device", "cpu"),
        evaluation("bf16", 60, "--device", "cuda", "--precision", "bf16"),
        tests("ops", 100, "test_backend", "*/cuda:*/cuda_bf16:Cuda*"),
        tests("graph", 60, "test_graph", ours, "blocking"),
        tests("architectures", 60, "test_architectures", ours),
        tests("golden", 60, "test_integration", "*_cuda", "direct"),
        tests("training", 60, "test_training", "*Cuda*:*/cuda"),
        *convolutions(),
    )


def network(name, *options, **environment):
    return Step(name, 60, ("{bin}/bench_network_speed", "--cuda", *options, "--repeat", "20"), "unrecorded", {**TUNED, **environment})


def speed():
    """How fast is it, beside the ceilings of the device?"""
    flags = {"bf16": ("--bf16",), "tf32": ("--tf32",), "fp32": ()}
    forward, training = ("--task", "forward", "--batch", "1"), ("--task", "training", "--batch", "4")
    return (
        DEVICE,
        Step("ceilings", 90, ("{bin}/bench_device_ceilings", "--cuda")),
        *(network(f"speed_forward_1_{name}", *flag, *forward) for name, flag in flags.items()),
        *(network(f"speed_training_4_{name}", *flag, *training) for name, flag in flags.items()),
        network("speed_forward_1_bf16_unrecorded", "--bf16", *forward, PLUMECAST_CUDA_GRAPHS="off"),
        Step("kernel_predictions", 30, ("{bin}/bench_kernel_predictions", "--bf16")),
        Step("kernels_of_a_pass", 90,
             ("ncu", "--clock-control", "none", "--metrics", "gpu__time_duration.sum", "--csv",
              "{bin}/bench_network_speed", "--cuda", "--bf16", *forward, "--repeat", "1"),
             environment={**TUNED, "PLUMECAST_CUDA_GRAPHS": "off"}, needs=needs_program("ncu")),
        *(network(f"speed_forward_1_{name}_{way}", *flag, *forward, **forced)
          for name, flag in flags.items() for way, forced in (("tiles", TILES), ("library", LIBRARY))),
        *(network(f"speed_training_4_bf16_{way}", "--bf16", *training, **forced)
          for way, forced in (("tiles", TILES), ("library", LIBRARY))),
    )


def peer():
    """How fast is PyTorch at the same?"""
    def torch(name, task, batch):
        return Step(name, 200, ("python3", "bench/peer/torch_speed.py", "--device", "cuda", "--seconds", "100", "--threads",
                                "4", "--tasks", task, "--batch", batch, "--repetitions", "10", "--variants", "stock",
                                "channels_last", "bf16", "compile", "bf16+channels_last", "bf16+channels_last+compile"),
                    libraries="system", needs=needs_torch)
    def runtime(name, provider):
        return Step(name, 100, ("python3", "bench/peer/onnx_device_speed.py", "{scratch}/network.onnx", "--provider", provider),
                    libraries="system", needs=needs_onnx_provider(provider))
    return (
        DEVICE,
        Step("onnx_export", 60, ("{bin}/plumecast", "export-onnx", MODEL, "-o", "{scratch}/network.onnx", "--force")),
        runtime("onnxruntime_forward_1", "CUDA"), runtime("tensorrt_forward_1", "Tensorrt"),
        torch("torch_forward_1", "forward", "1"), torch("torch_training_4", "training", "4"),
    )


def rest():
    """Is memory accessed rightly, how fast are files, and do ranks agree?"""
    kernels = ("*Elementwise*/cuda:*Reduce*/cuda:*Norm*/cuda:*Box*/cuda:*ErrorOp*/cuda:*CombineSigns*/cuda:"
               "*Complex*/cuda:*ByHand*/cuda")
    return (
        DEVICE,
        Step("sanitizer", 240, ("compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "9", "{bin}/test_backend",
                                "--gtest_brief=1", f"--gtest_filter={kernels}"),
             environment=DIRECT, needs=needs_program("compute-sanitizer")),
        # The shipped model over a file of 512 cases, reading and writing included.
        Step("many", 60, ("{bin}/plumecast", "merge", *[CASES] * 64, "--duplicates", "keep", "-o", "{scratch}/many.h5")),
        *(Step(f"file_{precision}", 60,
               ("{bin}/plumecast", "predict", MODEL, "{scratch}/many.h5", "-o", f"{{scratch}}/{precision}.h5", "--force",
                "--batch", "auto", "--device", "cuda", "--precision", precision), "direct", TUNED)
          for precision in ("bf16", "fp32")),
        # Two ranks share one device and send by way of the host; by NCCL, each has its own.
        *(Step(f"ranks_{transport}", 60, ("bash", "scripts/gpu/ranks.sh", "{bin}/plumecast", MODEL, CASES, transport), "direct", TUNED)
          for transport in ("host", "nccl")),
    )


CALLS = {"alive": alive, "speed": speed, "peer": peer, "rest": rest}
