"""Drives the page of `plumecast serve` as a person would: scenarios, maps, curves, other screens, a service that goes and comes back."""

import json
import re
import shutil
import signal
import time
import unittest

from serve_page_case import ServePageCase
from serve_test import MODEL, ROOT, without_bands

# What is read of an element against the nearest ground behind it, as WCAG 2 computes it.
LEAST_CONTRAST = """(() => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => { const [r, g, b] = numbers(colour).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, n = numbers(c); if (n.length < 4 || n[3] > 0) return c; } return 'rgb(255, 255, 255)'; };
  const texts = [...document.querySelectorAll('body *')].filter(e => e.offsetParent && !e.disabled && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()));
  return texts.map(e => { const [a, b] = [getComputedStyle(e).color, ground(e)].map(light).sort((x, y) => y - x); return [(a + 0.05) / (b + 0.05), e.tagName + ' ' + e.innerText.slice(0, 30)]; })
    .sort((x, y) => x[0] - y[0])[0];
})()"""


class ServePageTest(ServePageCase):
    def test_shows_a_plume_and_follows_the_controls(self):
        browser = self.browser
        self.open()
        self.assertIn("Good", self.verdict())
        self.assertIn("Plume radius", browser.text("summary"))
        self.assertEqual(browser.value("document.querySelectorAll('#curves svg').length"), 4)
        self.assertTrue(browser.value("document.getElementById('map').getBoundingClientRect().bottom < innerHeight"), "the first view needs no scrolling")
        before = browser.text("summary")
        browser.picture("page")
        browser.set("injection_rate", 2.4)
        browser.settled()
        self.assertNotEqual(browser.text("summary"), before)
        self.assertIn("outside the training", browser.text("injection_rate-outside"))
        self.assertIn("CO\u2082 mass injected per year lies outside the training range", self.verdict())
        self.assertNotIn("Good", self.verdict())
        browser.set("injection_rate", 1)
        browser.click("changes")  # which the model knows
        browser.settled()
        self.assertIn("Good", self.verdict())
        # Without a limit of the pressure in the well nothing is said of one; a low one holds the rate down.
        self.assertEqual(browser.value("document.getElementById('bottom_hole_pressure_limit').value"), "0")
        unlimited = browser.text("summary")
        browser.set("bottom_hole_pressure_limit", 165)
        browser.settled()
        self.assertNotEqual(browser.text("summary"), unlimited)
        browser.set("bottom_hole_pressure_limit", 0)
        browser.settled()
        self.assertEqual(browser.text("summary"), unlimited)
        browser.click("add-period")
        browser.settled()
        self.assertEqual(browser.value("document.querySelectorAll('#periods tr').length"), 3)
        browser.set("way", "estimate")
        browser.settled()
        self.assertEqual(browser.problems, [])

    def test_moves_through_time_and_tells_what_stands_under_the_cursor(self):
        browser = self.browser
        self.open()
        for field in ("pressure_buildup", "dissolved_co2"):
            browser.set("field", field)
            self.assertIn(field.split("_")[0], browser.value("document.getElementById('map').ariaLabel"))
        for axis, height in (("log", "stretched"), ("all", "true"), ("plume", "true"), ("plume", "stretched")):
            browser.set("axis", axis)
            browser.set("height", height)
            self.assertEqual(browser.value("document.getElementById('map').classList.contains('flat')"), height == "true")
        browser.set("time", 5)
        self.assertIn("days", browser.text("time-text"))
        browser.hover("map", 0.2, 0.3)
        for word in ("radius", "depth", "CO\u2082 saturation", "bar", "horizontal permeability 100 mD", "porosity 0.2"):
            self.assertIn(word, browser.text("probe"))
        before = browser.text("probe")
        browser.value("document.getElementById('map').focus()")
        browser.key("ArrowRight", 39)
        self.assertNotEqual(browser.text("probe"), before)
        browser.click("play")
        now = browser.text("time-text")
        browser.wait(f"document.getElementById('time-text').innerText !== '{now}'", 10)
        browser.click("play")
        self.assertEqual(browser.value("document.getElementById('play').ariaPressed"), "false")
        browser.drag("curves", [(0.15, 0.25)])  # a click into a chart takes its time
        self.assertEqual(browser.problems, [])

    def test_maps_the_trapped_co2_of_a_schedule(self):
        browser = self.browser
        self.open()
        browser.set("way", "estimate")
        browser.set("residual_gas_saturation", 0.35)
        browser.click("changes")
        browser.settled()
        self.assertEqual(browser.value("document.getElementById('time').max"), "35")  # 32 times of the model, two changes and 30 days after each
        browser.set("field", "trapped_gas_saturation")
        self.assertIn("trapped CO\u2082 saturation", browser.value("document.getElementById('map').ariaLabel"))
        browser.hover("map", 0.15, 0.2)
        self.assertRegex(browser.text("probe"), r"trapped CO\u2082 saturation 0\.\d+")
        trapped = float(re.search(r"CO\u2082 trapped\s+([\d.]+)", browser.text("summary"))[1])
        self.assertIn("trapped", browser.text("curves"))
        browser.picture("trapped")
        browser.set("residual_gas_saturation", 0)
        browser.settled()
        self.assertLess(float(re.search(r"CO\u2082 trapped\s+([\d.]+)", browser.text("summary"))[1]), trapped)
        self.assertEqual(browser.problems, [])

    def test_compares_scenarios(self):
        browser = self.browser
        self.open()
        browser.click("copy")
        browser.settled()
        browser.set("name", "Twice the rate")
        browser.set("injection_rate", 2)
        browser.settled()
        rows = browser.value("[...document.querySelectorAll('#comparison tbody tr')].map(row => row.innerText)")
        injected = next(row for row in rows if "injected" in row)
        self.assertRegex(injected, r"40 Mt\s+80 Mt\s*\+40 \(\+100 %\)")
        self.assertEqual(browser.value("document.querySelectorAll('#maps canvas').length"), 2)
        views = browser.value("[...document.querySelectorAll('#maps canvas')].map(canvas => canvas.ariaLabel)")
        self.assertEqual(["Scenario: " in views[0], "Twice the rate: " in views[1]], [True, True])
        self.assertIn("Twice the rate", browser.text("curves"))
        browser.hover("map", 0.2, 0.3)
        self.assertRegex(browser.text("probe"), r"Scenario 0\.\d+; Twice the rate 0\.\d+")
        browser.picture("scenarios")
        browser.click("add")
        browser.settled()
        browser.click("copy")
        browser.settled()
        self.assertEqual(browser.value("[document.getElementById('add').disabled, document.querySelectorAll('#tabs button').length]"), [True, 4])
        browser.click("scenario-2")
        self.assertEqual(browser.value("document.getElementById('injection_rate').value"), "2")
        for _ in range(3):
            browser.click("remove")
        browser.settled()
        self.assertEqual(browser.value("[document.querySelectorAll('#tabs button').length, document.getElementById('remove').disabled, document.getElementById('comparison').hidden]"),
                         [1, True, True])
        self.assertEqual(browser.problems, [])

    def test_tells_the_area_of_review_or_what_to_give_for_it(self):
        browser = self.browser
        self.open()
        self.assertIn("give under Limits the critical build-up", browser.text("findings"))
        browser.set("review-way", "full")
        browser.settled()
        self.assertIn("give depth of the base of the lowermost drinking water, density of the brine", browser.text("findings"))
        for name, value in (("depth", 300), ("brine_density", 1080), ("top_depth", 1500)):
            browser.set(name, value)
        browser.settled()
        self.assertIn("Area of review", browser.text("summary"))
        self.assertIn("area of review", browser.text("curves"))
        browser.set("review-way", "front")
        browser.set("pressure_front", 3.8)
        browser.settled()
        wide = browser.text("summary")
        browser.set("pressure_front", 20)
        browser.settled()
        self.assertNotEqual(browser.text("summary"), wide)
        browser.set("fracture", "gradient")
        browser.set("fracture_gradient", 0.12)
        browser.settled()
        self.assertIn("exceed", browser.text("findings"))
        browser.picture("review")
        browser.set("buildup_limit", 5)
        browser.settled()
        self.assertNotIn("Good", self.verdict())
        browser.set("fracture_gradient", 3)
        browser.settled()
        self.assertIn("fracture_gradient", self.verdict())

    def test_joins_changes_that_come_at_once(self):
        self.open()
        self.browser.value("for (let i = 0; i < 40; ++i) { const e = document.getElementById('porosity-range'); e.value = 0.15 + i / 1000; e.dispatchEvent(new Event('input', {bubbles: true})); }")
        self.browser.settled()
        log = (self.folder / "access.log").read_text()
        self.assertLess(log.count("/v1/predict"), 10)
        self.assertIn("Good", self.verdict())

    def test_supersedes_a_request_in_flight(self):
        browser = self.browser
        self.open()
        browser.value("""(() => { const ask = window.fetch; window.dropped = 0;
            window.fetch = (path, given) => { given.signal.addEventListener('abort', () => ++window.dropped); return ask(path, given); }; })()""")
        self.service.process.send_signal(signal.SIGSTOP)  # so that each request is in flight when the next change comes
        for value in (0.16, 0.2, 0.24, 0.28):
            browser.set("porosity", value)
            time.sleep(0.3)
        self.service.process.send_signal(signal.SIGCONT)
        browser.settled()
        self.assertEqual(browser.value("window.dropped"), 3)
        last = browser.text("summary")
        for value in (0.2, 0.28):
            browser.set("porosity", value)
            browser.settled()
            (self.assertNotEqual if value == 0.2 else self.assertEqual)(browser.text("summary"), last)

    def test_shows_no_figures_beside_a_refusal(self):
        browser = self.browser
        self.open()
        self.assertNotEqual(browser.text("summary"), "")
        browser.set("temperature", 1000)
        browser.settled()
        self.assertEqual(browser.value("document.querySelector('#verdict article').className"), "refused")
        self.assertIn("temperature", self.verdict())
        self.assertEqual([browser.text(name) for name in ("summary", "curves", "time-text", "findings")], ["", "", "", ""])
        self.assertIn("No map", browser.value("document.getElementById('map').ariaLabel"))
        browser.click("get-csv")
        self.assertIn("There is no result", self.refusals())
        browser.set("temperature", 60)
        browser.settled()
        self.assertIn("Good", self.verdict())
        self.assertIn("Plume radius", browser.text("summary"))
        self.assertEqual(self.refusals(), "")

    def test_fits_a_phone_and_the_dark(self):
        browser = self.browser
        self.open(390, 844, "dark")
        self.assertTrue(browser.value("document.querySelector('#verdict article').getBoundingClientRect().bottom < innerHeight"))
        for view in ("scenarios", "ensemble"):
            browser.click(f"show-{view}")
            inside = "!e.closest('.wide-table, #comparison')"
            self.assertEqual(browser.value(f"[...document.querySelectorAll('main *')].filter(e => {inside} && e.getBoundingClientRect().right > 391).map(e => e.tagName + e.id)"), [], view)
            self.assertLessEqual(browser.value("document.documentElement.scrollWidth"), 390)
        browser.click("show-scenarios")
        browser.click("copy")
        browser.click("permeability-paint")
        browser.settled()
        self.assertEqual(browser.value("document.documentElement.scrollWidth"), 390)
        browser.click("remove")
        browser.click("close-painting")
        browser.settled()
        browser.value("window.scrollTo(0, 0)")
        browser.picture("phone")
        contrast, where = browser.value(LEAST_CONTRAST)
        self.assertGreaterEqual(contrast, 4.5, where)
        browser.set("theme", "light")
        self.assertEqual(browser.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        contrast, where = browser.value(LEAST_CONTRAST)
        self.assertGreaterEqual(contrast, 4.5, where)
        self.open(390, 844, "dark")
        self.assertEqual(browser.value("document.documentElement.dataset.theme"), "light")  # it was chosen

    def test_fills_a_screen_of_many_pixels(self):
        browser = self.browser
        self.open(3840, 2160)
        self.assertGreater(browser.value("document.getElementById('map').clientWidth"), 2000)
        self.assertGreater(browser.value("parseFloat(getComputedStyle(document.documentElement).fontSize)"), 20)
        self.assertEqual(browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        browser.hover("map", 0.2, 0.3)
        self.assertIn("radius", browser.text("probe"))
        browser.picture("4k")

    def test_is_reached_by_keys_and_names_each_control(self):
        browser = self.browser
        self.open()
        for wanted in (("permeability-law", "gaussian"), ("porosity-law", "layered"), ("review-way", "stratified"), ("fracture", "gradient")):
            browser.set(*wanted)
        browser.click("changes")
        browser.click("permeability-paint")
        browser.settled()
        reachable = "[...document.querySelectorAll('input, select, button, a, canvas, summary')].filter(e => e.checkVisibility() && !e.disabled && e.tabIndex >= 0 && e.getBoundingClientRect().left > -50)"
        wanted = browser.value(f"{reachable}.map((e, i) => {{ e.dataset.order = i; return i; }}).length")
        browser.value("document.activeElement.blur(); window.scrollTo(0, 0); document.querySelector('.skip').focus()")
        met = set()
        for _ in range(wanted + 5):
            met.add(browser.value("document.activeElement.dataset.order"))
            browser.key("Tab", 9)
        missed = [each for each in map(str, range(wanted)) if each not in met]
        self.assertEqual(browser.value(f"{missed}.map(i => document.querySelector(`[data-order='${{i}}']`).outerHTML.slice(0, 80))"), [])
        browser.click("show-ensemble")
        nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
        roles = {"button", "textbox", "spinbutton", "slider", "combobox", "checkbox", "link", "img", "application"}
        unnamed = [node.get("properties") for node in nodes if not node.get("ignored") and node["role"]["value"] in roles and not node.get("name", {}).get("value")]
        self.assertEqual(unnamed, [])
        self.assertEqual(browser.value("document.getElementById('temperature-range').ariaValueText"), "60 \u00b0C")
        self.assertEqual(browser.value("document.getElementById('initial_pressure').getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id).innerText)"), ["bar", ""])
        self.assertIn("since Limits state no depth", browser.value("document.getElementById('findings').textContent"))
        self.assertEqual(browser.value("['verdict', 'probe', 'brush-cell', 'ensemble-state'].map(id => document.getElementById(id).ariaLive)"), ["polite"] * 4)

    def test_loads_nothing_from_elsewhere(self):
        self.open()
        self.assertEqual(self.browser.value("performance.getEntriesByType('resource').filter(e => !e.name.startsWith(location.origin) && !e.name.startsWith('data:')).length"), 0)

    def test_says_when_the_service_is_gone_and_goes_on_when_it_is_back(self):
        browser = self.browser
        self.open()
        self.service.process.kill()
        self.service.process.wait()
        browser.set("porosity", 0.25)
        browser.wait("!!document.querySelector('#verdict .refused')")
        self.assertIn("does not answer", self.verdict())
        self.assertEqual(browser.text("summary"), "")
        self.serve_again()
        browser.wait("!!document.querySelector('#verdict .good, #verdict .doubtful')", 30)
        self.assertIn("Plume radius", browser.text("summary"))

    def test_serves_two_people_at_once(self):
        other = self.visitor()
        self.open()
        other.open(self.url, 1280, 900)
        for each, rate in ((self.browser, 1), (other, 1.5)):
            each.set("injection_rate", rate)
        for each, rate in ((self.browser, 0.5), (other, 2)):
            each.set("injection_rate", rate)
        injected = {}
        for each in (self.browser, other):
            each.settled()
            injected[each] = re.search(r"injected\s+([\d.]+)", each.text("summary"))[1]
        self.assertEqual((injected[self.browser], injected[other]), ("20", "80"))


class ServePageUncertaintyTest(ServePageCase):
    def options(self):
        """A model as one that was calibrated, with wide bands."""
        folder = self.folder / "calibrated"
        shutil.copytree(MODEL, folder)
        model = json.loads((folder / "model.json").read_text())
        known = {"level": 0.9, "cases": 100, "data_sha256": "0" * 64}
        model["training"]["trust"] |= {
            "figure_bands": known | {"figures": [{"figure": "plume_radius_0.01", "growth": 0.01, "width": 20.0}]},
            "field_bands": known | {"share": 0.9, "fields": [{"field": field, "scale": {"value": 1.0}, "width": 0.05}
                                                         for field in ("gas_saturation", "pressure_buildup", "dissolved_co2")]}}
        (folder / "model.json").write_text(json.dumps(model))
        return folder, without_bands(self.folder)

    def set_second_rate(self, rate):
        """Of the schedule in the form."""
        self.browser.value(f"""(() => {{
            const input = document.querySelector('[aria-label="rate [Mt/year] of period 2"]');
            input.value = {rate};
            return input.dispatchEvent(new Event('input'));
        }})()""")
        self.browser.settled()

    def test_shows_intervals_and_the_ends_of_bands(self):
        browser = self.browser
        self.open()
        browser.set("model", "uncalibrated")
        browser.wait("document.getElementById('bound-choice').hidden", 120)
        browser.set("model", "calibrated")
        browser.wait("!document.getElementById('bound-choice').hidden", 120)
        browser.click("changes")  # at the model's own times, which its bands are calibrated for
        browser.settled()
        self.assertRegex(browser.text("summary"), r"Plume radius\s+[\d.]+ m\s+[\d.]+ to [\d.]+")
        self.assertGreater(browser.value("document.querySelectorAll('#curves .band').length"), 0)
        self.set_second_rate(40)  # a bad case has no bands
        self.assertNotRegex(browser.text("summary"), r"Plume radius\s+[\d.]+ m\s+[\d.]+ to [\d.]+")
        self.assertEqual(browser.value("[...document.querySelectorAll('#curves .band')].filter(band => band.getAttribute('d')).length"), 0)
        self.set_second_rate(1)
        browser.set("time", 20)
        browser.hover("map", 0.1, 0.3)
        self.assertRegex(browser.text("probe"), r"saturation 0\.\d+ \(0\.\d+ to 0\.\d+\)")
        largest = {}
        for bound in ("low", "likely", "high"):
            browser.set("bound", bound)
            largest[bound] = float(re.search(r"at most ([\d.]+)", browser.value("document.getElementById('map').ariaLabel"))[1])
        self.assertLess(largest["low"], largest["likely"])
        self.assertLess(largest["likely"], largest["high"])
        self.choose("open", ROOT / "data" / "radial_schedules.h5")  # whose cases have bands too
        browser.wait("!document.getElementById('dataset').hidden", 120)
        browser.click("scenario-1")
        browser.click("remove")
        browser.settled()
        browser.hover("map", 0.1, 0.1)
        self.assertRegex(browser.text("probe"), r"saturation 0\.\d+ \(0\.\d+ to 0\.\d+\)")
        browser.set("way", "estimate")  # which nobody calibrated
        browser.settled()
        self.assertTrue(browser.value("document.getElementById('bound-choice').hidden"))
        self.assertEqual(browser.problems, [])


class ServePageTokenTest(ServePageCase):
    def options(self):
        return "--token-file", self.write("token", "0123456789abcdef\n")

    def test_asks_for_a_token_and_keeps_it_for_the_tab(self):
        browser = self.browser
        browser.call("Page.navigate", url=self.url)
        browser.wait("document.getElementById('token-form')?.hidden === false")
        browser.wait("document.getElementById('verdict').innerText.includes('token')")
        browser.set("token", "another-one-which-is-wrong")
        browser.value("document.querySelector('#token-form button').click()")
        time.sleep(0.3)
        self.assertFalse(browser.value("document.getElementById('token-form').hidden"))
        browser.set("token", "0123456789abcdef")
        browser.value("document.querySelector('#token-form button').click()")
        browser.wait("!!document.querySelector('#verdict .good')")
        self.assertTrue(browser.value("document.getElementById('token-form').hidden"))
        browser.open(self.url, 1280, 900)
        self.assertIn("Good", self.verdict())


if __name__ == "__main__":
    unittest.main()
