# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Libraries found through LIBRARY_PATH are linked and checked like those found through -L (R38)."""
import note
from sandbox import Sandbox, wheel

sandbox = Sandbox()
sandbox.write("main.cpp", "int main() { return 0; }\n")
link = ("--cudacc-runtime=torch==2.5.1", "g++", "main.cpp", "-Wl,--no-as-needed", "-lnvJitLink",
        "-o", "main")
development = sandbox.root / "lib"
development.mkdir()
newer = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/lib"
(development / "libnvJitLink.so").symlink_to(newer / "libnvJitLink.so.12")
sandbox.refused(*link, code="CC3015", output="main", LIBRARY_PATH=development)

older = wheel("nvidia-nvjitlink-cu12==12.4.127") / "nvidia/nvjitlink/lib"
for variable in (older, f"/none:{older}"):
    sandbox.good(*link, LIBRARY_PATH=variable)
    assert "libnvJitLink.so.12" in note.elf(sandbox.work / "main").needed
