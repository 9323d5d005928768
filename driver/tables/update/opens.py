# SPDX-License-Identifier: Apache-2.0
"""Prints what a distribution opens by name, read from its wheel, and compares it with the rows of opens.json.

    opens.py DIST VERSION [--wheel FILE] [--libraries] [--row]

Python sources: calls that open a library (ctypes, torch.ops.load_library, cuda.pathfinder, dlopen), and calls of the
functions of that file that pass their arguments to such a call, each with the file names among the literals that it
uses. --libraries: also the file names in the strings of each shared object that it does not NEED, as dlopen takes
them. Only these members of the wheel are downloaded, unless FILE is given.

Each row of opens.json for that version is compared: a name of this wheel or of the environment that no source has
is an error, exit status 1, since the code of that release opens something else. A package that calls load_library() of
others opens their libraries, too, which are not compared, as are rows of a package whose code opens nothing itself;
compiled code (Cython) is not read. --row prints a draft of a row with what was found.
"""

import argparse
import ast
import fnmatch
import io
import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import elf  # noqa: E402
import members  # noqa: E402
import refresh  # noqa: E402
import wheels  # noqa: E402

ROWS = ROOT / "driver/tables/data/opens.json"
OPENERS = {"CDLL", "PyDLL", "LoadLibrary", "dlopen", "load_library", "load_nvidia_dynamic_lib", "add_dll_directory"}
# A file name, possibly with placeholders: `libcublas.so.*[0-9]`, `libcudnn.so.9`, `libfoo`.
LIBRARY = re.compile(r"(?:lib)?[\w.+*{}\[\]-]+\.so(?:\.[\w*.\[\]-]+)?|[\w.+-]+\.abi3\.so")
LARGEST_SOURCE = 4 << 20
BLOCK = 1 << 20


def called(node):
    """The last name of what a call calls: `CDLL` of `ctypes.CDLL(...)`. Empty for one of Windows."""
    function = node.func
    if "windll" in ast.dump(function):
        return ""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def texts(node):
    """The string literals below a node; a placeholder of an f-string is a star."""
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "*" for part in node.values]
        return ["".join(map(str, parts))]
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    return [text for child in ast.iter_child_nodes(node) for text in texts(child)]


def libraries(found):
    return list(dict.fromkeys(text for text in found if LIBRARY.fullmatch(text.rpartition("/")[2])))


def is_method(node):
    return bool(node.args.args) and node.args.args[0].arg in ("self", "cls")


class Source:
    """The calls of a Python source that open libraries."""

    def __init__(self, path, text):
        self.path = path
        self.tree = ast.parse(text)
        # The function around each node.
        self.around, self.functions = {}, []
        self.visit(self.tree, None)
        self.openers = set(OPENERS)
        # Functions that pass what they are given to such a call.
        for _ in range(2):
            self.openers |= {node.name for node in self.functions if len(node.args.args) > is_method(node) and any(
                isinstance(child, ast.Call) and called(child) in self.openers for child in ast.walk(node))}

    def visit(self, node, function):
        for child in ast.iter_child_nodes(node):
            self.around[child] = function
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions.append(child)
                self.visit(child, child)
            else:
                self.visit(child, function)

    def delegates(self):
        """Whether it calls load_library() of other packages, which open their own."""
        return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args
                   and called(node) == "load_library" for node in ast.walk(self.tree))

    def names_of(self, call):
        """File names of the call; without any, those of the function around it, then of its file."""
        names = libraries(texts(call))
        for scope in (self.around[call], self.tree):
            if not names and scope:
                names = libraries(texts(scope))
        return names

    def rows(self):
        rows, behind = [], []
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call) or called(node) not in self.openers:
                continue
            function = self.around[node]
            literals = [text for text in texts(node) if text]
            # Inside of such a function the names are those of its callers.
            is_behind = function and function.name in self.openers and not libraries(literals)
            (behind if is_behind else rows).append({
                "file": self.path, "line": node.lineno, "function": function.name if function else "",
                "call": called(node), "names": self.names_of(node), "literals": literals})
        return rows or behind


