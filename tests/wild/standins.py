# SPDX-License-Identifier: Apache-2.0
"""Libraries that stand in for NVIDIA's: they have the same names, define the names and version nodes that the given
files import from them, and their functions return "no device". They are used to load torch where only torch's own
names are tested, because the real ones are 3 to 5 GB per release."""

import re
import subprocess

# cudaErrorNoDevice: the error that disturbs code the least if it runs while being loaded.
STATUS = 100


def run(*words):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, check=True).stdout


def dynamic(path):
    """(SONAME or None, its NEEDED entries)"""
    text = run("readelf", "-dW", path)
    soname = re.search(r"\(SONAME\).*\[(.*)\]", text)
    return soname and soname[1], re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def imports(path):
    """{(name, node or ""): file of the node or ""} for the undefined symbols."""
    nodes = {}
    file = ""
    for line in run("readelf", "-VW", path).splitlines():
        if match := re.search(r"\bFile: (\S+)", line):
            file = match[1]
        elif match := re.search(r"\bName: (\S+)\s+Flags:", line):
            nodes[match[1]] = file
    found = {}
    for line in run("readelf", "--dyn-syms", "-W", path).splitlines():
        columns = line.split()
        if len(columns) > 7 and columns[6] == "UND" and columns[4] != "WEAK":
            name, _, node = columns[7].partition("@")
            node = node.lstrip("@")
            found[name, node] = nodes.get(node, "")
    return found


def exports(path):
    text = run("readelf", "--dyn-syms", "-W", path)
    return {columns[7].split("@")[0] for columns in map(str.split, text.splitlines())
            if len(columns) > 7 and columns[0].rstrip(":").isdigit() and columns[6] != "UND"}


def is_nvidias(name):
    return re.match(r"lib(cu[a-z]|nv|nccl)", name) is not None


LOOSE = re.compile(r"_*(cu|nv|nccl|CUDNN)[A-Z_a-z]|_ZN5cudnn|__cuda")


def source_of(by_node):
    """Assembler source of one library, and its version script; by_node: {node or "": names}."""
    lines = [".text", f"answer: mov ${STATUS}, %eax", "ret"]
    nodes_of = {}
    for node, names in sorted(by_node.items()):
        for name in names:
            nodes_of.setdefault(name, []).append(node)
    for number, (name, nodes) in enumerate(sorted(nodes_of.items())):
        for node in nodes:
            label = f"s{number}_{len(lines)}" if node else name
            lines += [f".globl {label}", f".type {label}, @function", f".set {label}, answer"]
            if node:
                at = "@@" if len(nodes) == 1 else "@"
                lines.append(f".symver {label}, {name}{at}{node}, remove")
    lines.append('.section .note.GNU-stack,"",@progbits')
    return "\n".join(lines) + "\n", "".join(f"{node} {{ }};\n" for node in sorted(by_node) if node)


def make(folder, files, present):
    """Makes stand-ins in folder for every library of NVIDIA's that the files NEED and `present` lacks."""
    wanted, needed, loose, defined = {}, set(), set(), set()
    for path in files:
        defined |= exports(path)
        needed |= {name for name in dynamic(path)[1] if is_nvidias(name) and name not in present}
        for (name, node), file in imports(path).items():
            if file:
                wanted.setdefault(file, {}).setdefault(node, set()).add(name)
            elif LOOSE.match(name):
                loose.add(name)
    folder.mkdir(parents=True, exist_ok=True)
    # A name without a node may belong to any library: the first one defines those that look like NVIDIA's.
    for number, library in enumerate(sorted(needed)):
        by_node = wanted.get(library, {})
        if not number:
            by_node[""] = loose - defined - set().union(*by_node.values())
        assembler, versions = source_of(by_node)
        text, script = folder / f"{library}.s", folder / f"{library}.map"
        text.write_text(assembler)
        script.write_text(versions)
        run("gcc", "-shared", "-nostdlib", text, f"-Wl,-soname,{library}",
            *([f"-Wl,--version-script={script}"] if versions else []), "-o", folder / library)
    return sorted(needed)
