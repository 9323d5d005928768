# SPDX-License-Identifier: Apache-2.0
"""A data file, written back as it was found: a row on each line."""

import json


class RowFile:
    def __init__(self, path, new=None):
        """\\p new: the text to begin with if there is no file."""
        self.path = path
        self.before = new if new and not path.exists() else path.read_text()
        self.rows = json.loads(self.before)["rows"]

    def text(self):
        head, begin, rest = self.before.partition('"rows": [')
        rows = ",".join("\n" + json.dumps(row, ensure_ascii=False) for row in self.rows)
        return f"{head}{begin}{rows}\n{rest[rest.rindex(']'):]}"

    def save(self):
        """Whether that changed the file, which is never half written."""
        text = self.text()
        if text == self.before:
            return False
        aside = self.path.with_suffix(".part")
        aside.write_text(text)
        aside.rename(self.path)
        self.before = text
        return True
