# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""An extension beside NVIDIA's real wheels: the real loader, the simulation on the disk, and the simulated
site-packages made from the tables, without reading the wheels, have the same result
(facts/loader_rules.json wheel_runpath, rpath_only, rpath_and_needed, runpath; LS-1, LS-2)."""
import os
import shutil

import wheels
from loading import SIMULATION, Answer, Tree
from sandbox import environment_of, equal, wheel

tree = Tree()
CUDA12 = {"libcublas.so.12": "nvidia-cublas-cu12==12.4.5.8",
          "libcublasLt.so.12": "nvidia-cublas-cu12==12.4.5.8",
          "libcusolver.so.11": "nvidia-cusolver-cu12==11.6.1.9",
          "libcusparse.so.12": "nvidia-cusparse-cu12==12.3.1.170",
          "libnvJitLink.so.12": "nvidia-nvjitlink-cu12==12.4.127"}
CUDA13 = {"libcublas.so.13": "nvidia-cublas==13.1.0.3",
          "libcublasLt.so.13": "nvidia-cublas==13.1.0.3",
          "libcusolver.so.12": "nvidia-cusolver==12.0.4.66",
          "libcusparse.so.12": "nvidia-cusparse==12.6.3.3",
          "libnvJitLink.so.13": "nvidia-nvjitlink==13.0.88"}
older = wheel("nvidia-nvjitlink-cu12==12.0.140") / "nvidia/nvjitlink/lib"

def site_of(rows, name):
    """A copy in which an extension can be installed, and the table of its contents."""
    site = tree.work / name
    shutil.copytree(environment_of(*sorted(set(rows.values()))), site, copy_function=wheels.link_or_copy)
    table = []
    for soname, requirement in rows.items():
        folder = next(site.rglob(soname)).parent.relative_to(site)
        table += ["--table", ",".join([soname, *requirement.split("=="), str(folder)])]
    return site, table

def from_tables(table, file, place):
    done = tree.run(SIMULATION, *table, "--place", place, file)
    assert not done.err, done
    answer = Answer(done.status)
    answer.take(done.out)
    equal(answer.unknown, [], str(file))
    return answer

def under(site, paths):
    paths = [os.path.normpath(path) for path in paths]
    return [os.path.relpath(path, site) for path in paths if path.startswith(f"{site}/")]

def check(site, table, needs, folders, place="pkg"):
    parts = [part for part in place.split("/") if part != "."]
    origin = "/".join(["$ORIGIN"] + [".."] * len(parts))
    path = ":".join(f"{origin}/{folder}" for folder in folders)
    for tag in ("rpath", "runpath"):
        (site / place).mkdir(parents=True, exist_ok=True)
        file = tree.library(site / place / f"{tag}.so", needs=needs, **{tag: path})
        # Symbols of the wheels do not affect the search.
        for library_path in (None, older):
            disk = tree.same(file, library_path=library_path, wheels=True,
                             what=f"{tag} {needs} {library_path}")
            if library_path is None:
                tables = from_tables(table, file, place)
                equal(tables.failure, disk.failure, f"{tag} {needs}")
                if not disk.failure:
                    equal(under("/site-packages", tables.mapped), under(site, disk.mapped), f"{tag} {needs}")

site, table = site_of(CUDA12, "cuda12")
jit, sparse, solver = "libnvJitLink.so.12", "libcusparse.so.12", "libcusolver.so.11"
nvidia = {name: f"nvidia/{name}/lib" for name in ("nvjitlink", "cusparse", "cusolver", "cublas")}
check(site, table, [solver], [nvidia["cusolver"]])
check(site, table, [sparse], [nvidia["cusparse"]])
check(site, table, [sparse], [nvidia["cusparse"], nvidia["nvjitlink"]])
check(site, table, [sparse, jit], [nvidia["cusparse"], nvidia["nvjitlink"]])
check(site, table, [jit, sparse], [nvidia["nvjitlink"], nvidia["cusparse"]])
check(site, table, [sparse, jit], [nvidia["cusparse"]])
check(site, table, ["libcublas.so.12"], [nvidia["cublas"]], place="pkg/sub")
check(site, table, [jit], [nvidia["nvjitlink"]], place=".")
check(site, table, [jit], ["nvidia/cu13/lib"])
check(site, table, ["libnvJitLink.so.13"], [nvidia["nvjitlink"]])

site, table = site_of(CUDA13, "cuda13")
check(site, table, ["libcusolver.so.12"], ["nvidia/cu13/lib"])
check(site, table, ["libcublas.so.13", "libcusparse.so.12"], ["nvidia/cu13/lib"])
check(site, table, ["libcusparse.so.12"], ["nvidia/cusparse/lib"])
assert tree.compared == 13 * 4, tree.compared
