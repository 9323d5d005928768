# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%S/../integration:%support %python -B %s
"""`cuda-cc completion SHELL`: Tab in bash, zsh and fish completes subcommands, options, values, files and what a
compiler's own completion knows."""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import terminal
from binaries import PROGRAM, equal, run
from documented import follows, instead

place = Path(tempfile.mkdtemp())
(place / "bin").mkdir()
shutil.copy(PROGRAM, place / "bin/cuda-cc")
for name in ("dist/a.whl", "dist/b.so", "my dir/c.so", "build/notes.txt"):
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).touch()
environment = {"PATH": f"{place}/bin:/usr/bin:/bin", "HOME": os.environ["HOME"], "TERM": "dumb", "LC_ALL": "C.UTF-8",
               "PS1": "$ "}
scripts = {}
for shell, name in (("bash", "cuda-cc.bash"), ("zsh", "_cuda-cc"), ("fish", "cuda-cc.fish")):
    if not shutil.which(shell):
        raise SystemExit(f"no {shell}: ./dev setup installs it")
    printed = run(PROGRAM, "completion", shell)
    equal((printed.returncode, printed.stderr), (0, ""), shell)
    equal(run(PROGRAM, "completion", shell).stdout, printed.stdout, shell)
    scripts[shell] = place / name
    scripts[shell].write_text(printed.stdout)

# What is typed, and the last word after Tab.
TYPED = {
    "cuda-cc che": "check",
    "cuda-cc completion z": "zsh",
    "cuda-cc help tru": "trust",
    "cuda-cc check --against al": "all",
    "cuda-cc check --min": "--min-accepted",
    "cuda-cc check --format=sa": "--format=sarif",
    "cuda-cc check --layout con": "conda",
    "cuda-cc check --layout=syst": "--layout=system:",
    "cuda-cc check --runtime vll": "vllm==",
    "cuda-cc check --runtime torch==2.5.1": "torch==2.5.1",
    "cuda-cc check --runtime torch==1.13.": "torch==1.13.",
    "cuda-cc check --runtime=cuda==11.8": "--runtime=cuda==11.8",
    "cuda-cc check --runtime 'torch==2.5.1": "torch==2.5.1",
    "cuda-cc check --runtime env:di": "env:dist/",
    "cuda-cc doctor --en": "--env",
    "cuda-cc check dist/a": "dist/a.whl",
    "cuda-cc check build/no": "build/notes.txt",
    "cuda-cc check my\\ d": "my dir/",
    "cuda-cc toolchain bui": "build/",
    "cuda-cc explain CC3001": "CC3001",
    "cuda-cc config nvJitL": "nvJitLink",
    "cuda-cc --cudacc-enf": "--cudacc-enforce=",
    "cuda-cc g++ --cudacc-enforce=too": "--cudacc-enforce=toolkit",
    "cuda-cc --cudacc-severity=CC3001=wa": "--cudacc-severity=CC3001=warning",
    "cuda-cc trace --module x cuda-c": "cuda-cc",
}


def in_shell(words, start):
    shell = terminal.Shell(words, start, cwd=place, env=environment)
    try:
        for line, last in TYPED.items():
            equal(shell.completed(line)[-1], last, f"{words[0]}: {line}")
        # In a word, and not at its end: what follows the cursor stays.
        equal(shell.answer("cuda-cc check --layout=co --strict" + "\x1b[D" * 9 + "\t")[2], "--layout=conda", words[0])
        yield shell
    finally:
        shell.close()


offset = """_command_offset() { COMPREPLY=("offset-$1-of-${COMP_WORDS[$1]}"); }"""
for shell in in_shell(["bash", "--norc", "--noprofile", "-i"],
                      ["source cuda-cc.bash", "bind 'set enable-bracketed-paste off'"]):
    # Without bash's package of completions, files.
    equal(shell.completed("cuda-cc g++ -c build/no")[-1], "build/notes.txt")
    shell.do(offset)
    equal(shell.completed("cuda-cc g++ -c x")[-1], "offset-1-of-g++")
    equal(shell.completed("cuda-cc --cudacc-runtime=torch==2.5.1 ccache g++ x")[-1], "offset-6-of-ccache")
    equal(shell.completed("cuda-cc trace --module x -- python3 x")[-1], "offset-5-of-python3")
    # The user may have other ideas of what breaks a word.
    for breaks in (" ", " =", " :"):
        shell.do(f"COMP_WORDBREAKS='{breaks}'")
        equal(shell.completed("cuda-cc check --runtime=cuda==11.8")[-1], "--runtime=cuda==11.8", breaks)
        equal(shell.completed("cuda-cc check --layout=syst")[-1], "--layout=system:", breaks)

