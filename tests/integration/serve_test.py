"""Starts `plumecast serve` and asks it as clients do: over sockets, well and badly."""

import contextlib
import gzip
import http.client
import io
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse
import warnings
import zipfile
from pathlib import Path
from random import Random

from cli_test_case import OK, PLUMECAST, SYSTEM, USAGE, CliTestCase

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "radial-co2-fast"
CASE = {"injection_rate": 1.0, "initial_pressure": 150.0, "temperature": 60.0, "irreducible_water_saturation": 0.2,
        "van_genuchten_lambda": 0.5, "thickness": 100.0, "permeability_r": 100.0, "permeability_z": 10.0, "porosity": 0.2,
        "perforation": {"top": 50.0, "bottom": 100.0}}


ENSEMBLE = {"case": CASE, "ranges": {"porosity": {"from": 0.1, "to": 0.3}, "permeability": {"from": 0.5, "to": 2.0, "law": "log_uniform", "as": "multiplier"}},
            "number": 5, "seed": 7, "times": [100, 3000], "limits": {"max_buildup": 20.0},
            "measure": {"top_depth": 1500, "pressure_front": 2.0, "fracture_gradient": 0.16}}


def without_bands(folder):
    """A copy of the model that is not calibrated for bands and intervals."""
    copy = folder / "uncalibrated"
    shutil.copytree(MODEL, copy)
    model = json.loads((copy / "model.json").read_text())
    for name in ("figure_bands", "field_bands"):
        del model["training"]["trust"][name]
    (copy / "model.json").write_text(json.dumps(model))
    return copy


