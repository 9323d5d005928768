# RUN: PYTHONPATH=%S:%support %python -B %s
"""`toolkit = "env"`: the nvcc that lies in the environment, by wheels or by conda, and no other
(CC2003)."""
import shutil

import recorder
from recording import Place, equal

place = Place("12.5")
place.write("k.cu")
venv = place.work / "venv"
site = venv / "lib/python3.11/site-packages"
site.mkdir(parents=True)
(venv / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
place.write("cuda-cc.toml", 'toolkit = "env"\n')
active = {"VIRTUAL_ENV": venv, "CUDA_CC_RUNTIME": "cuda==13.0"}

missing = place.call("-c", "k.cu", **active)
equal((missing.status, missing.started), (4, []), missing)
for word in ("[CC2003]", str(venv), "cuda-cc.toml:1", "nvidia-cuda-nvcc"):
    assert word in missing.err, (word, missing.err)
inactive = place.call("-c", "k.cu", CUDA_CC_RUNTIME="cuda==13.0")
equal((inactive.status, inactive.started), (2, []), inactive)

recorder.toolkit(site / "nvidia/cu13", "13.0")
nvcc = site / "nvidia/cu13/bin/nvcc"
equal(place.call("-c", "k.cu", **active).only.program, str(nvcc))
refused = place.call("-c", "k.cu", VIRTUAL_ENV=venv, CUDA_CC_RUNTIME="cuda==12.5")
equal((refused.status, refused.started), (3, []), "the one on PATH would do, and is not meant")
assert "toolkit in cuda-cc.toml:1" in refused.err, refused.err
equal(place.call("-c", "k.cu", "--cudacc-toolkit=auto", VIRTUAL_ENV=venv,
                 CUDA_CC_RUNTIME="cuda==12.5").only.program, str(place.nvcc))

# conda's prefix.
conda = place.work / "conda"
recorder.toolkit(conda, "12.4")
(conda / "conda-meta").mkdir()
(conda / "lib").mkdir()
equal(place.call("-c", "k.cu", CONDA_PREFIX=conda, CUDA_CC_RUNTIME="cuda==12.4").only.program,
      str(conda / "bin/nvcc"))
shutil.rmtree(conda / "bin")
bare = place.call("-c", "k.cu", CONDA_PREFIX=conda, CUDA_CC_RUNTIME="cuda==12.4")
equal(bare.status, 4, bare)
assert f"conda install -p {conda} cuda-nvcc" in " ".join(bare.err.split()), bare.err
