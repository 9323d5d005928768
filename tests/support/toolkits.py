# SPDX-License-Identifier: Apache-2.0
"""CUDA toolkits made of wheels and of Debian's packages, in the cache of wheels.py.

    toolkits.py get 13.0       a folder with a working nvcc of that minor (bin/nvcc in it)
    toolkits.py bare 13.0      the wheels as pip installs them, without the symbolic links that linking needs
    toolkits.py debian 12.4    Debian's nvidia-cuda-toolkit as packaged (usr/, etc/)
    toolkits.py mixed          what `pip install nvidia-cuda-nvcc==13.0.88` installs
    toolkits.py verify M...    compiles and links with each of these minors

A toolkit from Debian has neither libcudart_static.a nor libcudadevrt.a (they are in nvidia-cuda-dev, which has
930 MB): link with -cudart shared -cudadevrt none.

Which packages and symbolic links make a toolkit is data: tests/support/toolkit_from_wheels.json.
Exit status 3 and a line `SKIPPED: reason` if Debian no longer has a package. A test queries no archive
(wheels.offline): either the package is in the cache, or fetch.py stored the reason there.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import wheels

FACTS = Path(__file__).resolve().with_name("toolkit_from_wheels.json")
TABLES = Path(__file__).resolve().parents[2] / "driver/tables/data"
HIDE = Path(__file__).resolve().parent / "hide-cuda"

PROFILE = """
TOP              = $(_HERE_)/..

CICC_PATH        = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice

LD_LIBRARY_PATH += $(TOP)/lib:
PATH            += $(CICC_PATH):$(_HERE_):

INCLUDES        +=  "-I$(TOP)/$(_TARGET_DIR_)/include" $(_SPACE_)

LIBRARIES        =+ $(_SPACE_) "-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)/stubs" \
"-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)"

CUDAFE_FLAGS    +=
PTXAS_FLAGS     +=
"""


class Skipped(Exception):
    pass


def of_archive(key, fetch):
    """Folder KEY of the unpacked Debian packages in the cache. fetch(FOLDER) downloads the package into a folder. A
    file beside the folder has the package's file name, or the reason why there is none."""
    folder = wheels.cache_root() / "debian" / key
    reason = folder.parent / f"{key}.skipped"
    if wheels.offline() and not folder.is_dir():
        if reason.exists():
            raise Skipped(reason.read_text().strip())
        raise wheels.WheelError(f"Debian's {key} is not in the cache: ./dev test fetches it")
    reason.unlink(missing_ok=True)
    try:
        def make(aside):
            with tempfile.TemporaryDirectory(dir=aside) as scratch:
                file = fetch(Path(scratch))
                subprocess.run(["dpkg", "-x", str(file), str(aside)], check=True)
                stored = {"file": file.name, "bytes": file.stat().st_size}
                (folder.parent / f"{key}.json").write_text(json.dumps(stored) + "\n")

        return wheels.in_cache("debian", key, make)
    except Skipped as problem:
        reason.write_text(f"{problem}\n")
        raise


def rows():
    return json.loads(FACTS.read_text())["rows"]


def row(ctk, origin=None):
    """The row whose nvcc has this minor, or the row of this origin."""
    for candidate in rows():
        if candidate["ctk"] == ctk and (
                candidate["has_nvcc"] if origin is None else candidate["origin"] == origin):
            return candidate
    raise wheels.WheelError(f"no packages with an nvcc {ctk} are known")


def links(text):
    """The `LINK -> TARGET` pairs of a row's to_make_it_work."""
    return re.findall(r"([\w./]+) -> ([\w./]+)", text)


def requirements(packages):
    return [f"{name}=={version}" for name, version in packages.items()]


def key(*parts):
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]


def from_wheels(name, packages, made_links):
    def make(folder):
        wheels.merge(requirements(packages), folder)
        for link, target in made_links:
            path = folder / "nvidia/cu13" / link
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)

    folder = wheels.in_cache("toolkits", f"{name}-{key(packages, made_links)}", make)
    return folder / "nvidia/cu13"


def bare(ctk):
    chosen = row(ctk, "wheels")
    if not chosen["has_nvcc"]:
        raise wheels.WheelError(f"the wheels of {ctk} have no nvcc")
    return from_wheels(f"bare-{ctk}", chosen["packages"], [])


def mixed_packages():
    newest = max((r for r in rows() if r["origin"] == "wheels" and r["has_nvcc"]),
                 key=lambda r: [int(part) for part in r["ctk"].split(".")])
    packages = {name: version for name, version in newest["packages"].items()
                if name != "nvidia-cuda-cccl"}
    packages["nvidia-cuda-nvcc"] = row("13.0", "wheels")["packages"]["nvidia-cuda-nvcc"]
    return packages


def mixed():
    """nvcc's wheel requires the other wheels without a version, so pip takes the newest."""
    return from_wheels("mixed", mixed_packages(), [])


