# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""LS-10 to LS-25: each as a tree of small libraries. The simulation, the real loader and the table have the
same result."""
import os

from behaviour import behaviour
from loading import Tree
from sandbox import equal

tree = Tree()
work = tree.work
P = "libp.so.13"
NOT_FOUND = f"{P}: cannot open shared object file: No such file or directory"
for copy in ("right", "env", "pre"):
    tree.library(f"{copy}/{P}")
right, env = work / "right", work / "env"

def found(expected, *files, what, **situation):
    equal(tree.chosen(P, *files, what=what, **situation), expected, what)

def fails(expected, *files, what, **situation):
    equal(tree.same(*files, what=what, **situation).failure, expected, what)


def dynamic_entries(data):
    phoff, count = int.from_bytes(data[32:40], "little"), int.from_bytes(data[56:58], "little")
    for at in range(phoff, phoff + 56 * count, 56):
        if int.from_bytes(data[at:at + 4], "little") == 2:
            offset, size = (int.from_bytes(data[at + k:at + k + 8], "little") for k in (8, 32))
            return range(offset, offset + size, 16)


@behaviour
def a_runpath_disables_the_rpath_beside_it():
    """LS-10. The linker writes one of them; the other replaces an entry that has no effect, such as DT_DEBUG."""
    both = tree.library("ls10/ext.so", needs=[P], rpath="$ORIGIN/../right")
    data = bytearray(both.read_bytes())
    entries = {int.from_bytes(data[at:at + 8], "little"): at for at in reversed(dynamic_entries(data))}
    # ld writes several DT_NULL; the first one can be replaced.
    value = data[entries[15] + 8:entries[15] + 16]
    data[entries[0]:entries[0] + 16] = (29).to_bytes(8, "little") + value
    both.write_bytes(data)
    found("env", both, library_path=env, what="LS-10")
    found("right", both, what="LS-10")


@behaviour
def the_programs_rpath_is_used_for_libraries_without_a_path():
    """LS-11. A RUNPATH of the requester disables it: LS-12."""
    ext = tree.library("ls11/ext.so", needs=[P])
    useless = tree.library("ls12/ext.so", needs=[P], runpath="$ORIGIN/nothing")
    by_rpath = tree.program("by-rpath", rpath="$ORIGIN/right")
    by_runpath = tree.program("by-runpath", runpath="$ORIGIN/right")
    found("right", ext, program=by_rpath, what="LS-11")
    fails(NOT_FOUND, ext, program=by_runpath, what="LS-11")
    fails(NOT_FOUND, useless, program=by_rpath, what="LS-12")
    # An empty RUNPATH does too. The linker does not write one, so the text of a longer one is truncated.
    cut = tree.library("ls12/cut.so", needs=[P], runpath="/cut/here")
    cut.write_bytes(cut.read_bytes().replace(b"/cut/here", bytes(9)))
    fails(NOT_FOUND, cut, program=by_rpath, what="LS-12, an empty RUNPATH")


@behaviour
def a_slash_in_needed_is_relative_to_the_working_directory():
    """LS-13. There is no search."""
    slash = tree.library("ls13/ext.so", needs=[f"right/{P}"], rpath="$ORIGIN/../env")
    found("right", slash, what="LS-13", cwd=work, slashes=[f"right/{P}"])
    fails(f"right/{P}: cannot open shared object file: No such file or directory", slash,
          cwd=work / "pre", what="LS-13", slashes=[f"right/{P}"])


@behaviour
def origin_is_the_directory_of_the_symbolic_link():
    """LS-14."""
    origin = tree.library("ls14/ext.so", needs=[P], rpath="$ORIGIN")
    tree.library(f"ls14/{P}")
    (work / "ls14-link").mkdir()
    (work / "ls14-link/ext.so").symlink_to(origin)
    found("ls14", origin, what="LS-14")
    fails(NOT_FOUND, work / "ls14-link/ext.so", what="LS-14")
    (work / "ls14-folder").symlink_to(work / "ls14")
    found("ls14-folder", work / "ls14-folder/ext.so", what="LS-14, a linked directory")


@behaviour
def an_empty_element_is_the_working_directory():
    """LS-15."""
    for path in ("/nowhere::/nowhere/else", "/nowhere:", ":/nowhere"):
        for tag in ("rpath", "runpath"):
            file = tree.library("ls15/ext.so", needs=[P], **{tag: path})
            answer = tree.same(file, cwd=right, what=f"LS-15 {path}")
            equal(answer.mapped[-1], P, f"LS-15 {tag} {path}")
            fails(NOT_FOUND, file, cwd=work, what="LS-15")
    plain = tree.library("ls15/plain.so", needs=[P])
    for value in ("/nowhere::/nowhere/else", "/nowhere:", ":/nowhere", ":", ";", "/nowhere;"):
        answer = tree.same(plain, library_path=value, cwd=right, what=f"LS-15 {value}")
        equal(answer.mapped[-1], P, f"LS-15 LD_LIBRARY_PATH={value}")
    fails(NOT_FOUND, plain, library_path="", cwd=right, what="LS-15, LD_LIBRARY_PATH is empty")


@behaviour
def subdirectories_of_each_directory_come_first():
    """LS-16: in the order of the machine."""
    chosen = tree.library("ls16/ext.so", needs=[P], rpath="$ORIGIN/dir")
    tree.library(f"ls16/dir/{P}")
    for place in reversed(tree.hwcaps):
        tree.library(f"ls16/dir/{place}/{P}")
        answer = tree.same(chosen, library_path=env, what=f"LS-16 {place}")
        equal(answer.mapped[-1], str(work / f"ls16/dir/{place}/{P}"), "LS-16")
    tree.library(f"ls16/late/{tree.hwcaps[0]}/{P}")
    late = tree.library("ls16/late.so", needs=[P], rpath="$ORIGIN/../right:$ORIGIN/late")
    found("right", late, what="LS-16: in its directory only")
    for place in tree.hwcaps:
        tree.library(f"ls16/llp/{place}/{P}")
    plain = tree.library("ls16/plain.so", needs=[P])
    answer = tree.same(plain, library_path=work / "ls16/llp", what="LS-16 in LD_LIBRARY_PATH")
    equal(answer.mapped[-1], str(work / f"ls16/llp/{tree.hwcaps[0]}/{P}"), "LS-16")


tree.library("odd/good.so", needs=[P], rpath="$ORIGIN/bad:$ORIGIN/../right")
alone = tree.library("odd/alone.so", needs=[P], rpath="$ORIGIN/bad")
bad = work / "odd/bad" / P
bad.parent.mkdir()
good = right / P

def header(**bytes_at):
    data = bytearray(good.read_bytes())
    for at, value in bytes_at.items():
        data[int(at[1:])] = value
    return bytes(data)

def put(content):
    if bad.is_symlink() or bad.is_file():
        bad.unlink()
    elif bad.is_dir():
        bad.rmdir()
    if content == "directory":
        bad.mkdir()
    elif isinstance(content, str):
        bad.symlink_to(content)
    else:
        bad.write_bytes(content)


@behaviour
def another_machine_and_dangling_links_are_skipped():
    """LS-17."""
    for content, alone_says in ((header(_4=1), f"{P}: wrong ELF class: ELFCLASS32"),
                                (header(_18=183), NOT_FOUND), ("nowhere", NOT_FOUND)):
        put(content)
        found("right", work / "odd/good.so", what="LS-17")
        fails(alone_says, alone, what="LS-17")
        fails(alone_says.replace(P, str(bad)), bad, what="LS-17, by path")


@behaviour
def a_file_that_is_no_library_ends_the_search():
    """LS-18."""
    for content, words in ((b"", "file too short"), (b"\x7fELF", "file too short"),
                           (good.read_bytes()[:63], "file too short"),
                           (b"/* GNU ld script */ INPUT(libp.so)\n" + b" " * 64, "invalid ELF header"),
                           ("directory", "cannot read file data: Is a directory"),
                           (header(_5=2), "ELF file data encoding not little-endian"),
                           (header(_16=1), "only ET_DYN and ET_EXEC can be loaded")):
        put(content)
        for file in (work / "odd/good.so", alone, bad):
            fails(f"{bad}: {words}", file, what="LS-18")


@behaviour
def a_loop_of_symbolic_links_ends_the_list_and_not_the_search():
    put(P)
    fails(f"{P}: cannot open shared object file: No such file or directory", work / "odd/good.so",
          what="a loop")
    found("env", work / "odd/good.so", library_path=env, what="a loop")
    fails(f"{bad}: cannot open shared object file: Too many levels of symbolic links", bad,
          what="a loop")


@behaviour
def a_library_is_loaded_under_its_soname_whatever_the_file_name():
    """LS-20."""
    tree.library("pre/other-name.so", soname=P)
    file = tree.library("ls20/ext.so", needs=[P], rpath="$ORIGIN/../right")
    answer = tree.same(work / "pre/other-name.so", file, what="LS-20")
    equal([path for path in answer.mapped if "right" in path], [], "LS-20")


@behaviour
def another_soname_under_the_same_file_name_is_not_the_library():
    """LS-21."""
    file = tree.library("ls21/ext.so", needs=[P], rpath="$ORIGIN/../right")
    tree.library(f"ls21/none/{P}", soname="")
    tree.library(f"ls21/else/{P}", soname="libelse.so.1")
    for other in ("none", "else"):
        answer = tree.same(work / f"ls21/{other}/{P}", file, what="LS-21")
        equal(os.path.normpath(answer.mapped[-1]), str(right / P), "LS-21")
    # But the name by which it was requested counts.
    by_name = tree.library("ls21/by-name.so", needs=[P], rpath="$ORIGIN/none")
    answer = tree.same(by_name, file, what="LS-21, by the name requested")
    equal([path for path in answer.mapped if "right" in path], [], "LS-21")


@behaviour
def the_same_file_under_two_names_is_loaded_once():
    """LS-22."""
    os.link(right / P, work / "right/libhard.so")
    (work / "right/libsoft.so").symlink_to(P)
    tree.library("ls22/libnone.so", soname="")
    (work / "ls22/libsecond.so").symlink_to("libnone.so")
    file22 = tree.library("ls22/ext.so", needs=["libsoft.so", "libhard.so", P],
                          rpath="$ORIGIN/../right")
    answer = tree.same(file22, what="LS-22")
    equal(len([path for path in answer.mapped if "right" in path]), 1, "LS-22")
    file22 = tree.library("ls22/two.so", needs=["libnone.so", "libsecond.so"], rpath="$ORIGIN")
    equal(len([path for path in tree.same(file22).mapped if "ls22/lib" in path]), 1, "LS-22")


@behaviour
def both_names_of_a_file_with_another_soname_count_as_loaded():
    """LS-23: it is no error."""
    tree.library(f"ls23/{P}", soname="libother.so.1")
    tree.library("ls23/libother.so.1")
    file23 = tree.library("ls23/ext.so", needs=[P, "libother.so.1"], rpath="$ORIGIN")
    answer = tree.same(file23, what="LS-23")
    equal([os.path.basename(path) for path in answer.mapped[1:]], ["ext.so", P], "LS-23")


@behaviour
def dlopen_by_bare_name_searches_the_callers_path():
    """LS-24."""
    for tag, expected in (("runpath", "env"), ("rpath", "right")):
        caller = tree.library(f"ls24/{tag}.so", opens=True, **{tag: "$ORIGIN/../right"})
        found(expected, caller, f"@1={P}", library_path=env, what=f"LS-24 {tag}")
        found("right", caller, f"@1={P}", what=f"LS-24 {tag}")


@behaviour
def dlopen_by_bare_name_searches_the_paths_of_what_loaded_the_caller():
    """LS-25: only an RPATH."""
    tree.library("ls25/libtagless.so", opens=True)
    for tag, expected in (("runpath", None), ("rpath", "right")):
        loader = tree.library(f"ls25/{tag}.so", needs=["libtagless.so"],
                              **{tag: "$ORIGIN:$ORIGIN/../right"})
        inner = work / "ls25/libtagless.so"
        # dlsym on the first handle finds `opens` in a dependency.
        real = tree.real(loader, f"@1={P}", program=tree.opener, library_path=None, cwd=work)
        words = tree.simulated(loader, program=tree.opener, library_path=None, cwd=work)
        assert not words.failure
        ours = tree.simulated(loader, inner, f"@2={P}", program=tree.opener, library_path=None,
                              cwd=work)
        equal(ours.failure, real.failure, f"LS-25 {tag}")
        equal(ours.failure, "" if expected else NOT_FOUND, f"LS-25 {tag}")
        equal(ours.mapped, real.mapped, f"LS-25 {tag}")


assert tree.compared > 60, tree.compared
tree.clean()
