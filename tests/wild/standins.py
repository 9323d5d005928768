"""Libraries that stand in for NVIDIA's: under their names, with the names and version nodes that the given files
import from them, and functions that say "no device". For loading torch where only torch's own names matter: the
real ones are 3 to 5 GB per release."""

import re
import subprocess
from pathlib import Path

# cudaErrorNoDevice; as little of a failure as can be for whoever looks at it while it is loaded.
STATUS = 100


def run(*words):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, check=True).stdout


def dynamic(path):
    """(SONAME or None, what it NEEDs)"""
    text = run("readelf", "-dW", path)
    soname = re.search(r"\(SONAME\).*\[(.*)\]", text)
    return soname and soname[1], re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def imports(path):
    """{(name, node or ""): file of the node or ""} of what has to be defined elsewhere."""
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
    return re.match(r"lib(cu|nv|nccl|cupti|nccl|cudnn|nvrtc|nvJitLink|nvToolsExt|cudss|cufile)", name) is not None


def make(folder, files, present):
    """Stand-ins, in folder, for every library of NVIDIA's that the files NEED and `present` does not have."""
    wanted, needed, defined = {}, set(), set()
    for path in files:
        soname, needs = dynamic(path)
        defined |= exports(path)
        needed |= {name for name in needs if is_nvidias(name) and name not in present}
        for (name, node), file in imports(path).items():
            if file in ("", *needs):
                wanted.setdefault((name, node), file)
    folder.mkdir(parents=True, exist_ok=True)
    # Without a node a name may be anybody's: what looks like NVIDIA's is put into the first library.
    loose = {name for (name, node), file in wanted.items()
             if not file and name not in defined and
             re.match(r"_*(cu|nv|nccl|cudnn|CUDNN|cusparse|cublas|cufft|curand|cusolver)[A-Z_a-z]|_ZN5cudnn|__cuda", name)}
    for number, library in enumerate(sorted(needed)):
        by_node = {}
        for (name, node), file in wanted.items():
            if file == library:
                by_node.setdefault(node, set()).add(name)
        if not number:
            by_node.setdefault("", set()).update(loose - set().union(*by_node.values(), set()))
        source, script = [f".text\nanswer: mov ${STATUS}, %eax\n ret\n"], []
        for count, (node, names) in enumerate(sorted(by_node.items())):
            for name in sorted(names):
                label = f"s{count}_{len(source)}"
                if node:
                    source.append(f".globl {label}\n.type {label}, @function\n.set {label}, answer\n"
                                  f".symver {label}, {name}@@{node}, remove\n" if names_once(by_node, name) else
                                  f".globl {label}\n.type {label}, @function\n.set {label}, answer\n"
                                  f".symver {label}, {name}@{node}, remove\n")
                else:
                    source.append(f".globl {name}\n.type {name}, @function\n.set {name}, answer\n")
            if node:
                script.append(f"{node} {{ }};")
        text = folder / f"{library}.s"
        text.write_text("".join(source) + '.section .note.GNU-stack,"",@progbits\n')
        words = ["gcc", "-shared", "-nostdlib", text, f"-Wl,-soname,{library}", "-o", folder / library]
        if script:
            versions = folder / f"{library}.map"
            versions.write_text("\n".join(script) + "\n")
            words.insert(-2, f"-Wl,--version-script={versions}")
        run(*words)
    return sorted(needed)


def names_once(by_node, name):
    return sum(name in names for names in by_node.values()) == 1
