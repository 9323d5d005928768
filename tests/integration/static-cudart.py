# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A static cudart that is newer than the runtime has one verdict, whichever way it comes into the output: on the
line, in a response file of the linker, in an object of `ld -r`. In a finished file it is rejected where the declared
driver is older (SY-25)."""
import json

from sandbox import Sandbox, equal, wheel

sandbox = Sandbox()
ARCHIVE = "libcudart_static.a"
folders = {"13.0": wheel("nvidia-cuda-runtime==13.0.96") / "nvidia/cu13/lib",
           "13.5": wheel("nvidia-cuda-runtime==13.5.37") / "nvidia/cu13/lib",
           "12.9": wheel("nvidia-cuda-runtime-cu12==12.9.79") / "nvidia/cuda_runtime/lib"}
sandbox.write("c.cpp", 'extern "C" int cudaRuntimeGetVersion(int *);\n'
              'extern "C" int version() { int v = 0; cudaRuntimeGetVersion(&v); return v; }\n')
equal(sandbox.run("g++", "-fPIC", "-c", "c.cpp").status, 0)
end = ("-ldl", "-lrt", "-lpthread", "-shared", "-o", "made.so")


def ways(line):
    """The same link, written in several ways."""
    archive = folders[line] / ARCHIVE
    sandbox.write("cudart.rsp", f'"{archive}"')
    sandbox.write("name.rsp", f"-L{folders[line]} -lcudart_static")
    sandbox.write("nested.rsp", "@name.rsp")
    equal(sandbox.run("ld", "-r", "c.o", archive, "-o", "joined.o").status, 0)
    return {"path": ("c.o", archive), "name": ("c.o", f"-L{folders[line]}", "-lcudart_static"),
            "linker": ("c.o", "-Wl,@cudart.rsp"), "Xlinker": ("c.o", "-Xlinker", "@nested.rsp"),
            "joined": ("joined.o",), "whole": ("c.o", "-Wl,--whole-archive,@cudart.rsp,--no-whole-archive")}


for line, runtime, code in (("13.0", "cuda==12.4", "CC3016"), ("13.5", "cuda==13.0", "CC3015"),
                            ("13.0", "cuda==13.0", None), ("13.0", "cuda==13.5", None), ("12.9", "cuda==12.9", None)):
    for way, words in ways(line).items():
        ended = sandbox.cc(f"--cudacc-runtime={runtime}", "g++", *words, *end)
        equal((way, ended.status, ended.codes), (way, 3 if code else 0, [code] if code else []), ended)
        equal((sandbox.work / "made.so").exists(), not code, way)
# Of a newer minor symbols decide, which a static cudart brings along.
for words in ways("13.5").values():
    sandbox.good("--cudacc-runtime=cuda==13.0", "--cudacc-enforce=symbols", "g++", *words, *end)


def checked(runtime, *more):
    file, = json.loads(sandbox.cc("check", "made.so", "--format=json", "--runtime", runtime, *more).out)["files"]
    return file["verdict"], [each["code"] for each in file["findings"] if each["severity"] != "remark"]


ways("13.0")
equal(sandbox.run("g++", "joined.o", *end).status, 0)
equal(checked("cuda==12.4", "--driver", "550.54"), ("reject", ["CC3010"]), "a driver of 12.4")
equal(checked("cuda==12.4", "--driver", "580.65.06"), ("accept", []), "a driver of 13.0")
equal(checked("cuda==12.4"), ("accept", ["CC3010"]), "a warning, as no driver is declared")
equal(checked("cuda==13.0"), ("accept", []))
ways("12.9")
equal(sandbox.run("g++", "joined.o", *end).status, 0)
equal(checked("cuda==12.4", "--driver", "550.54"), ("accept", []), "an older minor of the driver suffices")
