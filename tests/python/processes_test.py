"""Ctrl-C, and predictions in processes made by fork and by spawn: they end."""

import subprocess
import sys
import unittest
from pathlib import Path

START = """
import multiprocessing, os, signal, threading, warnings
import numpy as np, plumecast, sample

def predicted(model):
    return model.predict(sample.cases())["gas_saturation"]

def same(model, expected):
    return np.array_equal(predicted(model), expected, equal_nan=True)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell starts in the background
    model = sample.model(threads=2)
    expected = predicted(model)
"""


def run(body):
    """Output of a program with `body`, as a process that has 120 s to end."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.py"
        program.write_text(START + "".join(f"    {line}\n" for line in body.strip().splitlines()))
        done = subprocess.run(
            [sys.executable, str(program)],
            env={"PYTHONPATH": str(Path(__file__).parent), "PATH": "/usr/bin:/bin", "OMP_WAIT_POLICY": "passive"},
            capture_output=True,
            text=True,
            timeout=120,
        )
    return done.stdout, done.stderr


FORKED = """
child = os.fork()
if child == 0:
    signal.alarm(60)
    {work}
    os._exit(0)
print("status", os.waitpid(child, 0)[1])
print("parent", same(model, expected))
"""


class Fork(unittest.TestCase):
    def test_inherited_model_works_on_one_thread(self):
        out, err = run(FORKED.format(work='print("child", same(model, expected), model.device, flush=True)'))
        self.assertRegex(out, r"child True cpu: 1 thread\b")
        self.assertIn("status 0\nparent True", out)
        self.assertIn("start processes by the method 'spawn'", err)

    def test_model_loaded_in_the_child_works_on_one_thread(self):
        out, _ = run(FORKED.format(work='print("child", sample.model(threads=0).device, flush=True)'))
        self.assertRegex(out, r"child cpu: 1 thread\b")
        self.assertIn("status 0\nparent True", out)

    def test_device_that_does_not_survive_it_is_refused(self):
        work = """
    try:
        sample.model(device="cuda")
    except plumecast.InvalidInput as error:
        print("child", error, flush=True)"""
        out, _ = run(FORKED.format(work=work.strip()))
        self.assertRegex(out, r"child device 'cuda' is not used in a process made by fork .* 'spawn'")

    def test_child_of_a_process_at_work_is_told_to_use_spawn(self):
        out, err = run("""
cases, wanted = plumecast.Cases(**sample.repeated(4000)), []
begun, ended = threading.Event(), threading.Event()
def work():
    try:
        model.predict(cases, batch=2, progress=lambda *_: begun.set(), stop=ended.is_set)
    except plumecast.Interrupted:
        print("parent stopped")
worker = threading.Thread(target=work)
worker.start()
begun.wait()
for _ in range(8):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        for act in (lambda: predicted(model), sample.model, lambda: sample.cases().check()):
            try:
                act()
            except plumecast.DeviceError as error:
                wanted.append("'spawn'" in str(error))
        del model
        os._exit(0 if wanted == [True] * 3 else 1)
    print(os.waitpid(child, 0)[1])
ended.set()
worker.join()
print(same(model, expected))
""")
        self.assertEqual(out, "0\n" * 8 + "parent stopped\nTrue\n", err)

    def test_pool_predicts(self):
        for method in ("fork", "spawn"):
            with self.subTest(method):
                out, err = run(f"""
with multiprocessing.get_context({method!r}).Pool(2) as pool:
    print(pool.starmap(same, [(sample.model(), expected)] * 2))
""")
                self.assertEqual(out, "[True, True]\n", err)


class CtrlC(unittest.TestCase):
    def test_raises_after_the_batch_at_work(self):
        out, err = run("""
cases = plumecast.Cases(**sample.repeated(2000))
told = []
def progress(done, all):
    told.append(done / all)
    if len(told) == 3:
        os.kill(os.getpid(), signal.SIGINT)
try:
    model.predict(cases, batch=2, progress=progress)
except KeyboardInterrupt:
    print("interrupted", told[-1] < 0.5, same(model, expected))
""")
        self.assertEqual(out, "interrupted True True\n", err)


if __name__ == "__main__":
    unittest.main()
