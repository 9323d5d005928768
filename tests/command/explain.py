# RUN: PYTHONPATH=%S %python -B %s
"""explain: a text, stdin, a log; what the numbers mean; a runtime; JSON; 0 explained, 2 usage, 4 unknown."""
import json
import subprocess

from binaries import PROGRAM, Binaries, equal, run, schema

work = Binaries().work
MISSING = "ImportError: /x/ext.so: undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12"


def explain(*words, **environment):
    return run(PROGRAM, "explain", *words, cwd=work, **environment)


def fed(text, *words):
    done = subprocess.run([PROGRAM, "explain", *words], cwd=work, input=text, capture_output=True)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def document(*words, status=0):
    done = explain(*words, "--format=json")
    equal(done.returncode, status, done)
    return schema.fit(json.loads(done.stdout), "explain")


# A text, in one word or many; the verdict in the first line, nothing beyond 100 columns.
told = explain(MISSING)
equal((told.returncode, told.stderr), (0, ""), told)
lines = told.stdout.splitlines()
equal(lines[0], "libnvJitLink.so.12 is too old: __nvJitLinkCreate_12_5 came with CUDA 12.5")
assert all(len(line) <= 100 for line in lines), told.stdout
assert "nvidia-nvjitlink-cu12>=12.5,<13" in told.stdout and "torch>=2.7.0" in told.stdout, told
assert "\033" not in told.stdout
equal(explain(*MISSING.split()).stdout, told.stdout)
# A text that begins with a dash, or holds an option of somebody else.
equal(explain("-lcudart:", "cannot find -lcudart").returncode, 0)
equal(explain("nvcc fatal   : Unknown option '--foo'").returncode, 0)
equal(explain("--", "cannot find -lcudart").returncode, 0)

# The declared runtime decides: an option, or what the folder declares.
lacks = explain("--runtime", "torch==2.5.1", MISSING)
assert "fix:     raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)" in lacks.stdout, lacks
has = explain(MISSING, "--runtime=torch==2.7.0")
assert "raise the runtime" not in has.stdout and "unset LD_LIBRARY_PATH" in has.stdout, has
(work / "cuda-cc.toml").write_text('runtime = "torch==2.5.1"\n')
equal(explain(MISSING).stdout.replace("in cuda-cc.toml:1", "from --runtime"), lacks.stdout)
# One that cannot be read is said, and the message explained all the same; not so where it is named.
(work / "cuda-cc.toml").write_text("runtime = [\n")
broken = explain(MISSING)
equal((broken.returncode, broken.stdout), (0, told.stdout), broken)
assert broken.stderr.startswith("cuda-cc: warning: "), broken
(work / "cuda-cc.toml").unlink()
equal(explain(MISSING, "--runtime", "nonsense").returncode, 2)

# stdin and files: a pytest log with colours, CRLF, NULs.
LOG = ("collected 1 item\r\n\r\n\033[31mE   ImportError: libcudart.so.13: cannot open shared object "
       "file: No such file or directory\033[0m\r\n\0\n"
       "E   RuntimeError: \n"
       "E   The detected CUDA version (12.5) mismatches the version that was used to compile\n"
       "E   PyTorch (11.8). Please make sure to use the same CUDA versions.\n"
       "ImportError: libcudart.so.13: cannot open shared object file: No such file or directory\n")
(work / "pytest.log").write_bytes(LOG.encode())
value = document("pytest.log")
equal([(row["id"], row["line"], row["count"]) for row in value["messages"]],
      [("missing-library", 3, 2), ("torch-cuda-mismatch", 6, 1)], value)
equal(value["messages"][1]["values"], {"toolkit": "12.5", "torch": "11.8"})
status, out, err = fed(LOG.encode(), "-")
equal((status, err), (0, ""), err)
equal(out, explain("pytest.log").stdout)
assert "text:    line 3, 2 times: libcudart.so.13: cannot open shared object file" in out, out
equal(fed(LOG.encode("utf-16"), "-")[0], 0)

# JSON has all, also of a code and of nothing.
value = document(MISSING, "--runtime", "torch==2.5.1")
equal((value["runtime"], value["messages"][0]["family"]), ("torch==2.5.1 from --runtime",
                                                           "nvjitlink_minor"))
equal(document("CC3001")["code"], "CC3001")
value = document("hello world", status=4)
equal(value["messages"], [])
assert all(text.startswith("cuda-cc ") for text in value["next"]), value

# What is not known says so, and what to run next.
for text in ("ModuleNotFoundError: No module named 'foo'", "undefined symbol: PyLong_AsLong", ""):
    unknown = explain(text)
    equal((unknown.returncode, unknown.stderr), (4, ""), unknown)
    assert unknown.stdout.startswith("nothing in this text is a message that cuda-cc knows\n"), unknown
# In a log a name by itself is not a message.
(work / "names.log").write_text("calls cudaGetDriverEntryPointByVersion\n")
equal(explain("names.log").returncode, 4)
equal(explain("cudaGetDriverEntryPointByVersion").returncode, 0)

# Pages of codes stay; what was meant as a code is none.
assert explain("CC3001").stdout.startswith("# CC3001"), explain("CC3001")
for words in ([], ["CC301"], ["E_TARGET_NEWERR"], [MISSING, "--format=xml"], [MISSING, "--runtime"]):
    refused = explain(*words)
    equal((refused.returncode, refused.stdout), (2, ""), words)
    assert refused.stderr.startswith("cuda-cc: error: "), refused
equal(explain(str(work)).returncode, 4)

# Hostile: ten megabytes on one line, brackets without end, matches without end.
for text in (b"(" * (10 << 20), b"undefined symbol: " * (10 << 16), b"\xe2\x94" * (1 << 20),
             b"\033[" * (1 << 20), b"version `GLIBC_" * (1 << 16)):
    status, out, err = fed(text, "-")
    equal((status, err), (4, ""), err)
