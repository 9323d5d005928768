# RUN: PYTHONPATH=%S %python -B %s
"""nvcc's argv[0] is absolute, exists, ends in nvcc and lies beside nvcc.profile (R4, N1)."""
import os

from recording import Place, equal

place = Place()
link = place.root / "links"
link.mkdir()
(link / "nvcc").symlink_to(place.nvcc)

def check(argv0, what):
    assert os.path.isabs(argv0) and os.path.exists(argv0), (what, argv0)
    equal(os.path.basename(argv0), "nvcc", what)
    assert os.path.exists(os.path.join(os.path.dirname(argv0), "nvcc.profile")), (what, argv0)

path = place.environment()["PATH"]
for words in (("--version",), ("-c", "k.cu"), ("nvcc", "-c", "k.cu"), ("-v", "x"),
              (place.nvcc, "-c", "k.cu"), ("k.o", "-o", "x")):
    check(place.call(*words).last.argv[0], f"{words}")
    check(place.call(*words, PATH=f"{link}:{path}").last.argv[0], f"{words} through a link")
here = os.path.relpath(place.toolkit / "bin", place.work)
check(place.call("-c", "k.cu", PATH=f"{here}:{path}").only.argv[0], "relative PATH element")
check(place.call(f"{here}/nvcc", "-c", "k.cu").only.argv[0], "relative path")
