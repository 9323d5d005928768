# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""docs/matrix.md as written, on the real toolkits of its example."""
import json

from documented import follows, shows
from matrix_projects import CMAKE, NVCC_OF, Matrix

matrix = Matrix(CMAKE)
page = follows("matrix")
first = page["Several runtimes"]
toolkits = first.files["cuda-cc.toml"]
assert 'toolkits = ["12.4", "13.0", "13.2"]' in toolkits, toolkits
first.files["cuda-cc.toml"] = toolkits.replace(
    '["12.4", "13.0", "13.2"]', json.dumps([str(NVCC_OF[version]) for version in ("12.4", "13.0", "13.2")]))
said = ""
for section in page.values():
    done = section.follow(matrix.sandbox, CUDAFLAGS="-cudart shared")
    said += done.out
shows("matrix", said)
document = json.loads((matrix.sandbox.work / "matrix.json").read_text())
assert document["verdict"] == "accept", document
assert "Runtimes and the builds that load there" in (matrix.sandbox.work / "matrix.html").read_text()
assert (matrix.sandbox.work / "build-matrix").is_dir()
