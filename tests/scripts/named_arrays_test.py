"""Inputs and fields go by their names through networks, batches, training and prediction: the arrays of CO2 in a reservoir are named by the tables and by
the few sources below, each for its reason, and nobody asks whether data are generic but to say so or to leave out what reservoirs alone have."""

import re
import unittest

from source_tree import ROOT as REPOSITORY

FREE_MODULES = ("core", "io", "graph", "passes", "plan", "architectures", "spectral", "distributed", "onnx", "backend")

# What CO2's channels, physics, closed balance and measures are: entries of tables and what they call.
NAMING = {
    "inference/bundle/training_grids.cpp": "edges of the grid that a model of reservoirs learned on",
    "inference/evaluation.cpp": "the pore volumes by which saturations are weighted",
    "inference/gradients/gradient_arrays.cpp": "why the field that closes the balance has no derivatives",
    "inference/guided/written_fields.hpp": "the field that closes the balance",
    "inference/guided/closed_balance.cpp": "the balance of CO2",
    "inference/guided/model_grid.cpp": "edges of the grid that a model of reservoirs learned on",
    "inference/guided/regrid.cpp": "what regrids of reservoirs weigh",
    "inference/gradients/tape.cpp": "the two fields that series of a report follow from",
    "inference/prediction/prediction_pass.cpp": "the field that closes the balance",
    "inference/scores.cpp": "the table of measures",
    "inference/stream/case_stream.cpp": "the limit of wells, with which ranks exchange what is injected",
    "inference/trust/calibration.cpp": "intervals of plumes and build-up",
    "reservoir/batches/channel_file.cpp": "the channel of published files that tells inactive cells",
    "reservoir/batches/default_channels.cpp": "the table of CO2's channels and fields",
    "reservoir/batches/derived_inputs.cpp": "the table of sources that are worked out from others",
    "reservoir/batches/guided_batch.cpp": "the limit of a saturation, where a field asks for it",
    "reservoir/batches/input_gradients.cpp": "what the gradients of the physics are by",
    "reservoir/batches/series_inputs.cpp": "the table of sources that follow a schedule",
    "reservoir/batches/summary.cpp": "whether the cells of a box have volumes and corners",
    "training/run/augmented_source.cpp": "what stands between cells and cannot be mirrored with them",
    "training/run_records.cpp": "the error that the records of a run show first",
}

ASKING = {
    "inference/evaluation.cpp": "weights of saturations belong to reservoirs",
    "inference/guided/model_grid.cpp": "reservoirs are regridded, points are not",
    "inference/predictor.cpp": "verdicts are on CO2",
    "reservoir/batches/data_kind.cpp": "refuses data of the other kind",
    "reservoir/batches/summary.cpp": "the words that describe a file",
    "training/recipe/recipe_for_data.cpp": "refuses data of the other kind",
    "training/run/augmented_source.cpp": "points, or edges of cells; gravity",
    "training/run/run_data.cpp": "the words of a message, and which inputs a run records",
    "training/run_records.cpp": "data without the records of reservoirs",
}


def array_names():
    """The names of the arrays of reservoirs in the format, but those that data of any kind have."""
    schema = (REPOSITORY / "src/reservoir/dataset/schema.cpp").read_text(encoding="utf-8")
    made = r"(?:grid|cell|map|optional_map|scalar|output|transmissibility|permeability)\(\s*\"([a-z_0-9]+)\""
    return set(re.findall(made, schema)) - {"active", "times"}


def sources(folder):
    return sorted(path for kind in ("cpp", "hpp", "cu") for path in (REPOSITORY / "src" / folder).rglob(f"*.{kind}"))


def found(folders, pattern):
    """The sources of some folders in which a pattern occurs, beside src/."""
    paths = [path for folder in folders for path in sources(folder)]
    return {str(path.relative_to(REPOSITORY / "src")) for path in paths if pattern.search(path.read_text(encoding="utf-8"))}


class NamedArrays(unittest.TestCase):
    def setUp(self):
        self.names = array_names()
        self.quoted = re.compile('"(' + "|".join(sorted(self.names)) + ')"')

    def test_the_table_of_the_format_is_read(self):
        for name in ("permeability_r", "porosity", "injection_rate", "salinity", "gas_saturation", "pressure_buildup", "r_edges"):
            self.assertIn(name, self.names)

    def test_networks_and_plans_name_no_array(self):
        for folder in FREE_MODULES:
            self.assertTrue(sources(folder), folder)
        self.assertEqual(found(FREE_MODULES, self.quoted), set())

    def test_batches_training_and_prediction_name_those_of_co2_where_they_are_described_alone(self):
        self.assertEqual(found(("inference", "training", "reservoir/batches"), self.quoted), set(NAMING))

    def test_nobody_else_asks_whether_data_are_generic(self):
        self.assertEqual(found((*FREE_MODULES, "inference", "training", "reservoir/batches"), re.compile("Geometry::generic")), set(ASKING))


if __name__ == "__main__":
    unittest.main()
