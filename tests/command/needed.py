# RUN: PYTHONPATH=%S %python -B %s
"""The program needs libc, libm and the loader at most: anything else is looked up and mapped before
every compile."""
import re
import subprocess

from recording import PROGRAM

dynamic = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True, check=True)
needed = set(re.findall(r"NEEDED.*\[(.+?)\]", dynamic.stdout))
assert "libc.so.6" in needed, needed
rest = {name for name in needed if not re.match(r"(libc|libm|ld-linux-[\w-]+)\.so", name)}
assert not rest, rest
