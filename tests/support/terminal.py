# SPDX-License-Identifier: Apache-2.0
"""Programs on a terminal: one that is started with some of its descriptors on it, and a shell into which lines
are typed."""

import os
import pty
import select
import subprocess

# What a test that hangs waits for at most.
LIMIT = 60


def read_until(fd, isEnough):
    """What is printed until this holds of it, or until nobody can print any more."""
    text = b""
    while not isEnough(text):
        if not select.select([fd], [], [], LIMIT)[0]:
            raise TimeoutError(text)
        try:
            got = os.read(fd, 1 << 16)
        except OSError:
            break
        if not got:
            break
        text += got
    return text


def run(words, on=(0, 1, 2), **more):
    """Runs a program whose descriptors \\p on are a terminal; the others are empty or dropped. Returns its exit
    status and what the terminal shows, byte for byte."""
    ours, its = pty.openpty()
    try:
        at = {fd: its if fd in on else subprocess.DEVNULL for fd in (0, 1, 2)}
        process = subprocess.Popen([str(word) for word in words], stdin=at[0], stdout=at[1], stderr=at[2], **more)
        os.close(its)
        its = None
        text = read_until(ours, lambda _: False)
        return process.wait(LIMIT), text.decode().replace("\r\n", "\n")
    finally:
        os.close(ours)
        if its is not None:
            os.close(its)


class Shell:
    """An interactive bash or zsh."""

    def __init__(self, words, start, **more):
        """\\p start: lines that it runs first."""
        self.ours, its = pty.openpty()
        self.process = subprocess.Popen(words, stdin=its, stdout=its, stderr=its, start_new_session=True, **more)
        os.close(its)
        for line in start:
            self.do(line)

    def type(self, text):
        os.write(self.ours, text.encode())

    def do(self, line):
        """Runs it, and waits for its end: until then the terminal does not pass single keys on."""
        self.type(f"{line}\n")
        self.answer("")

    def answer(self, keys):
        """Types these, and what prints the words of the line: to its beginning, `printf`, and to its end."""
        # The end is not shown where it is typed, but only where it is printed.
        self.type(f"{keys}\x01printf '\\n<%s>' \x05 ; echo E''ND\n")
        text = read_until(self.ours, lambda text: b"END" in text).decode()
        lines = text[:text.index("END")].replace("\r", "").split("\n<")[1:]
        return [line.split(">")[0] for line in lines]

    def completed(self, line):
        """The words of the line after Tab."""
        return self.answer(f"{line}\t")

    def close(self):
        # Killed first: bash writes its history when its terminal goes.
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
