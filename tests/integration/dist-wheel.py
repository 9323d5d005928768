# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""The wheel: the program among the scripts, what it reads below it, licences, metadata; the same bytes whatever the
folders and the umask are; and an sdist that has what a build needs."""
import base64
import csv
import email
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import zipfile

from behaviour import behaviour
from packing import EPOCH, ROOT, VERSION, installed, modes, pack
from sandbox import Sandbox, equal

sandbox = Sandbox()
machine = os.uname().machine
prefix = installed(sandbox, sandbox.work / "prefix")
platforms = [f"manylinux2014_{machine}", f"musllinux_1_1_{machine}"]
wheel = pack(sandbox, sandbox.work / "one", prefix, *platforms)
archive = zipfile.ZipFile(wheel)
names, info = archive.namelist(), f"cuda_cc-{VERSION}.dist-info"
other = sandbox.work / "a much longer name of a folder/prefix"
other.mkdir(parents=True)
for path in sorted((path for path in prefix.rglob("*") if path.is_file()), reverse=True):
    (other / path.relative_to(prefix)).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, other / path.relative_to(prefix))
said = email.message_from_bytes(archive.read(f"{info}/METADATA"))


@behaviour
def the_name_has_the_version_and_the_tags():
    equal(wheel.name, f"cuda_cc-{VERSION}-py3-none-{'.'.join(platforms)}.whl", "name and tags")


@behaviour
def another_checkout_s_folders_and_a_umask_make_the_same_bytes():
    old = os.umask(0o077)
    again = pack(sandbox, sandbox.work / "two", other, *platforms)
    os.umask(old)
    assert wheel.read_bytes() == again.read_bytes(), "the same bytes"


@behaviour
def a_file_that_differs_is_another_wheel():
    (other / "share/cuda-cc/torch-names.bin").write_bytes(b"x")
    assert wheel.read_bytes() != pack(sandbox, sandbox.work / "two", other, *platforms).read_bytes()


@behaviour
def it_has_the_program_and_what_that_reads():
    equal(archive.testzip(), None, "the archive")
    data = {name.split(".data/", 1)[1] for name in names if ".data/" in name}
    for name in ("scripts/cuda-cc", "data/libexec/cuda-cc/devlink", "data/libexec/cuda-cc/libcuda-cc-rtld.so",
                 "data/libexec/cuda-cc/fetch.py",
                 "data/share/cuda-cc/torch-names.bin",
                 "data/share/cuda-cc/meson/meson.build", "data/share/cmake/CudaCC/CudaCCConfig.cmake"):
        assert name in data, f"{name} is missing: {sorted(data)}"
    assert archive.read(f"cuda_cc-{VERSION}.data/scripts/cuda-cc")[:4] == b"\x7fELF", "the program itself, not a script"


@behaviour
def programs_alone_are_executable():
    for name, mode in modes(wheel).items():
        program = name.endswith(("/scripts/cuda-cc", "/libexec/cuda-cc/devlink"))
        equal(mode, "-rwxr-xr-x" if program else "-rw-r--r--", name)


@behaviour
def the_python_package_is_all_that_git_has():
    listing = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "python"]
    done = subprocess.run(listing, capture_output=True, text=True)
    if done.returncode == 0:
        equal(sorted(name for name in names if name.startswith("cuda_cc/")),
              sorted(line.removeprefix("python/") for line in done.stdout.split()), "the Python package")


@behaviour
def record_names_each_file_with_its_digest_and_size():
    rows = {row[0]: row[1:] for row in csv.reader(archive.read(f"{info}/RECORD").decode().splitlines())}
    equal(sorted(rows), sorted(names), "RECORD")
    for name, (digest, size) in rows.items():
        if name != f"{info}/RECORD":
            content = archive.read(name)
            found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            equal((f"sha256={found}", str(len(content))), (digest, size), name)


@behaviour
def the_metadata_has_name_licence_and_description():
    for key, value in {"Name": "cuda-cc", "Version": VERSION, "License-Expression": "Apache-2.0",
                       "Description-Content-Type": "text/markdown"}.items():
        equal(said[key], value, key)
    equal(said.get_payload(decode=True).decode().strip(), (ROOT / "README.md").read_text().strip(), "the description")


@behaviour
def the_licences_are_those_of_what_is_linked_in():
    equal(sorted(said.get_all("License-File")), sorted(["LICENSE", *(str(path.relative_to(ROOT)) for path in
          (ROOT / "packaging/licenses").glob("*.txt"))]), "licences")
    for file in said.get_all("License-File"):
        assert f"{info}/licenses/{file}" in names, file


@behaviour
def the_tags_are_inside_too():
    equal(email.message_from_bytes(archive.read(f"{info}/WHEEL")).get_all("Tag"),
          [f"py3-none-{platform}" for platform in platforms], "the tags inside")


@behaviour
def the_bill_of_materials_has_each_library_that_is_linked_in():
    bill = json.loads(archive.read(f"{info}/sboms/cuda-cc.cdx.json"))
    equal((bill["metadata"]["component"]["name"], bill["metadata"]["component"]["version"]), ("cuda-cc", VERSION))
    parts = {each["name"]: each for each in bill["components"]}
    equal(sorted(parts), sorted(["fmt", "libzstd", "llvm-toolchain-19", "lz4", "tomlplusplus", "ziglang", "zlib",
                                 *(["isal"] if machine == "x86_64" else [])]), "parts")
    assert all(len(digest["content"]) == 64 for each in parts.values() for digest in each.get("hashes", [])), parts


@behaviour
def cmake_finds_the_package_by_an_entry_point():
    assert b"[cmake.root]\nCudaCC = cuda_cc" in archive.read(f"{info}/entry_points.txt")


sdist = pack(sandbox, sandbox.work / "one")


@behaviour
def the_sdist_has_the_same_bytes_twice():
    equal(sdist.name, f"cuda_cc-{VERSION}.tar.gz", "the sdist")
    assert sdist.read_bytes() == pack(sandbox, sandbox.work / "two").read_bytes(), "the same bytes"


@behaviour
def the_sdist_has_what_a_build_needs():
    with tarfile.open(sdist) as source:
        members = {member.name.split("/", 1)[1]: member for member in source.getmembers() if "/" in member.name}
    for name in ("pyproject.toml", "CMakeLists.txt", "driver/main.cpp", "driver/tables/data/torch-names.bin",
                 "docs/codes/CC4107.md", "LICENSE", "packaging/licenses/LLVM.txt", "python/cuda_cc/__init__.py"):
        assert name in members, f"{name} is not in the sdist"
    assert all(member.mtime <= int(EPOCH) for member in members.values())
