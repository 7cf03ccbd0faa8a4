"""Models behind `plumecast serve`, on this machine or another."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import ssl
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plumecast.cases import Cases
from plumecast.errors import Error, InternalError, InvalidData, InvalidInput, IoError, PlumecastWarning
from plumecast.fields import CaseVerdict, Fields
from plumecast.format import unit_of
from plumecast.model import cases_of
from plumecast.quantity import Quantity, as_text
from plumecast.served_ensemble import Progress, ServedEnsemble

if TYPE_CHECKING:
    import xarray

    _AnyCases = Cases | xarray.Dataset | str | os.PathLike[str]

_HDF5, _SAFETENSORS, _JSON = "application/x-hdf5", "application/x-safetensors", "application/json"


def connect(
    url: str,
    model: str | None = None,
    token: str | None = None,
    timeout: float = 300.0,
    ca_file: str | os.PathLike[str] | None = None,
) -> ServedModel:
    """A model that `plumecast serve` answers for: its name there, or the first; used like one of `plumecast.load`.

    `url` is the address that the service shows, `token` what it asks for, `timeout` [s] how long an answer is waited for,
    `ca_file` a file of certificates (PEM) that are trusted instead of those of the system, where the address is https.
    Cases travel as data set files, fields with every bit. Raises IoError where nothing answers, InvalidInput for a model
    that is not served and for a token that is not known.
    """
    service = _Service(url, token, timeout, ca_file)
    answer = service.ask("v1/models")
    try:
        models = {str(one["name"]): one for one in json.loads(answer)["models"]}
    except (ValueError, KeyError, TypeError) as error:
        raise IoError(f"{service.url} answers with something else than models; correct the address") from error
    name = next(iter(models)) if model is None else model
    if name not in models:
        raise InvalidInput(f"{service.url} serves no model '{name}' (it serves {', '.join(models)}); name one of these")
    return ServedModel(service, models[name])


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which could take the token elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Service:
    """Requests to an address, and what is raised where they are refused."""

    def __init__(self, url: str, token: str | None, timeout: float, ca_file: str | os.PathLike[str] | None) -> None:
        parts = urllib.parse.urlsplit(url if "://" in url else "http://" + url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput(f"{url!r} is no address of a service; give one like 'http://localhost:8080/'")
        self.url = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + "/", "", ""))
        is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if token is not None and parts.scheme == "http" and not is_here:
            warnings.warn(
                f"the token travels to {parts.hostname} unencrypted (whoever is between can read it); use https, or a tunnel",
                PlumecastWarning,
                stacklevel=3,
            )
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._timeout = timeout
        # Straight to a service of this machine, whatever proxy the environment names.
        handlers: list[Any] = [urllib.request.ProxyHandler({})] if is_here else []
        if ca_file is not None:
            try:
                context = ssl.create_default_context(cafile=os.fspath(ca_file))
            except (OSError, ssl.SSLError) as error:
                raise IoError(f"{ca_file} cannot be read as certificates ({error}); give a file in PEM") from error
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self._opener = urllib.request.build_opener(_NoRedirects, *handlers)

    def ask(
        self, path: str, body: bytes | None = None, accept: str = "application/json", kind: str = _HDF5, method: str | None = None
    ) -> bytes:
        with self.opened(path, body, accept, kind, method) as answer:
            try:
                return bytes(answer.read())
            except (OSError, http.client.HTTPException) as error:
                raise self._silence(error) from error

    def opened(self, path: str, body: bytes | None, accept: str, kind: str = _HDF5, method: str | None = None) -> Any:
        headers = self._headers | {"Accept": accept} | ({} if body is None else {"Content-Type": kind})
        request = urllib.request.Request(self.url + path.lstrip("/"), body, headers, method=method)
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as refusal:
            raise _error_of(self.url, refusal.code, refusal.read()) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._silence(error) from error

    def _silence(self, error: Exception) -> IoError:
        why = getattr(error, "reason", None) or error
        return IoError(f"{self.url} does not answer ({why}); start 'plumecast serve' there, or correct the address")

    def progress(self, url: str) -> Iterable[Mapping[str, Any]]:
        """How far an ensemble is, until it has ended; goes on where a stream of events breaks off."""
        while True:
            with contextlib.suppress(IoError, OSError, http.client.HTTPException):  # broken off, or too many streams
                with self.opened(f"{url}/events", None, "text/event-stream") as events:
                    for line in events:
                        if line.startswith(b"data: ") and line.endswith(b"\n"):  # a whole one
                            told = json.loads(line[6:])
                            yield told
                            if told["state"] not in ("waiting", "running"):
                                return
            told = json.loads(self.ask(url))  # raises where the service is gone
            yield told
            if told["state"] not in ("waiting", "running"):
                return
            time.sleep(0.5)


def _error_of(url: str, status: int, body: bytes) -> Error:
    try:
        detail = str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return IoError(f"{url} answers with {status} and no reason (it may be no 'plumecast serve'); correct the address")
    if status in (429, 503):
        return IoError(detail)
    return InternalError(detail) if status >= 500 else InvalidInput(detail)


def _arrays_of(answer: bytes) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, Any]]:
    """Arrays of a safetensors answer (https://github.com/huggingface/safetensors#format), and the JSON in its header."""
    start = 8 + int.from_bytes(answer[:8], "little")
    head = json.loads(answer[8:start])
    told = json.loads(head.pop("__metadata__")["answer"])
    arrays = {}
    for name, entry in head.items():
        begin, end = entry["data_offsets"]
        arrays[name] = np.frombuffer(answer[start + begin : start + end], "<f4").reshape(entry["shape"]).copy()
    return arrays, told


class ServedModel:
    """A model of a service; `plumecast.connect` makes one."""

    def __init__(self, service: _Service, description: Mapping[str, Any]) -> None:
        self._service = service
        self._description = description
        self.inputs: Mapping[str, Quantity] = _by_name(description["inputs"])  #: what the model takes
        self.fields: Mapping[str, Quantity] = _by_name(description["fields"])  #: what it predicts

    @property
    def url(self) -> str:
        """Address of the service."""
        return self._service.url

    @property
    def name(self) -> str:
        """Its name there."""
        return str(self._description["name"])

    @property
    def title(self) -> str:
        return str(self._description["title"])

    @property
    def hash(self) -> str:
        """SHA-256 of the weights in hexadecimal digits."""
        return str(self._description["hash"])

    @property
    def description(self) -> Mapping[str, Any]:
        """Title, hash, inputs, fields, grid, times and card as the service tells them."""
        return self._description

    @property
    def grid(self) -> dict[str, Any]:
        """Edges [m] and times [day] of the training: `Cases(**model.grid, ...)` are predicted as they are."""
        stated = {**self._description["grid"], "times": self._description["times"]}
        return {name: np.array(axis, dtype=float) for name, axis in stated.items() if axis}

    def predict(
        self,
        cases: _AnyCases,
        fields: Iterable[str] | None = None,
        output: str | os.PathLike[str] | None = None,
        buildup_limit: float | None = None,
        strict: bool = False,
        uncertainty: bool = False,
    ) -> Fields | Path:
        """Fields of all cases as Model.predict() gives them, with a verdict for each; with `output` a result file.

        `uncertainty` adds the ends of the bands of the fields that the model is calibrated for. Raises InvalidInput for what the service refuses, IoError where it does not answer or has no room now; with
        `strict` InvalidData for a case that is bad.
        """
        return self._computed("predict", cases, fields, output, buildup_limit, strict, uncertainty)

    def estimate(
        self,
        cases: _AnyCases,
        fields: Iterable[str] | None = None,
        output: str | os.PathLike[str] | None = None,
        buildup_limit: float | None = None,
        strict: bool = False,
    ) -> Fields | Path:
        """The same by the reduced physics alone."""
        return self._computed("estimate", cases, fields, output, buildup_limit, strict)

    def ensemble(
        self,
        case: Mapping[str, Any],
        ranges: Mapping[str, Mapping[str, Any]] | None = None,
        number: int = 100,
        seed: int = 0,
        progress: Progress | None = None,
        **how: Any,
    ) -> ServedEnsemble:
        """Realizations of a case that are drawn from ranges and predicted there.

        `case` has the entries of a case of a request, `ranges` by input where it is drawn: `{"porosity": {"from": 0.1, "to":
        0.3}}`; `how` takes what else /v1/ensembles takes (docs/serve.md): method, heterogeneity, limits, measure, times,
        grid, buildup_limit. Waits until it is done and tells `progress(done, number)` meanwhile; what ends the wait, such as
        Ctrl-C, cancels it. Raises InvalidInput for what the service refuses and for an ensemble of which no realization
        could be computed, IoError where it does not answer or has no room now.
        """
        given = {"model": self.name, "case": case, "ranges": ranges or {}, "number": number, "seed": seed, **how}
        try:
            body = json.dumps(given, default=_plain_number).encode()
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"the ensemble cannot be written as JSON ({error}); give numbers, lists and names") from error
        url = str(json.loads(self._service.ask("v1/ensembles", body, kind=_JSON))["url"])
        try:
            for told in self._service.progress(url):
                if progress is not None:
                    progress(int(told["done"]), int(told["number"]))
        except BaseException:
            with contextlib.suppress(Error):
                self._service.ask(url, method="DELETE")
            raise
        answer = json.loads(self._service.ask(url))
        if answer["state"] != "done":
            raise InvalidInput(f"the ensemble is {answer['state']}: {answer.get('problem', 'somebody ended it')}")
        return ServedEnsemble(answer, self._service.ask)

    def _computed(
        self,
        way: str,
        cases: _AnyCases,
        fields: Iterable[str] | None,
        output: str | os.PathLike[str] | None,
        buildup_limit: float | None,
        strict: bool,
        uncertainty: bool = False,
    ) -> Fields | Path:
        given = cases_of(cases)
        query = {"model": self.name}
        if uncertainty:
            query["uncertainty"] = "true"
        if fields is not None:
            query["fields"] = fields if isinstance(fields, str) else ",".join(fields)
        if buildup_limit is not None:
            query["buildup_limit"] = repr(float(buildup_limit))
        path = f"v1/{way}?{urllib.parse.urlencode(query)}"
        if output is not None:
            if fields is not None or strict:
                raise InvalidInput("output is given with fields or strict (a result file has all fields); give one")
            answer = self._service.ask(path, _file_of(given), _HDF5)
            target = Path(output)
            with tempfile.TemporaryDirectory(dir=target.absolute().parent) as folder:
                beside = Path(folder) / "fields.h5"
                beside.write_bytes(answer)
                beside.replace(target)
            return target
        arrays, told = _arrays_of(self._service.ask(path, _file_of(given), _SAFETENSORS))
        verdicts = [
            CaseVerdict(case, one["verdict"], "; ".join(one["reasons"])) for case, one in enumerate(told["cases"])
        ]
        bad = [verdict for verdict in verdicts if verdict.trust == "bad"]
        if strict and bad:
            raise InvalidData(f"case {bad[0].case} is bad ({bad[0].reasons}); correct it, or leave strict out")
        return Fields(arrays, given, {**_unknown_to_models(arrays), **self.fields}, {"title": told["computed_by"], "hash": self.hash if way == "predict" else ""}, verdicts)

    def __repr__(self) -> str:
        return "\n\n".join(
            [
                f"plumecast.connect({self.url!r}, {self.name!r}): {self.title}",
                as_text("takes", self.inputs.values()),
                as_text("predicts", self.fields.values()),
            ]
        )


