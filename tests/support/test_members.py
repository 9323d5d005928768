# SPDX-License-Identifier: Apache-2.0
"""Files of a wheel that a server on this machine sends in ranges."""

import http.server
import json
import os
import sys
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import madewheel  # noqa: E402
import members  # noqa: E402
import wheels  # noqa: E402

FILE = "big-1.0-py3-none-linux_x86_64.whl"


class Handler(http.server.BaseHTTPRequestHandler):
    content, ranges = b"", True

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()

    def do_GET(self):
        begin, end = (int(each) for each in self.headers["Range"].removeprefix("bytes=").split("-"))
        self.send_response(206 if self.ranges else 200)
        self.end_headers()
        self.wfile.write(self.content[begin:end + 1])

    def log_message(self, *_):
        pass


class Members(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.wheel = madewheel.write(self.root / FILE, {
            "big/lib/libbig.so": os.urandom(5 << 20), "big/lib/libsmall.so": b"small", "big/include/a/b.h": b"header"},
            "nvidia-a==1", "other")
        Handler.content, Handler.ranges = self.wheel.read_bytes(), True
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}/{FILE}#sha256=0"
        self.wanted = {"big==1.0": ["big/lib/libsmall*", "big/include/*"]}
        self.locked = {}
        os.environ.pop("CUDACC_TEST_OFFLINE", None)
        for patch in (mock.patch.dict(os.environ, {"CUDA_CC_CACHE": str(self.root / "cache")}),
                      mock.patch.object(members, "TRIES", 1),
                      mock.patch.object(wheels, "report", lambda *_, **__: {"download_info": {"url": url}}),
                      mock.patch.object(wheels, "read_wanted", lambda _: self.wanted),
                      mock.patch.object(wheels, "locked", lambda *_: self.locked)):
            patch.start()
            self.addCleanup(patch.stop)

    def test_only_the_named_files_are_downloaded(self):
        folder = members.get("big==1.0")
        found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        self.assertEqual(found, [*(f"big-1.0.dist-info/{name}" for name in ("METADATA", "RECORD", "WHEEL")),
                                 "big/include/a/b.h", "big/lib/libsmall.so"])
        note = json.loads((folder.parent / f"{folder.name}.json").read_text())
        self.assertEqual(note["file"], FILE)
        self.assertLess(note["bytes"], 4 << 20)
        self.assertEqual(members.get("big==1.0"), folder)

    def test_made_wheel_requires_what_is_kept(self):
        path = members.file_of("big==1.0", self.root / "index", ["nvidia-a"])
        with zipfile.ZipFile(path) as archive:
            self.assertIn("big/lib/libsmall.so", archive.namelist())
            self.assertNotIn("big/include/a/b.h", archive.namelist())
            metadata = archive.read("big-1.0.dist-info/METADATA").decode()
        self.assertIn("Requires-Dist: nvidia-a==1\n", metadata)
        self.assertNotIn("other", metadata)

    def test_another_file_than_the_locked_one_is_refused(self):
        self.locked = {"file": FILE, "record": "0" * 64}
        with self.assertRaisesRegex(wheels.WheelError, "sha256 of RECORD is .*, locked.json says 000"):
            members.get("big==1.0")
        self.assertFalse(members.folder_of("big==1.0").exists())

    def test_file_that_is_not_as_recorded_is_refused(self):
        with zipfile.ZipFile(self.wheel, "a") as archive:
            with self.assertWarns(UserWarning):
                archive.writestr("big/lib/libsmall.so", b"other")
        Handler.content = self.wheel.read_bytes()
        with self.assertRaisesRegex(wheels.WheelError, "'big/lib/libsmall.so' is not what RECORD says"):
            members.get("big==1.0")

    def test_server_without_ranges_is_an_error(self):
        Handler.ranges = False
        with self.assertRaisesRegex(wheels.WheelError, "sends no ranges"):
            members.get("big==1.0")

    def test_nothing_is_downloaded_in_a_test(self):
        with mock.patch.dict(os.environ, CUDACC_TEST_OFFLINE="1"):
            with self.assertRaisesRegex(wheels.WheelError, "not in the cache"):
                members.get("big==1.0")


if __name__ == "__main__":
    unittest.main()
