"""A headless Chromium that tests drive by the DevTools protocol over pipes."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

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
        for domain in ("Page", "Runtime", "Log", "DOM", "Accessibility"):
            self.call(domain + ".enable")
        self.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.downloads = Path(self.profile.name) / "downloads"
        self.downloads.mkdir()
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

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
        """What a script gives, run as if a person had just pressed a key."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
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
        self.wait("document.querySelector('#verdict .good, #verdict .doubtful, #verdict .bad, #verdict .refused') && document.getElementById('results').ariaBusy === 'false'")

    def picture(self, name):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if SCREENSHOTS:
            with open(os.path.join(SCREENSHOTS, name + ".png"), "wb") as file:
                file.write(data)
        return data

    def set(self, name, value):
        """Gives a control a value, as a person does."""
        self.value(f"(() => {{ const e = document.getElementById('{name}'); e.value = {json.dumps(str(value))};"
                   " for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {bubbles: true})); })()")

    def click(self, name):
        self.value(f"document.getElementById('{name}').click()")

    def text(self, name):
        return self.value(f"document.getElementById('{name}').innerText")

    def settled(self):
        """Waits until what changed is computed."""
        time.sleep(0.15)
        self.wait("document.getElementById('results').ariaBusy === 'false'")

    def key(self, key, code=0, modifiers=0):
        """Presses a key where the focus is."""
        text = {"Enter": "\r", " ": " "}.get(key)
        more = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key if len(key) > 1 else "Space" if key == " " else f"Key{key.upper()}",
                  windowsVirtualKeyCode=code or ord(key[0].upper()), modifiers=modifiers, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code or ord(key[0].upper()), modifiers=modifiers)

    def drag(self, name, points):
        """Presses, moves and releases the pointer over an element, at shares of its width and height."""
        left, top, width, height = self.value(f"(() => {{ const e = document.getElementById('{name}'); e.scrollIntoView({{block: 'center'}});"
                                              " const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
        places = [{"x": left + x * width, "y": top + y * height} for x, y in points]
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **places[0])
        self.call("Input.dispatchMouseEvent", type="mousePressed", button="left", buttons=1, clickCount=1, **places[0])
        for place in places[1:]:
            self.call("Input.dispatchMouseEvent", type="mouseMoved", button="left", buttons=1, **place)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", button="left", clickCount=1, **places[-1])

    def hover(self, name, x, y):
        self.value(f"document.getElementById('{name}').scrollIntoView({{block: 'center'}})")
        left, top, width, height = self.value(f"(() => {{ const b = document.getElementById('{name}').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=left + x * width, y=top + y * height)

    def choose(self, path):
        """Chooses a file where the page asks for one."""
        self.wait("!!document.querySelector('input[type=file]')", 10)
        node = self.call("Runtime.evaluate", expression="document.querySelector('input[type=file]')")["result"]["objectId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=node)

    def downloaded(self, seconds=60):
        """The one file that was downloaded since the last call."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = [path for path in self.downloads.iterdir() if path.suffix != ".crdownload" and path.stat().st_size > 0]
            if found and not list(self.downloads.glob("*.crdownload")):
                content = found[0].name, found[0].read_bytes()
                found[0].unlink()
                return content
            self.value("0")
            time.sleep(0.05)
        raise AssertionError("nothing was downloaded")
