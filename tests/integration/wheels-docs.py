# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""docs/wheels.md as written, in examples/wheel-cuda with nothing but wheels: built, shown and repaired. The result
holds its own code alone, passes `check`, and is imported where the wheels are that it requires, and only there."""
import os
import re
import zipfile

import demowheel
from documented import commands_of, follows, instead
from sandbox import equal, wheels

sandbox = demowheel.Demo()
project = sandbox.project
page = follows("wheels")
commands = commands_of(page)[1:]
# The index has no lowest versions, and the wheels of 1 GB are packed for --all alone. wheel-prove.py tries the rest.
[prove] = [each for each in commands if " prove " in each]
instead(prove)
said = {command: sandbox.step(command) for command in commands if command != prove}
if os.environ["CUDACC_TEST_ALL"]:
    for requirement in (*demowheel.LIBRARIES, "nvidia-cuda-runtime==13.0.96"):
        wheels.file_of(requirement, sandbox.index)
    sandbox.tools = f"{sandbox.uv.parent}:{sandbox.tools}"
    proved = sandbox.step(f"{prove} --resolution=highest").out
    assert "highest accept" in " ".join(proved.split()) and "wheel_cuda: works" in proved, proved
[first] = page["Publish a wheel"].commands
assert first in said, first
shown = " ".join(said["cuda-cc wheel show dist/*.whl"].out.split())
for line in page["Walk through a project"].shown:
    if "libcu" in line or "libnv" in line:
        assert " ".join(line.removeprefix("needs").split()) in shown, (line, shown)
    elif line.startswith("target_link_libraries"):
        names = line.split("PRIVATE ")[1].rstrip(")")
        assert names in (project / "CMakeLists.txt").read_text(), line

[built], [repaired] = (list((project / folder).glob("*.whl")) for folder in ("dist", "wheelhouse"))
assert "-cp311-abi3-manylinux" in repaired.name, repaired
assert repaired.stat().st_size < 100_000, repaired.stat()
with zipfile.ZipFile(repaired) as archive:
    names = archive.namelist()
    [metadata] = [name for name in names if name.endswith("/METADATA")]
    requires = re.findall(r"(?m)^Requires-Dist: .*", archive.read(metadata).decode())
    archive.extractall(sandbox.site)
equal(sorted(name for name in names if ".so" in name),
      ["wheel_cuda/_math.abi3.so", "wheel_cuda/_network.abi3.so"], "its own code alone")
for line in page["Walk through a project"].shown:
    assert not line.startswith("Requires-Dist") or line in requires, (line, requires)

code = "import wheel_cuda as w; print(w.link(90) > 500, w.network_version())"
imported = [sandbox.python, "-B", "-c", code]
done = sandbox.run(*imported, cwd="/")
equal((done.status, done.out), (0, "True 21400\n"), done)

# Without one of the libraries that it requires, the loader refuses. The environment's folders are links into the cache
# that all tests share: this is a folder of its own.
lacking = sandbox.work / "lacking"
(lacking / "nvidia/cu13/lib").mkdir(parents=True)
for path in (sandbox.site / "nvidia/cu13/lib").iterdir():
    if path.name != "libnvJitLink.so.13":
        (lacking / "nvidia/cu13/lib" / path.name).symlink_to(path)
with zipfile.ZipFile(repaired) as archive:
    archive.extractall(lacking)
done = sandbox.run("python3", "-B", "-c", code, cwd=lacking)
assert done.status == 1 and "libnvJitLink.so.13" in done.err, done
sandbox.clean()
