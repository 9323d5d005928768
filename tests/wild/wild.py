# SPDX-License-Identifier: Apache-2.0
"""wild.py [options] [NAME...]

Makes environments of packages as users install them, loads every shared object in them in a separate process, and
compares the loader's messages with the verdicts of `cuda-cc check` and `cuda-cc doctor`: without this machine's CUDA
and, for `doctor --as-here`, with it; each file alone, after the framework that its metadata requires, and after an
import of its package. Functions of cuDNN, NVRTC and nvJitLink that need no GPU are called, which opens their parts.
Prints the table of `verdicts.py`; exit status 1 if a file is accepted that never loads, or rejected that loads. Needs
an index of Python packages, util-linux, gcc and disk space; no GPU and no driver.

environments.json lists the requirements, and the exact versions that were resolved from them (--pin resolves them
again); `first_use`: what must be true where these packages are used, since they refuse versions only on a GPU. The
name `broken` stands for environments that are broken on purpose, in which the first fix must work (broken.json).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import broken
import namespaces
import verdicts

HERE = Path(__file__).resolve().parent
LIST = HERE / "environments.json"
sys.path.insert(0, str(HERE.parent / "support"))
import wheels

UV = "uv==0.13.9"
FRAMEWORKS = ("torch", "tensorflow", "jax")
# Bytes that must be free before an environment is made; below the first, uv's cache is removed.
LEAST, COMFORTABLE = 20 << 30, 30 << 30
USED = r"lib(cudnn|nvrtc|nvJitLink)\.so\."
LOAD_LIMIT, IMPORT_LIMIT = 120, 600
MODULES = "modules"


def say(text):
    print(f"wild: {text}", file=sys.stderr, flush=True)


def run(words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words[:6]))} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return done.stdout


class Uv:
    """uv, with its own cache in a folder of this script."""

    def __init__(self, folder):
        self.folder = folder
        self.program = folder / "venv/bin/uv"
        if not self.program.exists():
            run([sys.executable, "-m", "venv", "--clear", folder / "venv"])
            run([folder / "venv/bin/python", "-m", "pip", "install", "-q", "--only-binary", ":all:", UV])
        self.environment = {**os.environ, "UV_CACHE_DIR": str(folder / "uv"), "UV_NO_PROGRESS": "1",
                            "UV_PYTHON_INSTALL_DIR": str(folder / "python"), "UV_NO_CONFIG": "1"}
        self.environment.pop("VIRTUAL_ENV", None)

    def __call__(self, *words, **more):
        return run([self.program, *words], env=self.environment, **more)

    def python(self, version):
        """A Python of that version: an installed one, or else one that uv downloads."""
        roots = [Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")]
        own = [path for root in roots for path in sorted(root.glob(f"versions/{version}.*/bin/python{version}"))]
        for path in [*own, shutil.which(f"python{version}") or ""]:
            if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
                return path
        self("python", "install", "-q", version)
        return version

    def make(self, prefix, version, pins):
        shutil.rmtree(prefix, ignore_errors=True)
        self("venv", "-q", "--python", self.python(version), prefix)
        self.install(prefix, *pins)

    def install(self, prefix, *requirements):
        self("pip", "install", "-q", "--python", f"{prefix}/bin/python", "--no-deps", "--only-binary", ":all:",
             *requirements)

    def forget(self):
        shutil.rmtree(self.folder / "uv", ignore_errors=True)

    def pin(self, row):
        wanted = "\n".join(row["wanted"])
        options = ["--no-deps"] if row.get("no_dependencies") else []
        return self("pip", "compile", "-q", "--python-version", row["python"], "--only-binary", ":all:",
                    "--no-header", "--no-annotate", *options, "-", input=wanted).split()


def site_of(prefix):
    return next(Path(prefix).glob("lib/python3.*/site-packages"))


def elf_kind(path):
    """e_type and e_machine of an ELF file."""
    with open(path, "rb") as file:
        head = file.read(20)
    if len(head) < 20 or head[:4] != b"\x7fELF":
        return None
    order = "little" if head[5] == 1 else "big"
    return int.from_bytes(head[16:18], order), int.from_bytes(head[18:20], order), head[4]


def shared_objects(site):
    """Shared objects below a folder (`find -name '*.so*'`), and those for other machines or Pythons."""
    found, others = [], []
    own = elf_kind(os.path.realpath(sys.executable))
    for folder, _, names in os.walk(site):
        for name in sorted(names):
            path = Path(folder) / name
            if not re.search(r"\.so(\.|$)", name) or path.is_symlink() or not path.is_file():
                continue
            kind = elf_kind(path)
            if not kind or kind[0] != 3:
                continue
            (found if kind[1:] == own[1:] else others).append(path)
    return found, others


class Installed:
    """The metadata of an environment: which distribution owns a file, its requirements, its modules."""

    def __init__(self, site):
        self.site = site
        self.owner, self.requires, self.packages = {}, {}, {}
        for each in metadata.distributions(path=[str(site)]):
            name = wheels.name_of(each.metadata["Name"])
            self.requires[name] = {wheels.name_of(text) for text in each.requires or []
                                   if not re.search(r";.*\bextra\b", text)}
            files = [str(file) for file in each.files or []]
            self.packages[name] = sorted({file.split("/")[0] for file in files
                                          if re.fullmatch(r"[A-Za-z_]\w*/__init__\.py", file)})
            for file in files:
                self.owner[str(site / file)] = name

    def framework(self, name):
        needed = self.requires.get(name, set())
        return next((each for each in FRAMEWORKS if each in needed and name != each and each in self.requires), None)

    def modules(self, name):
        """Shared objects of a distribution that other code opens: extension modules first, without vendored ones."""
        found = sorted(path for path, owner in self.owner.items()
                       if owner == name and re.search(r"\.so(\.|$)", path) and not self.grafted(Path(path)))
        return sorted(found, key=lambda path: not re.search(r"\.(cpython-|abi3\.)[^/]*so$", path))

    def grafted(self, path):
        """Whether it is in a folder of vendored libraries: auditwheel's `NAME.libs`, or a similar one `NAME.*`."""
        name = self.owner.get(str(path), "")
        return path.parent.parent == self.site and path.parent.name.lower().startswith(
                f"{name.replace('-', '_')}.")

    def imports(self, path, name, usual):
        """Modules whose import may load this file's libraries: the file itself from the package that contains it, that
        package, the distribution's package, the modules that users of this environment import. MODULES: all other
        shared objects of the distribution, for files that only these NEED."""
        found, folder = [], path.parent
        while folder != self.site and not (folder / "__init__.py").exists():
            folder = folder.parent
        if folder != self.site:
            package = ".".join(folder.relative_to(self.site).parts)
            if folder == path.parent and not path.name.startswith("lib"):
                found.append(f"{package}:{path.name.split('.')[0]}")
            found.append(package)
        grafted = [MODULES] if self.grafted(path) else []
        return list(dict.fromkeys([*found, *grafted, *self.packages.get(name, [])[:3], *usual]))


