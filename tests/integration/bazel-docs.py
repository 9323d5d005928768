# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""docs/make.md, Bazel, as written, with Debian's Bazel: a C++ toolchain that Bazel configures from `CC`, compiles and a
link in its sandbox. The module has manifest and search path, and both objects their records."""
import json
from pathlib import Path

import note
from documented import follows
from sandbox import PROGRAM, Sandbox, environment_of, equal, skip, tools

SHARE = Path("/usr/share/bazel")
LOCAL = {"platforms": SHARE / "tools/platforms", "bazel_skylib": SHARE / "tools/skylib",
         "rules_java": SHARE / "rules/java", "rules_proto": SHARE / "rules/proto"}
if not tools("bazel") or not all(folder.is_dir() for folder in LOCAL.values()):
    skip("no Bazel of Debian (bazel-bootstrap, bazel-platforms, bazel-rules-java, -proto, bazel-skylib)")
sandbox = Sandbox()
environment = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
(sandbox.work / ".venv").symlink_to(environment)
# This Bazel has built-in C++ rules; newer ones load them from a repository, which is empty here.
LOCAL["rules_cc"] = sandbox.root / "rules_cc"
(LOCAL["rules_cc"] / "cc").mkdir(parents=True)
for name, text in (("WORKSPACE", ""), ("cc/BUILD", ""),
                   ("cc/defs.bzl", "".join(f"{rule} = native.{rule}\n" for rule in (
                       "cc_binary", "cc_import", "cc_library", "cc_toolchain", "cc_toolchain_suite")))):
    (LOCAL["rules_cc"] / name).write_text(text)
(sandbox.home / ".bazelrc").write_text(
    f"startup --batch --output_user_root={sandbox.root}/bazel\n"
    "build --incompatible_blacklisted_protos_requires_proto_info=false\n"
    + "".join(f"build --override_repository={name}={folder}\n" for name, folder in LOCAL.items()))
sandbox.write("WORKSPACE")
sandbox.write("ext.cpp", """#include <cusolverDn.h>
extern "C" int run(float *);
extern "C" int solve() { cusolverDnHandle_t h; return run(nullptr) + cusolverDnCreate(&h); }
""")
sandbox.write("kernels.cu", """__global__ void all(float *x) { *x *= 2; }
extern "C" int run(float *x) { all<<<1, 1>>>(x); return (int)cudaGetLastError(); }
""")
page = follows("make", "Bazel")
try:
    page["Bazel"].follow(sandbox, USER="u")
    made = sandbox.work / "bazel-bin/ext.so"
    equal(note.elf(made).rpath, ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"])
    seen = sandbox.run(PROGRAM, "inspect", "--format=json", made)
    manifest = json.loads(seen.out)["files"][0]["manifest"]
    assert manifest["link"] and len(manifest["objects"]) == 2, manifest
finally:
    # Bazel makes its outputs read-only.
    sandbox.run("chmod", "-R", "u+w", sandbox.root / "bazel")
