# SPDX-License-Identifier: Apache-2.0
"""`python -m cuda_cc ARGUMENTS`: the program, in place of this process."""

from __future__ import annotations

import os
import sys

from cuda_cc._program import find_program


def main() -> None:
    program = find_program()
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        raise SystemExit(f"cuda-cc: error: {program} cannot be started: {error.strerror}") from None


if __name__ == "__main__":
    main()
