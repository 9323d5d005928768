# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%S/../command %python -B %s
"""docs/ci.md and docs/install.md: commands succeed as they stand; what the pages name is in the templates, on disk or
in an installation, and the other way round."""
import os
import re

from binaries import CUDART, Binaries
from documented import ROOT, follows, instead
from packing import VERSION
from sandbox import PROGRAM, Sandbox, equal

sandbox = Sandbox()
binaries = Binaries()
library = binaries.extension("good.so", {CUDART: ["cudaMalloc"]})
good = sandbox.run("python3", "-c", f"""
import zipfile
with zipfile.ZipFile("good-1.0-py3-none-any.whl", "w") as wheel:
    wheel.write("{library}", "good/_C.so")
    wheel.writestr("good-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: good\\nVersion: 1.0\\n")
    wheel.writestr("good-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("good-1.0.dist-info/RECORD", "")
""")
assert good.status == 0, good
(sandbox.work / "dist").mkdir()
(sandbox.work / "good-1.0-py3-none-any.whl").rename(sandbox.work / "dist/good-1.0-py3-none-any.whl")


def first_column(page, title):
    """The names in the first column of a section's table."""
    text = (ROOT / f"docs/{page}.md").read_text()
    section = text[text.index(f"\n## {title}\n"):].split("\n## ", 2)[1]
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in re.findall(r"^\| .*", section, re.M)[2:]]


page = follows("ci")
page["Checking in CI"].follow(sandbox)
sandbox.write("build.log", "libnvJitLink.so.13: cannot open shared object file: No such file or directory\n")
page["What else is worth a step"].follow(sandbox)
assert (sandbox.work / "cuda-cc.html").stat().st_size and (sandbox.work / "cuda-cc.sarif").stat().st_size

action = (ROOT / "packaging/ci/github/action.yml").read_text()
inputs = re.findall(r"^  ([a-z]+):\n    description", action[:action.index("outputs:")], re.M)
equal([each for [each] in first_column("ci", "GitHub")], inputs)
for [name] in first_column("ci", "GitHub"):
    default = re.search(rf"^  {name}:\n(?:    .*\n)*?    default: \"?([^\"\n]*)", action, re.M)[1]
    row = re.search(rf"^\| `{name}` \| (.*?) \|", (ROOT / "docs/ci.md").read_text(), re.M)[1]
    assert not default or row == f"`{default}`", (name, default, row)
workflow = page["GitHub"].files[".github/workflows/wheels.yml"]
given = re.findall(r"^ +(\w+): ", workflow[workflow.index("with:"):], re.M)
assert given and set(given) <= set(inputs), given

gitlab = (ROOT / "packaging/ci/gitlab.yml").read_text()
equal([each for [each] in first_column("ci", "GitLab")][1:], re.findall(r"^    (CHECK_[A-Z]+): ", gitlab, re.M))
pipeline = page["GitLab"].files[".gitlab-ci.yml"]
assert f"\n{re.search('extends: (.*)', pipeline)[1]}:\n" in gitlab and "file: packaging/ci/gitlab.yml" in pipeline

hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
ids = re.findall(r"^- id: (.*)", hooks, re.M)
equal([each for [each] in first_column("ci", "pre-commit")], ids)
assert set(re.findall(r"- id: (.*)", page["pre-commit"].files[".pre-commit-config.yaml"])) <= set(ids)
for name, entry in zip(ids, re.findall(r"^  entry: (.*)", hooks, re.M)):
    assert f"| `{name}` | `{entry}`" in (ROOT / "docs/ci.md").read_text(), entry

install = follows("install", "From the sources", "Manual pages")
words = " ".join(line for section in install.values() for line in (*section.commands, *section.exempt)).split()
assert all((ROOT / word).exists() for word in words if word.startswith("packaging/")), words
assert {f"./dist/cuda-cc_{VERSION}-1_amd64.deb", f"./dist/cuda-cc-{VERSION}-1.x86_64.rpm"} < set(words), words
assert f'version: "{VERSION}"' in (ROOT / "packaging/conda/recipe.yaml").read_text()
for text in ((ROOT / "docs/ci.md").read_text(), (ROOT / "packaging/ci/github/example.yml").read_text()):
    tags = re.findall(r"packaging/ci/github@v(\S+)|(?:ref|rev): v(\S+)", text)
    equal({one or other for one, other in tags}, {VERSION}, "the tag")
build, put, configure, native = install["From the sources"].commands
assert f'"name": "{build.split()[-1]}"' in (ROOT / "CMakePresets.json").read_text()
done = sandbox.run("sh", "-euxc", put.replace("build-release", os.environ["CUDACC_TEST_BUILD"]))
assert done.status == 0 and configure.split()[4] == native.split()[-1], done
# The program under test is built as by the first, that with sanitizers as by the last two, in other folders.
for command in install["From the sources"].commands:
    instead(command)
prefix = sandbox.home / ".local"
for names in first_column("install", "What is where"):
    for name in names:
        assert (prefix / name).exists(), name
equal(sandbox.run(prefix / "bin/cuda-cc", "version").out, sandbox.run(PROGRAM, "version").out)
for command in install["Manual pages"].commands:
    done = sandbox.run("sh", "-euc", command, PATH=f"{prefix}/bin:{sandbox.path}", MANPAGER="cat", LC_ALL="C.UTF-8")
    assert done.status in (0, 127) and ("NAME" in done.out or "not found" in done.err), done
sandbox.run("rm", "-rf", prefix)
