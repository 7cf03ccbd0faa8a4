"""Plumecast: fields of CO2 plumes from trained models, arrays in, arrays out.

    model = plumecast.load("radial-co2")
    fields = model.predict(plumecast.Cases(permeability_r=..., injection_rate=..., ...))
    fields["gas_saturation"]                       # float32 [N, T, Z, R]

Names, shapes and units of arrays are those of the data set format (docs/data_format.md). docs/python.md is the manual.
"""

from plumecast._native import version as _version
from plumecast.cases import Cases, Extents, Violation
from plumecast.errors import (
    CommError,
    DeviceError,
    Error,
    InternalError,
    Interrupted,
    InvalidData,
    InvalidInput,
    InvalidModel,
    IoError,
    NotBuilt,
    NotConverged,
    OutOfMemory,
    PlumecastWarning,
)
from plumecast.evaluation import Evaluation
from plumecast.fields import CaseVerdict, Fields
from plumecast.inversion import Inversion, invert
from plumecast.model import Model, load
from plumecast.network import Gradients, NamedInputs, Network
from plumecast.quantity import Quantity
from plumecast.recording import Recording
from plumecast.series import Series
from plumecast.served_ensemble import EnsembleFigure, ServedEnsemble
from plumecast.service import ServedModel, connect
from plumecast.training import train

__version__: str = _version()

__all__ = [
    "CaseVerdict",
    "Cases",
    "CommError",
    "DeviceError",
    "EnsembleFigure",
    "Error",
    "Evaluation",
    "Extents",
    "Fields",
    "Gradients",
    "InternalError",
    "Interrupted",
    "InvalidData",
    "InvalidInput",
    "InvalidModel",
    "Inversion",
    "IoError",
    "Model",
    "NamedInputs",
    "Network",
    "NotBuilt",
    "NotConverged",
    "OutOfMemory",
    "PlumecastWarning",
    "Quantity",
    "Recording",
    "Series",
    "ServedEnsemble",
    "ServedModel",
    "Violation",
    "connect",
    "invert",
    "load",
    "train",
]
