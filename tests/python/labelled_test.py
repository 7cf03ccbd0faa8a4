"""xarray in and out, and pictures."""

import importlib.util
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import plumecast
import sample

try:
    import xarray
except ImportError:
    xarray = None
try:
    import matplotlib
except ImportError:
    matplotlib = None


def labelled():
    """The sample as an xarray.Dataset, axes of the maps in another order than the format's."""
    maps = {"permeability_r", "permeability_z", "porosity", "perforation", "active"}
    variables = {}
    for name, array in sample.arrays().items():
        unit = sample.model().inputs[name].unit
        if name in maps:
            variables[name] = (("r", "z", "case"), array.T, {"units": unit})
        else:
            variables[name] = ((name if name.endswith("edges") else "time" if name == "times" else "case",), array, {"units": unit})
    return xarray.Dataset(variables, {"geology": ("case", ["homogeneous"])})


@unittest.skipIf(xarray is None, "xarray is not installed")
class Labelled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = sample.model()
        cls.fields = cls.model.predict(sample.cases())

    def test_dataset_predicts_as_its_arrays_do(self):
        fields = self.model.predict(labelled())
        np.testing.assert_array_equal(fields["gas_saturation"], self.fields["gas_saturation"])

    def test_attributes_of_the_dataset_state_numbers(self):
        stated = labelled().assign_attrs(initial_brine_temperature="15.56", title="mine")
        expected = self.model.predict(sample.cases(initial_brine_temperature=15.56))
        np.testing.assert_array_equal(self.model.predict(stated)["pressure_buildup"], expected["pressure_buildup"])

    def test_units_are_checked(self):
        wrong = labelled()
        wrong["permeability_r"].attrs["units"] = "m2"
        with self.assertRaisesRegex(plumecast.InvalidData, "permeability_r has units m2"):
            self.model.predict(wrong)
        del wrong["permeability_r"].attrs["units"]
        with self.assertRaisesRegex(plumecast.InvalidInput, "permeability_r states no unit .*mD"):
            self.model.predict(wrong)

    def test_fields_have_coordinates_and_attributes(self):
        dataset = self.fields.to_xarray()
        self.assertEqual(dict(dataset.sizes), {"case": 1, "time": 24, "z": 32, "r": 64, "bounds": 2})
        self.assertIs(dataset["gas_saturation"].values.base or dataset["gas_saturation"].values, self.fields["gas_saturation"])
        self.assertEqual(dataset["pressure_buildup"].attrs["units"], "bar")
        self.assertEqual(dataset["z"].attrs["positive"], "down")
        np.testing.assert_allclose(dataset["z_bounds"][0], [0, 6.25])
        self.assertEqual(dataset.attrs["model_hash"], self.model.hash)
        at_end = dataset["gas_saturation"].sel(time=10950, method="nearest").sel(case=0).max()
        self.assertEqual(float(at_end), float(np.nanmax(self.fields["gas_saturation"][0, -1])))

    def test_coordinates_of_files_are_those_of_the_file(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", plumecast.PlumecastWarning)
            dataset = self.model.predict(sample.RADIAL, fields=["gas_saturation"]).to_xarray()
        with h5py.File(sample.RADIAL) as file:
            np.testing.assert_array_equal(dataset["time"], file["grid/times"][:])


def box_fields():
    """Fields on a Cartesian grid, whose values grow along y."""
    cases = plumecast.Cases.open(sample.BOX)
    shape = cases.extents.shape
    field = np.broadcast_to(np.arange(shape[3], dtype=np.float32)[:, None], shape)
    return plumecast.Fields({"gas_saturation": field}, cases, sample.model().fields, {"title": "mine"})


@unittest.skipIf(xarray is None or importlib.util.find_spec("h5py") is None, "xarray or h5py is not installed")
class Box(unittest.TestCase):
    def test_fields_have_three_axes_of_space(self):
        fields = box_fields()
        dataset = fields.to_xarray()
        self.assertEqual(dataset["gas_saturation"].dims, ("case", "time", "z", "y", "x"))
        self.assertEqual(dataset["gas_saturation"].shape, fields.cases.extents.shape)
        self.assertEqual(dataset["x"].attrs["units"], "m")
        np.testing.assert_array_less(0, np.diff(dataset["y"]))

    @unittest.skipIf(matplotlib is None, "Matplotlib is not installed")
    def test_picture_shows_the_line_of_the_largest_value(self):
        fields = box_fields()
        drawn = fields.plot(case=0, time=0).axes[0].collections[0].get_array()
        extents = fields.cases.extents
        np.testing.assert_array_equal(drawn, np.full((extents.rows, extents.columns), extents.lines - 1))


@unittest.skipIf(matplotlib is None, "Matplotlib is not installed")
class Pictures(unittest.TestCase):
    def test_show_every_field_of_a_case(self):
        fields = sample.model().predict(sample.cases())
        figure = fields.plot(case=0)
        panels = [axes for axes in figure.axes if axes.get_ylabel() == "depth [m]"]
        self.assertEqual(len(panels), len(fields))
        drawn = panels[0].collections[0].get_array()
        np.testing.assert_array_equal(np.ma.filled(drawn, np.nan), fields["gas_saturation"][0, -1])
        with tempfile.TemporaryDirectory() as folder:
            figure.savefig(Path(folder) / "case.png")
            self.assertGreater((Path(folder) / "case.png").stat().st_size, 10_000)

    def test_say_the_time_in_years_and_clip_no_text(self):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.text import Text

        figure = sample.model().predict(sample.cases()).plot(case=0)
        FigureCanvasAgg(figure).draw()
        self.assertEqual(figure.get_suptitle(), "Case 0 after 30 years")
        texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
        shown = {text.get_text() for text in texts}
        self.assertTrue({"depth [m]", "distance from the well [m]"} < shown, shown)
        titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
        self.assertEqual(len(titles), 3)
        self.assertTrue(any(title.endswith("[bar]") for title in titles), titles)
        whole = figure.bbox
        for axes in figure.axes:
            for text in (*axes.findobj(Text), figure._suptitle):
                if text.get_text() and text in texts and text not in (*axes.get_xticklabels(minor=True), *axes.get_xticklabels(), *axes.get_yticklabels()):
                    box = text.get_window_extent()
                    self.assertTrue(box.x0 >= whole.x0 and box.x1 <= whole.x1 and box.y0 >= whole.y0 and box.y1 <= whole.y1, text)

    def test_refuse_a_case_that_is_not_there(self):
        with self.assertRaisesRegex(plumecast.InvalidInput, "case 1 is not there"):
            sample.model().predict(sample.cases()).plot(case=1)


class Progress(unittest.TestCase):
    def test_bar_reaches_its_end(self):
        import contextlib
        import io

        shown = io.StringIO()
        with contextlib.redirect_stderr(shown):
            sample.model().predict(plumecast.Cases(**sample.repeated(3)), batch=1, progress=True)
        self.assertRegex(shown.getvalue(), r"predicting.*(100%|(\d+) of \2\b)")


if __name__ == "__main__":
    unittest.main()
