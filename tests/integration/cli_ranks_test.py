"""The executable on several ranks under mpirun: same results, checkpoints across rank counts, signals and faults."""

import json
import os
import re
import shlex
import signal
import subprocess
import threading
import time
import unittest
from pathlib import Path

try:
    import h5py
    import numpy
except ImportError:
    h5py = None

from cli_test_case import DATA, MODEL, OK, PLUMECAST, RESUME_ME, SYSTEM, TIME_LIMIT, USAGE, CliTestCase
from cli_wrong_usages_test import GRAMMAR, content

ROOT = Path(__file__).resolve().parents[2]
MPIEXEC = os.environ.get("PLUMECAST_MPIEXEC", "")
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}


def children(pid):
    """Processes started by a process, oldest first."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry))
    return sorted(found)


def descendants(pid):
    found = []
    for child in children(pid):
        found += [*descendants(child), child]
    return found


class RanksTestCase(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()

    def command(self, ranks, *arguments, options=()):
        return [*shlex.split(MPIEXEC), "-n", str(ranks), *options, PLUMECAST, *map(str, arguments)]

    def start(self, ranks, *arguments, options=()):
        return subprocess.Popen(self.command(ranks, *arguments, options=options), cwd=self.folder, text=True,
                                env={**os.environ, **ENVIRONMENT}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def finish(self, process):
        try:
            output, errors = process.communicate(timeout=TIME_LIMIT)
        finally:
            process.kill()
        return process.returncode, output, errors

    def succeed_on(self, ranks, *arguments):
        code, output, errors = self.finish(self.start(ranks, *arguments))
        self.assertEqual(code, OK, errors)
        return output

    def fail_on(self, ranks, expected, *arguments, says=(), options=()):
        """The job ends with that code and one line of error."""
        code, _, errors = self.finish(self.start(ranks, *arguments, options=options))
        self.assertEqual(code, expected, errors)
        lines = [line for line in errors.splitlines() if "plumecast: error: " in line]
        self.assertEqual(len(lines), 1, errors)
        for text in says:
            self.assertIn(str(text), lines[0])

    def losses(self, run):
        lines = (self.folder / run / "metrics.jsonl").read_text().splitlines()
        return [json.loads(line)[key] for line in lines for key in ("train_loss", "validation_loss")]

    def expect_losses_like(self, run, expected):
        self.assertEqual(len(self.losses(run)), len(self.losses(expected)))
        for one, other in zip(self.losses(run), self.losses(expected)):
            self.assertAlmostEqual(one, other, delta=1e-4)


# What people do wrong on two ranks: the command and its exit code.
USAGES = [
    ("predict run/best sample.h5 -o out.h5 --grid 2x2", USAGE),
    ("predict run/best sample.h5 -o out.h5 --grid 0x2", USAGE),
    ("predict run/best sample.h5 -o sample.h5", USAGE),
    ("predict run/best guided.h5 -o sample.h5", USAGE),
    ("predict run/best sample.h5 -o nowhere/out.h5", SYSTEM),
    ("predict run/best nothing.h5 -o out.h5", SYSTEM),
    ("predict nothing sample.h5 -o out.h5", MODEL),
    ("evaluate nothing sample.h5", MODEL),
    ("evaluate run/best inputs.h5", DATA),
    ("train recipe.json", USAGE),
    ("train recipe.json --resume --set seed=5", MODEL),
    ("train recipe.json --set data.train=inputs.h5 --output new", DATA),
    ("train recipe.json --output new --grid 1x3", USAGE),
    ("train f_fno.json", USAGE),
    ("train uno.json --grid 1x2", USAGE),
]


@unittest.skipUnless(MPIEXEC, "built without MPI")
class WrongUsagesOnRanks(RanksTestCase):
    def test_each_ends_with_its_code_and_one_message_in_three_parts(self):
        self.train()
        self.sample("inputs", "inputs.h5")
        self.sample("guided", "guided.h5")
        for architecture in ("f_fno", "uno"):
            self.recipe(architecture + ".json", output="new", network={"architecture": architecture, "width": 4})
        before = content(self.folder)
        for line, code in USAGES:
            with self.subTest(line):
                found, _, errors = self.finish(self.start(2, *shlex.split(line)))
                self.assertEqual(found, code, errors)
                messages = re.findall(r"plumecast: error: (.*)", errors)
                self.assertEqual(len(messages), 1, errors)
                self.assertRegex(messages[0], GRAMMAR)
        after = {name: state for name, state in content(self.folder).items() if not name.startswith("new/")}
        self.assertEqual(after, before)


@unittest.skipUnless(MPIEXEC, "built without MPI")
class Ranks(RanksTestCase):
    def test_train_and_evaluate_like_one(self):
        self.train(output="alone")
        for ranks, grid in ((3, "1x3"), (4, "2x2"), (4, "auto")):
            output = self.succeed_on(ranks, "train", self.recipe(output=f"on {grid}"), "--grid", grid)
            self.assertTrue(f"{ranks} ranks as " in output, output)
            self.assertEqual(output.count("epoch 2/2"), 1)
            self.expect_losses_like(f"on {grid}", "alone")
        alone = json.loads(self.succeed("evaluate", "alone/best", "sample.h5", "--json"))
        shared = json.loads(self.succeed_on(4, "evaluate", "alone/best", "sample.h5", "--json", "--grid", "2x2"))
        self.assertAlmostEqual(shared["fields"][0]["mean"]["mpe"], alone["fields"][0]["mean"]["mpe"], delta=1e-5)

    def test_predict_a_file_that_is_whole(self):
        self.train()
        self.succeed_on(3, "predict", "run/best", "sample.h5", "-o", "fields.h5", "--grid", "1x3")
        self.succeed("validate", "fields.h5")

    def fields(self, ranks, grid):
        """What predict gives on a grid by transposes, in binary."""
        self.succeed_on(ranks, "predict", "run/best", "sample.h5", "-o", f"{grid}.h5", "--grid", grid,
                        "--route", "transpose", "--threads", "1")
        self.succeed("export", f"{grid}.h5", "-o", grid, "--name", "CASE")
        return [file.read_bytes() for file in sorted((self.folder / grid).glob("*.UNRST"))]

    def test_predict_the_same_bits_on_every_grid_by_transposes(self):
        self.train(network={"architecture": "ufno", "width": 16, "hidden": 6, "modes": [2, 2, 2],
                            "fourier_blocks": 1, "extended_blocks": 1})
        alone = self.fields(1, "1x1")
        self.assertGreater(len(alone), 0)
        for ranks in (2, 3, 4):
            self.assertEqual(self.fields(ranks, f"1x{ranks}"), alone, f"{ranks} ranks")

    def expect_fields_like_one(self, model, cases):
        """Predictions on two ranks, by cases and by cuts, are those of one but for rounding."""
        self.succeed("predict", model, cases, "-o", "one.h5", "--threads", "1")
        with h5py.File(self.folder / "one.h5") as one:
            for grid in ("2x1", "1x2"):
                self.succeed_on(2, "predict", model, cases, "-o", "two.h5", "--grid", grid, "--threads", "1", "--force")
                with h5py.File(self.folder / "two.h5") as two:
                    for name, field in one["outputs"].items():
                        expected = field[()]
                        numpy.testing.assert_allclose(two["outputs"][name], expected, rtol=1e-5, atol=1e-6 * numpy.nanmax(expected),
                                                      err_msg=f"{name} {grid}")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_predict_by_schedules_like_one(self):
        self.expect_fields_like_one(ROOT / "models" / "radial-co2", ROOT / "data" / "radial_schedules.h5")

    @unittest.skipUnless(h5py, "h5py is not installed (package python3-h5py)")
    def test_predict_by_several_members_like_one(self):
        self.succeed_on(2, "train", self.recipe(members=2), "--grid", "1x2")
        self.expect_fields_like_one(self.folder / "run" / "best", self.folder / "sample.h5")

    def test_refuse_messages_in_device_memory_that_mpi_cannot_send(self):
        self.train()
        code, _, errors = self.finish(self.start(2, "predict", "run/best", "sample.h5", "-o", "fields.h5",
                                                 "--transport", "device"))
        if code == OK:
            self.skipTest("this MPI library takes memory of CUDA devices")
        self.assertEqual(code, USAGE, errors)
        self.assertRegex(errors, "--transport host|this build has no CUDA")

    def test_continue_on_another_number_of_ranks(self):
        self.train(output="alone", epochs=3)
        for ranks, epochs in ((4, 1), (3, 2), (1, 3)):
            self.succeed_on(ranks, "train", self.recipe(output="moved", epochs=epochs), "--resume")
        self.expect_losses_like("moved", "alone")

    def test_send_what_open_mpi_counts(self):
        monitoring = ["--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3",
                      "--mca", "pml_monitoring_filename", "counted"]
        code, output, errors = self.finish(self.start(3, "train", self.recipe(), "--grid", "1x3", options=monitoring))
        if "mca_common_monitoring" in errors:
            self.skipTest("the monitoring of this Open MPI (6.0 rc 2) crashes before the program starts")
        self.assertEqual(code, OK, errors)
        counted = self.folder / "counted.0.prof"
        if not counted.exists():
            self.skipTest("this Open MPI has no monitoring")
        said = re.search(r"sent by the first rank: (\d+) bytes in (\d+) messages", output)
        sent = re.findall(r"(?m)^E\t0\t\d+\t(\d+) bytes\t(\d+) msgs sent", counted.read_text())
        exit_codes = 2  # compared after that line, one number of four bytes for each other rank
        self.assertEqual(sum(int(size) for size, _ in sent), int(said[1]) + 4 * exit_codes)
        self.assertEqual(sum(int(messages) for _, messages in sent), int(said[2]) + exit_codes)

    def test_plan_without_computing(self):
        output = self.succeed("train", self.recipe(), "--plan", "--plan-ranks", "4")
        for grid in ("1x4", "2x2"):
            self.assertTrue(grid in output, output)
        self.assertFalse((self.folder / "run").exists())

    def test_refuse_a_grid_for_another_number_of_ranks(self):
        self.fail_on(2, USAGE, "train", self.recipe(), "--grid", "2x2", says=["2x2", "4 ranks", "the job has 2"])

    def test_save_and_ask_to_be_resumed_on_a_signal(self):
        recipe = self.recipe(epochs=500)
        process = self.start(2, "train", recipe)
        self.wait_for_epoch(process, 2)
        process.send_signal(signal.SIGUSR1)  # mpirun passes it on
        code, _, errors = self.finish(process)
        self.assertEqual(code, RESUME_ME, errors)
        self.assertTrue("--resume" in errors, errors)
        self.succeed("train", self.recipe(epochs=5), "--resume")

    def wait_for_epoch(self, process, epoch):
        for line in process.stdout:
            if line.startswith(f"epoch {epoch}/"):
                return
        raise AssertionError(process.communicate()[1])

    def test_end_within_seconds_when_a_rank_is_killed(self):
        process = self.start(3, "train", self.recipe(epochs=500))
        self.wait_for_epoch(process, 2)
        os.kill(children(process.pid)[1], signal.SIGKILL)
        start = time.monotonic()
        code, _, errors = self.finish(process)
        self.assertNotEqual(code, OK)
        self.assertLess(time.monotonic() - start, 20)
        self.assertTrue("signal 9" in errors, errors)
        self.succeed("train", self.recipe(epochs=4), "--resume")

    def test_name_the_rank_that_has_stopped(self):
        process = self.start(3, "train", self.recipe(epochs=500), "--timeout", "2")
        self.wait_for_epoch(process, 2)
        start = time.monotonic()
        os.kill(children(process.pid)[2], signal.SIGSTOP)
        code, _, errors = self.finish(process)
        self.assertEqual(code, SYSTEM, errors)
        self.assertLess(time.monotonic() - start, 30)
        self.assertTrue("no answer from rank" in errors, errors)

    def test_keep_the_last_checkpoint_when_the_disk_is_full(self):
        self.succeed_on(2, "train", self.recipe(epochs=2))
        before = self.weights("run")
        limited = ["bash", "-c", 'ulimit -f 16; exec "$@"', "limited"]
        code, _, errors = self.finish(self.start(2, "train", self.recipe(epochs=3), "--resume",
                                                 options=["--mca", "btl", "self,tcp", "--mca", "btl_tcp_if_include",
                                                          "127.0.0.1/8", *limited]))
        self.assertEqual(code, SYSTEM, errors)
        self.assertTrue("File too large" in errors, errors)
        self.assertEqual(self.weights("run"), before)
        self.succeed_on(2, "train", self.recipe(epochs=3), "--resume")

    def test_name_a_checkpoint_that_is_cut_short(self):
        self.succeed_on(2, "train", self.recipe(epochs=1))
        file = self.folder / "run" / "checkpoint" / "optimizer.safetensors"
        file.write_bytes(file.read_bytes()[:-100])
        self.fail_on(2, MODEL, "train", self.recipe(epochs=2), "--resume", says=["optimizer.safetensors"])


@unittest.skipUnless(MPIEXEC, "built without MPI")
class TwoHosts(RanksTestCase):
    def start_on_two_hosts(self, *arguments, **environment):
        script = Path(__file__).resolve().parent / "two_hosts.sh"
        process = subprocess.Popen([script, MPIEXEC, "2", PLUMECAST, *map(str, arguments)], cwd=self.folder, text=True,
                                   env={**os.environ, **ENVIRONMENT, **environment}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(self.end, process)  # comes first
        return process

    def end(self, process):
        """The daemons of the launcher outlive a cut link, so each process is ended."""
        for pid in [*descendants(process.pid), process.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def test_train_like_one(self):
        self.train(output="alone")
        process = self.start_on_two_hosts("train", self.recipe(output="two hosts"), "--grid", "2x2")
        output, errors = process.communicate(timeout=TIME_LIMIT)
        if process.returncode == 77:
            self.skipTest(errors.strip())
        self.assertEqual(process.returncode, OK, errors)
        self.expect_losses_like("two hosts", "alone")

    def test_end_all_ranks_when_the_link_is_dead(self):
        process = self.start_on_two_hosts("train", self.recipe(epochs=5000), "--timeout", "3",
                                          CUT_LINK_AFTER=str(self.folder / "run" / "checkpoint" / "state.json"))
        watchdog = threading.Timer(60, self.end, [process])
        watchdog.start()
        self.addCleanup(watchdog.cancel)
        errors = ""
        for line in process.stderr:
            errors += line
            if "no answer from rank" in line:
                break
        if process.poll() == 77:
            self.skipTest(errors.strip())
        self.assertTrue("no answer from rank" in errors, errors)
        self.assertTrue(self.ends_soon(process), "ranks are left over")

    def ends_soon(self, process):
        """No rank of the job is left within ten seconds; the launcher itself may still wait for its other host."""
        for _ in range(100):
            if not any(self.is_rank(pid) for pid in descendants(process.pid)):
                return True
            time.sleep(0.1)
        return False

    def is_rank(self, pid):
        try:
            return os.readlink(f"/proc/{pid}/exe") == os.path.realpath(PLUMECAST)
        except OSError:
            return False


if __name__ == "__main__":
    unittest.main()
