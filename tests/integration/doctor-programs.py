# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Programs: the loader's messages contain their name, and functions are bound when they are first called
(SY-11), unless LD_BIND_NOW or the link disables that."""
from doctoring import Sick
from sandbox import equal, wheel

SOURCE = """
extern int __nvJitLinkCreate_12_5(void);
int main(int argc, char **argv) { return argc > 1 ? __nvJitLinkCreate_12_5() : 0; }
"""
LIB = "nvidia/nvjitlink/lib"
newer = wheel("nvidia-nvjitlink-cu12==12.5.82") / LIB
older = wheel("nvidia-nvjitlink-cu12==12.4.127") / LIB
sick = Sick("nvidia-nvjitlink-cu12==12.5.82")
program = sick.prefix / "bin/solve"
source = sick.write("solve.c", SOURCE)

def build(*words):
    sick.gcc(source, newer / "libnvJitLink.so.12", "-Wl,--enable-new-dtags",
             f"-Wl,-rpath,$ORIGIN/../lib/python{sick.site.parent.name.removeprefix('python')}"
             f"/site-packages/{LIB}", *words, "-o", program)

def real(*words, **environment):
    return sick.run(program, *words, LD_LIBRARY_PATH=sick.library_path, **environment)

build("-Wl,-z,lazy")
equal(sick.doctor(program)["verdict"], "accept", "alone")
sick.library_path = older
file = sick.doctor(program)
equal((file["ends"], sick.codes(file)), ("first-call", ["CC4002"]), sick.text)
equal(real().status, 0, "it starts")
ended = real("call")
equal((ended.status, ended.err.strip()), (127, file["predicted"]), ended)
equal(file["remedies"][0]["kind"], "undo", sick.text)
sick.library_path = None
equal(real("call").status == 127, False, "applied")

sick.library_path = older
file = sick.doctor(program, LD_BIND_NOW="1")
equal(file["ends"], "fails", sick.text)
ended = real(LD_BIND_NOW="1")
equal((ended.status, ended.err.strip()), (127, file["predicted"]), ended)

build("-Wl,-z,now")
file = sick.doctor(program)
equal(file["ends"], "fails", sick.text)
ended = real()
equal((ended.status, ended.err.strip()), (127, file["predicted"]), ended)

# A missing library.
sick.library_path = None
sick.lib("nvjitlink", "libnvJitLink.so.12").unlink()
file = sick.doctor(program)
ended = real()
equal((ended.status, ended.err.strip()), (127, file["predicted"]), ended)

# A program that needs the driver, on a machine that may have none: all findings are checked at once.
sick = Sick("nvidia-cuda-runtime-cu12==12.4.127")
stub = sick.library(sick.work / "link/libcuda.so.1", "int cuInit(int a) { return a; }\n",
                    soname="libcuda.so.1")
program = sick.prefix / "bin/asks"
source = sick.write("asks.c", "extern int cuInit(int);\nextern int cudaGetDeviceCount(int *);\n"
                    "int main(void) { return cuInit(0) + cudaGetDeviceCount(0); }\n")
cudart = sick.lib("cuda_runtime", "libcudart.so.12")
sick.gcc(source, stub, cudart, "-Wl,--disable-new-dtags", f"-Wl,-rpath,{cudart.parent}", "-o", program)
file = sick.doctor(program)
names = [copy["name"] for copy in file["loaded"]]
equal(len(names), len(set(names)), names)
if file["verdict"] == "unknown":
    ended = sick.run(program)
    equal((ended.status, ended.err.strip()), (127, file["predicted"]), ended)
