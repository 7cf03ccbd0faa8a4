"""What scripts/gpu_check.sh does in each of its calls: steps with their commands, limits and fallbacks."""
import shutil
import subprocess
from dataclasses import dataclass, field

MODEL, CASES = "models/radial-co2", "data/radial_sample.h5"
# Which way of a convolution or a transform is measured to be the faster is kept beside the results of a call.
TUNING = "cuda_tuning.json"
TUNED = {"PLUMECAST_CUDA_TUNING": "{out}/" + TUNING}
# Each way that a convolution can be forced to take.
LIBRARY, DIRECT = ({"PLUMECAST_CUDA_CONV": way} for way in ("cudnn", "direct"))
# Repeating a step that failed in one of these ways tells what it failed of.
FALLBACKS = {
    "direct": ("direct convolutions", DIRECT),
    "unrecorded": ("no recording", {"PLUMECAST_CUDA_GRAPHS": "off"}),
    "blocking": ("blocking launches", {"PLUMECAST_CUDA_GRAPHS": "off", "CUDA_LAUNCH_BLOCKING": "1"}),
}
# Seconds of each call, 25 minutes of a device in all; a command there may take ten minutes.
SECONDS = {"alive": 210, "right": 330, "speed": 420, "peer": 300, "rest": 240}


@dataclass(frozen=True)
class Step:
    """A command, of which {bin}, {out} and {scratch} are folders, as in its environment; `needs` tells why it cannot be
    done here, or ''. A step that fails is repeated by its fallback where it has one; one that hangs is not."""

    name: str
    limit: float  # seconds
    command: tuple
    fallback: str = ""
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
    """Tests of a program; after the first fault each in a process of its own, since a fault of a device stays."""
    report = "{out}/" + name + "{way}.json"
    return Step(name, limit, ("python3", "scripts/gpu/run_tests.py", f"{{bin}}/{program}", pattern, report, str(limit - 5)),
                fallback, environment)


def evaluation(name, limit, *options):
    return Step(name, limit, ("{bin}/plumecast", "evaluate", MODEL, CASES, "--json", *options), "direct", TUNED)


FLAGS = {"bf16": ("--bf16",), "tf32": ("--tf32",), "fp32": ()}
DEVICE = Step("driver", 20, ("nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"),
              needs=needs_program("nvidia-smi"))


def alive():
    """Does anything run?"""
    missing = 'ldd "$0"/* | grep "not found" && exit 1; exit 0'
    return (
        DEVICE,
        Step("libraries", 20, ("bash", "-c", missing, "{bin}")),
        tests("first_kernel", 40, "test_backend", "Cuda.SumsAreTheSameBitsAsOnTheHost", "blocking"),
        evaluation("device", 40, "--device", "cuda"),
        evaluation("cpu", 40, "--device", "cpu"),
        evaluation("bf16", 40, "--device", "cuda", "--precision", "bf16"),
        tests("convolutions", 60, "test_backend", "Cuda.*Convolve*"),
        tests("ops", 100, "test_backend", "*/cuda:*/cuda_bf16:Cuda*"),
    )


def convolutions():
    """The matrix of forward pass, data and weight gradient, by what the backend chooses, and by each way alone."""
    routes = {"": TUNED, "_library": LIBRARY, "_own": DIRECT}
    return tuple(Step(f"conv_{precision}{route}", 60, ("{bin}/bench_conv_matrix", "--cuda", *flag, "--repeat", "3"), "", variables)
                 for precision, flag in FLAGS.items() for route, variables in routes.items())


def right():
    """Is it right, at the size that is published?"""
    ours = "*/cuda*:*_cuda*:*Cuda*-*cuda_kernels*"
    return (
        DEVICE,
        *(Step(f"published_{name}", 60, ("{bin}/bench_published_pass", "--cuda", *flag), "direct", TUNED)
          for name, flag in FLAGS.items()),
        tests("graph", 60, "test_graph", ours, "blocking"),
        tests("architectures", 60, "test_architectures", ours),
        tests("golden", 60, "test_integration", "*_cuda"),
        tests("training", 60, "test_training", "*Cuda*:*/cuda"),
        *convolutions(),
    )


def network(name, *options, **environment):
    return Step(name, 60, ("{bin}/bench_network_speed", "--cuda", *options, "--repeat", "20"), "unrecorded", {**TUNED, **environment})


