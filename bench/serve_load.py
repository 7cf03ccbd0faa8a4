#!/usr/bin/env python3
"""What `plumecast serve` costs over the bare predictor, and what it bears (docs/benchmarks/serve.md).

Usage: serve_load.py PLUMECAST BUNDLE [--seconds 10] [--compared 64] [--requests 100000] [--malformed 100000] [--uploads 1000] [--slow 100]

Times one-case predictions on loopback in turn with the bare predictor (`bench predict --batch 1`, cases of the same grid), with one client
and with twice as many as there are cores (`--seconds 0` leaves that out); compares the processor time of such requests, one after the other,
with that of cases that `predict --batch 1` computes, which other programs disturb less (`--compared 0` leaves it out); then watches the memory of the service over many requests, and
sends malformed ones, damaged uploads, and clients that are slow, oversized or bear no token. Prints the tables of that page at the end, and
above them the machine, the commit and how busy other programs kept it, since times count on a quiet machine alone. Ends with 1 where one is
answered as it must not be, where the service grows, leaves files or ends.
"""

import argparse
import http.client
import json
import os
import random
import re
import resource
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


TINY = {"grid": {"r_edges": [0.1, 10, 100, 1000, 100000], "z_edges": [0, 50, 100]}, "times": [100]}
ENSEMBLE = {"case": CASE, "ranges": {"porosity": {"from": 0.1, "to": 0.3}}, "number": 2, **TINY}
TOKEN = "a-token-of-this-benchmark"


class Service:
    def __init__(self, plumecast, bundle, threads, folder, **environment):
        self.folder = Path(folder)
        (self.folder / "token").write_text(TOKEN)
        self.process = subprocess.Popen([plumecast, "serve", bundle, "--port", "0", "--threads", str(threads), "--max-concurrent", str(os.cpu_count()),
                                         "--token-file", str(self.folder / "token"), "--request-seconds", "5"],
                                        text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(folder)} | environment)
        line = self.process.stderr.readline()
        while "serving" not in line:
            line = self.process.stderr.readline()
        self.port = int(re.search(r":(\d+)/", line)[1])
        self.head = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}

    def ask(self, path, body=None, **head):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET" if body is None else "POST", path, body, self.head | head)
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

    def processor_time(self):
        """User and system [s], without processes that have ended."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

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


def bare(plumecast, bundle, cases, threads):
    """Cases per second from file to file, one case at a time."""
    told = json.loads(subprocess.run([plumecast, "bench", "predict", bundle, cases, "--batch", "1", "--threads", str(threads), "--rounds", "3", "--json"],
                                     check=True, capture_output=True, text=True).stdout)
    return told["cases"] / told["whole_s"]


def written_cases(service, folder, count=64):
    """So many copies of the case, 64 at most, as a data set."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=600)
    connection.request("POST", "/v1/predict", json.dumps({"cases": [CASE] * count}), service.head | {"Accept": "application/x-hdf5"})
    path = Path(folder) / f"cases_{count}.h5"
    path.write_bytes(connection.getresponse().read())
    return path


