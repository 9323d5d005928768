#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for auditwheel: the same wheel with manylinux tags. The environment says what else it does: writes its
words into LOG, waits after it made the file WAIT, fails with FAIL, leaves the member MOVED out, overwrites SPOIL."""
import base64
import csv
import hashlib
import io
import os
import sys
import time
import zipfile

words, wheel = sys.argv[1:-1], sys.argv[-1]
if os.environ.get("LOG"):
    with open(os.environ["LOG"], "w") as log:
        print(*words, "EPOCH=" + os.environ["SOURCE_DATE_EPOCH"], file=log)
if os.environ.get("WAIT"):
    open(os.environ["WAIT"], "w").close()
    time.sleep(60)
if os.environ.get("FAIL"):
    sys.exit("INFO:main:x\nTraceback (most recent call last):\n  File x\nValueError: " + os.environ["FAIL"])
out = words[words.index("--wheel-dir") + 1]
os.makedirs(out)
rows = io.StringIO()
name = os.path.basename(wheel).replace("-linux_", "-manylinux_2_34_")
with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(os.path.join(out, name), "w") as new:
    record = next(each for each in old.namelist() if each.endswith("/RECORD"))
    for each in old.namelist():
        data = old.read(each)
        if each == record or each == os.environ.get("MOVED"):
            continue
        if each.endswith("/WHEEL"):
            data = data.replace(b"-linux_", b"-manylinux_2_34_")
        if each.endswith(".so") and os.environ.get("SPOIL"):
            data = data.replace(os.environ["SPOIL"].encode(), b"\0" * len(os.environ["SPOIL"]))
        new.writestr(zipfile.ZipInfo(each, (1980, 1, 1, 0, 0, 0)), data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        csv.writer(rows).writerow([each, "sha256=" + digest, len(data)])
    new.writestr(zipfile.ZipInfo(record, (1980, 1, 1, 0, 0, 0)), rows.getvalue() + record + ",,\r\n")