class Served:
    """A service on a port of its own until the end of a `with`; `launcher` is a command that starts it."""

    def __init__(self, folder, *arguments, launcher=(), temporary=None):
        self.log = open(folder / "access.log", "w+")
        self.process = subprocess.Popen([*launcher, PLUMECAST, "serve", str(MODEL), "--port", "0", *map(str, arguments)],
                                        cwd=folder, text=True, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.PIPE,
                                        env=os.environ | {"TMPDIR": str(temporary or folder)})
        line, self.told = "", []
        while "serving" not in line:
            line = self.process.stderr.readline()
            self.told.append(line)
            if not line:
                raise AssertionError("the service did not start")
        self.port = int(re.search(r":(\d+)/", line)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        self.log.close()

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, dict):
            body = json.dumps(body)
            given.setdefault("Content-Type", "application/json")
        connection.request(method, path, body, given)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.getheader("Content-Type"), content

    def finished_ensemble(self, body, wait=120):
        """An ensemble that has ended, as GET answers it; its events are read until then."""
        status, _, content = self.ask("POST", "/v1/ensembles", body)
        if status != 202:
            raise AssertionError(content)
        url = json.loads(content)["url"]
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            connection.sendall(f"GET {url}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            self.events = b""
            while part := connection.recv(65536):
                self.events += part
        return json.loads(self.ask("GET", url)[2])

    def raw(self, data, wait=20):
        """What comes back for bytes that need be no request."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            answer = b""
            try:
                connection.sendall(data)
                with contextlib.suppress(OSError):  # of a service that has hung up
                    connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65536):
                    answer += part
            except ConnectionError:
                pass
            return answer


def mismatch(value, schema, components, at=""):
    """The first place where a value is not as a schema says, of those keywords that openapi.json uses; empty for none."""
    if "$ref" in schema:
        schema = components[schema["$ref"].rsplit("/", 1)[1]]
    kinds = schema.get("type", [])
    python = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, python[kind]) for kind in kinds):
        return f"{at} is no {kinds}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{at} is not among {schema['enum']}"
    if isinstance(value, list):
        return next(filter(None, (mismatch(one, schema.get("items", {}), components, f"{at}[{i}]") for i, one in enumerate(value))), "")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                return f"{at}.{name} is missing"
        for name, one in value.items():
            other = schema.get("additionalProperties", True)
            if name not in known and other is False:
                return f"{at}.{name} is not described"
            inner = known.get(name, other if isinstance(other, dict) else {})
            if found := mismatch(one, inner, components, f"{at}.{name}"):
                return found
    return ""


def reads_a_hundred_lines_at_most():
    """Whether the library of the service does, as cpp-httplib 0.41, which answers more lines before a body with 400."""
    header = Path("/usr/include/httplib.h")
    return header.exists() and "CPPHTTPLIB_HEADER_MAX_COUNT" in header.read_text(encoding="utf-8")


class ServeTest(CliTestCase):
    def test_answers_as_its_description_says(self):
        with Served(self.folder) as service:
            status, _, content = service.ask("GET", "/openapi.json")
            self.assertEqual(status, 200)
            description = json.loads(content)
            components = description["components"]["schemas"]
            body = {"cases": [CASE, {**CASE, "injection_rate": 1.5}], "fields": ["gas_saturation"], "times": [100, 3000],
                    "measure": {"top_depth": 1500, "drinking_water": {"depth": 300, "brine_density": 1080}, "fracture_gradient": 0.16}}
            identity = service.finished_ensemble(ENSEMBLE)["id"]
            for path, methods in sorted(description["paths"].items(), key=lambda entry: "delete" in entry[1]):
                for method, operation in methods.items():
                    given = ENSEMBLE if path == "/v1/ensembles" else body if method == "post" else None
                    status, kind, content = service.ask(method.upper(), path.format(id=identity, k=1), given)
                    with self.subTest(path):
                        self.assertIn(str(status), operation["responses"], content[:300])
                        self.assertLess(status, 300, content[:300])
                        described = operation["responses"][str(status)].get("content", {None: None})
                        self.assertIn(kind and kind.split(";")[0], described)
                        if kind == "application/json":
                            self.assertEqual(mismatch(json.loads(content), described[kind]["schema"], components), "")
            status, kind, content = service.ask("POST", "/v1/predict", {"cases": [{**CASE, "porosity": "much"}]})
            self.assertEqual((status, kind), (400, "application/problem+json"))
            problem = json.loads(content)
            self.assertEqual(mismatch(problem, components["Problem"], components), "")
            self.assertEqual(problem["field"], "cases[0].porosity")

    def test_packs_answers_for_clients_that_read_gzip_and_no_others(self):
        body = json.dumps({"cases": [CASE], "fields": ["gas_saturation"]})
        with Served(self.folder) as service:
            found = {}
            for accepted in ("br", "identity", "gzip, deflate, br", "gzip;q=0"):
                connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
                connection.request("POST", "/v1/predict", body, {"Content-Type": "application/json", "Accept-Encoding": accepted})
                response = connection.getresponse()
                found[accepted] = response.read()
                is_packed = accepted.startswith("gzip, ")
                self.assertEqual(response.getheader("Content-Encoding"), "gzip" if is_packed else None, accepted)
                self.assertEqual(response.getheader("Vary"), "Accept-Encoding", accepted)
                self.assertEqual(int(response.getheader("Content-Length")), len(found[accepted]))
                connection.close()
            plain, packed = found["identity"], found["gzip, deflate, br"]
            self.assertLess(len(packed), len(plain) / 2)
            texts = [plain, gzip.decompress(packed), found["br"], found["gzip;q=0"]]
            self.assertEqual([json.loads(text)["cases"] for text in texts], 4 * [json.loads(plain)["cases"]])

    def test_predicts_what_the_command_line_predicts(self):
        import h5py
        with Served(self.folder) as service:
            status, _, content = service.ask("POST", "/v1/predict", {"cases": [CASE]}, Accept="application/x-hdf5")
        self.assertEqual(status, 200)
        (self.folder / "served.h5").write_bytes(content)
        with h5py.File(self.folder / "served.h5") as served, h5py.File(self.folder / "cases.h5", "w") as cases:
            cases.attrs.update({name: served.attrs[name] for name in ("format", "format_version")})
            for group in ("grid", "inputs"):
                served.copy(group, cases)
        self.succeed("predict", MODEL, "cases.h5", "-o", "predicted.h5")
        with h5py.File(self.folder / "served.h5") as served, h5py.File(self.folder / "predicted.h5") as predicted:
            for name in ("gas_saturation", "pressure_buildup"):
                self.assertEqual(served[f"outputs/{name}"][:].tobytes(), predicted[f"outputs/{name}"][:].tobytes())

    def test_computes_ensembles_and_tells_how_far_they_are(self):
        with Served(self.folder) as service:
            found = service.finished_ensemble(ENSEMBLE)
            self.assertEqual((found["state"], found["done"]), ("done", 5))
            head, _, events = service.events.partition(b"\r\n\r\n")
            self.assertIn(b"text/event-stream", head)
            told = [dict(line.split(": ", 1) for line in event.splitlines()) for event in events.decode().strip().split("\n\n")]
            self.assertEqual(told[-1]["event"], "done")
            self.assertEqual(json.loads(told[-1]["data"]), {"done": 5, "number": 5, "state": "done"})
            figures = {figure["name"]: figure for figure in found["figures"]}
            buildup = figures["max_buildup"]
            self.assertLessEqual(buildup["p90_low"], buildup["p50_middle"])
            self.assertLessEqual(buildup["p50_middle"], buildup["p10_high"])
            self.assertIn("review_radius", figures)
            above = next(one for one in found["exceedances"] if one["limit"] == "max_buildup")
            self.assertEqual(above["cases_above"], sum(value > 20.0 for value in buildup["values"]))
            self.assertEqual(service.finished_ensemble(ENSEMBLE)["figures"], found["figures"])
            _, _, content = service.ask("GET", found["url"] + "/cases/2")
            scenario = json.loads(content)
            self.assertEqual(scenario["cases"][0]["porosity"], found["inputs"][0]["values"][2])
            answer = json.loads(service.ask("POST", "/v1/predict", scenario)[2])
            self.assertAlmostEqual(answer["cases"][0]["summary"]["max_buildup"]["value"], buildup["values"][2], places=3)
            _, kind, content = service.ask("GET", found["url"] + "/data")
            self.assertEqual(kind, "application/x-hdf5")
            (self.folder / "draws.h5").write_bytes(content)
        self.succeed("predict", MODEL, "draws.h5", "-o", "drawn.h5")
        self.succeed("report", "drawn.h5", "-o", "report", "--top-depth", "1500", "--front", "2", "--fracture-gradient", "0.16")
        report = json.loads((self.folder / "report" / "report.json").read_text())
        for name, figure in figures.items():
            for value, case in zip(figure["values"], report["cases"], strict=True):
                known = case["key_figures"][name]
                self.assertAlmostEqual(value, known, delta=1e-3 * abs(known) + 1e-4, msg=name)

    def test_does_not_let_ensembles_hold_requests_up(self):
        many = {**ENSEMBLE, "number": 1000}
        with Served(self.folder, "--max-concurrent", "1") as service:
            url = json.loads(service.ask("POST", "/v1/ensembles", many)[2])["url"]
            while json.loads(service.ask("GET", url)[2])["done"] == 0:
                time.sleep(0.01)
            begin = time.monotonic()
            self.assertEqual(service.ask("POST", "/v1/predict", {"cases": [CASE]})[0], 200)
            self.assertLess(time.monotonic() - begin, 20)
            self.assertEqual(json.loads(service.ask("DELETE", url)[2])["state"], "cancelled")
            self.assertEqual(service.ask("DELETE", url)[0], 204)
            self.assertEqual(service.ask("GET", url)[0], 404)

    def test_answers_beside_an_ensemble_though_nobody_may_wait(self):
        with Served(self.folder, "--max-concurrent", "1", "--max-waiting", "0") as service:
            url = json.loads(service.ask("POST", "/v1/ensembles", {**ENSEMBLE, "number": 1000})[2])["url"]
            for _ in range(10):
                self.assertEqual(service.ask("POST", "/v1/predict", {"cases": [CASE], "times": [100]})[0], 200)
                self.assertEqual(service.ask("GET", url + "/cases/3")[0], 200)
            self.assertEqual(json.loads(service.ask("GET", url)[2])["state"], "running")

    def test_ends_with_an_ensemble_that_runs(self):
        with Served(self.folder) as service:
            url = json.loads(service.ask("POST", "/v1/ensembles", {**ENSEMBLE, "number": 1000})[2])["url"]
            with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
                connection.sendall(f"GET {url}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                told = connection.recv(65536)
                service.process.send_signal(signal.SIGTERM)
                while part := connection.recv(65536):
                    told += part
            self.assertIn(b"event: cancelled", told)
            self.assertEqual(service.process.wait(60), OK)

    def test_keeps_no_more_ensembles_than_it_may(self):
        many = {**ENSEMBLE, "number": 1000}
        with Served(self.folder, "--max-ensembles", "1", "--max-realizations", "1000") as service:
            url = json.loads(service.ask("POST", "/v1/ensembles", many)[2])["url"]
            status, kind, _ = service.ask("POST", "/v1/ensembles", many)
            self.assertEqual((status, kind), (429, "application/problem+json"))
            self.assertEqual(service.ask("POST", "/v1/ensembles", {**many, "number": 1001})[0], 413)
            service.ask("DELETE", url)
            self.assertEqual(service.ask("POST", "/v1/ensembles", {**many, "number": 2})[0], 202)

    def upload(self, service, way, data, query="", **headers):
        return service.ask("POST", f"/v1/{way}{query}", data, **{"Content-Type": "application/x-hdf5"} | headers)

    def test_answers_an_uploaded_data_set_as_the_command_line_does(self):
        try:
            import h5py
            import numpy
        except ImportError:
            self.skipTest("h5py is not here")
        sample = ROOT / "data" / "radial_sample.h5"
        self.succeed("predict", MODEL, sample, "-o", "predicted.h5")
        self.succeed("estimate", sample, "-o", "estimated.h5")
        with Served(self.folder) as service:
            for way, known in (("predict", "predicted.h5"), ("estimate", "estimated.h5")):
                status, kind, content = self.upload(service, way, sample.read_bytes(), Accept="application/x-hdf5")
                self.assertEqual((status, kind), (200, "application/x-hdf5"), content[:300])
                (self.folder / "served.h5").write_bytes(content)
                status, kind, content = self.upload(service, way, sample.read_bytes(), "?fields=gas_saturation,pressure_buildup",
                                                    Accept="application/x-safetensors")
                self.assertEqual((status, kind), (200, "application/x-safetensors"), content[:300])
                size = int.from_bytes(content[:8], "little")
                head = json.loads(content[8:8 + size])
                answer = json.loads(head.pop("__metadata__")["answer"])
                self.assertEqual(set(head), {"gas_saturation", "pressure_buildup"})
                with h5py.File(self.folder / "served.h5") as served, h5py.File(self.folder / known) as expected:
                    for name in expected["outputs"]:
                        self.assertEqual(served["outputs"][name][:].tobytes(), expected["outputs"][name][:].tobytes(), (way, name))
                    for name in set(expected["inputs"]) | set(served["inputs"]):
                        self.assertEqual(served["inputs"][name][:].tobytes(), expected["inputs"][name][:].tobytes(), name)
                    for name, entry in head.items():
                        begin, end = (8 + size + place for place in entry["data_offsets"])
                        values = numpy.frombuffer(content[begin:end], numpy.float32).reshape(entry["shape"])
                        active = expected["inputs/active"][:][:, None] != 0
                        there = numpy.where(active, expected["outputs"][name][:], numpy.nan)
                        numpy.testing.assert_array_equal(values, there)
                    self.assertEqual([one["verdict"] for one in answer["cases"]],
                                     [["good", "doubtful", "bad"][int(trust)] for trust in expected["case/trust"][:]])
        self.assertEqual(list(self.folder.glob("plumecast-serve-*")), [])

    def test_draws_maps_of_an_uploaded_data_set(self):
        sample = (ROOT / "data" / "radial_sample.h5").read_bytes()

        def map_of(way, query="", **picture):
            query += urllib.parse.urlencode({"picture": json.dumps(picture)} if picture else {})
            status, kind, content = self.upload(service, way, sample, f"?{query}", Accept="image/png")
            if status == 406 and b"pictures" in content:
                self.skipTest("built without pictures")
            self.assertEqual((status, kind, content[:4]), (200, "image/png", b"\x89PNG"), content[:300])
            return content

        with Served(self.folder) as service:
            for way in ("predict", "estimate"):
                gas = map_of(way)
                self.assertNotEqual(map_of(way, field="pressure_buildup"), gas)
                self.assertNotEqual(map_of(way, time=30.0), gas)
                self.assertEqual(map_of(way, "cases=3,4&", case=1), map_of(way, case=4))

    def test_writes_nowhere_but_in_its_temporary_folder(self):
        (self.folder / "tmp").mkdir()
        # A view of the system of its own, in which all but that folder can only be read.
        cage = 'mount --bind . . && cd "$PWD" && mount -t tmpfs tmpfs tmp && mount -o remount,bind,ro . && mount -o remount,bind,ro / && exec "$@"'
        launcher = ["unshare", "--map-root-user", "--mount", "sh", "-c", cage, "sh"]
        if not shutil.which("unshare") or subprocess.run([*launcher, "true"], cwd=self.folder, capture_output=True).returncode != 0:
            self.skipTest("the system gives no view of its own here")
        for path, is_writable in (("x", False), ("/x", False), ("tmp/x", True)):
            tried = subprocess.run([*launcher, "touch", path], cwd=self.folder, capture_output=True)
            self.assertEqual(tried.returncode == 0, is_writable, path)
        with Served(self.folder, launcher=launcher, temporary=self.folder / "tmp") as service:
            for kind in ("application/json", "application/x-hdf5", "application/x-safetensors", "application/zip"):
                self.assertEqual(service.ask("POST", "/v1/predict", {"cases": [CASE]}, Accept=kind)[:2], (200, kind))
                self.assertEqual(self.upload(service, "estimate", (ROOT / "data" / "radial_sample.h5").read_bytes(), "?cases=0", Accept=kind)[:2], (200, kind))
            self.assertEqual(service.finished_ensemble(ENSEMBLE)["state"], "done")
            service.process.send_signal(signal.SIGTERM)
            self.assertEqual(service.process.wait(60), OK)

    def test_leaves_nothing_of_an_upload_whose_client_left(self):
        sample = (ROOT / "data" / "radial_sample.h5").read_bytes()
        head = (f"POST /v1/estimate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-hdf5\r\nAccept: application/x-hdf5\r\n"
                f"Content-Length: {len(sample)}\r\n\r\n").encode()
        with Served(self.folder) as service:
            with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
                connection.sendall(head + sample)
                end = time.monotonic() + 30
                while not list(self.folder.glob("plumecast-serve-*/plumecast-serve-*")) and time.monotonic() < end:
                    time.sleep(0.005)
            while list(self.folder.glob("plumecast-serve-*")) and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(list(self.folder.glob("plumecast-serve-*")), [])
            self.assertEqual(self.upload(service, "predict", sample)[0], 200)

    def test_is_not_harmed_by_uploads(self):
        sample = bytearray((ROOT / "data" / "radial_sample.h5").read_bytes())
        with Served(self.folder, without_bands(self.folder), "--max-cases", "8") as service:
            for way, data, query, headers, wanted, says in (
                    ("predict", sample[:100000], "", {}, 400, "uploaded file: cannot be opened as HDF5 (truncated"),
                    ("predict", b"{}", "", {}, 400, "uploaded file"),
                    ("predict", sample, "?buildup_limit=inf", {}, 400, "no number above 0"),
                    ("predict", (ROOT / "data" / "box_sample.h5").read_bytes(), "", {}, 400, "Cartesian"),
                    ("predict", sample, "?modl=a", {}, 400, "takes model, fields, cases, buildup_limit, measure, picture and uncertainty"),
                    ("predict", sample, "?uncertainty=maybe", {}, 400, "neither true nor false"),
                    ("predict", sample, "?uncertainty=true&model=uncalibrated", {}, 400, "not calibrated for bands"),
                    ("predict", sample, "?cases=8", {}, 400, "has no case 8 (it has cases 0 to 7)"),
                    ("predict", sample, "?cases=1,x", {}, 400, "cases names 'x'"),
                    ("predict", sample, "?measure=%7B%22top_depht%22:1%7D", {}, 400, "did you mean 'top_depth'?"),
                    ("predict", sample, "?model=nobody", {}, 400, "there is no model 'nobody'"),
                    ("predict", sample, "?fields=gas_saturation,porosity", {}, 400, "porosity"),
                    ("predict", sample, "?buildup_limit=-1", {}, 400, "above 0"),
                    ("predict", sample, "?buildup_limit=1&buildup_limit=2", {}, 400, "more than once"),
                    ("predict", sample, "?cases=2,5&picture=%7B%22case%22:2%7D", {"Accept": "image/png"}, 400, "picture.case is 2 (the request has cases 0 to 1)"),
                    ("predict", sample, "?picture=%7B%22field%22:%22porosity%22%7D", {"Accept": "image/png"}, 400, "picture.field is 'porosity'"),
                    ("predict", sample, "", {"Accept": "text/html"}, 406, "application/x-safetensors")):
                with self.subTest(says):
                    status, kind, content = self.upload(service, way, bytes(data), query, **headers)
                    self.assertEqual((status, kind), (wanted, "application/problem+json"), content[:300])
                    self.assertIn(says, json.loads(content)["detail"])
                    self.assertNotIn("plumecast-serve-", json.loads(content)["detail"])
            random = Random(7)
            for _ in range(12):
                damaged = bytearray(sample)
                for _ in range(40):
                    damaged[random.randrange(20000)] = random.randrange(256)
                status, _, content = self.upload(service, "predict", bytes(damaged))
                self.assertIn(status, (200, 400, 413), content[:300])
            self.assertEqual(service.ask("GET", "/v1/health")[0], 200)
        with Served(self.folder, "--max-cases", "7") as service:
            status, _, content = self.upload(service, "predict", bytes(sample))
            self.assertEqual(status, 413)
            self.assertIn("asks for 8 cases", json.loads(content)["detail"])
            self.assertEqual(self.upload(service, "predict", bytes(sample), "?cases=0,7")[0], 200)

    def test_answers_for_cases_that_are_chosen_from_an_upload(self):
        sample = (ROOT / "data" / "radial_sample.h5").read_bytes()
        self.succeed("subset", ROOT / "data" / "radial_sample.h5", "--cases", "2", "--cases", "5", "-o", "chosen.h5")
        measure = urllib.parse.quote(json.dumps({"top_depth": 1500, "pressure_front": 2, "fracture_gradient": 0.16}))
        with Served(self.folder) as service:
            answers = [json.loads(self.upload(service, "predict", data, query)[2]) for data, query in (
                (sample, f"?cases=2,5&measure={measure}"), ((self.folder / "chosen.h5").read_bytes(), f"?measure={measure}"), (sample, ""))]
            chosen, alone, everything = answers
            self.assertEqual(chosen["data_set"], {"cases": 8, "numbers": [2, 5]})
            self.assertEqual(alone["data_set"], {"cases": 2, "numbers": [0, 1]})
            self.assertEqual(chosen["cases"], alone["cases"])
            for one, known in zip(chosen["cases"], (everything["cases"][which] for which in (2, 5)), strict=True):
                self.assertEqual(one["verdict"], known["verdict"])
                self.assertIn("review_radius", one["summary"])
                self.assertNotIn("review_radius", known["summary"])
            for way in ("predict", "estimate"):
                status, _, archive = self.upload(service, way, sample, "?cases=2,5", Accept="application/zip")
                self.assertEqual(status, 200, archive[:300])
                with zipfile.ZipFile(io.BytesIO(archive)) as files:
                    self.assertIsNone(files.testzip())
                    self.assertEqual(sorted(name for name in files.namelist() if name.endswith("EGRID")), ["eclipse/CASE_0000.EGRID", "eclipse/CASE_0001.EGRID"])
        self.assertEqual(list(self.folder.glob("plumecast-serve-*")), [])

    def test_gives_the_files_that_export_writes(self):
        body = {"cases": [CASE], "times": [365.25, 3652.5], "measure": {"top_depth": 1500}}
        with Served(self.folder) as service:
            _, _, result = service.ask("POST", "/v1/predict", body, Accept="application/x-hdf5")
            status, kind, archive = service.ask("POST", "/v1/predict", body, Accept="application/zip")
        self.assertEqual((status, kind), (200, "application/zip"), archive[:300])
        (self.folder / "fields.h5").write_bytes(result)
        self.succeed("export", "fields.h5", "-o", "exported", "--top-depth", "1500")
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            self.assertIsNone(files.testzip())
            for path in (self.folder / "exported").iterdir():
                if not path.name.startswith("."):
                    self.assertEqual(files.read(f"eclipse/{path.name}"), path.read_bytes(), path.name)
            self.assertIn("eclipse/CASE.UNRST", files.namelist())

    def test_tells_of_an_upload_that_ends_the_process_which_reads_it(self):
        sample = (ROOT / "data" / "radial_sample.h5").read_bytes()
        with Served(self.folder) as service:
            answers = []
            asking = threading.Thread(target=lambda: answers.append(self.upload(service, "estimate", sample)))
            asking.start()
            children = Path(f"/proc/{service.process.pid}/task")
            while asking.is_alive() and not answers:  # whatever kills it, here a signal
                with contextlib.suppress(ProcessLookupError, FileNotFoundError):
                    for child in " ".join(path.read_text() for path in children.glob("*/children")).split():
                        os.kill(int(child), signal.SIGSEGV)
                time.sleep(0.001)
            asking.join()
            status, _, content = answers[0]
            self.assertEqual(status, 400, content[:300])
            self.assertIn("ended the process that read it", json.loads(content)["detail"])
            self.assertEqual(self.upload(service, "predict", sample)[0], 200)

    def test_finishes_what_runs_and_ends_on_a_signal(self):
        for sent in (signal.SIGTERM, signal.SIGINT):
            with Served(self.folder, "--max-cases", "64") as service:
                answers = []
                body = {"cases": [CASE] * 32}
                asking = threading.Thread(target=lambda: answers.append(service.ask("POST", "/v1/estimate", body)))
                asking.start()
                while b"in_flight 2\n" not in service.ask("GET", "/metrics")[2] and not answers:
                    time.sleep(0.01)
                service.process.send_signal(sent)
                asking.join()
                self.assertEqual(service.process.wait(60), OK)
                self.assertEqual(answers[0][0], 200)
                self.assertEqual(len(json.loads(answers[0][2])["cases"]), 32)

    def test_ends_though_a_client_reads_nothing_of_its_answer(self):
        body = json.dumps({"cases": [CASE] * 48, "fields": ["gas_saturation", "pressure_buildup"]}).encode()
        with Served(self.folder, "--request-seconds", "60") as service, socket.socket() as silent:
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            silent.connect(("127.0.0.1", service.port))
            silent.sendall(b"POST /v1/estimate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
                           f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            while b"plumecast_cases_total 48\n" not in service.ask("GET", "/metrics")[2] or b"in_flight 1\n" not in service.ask("GET", "/metrics")[2]:
                time.sleep(0.05)
            service.log.seek(0)
            size = next(one["bytes"] for one in map(json.loads, service.log) if one["path"] == "/v1/estimate")
            self.assertGreater(size, 8 << 20)  # more than the system keeps for a client
            time.sleep(0.5)
            service.process.send_signal(signal.SIGTERM)
            self.assertEqual(service.process.wait(15), OK)

    def test_takes_no_more_lines_before_a_body_than_it_may(self):
        with Served(self.folder) as service:
            sent = [(90, 300, True), (60, 3000, False)]
            if not reads_a_hundred_lines_at_most():
                sent += [(300, 86, True), (2000, 86, False)]
            for count, size, is_answered in sent:
                lines = b"".join(b"X-%08d: %s\r\n" % (number, b"y" * size) for number in range(count))
                try:
                    answer = service.raw(b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n")
                except ConnectionError:
                    answer = b""
                self.assertTrue(answer.startswith(b"HTTP/1.1 200" if is_answered else b"HTTP/1.1 431 Request Header Fields Too Large"), answer[:200])
                if not is_answered:
                    self.assertIn("more than 65536 bytes", json.loads(answer.partition(b"\r\n\r\n")[2])["detail"])
            self.assertEqual(service.ask("GET", "/v1/health")[0], 200)

    def test_reads_a_long_url_and_refuses_a_longer_one(self):
        with Served(self.folder) as service:
            self.assertEqual(service.ask("GET", "/v1/health?" + "x" * (4096 - len("/v1/health?")))[0], 200)
            for size in (4097, 20000):  # beyond what the HTTP library reads too
                status, kind, content = service.ask("GET", "/v1/health?" + "x" * (size - len("/v1/health?")))
                self.assertEqual((status, kind), (414, "application/problem+json"), size)
                self.assertIn("longer than the 4096 bytes", json.loads(content)["detail"])

    def test_survives_malformed_requests(self):
        good = json.dumps({"cases": [CASE]}).encode()
        head = b"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        bad = [b"", b"\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 5000, b"GET / HTTP/9.9\r\n\r\n", b"FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n",
               b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n", b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
               b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 20000 + b"\r\n\r\n", head + b"Content-Length: -1\r\n\r\n" + good,
               head + b"Content-Length: 99999999999\r\n\r\n", head + b"Content-Length: 5\r\n\r\n" + good,
               head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + good, head + b"Content-Length: 8\r\n\r\n\xff\xfe{\"a\":1",
               head + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", head + b"Content-Length: 200000\r\n\r\n" + b"[" * 200000]
        for cut in range(0, len(good), 17):
            piece = good[:cut] + b"9" + good[cut + 3:]
            bad.append(head + f"Content-Length: {len(piece)}\r\n\r\n".encode() + piece)
        with Served(self.folder) as service:
            for data in bad:
                answer = service.raw(data)
                status = int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 400
                self.assertTrue(status in (200, 503) or 400 <= status < 500, (data[:80], answer[:200]))
            self.assertEqual(service.ask("GET", "/v1/health")[0], 200)

    def test_refuses_bodies_that_are_too_large(self):
        with Served(self.folder, "--max-body", "1") as service:
            for length in (1 << 31, 1 << 80):  # of which it reads nothing
                answer = service.raw(b"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % length)
                self.assertTrue(answer.startswith(b"HTTP/1.1 413 "), answer[:200])
            status, kind, content = service.ask("POST", "/v1/predict", b" " * (2 << 20), **{"Content-Type": "application/json"})
            self.assertEqual((status, kind), (413, "application/problem+json"))
            self.assertIn("larger than this service takes", json.loads(content)["detail"])
            self.assertEqual(service.ask("POST", "/v1/predict", {"cases": [CASE] * 65})[0], 413)

    def test_ends_requests_that_trickle_in(self):
        with Served(self.folder, "--request-seconds", "1") as service:
            with socket.create_connection(("127.0.0.1", service.port), timeout=30) as slow:
                begin = time.monotonic()
                try:
                    slow.sendall(b"GET /v1/health HTTP/1.1\r\n")
                    while time.monotonic() - begin < 20:
                        slow.sendall(b"X")
                        time.sleep(0.2)
                except ConnectionError:
                    pass
                self.assertLess(time.monotonic() - begin, 10)
            self.assertEqual(service.ask("GET", "/v1/health")[0], 200)

    def test_lets_no_crowd_of_slow_clients_hold_others_up(self):
        with Served(self.folder, "--request-seconds", "60", "--max-waiting", "4") as service, contextlib.ExitStack() as crowd:
            for _ in range(100):  # more than there are threads
                slow = crowd.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=30))
                slow.sendall(b"GET /v1/health HTTP/1.1\r\n")
            begin = time.monotonic()
            self.assertEqual(service.ask("GET", "/v1/health")[0], 200)
            self.assertLess(time.monotonic() - begin, 20)

    def certificate(self):
        """Options that encrypt, with a certificate of this test alone; skips where nothing can."""
        if not shutil.which("openssl"):
            self.skipTest("openssl is not here")
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                               "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem", "-out", "chain.pem"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        (self.folder / "wrong.pem").write_text("nothing")
        told = self.run_cli("serve", MODEL, "--port", 0, "--tls-certificate", "wrong.pem", "--tls-key", "key.pem")
        if "has no TLS" in told.stderr:
            self.assertIn("-DPLUMECAST_TLS=ON", told.stderr)
            self.skipTest("this build has no TLS")
        self.assertEqual(told.returncode, USAGE, told.stderr)
        self.assertIn("wrong.pem: holds no certificate", told.stderr)
        return "--tls-certificate", "chain.pem", "--tls-key", "key.pem"

    def test_encrypts_with_a_certificate(self):
        options = self.certificate()
        trusting = ssl.create_default_context(cafile=self.folder / "chain.pem")
        with Served(self.folder, *options, "--request-seconds", "2") as service:
            connection = http.client.HTTPSConnection("localhost", service.port, context=trusting, timeout=60)
            connection.request("POST", "/v1/predict", json.dumps({"cases": [CASE], "fields": ["gas_saturation"]}), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            self.assertEqual(answer.status, 200)
            self.assertEqual(len(json.loads(answer.read())["fields"]["gas_saturation"]), 1)
            connection.close()
            with self.assertRaises(ssl.SSLError):
                http.client.HTTPSConnection("localhost", service.port, context=ssl.create_default_context(), timeout=10).request("GET", "/v1/health")
            old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                old.maximum_version = ssl.TLSVersion.TLSv1_1
            with self.assertRaises((ssl.SSLError, OSError)):
                http.client.HTTPSConnection("localhost", service.port, context=old, timeout=10).request("GET", "/v1/health")
            self.assertEqual(service.raw(b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")[:5].count(b"HTTP"), 0)
            with socket.create_connection(("localhost", service.port), timeout=30) as silent:  # no handshake
                begin = time.monotonic()
                self.assertEqual(silent.recv(10), b"")
                self.assertLess(time.monotonic() - begin, 20)
            url = None
            with self.encrypted(service, trusting) as stream:
                body = json.dumps(ENSEMBLE).encode()
                stream.sendall(b"POST /v1/ensembles HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
                               f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
                url = re.search(rb"Location: (\S+)", self.all_of(stream))[1].decode()
            with self.encrypted(service, trusting) as stream:
                stream.sendall(f"GET {url}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                self.assertIn(b"event: done", self.all_of(stream))

    @staticmethod
    def encrypted(service, context):
        return context.wrap_socket(socket.create_connection(("localhost", service.port), timeout=60), server_hostname="localhost")

    @staticmethod
    def all_of(stream):
        data = b""
        while part := stream.recv(65536):
            data += part
        return data

    def test_asks_nobody_for_the_password_of_a_key(self):
        self.certificate()
        locked = subprocess.run(["openssl", "pkey", "-in", "key.pem", "-aes256", "-passout", "pass:secret", "-out", "locked.pem"],
                                cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(locked.returncode, 0, locked.stderr)
        told = subprocess.run([PLUMECAST, "serve", str(MODEL), "--port", "0", "--tls-certificate", "chain.pem", "--tls-key", "locked.pem"],
                              cwd=self.folder, input="secret\n", capture_output=True, text=True, timeout=60)
        self.assertEqual(told.returncode, USAGE, told.stderr)
        self.assertIn("locked.pem: holds no key that can be used", told.stderr)
        self.assertIn("without a password", told.stderr)

    def test_says_how_its_token_travels(self):
        (self.folder / "token").write_text("a-token-of-this-test\n")
        with Served(self.folder, "--host", "0.0.0.0", "--token-file", "token") as service:
            self.assertTrue(any("unencrypted" in line for line in service.told), service.told)
        options = self.certificate()
        with Served(self.folder, "--host", "0.0.0.0", "--token-file", "token", *options) as service:
            self.assertFalse(any("unencrypted" in line for line in service.told), service.told)
            self.assertIn("https://", service.told[-1])

    def test_asks_for_the_token_of_its_file(self):
        token = self.folder / "token"
        token.write_text("a-token-of-this-test\n")
        with Served(self.folder, "--token-file", token) as service:
            self.assertEqual(service.ask("GET", "/v1/models")[0], 401)
            self.assertEqual(service.ask("GET", "/v1/models", Authorization="Bearer wrong")[0], 401)
            self.assertEqual(service.ask("GET", "/v1/models", Authorization="Bearer a-token-of-this-test")[0], 200)
            self.assertEqual(service.ask("GET", "/v1/health", Host="plumes.example")[0], 200)

    def test_logs_each_answer_as_a_line_of_json(self):
        with Served(self.folder) as service:
            service.ask("GET", "/v1/health")
            service.ask("GET", "/nothing%0a")
            service.process.send_signal(signal.SIGTERM)
            service.process.wait(60)
            lines = [json.loads(line) for line in (self.folder / "access.log").read_text().splitlines()]
        self.assertEqual([line["status"] for line in lines], [200, 404])
        self.assertEqual(lines[0]["remote"], "127.0.0.1")

    def test_says_why_it_cannot_start(self):
        with Served(self.folder) as service:
            self.refuse(SYSTEM, "serve", MODEL, "--port", service.port, says=[f"127.0.0.1:{service.port}", "choose another port"])
        self.refuse(4, "serve", "missing-model", "--port", 0, says=["missing-model", "check the path"])
        self.refuse(USAGE, "serve", MODEL, "--host", "0.0.0.0", "--port", 0, says=["--host 0.0.0.0", "--token-file"])
        self.refuse(SYSTEM, "serve", MODEL, "--token-file", "nowhere", says=["nowhere"])
        for option in ("--ensemble-seconds", "--request-seconds", "--max-seconds"):
            self.refuse(USAGE, "serve", MODEL, option, "1e10", says=[option, "not between 0.001 and 1e+08"])
        (self.folder / "short").write_text("secret\n")
        self.refuse(USAGE, "serve", MODEL, "--token-file", "short", says=["short: holds no token", "openssl rand"])

    def test_runs_the_examples_of_its_page_of_documentation(self):
        text = (ROOT / "docs" / "serve.md").read_text()
        examples = re.findall(r"```bash\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(examples), 4)
        with Served(self.folder) as service:
            for example in examples:
                script = example.replace("localhost:8080", f"localhost:{service.port}")
                result = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, text=True, timeout=120,
                                        capture_output=True, env={**os.environ, "no_proxy": "*"})
                self.assertEqual(result.returncode, 0, example + result.stdout[-500:] + result.stderr)
        for name in ("plume.png", "uploaded.png"):
            self.assertEqual((self.folder / name).read_bytes()[:4], b"\x89PNG")
        self.assertEqual((self.folder / "plume.h5").read_bytes()[1:4], b"HDF")
