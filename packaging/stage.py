# SPDX-License-Identifier: Apache-2.0
"""stage.py DEB|RPM DIR CHANGELOG VERSION CONTACT: completes what CPack installed into DIR, the package's /usr.

Debian's policy asks for compressed manual pages and changelogs, a copyright file and no other licence file. An RPM
has its changelog, written to CHANGELOG, inside. All files get the date of the package, which is SOURCE_DATE_EPOCH,
else that of the release in CHANGELOG.md."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import sys
import textwrap
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Release:
    version: str
    # As in the heading: a day, or `unreleased`.
    day: str
    changes: list[str]

    def date(self) -> datetime:
        if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
            return datetime.fromtimestamp(int(epoch), timezone.utc)
        if self.day == "unreleased":
            sys.exit(f"{self.version} has no date in CHANGELOG.md: set SOURCE_DATE_EPOCH")
        return datetime.strptime(self.day, "%Y-%m-%d").replace(tzinfo=timezone.utc)


def releases(text: str) -> list[Release]:
    """Each release of CHANGELOG.md with the items of its lists."""
    found = []
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        version, day = section.split("\n", 1)[0].split(", ")
        items = re.findall(r"^\* (.*(?:\n  .*)*)", section, re.M)
        found.append(Release(version, day, [" ".join(item.split()) for item in items]))
    return found


def filled(item: str, mark: str) -> str:
    return textwrap.fill(item, 78, initial_indent=mark, subsequent_indent=" " * len(mark),
                         break_long_words=False, break_on_hyphens=False)


def debian_changelog(release: Release, version: str, contact: str) -> str:
    items = "\n".join(filled(item, "  * ") for item in release.changes)
    date = release.date().strftime("%a, %d %b %Y %H:%M:%S +0000")
    return f"cuda-cc ({version}) unstable; urgency=medium\n\n{items}\n\n -- {contact}  {date}\n"


def rpm_changelog(release: Release, version: str, contact: str) -> str:
    items = "\n".join(filled(item, "- ") for item in release.changes)
    # A % would begin a macro.
    return f"* {release.date():%a %b %d %Y} {contact} - {version}\n{items}\n".replace("%", "%%")


def compressed(path: Path, data: bytes) -> None:
    """As gzip -9n does it: neither name nor time."""
    path.write_bytes(gzip.compress(data, compresslevel=9, mtime=0))


def stage_manuals(usr: Path) -> None:
    for page in usr.glob("share/man/man*/*.[1-9]"):
        compressed(page.with_name(page.name + ".gz"), page.read_bytes())
        page.unlink()


def stage_debian(usr: Path, changelog: str) -> None:
    doc = usr / "share/doc/cuda-cc"
    news = doc / "CHANGELOG.md"
    compressed(doc / "changelog.gz", news.read_bytes())
    news.unlink()
    compressed(doc / "changelog.Debian.gz", changelog.encode())
    shutil.copyfile(ROOT / "packaging/debian/copyright", doc / "copyright")
    # Its text is in /usr/share/common-licenses.
    (doc / "LICENSE").unlink()
    overrides = usr / "share/lintian/overrides/cuda-cc"
    overrides.parent.mkdir(parents=True)
    shutil.copyfile(ROOT / "packaging/debian/lintian-overrides", overrides)


def finish(usr: Path, date: datetime) -> None:
    """Modes do not depend on the umask of the build, times not on when it ran."""
    programs = {usr / "bin/cuda-cc", usr / "libexec/cuda-cc/devlink"}
    for path in [usr, *usr.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
        os.utime(path, (date.timestamp(),) * 2, follow_symlinks=False)


def main(kind: str, folder: str, changelog: str, version: str, contact: str) -> None:
    usr = Path(folder)
    newest = releases((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))[0]
    assert version.startswith(f"{newest.version}-"), f"CHANGELOG.md begins with {newest.version}, not {version}"
    stage_manuals(usr)
    if kind == "DEB":
        stage_debian(usr, debian_changelog(newest, version, contact))
    else:
        shutil.copyfile(ROOT / "packaging/debian/copyright", usr / "share/doc/cuda-cc/copyright")
        Path(changelog).write_text(rpm_changelog(newest, version, contact), encoding="utf-8")
    finish(usr, newest.date())


if __name__ == "__main__":
    main(*sys.argv[1:])
