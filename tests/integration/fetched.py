# SPDX-License-Identifier: Apache-2.0
"""Archives like NVIDIA's of real parts of CUDA 12.4, a server for them on loopback, and lock files that name them."""
import hashlib
import http.server
import json
import lzma
import tarfile
import threading
from functools import partial
from pathlib import Path

from sandbox import toolkit

# What lies in which component.
COMPONENTS = {"cuda_nvcc": ("bin", "nvvm", "include/crt"), "cuda_cudart": ("include", "lib"), "cuda_cccl": ()}
CCCL = ("cub", "cuda", "nv", "thrust")
LEFT_OUT = ("cuobjdump", "nvdisasm", "nvprune", "__init__.py")


def _pack(component, root, path):
    top = f"{component}-linux-x86_64-12.4.1-archive"

    def name(info):
        below = info.name.removeprefix(f"{top}/")
        second = below.split("/")[1:2]
        elsewhere = component == "cuda_cudart" and second and second[0] in (*CCCL, "crt")
        return None if Path(below).name in LEFT_OUT or elsewhere else info

    with lzma.open(path, "wb", preset=0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for each in COMPONENTS[component]:
            source = root / ("lib64" if each == "lib" else each)
            tar.add(source, f"{top}/{each}", filter=name)
        for each in CCCL if component == "cuda_cccl" else ():
            tar.add(root / "include" / each, f"{top}/include/{each}")


def archives(folder):
    """The parts of a lock, and their files below the folder."""
    root, parts = toolkit("12.4"), []
    for component in COMPONENTS:
        path = folder / component / "linux-x86_64" / f"{component}-linux-x86_64-12.4.1-archive.tar.xz"
        path.parent.mkdir(parents=True)
        _pack(component, root, path)
        parts.append({"part": component.removeprefix("cuda_"), "source": "archive", "name": component,
                      "version": "12.4.1", "path": str(path.relative_to(folder)), "bytes": path.stat().st_size,
                      "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
    return parts


def lock(path, release, parts):
    toolkits = [{"release": release, "machine": "x86_64", "parts": parts}]
    path.write_text(json.dumps({"schema": 1, "toolkits": toolkits}))
    return path


def serve(folder):
    """The base of the files in the folder."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
