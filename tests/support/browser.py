# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, controlled through its debugging pipe, to render a page and query it."""
import atexit
import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = shutil.which("chromium")

# For every text on the page: its contrast with the background (WCAG 2); returns those below 4.5 to 1.
FAINT = """
(() => {
  const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = text => {
    paint.clearRect(0, 0, 1, 1); paint.fillStyle = text; paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(
    v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const back = rgb(getComputedStyle(at).backgroundColor);
      if (back[3] === 255) return back;
    }
    return [255, 255, 255, 255];
  };
  let seen = 0;
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(rgb(style.color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    ++seen;
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${walk.currentNode.data.trim()}`);
  }
  return {seen, faint};
})()
"""


class Browser:
    def __init__(self):
        # Chromium creates sockets in this directory, so its path must be short.
        self.folder = tempfile.mkdtemp(prefix="cuda-cc-browser-", dir="/tmp")
        commands, self.out = os.pipe()
        self.answers, results = os.pipe()
        words = [PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu",
                 "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                 f"--user-data-dir={self.folder}", "--remote-debugging-pipe", "about:blank"]

        def connect():
            # Descriptor numbers that neither pipe uses.
            for end, high in ((commands, 100), (results, 101)):
                os.dup2(end, high, inheritable=False)
            os.dup2(100, 3)
            os.dup2(101, 4)

        # pylint: disable=subprocess-popen-preexec-fn
        self.process = subprocess.Popen(words, preexec_fn=connect, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": self.folder,
                                             "TMPDIR": self.folder})
        atexit.register(self.end)
        os.close(commands)
        os.close(results)
        self.number, self.rest, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.answers, 1 << 16)
            assert data, "the browser ended"
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def show(self, path, width, scheme):
        """Loads the page; returns its console messages and the URLs that it fetched."""
        self.width = width
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media="screen",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events = []
        self.call("Page.navigate", url=f"file://{path}")
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())
        said = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
        fetched = [event["params"]["request"]["url"] for event in self.events
                   if event["method"] == "Network.requestWillBeSent"]
        return [event for event in self.events if event["method"] in said], fetched

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, path, height=None):
        """Takes a screenshot of the whole page, or of its upper part."""
        clip = {"clip": {"x": 0, "y": 0, "width": self.width, "height": height, "scale": 1}} if height else {}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, **clip)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(30)
        os.close(self.out)
        os.close(self.answers)

    def end(self):
        """Stops the browser, whether or not the test succeeded."""
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