def real(namespace, prefix, files, before=(), opened=(), limit=LOAD_LIMIT, use=False):
    """({path: the loader's message}, the error of an import)."""
    request = json.dumps({"before": list(before), "opened": list(opened), "files": list(map(str, files)),
                          "limit": limit, "use": use})
    words = namespace([f"{prefix}/bin/python", "-I", "-B", HERE / "loads.py"])
    environment = {"PATH": f"{prefix}/bin:/usr/bin:/bin", "HOME": "/nonexistent", "TMPDIR": str(prefix),
                   "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, env=environment, cwd="/", start_new_session=True)
    try:
        out = process.communicate(request, IMPORT_LIMIT + limit * min(len(files), 20))[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out = process.communicate()[0]
    rows = [json.loads(line) for line in out.splitlines() if line.endswith("}")]
    imports = rows[0]["imports"] if rows else {name: "ended the process" for name in before}
    return {row["path"]: row["said"] for row in rows[1:]}, imports


def load_all(namespace, prefix, row, installed, files):
    """One row per file: the loader's message alone, after its framework, and after an import of its package."""
    alone = real(namespace, prefix, files)[0]
    rows = []
    for path in files:
        name = installed.owner.get(str(path), "")
        rows.append({"path": str(path.relative_to(installed.site)), "dist": name,
                     "alone": alone.get(str(path), "ended before it was loaded"),
                     "after": installed.framework(name)})
    for framework in FRAMEWORKS:
        mine = [each for each in rows if each["after"] == framework]
        said, imports = real(namespace, prefix, [installed.site / each["path"] for each in mine], [framework]) \
            if mine else ({}, {})
        for each in mine:
            if not imports.get(framework):
                each["framework"] = said.get(str(installed.site / each["path"]))
    # Libraries that open parts of their own are used, alone or else after imports that may open these parts.
    first = [path for path in files if re.match(USED, path.name)]
    used = real(namespace, prefix, first, use=True)[0] if first else {}
    for module in row["imports"]:
        failed = [path for path in first if used.get(str(path))]
        for path, said in real(namespace, prefix, failed, [module], use=True)[0].items() if failed else ():
            used[path] = said and used[path]
    for each in rows:
        if str(installed.site / each["path"]) in used:
            each["used"] = used[str(installed.site / each["path"])]
    for use in row.get("first_use", ()):
        words = next(filter(None, real(namespace, prefix, [], use["checks"])[1].values()), "")
        for each in rows:
            if each["dist"] in use["packages"]:
                each["used"] = words
    # Files that have not loaded so far are opened again after an import of their package.
    groups = {}
    for each in rows:
        if verdicts.loads(each) is False:
            for module in installed.imports(installed.site / each["path"], each["dist"], row["imports"]):
                key = (module, each["dist"] if module == MODULES else "")
                groups.setdefault(key, []).append(each)
    for (module, owner), some in groups.items():
        some = [each for each in some if each.get("package") != ""]
        if not some:
            continue
        said, imports = real(namespace, prefix, [installed.site / each["path"] for each in some],
                             [] if owner else [module], installed.modules(owner) if owner else [])
        for each in some:
            words = said.get(str(installed.site / each["path"]))
            if words is not None and (words == "" or "package" not in each):
                wrong = f" ({imports[module]})" if imports.get(module) else ""
                each.update(package=words, imported=module + wrong)
    return rows


def examine(row, prefix, options, driver):
    """The result for one environment that exists already."""
    site = site_of(prefix)
    installed = Installed(site)
    files, others = shared_objects(site)
    say(f"{row['name']}: {len(files)} files, {len(others)} of other machines")
    result = {"name": row["name"], "pins": row["pins"], "others": len(others), "namespaces": {}}
    for kind in options.namespaces:
        def namespace(words, kind=kind):
            return namespaces.command(kind, driver, words)

        rows = load_all(namespace, prefix, row, installed, files)
        # `check` judges as on any machine, whatever this one has.
        for tool in verdicts.TOOLS if kind == "clean" else ("doctor",):
            said = verdicts.asked(tool, options.program, namespace, prefix, files,
                                  ["--as-here"] if kind == "machine" else [])
            for each in rows:
                each[tool] = said.get(str(site / each["path"]))
        result["namespaces"][kind] = rows
        say(f"{row['name']}: {kind} done")
    return result


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="environments; without one all")
    parser.add_argument("--cases", nargs="+", default=[], metavar="CASE", help="of `broken`, these alone")
    parser.add_argument("--list", action="store_true", help="print the names and what is in them")
    parser.add_argument("--pin", action="store_true", help="resolve the pins anew and write environments.json")
    parser.add_argument("--keep", action="store_true", help="keep the environments and uv's cache")
    parser.add_argument("--program", default=HERE.parents[1] / "build/bin/cuda-cc", type=Path)
    parser.add_argument("--folder", default=wheels.cache_root() / "wild", type=Path, help="where it works")
    parser.add_argument("--results", type=Path, help="a folder for NAME.json and NAME.txt, the files in question")
    parser.add_argument("--namespaces", nargs="+", default=["clean", "machine"], choices=["clean", "machine"])
    options = parser.parse_args(arguments)
    options.program, options.folder = options.program.absolute(), options.folder.absolute()
    options.results = (options.results or options.folder / "results").absolute()
    return options


def make_driver(uv):
    driver = uv.folder / "driver"
    if not driver.exists():
        nvml, aside = uv.folder / "nvml", uv.folder / ".driver"
        for folder in (nvml, aside):
            shutil.rmtree(folder, ignore_errors=True)
        uv("pip", "install", "-q", "--target", nvml, "--no-deps", "--only-binary", ":all:", namespaces.NVML)
        namespaces.make_driver(aside, nvml)
        aside.rename(driver)
        shutil.rmtree(nvml)
    return driver


def room(uv):
    if shutil.disk_usage(uv.folder).free < COMFORTABLE:
        uv.forget()
    free = shutil.disk_usage(uv.folder).free
    if free < LEAST:
        raise RuntimeError(f"{uv.folder} has {free >> 30} GiB free, and {LEAST >> 30} are to stay free")


def main(arguments):
    options = parse(arguments)
    rows = json.loads(LIST.read_text())["environments"]
    known = [row["name"] for row in rows] + ["broken"]
    if wrong := [name for name in options.names if name not in known]:
        say(f"no environment {wrong[0]}; known: {', '.join(known)}")
        return 2
    if wrong := set(options.cases) - {case["name"] for case in broken.chosen([])}:
        say(f"no case {', '.join(sorted(wrong))}; --list prints them")
        return 2
    chosen = [row for row in rows if not options.names or row["name"] in options.names]
    if options.list:
        for row in chosen:
            print(f"{row['name']:20} Python {row['python']}: {', '.join(row['wanted'])}")
        for case in broken.chosen([]) if not options.names or "broken" in options.names else []:
            print(f"broken --cases '{case['name']}'")
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    uv = Uv(options.folder)
    if options.pin:
        for row in chosen:
            row["pins"] = uv.pin(row)
        LIST.write_text(json.dumps({"environments": rows}, indent=1) + "\n")
        return 0
    options.results.mkdir(parents=True, exist_ok=True)
    driver = make_driver(uv)
    results, failed = [], []
    for row in chosen:
        prefix = options.folder / row["name"]
        try:
            room(uv)
            uv.make(prefix, row["python"], row["pins"])
            result = examine(row, prefix, options, driver)
            results.append(result)
            (options.results / f"{row['name']}.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")
            lines = [*verdicts.table([result]), "", *verdicts.mismatches(result)]
            (options.results / f"{row['name']}.txt").write_text("\n".join(lines) + "\n")
            print("\n".join(verdicts.table([result])), flush=True)
        except (RuntimeError, OSError) as error:
            failed.append(row["name"])
            say(f"{row['name']}: {error}")
        finally:
            if not options.keep:
                shutil.rmtree(prefix, ignore_errors=True)
    if not options.names or "broken" in options.names:
        try:
            failed += broken.run(rows, uv, options, lambda words: namespaces.command("clean", driver, words),
                                 sys.modules[__name__])
        finally:
            shutil.rmtree(options.folder / "broken", ignore_errors=True)
    if not options.keep:
        uv.forget()
    if len(results) > 1:
        print("\n".join(["", *verdicts.table(results)]))
    wrong = any(verdicts.column(file, file.get(tool)) in verdicts.WRONG for result in results
                for files in result["namespaces"].values() for file in files for tool in verdicts.TOOLS)
    say(f"files with verdict and loader's words: {options.results}")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
