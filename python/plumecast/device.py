"""Devices, and what becomes of them in a child made by fork."""

from __future__ import annotations

import os
from typing import NamedTuple

from plumecast import _native
from plumecast.errors import InvalidInput
from plumecast.messages import warn

#: PLUMECAST_SPECTRAL_... of plumecast.h.
_SPECTRAL = {"auto": 0, "cufft": 1, "dft": 2}

_IMPORTED_IN = os.getpid()
os.register_at_fork(after_in_child=_native.after_fork)


class DeviceOptions(NamedTuple):
    """What a device is opened with."""

    device: str
    threads: int
    bfloat16: bool
    memory_limit: int
    spectral: str = "auto"
    memory_share: float = 0.0


def open_device(options: DeviceOptions) -> _native.Device:
    """The device. In a child made by fork the threads of the parent are gone, so the work is done by one."""
    if os.getpid() != _IMPORTED_IN:
        if options.device.startswith("cuda"):
            raise InvalidInput(
                f"device '{options.device}' is not used in a process made by fork (CUDA does not survive it); start "
                "processes by the method 'spawn'"
            )
        if options.threads > 1:
            warn(
                f"one thread instead of {options.threads} (the process was made by fork, which OpenMP does not "
                "survive); start processes by the method 'spawn'"
            )
        options = options._replace(device="cpu" if options.device == "auto" else options.device, threads=1)
    if options.spectral not in _SPECTRAL:
        raise InvalidInput(
            f"spectral is {options.spectral!r} ('auto', 'cufft' and 'dft' are known); give one of them"
        )
    return _native.Device(*options[:4], _SPECTRAL[options.spectral], options.memory_share)
