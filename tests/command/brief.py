# SPDX-License-Identifier: Apache-2.0
"""brief.py NAME...: validates a document of `check --format=json` on stdin, and prints a line per file:
`ext.so on torch==2.5.1: reject, error CC4002`. Findings follow in their order, limited to the given severities:
error, warning, remark."""

import json
import os
import sys

sys.path.insert(0, os.environ["CUDACC_TEST_SUPPORT"])
import schema

for file in schema.fit(json.load(sys.stdin), "check")["files"]:
    found = [f"{finding['severity']} {finding['code']}" for finding in file["findings"]
             if finding["severity"] in sys.argv[1:]]
    print(f"{file['path']} on {file['runtime']}: " + ", ".join([file["verdict"], *found]))
