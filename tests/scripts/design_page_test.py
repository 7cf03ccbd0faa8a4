"""The picture of docs/design.md shows the passes in the order in which the sources call them."""
import re
import unittest

from source_tree import ROOT

ROW = re.compile(r"(?m)^      \|   (.{31})([ *+])(?:   (.{31})([ *+])|$)")


def picture():
    """The passes of a prediction and those of a training step, each with its mark."""
    prediction, training = [], []
    for row in ROW.finditer((ROOT / "docs/design.md").read_text()):
        prediction += [(name, row[2]) for name in re.findall(r"(\w+)\(\)", row[1])]
        training += [(name, row[4]) for name in re.findall(r"(\w+)\(\)", row[3] or "")]
    return prediction, training


def calls(file, function):
    """The functions of the picture that a function calls, in their order."""
    body = re.search(rf"(?ms)^Graph {function}\(.*?\{{\n(.*?)^\}}|^Graph {function}\([^\n]*\{{ (.*?) \}}$", (ROOT / file).read_text())
    known = {name for column in picture() for name, _ in column}
    lines = [re.findall(r"(\w+)\(", line)[::-1] for line in (body[1] or body[2]).splitlines()]  # f(g(x)) calls g first
    return [name for line in lines for name in line if name in known]


class DesignPage(unittest.TestCase):
    def setUp(self):
        self.prediction, self.training = picture()

    def test_shows_the_passes_of_a_prediction(self):
        alone = [name for name, mark in self.prediction if mark == " " and name != "describe"]
        self.assertEqual(calls("src/passes/for_prediction.cpp", "for_prediction"), alone)

    def test_shows_the_passes_of_a_prediction_on_ranks(self):
        self.assertIn("fuse_concatenations(", (ROOT / "src/passes/partition/partition.cpp").read_text())
        on_ranks = [name for name, mark in self.prediction if mark != "+" and name not in {"describe", "fuse_concatenations"}]
        called = calls("src/passes/partition/predict_on_ranks.cpp", "predict_on_ranks")
        self.assertEqual(called, on_ranks)

    def test_shows_the_passes_of_a_training_step(self):
        alone = [name for name, mark in self.training if mark == " "]
        before = calls("src/passes/for_training.cpp", "before_gradients")
        after = calls("src/passes/for_training.cpp", "after_gradients")
        self.assertEqual(before + ["field_loss", "gradients", "rematerialise"] + after, alone)

    def test_shows_the_passes_of_a_training_step_on_ranks(self):
        file = "src/passes/partition/train_on_ranks.cpp"
        shown = [name for name, mark in self.training if mark != "+" and name != "fuse_concatenations"]
        before = calls(file, "before_gradients_on_ranks")
        self.assertEqual(before, shown[:len(before)])
        self.assertEqual(shown[len(before):], ["field_loss", "gradients", "summed_over_ranks", "rematerialise",
                                               "sum_norm_gradients", "fuse_sums_and_activations", "overlap_messages"])
        self.assertIn("overlap_messages(after_gradients(", (ROOT / file).read_text())
        self.assertIn("graph = rematerialise(pruned(", (ROOT / "src/training/training_graph.cpp").read_text())
        self.assertIn("after_gradients_on_ranks(sum_norm_gradients(", (ROOT / "src/training/training_graph.cpp").read_text())


if __name__ == "__main__":
    unittest.main()
