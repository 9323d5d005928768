# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""The rest of glibc's search: tokens, the cache, defaults, order, cycles, programs, and the messages about
files that are not libraries; simulated and real."""
import os
import random

from behaviour import behaviour
from loading import Tree
from sandbox import equal

tree = Tree()
work = tree.work
P = "libp.so.13"
NOT_FOUND = f"{P}: cannot open shared object file: No such file or directory"
for copy in ("right", "env", "lib/x86_64-linux-gnu", f"for/{tree.platform}"):
    tree.library(f"{copy}/{P}")
right = work / "right"
plain = tree.library("deep/down/plain.so", needs=[P])
serves = tree.program("serves", rpath="$ORIGIN/right")

def last(*files, **situation):
    answer = tree.same(*files, **situation)
    return answer.failure or os.path.realpath(answer.mapped[-1])


@behaviour
def tokens_are_whole_names():
    """With or without braces, at any place, several; other names stay unchanged."""
    os.mkdir(work / "$HOME")
    tree.library(f"$HOME/{P}")
    os.mkdir(work / "$ORIGINAL")
    for place, expected in (("$ORIGIN/right", "right"), ("${ORIGIN}/right", "right"),
                            ("$ORIGIN/$LIB", "lib/x86_64-linux-gnu"),
                            ("$ORIGIN/${LIB}", "lib/x86_64-linux-gnu"),
                            ("$ORIGIN/for/$PLATFORM", f"for/{tree.platform}"),
                            ("/$ORIGIN/right", "right"),
                            ("$ORIGIN//right//", "right"), ("$ORIGIN/./env/../right", "right"),
                            ("$ORIGIN/$HOME", "$HOME"), ("$ORIGINAL:$ORIGIN_:$ORIGIN/right", "right"),
                            ("${ORIGIN:${ORIGIN/right}", None), ("$ORIGIN:$ORIGIN/:$ORIGIN", None)):
        for tag in ("rpath", "runpath"):
            ext = tree.library("tokens.so", needs=[P], **{tag: place})
            equal(last(ext, what=place), str(work / expected / P) if expected else NOT_FOUND, place)


@behaviour
def tokens_in_the_library_path_refer_to_the_program():
    equal(last(plain, library_path="$ORIGIN/right"), str(right / P), "LD_LIBRARY_PATH")


@behaviour
def tokens_stand_in_needed_and_in_the_argument_of_dlopen():
    needed = tree.library("tokens.so", needs=[f"$ORIGIN/right/{P}"])
    equal(last(needed, slashes=[right / P]), str(right / P), "NEEDED")
    equal(last(f"$ORIGIN/right/{P}", slashes=[right / P]), str(right / P), "dlopen")
    tree.same(P, what="a bare name")
    tree.same("libz.so.1", what="a bare name in the cache, or not")
    tree.same(f"$ORIGIN{P}", what="a token and no slash")


@behaviour
def what_a_filter_stands_for_is_loaded_with_it():
    """Without that it is not loaded. (The real loader searches it before the filter.)"""
    for place, failure in (("$ORIGIN/right", ""), ("$ORIGIN", NOT_FOUND)):
        situation = {"program": tree.opener, "library_path": None, "cwd": work}
        filtering = tree.library("filter.so", f"-Wl,-F,{P}", runpath=place)
        real, ours = tree.real(filtering, **situation), tree.simulated(filtering, **situation)
        equal((ours.failure, real.failure), (failure, failure), place)
        equal(failure or sorted(ours.mapped), failure or sorted(real.mapped), place)


@behaviour
def the_cache_is_searched_before_the_default_directories():
    """NODEFLIB skips both."""
    system = tree.library("system.so", needs=["libgcc_s.so.1"])
    tree.same(system, what="the cache")
    tree.same(tree.library("nodef.so", "-Wl,-z,nodefaultlib", needs=["libgcc_s.so.1"]), what="NODEFLIB",
              unopened=["/lib/x86_64-linux-gnu/libgcc_s.so.1"])
    tree.same(tree.library("nodef.so", "-Wl,-z,nodefaultlib", needs=[P], runpath="$ORIGIN/right"))
    tree.same(tree.library("nodef.so", "-Wl,-z,nodefaultlib", needs=["libc.so.6"]), what="it is loaded")


@behaviour
def libraries_are_loaded_breadth_first_and_once():
    """Cycles end."""
    for name, needs in (("a", "bc"), ("b", "cd"), ("c", "de"), ("d", "ab"), ("e", "")):
        tree.library(f"cycle/lib{name}.so", needs=[f"lib{need}.so" for need in needs], rpath="$ORIGIN")
    answer = tree.same(work / "cycle/liba.so")
    equal([os.path.basename(path)[3] for path in answer.mapped[1:]], list("abcde"), "order")
    tree.same(work / "cycle/libc.so", work / "cycle/liba.so", what="one after the other")
    tree.library("cycle/self.so", needs=["self.so"])
    tree.same(work / "cycle/self.so")


@behaviour
def a_file_opened_by_dlopen_uses_its_own_path_and_the_programs():
    """Not its caller's."""
    caller = tree.library("caller.so", opens=True, rpath="$ORIGIN/deep/down:$ORIGIN/right")
    tree.same(caller, "@1=plain.so", what="the caller's RPATH finds it and then serves it no more")
    tree.same(caller, "@1=plain.so", program=serves)


