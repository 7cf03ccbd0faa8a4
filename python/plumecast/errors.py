"""What Plumecast raises: one class for each status of plumecast.h. Messages read: problem (why); what to do."""


class Error(Exception):
    """Base of everything that Plumecast raises."""


class InvalidInput(Error, ValueError):
    """An argument that cannot be used: a name, a shape, a unit, a type."""


class InvalidData(InvalidInput):
    """Cases that violate the data set format."""


class InvalidModel(InvalidInput):
    """A model that cannot be read, or that is not the one that was meant."""


class DeviceError(Error, RuntimeError):
    """A device refused its work."""


class OutOfMemory(DeviceError, MemoryError):
    """The memory of a device does not hold what is asked for."""


class CommError(Error, RuntimeError):
    """Processes could not talk to each other."""


class IoError(Error, OSError):
    """The operating system refused to read or write."""


class NotConverged(Error, ArithmeticError):
    """An iteration did not reach its tolerance."""


class NotBuilt(Error, NotImplementedError):
    """The feature exists, but not in this build."""


class Interrupted(Error):
    """The function `stop` asked for it."""


class InternalError(Error, RuntimeError):
    """A mistake of the library; please report it."""


class PlumecastWarning(UserWarning):
    """What a prediction warns of: inputs outside the training ranges, another grid than that of the training."""


_CLASSES: dict[int, type[Error]] = {
    1: InvalidInput,
    2: InvalidData,
    3: InvalidModel,
    4: DeviceError,
    5: OutOfMemory,
    6: CommError,
    7: IoError,
    8: NotConverged,
    9: NotBuilt,
    10: Interrupted,
    11: InternalError,
}


def class_of(status: int) -> type[Error]:
    """The class that belongs to a status of plumecast.h; InternalError for one that is not known."""
    return _CLASSES.get(status, InternalError)