def speed():
    """How fast is it, beside the ceilings of the device?"""
    forward, training = ("--task", "forward", "--batch", "1"), ("--task", "training", "--batch", "4")
    return (
        DEVICE,
        Step("ceilings", 90, ("{bin}/bench_device_ceilings", "--cuda")),
        *(network(f"speed_forward_1_{name}", *flag, *forward) for name, flag in FLAGS.items()),
        *(network(f"speed_training_4_{name}", *flag, *training) for name, flag in FLAGS.items()),
        network("speed_forward_1_bf16_unrecorded", "--bf16", *forward, PLUMECAST_CUDA_GRAPHS="off"),
        network("speed_forward_1_bf16_ops", "--bf16", *forward, "--ops"),
        Step("kernels_of_a_pass", 90,
             ("ncu", "--clock-control", "none", "--metrics", "gpu__time_duration.sum", "--csv",
              "{bin}/bench_network_speed", "--cuda", "--bf16", *forward, "--repeat", "1"),
             environment={**TUNED, "PLUMECAST_CUDA_GRAPHS": "off"}, needs=needs_program("ncu")),
        # Modes x length x precision: from where cuFFT beats products.
        Step("spectral_ways", 90, ("{bin}/bench_spectral_ways", "--cuda")),
        *(network(f"speed_forward_1_{name}_library", *flag, *forward, **LIBRARY) for name, flag in FLAGS.items()),
    )


def peer():
    """How fast is PyTorch at the same?"""
    def torch(name, task, batch):
        return Step(name, 140, ("python3", "bench/peer/torch_speed.py", "--device", "cuda", "--seconds", "70", "--threads",
                                "4", "--tasks", task, "--batch", batch, "--repetitions", "10", "--variants", "stock",
                                "channels_last", "bf16", "compile", "bf16+channels_last", "bf16+channels_last+compile"),
                    libraries="system", needs=needs_torch)
    def runtime(name, provider):
        return Step(name, 60, ("python3", "bench/peer/onnx_device_speed.py", "{scratch}/network.onnx", "--provider", provider),
                    libraries="system", needs=needs_onnx_provider(provider))
    return (
        DEVICE,
        torch("torch_forward_1", "forward", "1"), torch("torch_training_4", "training", "4"),
        Step("onnx_export", 60, ("{bin}/plumecast", "export-onnx", MODEL, "-o", "{scratch}/network.onnx", "--force")),
        runtime("onnxruntime_forward_1", "CUDA"), runtime("tensorrt_forward_1", "Tensorrt"),
    )


def sanitizer(name, tool, kernels):
    return Step(name, 100, ("compute-sanitizer", "--tool", tool, "--error-exitcode", "9", "{bin}/test_backend",
                            "--gtest_brief=1", f"--gtest_filter={kernels}"),
                environment=DIRECT, needs=needs_program("compute-sanitizer"))


def rest():
    """Do threads get their own bits, is memory accessed rightly, how fast are files, and do ranks agree?"""
    shared = "*Reduce*/cuda:*Norm*/cuda:*ErrorOp*/cuda"  # kernels whose threads share memory
    return (
        DEVICE,
        Step("threads", 60, ("{bin}/test_threads",), "unrecorded"),
        sanitizer("memcheck", "memcheck", f"*Elementwise*/cuda:{shared}:*Box*/cuda:*CombineSigns*/cuda:*Complex*/cuda:*ByHand*/cuda"),
        sanitizer("racecheck", "racecheck", shared),
        # The shipped model over a file of 512 cases, reading and writing included.
        Step("many", 60, ("{bin}/plumecast", "merge", *[CASES] * 64, "--duplicates", "keep", "-o", "{scratch}/many.h5")),
        *(Step(f"file_{precision}", 60,
               ("{bin}/plumecast", "predict", MODEL, "{scratch}/many.h5", "-o", f"{{scratch}}/{precision}.h5", "--force",
                "--batch", "auto", "--device", "cuda", "--precision", precision), "", TUNED)
          for precision in ("bf16", "fp32")),
        # Two ranks share one device and send by way of the host; by NCCL, each has its own.
        *(Step(f"ranks_{transport}", 60, ("bash", "scripts/gpu/ranks.sh", "{bin}/plumecast", MODEL, CASES, transport), "", TUNED)
          for transport in ("host", "nccl")),
    )


CALLS = {"alive": alive, "right": right, "speed": speed, "peer": peer, "rest": rest}
