"""Takes pictures of a local page with a headless Chromium, over its debugging pipe.

Knows the browser only: nothing of lessons, slides or videos.
"""

import base64
import fcntl
import json
import os
import subprocess
import tempfile
from pathlib import Path

FLAGS = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--allow-file-access-from-files",
]


class PageError(Exception):
    """The page threw, or the browser refused a command."""


class Browser:
    """One Chromium with one page. Use it in a `with` block, which ends the process."""

    def __init__(self, program: str, page: Path, width: int, height: int):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command_read, self._write = os.pipe()
        self._read, answer_write = os.pipe()
        # Chromium reads commands on 3 and writes answers to 4. The shell moves our two ends there; they must not
        # be 3 or 4 themselves, or the second redirection would undo the first.
        command_high = fcntl.fcntl(command_read, fcntl.F_DUPFD, 10)
        answer_high = fcntl.fcntl(answer_write, fcntl.F_DUPFD, 10)
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{command_high} 4>&{answer_high}', "bash", program, *FLAGS,
             f"--user-data-dir={self._profile.name}", f"--window-size={width},{height}", "about:blank"],
            pass_fds=(command_high, answer_high), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for descriptor in (command_read, answer_write, command_high, answer_high):
            os.close(descriptor)
        self._buffer = b""
        self._next_id = 0
        self._session = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._call("Page.enable")
        self._call("Page.navigate", url=page.resolve().as_uri())
        self._wait_for("Page.loadEventFired")

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_exception) -> None:
        os.close(self._write)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        self._profile.cleanup()

    def evaluate(self, expression: str):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def screenshot(self) -> bytes:
        """The page as it stands, as a PNG."""
        answer = self._call("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        return base64.b64decode(answer["data"])

    def _call(self, method: str, **parameters) -> dict:
        self._next_id += 1
        message = {"id": self._next_id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data):]
        while True:
            answer = self._receive()
            if answer.get("id") == self._next_id:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _wait_for(self, event: str) -> None:
        while self._receive().get("method") != event:
            pass

    def _receive(self) -> dict:
        while b"\0" not in self._buffer:
            chunk = os.read(self._read, 1 << 20)
            if not chunk:
                raise PageError("Chromium ended before it answered")
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)
