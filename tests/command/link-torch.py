# RUN: PYTHONPATH=%S %python -B %s
"""A link against torch's libraries: what the declared torch lacks is refused, what fits is recorded,
and a link that names nothing of torch's never opens the table."""
import json

from binaries import PROGRAM, Binaries, equal, run
from recording import Place

place = Binaries()
work = place.work
DECREF = "_ZNK3c1010TensorImpl15decref_pyobjectEv"
(work / "own.c").write_text(f"void {DECREF}(void) {{}}\n")
place.gcc("-shared", "-fPIC", "own.c", "-o", "libc10.so", "-Wl,-soname,libc10.so")
(work / "ext.c").write_text(f"void {DECREF}(void);\nvoid init(void) {{ {DECREF}(); }}\n")
(work / "plain.c").write_text("void init(void) {}\n")


def link(release, *words, program=PROGRAM):
    return run(program, "gcc", f"--cudacc-runtime=torch=={release}", "-shared", "-fPIC", *words,
               cwd=work, HOME=str(work))


def manifest(path):
    done = run(PROGRAM, "inspect", "--format=json", path, cwd=work)
    return json.loads(done.stdout)["files"][0]["manifest"]["link"]


done = link("2.5.1", "ext.c", "libc10.so", "-o", "ext.so")
equal(done.returncode, 3, done)
assert "torch 2.5.1 lacks c10::TensorImpl::decref_pyobject [CC4129]" in done.stderr, done
assert all(len(line) <= 77 for line in done.stderr.splitlines()[:1]), done
assert not (work / "ext.so").exists()
done = link("2.10.0", "ext.c", "libc10.so", "-o", "ext.so")
equal((done.returncode, done.stderr), (0, ""), done)
equal(manifest("ext.so")["torch"], ">=2.10,<=2.15.0")
# By a toolchain directory, whose programs are copies: they find the table, too.
toolkit = Place("12.4")
(toolkit.toolkit / "lib64/libcudart.so.12").write_text("")
done = run(PROGRAM, "toolchain", "tools", "--runtime=torch==2.5.1", f"--toolkit={toolkit.toolkit}",
           cwd=work, HOME=str(work))
equal(done.returncode, 0, done)
done = run(work / "tools/bin/gcc", "-shared", "-fPIC", "ext.c", "libc10.so", "-o", "other.so", cwd=work,
           HOME=str(work))
equal(done.returncode, 3, done)
assert "CC4129" in done.stderr and not (work / "other.so").exists(), done
done = link("2.10.0", "plain.c", "-o", "plain.so")
equal((done.returncode, done.stderr), (0, ""), done)
assert "torch" not in manifest("plain.so"), manifest("plain.so")