@behaviour
def programs_and_libraries_marked_against_dlopen_do_not_open():
    tree.same(tree.opener, what="a PIE")
    tree.same(tree.program("exec", "-no-pie"), what="an executable")
    tree.same(tree.library("noopen.so", "-Wl,-z,nodlopen"), what="NOOPEN")
    (work / "in-path").mkdir()
    os.link(tree.opener, work / "in-path/libpie.so")
    tree.same(tree.library("needs-pie.so", needs=["libpie.so"], rpath="$ORIGIN/in-path"), what="a PIE")
    os.link(work / "exec", work / "in-path/libexec.so")
    tree.same(tree.library("needs-exec.so", needs=["libexec.so"], rpath="$ORIGIN/in-path"))
    tree.same(tree.library("needs-noopen.so", needs=["noopen.so"], rpath="$ORIGIN"))


def starts(expected, what, **more):
    program = tree.program("starting", needs=[P], **more)
    answer = tree.same(program=program, what=what)
    equal(answer.failure or os.path.realpath(answer.mapped[0]), expected, what)


@behaviour
def a_program_starts_with_what_its_own_path_leads_to():
    starts(NOT_FOUND, "start")
    starts(str(right / P), "start, RPATH", rpath="$ORIGIN/right")
    starts(str(right / P), "start, RUNPATH", runpath="$ORIGIN/right")
    (work / "elsewhere").mkdir()
    linked = work / "elsewhere/linked"
    linked.symlink_to(work / "starting")
    tree.same(program=linked, what="a program through a link: /proc/self/exe")


@behaviour
def relative_paths_lead_into_and_out_of_the_directory():
    for cwd, name in ((work, "deep/down/plain.so"), (work / "deep", "./down/plain.so"),
                      (work / "deep", "../deep/down/plain.so")):
        tree.same(name, cwd=cwd, library_path=right, what="relative")
        tree.same(name, cwd=cwd, library_path=os.path.relpath(right, cwd), what="relative directories")
    tree.library("own.so", needs=[P], rpath="$ORIGIN/right")
    tree.same("./own.so", cwd=work)
    tree.same("own.so", cwd=work, library_path=".")


@behaviour
def names_that_no_file_can_have_fail():
    """In lists and alone."""
    tree.same("lib" + "x" * 300 + ".so", library_path=right)
    tree.same(right / ("lib" + "x" * 300 + ".so"))
    tree.same(right / P / "inside")
    tree.same(work / "none/at/all.so")
    tree.same(right, what="a directory")


@behaviour
def each_byte_of_the_header_is_judged_as_by_the_loader():
    """Those that it may check are changed; all values of the ABI byte."""
    odd = tree.library(f"odd/{P}")
    good = odd.read_bytes()
    ext = tree.library("odd/ext.so", needs=[P], rpath="$ORIGIN")
    changes = [(at, good[at] ^ 1) for at in (*range(16), *range(16, 24), 54, 55)]
    changes += [(at, value) for at in (4, 5, 6) for value in (0, 3, 255)]
    changes += [(7, value) for value in (3, 6, 9, 64, 97, 255)]
    for at, value in changes:
        data = bytearray(good)
        data[at] = value
        odd.write_bytes(data)
        tree.same(ext, what=f"byte {at} is {value}")
    for abi, version in [(abi, version) for abi in (0, 3) for version in range(7)]:
        odd.write_bytes(good[:7] + bytes([abi, version]) + good[9:])
        tree.same(odd, what=f"ABI {abi} version {version}")


# Random processes: libraries that NEED each other, with randomly chosen kinds of paths, in folders that contain
# other copies; the complete logs are equal.
def tangle(seed):
    choice = random.Random(seed)
    names = [f"lib{letter}.so" for letter in "abcdefg"]
    base = work / f"tangle{seed}"
    folders = ["one", "two", "three", "four"]
    for folder in folders:
        (base / folder).mkdir(parents=True)
    for name in names:
        for folder in choice.sample(folders, choice.randint(1, 2)):
            path = ":".join(choice.choice(["$ORIGIN", "$ORIGIN/../one", "$ORIGIN/../two", "",
                                           "$ORIGIN/../three", str(base / "four")])
                            for _ in range(choice.randint(1, 3)))
            tag = choice.choice([{}, {"rpath": path}, {"runpath": path}])
            soname = choice.choice([None, None, None, "", choice.choice(names)])
            needs = choice.sample(names, choice.randint(0, 3))
            tree.library(f"tangle{seed}/{folder}/{name}", needs=needs, soname=soname, **tag)
    files = sorted(base.rglob("*.so"))
    for _ in range(8):
        program = choice.choice([tree.opener, serves])
        library_path = choice.choice([None, base / "one", f"{base}/three:{base}/two", ":"])
        tree.same(*choice.sample(files, 3), program=program, library_path=library_path,
                  cwd=choice.choice([work, base / "two"]), what=f"seed {seed}")


@behaviour
def random_processes_have_equal_logs():
    for seed in range(200 if os.environ["CUDACC_TEST_ALL"] else 10):
        tangle(seed)


assert tree.compared > 180, tree.compared
tree.clean()
