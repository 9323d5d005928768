# SPDX-License-Identifier: Apache-2.0
"""flat.py: prints a JSON document from stdin as lines `libraries/libcudart.so.12/a/version: 12.4.127`: the path to each
value. An element of an array is its index or, for objects, its identifying value."""

import json
import sys

NAMES = ("soname", "name", "path", "id")


def lines(value, way):
    if not value or not isinstance(value, (dict, list)):
        yield f"{'/'.join(way)}: {value if isinstance(value, str) else json.dumps(value)}"
        return
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items:
        names = [each[name] for name in NAMES if isinstance(each, dict) and isinstance(each.get(name), str)]
        yield from lines(each, [*way, names[0] if names and isinstance(value, list) else str(key)])


print(*lines(json.load(sys.stdin), []), sep="\n")
