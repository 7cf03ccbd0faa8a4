"""Ensembles on the page of `plumecast serve`: ranges, progress, what was found, and the realizations behind it."""

import re

from serve_page_case import ServePageCase


class ServePageEnsembleTest(ServePageCase):
    def ended(self):
        self.browser.wait("document.getElementById('cancel-ensemble').disabled", 120)
        return self.browser.text("ensemble-state")

    def test_draws_an_ensemble_and_opens_what_stands_behind_it(self):
        browser = self.browser
        self.open()
        browser.click("show-ensemble")
        browser.set("range-temperature-from", 50)
        browser.set("range-temperature-to", 70)
        self.assertTrue(browser.value("document.getElementById('range-temperature').checked"))
        browser.set("limit-max_buildup", 40)
        browser.set("number", 12)
        browser.set("seed", 7)
        browser.click("start-ensemble")
        self.assertEqual(self.ended(), "12 of 12 computed")
        outcome = browser.text("outcome")
        self.assertIn("12 realizations", outcome)
        self.assertRegex(outcome, r"\d+ of 12 cases \([\d.]+ %.*exceed 40 bar")
        for word in ("P90", "P50", "P10"):
            self.assertIn(word, browser.text("percentiles"))
        self.assertGreater(browser.value("document.querySelectorAll('#histograms svg').length"), 3)
        self.assertEqual(browser.value("document.querySelectorAll('#realizations tbody tr').length"), 12)
        browser.picture("ensemble")
        browser.value("document.querySelectorAll('#realizations tbody tr')[3].querySelector('button').click()")
        browser.wait("document.getElementById('tabs').innerText.includes('realization 3')", 20)
        browser.settled()
        self.assertFalse(browser.value("document.getElementById('results').hidden"))
        self.assertTrue(50 <= float(browser.value("document.getElementById('temperature').value")) <= 70)
        self.assertNotIn("Not computed", self.verdict())
        browser.click("show-ensemble")
        most = "[...document.querySelectorAll('#histograms svg .bar')].find(bar => Number(bar.ariaLabel.match(/(\\d+) realizations/)[1]) > 1)"
        count = int(re.search(r"(\d+) realizations", browser.value(f"{most}.ariaLabel"))[1])
        browser.value(f"{most}.focus()")
        browser.key("Enter", 13)
        self.assertEqual(browser.value("document.querySelectorAll('#realizations tbody tr').length"), count)
        browser.click("get-ensemble")
        self.assertTrue(browser.downloaded()[1].startswith(b"\x89HDF"))
        self.assertEqual(browser.problems, [])

    def test_cancels_and_says_what_is_wrong(self):
        browser = self.browser
        self.open()
        browser.click("show-ensemble")
        browser.set("number", 1000)
        browser.click("start-ensemble")
        browser.wait("document.getElementById('ensemble-state').innerText.includes(' of 1000 computed')", 60)
        browser.click("cancel-ensemble")
        self.assertIn("cancelled", self.ended())
        browser.set("range-injection_rate-from", 2)
        browser.set("range-injection_rate-to", 1)
        browser.click("start-ensemble")
        browser.wait("document.getElementById('notice').innerText.includes('injection_rate')", 20)
        self.assertFalse(browser.value("document.getElementById('start-ensemble').disabled"))
