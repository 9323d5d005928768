# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""The same file gets the same verdict from the link step that made it, from `check` under the same runtime, in
the row of `--against`, and from `doctor` in an environment. Tested with small files that import names of real
libraries, and with other outputs of links. In all other tests, Sandbox.good and Sandbox.refused compare the link's
verdict with that of `check`."""
import json
import re
import shutil

from proof import SITE, Importer, names_of, prefix
from sandbox import Sandbox, equal, wheels

TABLES = ("torch==2.5.1", "torch==2.11.0", "cuda==12.4", "cuda==13.0")
STATUS = {0: "accept", 3: "reject", 4: "unknown"}


class Linking(Sandbox):
    """Keeps the command lines by which extensions are linked, and the files on them."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def run(self, *argv, **more):
        words = [str(word) for word in argv]
        ended = super().run(*words, **more)
        if words[0] == "gcc" and "-nostdlib" not in words:
            line = list(words)
            for at, word in enumerate(line):
                if word.startswith(f"{self.work}/stand"):
                    line[at] = self.keep(word)
            self.lines.append(line)
        return ended

    def keep(self, path):
        """A copy of files that an Importer removes. Libraries are linked through a linker script, so that the
        command line does not show which library it is, and only the linked file can be checked."""
        folder = self.work / f"kept{len(self.lines)}"
        folder.mkdir(exist_ok=True)
        copy = folder / path.rsplit("/", 1)[1]
        shutil.copy(path, copy)
        if ".so" not in copy.name:
            return str(copy)
        (folder / "libscript.so").write_text(f"INPUT({copy})\n")
        return f"{folder}/libscript.so"


sandbox = Linking()
site = sandbox.root / "site"
wheels.merge(wheels.read_wanted("environments")["torch==2.5.1"], site)
venv = prefix(sandbox, site)
package = site / "package"
package.mkdir()
importer = Importer(sandbox)
ORIGIN = "$ORIGIN/../nvidia/{}/lib"

for library, (version, soname, folders) in SITE.items():
    here, later = names_of(library, version, soname)
    for names in (here, later):
        for name, node in list(names.items())[:1]:
            importer.build(soname, {name: node}, [ORIGIN.format(folder) for folder in folders], package)
# Names without a version: one that was removed, one that never existed, one of the project's own.
for name in ("cudaGetDevice", "cudaThreadSynchronize", "cudaNoSuchThing"):
    importer.build("libcudart.so.12", {name: ""}, [ORIGIN.format("cuda_runtime")], package)
# Another major, no search path, a search path without the library, and libraries that no runtime or toolkit has.
importer.build("libcudart.so.11.0", {"cudaGetDevice": ""}, [ORIGIN.format("cuda_runtime")], package)
importer.build("libcudart.so.12", {"cudaMalloc": "libcudart.so.12"}, [], package)
importer.build("libcudart.so.12", {"cudaMalloc": "libcudart.so.12"}, ["/nowhere/lib"], package)
importer.build("libnppc.so.12", {"nppGetLibVersion": "libnppc.so.12"}, [ORIGIN.format("npp")], package)
importer.build("libcudnn.so.8", {"cudnnCreate": "libcudnn.so.8"}, [ORIGIN.format("cudnn")], package)
importer.build("libcudart.so.12", {"cudaFree": "libcudart.so.13"}, [ORIGIN.format("cuda_runtime")], package)


def linked(line, runtime, output, enforce="symbols"):
    """The same line through cuda-cc, with another output. The toolkit check is off, so that only the file is
    checked."""
    line = list(line)
    line[line.index("-o") + 1] = output
    return sandbox.cc(f"--cudacc-runtime={runtime}", f"--cudacc-enforce={enforce}", *line)


def verdicts(*words):
    ended = sandbox.cc("check", "--format=json", *words)
    assert ended.out, ended
    return {file["path"]: (file["verdict"], [each for each in file["findings"] if each["severity"] == "error"])
            for file in json.loads(ended.out)["files"]}


said, wrong, seen = 0, [], {"accept": 0, "reject": 0, "unknown": 0}
for runtime in (*TABLES, f"env:{venv}"):
    by_link, outputs = {}, []
    for number, line in enumerate(sandbox.lines):
        output = package / f"linked{number}.so"
        output.unlink(missing_ok=True)
        ended = linked(line, runtime, output)
        assert ended.status in STATUS, ended
        if ended.status:
            assert not output.exists(), ended
            # The file has not been linked yet, so no path of the output may be named.
            assert not re.search(rf"needed by: +\S*{output.name}", ended.err), ended
            made = linked(line, runtime, output, "warn")
            equal(made.status, 0, made)
        by_link[str(output)] = (STATUS[ended.status], ended.err)
        outputs.append(output)
    answers = {"check": verdicts(f"--runtime={runtime}", *outputs),
               "--against": verdicts(f"--against={runtime}", *outputs)}
    if runtime.startswith("env:"):
        answers["doctor"] = {}
        for output in outputs:
            ended = sandbox.cc("doctor", "--format=json", "--env", venv, output)
            file = json.loads(ended.out)["files"][0]
            of_driver = ("CC2011", "CC3010", "CC3011", "CC3012")
            errors = [each for each in file["findings"]
                      if each["severity"] == "error" and each["code"] not in of_driver]
            answers["doctor"][str(output)] = (file["verdict"] if errors else "accept", errors)
    for path, (verdict, text) in by_link.items():
        seen[verdict] += 1
        for tool, files in answers.items():
            said += 1
            if files[path][0] != verdict:
                wrong.append(f"{runtime} {path}: the link {verdict}, {tool} {files[path][0]}\n"
                             f"{' '.join(sandbox.lines[outputs.index(type(output)(path))])}\n{text}\n{files[path][1]}")
assert not wrong, f"{len(wrong)} of {said} disagree\n" + "\n\n".join(wrong)
assert said >= 250 and seen["accept"] >= 30 and seen["reject"] >= 60, (said, seen)
