"""Starts `plumecast serve` and asks it as clients do: over sockets, well and badly."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from random import Random

from cli_test_case import OK, PLUMECAST, SYSTEM, USAGE, CliTestCase

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "radial-co2-fast"
CASE = {"injection_rate": 1.0, "initial_pressure": 150.0, "temperature": 60.0, "irreducible_water_saturation": 0.2,
        "van_genuchten_lambda": 0.5, "thickness": 100.0, "permeability_r": 100.0, "permeability_z": 10.0, "porosity": 0.2,
        "perforation": {"top": 50.0, "bottom": 100.0}}


class Served:
    """A service on a port of its own until the end of a `with`."""

    def __init__(self, folder, *arguments):
        self.log = open(folder / "access.log", "w+")
        self.process = subprocess.Popen([PLUMECAST, "serve", str(MODEL), "--port", "0", *map(str, arguments)],
                                        cwd=folder, text=True, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.PIPE,
                                        env=os.environ | {"TMPDIR": str(folder)})
        line = ""
        while "serving" not in line:
            line = self.process.stderr.readline()
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

    def raw(self, data, wait=20):
        """What comes back for bytes that need be no request."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            answer = b""
            try:
                connection.sendall(data)
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


class ServeTest(CliTestCase):
    def test_answers_as_its_description_says(self):
        with Served(self.folder) as service:
            status, _, content = service.ask("GET", "/openapi.json")
            self.assertEqual(status, 200)
            description = json.loads(content)
            components = description["components"]["schemas"]
            body = {"cases": [CASE, {**CASE, "injection_rate": 1.5}], "fields": ["gas_saturation"], "times": [100, 3000]}
            for path, methods in description["paths"].items():
                for method, operation in methods.items():
                    status, kind, content = service.ask(method.upper(), path, body if method == "post" else None)
                    with self.subTest(path):
                        self.assertEqual(status, 200, content[:300])
                        described = operation["responses"]["200"]["content"]
                        self.assertIn(kind.split(";")[0], described)
                        if kind == "application/json":
                            self.assertEqual(mismatch(json.loads(content), described[kind]["schema"], components), "")
            status, kind, content = service.ask("POST", "/v1/predict", {"cases": [{**CASE, "porosity": "much"}]})
            self.assertEqual((status, kind), (400, "application/problem+json"))
            problem = json.loads(content)
            self.assertEqual(mismatch(problem, components["Problem"], components), "")
            self.assertEqual(problem["field"], "cases[0].porosity")

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
        with Served(self.folder, "--max-cases", "8") as service:
            for way, data, query, headers, wanted, says in (
                    ("predict", sample[:100000], "", {}, 400, "uploaded file: cannot be opened as HDF5 (truncated"),
                    ("predict", b"{}", "", {}, 400, "uploaded file"),
                    ("predict", sample, "?buildup_limit=inf", {}, 400, "no number above 0"),
                    ("predict", (ROOT / "data" / "box_sample.h5").read_bytes(), "", {}, 400, "Cartesian"),
                    ("predict", sample, "?modl=a", {}, 400, "takes model, fields and buildup_limit"),
                    ("predict", sample, "?model=nobody", {}, 400, "there is no model 'nobody'"),
                    ("predict", sample, "?fields=gas_saturation,porosity", {}, 400, "porosity"),
                    ("predict", sample, "?buildup_limit=-1", {}, 400, "above 0"),
                    ("predict", sample, "?buildup_limit=1&buildup_limit=2", {}, 400, "more than once"),
                    ("predict", sample, "", {"Accept": "image/png"}, 406, "JSON alone"),
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
            self.fail(SYSTEM, "serve", MODEL, "--port", service.port, says=[f"127.0.0.1:{service.port}", "choose another port"])
        self.fail(4, "serve", "missing-model", "--port", 0, says=["missing-model", "check the path"])
        self.fail(USAGE, "serve", MODEL, "--host", "0.0.0.0", "--port", 0, says=["--host 0.0.0.0", "--token-file"])
        self.fail(SYSTEM, "serve", MODEL, "--token-file", "nowhere", says=["nowhere"])
        (self.folder / "short").write_text("secret\n")
        self.fail(USAGE, "serve", MODEL, "--token-file", "short", says=["short: holds no token", "openssl rand"])

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
        self.assertEqual((self.folder / "plume.png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual((self.folder / "plume.h5").read_bytes()[1:4], b"HDF")
