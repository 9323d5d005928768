# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Which of four copies is taken, for twelve kinds of search path in three situations (LS-1, LS-2, LS-4)."""
from loading import Tree
from sandbox import equal

tree = Tree()
P = "libp.so.13"
for copy in ("right", "own", "env", "pre"):
    tree.library(f"{copy}/{P}")
for tag in ("none", "rpath", "runpath"):
    path = {tag: "$ORIGIN/../own"} if tag != "none" else {}
    tree.library(f"mid-{tag}/libmid.so", needs=[P], **path)

# ext, mid, ext NEEDs p too: clean, LD_LIBRARY_PATH, another copy loaded before.
TABLE = """
RUNPATH none    no  fail  env   pre
RUNPATH none    yes right env   pre
RPATH   none    no  right right pre
RPATH   none    yes right right pre
RUNPATH RUNPATH no  own   env   pre
RUNPATH RUNPATH yes right env   pre
RPATH   RUNPATH no  own   env   pre
RPATH   RUNPATH yes right right pre
RUNPATH RPATH   no  own   own   pre
RUNPATH RPATH   yes right env   pre
RPATH   RPATH   no  own   own   pre
RPATH   RPATH   yes right right pre
"""
for line in TABLE.split("\n"):
    if not line:
        continue
    ext_tag, mid_tag, direct, *expected = line.split()
    ext = f"{ext_tag}-{mid_tag}-{direct}/ext.so".lower()
    path = {ext_tag.lower(): f"$ORIGIN/../mid-{mid_tag.lower()}:$ORIGIN/../right"}
    # The position in NEEDED does not matter.
    orders = [["libmid.so"]] if direct == "no" else [["libmid.so", P], [P, "libmid.so"]]
    for needs in orders:
        file = tree.library(ext, needs=needs, **path)
        got = [tree.chosen(P, file, what=line),
               tree.chosen(P, file, library_path=tree.work / "env", what=line),
               tree.chosen(P, tree.work / "pre" / P, file, what=line)]
        equal([folder or "fail" for folder in got], expected, f"{line} {needs}")
        failed = tree.same(file, what=line).failure
        equal(failed, f"{P}: cannot open shared object file: No such file or directory"
              if expected[0] == "fail" else "", line)

    # The depth does not matter either: one library between ext and mid.
    tree.library(ext.replace("ext.so", "libbetween.so"), needs=["libmid.so"])
    deep = tree.library(ext, needs=["libbetween.so"] + ([P] if direct == "yes" else []),
                        **{tag: value + ":$ORIGIN" for tag, value in path.items()})
    for library_path in (None, tree.work / "env"):
        tree.chosen(P, deep, library_path=library_path, what=f"deep {line}")

assert tree.compared >= 12 * 5, tree.compared
tree.clean()
