# SPDX-License-Identifier: Apache-2.0
"""sdist.py LIST FOLDER: downloads the source archives of a list of requirements, each with a hash.

pip would install what builds them, and run it.
"""

import hashlib
import re
import sys
import urllib.parse
import urllib.request
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("driver/tables/update", "tests/support")]
import refresh  # noqa: E402

REQUIREMENT = re.compile(r"([\w.-]+)==(\S+) --hash=sha256:(\w+)")


def main(path, folder):
    index = refresh.Index(None, None)
    for name, version, digest in REQUIREMENT.findall(Path(path).read_text()):
        for entry in index.page(name)["files"]:
            if entry["hashes"].get("sha256") == digest:
                break
        else:
            sys.exit(f"sdist: {index.url} has no file of {name} {version} with the hash that {path} names")
        with urllib.request.urlopen(urllib.parse.urljoin(f"{index.url}/{name}/", entry["url"]), timeout=60) as answer:
            content = answer.read()
        if hashlib.sha256(content).hexdigest() != digest:
            sys.exit(f"sdist: {entry['filename']} is not the file whose hash {path} names")
        (Path(folder) / entry["filename"]).write_bytes(content)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, refresh.FactsError) as error:
        sys.exit(f"sdist: {error}")