def _plain_number(value: Any) -> Any:
    """NumPy's numbers and arrays as JSON has them."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is neither a number nor a list")


def _by_name(entries: Iterable[Mapping[str, Any]]) -> dict[str, Quantity]:
    return {str(entry["name"]): _quantity_of(entry) for entry in entries}


def _quantity_of(entry: Mapping[str, Any]) -> Quantity:
    trained = entry.get("trained")
    return Quantity(
        entry["name"],
        entry["unit"],
        tuple(entry["axes"].split(",")),
        entry["long_name"],
        entry.get("required", True),
        entry["low"],
        entry["high"],
        None if trained is None else (trained["min"], trained["max"]),
    )


def _unknown_to_models(arrays: Mapping[str, Any]) -> dict[str, Quantity]:
    """What the physics computes and the model may not predict."""
    axes = ("N", "T", "Z", "R")
    return {
        name: Quantity(name, unit_of(name.removesuffix("_low").removesuffix("_high")), axes, name.replace("_", " "), True, -np.inf, np.inf, None)
        for name in arrays
    }


def _file_of(cases: Cases) -> bytes:
    """Cases as the bytes of a data set file."""
    if cases.path is not None:
        return Path(cases.path).read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.h5"
        cases.save(path)
        return path.read_bytes()