def processor_times(given, service, folder):
    """Lines of a table: processor time of one-case requests and of cases of the bare predictor, in three rounds in turn."""
    def bare(path):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([given.plumecast, "predict", given.bundle, path, "-o", Path(folder) / "bare.h5", "--force", "--batch", "1", "--threads", "1"],
                       check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    many, few = min(given.compared, 64), max(1, min(given.compared, 64) // 4)
    files, body, rounds = [written_cases(service, folder, count) for count in (many, few)], json.dumps({"cases": [CASE]}), []
    for _ in range(3):
        bare_one = (bare(files[0]) - bare(files[1])) / (many - few)  # without what a start costs
        before = service.processor_time()
        for _ in range(given.compared):
            status, content = service.ask("/v1/predict", body)
            assert status == 200, content
        rounds.append((bare_one, (service.processor_time() - before) / given.compared))
    print("compared processor times", flush=True)
    return [row("processor time of a case or request", "bare predictor", "service, one client"), "|---" * 3 + "|",
            row("user and system [ms]", [f"{1000 * a:.1f}" for a, _ in rounds], [f"{1000 * b:.1f}" for _, b in rounds]),
            row("bare predictor over the service", "1", [f"{a / b:.2f}" for a, b in rounds]), ""]


def warm_up(service):
    """Has the service take the memory that it keeps: for plans, as many computations as there may be at once, and the largest ensemble that damage makes of a small one."""
    for body in ({"cases": [CASE]}, {"cases": [CASE] * 16}, {"cases": [CASE], **TINY}):
        assert service.ask("/v1/predict", json.dumps(body))[0] == 200
    known = 0.0
    for _ in range(10):  # on a busy machine computations coincide late
        latencies(service, 2 * os.cpu_count(), 3)
        if service.memory() < known + 1:
            break
        known = service.memory()
    status, content = service.ask("/v1/ensembles", json.dumps(ENSEMBLE | {"number": 99}))
    assert status == 202, content
    while json.loads(service.ask(json.loads(content)["url"])[1])["state"] == "running":
        time.sleep(0.1)


def status_of(answer):
    return answer.split()[1].decode(errors="replace") if answer.startswith(b"HTTP/1.1 ") else "closed"


def counted(found, status):
    found[str(status)] = found.get(str(status), 0) + 1


def damaged(draw, data, most, within=None):
    """Some bytes changed, and now and then the rest cut off."""
    data = bytearray(data)
    for _ in range(draw.randrange(1, most)):
        data[draw.randrange(within or len(data))] = draw.randrange(256)
    return data[:draw.randrange(len(data))] if draw.random() < 0.3 else data


def malformed(service, count, parts):
    """The statuses that damaged requests are answered with, and the memory of the service after each part of them [MiB]."""
    draw, found, memory = random.Random(1), {}, []
    bodies = {"/v1/predict": json.dumps({"cases": [CASE], **TINY}), "/v1/estimate": json.dumps({"cases": [CASE], **TINY}),
              "/v1/ensembles": json.dumps(ENSEMBLE)}
    for number in range(count):
        path, good = draw.choice(list(bodies.items()))
        body = damaged(draw, good.encode(), 6)
        head = bytearray(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         f"Authorization: Bearer {TOKEN}\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        if draw.random() < 0.3:
            head[draw.randrange(len(head))] = draw.randrange(256)
        counted(found, status_of(service.raw(bytes(head + body))))
        if (number + 1) % max(1, count // parts) == 0:
            memory.append(service.memory())
            print(f"{number + 1} malformed requests", flush=True)
    return dict(sorted(found.items())), memory


def damaged_uploads(service, sample, count):
    """The same of data set files, of which the first 20 kB, the structure, are damaged."""
    draw, found = random.Random(2), {}
    for _ in range(count):
        counted(found, service.ask("/v1/predict", bytes(damaged(draw, sample, 40, min(20000, len(sample)))), **{"Content-Type": "application/x-hdf5"})[0])
    return dict(sorted(found.items()))


def slow_clients(service, count):
    """Clients that send a byte a second, all at once; meanwhile one that does not is answered. The longest that one of them was waited for, and the
    longest that the other waited [s]."""
    clients, begin = [socket.create_connection(("127.0.0.1", service.port), timeout=60) for _ in range(count)], time.monotonic()
    open_ones, longest, waited = list(clients), 0.0, 0.0
    while open_ones and time.monotonic() - begin < 300:
        for one in list(open_ones):
            try:
                one.sendall(b"G")
                one.setblocking(False)
                if one.recv(64) is not None:
                    raise ConnectionError
            except BlockingIOError:
                one.setblocking(True)
            except OSError:
                open_ones.remove(one)
                longest = time.monotonic() - begin
        asked = time.monotonic()
        assert service.ask("/v1/health")[0] == 200
        waited = max(waited, time.monotonic() - asked)
        time.sleep(1)
    for one in clients:
        one.close()
    return longest, waited


def refused(service, count):
    """Statuses of requests that are too large, and of those without the token."""
    large, strange = {}, {}
    for _ in range(count):
        counted(large, status_of(service.raw(f"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer {TOKEN}\r\n"
                                             f"Content-Length: {1 << 31}\r\n\r\n".encode() + b" " * 65536)))
        counted(strange, service.ask("/v1/models", Authorization="Bearer wrong")[0])
    return large, strange


def is_answered_well(found):
    return all(status in ("closed", "503") or status.isdigit() and int(status) < 500 for status in found)


def row(*cells):
    return "| " + " | ".join(", ".join(cell) if isinstance(cell, list) else cell for cell in cells) + " |"


def timed(given, service, folder):
    """Lines of a table: three rounds in turn of the bare predictor, one client and many."""
    cases, cores = written_cases(service, folder), os.cpu_count()
    latencies(service, 1, min(2, given.seconds))
    rounds = []
    for _ in range(3):
        rates = [bare(given.plumecast, given.bundle, cases, threads) for threads in (1, cores)]
        taken = [latencies(service, clients, given.seconds) for clients in (1, 2 * cores)]
        rounds.append((*rates, *taken))
        print("timed a round", flush=True)
    each = lambda text: [text(*one) for one in rounds]  # noqa: E731
    late = lambda all_of_them: all_of_them[int(0.99 * len(all_of_them))] / statistics.median(all_of_them)  # noqa: E731
    return [row("", "bare predictor, one thread", f"bare predictor, {cores} threads", "one client", f"{2 * cores} clients"), "|---" * 5 + "|",
            row("cases per second", each(lambda a, b, c, d: f"{a:.1f}"), each(lambda a, b, c, d: f"{b:.1f}"), each(lambda a, b, c, d: f"{c[1]:.1f}"),
                each(lambda a, b, c, d: f"{d[1]:.1f}")),
            row("over the bare predictor: one client over one thread, many over all (aim 0.9)", "1", "1", each(lambda a, b, c, d: f"{c[1] / a:.2f}"),
                each(lambda a, b, c, d: f"{d[1] / b:.2f}")),
            row("median of a request [ms]", "", "", each(lambda a, b, c, d: f"{1000 * statistics.median(c[0]):.1f}"),
                each(lambda a, b, c, d: f"{1000 * statistics.median(d[0]):.1f}")),
            row("99th percentile over the median (aim at most 3)", "", "", each(lambda a, b, c, d: f"{late(c[0]):.2f}"), each(lambda a, b, c, d: f"{late(d[0]):.2f}")), ""]


def shown(found):
    return [f"{name}: {count:,}" for name, count in found.items()]


def processor():
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return found[1] if found else "unknown processor"


def conditions(load):
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True).stdout.strip()
    busy = "" if load < 0.25 else " **Other programs kept it busy: publish no times of this run.**"
    return f"{os.cpu_count()} cores of {processor()}, commit {commit or 'unknown'}, load {load:.2f} before.{busy}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("plumecast")
    arguments.add_argument("bundle")
    arguments.add_argument("--seconds", type=float, default=10.0)
    for name, usual in (("compared", 64), ("requests", 100000), ("malformed", 100000), ("uploads", 1000), ("slow", 100)):
        arguments.add_argument(f"--{name}", type=int, default=usual)
    given = arguments.parse_args()
    load = os.getloadavg()[0]
    sample = (Path(__file__).resolve().parents[1] / "data" / "radial_sample.h5").read_bytes()
    problems, table = [], []
    with tempfile.TemporaryDirectory() as folder:
        service = Service(given.plumecast, given.bundle, 1, folder)
        if given.seconds > 0:
            table = timed(given, service, folder)
        if given.compared > 0:
            table += processor_times(given, service, folder)
        problems += [] if service.end() == 0 else ["exit code of the service that was timed"]
        # With an arena for each thread, what the C library keeps of freed memory depends on which threads compute at once, and hides a leak.
        service = Service(given.plumecast, given.bundle, 1, folder, MALLOC_ARENA_MAX="1")
        tiny, memory = json.dumps({"cases": [CASE], **TINY}), []
        warm_up(service)
        table += [row("", ""), "|---" * 2 + "|"]
        for part in range(5):
            for _ in range(given.requests // 5):
                status, content = service.ask("/v1/estimate", tiny)
                assert status == 200, content
            memory.append(service.memory())
            print(f"{(part + 1) * given.requests // 5} requests", flush=True)
        counts = [f"{(part + 1) * given.requests // 5:,}" for part in range(5)]
        table.append(row(f"memory of the service after {', '.join(counts)} requests [MiB]", [f"{each:.1f}" for each in memory]))
        found, afterwards = malformed(service, given.malformed, 5)
        table += [row(f"{given.malformed:,} damaged requests", shown(found)), row("memory after each fifth of these [MiB]", [f"{each:.1f}" for each in afterwards])]
        uploads = damaged_uploads(service, sample, given.uploads)
        table += [row(f"{given.uploads:,} damaged data set files", shown(uploads)), row("memory after these [MiB]", f"{service.memory():.1f}")]
        print("damaged uploads", flush=True)
        large, strange = refused(service, min(given.malformed, 1000))
        table += [row("requests that announce 2 GiB", shown(large)), row("wrong tokens", shown(strange))]
        longest, waited = slow_clients(service, given.slow)
        table.append(row(f"{given.slow} clients at once that send a byte a second", f"ended after {longest:.1f} s at most; another waited {waited:.2f} s at most"))
        memory.append(service.memory())
        left = [path.name for path in Path(folder).glob("plumecast-serve-*")]
        table.append(row("memory at the end [MiB], files left, a last answer, exit code", f"{memory[-1]:.1f}, {len(left)}, {service.ask('/v1/health')[0]}, {service.end()}"))
        problems += [] if is_answered_well(found) and is_answered_well(uploads) else ["an answer that must not be"]
        problems += [] if set(large) <= {"413", "closed"} and set(strange) <= {"401"} else ["something was not refused"]
        problems += [] if memory[-1] < memory[0] + 32 else ["memory grew"]
        problems += [f"left {left}"] if left else []
        problems += [f"exit code {service.process.returncode}"] if service.process.returncode != 0 else []
    print("\n" + "\n".join([conditions(load), "", *table]) + "\n")
    print("; ".join(problems) or "as it must be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
