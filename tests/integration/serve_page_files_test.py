"""Files and links of the page of `plumecast serve`: what is saved opens again, what is wrong is refused with a sentence."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
import zipfile

from serve_page_case import ServePageCase
from serve_test import CASE, ROOT


class ServePageFilesTest(ServePageCase):
    def settled_text(self, name):
        self.browser.settled()
        return self.browser.text(name)

    def refuse(self, name, content, sentence):
        before = self.settled_text("summary")
        self.choose("open", self.write(name, content))
        self.browser.wait(f"document.getElementById('notice').innerText.includes({json.dumps(sentence)})", 20)
        self.assertEqual(self.settled_text("summary"), before)

    def test_saves_scenarios_and_opens_them_again(self):
        browser = self.browser
        self.open()
        browser.set("permeability-law", "gaussian")
        browser.set("review-way", "front")
        browser.set("pressure_front", 5)
        browser.click("copy")
        browser.set("name", "Later")
        browser.click("changes")
        shown = self.settled_text("comparison")
        browser.click("save")
        name, content = browser.downloaded()
        self.assertEqual(name, "scenarios.json")
        browser.click("link")
        browser.wait("location.hash.startsWith('#s=')", 10)
        link = browser.value("location.href")
        self.open()
        browser.call("Page.navigate", url="about:blank")
        self.open()
        self.assertNotIn("Later", browser.text("tabs"))
        self.choose("open", self.write("again.json", content))
        browser.wait("document.getElementById('tabs').innerText.includes('Later')", 20)
        self.assertEqual(self.settled_text("comparison"), shown)
        browser.call("Page.navigate", url="about:blank")
        browser.open(link, 1280, 900)
        self.assertEqual(self.settled_text("comparison"), shown)
        self.assertEqual(browser.value("document.getElementById('pressure_front').value"), "5")
        self.assertEqual(browser.problems, [])

    def test_shows_none_of_an_input_that_a_saved_scenario_does_not_have(self):
        browser = self.browser
        self.open()
        browser.set("residual_gas_saturation", 0.3)
        browser.settled()
        browser.click("save")
        saved = json.loads(browser.downloaded()[1])
        one, = saved["scenarios"]
        older = {**one, "name": "Older", "inputs": {name: value for name, value in one["inputs"].items() if name != "residual_gas_saturation"}}
        self.choose("open", self.write("older.json", json.dumps({**saved, "scenarios": [one, older]})))
        browser.wait("document.getElementById('tabs').innerText.includes('Older')", 20)
        shown = "document.getElementById('residual_gas_saturation').value"
        self.assertEqual(browser.value(shown), "0.3")
        browser.click("scenario-2")
        self.assertEqual(browser.value(shown), "0")

    def test_opens_the_body_of_a_request_and_refuses_what_is_wrong(self):
        browser = self.browser
        self.open()
        self.choose("open", self.write("request.json", json.dumps({"cases": [{**CASE, "permeability_r": [50.0] * 16, "permeability_z": [5.0] * 16}, {**CASE, "injection_rate": 2}]})))
        browser.wait("document.getElementById('tabs').innerText.includes('Case 2')", 20)
        self.assertIn("80 Mt", self.settled_text("comparison"))
        self.assertEqual(browser.value("document.getElementById('anisotropy').value"), "0.1")
        browser.click("remove")
        good = {"format": "plumecast scenarios 1", "scenarios": [{"name": "One", "inputs": {}, "rock": {}}]}
        for name, content, sentence in (
                ("words.json", "nothing", "is no JSON"),
                ("other.json", json.dumps({**good, "format": "other"}), "format is not"),
                ("unknown.json", json.dumps({**good, "colour": "blue"}), "the file.colour is not known here"),
                ("law.json", json.dumps({**good, "scenarios": [{"name": "One", "inputs": {}, "rock": {"permeability": {"law": "fractal"}}}]}), "scenarios[0].rock.permeability.law is none"),
                ("many.json", json.dumps({"cases": [CASE] * 5}), "give 1 to 4"),
                ("model.json", json.dumps({"model": "another", "cases": [CASE]}), "'another' is not served here"),
                ("case.json", json.dumps({"cases": [{**CASE, "porosity": 2}]}), "porosity is 2"),
                ("entry.json", json.dumps({"cases": [{**CASE, "porositty": 0.2}]}), "porositty")):
            with self.subTest(name):
                self.refuse(name, content, sentence)
        browser.call("Page.navigate", url="about:blank")
        browser.open(self.url + "#s=broken", 1280, 900)
        self.assertIn("the link is broken", self.refusals())
        self.assertIn("Plume radius", browser.text("summary"))

    def test_opens_a_data_set_and_refuses_another_file(self):
        browser = self.browser
        self.open()
        self.choose("open", ROOT / "data" / "radial_sample.h5")
        browser.wait("!document.getElementById('dataset').hidden", 120)
        browser.settled()
        self.assertTrue(browser.value("document.getElementById('inputs').hidden"))
        self.assertIn("radial_sample.h5", browser.text("dataset"))
        browser.click("remove")
        browser.settled()
        self.choose("open", ROOT / "data" / "radial_schedules.h5")  # on another grid, at other times
        browser.wait("document.getElementById('dataset').innerText.includes('radial_schedules')", 60)
        self.assertEqual(browser.value("[document.getElementById('case').max, document.getElementById('case').value]"), ["1", "0"])
        before = browser.text("comparison")
        browser.set("case", 2)  # there is none
        browser.settled()
        self.assertEqual(browser.text("comparison"), before)
        browser.set("case", 1)
        browser.settled()
        self.assertNotEqual(browser.text("comparison"), before)
        browser.set("review-way", "front")
        browser.set("pressure_front", 2)
        browser.settled()
        self.assertRegex(browser.text("comparison"), r"Radius of the area of review, largest\s+[\d.]+ m\s+[\d.]+ m")
        browser.click("get-hdf5")
        self.assertEqual(browser.downloaded()[1][:4], b"\x89HDF")
        browser.click("get-eclipse")
        self.assertIn(b"eclipse/CASE.UNRST", browser.downloaded()[1])
        browser.click("get-png")
        self.assertEqual(browser.downloaded()[1][:4], b"\x89PNG")
        self.assertRegex(browser.value("document.querySelector('#maps figcaption').innerText"), r"Scenario after 40 years")
        self.assertGreater(float(browser.text("time-text").split()[0]), 100)
        browser.hover("map", 0.2, 0.1)
        self.assertRegex(browser.text("probe"), r"Scenario 0\.\d+; radial_schedules [\d.]+")
        browser.click("get-csv")
        self.assertIn("radial_schedules: time [day]", browser.downloaded()[1].decode())
        browser.picture("dataset")
        browser.click("remove")
        self.refuse("garbage.h5", b"\x89HDF\r\n\x1a\n" + bytes(range(256)) * 8, "garbage.h5")
        self.refuse("box.h5", (ROOT / "data" / "box_sample.h5").read_bytes(), "box.h5")

    def test_hands_out_results(self):
        browser = self.browser
        self.open()
        browser.click("copy")
        browser.set("name", "A, B")
        browser.settled()
        begins = {"get-hdf5": b"\x89HDF", "get-eclipse": b"PK\x03\x04", "get-json": b"{", "get-png": b"\x89PNG", "get-svg": b"<svg", "get-csv": b"time [day]", "get-map-csv": b"radius [m],depth [m]"}
        found = {}
        for control, begin in begins.items():
            browser.click(control)
            name, content = browser.downloaded()
            with self.subTest(control):
                self.assertEqual(content[:len(begin)], begin, name)
            found[control] = content
        predicted = {name + end for name in ("gas_saturation", "pressure_buildup", "dissolved_co2") for end in ("", "_low", "_high")}
        self.assertEqual(set(json.loads(found["get-json"])["fields"]), predicted | {"trapped_gas_saturation"})
        with zipfile.ZipFile(io.BytesIO(found["get-eclipse"])) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual({name.split(".")[-1] for name in archive.namelist()}, {"EGRID", "INIT", "UNRST", "SMSPEC", "UNSMRY"})
        lines = found["get-csv"].decode().splitlines()
        self.assertEqual(len(lines), 29)
        self.assertIn('"A, B: plume_radius_0.01 [m]"', lines[0])
        self.assertEqual(len(found["get-map-csv"].decode().splitlines()), 1 + 16 * 64)
        picture = ElementTree.fromstring(found["get-svg"])
        self.assertGreater(len(picture.findall(".//{http://www.w3.org/2000/svg}rect")), 2 * 400)
        browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(browser.value("['scenario', 'views', 'printed', 'verdict'].map(id => document.getElementById(id).checkVisibility())"), [False, False, True, True])
        report = browser.call("Page.printToPDF", printBackground=True)["data"]
        self.assertTrue(report.startswith("JVBERi"))  # %PDF in base64
        self.assertIn("initial pressure", browser.value("document.getElementById('printed-inputs').textContent"))
        self.assertEqual(browser.problems, [])

    def test_hands_out_names_that_no_spreadsheet_takes_for_formulas(self):
        browser = self.browser
        self.open()
        browser.click("save")
        state = json.loads(browser.downloaded()[1])
        names = ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "a\rb", "say \"so\"", "a;=1"]
        first = state["scenarios"][0]
        for some in (names[:4], names[4:]):
            self.choose("open", self.write("named.json", json.dumps({**state, "scenarios": [{**first, "name": name} for name in some]})))
            browser.wait(f"document.getElementById('tabs').innerText.includes({json.dumps(some[3])})", 60)
            browser.settled()
            browser.click("get-csv")
            text = browser.downloaded()[1].decode()
            lines = list(csv.reader(io.StringIO(text, newline="")))
            self.assertEqual({len(line) for line in lines}, {len(lines[0])})
            self.assertEqual(len(lines), 29)
            heads = {word.rsplit(": ", 1)[0] for word in lines[0][1:]}
            self.assertEqual(heads, {"'" + name if name.strip()[0] in "=+-@" else name for name in some})
            float(lines[1][1])  # numbers stay as they are
        self.assertIn('"a\rb: ', text)
        self.assertIn('"say ""so"": ', text)
        self.assertIn('"a;=1: ', text)
