"""Generic data, from arrays of NumPy to a trained network: any inputs and outputs, of one to three axes, with and without time."""

import contextlib
import importlib.util
import json
import math
import re
import shutil
import struct
import unittest
from pathlib import Path

from cli_test_case import DATA, USAGE, CliTestCase

REPOSITORY = Path(__file__).resolve().parents[2]
LAYOUTS = REPOSITORY / "tests/reference/layouts"


def npy(extents, values):
    """A file of NumPy's format, float32 (NEP 1)."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({', '.join(map(str, extents))},), }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}f", *values)


def positions(extents):
    """All indices of an array, in the order of its elements."""
    if not extents:
        yield ()
        return
    for first in range(extents[0]):
        for rest in positions(extents[1:]):
            yield (first, *rest)


class GenericTest(CliTestCase):
    def array(self, name, extents, value):
        (self.folder / name).write_bytes(npy(extents, [value(*at) for at in positions(extents)]))

    def import_with(self, sources, **entries):
        (self.folder / "map.json").write_text(json.dumps({"geometry": "generic", **entries}))
        return self.succeed("import", *sources, "--map", "map.json", "-o", "data.h5", "--force")

    def trained(self, epochs=30, loss="relative_l2", augment=None, data_options=(), schedule="cosine", **changes):
        """Errors of an FNO after some epochs on the data set, which it was trained on."""
        recipe = json.loads(self.succeed("config", "--default", "fno", "--data", "data.h5", *data_options))
        recipe["network"].update({"width": 8, "hidden": 16, "fourier_blocks": 2, **changes})
        recipe.update(epochs=epochs, batch_size=2, threads=1, seed=3, output="run")
        recipe["schedule"].update(learning_rate=5e-3, kind=schedule)
        recipe["loss"]["kind"] = loss
        recipe["augment"].update(augment or {})
        recipe["data"]["validation"] = "data.h5"
        (self.folder / "recipe.json").write_text(json.dumps(recipe))
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        self.assertIn("rel. L2", self.succeed("train", "recipe.json"))
        fields = json.loads(self.succeed("evaluate", "run/best", "data.h5", "--json"))["fields"]
        return {field["field"]: field["mean"] for field in fields}

    def plane(self):
        """A signed input of a plane, its double and its negative."""
        wave = lambda n, y, x: math.sin(0.7 * x + n) * math.cos(0.4 * y * n)  # noqa: E731
        self.array("a.npy", (8, 6, 7), wave)
        self.array("b.npy", (8, 6, 7), lambda *at: 2.0 * wave(*at))
        return self.import_with(["a.npy", "b.npy"], axes="y,x",
                                inputs={"coefficient": {"file": "a.npy", "axes": "nyx", "unit": "m2/s"}},
                                outputs={"u": {"file": "b.npy", "axes": "nyx"}})

    def test_a_plane_without_time_from_arrays_to_a_prediction_that_is_evaluated(self):
        self.assertIn("8 cases of 6 x 7 cells", self.plane())
        self.assertIn("valid", self.succeed("validate", "data.h5"))
        stats = self.succeed("stats", "data.h5")
        self.assertIn("/inputs/coefficient", stats)
        self.assertLess(self.trained(padding=[0, 0, 0])["u"]["relative_l2"], 0.25)
        self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5")
        self.assertIn("valid", self.succeed("validate", "fields.h5"))
        own = json.loads(self.succeed("evaluate", "fields.h5", "data.h5", "--json"))["fields"][0]
        model = json.loads(self.succeed("evaluate", "run/best", "data.h5", "--json"))["fields"][0]
        self.assertEqual((own["field"], own["unit"]), ("u", "1"))  # and yet it may be negative
        self.assertAlmostEqual(own["mean"]["relative_l2"], model["mean"]["relative_l2"], places=5)
        self.assertAlmostEqual(own["mean"]["rmse"], model["mean"]["rmse"], places=5)
        self.assertIn("RMSE", self.succeed("evaluate", "run/best", "data.h5"))
        for text in ("generic data", "u", "/inputs/coefficient"):
            self.assertIn(text, self.succeed("info", "data.h5"))
        self.assertIn("/inputs/coefficient", self.succeed("info", "run/best"))

    def test_statistics_name_the_part_that_each_array_plays(self):
        self.array("k.npy", (6,), lambda n: 1.0 + 0.3 * n)
        self.array("a.npy", (6, 9), lambda n, x: math.sin(x + n))
        self.array("s.npy", (6, 5), lambda n, t: n + 0.1 * t)
        self.array("v.npy", (6, 5, 9), lambda n, t, x: math.cos(x + n) + t)
        inputs = {name: {"file": f"{name}.npy", "axes": axes} for name, axes in (("k", "n"), ("a", "nx"), ("s", "nt"), ("v", "ntx"))}
        self.import_with(["k.npy", "a.npy", "s.npy", "v.npy"], axes="x", grid={"times": [1, 2, 3, 4, 5]}, inputs=inputs,
                         outputs={"u": {"file": "v.npy", "axes": "ntx"}})
        roles = {one["name"].rpartition("/")[2]: one["role"] for one in json.loads(self.succeed("stats", "data.h5", "--json"))["arrays"]}
        self.assertEqual({name: roles[name] for name in (*inputs, "u")},
                         {"k": "scalar", "a": "map", "s": "series", "v": "varying", "u": "output"})

    def test_maps_alone_become_fields_over_times(self):
        """No channel reads a time, and none a point: what a case is like the data say."""
        self.array("k.npy", (6,), lambda n: 1.0 + 0.3 * n)
        self.array("a.npy", (6, 9), lambda n, x: math.sin(x + n))
        self.array("u.npy", (6, 5, 9), lambda n, t, x: math.sin(x + n) * (1.0 + 0.2 * t) + 1.0)
        for inputs in ({"a": {"file": "a.npy", "axes": "nx"}}, {"k": {"file": "k.npy", "axes": "n"}}):
            with self.subTest(list(inputs)):
                self.import_with(["a.npy", "k.npy", "u.npy"], axes="x", grid={"times": [1, 2, 3, 4, 5]}, inputs=inputs,
                                 outputs={"u": {"file": "u.npy", "axes": "ntx"}})
                (self.folder / "recipe.json").write_text(self.succeed("config", "--default", "fno", "--data", "data.h5"))
                recipe = json.loads((self.folder / "recipe.json").read_text())
                recipe["channels"] = [one for one in recipe["channels"] if one["source"].startswith("/inputs/")]
                self.assertEqual(len(recipe["channels"]), 1)
                recipe["network"].update(width=6, hidden=8, fourier_blocks=2, modes=[0, 4, 3], padding=[0, 0, 0])
                recipe.update(epochs=30, batch_size=2, threads=1, output="run")
                recipe["schedule"]["learning_rate"] = 1e-2
                recipe["data"]["validation"] = "data.h5"
                (self.folder / "recipe.json").write_text(json.dumps(recipe))
                shutil.rmtree(self.folder / "run", ignore_errors=True)
                self.succeed("train", "recipe.json")
                self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5", "--force")
                self.assertIn("valid", self.succeed("validate", "fields.h5"))
                error = json.loads(self.succeed("evaluate", "fields.h5", "data.h5", "--json"))["fields"][0]["mean"]["relative_l2"]
                self.assertLess(error, 0.3 if "a" in inputs else 1.0)

    def test_axes_of_one_point_have_no_modes(self):
        self.plane()
        recipe = json.loads(self.succeed("config", "--default", "fno", "--data", "data.h5"))
        self.assertEqual(recipe["network"]["modes"], [3, 3, 0])
        self.assertEqual(recipe["network"]["padding"], [8, 8, 0])
        for architecture in ("f_fno", "uno", "conv_fno", "ufno", "cnn"):
            with self.subTest(architecture):
                recipe = json.loads(self.succeed("config", "--default", architecture, "--data", "data.h5", "--set", "epochs=1",
                                                 "--set", "output=run", "--set", "network.width=4", "--set", "network.hidden=4"))
                if architecture != "cnn":  # which has none
                    self.assertEqual(recipe["network"]["modes"], [3, 3, 0])
                (self.folder / "recipe.json").write_text(json.dumps(recipe))
                shutil.rmtree(self.folder / "run", ignore_errors=True)
                self.succeed("train", "recipe.json")
                self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5", "--force")
        self.trained(epochs=1, padding=[0, 0, 0])
        half = json.loads(self.succeed("info", "run/best", "--json"))["networks"][0]["parameters"]
        self.trained(epochs=1, padding=[0, 0, 0], modes=[3, 3, 1])  # as it was before: both signs of all modes
        whole = json.loads(self.succeed("info", "run/best", "--json"))["networks"][0]["parameters"]
        self.assertEqual(whole - half, 2 * 6 * 3 * 8 * 8)
        self.succeed("predict", "run/best", "data.h5", "-o", "before.h5")
        self.array("u.npy", (2, 3, 6, 7), lambda n, t, y, x: 1.0 * t)
        self.trained(epochs=1, padding=[0, 0, 0])
        self.import_with(["u.npy"], axes="y,x", grid={"times": [1, 2, 3]}, inputs={"coefficient": {"axes": "ntyx", "entries": {"t": 0}, "unit": "m2/s"}},
                         outputs={"u": {"axes": "ntyx"}})
        self.refuse(USAGE, "predict", "run/best", "data.h5", "-o", "t.h5", says=["no modes along axis 2, which is one point"])

    @unittest.skipUnless(importlib.util.find_spec("scipy") and importlib.util.find_spec("h5py"), "SciPy or h5py is not installed")
    def test_files_of_matlab_before_version_7_3_come_by_the_lines_of_the_page(self):
        import numpy
        import scipy.io

        page = (REPOSITORY / "docs/operators.md").read_text(encoding="utf-8")
        row = re.search(r"^\| MATLAB before version 7\.3 .*$", page, re.MULTILINE).group()
        read, save = re.findall(r"`([^`]+)`", row)
        file = re.search(r'loadmat\("(.+?)"\)', read).group(1)
        coefficients = numpy.random.default_rng(1).uniform(3, 12, (4, 6, 7))
        for compressed in (False, True):
            with self.subTest(compressed=compressed), contextlib.chdir(self.folder):
                scipy.io.savemat(file, {"coeff": coefficients, "sol": -coefficients}, format="5", do_compression=compressed)
                self.assertTrue(Path(file).read_bytes().startswith(b"MATLAB 5.0 MAT-file"))
                names = {"scipy": scipy, "numpy": numpy}
                exec(read, names)
                exec(save, names)
                exec(save.replace("coeff", "sol"), names)
                self.assertIn("4 cases of 6 x 7 cells", self.import_with(
                    ["coeff.npy", "sol.npy"], axes="y,x", inputs={"coefficient": {"file": "coeff.npy", "axes": "nyx"}},
                    outputs={"u": {"file": "sol.npy", "axes": "nyx"}}))
                self.assertIn("valid", self.succeed("validate", "data.h5"))
                self.assertLess(numpy.abs(self.stored("/inputs/coefficient") - coefficients).max(), 1e-6)
                self.assertLess(numpy.abs(self.stored("/outputs/u") + coefficients).max(), 1e-6)

    def stored(self, array):
        import h5py

        with h5py.File(self.folder / "data.h5") as file:
            return file[array][:]

    def test_ready_made_channels_train(self):
        """Of an array with an axis of channels, as a channel file has it, [N, Z, R, T, C]."""
        self.array("channels.npy", (6, 4, 5, 2, 3), lambda n, y, x, t, c: math.sin(x + n) * (c == 1) + c * (1.0 + t))
        self.array("u.npy", (6, 2, 4, 5), lambda n, t, y, x: math.sin(x + n) - t)
        channel = lambda c: {"file": "channels.npy", "axes": "nyxtc", "entries": {"c": c}}  # noqa: E731
        self.import_with(["channels.npy", "u.npy"], axes="y,x", grid={"times": [1, 2]}, inputs={"first": channel(1), "second": channel(2)},
                         outputs={"u": {"file": "u.npy", "axes": "ntyx"}})
        self.assertLess(self.trained(padding=[0, 0, 0])["u"]["relative_l2"], 0.3)
        (self.folder / "map.json").write_text(json.dumps({"geometry": "generic", "axes": "y,x", "inputs": {
            "first": {"file": "channels.npy", "axes": "nyxtc"}}, "outputs": {"u": {"file": "u.npy", "axes": "nyxt"}}}))
        self.refuse(USAGE, "import", "channels.npy", "u.npy", "--map", "map.json", "-o", "no.h5", says=["take one entry of the others"])

    def test_trains_by_every_loss(self):
        self.plane()
        for kind in ("h1", "mse"):
            with self.subTest(kind):
                self.assertLess(self.trained(loss=kind, padding=[0, 0, 0])["u"]["relative_l2"], 0.3)
                self.assertEqual(json.loads((self.folder / "run/recipe.json").read_text())["loss"]["kind"], kind)

    def metrics(self):
        """What a run recorded of its epochs, without times."""
        epochs = [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()]
        return [{key: value for key, value in epoch.items() if key != "seconds"} for epoch in epochs]

    def test_cases_that_are_their_own_mirror_images_train_the_same_moved(self):
        for name, odd in (("even", 0), ("skew", 1)):
            with self.subTest(name):
                wave = lambda n, y, x: math.cos((x - 2.5) * (n + 1) / 4) * math.cos((y - 2.5) * (n + 1) / 4) + odd * math.sin(x + n)  # noqa: E731
                self.array("a.npy", (8, 6, 6), wave)
                self.array("b.npy", (8, 6, 6), lambda *at: wave(*at) ** 2)
                self.import_with(["a.npy", "b.npy"], axes="y,x", inputs={"a": {"file": "a.npy", "axes": "nyx"}},
                                 outputs={"u": {"file": "b.npy", "axes": "nyx"}})
                self.trained(epochs=3, padding=[0, 0, 0])
                plain = self.metrics()
                self.trained(epochs=3, padding=[0, 0, 0], augment={"flip": ["x", "y"], "rotate": True})
                moved = self.metrics()
                for one, other in zip(plain, moved):
                    same = math.isclose(one["train_loss"], other["train_loss"], rel_tol=1e-4)
                    self.assertEqual(same, not odd)

    def test_a_run_with_moved_cases_that_is_resumed_ends_with_the_same_weights(self):
        self.plane()
        moves = {"flip": ["x"], "odd_in_x": ["coefficient", "u"]}

        def states():
            """Weights and optimizer as the run leaves them."""
            files = sorted((self.folder / "run/checkpoint").glob("*.safetensors"))
            self.assertEqual(len(files), 2)
            return [file.read_bytes() for file in files]

        self.trained(epochs=4, padding=[0, 0, 0], augment=moves, schedule="constant")
        whole = states()
        self.trained(epochs=2, padding=[0, 0, 0], augment=moves, schedule="constant")
        recipe = json.loads((self.folder / "recipe.json").read_text())
        recipe["epochs"] = 4
        (self.folder / "recipe.json").write_text(json.dumps(recipe))
        self.succeed("train", "recipe.json", "--resume")
        self.assertEqual(states(), whole)

    def test_moves_that_the_data_do_not_allow_are_named(self):
        self.plane()
        for augment, says in (({"rotate": True}, "do not have the same points"), ({"flip": ["z"]}, "no such axis"),
                              ({"flip": ["x"], "odd_in_x": ["w"]}, "nothing of that name")):
            with self.subTest(says):
                recipe = json.loads(self.succeed("config", "--default", "fno", "--data", "data.h5", "--set", "output=run"))
                recipe["augment"].update(augment)
                (self.folder / "recipe.json").write_text(json.dumps(recipe))
                self.refuse(USAGE, "train", "recipe.json", says=[says])

    def test_constants_of_points_stay_with_the_model_which_keeps_to_its_grid(self):
        def plane(points):
            self.array("a.npy", (8, points, 7), lambda n, y, x: 1.0 + 50.0 * y + math.sin(x + n))
            self.array("b.npy", (8, points, 7), lambda n, y, x: -3.0 - 100.0 * y + 2.0 * math.sin(x + n))
            self.import_with(["a.npy", "b.npy"], axes="y,x", inputs={"a": {"file": "a.npy", "axes": "nyx"}},
                             outputs={"u": {"file": "b.npy", "axes": "nyx"}})

        plane(6)
        errors = self.trained(padding=[0, 0, 0], data_options=["--per-point"])["u"]
        self.assertLess(errors["rmse"], 0.5)  # of a deviation of 1.4 at each point, and of 170 over all
        self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5")
        own = json.loads(self.succeed("evaluate", "fields.h5", "data.h5", "--json"))["fields"][0]["mean"]
        self.assertAlmostEqual(own["rmse"], errors["rmse"], places=3)
        self.assertIn("it has constants of each of them, and predicts no others", self.succeed("info", "run/best"))
        plane(5)
        self.refuse(DATA, "predict", "run/best", "data.h5", "-o", "f.h5", says=["constants of the points [6, 7] of its training"])

    def test_rolls_over_all_times_of_data_that_it_learnt_in_windows(self):
        turn = 2 * math.pi / 12
        wave = lambda n, t, x: math.sin(turn * (x - t) + n) + 0.3 * math.cos(2 * turn * (x - t) + 2 * n)  # noqa: E731

        def waves(times, step=1):
            self.array("u.npy", (6, times + 2, 12), wave)
            self.import_with(["u.npy"], axes="x", grid={"times": list(range(2, 2 + step * times, step))},
                             inputs={"u0": {"axes": "ntx", "entries": {"t": 0}}, "u1": {"axes": "ntx", "entries": {"t": 1}}},
                             outputs={"u": {"axes": "ntx", "entries": {"t": [2, times + 2]}}})

        waves(6)
        self.trained(epochs=40, padding=[0, 0, 0], modes=[1, 4, 1], data_options=["--rollout", "1"])
        recipe = json.loads((self.folder / "run/recipe.json").read_text())
        self.assertEqual(recipe["rollout"], {"steps": 1, "states": [{"output": "u", "inputs": ["u0", "u1"]}]})
        self.assertNotIn("time", [channel["name"] for channel in recipe["channels"]])
        self.assertIn("rolls     u over 1 time at once, from u0, u1", self.succeed("info", "run/best"))
        waves(15)  # beyond the times of the training
        errors = json.loads(self.succeed("evaluate", "run/best", "data.h5", "--json"))["fields"][0]["mean"]
        self.assertLess(errors["relative_l2"], 0.3)
        self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5")
        self.assertIn("valid", self.succeed("validate", "fields.h5"))
        own = json.loads(self.succeed("evaluate", "fields.h5", "data.h5", "--json"))["fields"][0]["mean"]
        self.assertAlmostEqual(own["relative_l2"], errors["relative_l2"], places=5)
        waves(6, step=2)
        self.refuse(USAGE, "predict", "run/best", "data.h5", "-o", "other.h5", says=["its times lie 2 apart (the model rolls by steps of 1)"])
        self.array("u.npy", (6, 4, 12), lambda n, t, x: wave(n, t * t, x))
        self.import_with(["u.npy"], axes="x", grid={"times": [1, 4]},
                         inputs={"u0": {"axes": "ntx", "entries": {"t": 0}}},
                         outputs={"u": {"axes": "ntx", "entries": {"t": [1, 3]}}})
        self.refuse(DATA, "predict", "run/best", "data.h5", "-o", "f.h5", says=["no input u1"])

    def test_a_network_of_other_authors_becomes_one_of_named_data(self):
        """An FNO of their script, on x and t."""
        names = [f"in{channel}" for channel in range(3)]
        for name in (*names, "u"):
            self.array(f"{name}.npy", (2, 10, 13), lambda *at: math.sin(sum(at)))
        self.import_with([*(f"{name}.npy" for name in names), "u.npy"], axes="x", grid={"times": list(range(13))},
                         inputs={name: {"file": f"{name}.npy", "axes": "nxt"} for name in names},
                         outputs={"u": {"file": "u.npy", "axes": "nxt"}})
        recipe = json.loads(self.succeed("config", "--default", "fno", "--data", "data.h5"))
        recipe["channels"] = [channel for channel in recipe["channels"] if channel["source"].startswith("/inputs/")]
        (self.folder / "recipe.json").write_text(json.dumps(recipe))
        weights = ("import-weights", LAYOUTS / "script_2d.safetensors", "-o", "model", "--channels", "recipe.json")
        self.refuse(USAGE, *weights, "--field", "w", says=["--field w is unknown (known: gas_saturation, pressure_buildup, u)"])
        self.assertIn("for u", self.succeed(*weights, "--activation", "gelu", "--padding", "3,2"))
        network = json.loads(self.succeed("info", "model", "--json"))["networks"][0]
        self.assertEqual([channel["source"] for channel in network["channels"]], [f"/inputs/{name}" for name in names])
        self.assertEqual(network["fields"], recipe["fields"])

    def test_a_line_with_time_reads_numbers_series_and_fields(self):
        self.array("u.npy", (8, 5, 12), lambda n, t, x: math.sin(x / 2.0 + n) * math.exp(-0.3 * t))
        self.array("k.npy", (8,), lambda n: 1.0 + n)
        self.array("q.npy", (8, 4), lambda n, t: float(t))
        self.import_with(["u.npy", "k.npy", "q.npy"], axes="x", grid={"times": [1, 2, 3, 4], "x": list(range(12))},
                         inputs={"start": {"file": "u.npy", "axes": "ntx", "entries": {"t": 0}},
                                 "before": {"file": "u.npy", "axes": "ntx", "entries": {"t": [0, 4]}},
                                 "k": {"file": "k.npy", "axes": "n"},
                                 "q": {"file": "q.npy", "axes": "nt"}},
                         outputs={"u": {"file": "u.npy", "axes": "ntx", "entries": {"t": [1, 5]}}})
        recipe = json.loads(self.succeed("config", "--default", "fno", "--data", "data.h5"))
        self.assertEqual([channel["name"] for channel in recipe["channels"]],
                         ["before", "k", "q", "start", "x", "time"])
        self.assertLess(self.trained(padding=[0, 0, 0], modes=[1, 4, 2])["u"]["relative_l2"], 0.2)
        self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5")
        self.assertIn("valid", self.succeed("validate", "fields.h5"))
        again = self.run_cli("predict", "run/best", "fields.h5", "-o", "again.h5")
        self.assertEqual(again.stderr, "")
        self.succeed("evaluate", "fields.h5", "again.h5")
        self.succeed("split", "data.h5", "-o", "parts", "--parts", "train=0.5,validation=0.25,test=0.25", "--exact")
        self.succeed("merge", "parts/train.h5", "parts/test.h5", "-o", "joined.h5")
        self.assertIn("valid", self.succeed("validate", "joined.h5"))

    def test_a_box_with_two_outputs_and_another_resolution(self):
        for name, points in (("coarse", 4), ("fine", 6)):
            self.array("a.npy", (6, points, 4, 5), lambda n, z, y, x: math.sin(z / points * 3.0 + y + n) + x)
            self.array("b.npy", (6, points, 4, 5), lambda n, z, y, x: -math.sin(z / points * 3.0 + y + n) - x)
            self.import_with(["a.npy", "b.npy"], axes="z,y,x",
                             inputs={"a": {"file": "a.npy", "axes": "nzyx"}},
                             outputs={"minus": {"file": "b.npy", "axes": "nzyx"}, "same": {"file": "a.npy", "axes": "nzyx"}})
            (self.folder / "data.h5").rename(self.folder / f"{name}.h5")
        (self.folder / "data.h5").write_bytes((self.folder / "coarse.h5").read_bytes())
        errors = self.trained(epochs=60, padding=[0, 0, 0, 0], modes=[2, 2, 2, 1])
        self.assertLess(errors["minus"]["relative_l2"], 0.2)
        self.assertLess(errors["same"]["relative_l2"], 0.2)
        finer = json.loads(self.succeed("evaluate", "run/best", "fine.h5", "--json"))["fields"]
        self.assertLess(finer[0]["mean"]["relative_l2"], 0.4)

    def test_a_unet_takes_a_plane_with_time(self):
        self.array("u.npy", (4, 3, 8, 8), lambda n, t, y, x: math.sin(x + n) * math.cos(y) * math.exp(-0.2 * t))
        self.import_with(["u.npy"], axes="y,x", grid={"times": [1, 2]},
                         inputs={"start": {"axes": "ntyx", "entries": {"t": 0}}},
                         outputs={"u": {"axes": "ntyx", "entries": {"t": [1, 3]}}})
        self.succeed("config", "--default", "ufno", "--data", "data.h5")
        recipe = json.loads(self.succeed("config", "--default", "ufno", "--data", "data.h5", "--set", "network.width=4",
                                         "--set", "epochs=1", "--set", "output=run"))
        (self.folder / "recipe.json").write_text(json.dumps(recipe))
        self.succeed("train", "recipe.json")
        self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5")

    def test_plots_lines_planes_and_slices_of_boxes(self):
        self.plane()
        self.trained(epochs=1)
        self.succeed("predict", "run/best", "data.h5", "-o", "fields.h5")
        self.succeed("plot", "fields.h5", "--compare", "data.h5", "--case", "3", "-o", "plane.svg")
        self.succeed("plot", "data.h5", "--inputs", "-o", "inputs.svg")
        self.assertIn("coefficient", self.succeed("plot", "data.h5", "--field", "coefficient", "-o", "one.png"))
        self.refuse(USAGE, "plot", "data.h5", "--section", "x", "-o", "p.png", says=["has two axes"])
        self.refuse(USAGE, "plot", "data.h5", "--radius", "3", "-o", "p.png", says=["they are generic data"])
        self.array("u.npy", (3, 4, 9), lambda n, t, x: math.sin(x + n - t))
        self.import_with(["u.npy"], axes="x", grid={"times": [1, 2, 3]}, inputs={"u0": {"axes": "ntx", "entries": {"t": 0}}},
                         outputs={"u": {"axes": "ntx", "entries": {"t": [1, 4]}}})
        self.succeed("plot", "data.h5", "--case", "2", "-o", "line.svg")
        self.succeed("plot", "data.h5", "--compare", "data.h5", "--time", "last", "-o", "compared.svg")
        self.succeed("plot", "data.h5", "--inputs", "-o", "start.svg")
        self.refuse(USAGE, "plot", "data.h5", "--section", "x", "-o", "p.png", says=["has one axis of 9 points"])
        self.array("b.npy", (2, 4, 5, 6), lambda n, z, y, x: z + y - x)
        self.import_with(["b.npy"], axes="z,y,x", inputs={"b": {"axes": "nzyx"}}, outputs={"v": {"axes": "nzyx"}})
        for section in ("x", "y", "layer"):
            self.succeed("plot", "data.h5", "--section", section, "--at", "1", "-o", f"{section}.svg")
        self.succeed("plot", "data.h5", "-o", "middle.svg")
        self.refuse(USAGE, "plot", "data.h5", "--section", "layer", "--at", "4", "-o", "p.png", says=["4 cells along z"])
        for picture in ("plane", "inputs", "line", "compared", "start", "x", "y", "layer", "middle"):
            self.assertIn("<svg", (self.folder / f"{picture}.svg").read_text())

    def test_chooses_cases_by_numbers_of_their_own(self):
        self.array("u.npy", (6, 5), lambda n, x: float(x))
        self.array("k.npy", (6,), lambda n: 0.5 * n)
        self.import_with(["u.npy", "k.npy"], axes="x", inputs={"k": {"file": "k.npy", "axes": "n"}},
                         outputs={"u": {"file": "u.npy", "axes": "nx"}})
        for name in ("k", "/inputs/k"):
            self.assertIn("2 cases", self.succeed("subset", "data.h5", "-o", "few.h5", "--where", f"{name}=0.9:1.6", "--force"))

    def test_a_case_whose_points_are_all_masked_is_named(self):
        self.array("u.npy", (2, 3), lambda n, x: float(x))
        self.array("m.npy", (2, 3), lambda n, x: float(n))
        (self.folder / "map.json").write_text(json.dumps(
            {"geometry": "generic", "axes": "x", "inputs": {"active": {"file": "m.npy", "axes": "nx"}, "a": {"file": "u.npy", "axes": "nx"}},
             "outputs": {"u": {"file": "u.npy", "axes": "nx"}}}))
        made = self.run_cli("import", "u.npy", "m.npy", "--map", "map.json", "-o", "data.h5")
        checked = made if made.returncode else self.run_cli("validate", "data.h5")
        self.assertEqual(checked.returncode, DATA)
        self.assertIn("case 0: no point counts", checked.stdout + checked.stderr)

    def test_what_only_reservoirs_have_is_refused_by_name(self):
        self.plane()
        for arguments in (["estimate", "data.h5", "-o", "e.h5"], ["report", "data.h5", "-o", "r"],
                          ["export", "data.h5", "-o", "x", "--format", "vtk"]):
            with self.subTest(arguments[0]):
                self.refuse(DATA, *arguments, says=["holds generic data, no reservoirs"])
        sample = self.sample()
        self.refuse(USAGE, "config", "--default", "fno", "--data", sample, says=["describes reservoirs"])
        self.trained()
        self.refuse(DATA, "predict", "run/best", sample, "-o", "f.h5", says=["no input /inputs/coefficient"])

    def test_other_units_are_refused_and_points_and_inputs_beyond_the_training_warned_of(self):
        def line(start, unit="m", **grid):
            self.array("a.npy", (4, 8), lambda n, x: start + math.sin(x + n))
            self.import_with(["a.npy"], axes="x", grid=grid, inputs={"a": {"axes": "nx", "unit": unit}},
                             outputs={"u": {"axes": "nx"}})

        line(0.0)
        self.trained(epochs=1)
        line(0.0, unit="km")
        self.refuse(DATA, "predict", "run/best", "data.h5", "-o", "f.h5", says=["/inputs/a is in km", "has it in m"])
        line(9.0)
        self.assertIn("/inputs/a", self.run_cli("predict", "run/best", "data.h5", "-o", "f.h5", "--force").stderr)
        line(0.0, x=list(range(8)))
        self.assertIn("/grid/x", self.run_cli("predict", "run/best", "data.h5", "-o", "f.h5", "--force").stderr)
        line(0.0)
        self.assertEqual(self.run_cli("predict", "run/best", "data.h5", "-o", "f.h5", "--force").stderr, "")
        self.assertIn("1 x 8 x 1", self.succeed("explain", "run/best").replace("[1, 8, 1]", "1 x 8 x 1"))

    def test_a_value_that_is_not_finite_or_an_input_that_is_missing_is_named(self):
        self.array("a.npy", (2, 3, 3), lambda n, y, x: math.nan if (n, y, x) == (1, 2, 0) else 1.0 * x)
        self.import_with(["a.npy"], axes="y,x", inputs={"a": {"axes": "nyx"}}, outputs={"u": {"axes": "nyx"}})
        result = self.run_cli("validate", "data.h5")
        self.assertEqual(result.returncode, DATA)
        self.assertIn("case 1, entry 6: value NaN is not finite", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
