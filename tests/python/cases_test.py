"""Cases look at arrays where they are, and say what is wrong with them."""

import array
import ctypes
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np
import plumecast
import sample


class Exporter:
    """An array that is nothing but DLPack, as tensors of other libraries are."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = sample.model()
        cls.expected = cls.model.predict(sample.cases())["gas_saturation"]

    def assert_same(self, **other):
        got = self.model.predict(sample.cases(**other))["gas_saturation"]
        np.testing.assert_array_equal(got, self.expected)

    def test_are_looked_at_where_they_are(self):
        rate = np.array([1.0])
        cases = sample.cases(injection_rate=rate)
        before = self.model.predict(cases)["gas_saturation"]
        rate[0] = 0.5
        after = self.model.predict(cases)["gas_saturation"]
        np.testing.assert_array_equal(before, self.expected)
        np.testing.assert_array_equal(after, self.model.predict(sample.cases(injection_rate=[0.5]))["gas_saturation"])
        self.assertGreater(np.nansum(before), np.nansum(after))

    def test_may_hold_a_schedule(self):
        days = sample.arrays()["times"][-1]
        cases = sample.cases(schedule_end=[days / 2, days], schedule_rate=[[[1.0, 0.0]]])
        self.assertEqual(cases.units["schedule_rate"], "Mt/year")
        self.assertEqual([one for one in cases.check() if one.is_error], [])
        with tempfile.TemporaryDirectory() as folder:
            cases.save(Path(folder) / "cases.h5")
            self.assertEqual(len(plumecast.Cases.open(Path(folder) / "cases.h5")), 1)
        wrong = sample.cases(schedule_end=[days, days / 2], schedule_rate=[[[1.0, 0.0]]]).check()
        self.assertIn("/schedule/end", [one.path for one in wrong if one.is_error])

    def test_may_be_of_any_real_type(self):
        k = sample.arrays()["permeability_r"]
        for kind in (np.float16, np.float32, np.float64, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint64, ">f8", ">i2"):
            with self.subTest(kind=kind):
                self.assert_same(permeability_r=k.astype(kind))
        self.assert_same(active=sample.arrays()["active"].astype(bool))

    def test_may_have_any_strides(self):
        k = sample.arrays()["permeability_r"]
        self.assert_same(permeability_r=np.asfortranarray(k))
        self.assert_same(permeability_r=k[:, ::-1, ::-1].copy()[:, ::-1, ::-1])
        self.assert_same(permeability_r=np.repeat(k, 2, axis=2)[:, :, ::2])
        self.assert_same(porosity=np.broadcast_to(sample.arrays()["porosity"][:, :, :1], k.shape))
        packed = np.zeros(k.shape, np.dtype([("flag", "i1"), ("k", "f4")]))
        packed["k"] = k
        self.assert_same(permeability_r=packed["k"])

    def test_may_be_read_only(self):
        k = sample.arrays()["permeability_r"]
        k.flags.writeable = False
        self.assert_same(permeability_r=k)

    def test_may_be_buffers_lists_or_tensors_of_another_library(self):
        self.assert_same(injection_rate=array.array("d", [1.0]), initial_pressure=[150], temperature=memoryview(b"\x3c"))
        self.assert_same(injection_rate=(ctypes.c_double * 1)(1.0))
        self.assert_same(permeability_r=Exporter(sample.arrays()["permeability_r"]))

    def test_stay_while_cases_look_at_them(self):
        held = sample.cases(permeability_r=sample.arrays()["permeability_r"].copy())
        junk = [np.full((1, 32, 64), 7.0) for _ in range(64)]
        np.testing.assert_array_equal(self.model.predict(held)["gas_saturation"], self.expected)
        self.assertEqual(len(junk), 64)

    def test_survive_pickling(self):
        copied = pickle.loads(pickle.dumps(sample.cases()))
        np.testing.assert_array_equal(self.model.predict(copied)["gas_saturation"], self.expected)
        self.assertEqual(pickle.loads(pickle.dumps(plumecast.Cases.open(sample.RADIAL))).path, str(sample.RADIAL))

    def test_take_numbers_that_a_file_states(self):
        got = self.model.predict(sample.cases(initial_brine_temperature=15.56))["pressure_buildup"]
        self.assertFalse(np.array_equal(got, self.model.predict(sample.cases())["pressure_buildup"], equal_nan=True))


class Refusals(unittest.TestCase):
    def assert_refused(self, words, act, kind=plumecast.InvalidInput):
        with self.assertRaises(kind) as caught:
            act()
        for word in words.split("|"):
            self.assertIn(word, str(caught.exception))

    def test_name_what_is_no_array(self):
        self.assert_refused("porosity is a str|give a NumPy array", lambda: sample.cases(porosity="much"))
        self.assert_refused("porosity is a dict", lambda: sample.cases(porosity={"a": 1}))
        self.assert_refused("units name 'porosty'", lambda: plumecast.Cases(units={"porosty": "1"}))

    def test_name_what_would_be_read_wrongly(self):
        months = np.arange("2020-01", "2022-01", dtype="M8[M]")
        self.assert_refused("times is a ndarray of datetime64[M]|of the type datetime64", lambda: sample.cases(times=months))
        masked = np.ma.masked_array(sample.arrays()["porosity"], mask=True)
        self.assert_refused("porosity is a MaskedArray|fill them", lambda: sample.cases(porosity=masked))
        long = sample.arrays()["porosity"].astype(np.longdouble)
        self.assert_refused("porosity is a ndarray of float128", lambda: sample.cases(porosity=long))
        self.assert_refused("is no name of an array", lambda: plumecast.Cases(**{"a\0b": long}))
        self.assert_refused("cannot be used", lambda: plumecast.Cases.open("a\0b"))

    def test_name_a_number_that_cannot_be_stated(self):
        self.assert_refused("injection_rate has no axes|give an array", lambda: sample.cases(injection_rate=1.0))

    def test_name_a_wrong_unit(self):
        wrong = sample.cases(units={"permeability_r": "m2"})
        self.assert_refused("permeability_r has units m2|mD", lambda: sample.model().predict(wrong), plumecast.InvalidData)

    def test_name_a_type_that_is_not_read(self):
        wrong = sample.cases(porosity=np.zeros((1, 32, 64), np.complex64))
        self.assert_refused("porosity", lambda: sample.model().predict(wrong), plumecast.InvalidData)

    def test_name_an_array_of_an_unknown_name(self):
        wrong = sample.cases(porosty=np.zeros((1, 32, 64)))
        self.assert_refused("porosty is left over", lambda: sample.model().predict(wrong), plumecast.InvalidData)


class Check(unittest.TestCase):
    def test_finds_nothing_in_cases_that_can_be_predicted(self):
        self.assertEqual(sample.cases().check(), [])
        self.assertEqual([one for one in plumecast.Cases.open(sample.RADIAL).check() if one.is_error], [])

    def test_tells_every_violation_at_once(self):
        wrong = sample.cases(active=2 * sample.arrays()["active"], temperature=[900.0], units={"porosity": "percent"})
        found = {one.path: one for one in wrong.check()}
        self.assertEqual({"/inputs/active", "/inputs/temperature", "/inputs/porosity"} & found.keys(), found.keys())
        self.assertIn("case 0", found["/inputs/active"].problem)
        self.assertTrue(all(one.is_error and one.remedy for one in found.values()))

    def test_raises_for_what_is_no_data_set(self):
        with self.assertRaises(plumecast.IoError):
            plumecast.Cases.open("no such file.h5")
        with self.assertRaises(plumecast.InvalidData):
            plumecast.Cases.open(__file__)


class Extents(unittest.TestCase):
    def test_are_those_of_arrays_and_files(self):
        self.assertEqual(sample.cases().extents, (1, 24, 32, 0, 64, False, 0, 0, 0, True))
        self.assertEqual(len(plumecast.Cases(**sample.repeated(5))), 5)
        box = plumecast.Cases.open(sample.BOX).extents
        self.assertTrue(box.is_cartesian)
        self.assertEqual(len(box.shape), 5)

    def test_units_are_those_of_the_format(self):
        from plumecast.format import CARTESIAN, unit_of

        for name, quantity in (sample.model().inputs | sample.model().fields).items():
            self.assertEqual(unit_of(name), quantity.unit, name)
        box = {name: np.zeros((1,) * len(axes.split())) for name, (_, axes) in CARTESIAN.items() if axes}
        wrong = [one.path for one in plumecast.Cases(**box).check() if "units" in one.problem or "known" in one.problem]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