def named(word):
    """A toolkit by its name in wanted.json: `13.0`, `bare 13.0`, `mixed`."""
    if word == "mixed":
        return mixed()
    return bare(word.removeprefix("bare ")) if word.startswith("bare ") else get(word)


def parts(word):
    """The parts of such a toolkit: requirements of wheels, and Debian's package or None."""
    if word == "mixed":
        return requirements(mixed_packages()), None
    ctk = word.removeprefix("bare ")
    archive = row(ctk)["origin"].startswith("Debian ")
    return (requirements(row(ctk, "wheels")["packages"]),
            f"nvidia-cuda-toolkit-{ctk}" if archive else None)


def deb822(text):
    for stanza in re.split(r"\n\s*\n", text):
        fields, last = {}, None
        for line in stanza.splitlines():
            if line.startswith("#"):
                continue
            if line[:1].isspace() and last:
                fields[last] += "\n" + line.strip()
            elif ":" in line:
                last, value = line.split(":", 1)
                last = last.strip().lower()
                fields[last] = value.strip()
        yield fields


def apt_sources(root="/etc/apt"):
    """(URI, suite, components, signed-by) of every package source of this machine."""
    found = []
    for file in sorted(glob.glob(f"{root}/sources.list.d/*.sources")):
        for fields in deb822(Path(file).read_text()):
            if "deb" not in fields.get("types", "").split() or fields.get("enabled") == "no":
                continue
            for uri in fields.get("uris", "").split():
                for suite in fields.get("suites", "").split():
                    found.append((uri, suite, fields.get("components", "").split(),
                                  fields.get("signed-by", "")))
    lists = [f"{root}/sources.list", *sorted(glob.glob(f"{root}/sources.list.d/*.list"))]
    for file in filter(os.path.exists, lists):
        for line in Path(file).read_text().splitlines():
            match = re.match(r"deb\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]*)", line)
            if match:
                signed = re.search(r"signed-by=(\S+)", match[1] or "")
                found.append((match[2], match[3], match[4].split(), signed[1] if signed else ""))
    return found


def debian_source(root="/etc/apt"):
    """URI and signed-by of the machine's Debian archive."""
    codenames = {"bullseye", "bookworm", "trixie", "forky", "sid", "oldstable", "stable",
                 "testing", "unstable", "experimental"}
    for uri, suite, components, signed in apt_sources(root):
        if suite in codenames and "main" in components and uri.rstrip("/").endswith("debian"):
            return uri, signed
    raise Skipped("this machine's package sources name no Debian archive")


def private_apt(suite, components, state):
    """A function that runs apt's programs with nothing of the machine's configuration but the mirror, in `state`."""
    if not shutil.which("apt-get"):
        raise Skipped("this machine has no apt-get")
    uri, signed = debian_source()
    for part in ("state/lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True)
    (state / "status").touch()
    if "\n" in signed:
        (state / "key.asc").write_text(re.sub(r"(?m)^\.$", "", signed))
        signed = str(state / "key.asc")
    signed = signed or "/usr/share/keyrings/debian-archive-keyring.gpg"
    (state / "sources.list").write_text(f"deb [signed-by={signed}] {uri} {suite} {components}\n")
    settings = {
        "Dir::State": state / "state",
        "Dir::State::lists": state / "state/lists",
        "Dir::State::status": state / "status",
        "Dir::Cache": state / "cache",
        "Dir::Etc::sourcelist": state / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "APT::Architecture": "amd64",
        "APT::Architectures": "amd64",
        "APT::Sandbox::User": "root",
        "APT::Default-Release": "",
        "Acquire::Languages": "none",
        "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
        "Acquire::IndexTargets::deb::CNF::DefaultEnabled": "false",
    }
    options = [f"-o{name}={value}" for name, value in settings.items()]

    def apt(*arguments):
        return subprocess.run([arguments[0], "-q", *options, *arguments[1:]], cwd=state,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})

    return apt


def apt_download(suite, component, package, version_prefix, folder):
    """Downloads the package's file into a folder."""
    apt = private_apt(suite, component, folder / "apt")
    gone = f"Debian {suite} has no {package} {version_prefix}"
    update = apt("apt-get", "update", "--error-on=any")
    if update.returncode != 0:
        if "does not have a Release file" in update.stdout:
            raise Skipped(gone)
        raise wheels.WheelError(f"apt-get update for Debian {suite}:\n{update.stdout.strip()}")
    versions = re.findall(r"\|\s*(\S+)\s*\|", apt("apt-cache", "madison", package).stdout)
    version = next((v for v in versions if v.startswith(version_prefix + ".")), None)
    if version is None:
        raise Skipped(gone)
    done = apt("apt-get", "download", f"{package}={version}")
    files = list((folder / "apt").glob("*.deb"))
    if done.returncode != 0 or len(files) != 1:
        raise wheels.WheelError(f"apt-get download {package}={version}:\n{done.stdout.strip()}")
    return files[0], version


