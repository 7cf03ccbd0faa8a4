"""A model behind `plumecast serve` is used like one that is loaded."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import plumecast
import sample
from plumecast.service import _Service

CASE = {
    "injection_rate": 1.0, "initial_pressure": 150.0, "temperature": 60.0, "irreducible_water_saturation": 0.2, "van_genuchten_lambda": 0.5,
    "thickness": 100.0, "permeability_r": 100.0, "permeability_z": 10.0, "porosity": 0.2, "perforation": {"top": 50.0, "bottom": 100.0},
}  # fmt: skip

PLUMECAST = os.environ.get("PLUMECAST", str(sample.REPOSITORY / "build" / "mpi" / "apps" / "plumecast"))


def _serves() -> bool:
    if not os.access(PLUMECAST, os.X_OK):
        return False
    told = subprocess.run([PLUMECAST, "serve", "--help"], capture_output=True, text=True)
    return told.returncode == 0 and "--token-file" in told.stdout


class ProgressTest(unittest.TestCase):
    def test_goes_on_where_a_stream_ends_within_a_line(self) -> None:
        class Cut(_Service):
            def opened(self, *_: Any, **__: Any) -> Any:
                return io.BytesIO(b'event: progress\ndata: {"state": "running", "done": 1}\n\nevent: done\ndata: {"state": "do')

            def ask(self, *_: Any, **__: Any) -> bytes:
                return b'{"state": "done", "done": 2}'

        told = list(Cut("localhost:1", None, 1.0, None).progress("v1/ensembles/1"))
        self.assertEqual(told, [{"state": "running", "done": 1}, {"state": "done", "done": 2}])


@unittest.skipUnless(_serves(), "no executable plumecast that serves")
class ServiceTest(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]
    process: subprocess.Popen[str]
    token = "a-token-of-this-test"

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        (Path(cls.folder.name) / "token").write_text(cls.token)
        models = sample.REPOSITORY / "models"
        cls.process = subprocess.Popen(
            [PLUMECAST, "serve", str(models / "radial-co2-fast"), str(models / "radial-co2"), "--port", "0", "--token-file", "token"],
            cwd=cls.folder.name, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        line = ""
        assert cls.process.stderr is not None
        while "serving" not in line:
            line = cls.process.stderr.readline()
            assert line, "the service did not start"
        found = re.search(r"http://\S+:\d+/", line)
        assert found is not None
        cls.url = found[0].rstrip(",")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.process.terminate()
        cls.process.wait(60)
        assert cls.process.stderr is not None
        cls.process.stderr.close()
        cls.folder.cleanup()

    def test_predicts_with_the_bits_of_the_model(self) -> None:
        local = sample.model()
        served = plumecast.connect(self.url, token=self.token)
        self.assertEqual((served.name, served.hash), ("radial-co2-fast", local.hash))
        for name, one in served.inputs.items():
            self.assertEqual((one.unit, one.axes), (local.inputs[name].unit, local.inputs[name].axes))
        self.assertEqual(set(local.inputs) - set(served.inputs), {"r_edges", "z_edges", "times", "active", "schedule_end", "schedule_rate"})
        for name, axis in local.grid.items():
            np.testing.assert_array_equal(served.grid[name], axis)
        cases = sample.cases()
        expected, fields = local.predict(cases), served.predict(cases)
        assert isinstance(fields, plumecast.Fields)
        self.assertEqual(set(fields), set(expected))
        for name in expected:
            np.testing.assert_array_equal(fields[name], expected[name])
        self.assertEqual([one.trust for one in fields.verdicts], [one.trust for one in expected.verdicts])
        banded, known = served.predict(str(sample.RADIAL), uncertainty=True), local.predict(str(sample.RADIAL), uncertainty=True)
        assert isinstance(banded, plumecast.Fields) and isinstance(known, plumecast.Fields)
        np.testing.assert_array_equal(banded["gas_saturation_high"], known["gas_saturation_high"])
        self.assertIn("plume_radius_0.01", fields.measure()[0])
        self.assertIn("radial-co2-fast", repr(served))

    def test_takes_files_fields_and_the_name_of_a_model(self) -> None:
        served = plumecast.connect(self.url, "radial-co2", token=self.token)
        fields = served.predict(str(sample.RADIAL), fields=["gas_saturation"])
        assert isinstance(fields, plumecast.Fields)
        self.assertEqual((list(fields), fields["gas_saturation"].shape), (["gas_saturation"], (8, 24, 32, 64)))
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "fields.h5"
            self.assertEqual(served.predict(sample.cases(), output=output), output)
            self.assertEqual(len(plumecast.Cases.open(output)), 1)
        estimated = served.estimate(sample.cases(), buildup_limit=1e-3)
        assert isinstance(estimated, plumecast.Fields)
        self.assertIn("dissolved_co2", estimated)
        self.assertNotEqual(estimated.verdicts[0].trust, "good")

    def test_computes_an_ensemble_there(self) -> None:
        served = plumecast.connect(self.url, token=self.token)
        told: list[tuple[int, int]] = []
        ranges = {"porosity": {"from": np.float64(0.1), "to": 0.3}, "temperature": {"from": 50, "to": 70}}
        found = served.ensemble(CASE, ranges, 6, seed=2, progress=lambda done, number: told.append((done, number)), times=[100.0, 3000.0], limits={"max_buildup": 10})
        self.assertEqual((told[0][1], told[-1]), (6, (6, 6)))
        radius = found.figures["plume_radius_0.01"]
        self.assertEqual((radius.values.shape, radius.unit), ((6,), "m"))
        self.assertTrue(radius.low <= radius.middle <= radius.high)
        self.assertEqual(radius.middle, np.median(radius.values))
        self.assertTrue(((found.inputs["porosity"] >= 0.1) & (found.inputs["porosity"] <= 0.3)).all())
        self.assertEqual(found.exceedances[0]["cases_above"], int((found.figures["max_buildup"].values > 10).sum()))
        self.assertEqual((len(found.verdicts), found.failures), (6, {}))
        self.assertIn(b'"cases"', found.scenario(5))
        with tempfile.TemporaryDirectory() as folder:
            path = found.save(Path(folder) / "draws.h5")
            with h5py.File(path) as draws:
                np.testing.assert_array_equal(draws["inputs/temperature"][()], found.inputs["temperature"].astype(np.float32))
        self.assertIn("6 realizations", repr(found))
        again = served.ensemble(CASE, ranges, 6, seed=2, times=[100.0, 3000.0])
        np.testing.assert_array_equal(again.figures["max_buildup"].values, found.figures["max_buildup"].values)

    def test_cancels_an_ensemble_that_nobody_waits_for(self) -> None:
        served = plumecast.connect(self.url, token=self.token)

        def stop(done: int, number: int) -> None:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            served.ensemble(CASE, {"porosity": {"from": 0.1, "to": 0.3}}, 1000, progress=stop)
        with self.assertRaisesRegex(plumecast.InvalidInput, "ranges.porosity.to"):
            served.ensemble(CASE, {"porosity": {"from": 0.1, "to": 3}}, 10)

    def test_warns_of_a_token_that_travels_in_the_open(self) -> None:
        with self.assertWarnsRegex(plumecast.PlumecastWarning, "unencrypted"), self.assertRaises(plumecast.IoError):
            plumecast.connect("http://192.0.2.1:9/", token=self.token, timeout=0.1)
        with self.assertRaisesRegex(plumecast.IoError, "certificates"):
            plumecast.connect("https://localhost:9/", ca_file="nowhere.pem")

    def test_raises_what_the_service_says(self) -> None:
        with self.assertRaisesRegex(plumecast.InvalidInput, "bears no token"):
            plumecast.connect(self.url)
        with self.assertRaisesRegex(plumecast.InvalidInput, "serves no model 'radial' .*radial-co2-fast, radial-co2"):
            plumecast.connect(self.url, "radial", token=self.token)
        served = plumecast.connect(self.url, token=self.token)
        with self.assertRaisesRegex(plumecast.InvalidInput, "temperature"):
            served.predict(sample.cases(temperature=np.array([1000.0])))
        with self.assertRaisesRegex(plumecast.InvalidInput, "gas_saturations"):
            served.predict(sample.cases(), fields="gas_saturations")
        with self.assertRaisesRegex(plumecast.InvalidData, "case 0 is bad"):
            served.predict(sample.cases(injection_rate=np.array([50.0])), strict=True)
        with self.assertRaisesRegex(plumecast.IoError, "does not answer"):
            plumecast.connect("localhost:9", timeout=5)
        with self.assertRaisesRegex(plumecast.InvalidInput, "no address"):
            plumecast.connect("ftp://localhost")


if __name__ == "__main__":
    unittest.main()
