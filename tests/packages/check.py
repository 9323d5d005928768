# SPDX-License-Identifier: Apache-2.0
"""check.py FOLDER LINTERS: the packages in FOLDER that ./dev package made, and the recipes and templates of packaging/.
LINTERS is the environment of python.txt. Lintian and rpmlint have nothing to say of the packages; both are installed,
tried and removed in a root of their own. The templates have the form that their readers accept."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("CUDACC_TEST_SUPPORT", str(ROOT / "tests/support"))
os.environ.setdefault("CUDACC_TEST_BUILD", str(ROOT / "build-release"))
os.environ.setdefault("CUDACC_TEST_PROGRAM", str(ROOT / "build-release/bin/cuda-cc"))
sys.path.insert(0, str(ROOT / "tests/integration"))
import packed
from sandbox import Sandbox, equal

PACKAGING = ROOT / "packaging"
RENDER = """
import sys, rattler_build
recipe = rattler_build.Stage0Recipe.from_file(sys.argv[1])
made = recipe.render(rattler_build.VariantConfig.from_file(sys.argv[2]))
assert len(made) == 1, made
print(made[0].recipe.to_dict()["package"])
"""


def clean(*words, quiet=True, cwd=None):
    """Runs a linter: it succeeds, and says nothing where it would only complain."""
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, cwd=cwd)
    assert done.returncode == 0 and not (quiet and done.stdout.strip()), f"{words}\n{done.stdout}{done.stderr}"
    print(f"{Path(words[0]).name} {Path(words[-1]).name}: clean")
    return done.stdout


def debian(package):
    sandbox = Sandbox()
    # Remarks (information, pedantic) are for reading, with --display-info --pedantic.
    clean("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", "unused-override", package)
    contents = packed.good(sandbox, "dpkg-deb", "-c", package).out
    assert "/usr/libexec/cuda-cc/" in contents
    scripts = packed.good(sandbox, "dpkg-deb", "-I", package).out
    assert not any(name in scripts for name in ("postinst", "postrm", "preinst", "prerm", "conffiles")), scripts
    assert packed.deb_fields(sandbox, package)["Depends"].startswith("libc6 (>=")
    equal(packed.deb_fields(sandbox, package)["Depends"].count(","), 0)
    packed.dpkg(sandbox, package)


def redhat(package):
    sandbox = Sandbox()
    said = clean("rpmlint", "-c", PACKAGING / "rpm/rpmlint.toml", package, quiet=False)
    assert " 0 errors, 0 warnings" in said, said
    packed.rpm(sandbox, package)


def templates(linters):
    tool = linters / "bin"
    clean(tool / "actionlint", PACKAGING / "ci/github/example.yml")
    for schema, file in (("github-actions", "github/action.yml"), ("github-workflows", "github/example.yml"),
                         ("gitlab-ci", "gitlab.yml")):
        clean(tool / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", PACKAGING / "ci" / file, quiet=False)
    clean(tool / "hadolint", PACKAGING / "Containerfile")
    conda = PACKAGING / "conda"
    clean(tool / "python", "-c", RENDER, conda / "recipe.yaml", conda / "variants.yaml", quiet=False)


def hooks(linters):
    """pre-commit runs the hooks of a clone of this tree on a project."""
    sandbox = Sandbox()
    clean(linters / "bin/pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml")
    tree, project = sandbox.work / "hooks", sandbox.work / "project"
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "init.defaultBranch=main"]
    for folder, files in ((tree, {".pre-commit-hooks.yaml": (ROOT / ".pre-commit-hooks.yaml").read_text()}),
                          (project, {"cuda-cc.toml": 'runtime = "torch==2.5.1"\n', "x.txt": "\n"})):
        folder.mkdir()
        packed.good(sandbox, *git, "init", "-q", folder)
        for name, text in files.items():
            (folder / name).write_text(text)
    shutil.copy(ROOT / "build-release/bin/cuda-cc", project / "tool.so")
    for folder in (tree, project):
        packed.good(sandbox, *git, "-C", folder, "add", "-A")
        packed.good(sandbox, *git, "-C", folder, "commit", "-qm", "x")
    path = f"{ROOT}/build-release/bin:{sandbox.path}"

    def run(hook):
        return sandbox.run(linters / "bin/pre-commit", "try-repo", tree, hook, "--all-files", "--verbose", cwd=project,
                           PATH=path, GIT_CONFIG_GLOBAL="/dev/null")

    for hook, expected in (("cuda-cc-target", "44 libraries"), ("cuda-cc-check", "tool.so: accept")):
        done = run(hook)
        assert done.status == 0 and "Passed" in done.out and expected in done.out, done
    (project / "cuda-cc.toml").write_text('runtime = "torch==9.9.9"\n')
    for hook in ("cuda-cc-target", "cuda-cc-check"):
        done = run(hook)
        assert done.status == 1 and "exit code: 4" in done.out and "CC2007" in done.out, done
    done = run("cuda-cc-toolchain")
    assert done.status == 1, done
    print("pre-commit: the hooks run")


def main(folder, linters):
    packages = [*Path(folder).glob("*.deb"), *Path(folder).glob("*.rpm")]
    equal([path.suffix for path in packages], [".deb", ".rpm"])
    templates(linters)
    hooks(linters)
    debian(packages[0].resolve())
    redhat(packages[1].resolve())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).resolve())
