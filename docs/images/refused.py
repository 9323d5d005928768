#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes refused.svg, the README's picture: what a terminal shows of a refused build, from real runs.

    refused.py CUDA-CC [FILE]

The two nvJitLink are those of ./dev demo, as a toolkit has them. The folder's name has a fixed length,
because messages are wrapped after paths are in them, and is replaced in the picture.
"""
import html
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, os.environ.get("CUDACC_TEST_SUPPORT", str(HERE.parents[1] / "tests/support")))
import wheels

SHOWN = "/home/me/work"
SOURCE = """#include <nvJitLink.h>
extern "C" int make(nvJitLinkHandle *handle) { return nvJitLinkCreate(handle, 0, nullptr); }
"""
BUILD = ("cuda-cc g++ -shared -fPIC ext.cpp -o ext.so -Icuda-{0}/include -Lcuda-{0}/lib64 "
         "-lnvJitLink")
# Command and exit status.
SESSION = (("cat cuda-cc.toml", 0), (BUILD.format("12.5"), 3), (BUILD.format("12.4"), 0),
           ("cuda-cc check ext.so", 0))
CHARACTER, LINE, MARGIN, COLUMNS = 8.43, 20, 18, 104
CLASSES = {"1": "b", "2": "d", "31": "r", "1;31": "r", "32": "g", "1;32": "g", "33": "y", "1;33": "y"}
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"\
 viewBox="0 0 {width} {height}" role="img" aria-label="{label}">
<style>
rect {{ fill: #ffffff; stroke: #d0d7de; }}
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;\
 fill: #1f2328; white-space: pre; }}
.b {{ font-weight: bold; }}
.d {{ fill: #59636e; }}
.r {{ fill: #c4121f; font-weight: bold; }}
.g {{ fill: #116329; font-weight: bold; }}
.y {{ fill: #7d4e00; font-weight: bold; }}
@media (prefers-color-scheme: dark) {{
rect {{ fill: #0d1117; stroke: #3d444d; }}
text {{ fill: #f0f6fc; }}
.d {{ fill: #9198a1; }}
.r {{ fill: #ff7b72; }}
.g {{ fill: #56d364; }}
.y {{ fill: #e3b341; }}
}}
</style>
<rect x="0.5" y="0.5" width="{inner_width}" height="{inner_height}" rx="8"/>
{lines}
</svg>
"""


def toolkit(folder, version):
    """The toolkit's files of this version of nvJitLink."""
    wheel = Path(wheels.get(f"nvidia-nvjitlink-cu12=={version}")) / "nvidia/nvjitlink"
    shutil.copytree(wheel / "include", folder / "include")
    (folder / "lib64").mkdir()
    shutil.copy(wheel / "lib/libnvJitLink.so.12", folder / f"lib64/libnvJitLink.so.{version}")
    (folder / "lib64/libnvJitLink.so.12").symlink_to(f"libnvJitLink.so.{version}")
    (folder / "lib64/libnvJitLink.so").symlink_to("libnvJitLink.so.12")


def on_terminal(command, folder, path):
    """Exit status and text of a command whose output is a terminal."""
    environment = {"PATH": path, "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C"}
    main, side = pty.openpty()
    process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment,
                               stdin=subprocess.DEVNULL, stdout=side, stderr=side)
    os.close(side)
    text = b""
    # The last reader of a closed terminal gets an error.
    while data := _read(main):
        text += data
    os.close(main)
    return process.wait(), text.decode().replace("\r\n", "\n")


def _read(descriptor):
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


def session(program):
    """The lines of the terminal, with its colours."""
    folder = Path(tempfile.mkdtemp(prefix="", dir="/tmp"))
    try:
        assert len(str(folder)) == len(SHOWN), folder
        (folder / "bin").mkdir()
        (folder / "bin/cuda-cc").symlink_to(Path(program).resolve())
        (folder / "ext.cpp").write_text(SOURCE)
        (folder / "cuda-cc.toml").write_text('runtime = "torch==2.5.1"\n')
        toolkit(folder / "cuda-12.5", "12.5.82")
        toolkit(folder / "cuda-12.4", "12.4.127")
        lines = []
        for command, expected in SESSION:
            status, text = on_terminal(command, folder, f"{folder}/bin:/usr/bin:/bin")
            if status != expected:
                raise SystemExit(f"refused.py: {command}: status {status}\n{text}")
            lines += [f"\x1b[1m$ {command}\x1b[0m", *text.replace(str(folder), SHOWN).splitlines()]
        return lines
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def marked(line):
    """A line of a terminal as SVG."""
    out, style = "", ""
    for part in re.split(r"(\x1b\[[\d;]*m)", line):
        if part.startswith("\x1b"):
            style = CLASSES.get(part[2:-1], "")
        elif part:
            text = html.escape(part, quote=False)
            out += f'<tspan class="{style}">{text}</tspan>' if style else text
    return out


def drawn(lines):
    longest = max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines)
    assert longest <= COLUMNS, f"{longest} columns"
    width, height = round(2 * MARGIN + COLUMNS * CHARACTER), 2 * MARGIN + LINE * len(lines)
    texts = [f'<text x="{MARGIN}" y="{MARGIN + 14 + LINE * i}" xml:space="preserve">{marked(line)}</text>'
             for i, line in enumerate(lines)]
    return FRAME.format(width=width, height=height, inner_width=width - 1, inner_height=height - 1,
                        label="A build for torch 2.5.1 that links nvJitLink 12.5 is refused with an "
                              "error and fixes; the same build with 12.4 is accepted.",
                        lines="\n".join(texts))


if __name__ == "__main__":
    Path(sys.argv[2] if len(sys.argv) > 2 else HERE / "refused.svg").write_text(drawn(session(sys.argv[1])))
