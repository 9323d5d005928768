# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""LTO-IR, PTX, cubins and objects of each nvcc by the nvJitLink of each release: the library takes what the table
says, and `cuda-cc link` refuses the rest before it runs the library (LI-1, LI-3, PB-2). All cells with ./dev test
--all."""
import concurrent.futures
import json
import os

import nvjitlink
from nvjitlink import release
from sandbox import ALL, Sandbox

PRODUCERS = nvjitlink.producers(("11.8", "12.4", "12.5", "13.0", "13.1", "13.2", "13.3", "13.4", "13.5") if ALL else
                                ("12.4", "13.0", "13.5"))
CONSUMERS = list(nvjitlink.VERSIONS) if ALL else ["12.1", "12.4", "12.9", "13.0", "13.5"]
# Without a version function, which says that they are older than 12.3 (PB-2).
TOO_OLD = ("12.0", "12.1", "12.2")
KINDS = (*nvjitlink.KINDS, "o")

sandbox = Sandbox()
sandbox.write("k.cu", nvjitlink.MODULE)
bare = nvjitlink.Bare(sandbox)
facts = nvjitlink.facts()
problems = []


def is_taken(kind, producer, consumer):
    """By the table, which starts with 12.0: of CUDA 11 all but LTO-IR is taken (link_rules). An object has a cubin."""
    return kind != "ltoir" if producer == "11.8" else facts["cubin" if kind == "o" else kind, producer, consumer]


def is_conservative(kind, producer, consumer):
    """The library takes it, but the vendor promises nothing of the kind (PL-2)."""
    return kind in ("cubin", "o") and release(producer) > release(consumer)


def is_unknown(kind, producer, consumer):
    """LTO-IR does not say which of several releases made it, nor does a cubin before 12.9 (LI-4): the library knows."""
    if kind == "ltoir":
        return release(nvjitlink.oldest_with(nvjitlink.ltoir_version(producer))) <= release(consumer)
    return kind != "ptx" and release(producer) < (12, 9)


def by_cuda_cc(name, consumer, output):
    """Status, the code of each error, and whether the library was called."""
    ended = sandbox.cc("link", "--arch=sm_90", "--for", f"env:{nvjitlink.home(consumer)}", "--format=json",
                       "-o", output, name)
    assert ended.out, ended
    found = json.loads(ended.out)
    codes = [each["code"] for each in found["findings"] if each["severity"] == "error"]
    return ended, codes, any("linker" in link for link in found["links"])


def problem_of(kind, producer, consumer):
    name, stem = f"{producer}.{kind}", f"{kind}-{producer}-{consumer}"
    taken = is_taken(kind, producer, consumer)
    wanted, log = bare.link(consumer, f"bare-{stem}.cubin", name,
                            options=("-arch=sm_90", *(["-lto"] if kind == "ltoir" else [])))
    if (wanted is not None) != taken:
        return f"the table says {taken}, the library {wanted is not None}: {log.strip()}"
    ended, codes, called = by_cuda_cc(name, consumer, f"{stem}.cubin")
    output = sandbox.work / f"{stem}.cubin"
    if ended.status == 0:
        if not taken or consumer in TOO_OLD or is_conservative(kind, producer, consumer):
            return f"linked, and should not be: {ended}"
        return None if output.read_bytes() == wanted else "cuda-cc's cubin is not the library's"
    # Such a library counts as absent, and here there is no driver to link instead.
    absent = consumer in TOO_OLD and kind != "ltoir"
    if ended.status != (4 if absent else 3) or output.exists() or len(codes) != 1:
        return f"not refused as it should be: {ended}"
    if taken and consumer not in TOO_OLD and not is_conservative(kind, producer, consumer):
        return f"the library takes it, cuda-cc does not: {ended}"
    if called and not is_unknown(kind, producer, consumer):
        return f"refused only by the library: {ended}"
    return None


def main():
    cells = [(kind, producer, consumer) for producer in PRODUCERS for kind in KINDS
             for consumer in CONSUMERS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda made: nvjitlink.produce(sandbox, *made, f"{made[0]}.{made[1]}"),
                      [(producer, kind) for producer in PRODUCERS for kind in KINDS]))
        for cell, problem in zip(cells, pool.map(lambda cell: problem_of(*cell), cells)):
            if problem:
                problems.append(f"{' '.join(cell)}: {problem}")
    print(f"{len(cells)} cells")
    assert not problems, "\n".join(problems)


main()
