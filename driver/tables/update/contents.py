# SPDX-License-Identifier: Apache-2.0
"""What the data files consist of, as their rows say.

    contents.py [TABLE] [--data FOLDER]

A line for each table: its rows, how many have each confidence (README.md of the data says what that means; `none`: the
rows have no such column), how many sources they name, and the most frequent one. For symbols/, rows are versions of
libraries. With TABLE: every source of this table, with the number of its rows.
"""

import argparse
import collections
import json
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"
CONFIDENCE = ("verified", "sourced", "secondary", "unverified", "none")
WIDTH = 60


def tables_of(data):
    """{name: rows}"""
    tables = {}
    for path in sorted(data.glob("*.json")):
        whole = json.loads(path.read_text())
        tables[path.stem] = whole["rows"] if "rows" in whole else whole[path.stem]
    tables["symbols"] = [{**row, "confidence": head["confidence"]} for path in sorted((data / "symbols").glob("*.json"))
                         for head in [json.loads(path.read_text())] for row in head["versions"]]
    return tables


def confidence_of(row):
    """libraries.json names, in place of a confidence, only what deviates from the rest."""
    found = row.get("confidence")
    return found if isinstance(found, str) else "none"


def sources_of(rows):
    return collections.Counter(row["source"] for row in rows if row.get("source"))


def cut(text):
    return text if len(text) <= WIDTH else text[:WIDTH - 3] + "..."


def summary(tables):
    yield f"{'table':<24}{'rows':>6}" + "".join(f"{each:>11}" for each in CONFIDENCE) + f"{'sources':>9}  most frequent"
    for name, rows in tables.items():
        counts = collections.Counter(map(confidence_of, rows))
        sources = sources_of(rows)
        most = [cut(text) for text, _ in sources.most_common(1)]
        yield (f"{name:<24}{len(rows):>6}" + "".join(f"{counts[each] or '':>11}" for each in CONFIDENCE)
               + f"{len(sources) or '':>9}  {' '.join(most)}").rstrip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    tables = tables_of(options.data)
    if options.table is None:
        print("\n".join(summary(tables)))
    elif options.table in tables:
        for source, count in sources_of(tables[options.table]).most_common():
            print(f"{count:>6}  {source}")
    else:
        print(f"contents.py: no table '{options.table}' (known: {', '.join(tables)})", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
