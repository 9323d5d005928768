# SPDX-License-Identifier: Apache-2.0
"""Compares what a call through cuda-cc left with what the plain call left, as far as the row's class allows."""

import difflib
import fnmatch
import os
import re
import shlex
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

NOTE = ".note.cuda-target"
# The only bytes of nvcc's output that differ between two identical calls.
NVCC_TEMPORARY = re.compile(rb"tmpxft_[0-9a-f]{8}_[0-9a-f]{8}")
# An address, in the temporary names of -t 2 under --dryrun.
NVCC_ADDRESS = re.compile(rb"(tmpxft_0{17}-\d+_)[0-9a-f]+(?=_std(?:out|err))")
GCC_TEMPORARY = re.compile(rb"/cc[A-Za-z0-9]{6}(?=[.\s\"'/]|$)", re.M)
CLANG_TEMPORARY = re.compile(rb"(/tmp/[\w.-]+)-[0-9a-f]{6}(?=\.\w+|/)")
# The lines of a verbose link (-v, --dryrun) that may differ (F1): collect2's line and the options passed to it,
# our -ccbin, and nvcc's echo of its variables.
VERBOSE_LINK = (rb'^(COLLECT_GCC_OPTIONS=| "?/\S+/(collect2|ld(\.\w+)?|mold|lto-wrapper)"? |'
                rb"#\$ NVCC_\w+_FLAGS=).*$")


class Differs(Exception):
    def __init__(self, lines):
        super().__init__("\n".join(lines))
        self.lines = lines


def shown(argv):
    text = " ".join(shlex.quote(word) for word in argv)
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return text if len(text) < 300 else f"{text[:300]}... ({len(argv)} words)"


def stable(data):
    """Replaces temporary names of the compilers by fixed ones of the same length."""
    data = NVCC_TEMPORARY.sub(lambda match: b"tmpxft_" + b"0" * 17, data)
    data = NVCC_ADDRESS.sub(rb"\1", data)
    data = GCC_TEMPORARY.sub(b"/ccXXXXXX", data)
    return CLANG_TEMPORARY.sub(rb"\1-xxxxxx", data)


def unified(title, plain, ours):
    def lines(data):
        return data.decode("utf-8", "backslashreplace").splitlines()

    diff = difflib.unified_diff(lines(plain), lines(ours), f"plain {title}", f"cuda-cc {title}",
                                n=1, lineterm="")
    text = [line if len(line) < 400 else line[:400] + "..." for line in diff]
    return text[:60] or [f"{title} differs in its bytes only: {plain[:80]!r} {ours[:80]!r}"]


def without_record_lines(data, data_home):
    """Lists of included files (-H) without the record's header."""
    listed = re.compile(rb"(\.+ |! |x )?" + re.escape(os.fsencode(data_home)) + rb"/\S+\.h$")
    return b"".join(line for line in data.splitlines(True) if not listed.match(line.rstrip()))


def loosened(row, data, data_home):
    """stderr of a verbose link without the lines that a link may change."""
    if not row.loose:
        return data
    if row.loose == "unordered":
        return b"".join(sorted(data.splitlines(True)))
    home = re.escape(os.fsencode(data_home))
    data = re.sub(rb'"?' + home + rb'/cuda-cc/[^\s"]*/bin"?/([\w.+-]+)"?', rb"\1", data)
    data = re.sub(rb'\s*"?-include"?\s+"?' + home + rb'/cuda-cc/[^\s"]*\.h"?', b"", data)
    data = re.sub(VERBOSE_LINK, b"", data, flags=re.M)
    data = re.sub(rb'"?(?<![\w+/])(/usr/bin/)?(g\+\+|gcc|c\+\+|cc)"?(?=[ "\n])', b"CC", data)
    drop = re.compile(row.loose.encode()) if row.loose != "v" else None
    lines = [line.rstrip() for line in data.splitlines()
             if line.strip() and not (drop and drop.search(line))]
    return b"\n".join(lines) + b"\n"


def text_differences(row, title, plain, ours, declare, data_home):
    plain, ours = stable(plain), stable(ours)
    if declare and row.cls >= 2:
        ours = without_record_lines(ours, data_home)
    if declare or row.loose != "v":
        plain, ours = (loosened(row, data, data_home) for data in (plain, ours))
    return [] if plain == ours else unified(title, plain, ours)