its_own = "_its_own() { compadd its-own-$CURRENT-of-$words[1] }; compdef _its_own g++ python3"
for shell in in_shell(["zsh", "-f", "-i"],
                      ["unsetopt prompt_cr prompt_sp auto_remove_slash", "bindkey -e", f"fpath=({place} $fpath)",
                       "autoload -Uz compinit; compinit -u -D"]):
    shell.do(its_own)
    equal(shell.completed("cuda-cc g++ -c i")[-1], "its-own-3-of-g++")
    equal(shell.completed("cuda-cc --cudacc-runtime=torch==2.5.1 g++ i")[-1], "its-own-2-of-g++")
    equal(shell.completed("cuda-cc trace --module x -- python3 i")[-1], "its-own-2-of-python3")
    # Sourced, instead of found in fpath.
    shell.do("compdef -d cuda-cc; source ./_cuda-cc")
    equal(shell.completed("cuda-cc che")[-1], "check")


def in_fish(line, before=""):
    """What fish offers, sorted as it does, without descriptions."""
    done = subprocess.run(["fish", "--no-config", "-c", f"source cuda-cc.fish; {before}; complete -C $argv[1]", line],
                          cwd=place, env=environment, text=True, capture_output=True)
    equal((done.returncode, done.stderr), (0, ""), line)
    return [offer.split("\t")[0] for offer in done.stdout.splitlines()]


for line, last in TYPED.items():
    # fish offers more than what begins so.
    offers = in_fish(line)
    if last.startswith("torch==1.13."):
        equal(offers, ["torch==1.13.0", "torch==1.13.1"])
    else:
        assert last in offers, (line, offers)
releases = in_fish("cuda-cc check --runtime torch==")
assert {"torch==1.13.1", "torch==2.5.1"} < set(releases) and len(releases) > 20, releases
described = subprocess.run(["fish", "--no-config", "-c", "source cuda-cc.fish; complete -C 'cuda-cc che'"], cwd=place,
                           env=environment, text=True, capture_output=True).stdout
equal(described, "check\tjudge binaries against runtimes\n")
its_own = "complete -c g++ -f -a its-own"
equal(in_fish("cuda-cc g++ -c i", its_own), ["its-own"])
equal(in_fish("cuda-cc --cudacc-runtime=torch==2.5.1 g++ i", its_own), ["its-own"])

# docs/install.md, one shell after another, in a home of its own.
home = place / "home"
home.mkdir()
*commands, completes = follows("install", "Completions")["Completions"].commands
own = {**environment, "HOME": str(home)}
done = subprocess.run(["bash", "-eu", "-c", "\n".join(commands)], env=own, text=True, capture_output=True)
equal((done.returncode, done.stdout, done.stderr), (0, "", ""))
for command in (*commands, completes):
    instead(command)
made = {"bash": ".local/share/bash-completion/completions/cuda-cc", "zsh": ".zfunc/_cuda-cc",
        "fish": ".config/fish/completions/cuda-cc.fish"}
for shell, path in made.items():
    equal((home / path).read_text(), scripts[shell].read_text(), shell)
for words in (["bash", "-i"], ["zsh", "-i"]):
    shell = terminal.Shell(words, [""], cwd=place, env=own)
    equal(shell.completed("cuda-cc completion z")[-1], "zsh", words[0])
    shell.close()
equal(subprocess.run(["fish", "-c", "complete -C 'cuda-cc completion z'"], env=own, text=True, capture_output=True)
      .stdout, "zsh\n")
done = subprocess.run(["bash", "-eu", "-c", completes], env=own, text=True, capture_output=True)
equal(done.stdout, "text\t\njson\t\nsarif\t\n")

# Usage.
for words in ([], ["tcsh"], ["bash", "zsh"]):
    refused = run(PROGRAM, "completion", *words)
    equal((refused.returncode, refused.stdout), (2, ""), words)
    assert "bash, zsh or fish" in refused.stderr, refused.stderr
shutil.rmtree(place)
