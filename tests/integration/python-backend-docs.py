# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""What docs/python.md says of the build backend, and docs/python-backend.md, as they stand: with the toolkit 13.0, for
users of torch 2.11."""
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


def follow(folder, section):
    for command in section.commands:
        sandbox.judged(sandbox.built("sh", "-euc", command, cwd=folder, out=folder / "dist", **variables))


page = follows("python", "Python")["Python"]
follow(project("setuptools", page.files["pyproject.toml"]), page)

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
