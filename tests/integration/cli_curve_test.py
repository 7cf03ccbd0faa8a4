import json
import math
import re
import signal
import struct
import unittest
import xml.etree.ElementTree as ElementTree

from cli_test_case import DATA, RESUME_ME, SYSTEM, USAGE, CliTestCase
from event_records import crc32c, scalars

EVENTS = "events.out.tfevents.plumecast"


class Curve(CliTestCase):
    def test_draws_several_runs_in_each_format(self):
        self.train(output="runs/wide", epochs=3)
        self.train("pressure_buildup", output="runs/small")
        output = self.succeed("curve", "runs/wide", "runs/small", "-o", "curves.svg")
        self.assertRegex(output, r"(?m)^wide: 3 epochs, lowest validation loss [0-9.]+ after epoch [123]$")
        self.assertIn("curves.svg: learning curves of 2 runs", output)
        self.assertIn("svg", ElementTree.parse(self.folder / "curves.svg").getroot().tag)
        for name, start in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF-")):
            self.succeed("curve", "runs/wide", "-o", name)
            self.assertTrue((self.folder / name).read_bytes().startswith(start))

    def lines(self, name):
        """The points of each line of an SVG, dashed ones marked. Cairo writes a style, from 1.18 attributes of the same names."""
        found = ElementTree.parse(self.folder / name).getroot().iter("{http://www.w3.org/2000/svg}path")
        styles = [(line, dict(part.split(":") for part in line.get("style", "").split(";") if part) | line.attrib) for line in found]
        pairs = [("stroke-dasharray" in style, re.findall(r"[ML] ([0-9.]+) ([0-9.]+)", line.get("d", "")))
                 for line, style in styles if style.get("stroke-width", "").strip() == "1.8"]
        return [(dashed, [(float(x), float(y)) for x, y in points]) for dashed, points in pairs if len(points) > 2]

    def test_draws_what_the_records_say(self):
        self.train("pressure_buildup", epochs=5)
        self.succeed("curve", "run", "-o", "c.svg", "--error", "mae")
        records = [json.loads(line) for line in (self.folder / "run" / "metrics.jsonl").read_text().splitlines()]
        wanted = [[record[name] for record in records] for name in ("train_loss", "validation_loss")]
        wanted.append([record["fields"][0]["mae"] for record in records])
        lines = self.lines("c.svg")
        self.assertEqual([dashed for dashed, _ in lines], [True, False, False])
        for (_, points), values in zip(lines, wanted):
            steps = [after[0] - before[0] for before, after in zip(points, points[1:])]
            self.assertEqual(len(points), 5)
            self.assertLess(max(steps) - min(steps), 1e-3)
            low, high = values.index(min(values)), values.index(max(values))
            scale = (points[high][1] - points[low][1]) / math.log(values[high] / values[low])
            self.assertLess(scale, 0, "upwards")
            for (_, y), value in zip(points, values):
                self.assertAlmostEqual(y, points[low][1] + scale * math.log(value / values[low]), delta=0.01)

    def test_grows_by_a_chart_for_each_error_and_field(self):
        self.train(["gas_saturation", "pressure_buildup"])
        heights = []
        for errors in ((), ("r2",), ("r2", "mae", "relative_l2")):
            self.succeed("curve", "run", "-o", "c.png", *(part for name in errors for part in ("--error", name)))
            heights.append(struct.unpack(">I", (self.folder / "c.png").read_bytes()[20:24])[0])
        self.assertEqual([height // heights[0] for height in heights], [1, 1, 2])
        self.assertEqual(heights[2] * 3, heights[0] * 7, "loss and two fields of one or three errors")

    def test_draws_a_run_without_validation(self):
        self.sample()
        self.succeed("train", self.recipe(data={"train": "sample.h5"}, epochs=1))
        output = self.succeed("curve", "run", "--labels", "no validation", "-o", "c.png")
        self.assertRegex(output, r"(?m)^no validation: 1 epoch, lowest training loss")

    def test_tells_folders_of_one_name_apart(self):
        self.train(output="a/run")
        self.train(output="b/run")
        output = self.succeed("curve", "a/run", "b/run/", "-o", "c.png")
        self.assertIn("a/run: 2 epochs", output)
        self.assertIn("b/run/: 2 epochs", output)

    def test_refuses_what_is_no_run(self):
        self.train()
        (self.folder / "empty").mkdir()
        self.refuse(SYSTEM, "curve", "nowhere", "-o", "c.png", says=["nowhere", "no such folder"])
        self.refuse(USAGE, "curve", "sample.h5", "-o", "c.png", says=["sample.h5", "is a file"])
        self.refuse(USAGE, "curve", "empty", "-o", "c.png", says=["empty", "no training run"])
        self.refuse(USAGE, "curve", "run", "run/best", "-o", "c.png", says=["run/best", "a model", "give the folder"])
        (self.folder / "empty" / "recipe.json").write_text("{}")
        self.refuse(USAGE, "curve", "empty", "-o", "c.png", says=["without an epoch"])
        (self.folder / "run" / "metrics.jsonl").write_text('{"epoch": 1}\n')
        self.refuse(DATA, "curve", "run", "-o", "c.png", says=["metrics.jsonl: line 1"])
        self.assertFalse((self.folder / "c.png").exists())

    def test_refuses_labels_and_errors_that_do_not_fit(self):
        self.train()
        self.refuse(USAGE, "curve", "run", "-o", "c.png", "--labels", "a,b", says=["--labels", "2 names for 1 runs"])
        self.refuse(USAGE, "curve", "run", "-o", "c.png", "--error", "rmse", says=["--error", "relative_l2"])
        self.refuse(USAGE, "curve", *["run"] * 9, "-o", "c.png", says=["9 runs"])
        self.refuse(USAGE, "curve", "run", "-o", "run/metrics.jsonl", says=["is the input itself"])


class EventFiles(CliTestCase):
    def records(self, run="run"):
        return [json.loads(line) for line in (self.folder / run / "metrics.jsonl").read_text().splitlines()]

    def expect_the_records(self, run="run"):
        """The event file says what metrics.jsonl says, once per epoch."""
        found = scalars(self.folder / run / EVENTS)
        records = self.records(run)
        wanted = {tag: [] for tag in found}
        for record in records:
            step = record["epoch"]
            wanted["loss/train"].append((step, record["train_loss"]))
            wanted["loss/validation"].append((step, record["validation_loss"]))
            wanted["learning_rate"].append((step, record["learning_rate"]))
            wanted["seconds"].append((step, record["seconds"]))
            for field in record["fields"]:
                for name in ("mpe", "mre", "relative_l2", "r2", "r2_plume", "mae"):
                    wanted[f"{field['field']}/{name}"].append((step, field[name]))
        self.assertEqual(found.keys(), wanted.keys())
        for tag, entries in found.items():
            self.assertEqual([step for step, _ in entries], [step for step, _ in wanted[tag]], tag)
            for (_, value), (_, exact) in zip(entries, wanted[tag]):
                self.assertAlmostEqual(value, exact, delta=1e-6 * abs(exact) + 1e-30, msg=tag)
        return found

    def test_checks_with_the_checksum_of_the_standard(self):
        self.assertEqual(crc32c(bytes(32)), 0x8A9136AA)
        self.assertEqual(crc32c(bytes(range(32))), 0x46DD794E)
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)

    def test_are_written_on_request_only(self):
        self.train()
        self.assertFalse((self.folder / "run" / EVENTS).exists())
        self.succeed("train", "recipe.json", "--output", "other", "--tensorboard")
        self.assertEqual(len(self.expect_the_records("other")["loss/train"]), 2)

    def test_go_on_where_a_run_resumes(self):
        self.sample()
        path = self.recipe(epochs=2)
        self.succeed("train", path, "--tensorboard")
        before = (self.folder / "run" / EVENTS).read_bytes()
        self.succeed("train", path, "--resume", "--set", "epochs=4")
        self.expect_the_records()
        self.assertTrue((self.folder / "run" / EVENTS).read_bytes().startswith(before))

    def test_begin_with_the_epochs_of_a_run_that_had_none(self):
        self.train()
        self.succeed("train", self.folder / "recipe.json", "--resume", "--set", "epochs=3", "--tensorboard")
        self.assertEqual(len(self.expect_the_records()["loss/train"]), 3)

    def test_have_no_doubles_and_no_gaps_after_kills(self):
        self.sample()
        path = self.recipe(epochs=12)
        for sent, code, epoch in ((signal.SIGKILL, -signal.SIGKILL, 3), (signal.SIGTERM, RESUME_ME, 7)):
            self.assertEqual(self.train_and_send(sent, path, epoch, "--tensorboard", "--resume")[0], code)
        events = self.folder / "run" / EVENTS
        events.write_bytes(events.read_bytes()[:-7])
        self.succeed("train", path, "--tensorboard", "--resume")
        self.assertEqual(len(self.expect_the_records()["loss/validation"]), 12)

    def test_leave_a_foreign_file_alone(self):
        self.sample()
        (self.folder / "run").mkdir()
        (self.folder / "run" / EVENTS).write_text("mine")
        self.refuse(USAGE, "train", self.recipe(), "--tensorboard", says=[EVENTS, "is there already"])
        self.assertEqual((self.folder / "run" / EVENTS).read_text(), "mine")

    def test_are_what_tensorboard_reads(self):
        try:
            from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
        except ImportError as missing:
            self.skipTest(f"TensorBoard is not installed ({missing}); the other tests decode the files themselves")
        self.sample()
        self.succeed("train", self.recipe(), "--tensorboard")
        mine = self.expect_the_records()
        theirs = EventAccumulator(str(self.folder / "run"))
        theirs.Reload()
        self.assertEqual(set(theirs.Tags()["scalars"]), set(mine))
        for tag, entries in mine.items():
            self.assertEqual([(event.step, event.value) for event in theirs.Scalars(tag)], entries)


if __name__ == "__main__":
    unittest.main()
