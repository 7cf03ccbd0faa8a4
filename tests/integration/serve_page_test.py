"""Drives the page of `plumecast serve` in a headless Chromium, by the DevTools protocol over pipes."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from cli_test_case import CliTestCase
from serve_test import Served

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SCREENSHOTS = os.environ.get("PLUMECAST_SCREENSHOTS")  # a folder that keeps them


class Browser:
    """A page in a browser without a window."""

    def __init__(self):
        # Its helper processes outlive it for a moment and still write there.
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()

        def place_pipes():
            os.dup2(to_read, 203), os.dup2(from_write, 204)
            os.dup2(203, 3), os.dup2(204, 4)

        self.process = subprocess.Popen([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                                         f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"],
                                        close_fds=False, preexec_fn=place_pipes, start_new_session=True,
                                        env=os.environ | {"TMPDIR": self.profile.name}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(from_write)
        self.number, self.session, self.rest, self.problems = 0, None, b"", []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.to), os.close(self.back)
        end = time.monotonic() + 5
        while os.path.exists(self.profile.name) and time.monotonic() < end:
            self.profile.cleanup()
            time.sleep(0.05)

    def call(self, method, within=120, **parameters):
        """What the browser answers, which it does within so many seconds."""
        self.number += 1
        end = time.monotonic() + within
        message = {"id": self.number, "method": method, "params": parameters} | ({"sessionId": self.session} if self.session else {})
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
                    raise AssertionError(f"no answer to {method}")
                part = os.read(self.back, 1 << 20)
                if not part:
                    raise AssertionError("the browser has ended")
                self.rest += part
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("method") == "Runtime.exceptionThrown" or answer.get("params", {}).get("entry", {}).get("level") == "error":
                self.problems.append(text.decode()[:500])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(answer["error"])
                return answer["result"]

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(script):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {script}; verdict: {self.value('document.getElementById(`verdict`)?.innerText')}; {self.problems}")
            time.sleep(0.05)

    def open(self, url, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=url)
        self.wait("document.querySelector('#verdict.good, #verdict.doubtful, #verdict.bad, #verdict.refused') && document.getElementById('results').ariaBusy === 'false'")

    def picture(self, name):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if SCREENSHOTS:
            with open(os.path.join(SCREENSHOTS, name + ".png"), "wb") as file:
                file.write(data)
        return data


@unittest.skipUnless(CHROMIUM, "Chromium is not here")
class ServePageTest(CliTestCase):
    def setUp(self):
        super().setUp()
        self.service = Served(self.folder)
        self.addCleanup(self.service.__exit__)
        self.browser = Browser()
        self.addCleanup(self.browser.close)
        self.url = f"http://localhost:{self.service.port}/"

    def set(self, name, value):
        self.browser.value(f"(() => {{ const e = document.getElementById('{name}'); e.value = '{value}';"
                           " for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {bubbles: true})); })()")

    def settled(self):
        time.sleep(0.2)
        self.browser.wait("document.getElementById('results').ariaBusy === 'false'")

    def text(self, name):
        return self.browser.value(f"document.getElementById('{name}').innerText")

    def test_shows_a_plume_and_follows_the_controls(self):
        browser = self.browser
        browser.open(self.url, 1280, 900)
        self.assertIn("Good", self.text("verdict"))
        self.assertIn("Plume radius", self.text("summary"))
        self.assertEqual(browser.value("document.querySelectorAll('#curves svg').length"), 3)
        before = self.text("summary")
        browser.picture("page")
        self.set("injection_rate", 2.4)
        self.settled()
        self.assertNotEqual(self.text("summary"), before)
        self.assertIn("outside the training", browser.value("document.getElementById('injection_rate-outside').innerText"))
        self.assertNotIn("Good", self.text("verdict"))
        self.set("law", "layered")
        self.settled()
        browser.value("document.getElementById('changes').click()")
        self.settled()
        self.assertIn("rate", self.text("verdict"))
        self.set("way", "estimate")
        self.settled()
        for field in ("pressure_buildup", "dissolved_co2"):
            self.set("field", field)
            self.assertNotEqual(browser.value("document.getElementById('map').ariaLabel"), "")
        self.set("axis", "log")
        self.set("time", 5)
        self.assertIn("days", self.text("time-text"))
        browser.value("document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
        self.assertIn("radius", self.text("probe"))
        browser.picture("layers")
        self.assertEqual(browser.problems, [])

    def test_joins_changes_that_come_at_once(self):
        self.browser.open(self.url, 1280, 900)
        self.browser.value("for (let i = 0; i < 40; ++i) { const e = document.getElementById('porosity'); e.value = 0.15 + i / 1000; e.dispatchEvent(new Event('input', {bubbles: true})); }")
        self.settled()
        log = (self.folder / "access.log").read_text()
        self.assertLess(log.count("/v1/predict"), 10)
        self.assertIn("Good", self.text("verdict"))

    def test_supersedes_a_request_in_flight(self):
        self.browser.open(self.url, 1280, 900)
        self.browser.value("""(() => { const ask = window.fetch; window.dropped = 0;
            window.fetch = (path, given) => { given.signal.addEventListener('abort', () => ++window.dropped); return ask(path, given); }; })()""")
        self.service.process.send_signal(signal.SIGSTOP)  # so that each request is in flight when the next change comes
        for porosity in (0.16, 0.2, 0.24, 0.28):
            self.set("porosity", porosity)
            time.sleep(0.3)
        self.service.process.send_signal(signal.SIGCONT)
        self.settled()
        self.assertEqual(self.browser.value("window.dropped"), 3)
        last = self.text("summary")
        for porosity in (0.2, 0.28):
            self.set("porosity", porosity)
            self.settled()
            (self.assertNotEqual if porosity == 0.2 else self.assertEqual)(self.text("summary"), last)

    def test_shows_no_figures_beside_a_refusal(self):
        self.browser.open(self.url, 1280, 900)
        self.assertNotEqual(self.text("summary"), "")
        self.set("temperature", 1000)
        self.settled()
        self.assertEqual(self.browser.value("document.getElementById('verdict').className"), "refused")
        self.assertIn("temperature", self.text("verdict"))
        self.assertEqual((self.text("summary"), self.text("curves"), self.text("time-text")), ("", "", ""))
        self.assertIn("No map", self.browser.value("document.getElementById('map').ariaLabel"))
        self.set("temperature", 60)
        self.settled()
        self.assertIn("Good", self.text("verdict"))
        self.assertIn("Plume radius", self.text("summary"))

    def test_fits_a_phone_and_the_dark(self):
        self.browser.open(self.url, 390, 844, "dark")
        self.assertEqual(self.browser.value("[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > 391).length"), 0)
        self.assertEqual(self.browser.value("[...document.querySelectorAll('input, select')].filter(e => e.offsetParent && !e.labels?.length && !e.ariaLabel).length"), 0)
        self.browser.picture("phone")

    def test_says_when_the_service_is_gone(self):
        self.browser.open(self.url, 1280, 900)
        self.service.process.kill()
        self.service.process.wait()
        self.set("porosity", 0.25)
        self.browser.wait("!!document.querySelector('#verdict.refused')")
        self.assertIn("does not answer", self.text("verdict"))
        self.assertEqual(self.text("summary"), "")
