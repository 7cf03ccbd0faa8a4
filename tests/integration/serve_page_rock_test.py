"""Rock on the page of `plumecast serve`: by law, from files, painted."""

import json
import math

from serve_page_case import ServePageCase


class ServePageRockTest(ServePageCase):
    def case(self):
        """The case that the page asks the service for."""
        self.browser.click("get-request")
        return json.loads(self.browser.downloaded()[1])["cases"][0]

    def test_gives_rock_by_layers_and_as_a_gaussian_field(self):
        browser = self.browser
        self.open()
        browser.set("permeability-law", "layered")
        browser.settled()
        browser.set("permeability-thickness-0", 50)
        browser.set("permeability-value-0", 400)
        browser.click("permeability-add-layer")
        browser.settled()
        rows = self.case()["permeability_r"]
        self.assertEqual([rows[0], rows[7], rows[8]], [400, 400, 20])
        browser.set("permeability-law", "gaussian")
        browser.settled()
        first = self.case()
        self.assertEqual([len(first["permeability_r"]), len(first["permeability_r"][0])], [16, 64])
        browser.click("permeability-another")
        browser.settled()
        self.assertNotEqual(self.case()["permeability_r"], first["permeability_r"])
        browser.set("permeability-seed", 1)
        browser.set("porosity-law", "gaussian")
        browser.settled()
        again = self.case()
        self.assertEqual(again["permeability_r"], first["permeability_r"])  # a seed says all
        self.assertAlmostEqual(again["permeability_z"][3][7], 0.1 * again["permeability_r"][3][7], delta=1e-3 * again["permeability_r"][3][7])
        self.assertTrue(all(0 < value < 0.6 for row in again["porosity"] for value in row))
        self.assertIn("Plume radius", browser.text("summary"))
        browser.set("anisotropy", 0.5)
        browser.settled()
        self.assertAlmostEqual(self.case()["permeability_z"][0][0], 0.5 * again["permeability_r"][0][0], delta=1e-3 * again["permeability_r"][0][0])
        self.assertEqual(browser.problems, [])

    def test_draws_fields_of_the_correlation_that_is_given(self):
        self.open()
        square, there, deep = self.browser.value("""(async () => {
            const {gaussianField} = await import('./rock/gaussian.js');
            const sums = [0, 0, 0], seeds = 400;
            for (let seed = 0; seed < seeds; ++seed) {
                const [[here, there], [deep]] = gaussianField(seed, 1000, 8, [0, 1000], [0, 8]);
                [here * here, here * there, here * deep].forEach((product, i) => { sums[i] += product / seeds; });
            }
            return sums;
        })()""")
        self.assertAlmostEqual(square, 1, delta=0.25)
        self.assertAlmostEqual(there, math.exp(-1), delta=0.2)  # a correlation length away
        self.assertAlmostEqual(deep, math.exp(-1), delta=0.2)

    def test_takes_rock_from_files(self):
        browser = self.browser
        self.open()
        grid = {"profile.csv": "permeability\n" + "\n".join(str(100 + row) for row in range(16)),
                "log.csv": "depth;permeability\n0;300\n50;30\n",
                "map.csv": "\n".join(",".join(str(10 + row + column) for column in range(64)) for row in range(16))}
        expected = {"profile.csv": ([0], 100), "log.csv": ([15], 30), "map.csv": ([3, 2], 15)}
        for name, text in grid.items():
            if name == "profile.csv":
                browser.set("permeability-law", "values")
            else:
                browser.click("permeability-upload")
            browser.choose(self.write(name, text))
            browser.wait(f"document.getElementById('permeability-source')?.innerText.includes('{name}')", 10)
            browser.settled()
            value = self.case()["permeability_r"]
            for index in expected[name][0]:
                value = value[index]
            self.assertEqual(value, expected[name][1])
        for name, text, sentence in (("words.csv", "1\ntwo\n3", "line 2: 'two' is no number"), ("ragged.csv", "1,2\n3", "line 2 of numbers has 1"),
                                     ("empty.csv", "", "holds no numbers"), ("wide.csv", "1,2,3", "have 3 numbers"), ("back.csv", "10;1\n5;2", "do not increase")):
            self.choose("permeability-upload", self.write(name, text))
            browser.wait(f"document.getElementById('notice').innerText.includes({json.dumps(sentence)})", 10)
        self.choose("permeability-upload", self.write("short.csv", "1\n2\n3"))  # which the service knows better
        browser.wait("document.getElementById('verdict').innerText.includes('permeability_r has 3 entries')", 10)

    def test_paints_cells_by_pointer_and_by_keys(self):
        browser = self.browser
        self.open()
        plain = browser.text("summary")
        browser.click("permeability-paint")
        browser.set("brush-value", 2)
        browser.set("brush-size", 3)
        browser.drag("brush", [(0.4, 0.4), (0.45, 0.4), (0.5, 0.4), (0.55, 0.4)])
        browser.settled()
        painted = browser.text("summary")
        self.assertNotEqual(painted, plain)
        low = [[row, column] for row, cells in enumerate(self.case()["permeability_r"]) for column, value in enumerate(cells) if value == 2]
        self.assertGreater(len(low), 20)
        self.assertIn(f"{len(low)} cells painted", browser.text("rock-permeability"))
        browser.picture("painting")
        browser.click("undo")
        browser.settled()
        self.assertEqual(browser.text("summary"), plain)
        browser.click("redo")
        browser.settled()
        self.assertEqual(browser.text("summary"), painted)
        browser.click("clear-painting")
        browser.settled()
        self.assertEqual(self.case()["permeability_r"], 100)
        browser.set("painted-property", "porosity")
        browser.set("brush-size", 1)
        browser.value("document.getElementById('brush').focus()")
        for _ in range(60):
            browser.key("ArrowLeft", 37)
        for _ in range(20):
            browser.key("ArrowUp", 38)
        browser.key("ArrowDown", 40)
        browser.key(" ", 32)
        browser.key("ArrowRight", 39)
        browser.key("Enter", 13)
        browser.settled()
        cells = self.case()["porosity"]
        self.assertEqual([[row, column] for row, values in enumerate(cells) for column, value in enumerate(values) if value == 0.1], [[1, 0], [1, 1]])
        self.assertIn("porosity 0.1", browser.text("brush-cell"))
        browser.key("z", 90, 2)
        browser.settled()
        self.assertEqual([row[1] for row in self.case()["porosity"][:2]], [0.2, 0.2])
        browser.set("brush-value", 7)
        browser.key("Enter", 13)
        self.assertIn("no value that is admissible", browser.text("brush-cell"))
        browser.key("Escape", 27)
        self.assertEqual(browser.value("[document.getElementById('painting').hidden, document.activeElement.id]"), [True, "porosity-paint"])
        self.assertEqual(browser.problems, [])