def tool(*argv):
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"})
    if done.returncode != 0:
        raise Differs([f"{argv[0]}: {done.stdout.decode(errors='replace').strip()}"])
    return done.stdout


def without_note(data):
    """An object or archive rewritten by objcopy, without our section."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "in"), Path(folder, "out")
        source.write_bytes(data)
        tool("objcopy", "-D", f"--remove-section={NOTE}", str(source), str(result))
        return result.read_bytes()


def debug_parted(data):
    """What a file has besides debug information, and that as text without the places of strings. gcc writes these in
    the order of a hash table, in which the names of nvcc's temporary files are."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "in"), Path(folder, "out")
        source.write_bytes(data)
        tool("objcopy", "-D", "--strip-debug", str(source), str(result))
        text = tool("readelf", "-W", "--debug-dump=info,abbrev,rawline,loc,Ranges", str(source))
        return result.read_bytes(), re.sub(rb"offset: (0x)?[0-9a-f]+", b"", text.replace(os.fsencode(folder), b""))


def same_binaries(plain, ours):
    return plain == ours or b"/tmpxft_" in plain and debug_parted(plain) == debug_parted(ours)


def without_temporary_names(data):
    """Text or an object in which nvcc's temporary files have neither a folder nor a number, nor the architecture that
    one of several commands puts into them."""
    if data[:7] == b"!<arch>":
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "in").write_bytes(data)
            Path(folder, "out").mkdir()
            tool("ar", "x", "--output", os.path.join(folder, "out"), os.path.join(folder, "in"))
            members = sorted((without_temporary_names(os.fsencode(path.name)), path.read_bytes())
                             for path in Path(folder, "out").iterdir())
        return b"".join(name + without_note(without_temporary_names(member)) for name, member in members)
    if is_elf(data, 1) and data[18:20] == b"\x3e\0":
        with tempfile.TemporaryDirectory() as folder:
            source, result = Path(folder, "in"), Path(folder, "out")
            source.write_bytes(data)
            tool("objcopy", "-D", "-w", "--strip-debug", "--strip-symbol=tmpxft_*", str(source), str(result))
            return result.read_bytes()
    if b"\0" in data:
        return data
    data = re.sub(rb"(?:/[^\s\"'\0]*/)?tmpxft_[0-9a-f]{8}_[0-9a-f]{8}-\d+_", b"tmpxft_", data)
    return re.sub(rb"(?<=tmpxft_)([^\s\"'\0]*?)((?:\.(?:compute|sm)_\w+)+)(?=[.])", rb"\1", data)


def without_temporaries(outcome):
    files = {name: (*entry[:2], without_temporary_names(entry[2])) for name, entry in outcome.files.items()}
    return replace(outcome, files=files, out=without_temporary_names(outcome.out),
                   err=without_temporary_names(outcome.err))


def depfile_rules(data, data_home):
    """Targets and prerequisites of each rule, without the record's header and what -MP adds for it."""
    rules = []
    for line in re.sub(rb"\\\n", b" ", data).splitlines():
        words = [word for word in re.split(rb"(?<!\\)\s+", line.strip()) if word]
        if words and os.fsencode(data_home) in words[0]:
            continue
        rules.append([word for word in words if os.fsencode(data_home) not in word])
    listed = {word + b":" for rule in rules for word in rule[1:]}
    return [rule for rule in rules if rule and not (len(rule) == 1 and rule[0] in listed)]


def without_record_text(data, data_home):
    """Preprocessed text or assembly of -save-temps, without the lines of the forced header."""
    kept, inside = [], False
    home = os.fsencode(data_home)
    for line in data.splitlines():
        marker = re.match(rb'#\s+\d+\s+"([^"]*)"', line)
        if marker:
            inside = marker[1].startswith(home)
            continue
        if inside or not line.strip():
            continue
        kept.append(line)
    text = b"\n".join(kept)
    section = re.escape(NOTE.encode())
    text = re.sub(rb"\s*\.pushsection\s+\"?" + section + rb".*?\.popsection", b"", text, flags=re.S)
    return re.sub(rb"#(NO_)?APP\n?", b"", text).split()


def dynamic(path):
    """NEEDED and search path entries."""
    text = tool("readelf", "-dW", path).decode(errors="replace")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", text)
    return needed, paths[0].split(":") if paths else []


