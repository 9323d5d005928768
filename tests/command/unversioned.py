# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""CUDA symbols without a version: one that the runtime's library lacks is rejected by the link, by check with
tables, an environment and all releases, and by doctor; a project's own symbol with a CUDA-like name is not."""
from binaries import PROGRAM, Binaries, equal, run

place = Binaries()
CUDART = "libcudart.so.13"
real = ["cudaGetDevice", "cudaDeviceSynchronize"]
library = place.library(f"lib/{CUDART}", CUDART, real)
site = place.site("env", {"nvidia-cuda-runtime": ("13.0.96",
                                                  {f"nvidia/cu13/lib/{CUDART}": library})})
library = site / "nvidia/cu13/lib" / CUDART
PATHS = "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../nvidia/cu13/lib"


def link(name, symbols, *words, runtime="cuda==13.0"):
    source = place.work / "ext.c"
    source.write_text("".join(f"void {each}(void);\n" for each in symbols) +
                      "void init(void) {" + "".join(f"{each}();" for each in symbols) + "}\n")
    (place.work / name).unlink(missing_ok=True)
    return run(PROGRAM, "gcc", f"--cudacc-runtime={runtime}", "-nostdlib", "-shared", "-fPIC",
               source, "-o", name, "-Wl,--no-as-needed", library, *words, cwd=place.work,
               VIRTUAL_ENV="")


def plainly(name, symbols, *words):
    """Linked directly by gcc."""
    source = place.work / "plain.c"
    source.write_text("".join(f"void {each}(void);\n" for each in symbols) +
                      "void init(void) {" + "".join(f"{each}();" for each in symbols) + "}\n")
    place.gcc("-shared", "-fPIC", source, "-o", name, "-Wl,--no-as-needed", library, PATHS, *words)


def codes(name, *words):
    return place.check(name, *words, "--format=json").codes()


for symbol, instead in (("cudaThreadSynchronize", "cudaDeviceSynchronize"), ("cudaNoSuchThing", "")):
    linked = link("linked.so", [symbol, "cudaGetDevice"])
    equal(linked.returncode, 3, linked)
    assert symbol in linked.stderr and "[CC4001]" in linked.stderr, linked
    assert instead in linked.stderr, linked
    assert not (place.work / "linked.so").exists()
    plainly("plain.so", [symbol, "cudaGetDevice"])
    for runtime in ("cuda==13.0", "env:env"):
        checked = place.check("plain.so", "--runtime", runtime)
        equal(checked.status, 3, checked)
        assert symbol in checked.out and "[CC4001]" in checked.out, checked
    table = place.check("plain.so", "--against", "all")
    assert "accept" not in table.out, table
    ended = run(PROGRAM, "doctor", "plain.so", "--env", "env", cwd=place.work, VIRTUAL_ENV="",
                LD_LIBRARY_PATH=str(library.parent))
    equal(ended.returncode, 3, ended)
    assert f"undefined symbol: {symbol}" in ended.stdout, ended

# All symbols exist, and their versions are not requested.
equal(link("linked.so", real).returncode, 0)
plainly("plain.so", real)
equal(place.check("plain.so", "--runtime", "cuda==13.0").status, 0)

# The project's own symbol: defined in another file of the package, found by the link, found in the environment; if the
# defining file cannot be read, it is not rejected.
mine = place.work / "libmine.so"
source = place.work / "mine.c"
source.write_text("void cudaHelper(void) {}\n")
place.gcc("-shared", "-fPIC", source, "-o", mine, "-Wl,-soname,libmine.so")
for words in ((mine,), ("-L.", "-lmine")):
    linked = link("linked.so", ["cudaHelper", "cudaGetDevice"], *words)
    equal((linked.returncode, linked.stderr), (0, ""), linked)
linked = link("linked.so", ["cudaHelper", "cudaOther"], mine)
equal(linked.returncode, 3, linked)
assert "cudaOther" in linked.stderr and "cudaHelper" not in linked.stderr, linked
plainly("plain.so", ["cudaHelper", "cudaGetDevice"], mine, "-Wl,-rpath,$ORIGIN")
checked = place.check("plain.so", "--runtime", "env:env")
equal(checked.status, 0, checked)
checked = place.check("plain.so", "--runtime", "cuda==13.0", "--format=json")
assert "CC4001" not in checked.codes() + checked.codes("warning"), checked
(place.work / "far").mkdir()
mine.rename(place.work / "far/libmine.so")
checked = place.check("plain.so", "--runtime", "cuda==13.0")
assert "CC4001" not in checked.out, checked
