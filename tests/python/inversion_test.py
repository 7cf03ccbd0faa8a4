"""Inversion from Python."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import plumecast

MEMBERS = 12


def arrays(factors):
    """Cases of few cells, whose permeability is 100 mD times these factors."""
    count, rock = len(factors), np.ones((len(factors), 4, 8), np.float32)
    well = np.zeros_like(rock)
    well[:, :, 0] = 1
    rates = {"injection_rate": 0.3, "initial_pressure": 150, "temperature": 60, "irreducible_water_saturation": 0.2,
             "van_genuchten_lambda": 0.5, "thickness": 40}
    permeability = 100 * rock * np.asarray(factors, np.float32)[:, None, None]
    return {"r_edges": np.append(0.1, np.geomspace(5, 5000, 8)), "z_edges": np.linspace(0, 40, 5), "times": np.array([10.0, 100.0, 365.0]),
            "permeability_r": permeability, "permeability_z": permeability / 10, "porosity": 0.2 * rock, "perforation": well, "active": rock,
            **{name: np.full(count, value, np.float32) for name, value in rates.items()}}


class Inversion(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        factors = np.exp(0.6 * np.random.default_rng(1).standard_normal(MEMBERS))
        plumecast.Cases(**arrays(factors)).save(self.folder / "prior.h5")
        plumecast.Cases(**arrays([1.3])).save(self.folder / "case.h5")
        (self.folder / "observations.csv").write_text(
            "field,r,z,time,value,unit,standard_deviation\npressure_buildup,300,20,100,8,bar,0.5\nbottom_hole_pressure,,,365,170,bar,3\n"
        )
        self.config = {"model": "estimate", "case": "case.h5", "prior": "prior.h5", "observations": "observations.csv", "output": "posterior",
                       "unknown": ["permeability_r", "permeability_z"], "steps": 2}
        (self.folder / "inversion.json").write_text(json.dumps(self.config))

    def invert(self, **options):
        return plumecast.invert(self.folder / "inversion.json", device="cpu", threads=1, **options)

    def test_leaves_a_data_set_and_its_record(self):
        steps, told = [], []
        found = self.invert(on_step=steps.append, on_progress=lambda *now: told.append(now))
        self.assertEqual([step["step"] for step in steps], [0, 1, 2])
        self.assertEqual(found.record["steps"], steps)
        self.assertEqual(len(told), 3 * MEMBERS)
        self.assertEqual(found.posterior, str(self.folder / "posterior" / "posterior.h5"))
        self.assertEqual(len(plumecast.Cases.open(found.posterior)), MEMBERS)

    def test_takes_paths_in_a_mapping(self):
        paths = {name: self.folder / self.config[name] for name in ("case", "prior", "observations", "output")}
        found = plumecast.invert(self.config | paths, device="cpu", threads=1)
        self.assertEqual(found.posterior, str(self.folder / "posterior" / "posterior.h5"))

    def test_stops_where_it_is_asked_to_and_goes_on(self):
        calls = []
        with self.assertRaises(plumecast.Interrupted):
            self.invert(stop=lambda: calls.append(0) or len(calls) > MEMBERS + 5)
        self.assertTrue((self.folder / "posterior.state.safetensors").exists())
        self.assertFalse((self.folder / "posterior").exists())
        steps = []
        self.assertEqual(self.invert(resume=True, on_step=steps.append).record["steps"], steps)

    def test_raises_what_is_wrong_with_a_configuration(self):
        with self.assertRaisesRegex(plumecast.InvalidInput, "steps"):
            plumecast.invert(self.config | {"stepps": 3})
        (self.folder / "list.json").write_text("[]")
        with self.assertRaisesRegex(plumecast.InvalidInput, "list.json"):
            plumecast.invert(self.folder / "list.json")
        with self.assertRaises(plumecast.IoError):
            plumecast.invert(self.config | {"case": "nowhere.h5"})


if __name__ == "__main__":
    unittest.main()
