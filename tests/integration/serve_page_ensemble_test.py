"""Ensembles on the page of `plumecast serve`: ranges, progress, what was found, and the realizations behind it."""

import re

from serve_page_case import ServePageCase


class ServePageEnsembleTest(ServePageCase):
    def ended(self):
        self.browser.wait("!document.getElementById('start-ensemble').disabled", 120)
        return self.browser.text("ensemble-state")

    def may_cancel(self):
        return not self.browser.value("document.getElementById('cancel-ensemble').disabled")

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

    def test_draws_by_physics_alone(self):
        browser = self.browser
        self.open()
        browser.set("way", "estimate")
        browser.settled()
        browser.click("show-ensemble")
        self.assertIn("by physics alone", browser.text("ensemble"))
        browser.set("number", 2)
        browser.click("start-ensemble")
        self.assertEqual(self.ended(), "2 of 2 computed")
        self.assertIn("2 realizations", browser.text("outcome"))
        browser.click("get-ensemble-csv")
        lines = browser.downloaded()[1].decode().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertTrue(lines[0].startswith("realization,verdict,reasons and notes,"), lines[0])
        self.assertIn("permeability [times]", lines[0])
        self.assertIn("max_buildup [bar]", lines[0])
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

    def test_follows_a_job_whose_streams_are_refused_or_break(self):
        browser = self.browser
        self.open()
        browser.value("""(() => {
            const ask = window.fetch, text = () => document.getElementById('ensemble-state').innerText;
            const ways = [
              () => new Response('{"detail": "16 streams are open"}', {status: 503, headers: {'Retry-After': '1'}}),
              () => { throw new TypeError('refused'); },
              () => new Response(new ReadableStream({pull: stream => stream.error(new TypeError('broken'))}))];
            Object.assign(window, {streams: 0, polls: 0, shown: []});
            window.fetch = async (path, given) => {
              if (path.endsWith('/events')) {
                window.shown.push([text(), document.getElementById('cancel-ensemble').disabled]);
                return ways[window.streams++ % 3]();
              }
              if (/ensembles.[0-9a-f]+$/.test(path) && given.method === 'GET' && ++window.polls === 2) throw new TypeError('gone');
              return ask(path, given);
            };
        })()""")
        browser.click("show-ensemble")
        browser.set("number", 1000)
        browser.click("start-ensemble")
        browser.wait("window.streams >= 4", 60)  # each way has been met once
        shown = browser.value("window.shown.slice(0, 4)")
        self.assertEqual([is_disabled for _, is_disabled in shown], [False] * 4)
        self.assertRegex(shown[1][0], "of 1000 computed|waits for its turn")  # of a busy machine: the job has not begun
        self.assertIn("when the service last answered", shown[2][0])
        self.assertNotIn("when the service", shown[3][0])
        self.assertEqual(self.refusals(), "")
        browser.click("cancel-ensemble")
        self.assertRegex(self.ended(), r"cancelled after \d+ of 1000")
        browser.set("number", 3)
        browser.click("start-ensemble")
        self.assertEqual(self.ended(), "3 of 3 computed")
        self.assertIn("3 realizations", browser.text("outcome"))
        self.assertEqual(self.refusals(), "")

    def test_cancels_the_job_that_runs_and_once(self):
        browser = self.browser
        self.open()
        browser.value("""(() => {
            const ask = window.fetch;
            Object.assign(window, {started: [], ended: [], isRefused: false});
            window.fetch = async (path, given) => {
              if (given.method === 'DELETE') {
                window.ended.push(path.split('?')[0]);
                if (window.isRefused) return new Response('{"detail": "not now"}', {status: 500});
              }
              if (given.method !== 'POST' || !path.endsWith('ensembles')) return ask(path, given);
              await new Promise(done => window.release = done);
              const answer = await ask(path, given);
              window.started.push('v1/ensembles/' + (await answer.clone().json()).id);
              return answer;
            };
        })()""")
        browser.click("show-ensemble")
        browser.set("number", 1000)
        for count in (1, 2):
            browser.value("window.release = undefined")
            browser.click("start-ensemble")
            browser.wait("window.release !== undefined")
            self.assertFalse(self.may_cancel())  # there is no job yet
            browser.click("cancel-ensemble")
            browser.value("window.release()")
            browser.wait("!document.getElementById('cancel-ensemble').disabled")
            browser.value("for (let i = 0; i < 3; ++i) document.getElementById('cancel-ensemble').click()")
            self.assertIn("cancelled", self.ended())
            self.assertEqual(browser.value("window.ended"), browser.value("window.started"))
            self.assertEqual(len(browser.value("window.started")), count)
            self.assertFalse(self.may_cancel())
        browser.value("void Object.assign(window, {isRefused: true, release: undefined})")
        browser.click("start-ensemble")
        browser.wait("window.release !== undefined")
        browser.value("window.release()")
        browser.wait("!document.getElementById('cancel-ensemble').disabled")
        browser.click("cancel-ensemble")
        browser.wait("document.getElementById('notice').innerText.includes('not now')")
        self.assertTrue(self.may_cancel())  # once more, as it was refused
        browser.value("window.isRefused = false")
        browser.click("cancel-ensemble")
        self.assertIn("cancelled", self.ended())
        self.assertEqual(browser.problems, [])

    def test_keeps_what_a_job_found_that_ended_before_cancel_was_pressed(self):
        browser = self.browser
        self.open()
        browser.value("""(() => {
            const ask = window.fetch;
            Object.assign(window, {isLate: true, ended: 0});
            window.fetch = async (path, given) => {
              if (given.method === 'DELETE') ++window.ended;
              if (path.endsWith('/events')) throw new TypeError('refused');
              const answer = await ask(path, given);
              if (!/ensembles.[0-9a-f]+$/.test(path) || given.method !== 'GET') return answer;
              const {state} = await answer.clone().json();
              return state !== 'done' || !window.isLate ? answer : new Response('{"state": "running", "done": 2, "number": 3}');
            };
        })()""")  # the page sees late that the job is done
        browser.click("show-ensemble")
        browser.set("number", 3)
        browser.click("start-ensemble")
        browser.wait("document.getElementById('ensemble-state').innerText === '2 of 3 computed'")
        browser.value("window.isLate = false; document.getElementById('cancel-ensemble').click()")
        self.assertEqual(self.ended(), "3 of 3 computed")
        self.assertIn("3 realizations", browser.text("outcome"))
        self.assertEqual((browser.value("window.ended"), self.refusals()), (1, ""))
