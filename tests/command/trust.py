# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""F12: declarations that others can write, as far as one user can test it: modes, symbolic links, shared directories,
restrictions; `cuda-cc trust` and CUDA_CC_TRUST."""
import json

import schema
from recording import PROGRAM, Place, equal, untouched

place = Place("12.4")
place.write("x.cpp")
home = place.root / "home"
home.mkdir()
config = place.work / "cuda-cc.toml"
LAUNCHER = 'launcher = "ccache"\n'


def call(*words, **environment):
    return place.call(*words, **{"HOME": home, **environment})


def refused(*facts, fixes=(), **environment):
    """No program was started; the diagnostic contains these texts."""
    ended = call("g++", "-c", "x.cpp", **environment)
    equal((ended.status, ended.out, ended.started), (2, "", []), ended)
    lines = ended.err.splitlines()
    equal(lines[0], "cuda-cc: error: a declaration from a file that others can write [CC1012]")
    assert len(lines[0]) <= 77, lines[0]
    said = " ".join(ended.err.split())
    for fact in facts:
        assert fact in said, (fact, ended.err)
    equal([fix.removesuffix(", or") for fix in said.split(" fix: ")[1:]],
          [*fixes, f"cuda-cc trust {place.work}", f"export CUDA_CC_TRUST={place.work}"], ended.err)


def obeyed(**environment):
    ended = call("g++", "-c", "x.cpp", **environment)
    equal((ended.status, ended.err, ended.only.name), (0, "", "ccache"), ended)


config.write_text(LAUNCHER)
obeyed()
config.chmod(0o666)
refused(f"file: {config}", "owner:", "because: everybody can write to it (mode 0666)",
        "refused: launcher = ccache in cuda-cc.toml:1:12", fixes=[f"chmod go-w {config}"])
obeyed(CUDA_CC_TRUST=f"/nowhere:{place.work}")
obeyed(CUDA_CC_TRUST=place.root)
config.chmod(0o644)
place.work.chmod(0o777)
refused("because: everybody can write to its directory (mode 0777)",
        fixes=[f"chmod go-w {place.work}"])
# Declarations that only restrict are obeyed: they reject builds.
config.write_text("require = true\n")
ended = call("g++", "-c", "x.cpp")
equal((ended.status, ended.started), (2, []))
assert "[CC1006]" in ended.err, ended
config.write_text('runtime = "cuda==12.1"\nstrict = true\nenforce = "toolkit"\n')
ended = call("-c", "x.cu")
equal((ended.status, ended.started), (3, []))
assert "[CC3001]" in ended.err, ended
config.write_text('runtime = "cuda==12.1"\nenforce = "warn"\n')
refused("refused: enforce = warn", fixes=[f"chmod go-w {place.work}"])
place.work.chmod(0o755)

# A symbolic link is treated like its target.
config.unlink()
elsewhere = place.root / "elsewhere"
elsewhere.mkdir()
(elsewhere / "x.toml").write_text(LAUNCHER)
config.symlink_to(elsewhere / "x.toml")
obeyed()
elsewhere.chmod(0o777)
ended = call("g++", "-c", "x.cpp", CUDA_CC_TRUST=place.work)
equal((ended.status, ended.started), (2, []), ended)
for text in (f"link to: {elsewhere}/x.toml", f"fix: cuda-cc trust {elsewhere}"):
    assert text in " ".join(ended.err.split()), ended.err
obeyed(CUDA_CC_TRUST=elsewhere)
config.unlink()

# pyproject.toml is a declaration too; one without our table is ignored.
project = place.work / "pyproject.toml"
project.write_text("[tool.cuda-cc]\n" + LAUNCHER)
project.chmod(0o666)
refused(f"file: {project}", fixes=[f"chmod go-w {project}"])
project.write_text("[project]\nname = 'x'\n")
equal(call("g++", "-c", "x.cpp").only.name, "g++")
project.unlink()

# Queries are answered, but by no program that the declaration names.
evil = place.root / "evil"
evil.mkdir()
place.write("cuda-cc.toml", f'toolkit = "{evil}"\nhost-compiler = "{evil}/g++"\nlauncher = "{evil}/l"\n')
for name in ("g++", "l", "bin/nvcc"):
    path = evil / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch {place.root}/ran\n")
    path.chmod(0o755)
config.chmod(0o666)
for words in (["--version"], ["--help"], ["g++", "--version"], ["g++", "-v"], ["--cudacc-help"],
              ["help"], ["version"]):
    ended = call(*words)
    equal(ended.status, 0, ended)
    assert "CC1012" not in ended.err, ended
for words in (["-c", "x.cu"], ["x.cu"], ["g++", "x.cpp"], ["target"], ["config", "--libs", "cusparse"],
              ["toolchain", "td"], ["check", "--runtime", "cuda==12.4", PROGRAM]):
    ended = call(*words)
    equal((ended.status, ended.started), (2, []), ended)
    assert "[CC1012]" in ended.err, ended
assert not (place.root / "ran").exists()
# As long as no runtime is required, CUDA_CC_DISABLE works with a broken declaration.
untouched(call("g++", "-c", "x.cpp", CUDA_CC_DISABLE=1), ["-c", "x.cpp"])
config.write_text(LAUNCHER + "require = true\n")
refused("because", fixes=[f"chmod go-w {config}"], CUDA_CC_DISABLE=1)
config.chmod(0o644)

# A shared directory is skipped, and the search continues above it.
(place.root / "cuda-cc.toml").write_text('runtime = "cuda==12.4"\n')
place.work.chmod(0o1777)
log = place.root / "log"
equal(call("g++", "-c", "x.cpp", CUDA_CC_LOG=log).only.name, "g++")
equal(json.loads(log.read_text())["passedBy"], [str(config)])
ended = call("target")
equal(ended.status, 0, ended)
assert "cuda==12.4" in ended.out and "warning: a declaration in a shared directory" in ended.err
assert f"file: {config}" in " ".join(ended.err.split()), ended
shown = schema.fit(json.loads(call("target", "--format=json").out), "target")
(said,) = [each for each in shown["problems"] if each["code"] == "CC1012"]
equal(said["severity"], "warning")
for words in ([], ["--format=json"]):
    ended = call("doctor", *words)
    equal(ended.status, 0, ended)
    assert "CC1012" in ended.out and str(config) in ended.out, ended
(place.root / "cuda-cc.toml").unlink()
ended = call("target")
equal(ended.status, 2)
assert f"passed by: {config}" in " ".join(ended.err.split()), ended
ended = call("g++", "-c", "x.cpp", CUDA_CC_REQUIRE_RUNTIME=1)
equal(ended.status, 2)
assert f"passed by: {config}" in " ".join(ended.err.split()), ended
place.work.chmod(0o755)
log.unlink()
equal(call("g++", "-c", "x.cpp", CUDA_CC_LOG=log, CUDA_CC_RUNTIME="cuda==12.4").status, 0)
assert "passedBy" not in json.loads(log.read_text())
config.write_text(LAUNCHER)
place.work.chmod(0o1777)
equal(call("g++", "-c", "x.cpp").only.name, "g++")
obeyed(CUDA_CC_TRUST=config)
place.work.chmod(0o777)


# cuda-cc trust
def trust(*words, status=0, **environment):
    ended = call("trust", *words, **environment)
    equal(ended.status, status, ended)
    equal(ended.started, [])
    return ended.out if status == 0 else ended.err


kept = home / ".config/cuda-cc/trust"
equal(trust("--list"), "")
assert not kept.exists()
refused(fixes=[f"chmod go-w {place.work}"])
equal(trust("."), f"trusted: {place.work}\n  kept in {kept}\n")
equal((kept.read_text(), kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777),
      (f"{place.work}\n", 0o600, 0o700))
obeyed()
refused(fixes=[f"chmod go-w {place.work}"], XDG_CONFIG_HOME=place.root / "other")
equal(trust(place.work), f"already trusted: {place.work}\n  kept in {kept}\n")
# By its real path, not by the link that named it, and several at once.
(place.root / "short").symlink_to(elsewhere)
kept.write_text("# mine\n" + kept.read_text())
trust(place.root / "short", evil)
equal(kept.read_text(), f"# mine\n{place.work}\n{elsewhere}\n{evil}\n")
equal(trust("--list"), f"{place.work}\n{elsewhere}\n{evil}\n")
equal(trust("--list", CUDA_CC_TRUST=f"{home}:x"),
      f"{place.work}\n{elsewhere}\n{evil}\n{home}  (CUDA_CC_TRUST)\n")
for words, states in ((["--list"], ["trusted", "trusted", "trusted", "CUDA_CC_TRUST"]),
                      ([home], ["trusted"]), ([home], ["already trusted"]),
                      (["--remove", home], ["removed"])):
    value = schema.fit(json.loads(trust("--format=json", *words, CUDA_CC_TRUST=home)), "trust")
    equal([row["state"] for row in value["paths"]], states)
    equal(value["list"], str(kept))
equal(trust("--remove", place.root / "short"), f"removed: {elsewhere}\n  kept in {kept}\n")
obeyed()
# A removed folder can be taken off the list.
gone = place.root / "gone"
gone.mkdir()
trust(gone)
gone.rmdir()
trust("--remove", gone, place.work)
equal(kept.read_text(), f"# mine\n{evil}\n")
refused(fixes=[f"chmod go-w {place.work}"])
before = kept.read_text()
for words in ([], [""], ["--remove"], ["--remove", "."], ["nowhere"], ["--list", "."],
              ["--list", "--remove"], [".", "nowhere"], ["--runtime", "x"]):
    assert "[CC1001]" in trust(*words, status=2), words
equal(kept.read_text(), before)
# The target of a symbolic link is changed, the link stays; the target's mode is kept.
(home / "dotfiles").mkdir()
kept.rename(home / "dotfiles/trust")
(home / "dotfiles/trust").chmod(0o640)
kept.symlink_to("../../dotfiles/trust")
trust(".")
assert kept.is_symlink()
equal((home / "dotfiles/trust").stat().st_mode & 0o777, 0o640)
obeyed()
# A list that others can write is ignored and not written.
for path, mode in ((home / "dotfiles/trust", 0o666), (kept.parent, 0o777),
                   (home / "dotfiles", 0o777)):
    old = path.stat().st_mode & 0o777
    path.chmod(mode)
    refused(f"trust list: {kept} does not count", fixes=[f"chmod go-w {place.work}"])
    for words in ([elsewhere], ["--list"], ["--remove", "."]):
        assert "is ignored" in trust(*words, status=2), words
    path.chmod(old)
obeyed()
assert "[CC2015]" in trust(".", status=4, HOME=None)
assert "[CC2015]" in trust(".", status=4, HOME="relative")
assert "[CC2015]" in trust(".", status=4, HOME=place.root / "nonexistent")
assert not (place.root / "nonexistent").exists()
obeyed(XDG_CONFIG_HOME="relative")

# init writes a declaration that will be obeyed.
kept.unlink()
config.unlink()
project.unlink(missing_ok=True)
ended = call("init", "--runtime", "torch==2.5.1")
equal(ended.status, 0, ended)
equal(config.read_text(), 'runtime = "torch==2.5.1"\n')
config.unlink()
(place.work / "requirements.txt").write_text("torch==2.5.1\n")
ended = call("init", "--runtime", "lock:requirements.txt")
equal((ended.status, config.exists()), (2, False), ended)
assert "[CC1012]" in ended.err, ended
equal(call("init", "--runtime", "lock:requirements.txt", CUDA_CC_TRUST=place.work).status, 0)
config.unlink()
place.work.chmod(0o1777)
ended = call("init", "--runtime", "torch==2.5.1")
equal((ended.status, config.exists()), (2, False), ended)
assert "would be ignored" in ended.err, ended
