# SPDX-License-Identifier: Apache-2.0
"""Faults and kills at system calls of the program, by strace's injection, and what has to hold after each.

Faulted is a folder of inputs that nothing changes and a folder `sandbox` that is copied anew for each call: the working
directory, HOME, TMPDIR. A Scenario is one command line there. strace follows the threads of the program and what it
starts until that becomes another program, so compilers run untouched.
"""

import atexit
import errno
import hashlib
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM = os.environ["CUDACC_TEST_PROGRAM"]
LIMIT = 20

_FILES = ("EIO", "EACCES", "EMFILE", "EINTR", "ENOSPC")
_SOUGHT = ("EIO", "EACCES")
_CHANGED = ("EIO", "EACCES", "ENOSPC")
# The errors that a call can give. Memory and processes have errors of their own.
FAULTS = {
    **dict.fromkeys(("open", "openat"), _FILES),
    **dict.fromkeys(("read", "pread64", "readv", "recvfrom"), ("EIO", "EINTR")),
    **dict.fromkeys(("getdents64", "lseek", "fstat"), ("EIO",)),
    **dict.fromkeys(("write", "pwrite64", "writev", "close", "ftruncate", "sendto"), ("EIO", "EINTR", "ENOSPC")),
    **dict.fromkeys(("stat", "lstat", "newfstatat", "statx", "access", "faccessat", "readlink", "readlinkat",
                     "getcwd", "chdir"), _SOUGHT),
    **dict.fromkeys(("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "mkdir", "mkdirat"),
                    _CHANGED),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir", "chmod", "fchmod", "fchown", "utimensat"), _SOUGHT),
    **dict.fromkeys(("mmap", "brk", "mremap", "munmap", "mprotect"), ("ENOMEM",)),
    **dict.fromkeys(("clone", "clone3", "fork", "vfork"), ("EAGAIN",)),
    "execve": ("EIO", "EACCES", "EMFILE"),
    **dict.fromkeys(("pipe", "pipe2", "socketpair"), ("EMFILE",)),
    **dict.fromkeys(("dup2", "dup3"), ("EMFILE",)),
    "flock": ("EINTR", "EIO"),
    "wait4": ("EINTR",), "poll": ("EINTR",), "ppoll": ("EINTR",),
    # By which a child is observed.
    **dict.fromkeys(("seccomp", "pidfd_open"), ("ENOSYS",)),
    **dict.fromkeys(("sendmsg", "recvmsg"), ("EMFILE",)),
    "prctl": ("EINVAL",), "process_vm_readv": ("EPERM",), "ioctl": (), "fcntl": (),
}
CHANGES = {"write", "pwrite64", "writev", "ftruncate", "rename", "renameat2", "link", "symlink", "mkdir", "unlink"}
# After a fault in one of these a file may be left that the call was to remove.
REMOVES = {"unlink", "unlinkat", "rmdir"}
# The program is this process's own child (-D), since strace does not see the end of one that it has left.
STRACE = ("strace", "-D", "-f", "-b", "execve", "-A", "-qq", "-y", "-s", "80")
LOOKS = {"stat", "lstat", "readlink", "open", "getdents64", "fstat", "fcntl"}
TEMPORARY = re.compile(r"\.(tmp|old|lock)(?=[/\">]|$)|tmpxft|\.partial|\.part$|(^|/)cc\w{6}\.|/\.cuda-cc-")
# What lies in a folder that the user cannot search is no declaration of theirs.
DECLARATION = re.compile(r'/(cuda-cc|pyproject)\.toml"')
ABORTED = -signal.SIGABRT


@dataclass
class Scenario:
    """What is run in the sandbox; status: that of the call without faults."""
    name: str
    words: tuple
    status: int = 0
    before: tuple = ()
    environment: dict = field(default_factory=dict)
    # Files of the working directory that change meanwhile, and what they become.
    changing: dict = field(default_factory=dict)
    # Empty: the sandbox's copy of cuda-cc.
    program: str = ""
    stdin: bytes = b""
    # Folders whose files are the result.
    watched: tuple = ("work",)
    # Calls outside of these paths are another program's: those of Python's own start.
    only: str = ""
    # What the user may not look at does not count, as on every search, and the result says so; nor do declarations, and
    # the system's compilers, which no other program would find either.
    skips_denied: bool = False
    # A second call has nothing to do, and is an error.
    once: bool = False
    # Exit statuses of errors.
    errors: tuple = (2, 3, 4)
    # What is traced is the host compiler that the stand-in for nvcc starts.
    nested: bool = False


@dataclass
class Ended:
    status: int
    out: str
    err: str
    hit: str = ""
    files: dict = None

    def __str__(self):
        return f"status {self.status}\n--- stdout\n{self.out[-3000:]}\n--- stderr\n{self.err[-3000:]}"

    @property
    def codes(self):
        """Or the error of the program that fetches, which has none."""
        return re.findall(r"\[(CC\d+)\]|\"(?:code|ruleId)\": ?\"(CC\d+)\"|^\{\"error\": \{", self.out + self.err, re.M)


def content(path):
    """Of a copy of the program its size, which is that of the whole; it ends in a line that differs."""
    size = path.stat().st_size
    return str(size).encode() if size > 1 << 20 else path.read_bytes()


def unidentified(path, data):
    """Of a toolchain directory all but the identities of what it was made from, which each call makes anew."""
    if path.name in ("cuda-cc.facts", "cuda-cc.files"):
        return b""
    return data


def lasting(files):
    return {path: file for path, file in files.items() if not TEMPORARY.search(path)}


def shown(file):
    if not isinstance(file, tuple):
        return file
    mode, data = file
    return f"{len(data)} bytes, mode {mode:o}, {hashlib.sha256(data).hexdigest()[:8]}, {data[:20]!r}"


def copied(source, target):
    subprocess.run(["cp", "-a", source, target], check=True)


def alike(one, other):
    return (one.status, one.out, one.files) == (other.status, other.out, other.files)


class Faulted:
    def __init__(self):
        self.root = Path(tempfile.mkdtemp(prefix="f")).resolve()
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        self.inputs, self.now, self.log = self.root / "inputs", self.root / "sandbox", self.root / "trace"
        self.template = self.root / "template"
        self.inputs.mkdir()
        self.program = self.inputs / "program/bin/cuda-cc"
        self.program.parent.mkdir(parents=True)
        # Toolchain directories hold copies of it.
        subprocess.run(["strip", PROGRAM, "-o", self.program], check=True)
        (self.inputs / "program/libexec").symlink_to(Path(PROGRAM).resolve().parent.parent / "libexec")
        for folder in ("work", "home", "tmp", "cache"):
            (self.template / folder).mkdir(parents=True)
        self.path = f"{self.inputs}/bin:/usr/bin:/bin"
        self.saved = None
        self.syscalls = self.root / "syscalls"
        source = Path(os.environ["CUDACC_TEST_SUPPORT"]) / "syscalls.c"
        subprocess.run(["gcc", "-O1", source, "-o", self.syscalls], check=True)

    def environment(self, scenario):
        return {"PATH": self.path, "LC_ALL": "C", "HOME": f"{self.now}/home", "TMPDIR": f"{self.now}/tmp",
                "XDG_CACHE_HOME": f"{self.now}/cache", **scenario.environment}

    def fresh(self):
        shutil.rmtree(self.now, ignore_errors=True)
        copied(self.saved or self.template, self.now)

    def prepare(self, scenario):
        """Runs what comes before the scenario, whose result each of its calls begins with."""
        self.saved = None
        self.fresh()
        if not scenario.before:
            return
        for words in scenario.before:
            words = [str(word) for word in words]
            done = subprocess.run(words, cwd=self.now / "work", env=self.environment(scenario), capture_output=True,
                                  text=True, timeout=60, stdin=subprocess.DEVNULL)
            assert done.returncode == 0, (scenario.name, words, done.returncode, done.stdout, done.stderr)
        self.saved = self.root / "saved"
        shutil.rmtree(self.saved, ignore_errors=True)
        copied(self.now, self.saved)

    def files(self, scenario):
        """The result: text of each link, bytes and mode of each file."""
        found = {}
        for folder in scenario.watched:
            for path in sorted((self.now / folder).rglob("*")):
                name = str(path.relative_to(self.now))
                if path.is_symlink():
                    found[name] = os.readlink(path)
                elif path.is_file():
                    data = content(path)
                    found[name] = (path.stat().st_mode & 0o777, unidentified(path, data))
        return found

    def state(self):
        """Of all that the next call finds."""
        digest = hashlib.sha256()
        for path in sorted(self.now.rglob("*")):
            kind = path.lstat().st_mode
            digest.update(f"{path} {kind} ".encode())
            if stat.S_ISLNK(kind):
                digest.update(os.readlink(path).encode())
            elif stat.S_ISREG(kind):
                digest.update(content(path))
        return digest.digest()

    def left(self):
        """Temporary files."""
        store = f"tmp/cuda-cc-{os.getuid()}"
        names = [str(path.relative_to(self.now)) for path in self.now.rglob("*")]
        return sorted(name for name in names if (TEMPORARY.search(name) and "/builds/" not in name)
                      or (name.startswith("tmp/") and not (name + "/").startswith(store + "/")))

    def run(self, scenario, *tracing, before=()):
        """Calls it, below strace where there are words for it, or below another program."""
        self.log.unlink(missing_ok=True)
        before = [*map(str, STRACE), "-o", str(self.log), *tracing] if tracing else before
        environment = self.environment(scenario)
        if scenario.nested:
            environment["STANDIN_TRACE"], before = " ".join(map(str, before)), []
        words = [str(word) for word in [*before, scenario.program or self.program, *scenario.words]]
        process = subprocess.Popen(words, cwd=self.now / "work", env=environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        try:
            out, err = process.communicate(scenario.stdin, timeout=LIMIT)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            status = "hangs"
        hit = ""
        if tracing and self.log.exists():
            lines = self.log.read_text(errors="replace").splitlines()
            hit = next((line for line in lines if "(INJECTED" in line), lines[-1] if lines else "")
        return Ended(status, out.decode(errors="replace"), err.decode(errors="replace"), hit, self.files(scenario))

    def calls(self, scenario):
        """The calls of one run: (name, number among those of its thread), each once."""
        self.fresh()
        ended = self.run(scenario, "-e", f"trace={','.join('?' + name for name in FAULTS)}")
        counts, found, left_out, self.reads, self.of_system = Counter(), [], set(), set(), set()
        lines = self.log.read_text(errors="replace").splitlines()
        # Processes that become another program; to kill one is to kill that.
        begun, children, self.own = set(), set(), set()
        for thread, name in re.findall(r"^(\d+) +(\w+)\(", "\n".join(lines), re.M):
            if name == "execve" and thread in begun:
                children.add(thread)
            begun.add(thread)
        for line in lines:
            match = re.match(r"(\d+) +(\w+)\(", line)
            if not match or "resumed>" in line[:40]:
                continue
            thread, name = match.groups()
            counts[thread, name] += 1
            # strace's own start of the program has the same number as the first program that a child becomes. That
            # the child is not made (clone) has the same effect as an error there.
            if (name, counts[thread, name]) == ("execve", 1):
                continue
            if thread not in children:
                self.own.add((name, counts[thread, name]))
            if '"/usr/' in line or "/share/cuda-cc/" in line or DECLARATION.search(line):
                self.of_system.add((name, counts[thread, name]))
            if name in ("open", "openat") and "O_CREAT" not in line:
                self.reads.add((name, counts[thread, name]))
            # A close that fails closes all the same, but not where strace makes it fail: its reader would wait.
            if re.search(r" close\(\d+<(pipe|socket|UNIX)", line):
                left_out.add((name, counts[thread, name]))
            if not scenario.only or re.search(scenario.only, line):
                found.append((name, counts[thread, name]))
        return ended, [call for call in dict.fromkeys(found) if call not in left_out]


class Trial:
    """One scenario in a sandbox, without faults; then with any."""

    def __init__(self, sandbox, scenario):
        self.sandbox, self.scenario = sandbox, scenario
        sandbox.prepare(scenario)
        self.before = sandbox.files(scenario)
        sandbox.fresh()
        self.good = sandbox.run(scenario)
        assert self.good.status == scenario.status, f"{scenario.name}: {self.good}"
        traced, self.calls = sandbox.calls(scenario)
        assert self.same(traced), f"{scenario.name}: traced {traced}\n{self.good}{self.difference(traced)}"
        self.makes = [name for name in self.good.files if self.good.files[name] != self.before.get(name)]
        assert not sandbox.left(), (scenario.name, sandbox.left())
        # What the call does after each change.
        self.expected = {}
        # From which the next call was right.
        self.seen = set()

    def same(self, ended):
        return alike(ended, self.good)

    def faults(self):
        return [(name, number, error) for name, number in self.calls for error in FAULTS.get(name, ())
                if (error != "ENOSPC" or (name, number) not in self.sandbox.reads)
                and not (error == "EACCES" and (
                    self.scenario.skips_denied and (FAULTS[name] == _SOUGHT or (name, number) in self.sandbox.reads)
                    or FAULTS[name] == _SOUGHT and (name, number) in self.sandbox.of_system))]

    def kills(self):
        return [(name, number, "KILL") for name, number in self.calls if (name, number) in self.sandbox.own]

    def short(self):
        """What is wrong where each read and write is short; empty if nothing is."""
        self.sandbox.fresh()
        ended = self.sandbox.run(self.scenario, before=(self.sandbox.syscalls, "short"))
        return "" if self.same(ended) else f"{self.scenario.name}, short: {ended}{self.difference(ended)}"

    def changes(self):
        """Commands that change what is read: a file is removed, emptied, or becomes another. What an installer has
        written into site-packages is never changed in place."""
        for path, other in self.scenario.changing.items():
            yield from (f"rm -f {path}", f"cp {other} {path}.new && mv {path}.new {path}")
            if "site-packages" not in path:
                yield f": > {path}"

    def changed(self, change, number):
        """What is wrong where this is done before the call of this number; empty if nothing is. The result is that of
        before, that of later, or an error."""
        if change not in self.expected:
            self.sandbox.fresh()
            subprocess.run(change, shell=True, cwd=self.sandbox.now / "work", check=True)
            self.expected[change] = self.sandbox.run(self.scenario)
        expected = self.expected[change]
        self.sandbox.fresh()
        mark = self.sandbox.root / "changed"
        mark.unlink(missing_ok=True)
        ended = self.sandbox.run(self.scenario, before=(self.sandbox.syscalls, number, f"{change}; echo > {mark}"))
        # It may need fewer calls than before: files are taken for settled or not.
        if not mark.exists():
            return ""
        is_error = ended.status in self.scenario.errors and ended.codes
        # Not what was changed itself.
        files = {path: file for path, file in self.good.files.items()
                 if path.removeprefix("work/") not in self.scenario.changing}
        is_old = (ended.status, ended.out, {**ended.files, **files}) == (self.good.status, self.good.out, ended.files)
        problems = [] if is_old or alike(ended, expected) or is_error else ["neither result"]
        if left := self.unnamed(ended):
            problems.append(f"left behind: {left}")
        again = self.sandbox.run(self.scenario)
        # What the first call wrote is there already.
        if again.status != expected.status or not (self.makes or again.out == expected.out) or any(
                again.files.get(path) != file for path, file in lasting(expected.files).items()
                if path not in self.makes or not expected.status):
            problems.append(f"the next call differs: {again}\nand not {expected}")
        return "\n".join([f"{self.scenario.name}: {change} at {number}", *problems, str(ended)]) if problems else ""

    def wrong(self, fault):
        """What is wrong after this fault; empty if nothing is."""
        name, number, error = fault
        how = "signal=KILL" if error == "KILL" else f"error={error}"
        self.sandbox.fresh()
        ended = self.sandbox.run(self.scenario, "-e", f"trace={name}", "-e", f"inject={name}:{how}:when={number}")
        problems = list(self.after_kill(ended) if error == "KILL" else self.after_fault(name, error, ended))
        state = self.sandbox.state()
        if state not in self.seen:
            done = self.scenario.once and ended.files == self.good.files
            again = self.good if done else self.sandbox.run(self.scenario)
            # What is made or removed is said, and neither is done again.
            if (again.status, lasting(again.files)) == (self.good.status, self.good.files) and (
                    self.good.files != self.before or again.out == self.good.out):
                self.seen.add(state)
            else:
                problems.append(f"the next call differs: {again}{self.difference(again)}")
        if not problems:
            return ""
        return "\n".join([f"{self.scenario.name}: {name} {number} {error}: {ended.hit}", *problems, str(ended)])

    def difference(self, ended):
        rows = []
        for path in sorted({*ended.files, *self.good.files}):
            if ended.files.get(path) != self.good.files.get(path):
                rows.append(f"\n  {path}: {shown(ended.files.get(path))}, not {shown(self.good.files.get(path))}")
        return "".join(rows)

    def misplaced(self, ended):
        """Files in final places that are neither as they were nor as they have to be; one that was made may be gone,
        and a page that says unknown is right after such an error."""
        for path, now in ended.files.items():
            # The temporary file beside it is another matter.
            is_page = path.endswith(".html") and ended.status == 4 and b"unknown" in now[1]
            if TEMPORARY.search(path) or is_page or now in (self.before.get(path), self.good.files.get(path)):
                continue
            if not self.is_unsealed(path):
                yield path
        for path in self.before:
            if path not in ended.files and path in self.good.files and path not in self.makes:
                yield path

    def is_unsealed(self, path):
        """A link that was not judged, as anyone can see."""
        if not path.endswith(".so"):
            return False
        done = subprocess.run([self.sandbox.program, "check", path, "--runtime", "cuda==12.4"], cwd=self.sandbox.now,
                              env=self.sandbox.environment(self.scenario), capture_output=True, text=True, timeout=60)
        return "CC4011" in done.stdout + done.stderr

    def after_fault(self, name, error, ended):
        good, both = self.good, ended.out + ended.err
        lost_message = name in ("write", "writev") and re.search(r"write\w*\(2<", ended.hit)
        if ended.status == "hangs":
            yield "it hangs"
            return
        if ended.status == good.status:
            # What is printed on the way to an error is not its result.
            # A rejected link that could not be removed.
            is_result = lasting(ended.files) == good.files or (good.status and not [*self.misplaced(ended)])
            if not is_result and not self.unsealed_as_said(ended):
                yield f"another result{self.difference(ended)}"
            if good.status == 0 and ended.out != good.out and "CC2005" not in both:
                yield "another text"
            if re.sub(r"\s", "", ended.err) != re.sub(r"\s", "", good.err) and not lost_message \
                    and not re.search(r"\[CC\d+\]", ended.err):
                yield "stderr without a code"
        elif ended.status == ABORTED and error == "ENOMEM":
            if [*self.misplaced(ended)]:
                yield f"misplaced: {[*self.misplaced(ended)]}"
        else:
            if ended.status not in self.scenario.errors:
                yield "an undocumented exit status"
            elif ended.status == 3 and os.strerror(getattr(errno, error)) not in both and error != "EACCES":
                # What may not be searched is not found by the loader either.
                yield "a wrong verdict"
            if not ended.codes and not lost_message:
                yield "no error with a code"
            if len(set(re.findall(r"cuda-cc: error:.*(\[CC\d+\])", ended.err))) > 1:
                yield "more than one error"
            if misplaced := [*self.misplaced(ended)]:
                yield f"misplaced: {misplaced}{self.difference(ended)}"
        if "Traceback" in both:
            yield "a traceback"
        is_removal = name in REMOVES or (name in LOOKS and TEMPORARY.search(ended.hit))
        if not is_removal and ended.status != ABORTED and (left := self.unnamed(ended)):
            yield f"left behind: {left}"

    def unsealed_as_said(self, ended):
        """A link that found no place for its manifest says so, and is right without it."""
        if "[CC2009]" not in ended.err:
            return False
        return all(os.path.basename(path).endswith(".so") for path in self.makes) and not [
            path for path in ended.files if path not in self.good.files]

    def unnamed(self, ended):
        """Temporary files that were left without a word."""
        said = re.sub(r"\s", "", ended.out + ended.err)
        return [path for path in self.sandbox.left() if path not in said and os.path.dirname(path) not in said
                and path.split(".tmp/")[0] + ".tmp" not in said]

    def after_kill(self, ended):
        if ended.status == "hangs":
            yield "it hangs"
            return
        if misplaced := [*self.misplaced(ended)]:
            yield f"misplaced: {misplaced}{self.difference(ended)}"
