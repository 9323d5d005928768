# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""The verdict on a file that imports one name of one library equals the real loader's result with the wheels of torch
2.5.1 (SY-4, AV-E01, AV-E02): from the tables and from the installed library."""
from proof import SITE, Importer, check, loads, names_of, prefix
from sandbox import Sandbox, wheels

sandbox = Sandbox()
wanted = wheels.read_wanted("environments")["torch==2.5.1"]
site = sandbox.root / "site"
wheels.merge(wanted, site)
package = site / "package"
package.mkdir()
venv = prefix(sandbox, site)
importer = Importer(sandbox)
wrong, pairs, refused = [], 0, 0
for library, (version, soname, folders) in SITE.items():
    here, later = names_of(library, version, soname)
    for name, node in [*here.items(), *later.items()]:
        path = importer.build(soname, {name: node},
                              [f"$ORIGIN/../nvidia/{folder}/lib" for folder in folders], package)
        words = loads(sandbox, path)
        for runtime in ("torch==2.5.1", f"env:{venv}"):
            answer, status = check(sandbox, path, f"--runtime={runtime}")
            verdict = answer["files"][0]["verdict"]
            pairs += 1
            refused += bool(words)
            good = verdict == ("reject" if words else "accept") and status == (3 if words else 0)
            named = any(name in (finding.get("symbol") or "") or name in finding["message"]
                        for finding in answer["files"][0]["findings"])
            if not good or (words and not named):
                wrong.append(f"{library} {name} on {runtime}: {verdict} ({status}), "
                             f"the loader: {words or 'loads'}\n{answer['files'][0]['findings']}")
assert not wrong, f"{len(wrong)} of {pairs}\n" + "\n".join(wrong)
assert pairs >= 60 and refused >= 20, (pairs, refused)
