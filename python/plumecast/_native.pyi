"""plumecast.h in Python; the package plumecast is what programs use."""

from collections.abc import Callable, Mapping



class Device:
    """A device of plumecast.h, with memory of its own."""

    def __init__(self, name: str, threads: int, bfloat16: bool, memory_limit: int) -> None: ...

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
    def open(path: str) -> Cases:
        """Cases of a data set file."""

    def set(self, name: str, unit: str, array: object) -> None:
        """
        Has an array looked at where it is, by its name in the data set format.
        """

    def check(self) -> str:
        """All violations of the format, as a JSON list."""

    def extents(self) -> tuple[int, int, int, int, int, bool]:
        """Cases, times, rows, lines, columns, and whether the grid is Cartesian."""

def predict(model: Model, cases: Cases, outputs: Mapping[str, object], batch: int, progress: Callable[[int, int], object] | None, stop: Callable[[], bool] | None, log: Callable[[int, str], None] | None) -> None:
    """Predicts fields into arrays by their names."""

def predict_file(model: Model, cases: Cases, path: str, batch: int, progress: Callable[[int, int], object] | None, stop: Callable[[], bool] | None, log: Callable[[int, str], None] | None) -> None:
    """Predicts all fields into a result file."""

def version() -> str:
    """major.minor.patch"""

def build_info() -> str:
    """What this build is made of, as JSON."""

def abi() -> int:
    """PLUMECAST_ABI of the library that runs."""
