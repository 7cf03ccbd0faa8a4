#!/usr/bin/env python3
"""What `plumecast serve` costs over the bare predictor, and what it bears (docs/benchmarks/serve.md).

Usage: serve_load.py PLUMECAST BUNDLE [--seconds 10] [--requests 20000] [--malformed 20000]

Times one-case predictions on loopback in turn with the bare predictor (`bench predict --batch 1`, cases of the same grid), with one client
and with twice as many as there are cores; then watches the memory of the service over many requests, and sends malformed ones.
"""

import argparse
import http.client
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CASE = {"injection_rate": 1.0, "initial_pressure": 150.0, "temperature": 60.0, "irreducible_water_saturation": 0.2,
        "van_genuchten_lambda": 0.5, "thickness": 100.0, "permeability_r": 100.0, "permeability_z": 10.0, "porosity": 0.2,
        "perforation": {"top": 50.0, "bottom": 100.0}}


class Service:
    def __init__(self, plumecast, bundle, threads):
        self.process = subprocess.Popen([plumecast, "serve", bundle, "--port", "0", "--threads", str(threads), "--max-concurrent", str(os.cpu_count())],
                                        text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        line = self.process.stderr.readline()
        while "serving" not in line:
            line = self.process.stderr.readline()
        self.port = int(re.search(r":(\d+)/", line)[1])

    def ask(self, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET" if body is None else "POST", path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def raw(self, data):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                return connection.recv(64)
            except ConnectionError:
                return b""

    def memory(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def end(self):
        self.process.terminate()
        return self.process.wait(60)


def latencies(service, clients, seconds):
    """Seconds of each request of so many clients at once, and requests per second of all."""
    body, taken, lock = json.dumps({"cases": [CASE]}), [], threading.Lock()
    end = time.monotonic() + seconds

    def client():
        while time.monotonic() < end:
            start = time.monotonic()
            status, content = service.ask("/v1/predict", body)
            assert status == 200, content
            with lock:
                taken.append(time.monotonic() - start)

    start = time.monotonic()
    threads = [threading.Thread(target=client) for _ in range(clients)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return sorted(taken), len(taken) / (time.monotonic() - start)


def bare(plumecast, bundle, cases):
    """Cases per second from file to file with one thread and one case at a time."""
    told = subprocess.run([plumecast, "bench", "predict", bundle, cases, "--batch", "1", "--threads", "1", "--rounds", "3", "--json"],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(told)


def written_cases(service, folder):
    """64 copies of the case as a data set."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=300)
    connection.request("POST", "/v1/predict", json.dumps({"cases": [CASE] * 64}), {"Content-Type": "application/json", "Accept": "application/x-hdf5"})
    path = Path(folder) / "cases.h5"
    path.write_bytes(connection.getresponse().read())
    return path


def malformed(service, count):
    """The statuses that damaged requests are answered with."""
    draw, found = random.Random(1), {}
    good = json.dumps({"cases": [CASE]}).encode()
    for _ in range(count):
        body = bytearray(good)
        for _ in range(draw.randrange(1, 6)):
            body[draw.randrange(len(body))] = draw.randrange(256)
        body = body[:draw.randrange(len(body))] if draw.random() < 0.3 else body
        head = bytearray(f"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        if draw.random() < 0.3:
            head[draw.randrange(len(head))] = draw.randrange(256)
        answer = service.raw(bytes(head + body))
        status = answer.split()[1].decode(errors="replace") if answer.startswith(b"HTTP/1.1 ") else "closed"
        found[status] = found.get(status, 0) + 1
    return dict(sorted(found.items()))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("plumecast")
    arguments.add_argument("bundle")
    arguments.add_argument("--seconds", type=float, default=10.0)
    arguments.add_argument("--requests", type=int, default=20000)
    arguments.add_argument("--malformed", type=int, default=20000)
    given = arguments.parse_args()
    service = Service(given.plumecast, given.bundle, 1)
    with tempfile.TemporaryDirectory() as folder:
        cases = written_cases(service, folder)
        latencies(service, 1, 2)
        for _ in range(3):
            told = bare(given.plumecast, given.bundle, cases)
            one, rate = latencies(service, 1, given.seconds)
            many, rate_of_many = latencies(service, 2 * os.cpu_count(), given.seconds)
            print(f"bare {json.dumps(told)}\none client: {rate:.1f} requests/s, median {1000 * statistics.median(one):.1f} ms; "
                  f"{2 * os.cpu_count()} clients: {rate_of_many:.1f} requests/s, median {1000 * statistics.median(many):.1f} ms, "
                  f"p99 {1000 * many[int(0.99 * len(many))]:.1f} ms, ratio {many[int(0.99 * len(many))] / statistics.median(many):.2f}", flush=True)
    tiny = json.dumps({"cases": [CASE], "grid": {"r_edges": [0.1, 10, 100, 1000, 100000], "z_edges": [0, 50, 100]}, "times": [100]})
    for part in range(5):
        for _ in range(given.requests // 5):
            service.ask("/v1/estimate", tiny)
        print(f"memory after {(part + 1) * given.requests // 5} requests: {service.memory():.1f} MiB", flush=True)
    print(f"malformed requests: {malformed(service, given.malformed)}, memory after them: {service.memory():.1f} MiB")
    print(f"still there: {service.ask('/v1/health')[0]}, exit code {service.end()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
