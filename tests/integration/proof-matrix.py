# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""An extension built with the headers of nvJitLink 12.5: rejected on torch 2.5.1, accepted on 2.7.1, and
`--against all` reports exactly the releases on which a real import fails."""

from proof import check, loads
from sandbox import Sandbox, equal, wheel

sandbox = Sandbox()
new = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink"
sandbox.write("ext.cpp", """#include <nvJitLink.h>
extern "C" int tryIt() {
  nvJitLinkHandle handle;
  return nvJitLinkCreate(&handle, 0, nullptr) || nvJitLinkDestroy(&handle);
}
""")
done = sandbox.run("g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", f"-I{new}/include",
                   new / "lib/libnvJitLink.so.12", "-Wl,-rpath,$ORIGIN/../nvidia/nvjitlink/lib")
equal(done.status, 0, done)

answer, status = check(sandbox, "ext.so", "--runtime=torch==2.5.1")
equal(status, 3, answer)
file = answer["files"][0]
equal(file["verdict"], "reject")
finding = next(each for each in file["findings"] if each["severity"] == "error")
equal((finding["code"], finding["library"]), ("CC4002", "libnvJitLink.so.12"))
assert "__nvJitLinkCreate_12_5" in str(finding), finding
assert any("torch>=2.7.0" in fix for fix in finding["fixes"]), finding["fixes"]
text = sandbox.cc("check", "ext.so", "--runtime=torch==2.5.1").out
assert all(len(line) <= 100 for line in text.splitlines()), text
for part in ("reject", "torch==2.5.1", "__nvJitLinkCreate_12_5", "12.4.127", "torch>=2.7.0",
             "nvidia-nvjitlink-cu12>=12.5,<13"):
    assert part in text, f"{part} is not in\n{text}"
answer, status = check(sandbox, "ext.so", "--runtime=torch==2.7.1")
equal((status, answer["files"][0]["verdict"]), (0, "accept"), answer)

answer, status = check(sandbox, "ext.so", "--against=all")
verdicts = {file["runtime"]: file["verdict"] for file in answer["files"]}
# The loader's result with the nvJitLink that each release requires.
for version, releases in {"12.1.105": ["2.1.2", "2.4.1"], "12.4.127": ["2.5.1", "2.6.0"],
                          "12.6.85": ["2.7.1"], "12.8.93": ["2.9.1", "2.10.0"]}.items():
    folder = wheel(f"nvidia-nvjitlink-cu12=={version}") / "nvidia/nvjitlink/lib"
    words = loads(sandbox, sandbox.work / "ext.so", LD_LIBRARY_PATH=folder)
    for release in releases:
        equal(verdicts[f"torch=={release}"], "reject" if words else "accept",
              f"torch {release} has {version}: {words}")
words = loads(sandbox, sandbox.work / "ext.so")
assert "libnvJitLink.so.12" in words, words
assert verdicts["torch==2.11.0"] == "reject" and verdicts["torch==2.0.1"] == "reject", verdicts
text = sandbox.cc("check", "ext.so", "--against", "all").out
assert all(len(line) <= 100 for line in text.splitlines()), text