def debian_row(ctk):
    chosen = row(ctk)
    if not chosen["origin"].startswith("Debian "):
        raise wheels.WheelError(f"nvcc {ctk} comes from wheels, not from Debian")
    return chosen


def debian(ctk):
    """Debian's package as packaged: nvcc is a shell script, and folders are absolute."""
    _, suite, component = debian_row(ctk)["origin"].split()

    def fetch(scratch):
        file, version = apt_download(suite, component, "nvidia-cuda-toolkit", ctk, scratch)
        (scratch.parent / "version").write_text(version + "\n")
        return file

    return of_archive(f"nvidia-cuda-toolkit-{ctk}", fetch)


def from_debian(ctk):
    """A folder with the usual layout: tools from Debian, headers and libraries from the wheels."""
    packages = dict(row(ctk, "wheels")["packages"])
    tools = debian(ctk)
    version = (tools / "version").read_text().split("~")[0]
    for name in packages:
        if name.startswith("nvidia-cuda-nvcc"):
            packages[name] = version

    def make(folder):
        own = tools / "usr/lib/nvidia-cuda-toolkit"
        for file in (tools / "usr/bin").iterdir():
            if file.name != "nvcc" and file.is_file() and not file.is_symlink():
                wheels.link_file(file, folder / "bin" / file.name)
        wheels.link_file(own / "bin/nvcc", folder / "bin/nvcc")
        wheels.link_tree(own / "bin/crt", folder / "bin/crt")
        wheels.link_file(own / "bin/cicc", folder / "nvvm/bin/cicc")
        wheels.link_tree(own / "libdevice", folder / "nvvm/libdevice")
        (folder / "bin/nvcc.profile").write_text(PROFILE)
        for wheel in wheels.get_all(requirements(packages)):
            for include in wheel.glob("nvidia/*/include"):
                wheels.link_tree(include, folder / "include")
            for library in wheel.glob("nvidia/*/lib/lib*"):
                wheels.link_file(library, folder / "lib64" / library.name)
            for library in wheel.glob("nvidia/*/nvvm/lib64/*"):
                wheels.link_file(library, folder / "nvvm/lib64" / library.name)
        cudart = next((folder / "lib64").glob("libcudart.so.*"))
        (folder / "lib64/libcudart.so").symlink_to(cudart.name)

    return wheels.in_cache("toolkits", f"{ctk}-{key(packages, version)}", make)


def get(ctk):
    chosen = row(ctk)
    if chosen["origin"] == "wheels":
        return from_wheels(ctk, chosen["packages"], links(chosen["to_make_it_work"]))
    return from_debian(ctk)


KERNEL = """
#include <cuda_runtime.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
extern "C" int run(float *x) { twice<<<1, 32>>>(x); return cudaGetLastError(); }
int main() { return run(nullptr) < 0; }
"""


def verify(ctk):
    """Compiles and links a kernel as far as the tables say that it works; returns the results as a dict."""
    chosen, toolkit = row(ctk), get(ctk)
    lenient = ["-allow-unsupported-compiler"] if ctk == "11.8" else []
    results = {"folder": str(toolkit)}

    def nvcc(*arguments):
        return subprocess.run([HIDE, toolkit / "bin/nvcc", *lenient, *arguments], cwd=scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "k.cu").write_text(KERNEL)
        results["nvcc"] = re.search(r"\bV([\d.]+)", nvcc("--version").stdout)[1]
        steps = {"compile": ["-c", "k.cu", "-o", "k.o"],
                 "shared": ["-cudart", "shared", "k.cu", "-o", "shared"]}
        if chosen["origin"] == "wheels":
            steps["static"] = ["k.cu", "-o", "static"]
            steps["lto"] = ["-dlto", "-rdc=true", "k.cu", "-o", "lto"]
        else:
            # libcudadevrt.a is only in Debian's nvidia-cuda-dev.
            steps["shared"] += ["-cudadevrt", "none"]
        for name, arguments in steps.items():
            done = nvcc("-arch=sm_80", *arguments)
            results[name] = "ok" if done.returncode == 0 else done.stdout.strip()
    return results


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    action, *rest = arguments
    try:
        if action == "mixed":
            print(mixed())
        elif action in ("get", "bare", "debian"):
            for ctk in rest:
                print({"get": get, "bare": bare, "debian": debian}[action](ctk))
        elif action == "verify":
            failed = False
            for ctk in rest:
                results = verify(ctk)
                print(ctk, json.dumps(results, indent=1))
                failed |= any(results[k] != "ok" for k in results if k not in ("folder", "nvcc"))
            return int(failed)
        else:
            print(f"toolkits.py: unknown action '{action}'", file=sys.stderr)
            return 2
    except Skipped as reason:
        print(f"SKIPPED: {reason}")
        return 3
    except (wheels.WheelError, OSError, subprocess.CalledProcessError) as error:
        print(f"toolkits.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
