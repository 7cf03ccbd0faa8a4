"""Nobody's file is lost: what an output may take the place of, and who may write a folder."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import unittest

from cli_test_case import DATA, MODEL, PLUMECAST, TIME_LIMIT, USAGE, CliTestCase


class Files(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample("guided", "cases.h5")

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def refused(self, name, *arguments, says=("exists already", "--force")):
        """The call is refused, and the file is what it was."""
        before = self.bytes_of(name)
        self.refuse(USAGE, *arguments, says=says)
        self.assertEqual(self.bytes_of(name), before)

    def test_replaces_a_result_file_by_another(self):
        estimate = ("estimate", "cases.h5", "-o", "fields.h5", "--substeps", "1")
        self.succeed(*estimate)
        self.succeed(*estimate)

    def test_refuses_to_replace_data_unless_forced(self):
        shutil.copy(self.folder / "cases.h5", self.folder / "measured.h5")
        (self.folder / "notes.txt").write_text("mine")
        estimate = ("estimate", "cases.h5", "--substeps", "1", "-o")
        self.refused("measured.h5", *estimate, "measured.h5", says=["simulated or measured data", "--force"])
        self.refused("notes.txt", *estimate, "notes.txt")
        self.refused("measured.h5", "subset", "cases.h5", "-o", "measured.h5", "--cases", "0")
        self.refused("measured.h5", "merge", "cases.h5", "-o", "measured.h5")
        self.refused("measured.h5", "plot", "cases.h5", "-o", "measured.h5")
        self.succeed(*estimate, "measured.h5", "--force")

    def test_replaces_a_data_set_of_inputs_by_another(self):
        inputs = ("subset", "cases.h5", "-o", "few.h5", "--without-outputs", "--cases")
        self.succeed(*inputs, "0")
        self.succeed(*inputs, "1")
        self.refused("few.h5", "estimate", "cases.h5", "-o", "few.h5", says=["no result file"])

    def test_replaces_its_own_pictures_only(self):
        for name in ("a.png", "a.pdf", "a.svg"):
            self.succeed("plot", "cases.h5", "-o", name)
            self.succeed("plot", "cases.h5", "--case", "1", "-o", name)
        for name, content in (("photo.png", b"\x89PNG\r\n\x1a\n and more"), ("notes.svg", b"<svg></svg>"), ("empty.pdf", b"")):
            (self.folder / name).write_bytes(content)
            self.refused(name, "plot", "cases.h5", "-o", name)
            self.succeed("plot", "cases.h5", "-o", name, "--force")

    def test_never_replaces_an_input_by_whatever_name(self):
        os.link(self.folder / "cases.h5", self.folder / "hard.h5")
        (self.folder / "soft.h5").symlink_to("cases.h5")
        (self.folder / "there").mkdir()
        for name in ("cases.h5", "hard.h5", "soft.h5", "there/../cases.h5"):
            for subcommand in (["estimate", "cases.h5"], ["subset", "cases.h5", "--cases", "0"], ["merge", "cases.h5"],
                         ["plot", "cases.h5"]):
                self.refused("cases.h5", *subcommand, "-o", name, "--force", says=["is the input itself"])

    def test_never_replaces_a_part_of_a_model_or_run_it_reads(self):
        model = self.train()
        before = (model / "model.json").read_bytes()
        self.refuse(USAGE, "predict", model, "sample.h5", "-o", model / "model.json", "--force", says=["part of it"])
        self.assertEqual((model / "model.json").read_bytes(), before)
        (self.folder / "CASE.UNRST").write_text("a run")
        self.refuse(USAGE, "import", "CASE", "-o", "CASE.UNRST", "--force", says=["is the input itself"])
        self.assertEqual((self.folder / "CASE.UNRST").read_text(), "a run")

    def test_clears_what_a_killed_run_left_and_nothing_else(self):
        self.succeed("merge", *(8 * ["cases.h5"]), "-o", "some.h5", "--duplicates", "keep")
        self.succeed("merge", *(8 * ["some.h5"]), "-o", "many.h5", "--duplicates", "keep")
        process = subprocess.Popen([PLUMECAST, "estimate", "many.h5", "-o", "fields.h5"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
        partial = self.wait_for(".fields.h5.*.partial")
        process.kill()
        process.wait(TIME_LIMIT)
        self.assertTrue(partial.exists())
        foreign = self.folder / ".fields.h5.elsewhere-1.2.partial"
        foreign.write_text("of another machine")
        self.succeed("estimate", "cases.h5", "-o", "fields.h5", "--substeps", "1")
        self.assertFalse(partial.exists())
        self.assertTrue(foreign.exists())

    def test_a_part_of_simulated_cases_is_replaced_when_forced_only(self):
        split = ("split", "cases.h5", "-o", "parts", "--parts", "all=1")
        self.succeed(*split)
        self.refused("parts/all.h5", *split, says=["parts/all.h5", "simulated or measured data", "--force"])
        (self.folder / "parts" / "all.h5").write_text("notes")
        self.refused("parts/all.h5", *split, says=["no data set of plumecast", "--force"])
        self.succeed(*split, "--force")
        self.assertIn("valid", self.succeed("validate", "parts/all.h5"))

    def test_a_part_of_inputs_alone_is_replaced(self):
        self.succeed("subset", "cases.h5", "-o", "inputs.h5", "--without-outputs")
        split = ("split", "inputs.h5", "-o", "parts", "--parts", "all=1")
        self.succeed(*split)
        self.succeed(*split)

    def test_a_split_never_takes_the_place_of_what_it_divides(self):
        self.refused("cases.h5", "split", "cases.h5", "-o", ".", "--parts", "cases=1", "--force", says=["is the input itself"])

    def test_a_split_keeps_out_of_a_folder_that_another_run_writes(self):
        (self.folder / "parts").mkdir()
        lock = self.folder / "parts" / ".lock"
        lock.write_text(json.dumps({"host": "elsewhere", "process": 1, "started": "today"}))
        self.refuse(USAGE, "split", "cases.h5", "-o", "parts", "--parts", "all=1", says=["in use", "elsewhere", "parts/.lock"])
        self.assertEqual([path.name for path in (self.folder / "parts").iterdir()], [".lock"])
        lock.unlink()
        self.succeed("split", "cases.h5", "-o", "parts", "--parts", "all=1")
        self.assertFalse(lock.exists())

    def wait_for(self, pattern):
        until = time.monotonic() + TIME_LIMIT
        while time.monotonic() < until:
            for path in self.folder.glob(pattern):
                return path
            time.sleep(0.001)
        raise AssertionError("no " + pattern)


class Folders(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()

    def names(self, folder="out"):
        return {str(path.relative_to(self.folder / folder)) for path in (self.folder / folder).rglob("*") if path.is_file()}

    def test_a_report_holds_nothing_of_an_earlier_one(self):
        self.succeed("report", "sample.h5", "-o", "out", "--case", "1", "--gen-data")
        (self.folder / "out" / "notes.txt").write_text("mine")
        self.assertIn("gen_data/max_buildup_0", self.names())
        self.succeed("report", "sample.h5", "-o", "out")
        self.succeed("report", "sample.h5", "-o", "fresh")
        self.assertEqual(self.names() - {"notes.txt"}, self.names("fresh"))
        self.assertIn("notes.txt", self.names())

    def test_refuses_files_that_it_did_not_write_or_that_changed_since(self):
        out = self.folder / "out"
        out.mkdir()
        for subcommand, name in (("report", "cases.csv"), ("export", "CASE_0001.UNRST")):
            (out / name).write_text("mine")
            self.refuse(USAGE, subcommand, "sample.h5", "-o", "out", says=[name, "--force"])
            self.assertEqual(self.names(), {name})
            self.succeed(subcommand, "sample.h5", "-o", "out", "--force")
            self.succeed(subcommand, "sample.h5", "-o", "out")
            (out / name).write_text("changed")
            self.refuse(USAGE, subcommand, "sample.h5", "-o", "out", says=[name, "--force"])
            self.assertEqual((out / name).read_text(), "changed")
            shutil.rmtree(out)
            out.mkdir()

    def test_exports_of_several_calls_lie_side_by_side(self):
        self.succeed("export", "sample.h5", "-o", "out", "--case", "0", "--name", "A")
        first = self.names()
        self.succeed("export", "sample.h5", "-o", "out", "--case", "1", "--name", "B", "--format", "csv")
        self.assertLess(first, self.names())
        self.succeed("export", "sample.h5", "-o", "out", "--case", "0", "--name", "A")

    def test_an_export_that_was_killed_can_be_repeated(self):
        self.sample("many", "many.h5")
        export = ("export", "many.h5", "-o", "out", "--format", "csv", "--jobs", "1")
        process = subprocess.Popen([PLUMECAST, *export], cwd=self.folder, stdout=subprocess.DEVNULL)
        while not (self.folder / "out" / "CASE_0003_totals.csv").exists() and process.poll() is None:
            time.sleep(0.001)
        process.kill()
        process.wait(TIME_LIMIT)
        written = self.names()
        self.assertIn(".lock", written)
        few = [argument for number in range(4) for argument in ("--case", str(number))]
        self.succeed(*export, *few)
        self.assertNotIn(".lock", self.names())
        self.assertEqual([name for name in self.names() if "partial" in name], [])

    def test_keeps_out_of_a_folder_that_another_machine_writes(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / ".lock").write_text(json.dumps({"host": "elsewhere", "process": 1, "started": "today"}))
        for subcommand in ("report", "export"):
            self.refuse(USAGE, subcommand, "sample.h5", "-o", "out", says=["in use", "elsewhere", "out/.lock"])
        self.assertEqual(self.names(), {".lock"})


class Models(CliTestCase):
    def test_never_replaces_what_a_model_is_made_from_or_a_checkpoint(self):
        best = self.train()
        before = self.weights("run")
        self.refuse(USAGE, "combine", best, "-o", best, says=["made from"])
        self.refuse(USAGE, "combine", best, "-o", self.folder / "run" / "checkpoint", says=["optimizer.safetensors"])
        self.assertEqual(self.weights("run"), before)
        self.succeed("combine", best, "-o", "model")
        self.refuse(USAGE, "combine", best, "-o", "model", says=["exists already", "--force"])
        self.succeed("combine", best, "-o", "model", "--force")
        (self.folder / "model" / "notes.txt").write_text("mine")
        self.refuse(USAGE, "combine", best, "-o", "model", says=["notes.txt"])


    def test_never_replaces_a_model_of_another_program(self):
        best = self.train()
        (self.folder / "model").mkdir()
        (self.folder / "model" / "model.json").write_text('{"format": "of another program"}')
        self.refuse(USAGE, "combine", best, "-o", "model", says=["no model bundle"])
        self.assertEqual((self.folder / "model" / "model.json").read_text(), '{"format": "of another program"}')

    def test_never_replaces_a_part_of_a_model_found_by_name(self):
        self.train()
        (self.folder / "shelf").mkdir()
        (self.folder / "run" / "best").rename(self.folder / "shelf" / "small")
        before = (self.folder / "shelf" / "small" / "model.json").read_bytes()
        shelf = {**os.environ, "PLUMECAST_MODELS": str(self.folder / "shelf")}
        self.refuse(USAGE, "predict", "small", "sample.h5", "-o", "shelf/small/model.json", "--force", says=["part of it"], env=shelf)
        self.refuse(USAGE, "combine", "small", "-o", "shelf/small", says=["made from"], env=shelf)
        self.assertEqual((self.folder / "shelf" / "small" / "model.json").read_bytes(), before)


class Runs(CliTestCase):
    def setUp(self):
        super().setUp()
        self.sample()

    def holder(self, **changes):
        (self.folder / "run").mkdir(exist_ok=True)
        record = {"host": socket.gethostname(), "process": 4194304, "started": "2026-01-01T00:00:00Z", **changes}
        (self.folder / "run" / ".lock").write_text(json.dumps(record))

    def test_keeps_a_second_run_out_of_its_folder(self):
        path = self.recipe(epochs=400)
        process = subprocess.Popen([PLUMECAST, "train", path], cwd=self.folder, text=True, stdout=subprocess.PIPE)
        try:
            next(line for line in process.stdout if line.startswith("epoch 1/"))
            for more in ([], ["--resume"]):
                self.refuse(USAGE, "train", path, *more, says=["run", "in use", f"process {process.pid}", "--output"])
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=TIME_LIMIT)
        self.assertFalse((self.folder / "run" / ".lock").exists())

    def test_takes_over_the_lock_of_a_killed_run(self):
        self.holder()
        self.succeed("train", self.recipe())
        self.assertFalse((self.folder / "run" / ".lock").exists())

    def test_respects_the_lock_of_another_machine(self):
        self.holder(host="elsewhere")
        self.refuse(USAGE, "train", self.recipe(), says=["elsewhere", "run/.lock when that run is gone"])
        self.assertTrue((self.folder / "run" / ".lock").exists())

    def test_refuses_to_resume_with_data_that_changed(self):
        self.sample("inputs", "other.h5")
        path = self.recipe(epochs=1)
        self.succeed("train", path)
        self.succeed("subset", "sample.h5", "-o", "fewer.h5", "--cases", "0-1")
        (self.folder / "fewer.h5").replace(self.folder / "sample.h5")
        self.refuse(MODEL, "train", path, "--resume", "--set", "epochs=2", says=["sample.h5 has changed"])

    def test_refuses_a_folder_that_holds_something_else(self):
        run = self.folder / "run"
        for name in ("best/photo.png", "checkpoint/notes.txt", "metrics.csv", "recipe.json"):
            shutil.rmtree(run, ignore_errors=True)
            (run / name).parent.mkdir(parents=True)
            (run / name).write_text("mine")
            for more in ([], ["--resume"]):
                self.refuse(USAGE, "train", self.recipe(), *more, says=["run/" + name.split("/")[0], "already", "--output"])
            self.assertEqual((run / name).read_text(), "mine")

    def test_starts_anew_where_a_run_failed_before_its_first_epoch(self):
        self.sample("broken", "broken.h5")
        self.refuse(DATA, "train", self.recipe(data={"train": "broken.h5"}), says=["broken.h5"])
        self.assertFalse((self.folder / "run").exists(), "refused before the run has a folder")
        self.sample()
        self.run_cli("train", self.recipe(), "--set", "schedule.learning_rate=1e38", "--set", "schedule.warmup_steps=0")
        self.assertTrue((self.folder / "run" / "recipe.json").exists())
        self.assertFalse((self.folder / "run" / "metrics.csv").exists())
        self.succeed("train", self.recipe(epochs=1))

    def test_never_writes_over_its_own_configuration(self):
        path = self.recipe(output=".")
        before = path.read_text()
        self.refuse(USAGE, "train", "recipe.json", says=["recipe.json", "is the input itself"])
        self.assertEqual(path.read_text(), before)


if __name__ == "__main__":
    unittest.main()
