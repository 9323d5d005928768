# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""What docs/python.md says of the build backend, and docs/python-backend.md, as they stand: with the toolkit 13.0, for
users of torch 2.11."""
import shutil

from backends import BACKENDS, Builds
from documented import follows

sandbox = Builds("setuptools", "scikit-build-core").use("13.0")
sandbox.write("bin/pip", "#!/bin/sh\nexec {} \"$@\"\n".format(" ".join(map(str, sandbox.pip_command)))).chmod(0o755)
variables = {"PATH": f"{sandbox.work}/bin:{sandbox.path}"}


def project(name, text):
    """The project in which the page is followed, with this pyproject.toml."""
    folder = sandbox.project(name)
    (folder / "pyproject.toml").write_text(text)
    return folder


def follow(folder, section, **more):
    for command in section.commands:
        sandbox.judged(sandbox.built("sh", "-euc", command, cwd=folder, out=folder / "dist", **variables, **more))


guide = follows("python", "Python", "Before cuda-cc is on PyPI")
page = guide["Python"]
follow(project("setuptools", page.files["pyproject.toml"]), page)

# An index that has everything but cuda-cc, whose wheel is in a folder.
own = sandbox.work / "cuda-cc/dist"
own.mkdir(parents=True)
[packed] = sandbox.index.glob("cuda_cc-*.whl")
shutil.copy(packed, own)
for path in sandbox.index.iterdir():
    if path != packed:
        name = path.name.split("-")[0].replace("_", "-")
        sandbox.write(f"simple/{name}/index.html", f'<a href="{path.as_uri()}">{path.name}</a>\n')
page = guide["Before cuda-cc is on PyPI"]
alone = {"PIP_NO_INDEX": None, "PIP_FIND_LINKS": None, "PIP_INDEX_URL": f"file://{sandbox.work}/simple"}
folder = project("setuptools", guide["Python"].files["pyproject.toml"])
done = sandbox.build("sh", "-euc", guide["Python"].commands[0], cwd=folder, **variables, **alone)
assert done.status and "No matching distribution found for cuda-cc" in done.out + done.err, done
follow(folder, page, **alone)
_, _, tables = guide["Python"].files["pyproject.toml"].partition("\n\n")
text = page.files["pyproject.toml"].replace("https://example.org/WHEEL.whl", (own / packed.name).as_uri())
folder = project("setuptools", text + 'build-backend = "cuda_cc.build"\n' + tables)
follow(folder, guide["Python"], **alone)

page = follows("python-backend")
text = page["The build backend"].files["pyproject.toml"]
assert BACKENDS["scikit-build-core"].module in text, text
folder = project("scikit-build-core", text)
sandbox.commit(folder)
follow(folder, page["The build backend"])

other = page["Another runtime for one build"]
folder = project("scikit-build-core", text + other.files["pyproject.toml"])
follow(folder, other)

done = sandbox.build("sh", "-euc", page["Editable builds"].commands[0], cwd=folder, **variables)
assert done.status == 0, done
sandbox.imported()
