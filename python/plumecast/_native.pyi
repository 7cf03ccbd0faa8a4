"""plumecast.h in Python; the package plumecast is what programs use."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any



def after_fork() -> None:
    """To be called in a child made by fork, before anything else is."""

class Device:
    """A device of plumecast.h, with memory of its own."""

    def __init__(self, name: str, threads: int, bfloat16: bool, memory_limit: int, spectral: int, memory_share: float) -> None: ...

    @property
    def description(self) -> str:
        """What it computes with."""

    def trim(self) -> None:
        """Gives memory that nothing uses back to the system."""

class Model:
    """A model of plumecast.h, which any number of threads may use."""

    def __init__(self, device: Device, path: str) -> None: ...

    @property
    def description(self) -> str:
        """Title, hash, inputs, fields and grid, as JSON."""

    @property
    def hash(self) -> str:
        """SHA-256 of the weights."""

class Cases:
    """Cases of plumecast.h; they hold on to the arrays that they look at."""

    @staticmethod
    def create() -> Cases:
        """Cases in memory, without arrays yet."""

    @staticmethod
    def create_generic(axes: str) -> Cases:
        """Cases of generic data in memory, without arrays yet."""

    @staticmethod
    def open(path: str) -> Cases:
        """Cases of a data set file."""

    def set(self, name: str, unit: str, array: object) -> None:
        """
        Has an array looked at where it is, by its name in the data set format.
        """

    def check(self) -> str:
        """All violations of the format, as a JSON list."""

    def write(self, path: str) -> None:
        """Writes all of the cases as a data set file."""

    def extents(self) -> tuple[int, int, int, int, int, bool, int, int, int, bool]:
        """
        Cases, times, rows, lines, columns, whether the grid is Cartesian, wells and periods of a schedule, axes of generic data, and whether there are times.
        """

class Options:
    """How cases are predicted, recorded and evaluated."""

    def __init__(self, batch: int, limits: bool, progress: Callable[[int, int], object] | None, stop: Callable[[], bool] | None, log: Callable[[int, str], None] | None, extrapolate: bool, buildup_limit: float, strict: bool, verdict: Callable[[int, int, str], None] | None, uncertainty: bool) -> None: ...

def predict(model: Model, cases: Cases, outputs: Mapping[str, object], options: Options) -> None:
    """Predicts fields into arrays by their names."""

def predict_file(model: Model, cases: Cases, path: str, options: Options) -> None:
    """Predicts all fields into a result file."""

class Recording:
    """A forward pass whose tape is kept."""

    def pull_back(self, weights: Mapping[str, object], gradients: Mapping[str, object]) -> None:
        """
        Derivatives of the sum of weights times fields by inputs, into arrays by their names.
        """

    def series(self, name: str, count: int) -> list[float]:
        """
        Values of a series of a report on the recorded fields, of all cases at all times.
        """

    def retaken_steps(self, cases: int) -> list[int]:
        """
        Of each case, time steps of its physics that were taken in another way than at first.
        """

def record(model: Model, cases: Cases, outputs: Mapping[str, object], options: Options) -> Recording:
    """Runs cases forward and keeps the tape."""

def evaluate(model: Model, cases: Cases, options: Options) -> str:
    """Errors of the fields of a model, as JSON."""

def measure(cases: Cases, thresholds: Sequence[float], pressure_front: float, fracture_gradient: float, fracture_pressure: float, fracture_factor: float, top_depth: float) -> str:
    """Series of the outputs of cases, as JSON."""

class Network:
    """A network of plumecast.h, with weights of its own."""

    @staticmethod
    def create(device: Device, configuration: str, seed: int) -> Network:
        """A network that JSON describes, with initial weights."""

    @staticmethod
    def of_model(model: Model, field: str) -> Network:
        """
        A copy of the network of a model that predicts a field; '' for its only one.
        """

    @property
    def description(self) -> str:
        """Configuration, parameters, title and device, as JSON."""

    def parameters(self) -> dict[str, Any]:
        """Arrays of all weights and buffers where they are."""

    def read(self, parameters: Mapping[str, object]) -> None:
        """Copies weights and buffers into arrays."""

    def assign(self, parameters: Mapping[str, object]) -> None:
        """Replaces weights and buffers by copies of arrays."""

    def forward(self, channels: object, prediction: object, training: bool) -> None:
        """Predicts into an array."""

    def vjp(self, channels: object, cotangent: object, by_channels: object | None, by_parameters: Mapping[str, object], training: bool) -> None:
        """Derivatives of the sum of cotangent times prediction, into arrays."""

    def inputs(self, cases: Cases, arrays: Mapping[str, object], options: Options) -> None:
        """What the network takes of cases, into arrays."""

    def load(self, path: str) -> None:
        """Replaces all weights by those of a safetensors file."""

    def save(self, path: str, title: str) -> None:
        """Writes weights or a model."""

def train(device: Device, recipe: str, data: Cases | None, validation: Cases | None, resume: bool, progress: Callable[[int, int, int, int, float], object] | None, epoch: Callable[[str], object] | None, stop: Callable[[], bool] | None, log: Callable[[int, str], None] | None) -> None:
    """Trains a model as a recipe says."""

def invert(device: Device, configuration: str, threads: int, resume: bool, replace: bool, progress: Callable[[str, int, int], object] | None, step: Callable[[str], object] | None, stop: Callable[[], bool] | None, log: Callable[[int, str], None] | None) -> None:
    """Finds reservoirs that explain observations as a configuration says."""

def version() -> str:
    """major.minor.patch"""

def build_info() -> str:
    """What this build is made of, as JSON."""

def abi() -> int:
    """PLUMECAST_ABI of the library that runs."""
