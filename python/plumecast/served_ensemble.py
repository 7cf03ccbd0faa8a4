"""Ensembles that a service computes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plumecast.fields import CaseVerdict

#: Told how many of how many realizations are computed.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class EnsembleFigure:
    """A figure of the report of all realizations; NaN where one could not be computed."""

    name: str
    unit: str
    description: str
    values: np.ndarray[Any, Any]  #: [realizations]
    low: float  #: P90, which 90 % of the realizations exceed
    middle: float  #: P50
    high: float  #: P10, which 10 % exceed


class ServedEnsemble:
    """What a service found of an ensemble; `ServedModel.ensemble` makes one."""

    def __init__(self, answer: Mapping[str, Any], fetch: Callable[[str], bytes]) -> None:
        self._fetch = fetch
        self.answer = answer  #: all that the service tells (docs/serve.md)
        self.figures = {str(one["name"]): _figure_of(one) for one in answer["figures"]}  #: by name
        self.inputs = {str(one["name"]): np.array(one["values"]) for one in answer["inputs"]}  #: drawn, by name
        self.verdicts = [
            CaseVerdict(case, one["verdict"], "; ".join(one["reasons"])) for case, one in enumerate(answer["cases"])
        ]
        self.failures = {int(one["case"]): str(one["reason"]) for one in answer["failures"]}  #: why, by realization

    @property
    def exceedances(self) -> list[Mapping[str, Any]]:
        """In how many realizations limits are exceeded, with the 90 % interval of the probability."""
        return list(self.answer["exceedances"])

    def scenario(self, case: int) -> bytes:
        """The JSON that the service predicts a realization from."""
        return self._fetch(f"{self.answer['url']}/cases/{int(case)}")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the inputs of all realizations as a data set file."""
        target = Path(path)
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            beside.write_bytes(self._fetch(f"{self.answer['url']}/data"))
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
        return target

    def __repr__(self) -> str:
        counts = self.answer["verdicts"]
        lines = [
            f"{one.name}: {one.low:.4g} to {one.high:.4g} {one.unit}, middle {one.middle:.4g}"
            for one in self.figures.values()
        ]
        told = f"{self.answer['number']} realizations: {counts['good']} good, {counts['doubtful']} doubtful, {counts['bad']} bad"
        return "\n".join([told, *lines])


def _figure_of(one: Mapping[str, Any]) -> EnsembleFigure:
    def number(value: float | None) -> float:
        return float("nan") if value is None else float(value)

    return EnsembleFigure(
        one["name"],
        one["unit"],
        one["description"],
        np.array([number(value) for value in one["values"]]),
        number(one["p90_low"]),
        number(one["p50_middle"]),
        number(one["p10_high"]),
    )
