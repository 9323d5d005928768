# RUN: PYTHONPATH=%S %python -B %s
"""Against tables and locks, too, what fails in a dependency fails its dependents, and a name counts
where another file of the package defines it."""
from binaries import CUDART, JITLINK, Binaries, equal

place = Binaries()
work = place.work

# A library of the wheel that imports what the runtime lacks, and a module that NEEDs it alone.
place.extension("pkg/libmid.so", {JITLINK: ["__nvJitLinkCreate_12_6"]},
                ("$ORIGIN/../nvidia/nvjitlink/lib",), "-Wl,-soname,libmid.so")
(work / "empty.c").write_text("")
place.gcc("-shared", "-fPIC", "empty.c", "-o", "pkg/top.abi3.so", "-Wl,--no-as-needed",
          "pkg/libmid.so", "-Wl,--disable-new-dtags,-rpath,$ORIGIN", "-Wl,--allow-shlib-undefined")
place.wheel("pkg-1.0-py3-none-any.whl", {f"pkg/{name}": work / "pkg" / name
                                         for name in ("libmid.so", "top.abi3.so")})


def verdicts(*words):
    done = place.check(*words, "--format=json")
    return done, {file["path"].rsplit("/")[-1]: file for file in done.json["files"]}


def errors(file):
    return [each for each in file["findings"] if each["severity"] == "error"]


for runtime, verdict, status in (("torch==2.5.1", "reject", 3), ("torch==2.7.1", "accept", 0)):
    for word in ("pkg-1.0-py3-none-any.whl", "pkg"):
        done, files = verdicts(word, "--runtime", runtime)
        equal((done.status, {name: file["verdict"] for name, file in files.items()}),
              (status, dict.fromkeys(("libmid.so", "top.abi3.so"), verdict)), done)
done, files = verdicts("pkg-1.0-py3-none-any.whl", "--runtime", "torch==2.5.1")
(error,) = errors(files["top.abi3.so"])
equal((error["code"], error["symbol"]), ("CC4002", "__nvJitLinkCreate_12_6"), done)
assert {"label": "needed by", "text": "pkg-1.0-py3-none-any.whl!pkg/libmid.so"} in error["facts"], error

# A name in the fashion of CUDA's that another library of the wheel defines.
(work / "own.c").write_text("void cudaOwnHelper(void) {}\n")
(work / "user.c").write_text("void cudaOwnHelper(void); void cudaGetDevice(void);\n"
                             "void use(void) { cudaOwnHelper(); cudaGetDevice(); }\n")
place.gcc("-shared", "-fPIC", "own.c", "-o", "libown.so", "-Wl,-soname,libown.so")
cudart = place.library("link/" + CUDART, CUDART, ["cudaGetDevice"])
place.gcc("-shared", "-fPIC", "user.c", "-o", "user.abi3.so", "libown.so", cudart,
          "-Wl,--disable-new-dtags,-rpath,$ORIGIN:$ORIGIN/../nvidia/cuda_runtime/lib")
both = {"own/libown.so": work / "libown.so", "own/user.abi3.so": work / "user.abi3.so"}
place.wheel("own-1.0-py3-none-any.whl", both)
done, files = verdicts("own-1.0-py3-none-any.whl", "--runtime", "cuda==12.4")
equal((done.status, files["user.abi3.so"]["verdict"]), (0, "accept"), done)
(work / "own.c").write_text("void somethingElse(void) {}\n")
place.gcc("-shared", "-fPIC", "own.c", "-o", "libown.so", "-Wl,-soname,libown.so")
place.wheel("own-1.0-py3-none-any.whl", both)
done, files = verdicts("own-1.0-py3-none-any.whl", "--runtime", "cuda==12.4")
equal((done.status, files["user.abi3.so"]["verdict"]), (3, "reject"), done)

# A lock pins an nvJitLink that is too old for its cuSPARSE: whoever NEEDs that cannot be loaded.
place.extension("sparse.so", {"libcusparse.so.12": ["cusparseCreate"]},
                ("$ORIGIN/../nvidia/cusparse/lib",))
for pinned, status in (("12.4.127", 0), ("12.1.105", 3)):
    (work / "requirements.txt").write_text(
        f"nvidia-cusparse-cu12==12.3.1.170\nnvidia-nvjitlink-cu12=={pinned}\n"
        "nvidia-cuda-runtime-cu12==12.4.127\n")
    done, files = verdicts("sparse.so", "--runtime", "lock:requirements.txt")
    equal(done.status, status, done)
    assert status == 0 or errors(files["sparse.so"])[0]["code"] == "CC4002", done
    # A file that does not lead to it loads.
    place.extension("other.so", {CUDART: ["cudaMalloc"]})
    done, files = verdicts("other.so", "--runtime", "lock:requirements.txt")
    equal(done.status, 0, done)