def strings_of(content, name):
    """File names among the strings of a shared object that are no NEEDED of it."""
    with tempfile.NamedTemporaryFile(prefix="cuda-cc-opens-") as file:
        file.write(content)
        file.flush()
        needed = {match[1] for line in elf.readelf("-d", file.name) if (match := re.search(r"\[(.*)\]$", line))}
    found = {match.decode() for match in re.findall(rb"(?<![\x20-\x7e])lib[\w.+-]*\.so[.\d]*(?=\0)", content)}
    return sorted(found - needed - {name.rpartition("/")[2]})


def read(archive, with_libraries):
    """(rows of the sources, all texts of the sources, whether one delegates, {library: names}) of a wheel."""
    rows, said, delegates, opened = [], set(), False, {}
    for item in archive.infolist():
        path = wheels.installed_name(item.filename)
        if path.endswith(".py") and item.file_size <= LARGEST_SOURCE:
            try:
                source = Source(path, archive.read(item).decode(errors="replace"))
            except SyntaxError:
                continue
            said.update(texts(source.tree))
            rows += source.rows()
            delegates |= source.delegates()
        elif path.endswith((".json", ".toml")) and item.file_size <= LARGEST_SOURCE:
            said.update(re.findall(r'"([^"\n]*)"', archive.read(item).decode(errors="replace")))
        elif with_libraries and re.search(r"\.so(\.[\d.]+)?$", path):
            opened[path] = strings_of(archive.read(item), path)
    return rows, said, delegates, opened


def is_said(name, said):
    """Whether a source has that name, its beginning or a pattern for it."""
    file = name.rpartition("/")[2]
    stem = re.sub(r"\.(so|abi3).*", "", file)
    plain = stem.removeprefix("lib")
    return any(plain == text or stem == text or f"lib{text}" == stem or file == text.rpartition("/")[2]
               or text.rpartition("/")[2].partition(".so")[0] == stem or fnmatch.fnmatch(file, text) for text in said)


def rows_for(dist, version):
    for row in json.loads(ROWS.read_text())["rows"]:
        since, before = row["from"], row["before"]
        is_code = row["when"] != "first call" and row["where"] != "modules"
        if is_code and dist in row["packages"] and (not since or Version(since) <= Version(version)) and (
                not before or Version(version) < Version(before)):
            yield row


def draft(dist, version, rows):
    names = list(dict.fromkeys(name for row in rows for name in row["names"]))
    files = dict.fromkeys(row["file"] for row in rows)
    return json.dumps({"packages": [dist], "from": version, "before": None, "files": [], "dependents": False,
                       "when": "import", "opens": names, "where": "site-packages", "global": False,
                       "missing": "goes on", "raises": None,
                       "source": f"{', '.join(files)} of {version}", "confidence": "verified"})


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist")
    parser.add_argument("version")
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--index")
    parser.add_argument("--libraries", action="store_true")
    parser.add_argument("--row", action="store_true")
    options = parser.parse_args(arguments)
    dist = wheels.name_of(options.dist)
    try:
        file = options.wheel
        if not file:
            url = refresh.Index(options.index, None).wheel(dist, options.version, "x86_64")
            file = io.BufferedReader(members.Remote(url), BLOCK)
        with zipfile.ZipFile(file) as archive:
            rows, said, delegates, opened = read(archive, options.libraries)
            folders = {name.partition("/")[0] for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile, elf.SymbolsError, refresh.FactsError, wheels.WheelError) as error:
        print(f"opens: {error}", file=sys.stderr)
        return 2
    for row in rows:
        where = f"in {row['function']}" if row["function"] else "on import"
        print(f"{row['file']}:{row['line']}: {row['call']} {where}: {', '.join(row['names'] or row['literals'])}")
    for path, names in sorted(opened.items()):
        if names:
            print(f"{path}: {', '.join(names)}")
    if options.row:
        print(draft(dist, options.version, rows))
    wrong = 0
    for row in rows_for(dist, options.version):
        # The code that opens them for this package may be another one's.
        absent = [name for name in row["opens"] if rows and not is_said(name, said)
                  and (name.partition("/")[0] in folders or not delegates)]
        print(f"row of {', '.join(row['packages'])} from {row['from'] or 'the first'}: "
              + (f"no source has {', '.join(absent)}" if absent else "as in the sources" if rows
                 else "not compared, since its own sources open nothing"))
        wrong += bool(absent)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
