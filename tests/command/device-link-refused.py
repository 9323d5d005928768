# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%support:%S %support/hide-cuda %python -B %s
"""cuda-cc link without an nvJitLink: link-time optimisation is refused, in text and in JSON, and nothing is written."""
import json

import schema
from recording import Place, equal

place = Place("12.4")
(place.work / "a.ptx").write_text(".version 8.4\n.target sm_90\n.address_size 64\n")
# LTO-IR 1.61, which CUDA 12.4 and 12.5 write, in a file of its own.
(place.work / "a.ltoir").write_bytes(b"\xed\x43\x4e\x7f\x01\x3d" + bytes(20) + b"\x20\x03" + bytes(64))


def link(*words, status):
    done = place.call("link", *words)
    equal(done.status, status, done.err)
    return done


for words in (["--lto", "a.ptx"], ["--emit", "ptx", "-o", "out.ptx", "a.ptx"], ["--backend", "nvjitlink", "a.ptx"]):
    done = link(*words, status=3)
    assert "[CC5001]" in done.err, done.err
done = link("--arch", "sm_90", "a.ltoir", status=3)
assert "[CC5001]" in done.err and "a.ltoir" in done.err, done.err

document = schema.fit(json.loads(link("--format=json", "--arch", "sm_90", "--lto", "a.ptx", status=3).out), "link")
equal([each["code"] for each in document["findings"] if each["severity"] == "error"], ["CC5001"], "findings")
equal(document["outputs"], [], "outputs")
equal([(each["arch"], each["row"], "backend" in each) for each in document["links"]], [("sm_90", "A2", False)], "links")
equal(document["links"][0]["inputs"][0]["ptx"], "8.4", "the input's ISA")

# Both policies, with the row of each.
text = link("--explain", "--lto", "a.ptx", status=3).err
assert "direction-aware  refused (A2): CC5001" in text and "cuda-core-1911   refused (B2): CC5001" in text, text
equal(sorted(each.name for each in place.work.iterdir()), ["a.ltoir", "a.ptx"], "nothing was written")
