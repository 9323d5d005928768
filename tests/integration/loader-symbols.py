# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
# REQUIRES: patchelf
"""SY-10 to SY-17, as far as the search is concerned: whatever the result for versions and symbols, the
loader takes the files that the simulation names."""
from loading import Tree
from sandbox import equal

tree = Tree()
work = tree.work
P = "libp.so.13"
tree.write("p.c", "int wanted(void) { return 1; }\nint other(void) { return 2; }\n")
tree.write("lacks.c", "int other(void) { return 2; }\n")
tree.write("user.c", "int wanted(void);\nint use(void) { return wanted(); }\n")
for node in (P, "libelse.so.9", "NODE_1"):
    tree.write(f"{node}.map", f"{node} {{ global: wanted; other; local: *; }};\n".replace(
        "libp.so.13 {", '"libp.so.13" {').replace("libelse.so.9 {", '"libelse.so.9" {'))

def provider(place, source, node=None):
    (work / place).mkdir(exist_ok=True)
    script = [f"-Wl,--version-script={node}.map"] if node else []
    tree.gcc("-shared", "-fPIC", "-nostdlib", source, f"-Wl,-soname,{P}", *script,
             "-o", f"{place}/{P}")

provider("build", "p.c", P)
provider("build-node", "p.c", "NODE_1")
provider("sy10", "p.c", P)
provider("sy11", "lacks.c", P)
provider("sy12", "p.c", "libelse.so.9")
provider("sy14", "p.c")

def user(place, build, *more):
    (work / place).mkdir(exist_ok=True)
    tree.gcc("-shared", "-fPIC", "-nostdlib", "user.c", f"{build}/{P}", *more,
             "-Wl,--enable-new-dtags", f"-Wl,-rpath,$ORIGIN/../{place}", "-o", f"{place}/ext.so")
    return work / place / "ext.so"

def chosen(place, build="build", *more, later=False):
    file = user(place, build, *more)
    answer = tree.same(file, what=place, later=later)
    equal(answer.mapped[-1].rpartition("/")[2], P, place)
    return file

now = "-Wl,-z,now"
file = chosen("sy10", "build", now)
chosen("sy11", "build", now, later=True)
chosen("sy11", "build", "-Wl,-z,lazy")
chosen("sy12", "build", now, later=True)
# SY-13: the needed file's name differs from the SONAME, and it has no such version node.
chosen("sy12", "build-node", now, later=True)
# SY-14: the process aborts; SY-17: a version table without definitions is accepted.
chosen("sy14", "build", now, later=True)
tree.write("empty.map", "{ global: wanted; other; local: *; };\n")
tree.write("needs-c.c", "int puts(const char *);\nint wanted(void) { return puts(\"\"); }\n")
(work / "sy17").mkdir()
tree.gcc("-shared", "-fPIC", "needs-c.c", f"-Wl,-soname,{P}", "-o", f"sy17/{P}")
chosen("sy17", "build", now)
# SY-15: the NEEDED entry was removed, verneed was not.
file = user("sy15", "build", now)
tree.gcc("-shared", "-nostdlib", "-x", "c", "/dev/null", "-o", f"sy15/{P}")
equal(tree.run("patchelf", "--remove-needed", P, file).status, 0)
answer = tree.same(file, what="SY-15", later=True)
equal(answer.mapped[-1], str(file), "SY-15")
# SY-16: the name was replaced in both.
file = user("sy16", "build", now)
provider("sy16", "p.c", P)
(work / "sy16" / P).rename(work / "sy16/librenamed.so.13")
equal(tree.run("patchelf", "--replace-needed", P, "librenamed.so.13", file).status, 0)
answer = tree.same(file, what="SY-16")
equal(answer.mapped[-1].rpartition("/")[2], "librenamed.so.13", "SY-16")
tree.clean()