def is_elf(data, *kinds):
    return data[:4] == b"\x7fELF" and int.from_bytes(data[16:18], "little") in kinds


def linked_differences(name, plain, ours):
    """An executable or shared library: NEEDED may have more entries, and the search path more in front."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for part, data in (("plain", plain), ("ours", ours)):
            path = os.path.join(folder, part)
            Path(path).write_bytes(data)
            files.append(path)
        (needed, paths), (our_needed, our_paths) = map(dynamic, files)
        found = []
        lost = [library for library in needed if library not in our_needed]
        if lost:
            found.append(f"{name}: NEEDED lost {lost}")
        if our_paths[len(our_paths) - len(paths):] != paths:
            found.append(f"{name}: search path {paths} became {our_paths}")
        symbols = [[line.split()[:2] for line in tool("nm", "-D", "-P", path).splitlines()
                    if not line.startswith(b"nm: ")] for path in files]
        if symbols[0] != symbols[1]:
            found += unified(f"{name} (nm -D)", *(b"\n".join(b" ".join(s) for s in part)
                                                  for part in symbols))
        return found


def file_differences(row, name, plain, ours, declare, data_home):
    """The bytes of one file that the row's class does not allow to differ."""
    plain, ours = stable(plain), stable(ours)
    if plain == ours or any(fnmatch.fnmatch(name, pattern) for pattern in row.volatile):
        return []
    if row.cls == 3 and declare and is_elf(plain, 2, 3) and is_elf(ours, 2, 3):
        return linked_differences(name, plain, ours)
    recorded = row.cls >= 2 and declare
    if recorded and (is_elf(plain, 1) or plain[:7] == b"!<arch>"):
        if same_binaries(*(stable(without_note(data)) for data in (plain, ours))):
            return []
    elif (is_elf(plain, 1, 2, 3) or plain[:7] == b"!<arch>") and same_binaries(plain, ours):
        return []
    elif recorded and name.endswith((".i", ".ii", ".s", ".cudafe1.cpp")):
        if without_record_text(plain, data_home) == without_record_text(ours, data_home):
            return []
    elif recorded and os.fsencode(data_home) in ours:
        if depfile_rules(plain, data_home) == depfile_rules(ours, data_home):
            return []
    if b"\0" in plain[:512] or b"\0" in ours[:512]:
        at = next((i for i, (x, y) in enumerate(zip(plain, ours)) if x != y),
                  min(len(plain), len(ours)))
        return [f"{name}: {len(plain)} and {len(ours)} bytes, first difference at {at}"]
    return unified(name, plain, ours)


def name_differences(plain, ours):
    def names(outcome):
        return {stable(b"/" + os.fsencode(name)): entry[:2] if entry[0] != "link" else entry
                for name, entry in outcome.files.items()}

    before, after = names(plain), names(ours)
    found = [f"missing: {name.decode(errors='replace')}" for name in sorted(before.keys() - after)]
    found += [f"in excess: {name.decode(errors='replace')}"
              for name in sorted(after.keys() - before)]
    found += [f"{name.decode(errors='replace')}: {before[name]} became {after[name]}"
              for name in sorted(before.keys() & after) if before[name] != after[name]]
    left = [[stable(b"/" + os.fsencode(name)) for name in outcome.leftovers]
            for outcome in (plain, ours)]
    if left[0] != left[1]:
        found.append(f"left in TMPDIR or HOME: {left[0]} became {left[1]}")
    return found


def differences(row, plain, ours, declare, data_home):
    """All differences between the two outcomes that the row's class does not allow, as lines."""
    found = []
    if plain.status != ours.status:
        found.append(f"exit status {plain.status} became {ours.status}")
    for title in ("out", "err"):
        found += text_differences(row, "std" + title, getattr(plain, title), getattr(ours, title),
                                  declare, data_home)
    found += name_differences(plain, ours)
    pairs = {stable(b"/" + os.fsencode(name)): entry for name, entry in ours.files.items()}
    for name, entry in sorted(plain.files.items()):
        other = pairs.get(stable(b"/" + os.fsencode(name)))
        if entry[0] == "file" and other and other[0] == "file":
            try:
                found += file_differences(row, name, entry[2], other[2], declare, data_home)
            except Differs as problem:
                found += [f"{name}:", *problem.lines]
    if plain.ran != ours.ran:
        found.append(f"the linked program: {plain.ran} became {ours.ran}")
    return found
