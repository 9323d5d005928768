# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""KC-1 under `trace`: an extension built with nvJitLink 12.5 is imported after a library that loaded torch's 12.4, and
alone."""
import shutil
import sys
import sysconfig
from pathlib import Path

from behaviour import behaviour
from sandbox import environment_of, equal, skip, wheel
from tracing import Tracing, agrees, library, loaded, only

tree = Tracing()
include = Path(sysconfig.get_path("include"))
if not (include / "Python.h").exists():
    skip("python3 has no headers")
PYTHON = Path(sys.executable).resolve()
new = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink"
site = tree.work / "site-packages"
shutil.copytree(environment_of("nvidia-nvjitlink-cu12==12.4.127", "nvidia-cusparse-cu12==12.3.1.170"),
                site)
theirs = site / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
newer = new / "lib/libnvJitLink.so.12"

# As in torch: a package whose libraries find NVIDIA's wheels beside it.
tree.library(site / "torch/lib/libtorch_cuda.so", needs=["libcusparse.so.12"],
             runpath="$ORIGIN/../../nvidia/cusparse/lib")
(site / "torch/__init__.py").write_text(
    "import ctypes, os\n"
    "ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib/libtorch_cuda.so'))\n")
(tree.work / "ext.cpp").write_text("""#include <Python.h>
#include <nvJitLink.h>
static PyObject *tryIt(PyObject *, PyObject *) {
  nvJitLinkHandle handle;
  const char *options[] = {"-arch=sm_80"};
  if (nvJitLinkCreate(&handle, 1, options) != NVJITLINK_SUCCESS)
    return PyErr_Format(PyExc_RuntimeError, "nvJitLinkCreate failed");
  nvJitLinkDestroy(&handle);
  unsigned major = 0, minor = 0;
  nvJitLinkVersion(&major, &minor);
  return PyUnicode_FromFormat("works with nvJitLink %u.%u", major, minor);
}
static PyMethodDef methods[] = {{"try_it", tryIt, METH_NOARGS, nullptr}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "ext", nullptr, -1, methods};
PyMODINIT_FUNC PyInit_ext() { return PyModule_Create(&module); }
""")
done = tree.run("g++", "-shared", "-fPIC", f"-I{include}", f"-I{new}/include", "ext.cpp", "-o",
                site / "ext.so", f"-L{new}/lib", "-l:libnvJitLink.so.12",
                f"-Wl,--enable-new-dtags,-rpath,{new}/lib")
assert done.status == 0, done
ext = str(site / "ext.so")
environment = {"PYTHONPATH": site, "PYTHONDONTWRITEBYTECODE": 1}
both = [PYTHON, "-c", "import torch, ext"]


@behaviour
def alone_it_gets_its_own_copy_and_its_bindings_are_reported_by_symbol():
    alone = [PYTHON, "-c", "import ext; print(ext.try_it())"]
    value = agrees(tree.traced(*alone, **environment))
    equal(value["status"], 0)
    copy = only(library(value, "nvJitLink")["copies"])
    equal((copy["path"], copy["version"], copy["cuda"]), (str(newer), "12.5.82", "12.5"))
    equal((only(copy["requests"])["asked_by"], copy["requests"][0]["by"]), (ext, "runpath"))
    equal(set(only(copy["bindings"])["symbols"]) & {"__nvJitLinkCreate_12_5", "nvJitLinkVersion"},
          {"__nvJitLinkCreate_12_5", "nvJitLinkVersion"})
    equal(copy["missing"], [])


@behaviour
def after_torch_it_gets_the_copy_that_torch_loaded():
    value = agrees(tree.traced(*both, **environment))
    equal(value["status"], 1)
    won, passed = library(value, "nvJitLink")["copies"]
    equal((won["path"], won["version"], won["loaded"]), (str(theirs), "12.4.127", True))
    equal((passed["path"], passed["version"], passed["loaded"]), (str(newer), "12.5.82", False))
    first, second = won["requests"]
    equal((Path(first["asked_by"]).name, first["by"], first["element"], first["seen"]),
          ("libcusparse.so.12", "runpath", "$ORIGIN/../../nvjitlink/lib", True))
    equal((second["asked_by"], second["by"], second["passed"], second["seen"]),
          (ext, "already-loaded", str(newer), False))
    equal({each["symbol"] for each in won["missing"]},
          {"__nvJitLinkCreate_12_5", "__nvJitLinkDestroy_12_5"})
    equal({(each["importer"], each["first"]) for each in won["missing"]}, {(ext, "12.5")})
    equal(value["processes"][0]["closed_again"], [ext])
    # The loader's own log has the same names.
    assert "undefined symbol: __nvJitLink" in tree.run(*both, **environment).err


@behaviour
def the_text_says_what_the_copy_lacks():
    text = tree.said(*both, status=1, **environment)
    lines = text.splitlines()
    equal(lines[0].split(": ", 1)[1], "ext.so got libnvJitLink.so.12 12.4.127, which lacks "
          "__nvJitLinkCreate_12_5 and 1 more", text)
    assert all(len(line) <= 100 for line in lines if "/" not in line), text
    for words in ("libnvJitLink.so.12 12.5.82 passed over", "its own search leads to",
                  "(first in CUDA 12.5)", "closed again at once", "meant for 12.5.82",
                  "simulation the same for all of"):
        assert words in " ".join(text.split()), f"{words}\n{text}"
    assert "\x1b" not in text


@behaviour
def a_newer_copy_that_is_loaded_first_is_used_by_all():
    value = agrees(tree.traced(PYTHON, "-c", "import ext, torch; print(ext.try_it())", **environment))
    equal(value["status"], 0)
    equal(loaded(value, "nvJitLink"), [str(newer)])
    equal([each["path"] for each in library(value, "nvJitLink")["copies"]], [str(newer), str(theirs)])


@behaviour
def a_copy_that_is_opened_by_its_path_is_a_second_one():
    value = tree.traced(PYTHON, "-c", f"import ext, ctypes; ctypes.CDLL({str(theirs)!r})", **environment)
    equal(loaded(agrees(value), "nvJitLink"), [str(newer), str(theirs)])
    text = tree.said(PYTHON, "-c", f"import ext, ctypes; ctypes.CDLL({str(theirs)!r})", **environment)
    assert "libnvJitLink.so.12 is in the process 2 times: 12.5.82, 12.4.127" in text, text


@behaviour
def the_report_may_be_restricted_to_one_module():
    value = tree.traced(*both, options=["--module", "ext"], **environment)
    equal([each["name"] for each in only(value["processes"])["libraries"]], ["nvJitLink"])
    value = tree.traced(*both, options=["--module=nobody"], **environment)
    equal((value["processes"], value["module"]), ([], "nobody"))


@behaviour
def an_older_copy_on_ld_library_path_is_found_first():
    old = wheel("nvidia-nvjitlink-cu12==12.0.140") / "nvidia/nvjitlink/lib"
    value = agrees(tree.traced(PYTHON, "-c", "import torch", LD_LIBRARY_PATH=old, **environment))
    equal(value["status"], 1)
    copy = only([each for each in library(value, "nvJitLink")["copies"] if each["loaded"]])
    equal((copy["version"], copy["requests"][0]["by"], copy["requests"][0]["element"]),
          ("12.0.140", "library-path", str(old)))
    assert {"__nvJitLinkComplete_12_4"} <= {each["symbol"] for each in copy["missing"]}, copy["missing"]
