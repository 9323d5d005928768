# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Files for every Python from a version on, and files that use only torch's stable ABI: `check` and `inspect` report
the minimum version, and names outside the limited API are a warning (CC4128, CC4210)."""
import json

from binaries import PROGRAM, Binaries, equal, run, schema

place = Binaries()


def extension(path, names, *more):
    """A module that imports these names without naming a library, and names of torch's libraries."""
    source = place.work / "module.c"
    source.write_text("".join(f"void {name}(void);\n" for name in names) + "void init(void) {" +
                      "".join(f"{name}();" for name in names) + "}\n")
    place.gcc("-shared", "-fPIC", source, "-o", place.work / path, "-Wl,-z,noexecstack", *more)
    return place.work / path


def inspected(path):
    done = run(PROGRAM, "inspect", "--format=json", path, cwd=place.work)
    equal(done.returncode, 0, done.stderr)
    value = schema.fit(json.loads(done.stdout), "inspect")
    return value["files"][0], run(PROGRAM, "inspect", path, cwd=place.work).stdout


TORCH = ["aoti_torch_get_data_ptr", "aoti_torch_get_dim"]
good = extension("good.abi3.so", ["PyList_New", "PyInterpreterState_Get", *TORCH])
beyond = extension("beyond.abi3.so", ["PyList_New", "PyType_GetName", "PyFrame_GetBack", *TORCH])
unstable = extension("unstable.so", ["PyFrame_GetBack", *TORCH,
                                     "_ZN3c1010TensorImpl17release_resourcesEv"])

file, text = inspected(good)
equal(file["abi3"], {"floor": "3.9", "beyond": []})
assert "floor" in file["stable_torch"], file
# Later releases have it too: the range has no upper end.
equal(file["torch"]["range"], ">=" + file["stable_torch"]["floor"].removesuffix(".0"), file)
assert "abi3, Python >= 3.9" in text and "stable ABI alone, >=2." in text, text
file, text = inspected(beyond)
equal(file["abi3"], {"floor": "3.11", "beyond": ["PyFrame_GetBack, in no limited API"]})
assert "PyFrame_GetBack, in no limited API [CC4128]" in text, text
file, text = inspected(unstable)
assert "abi3" not in file and "stable_torch" not in file and "stable ABI" not in text, text
assert "<" in file["torch"]["range"], file

wheel = {"pkg/_C.abi3.so": good, "pkg/_D.abi3.so": beyond, "pkg/__init__.py": b""}
place.wheel("x-1.0-cp39-abi3-linux_x86_64.whl", wheel)
place.wheel("x-1.0-cp311-abi3-linux_x86_64.whl", wheel)
place.wheel("x-1.0-cp38-abi3-linux_x86_64.whl", {"pkg/_C.abi3.so": good})


def found(name):
    """Codes by file, with the symbols that CC4128 names."""
    checked = place.check(f"x-1.0-{name}-linux_x86_64.whl", "--runtime", "torch==2.11.0",
                          "--format=json")
    equal(checked.status, 0, checked)
    return {file["path"].rpartition("/")[2]: sorted(
        (finding["code"], fact["text"]) for finding in file["findings"] for fact in finding["facts"]
        if finding["code"] == "CC4128" and fact["label"] == "symbol") for file in
        checked.json["files"]}, checked


got, checked = found("cp39-abi3")
equal(got, {"_C.abi3.so": [], "_D.abi3.so": [("CC4128", "PyFrame_GetBack, in no limited API"),
                                             ("CC4128", "PyType_GetName, since 3.11")]})
messages = [finding["message"] for file in checked.json["files"] for finding in file["findings"]
            if finding["code"] == "CC4210"]
assert "Python's limited API alone, Python >= 3.9" in messages, messages
assert any(message.startswith("torch's stable ABI alone, torch >= 2.") for message in messages), \
    messages
equal(found("cp311-abi3")[0]["_D.abi3.so"], [("CC4128", "PyFrame_GetBack, in no limited API")])
equal(found("cp38-abi3")[0]["_C.abi3.so"], [("CC4128", "PyInterpreterState_Get, since 3.9")])
