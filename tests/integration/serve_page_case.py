"""A service with its page open in a browser, for each test."""

import subprocess
import unittest

from browser import CHROMIUM, Browser
from cli_test_case import PLUMECAST, CliTestCase
from serve_test import MODEL, Served


@unittest.skipUnless(CHROMIUM, "Chromium is not here")
class ServePageCase(CliTestCase):
    def options(self):
        """Of the service."""
        return ()

    def setUp(self):
        super().setUp()
        self.service = Served(self.folder, *self.options())
        self.addCleanup(self.service.__exit__)
        self.browser = self.visitor()
        self.url = f"http://localhost:{self.service.port}/"

    def visitor(self):
        """One more person before a browser."""
        browser = Browser()
        self.addCleanup(browser.close)
        return browser

    def serve_again(self):
        """Starts the service once more, at the port where it was."""
        process = subprocess.Popen([PLUMECAST, "serve", str(MODEL), "--port", str(self.service.port)], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

    def open(self, width=1280, height=900, scheme="light"):
        self.browser.open(self.url, width, height, scheme)

    def verdict(self):
        return self.browser.text("verdict")

    def refusals(self):
        """Sentences of the page about what was not taken."""
        return self.browser.value("document.getElementById('notice').hidden ? '' : document.getElementById('notice').innerText")

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content) if isinstance(content, bytes) else path.write_text(content)
        return path

    def choose(self, control, path):
        """Presses a button that asks for a file, and chooses one."""
        self.browser.click(control)
        self.browser.choose(path)
