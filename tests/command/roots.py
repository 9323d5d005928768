# RUN: PYTHONPATH=%S %python -B %s
"""A build script finds the toolkit from nvcc on PATH and derives roots from it (T15): cuda-cc leaves
PATH as it is, and the nvcc that is started lies in the toolkit that PATH leads to."""
import os
import shutil

from recording import Place, equal

place = Place()
path = f"{place.toolkit / 'bin'}:{place.bin}"
for words in (["-c", "k.cu"], ["nvcc", "-c", "k.cu"]):
    started = place.call(*words, PATH=path).last
    equal(started.environment["PATH"], path, "PATH")
    root = os.path.dirname(os.path.dirname(shutil.which("nvcc", path=path)))
    equal(os.path.dirname(os.path.dirname(started.argv[0])), root, "root")
