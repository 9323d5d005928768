# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev format and ./dev lint

sources() {
  git ls-files --cached --others --exclude-standard -- "$@"
}

cmd_format() {
  local how=(-i) check=() failed=0
  if [ "${1:-}" = --check ]; then
    how=(--dry-run -Werror)
    check=(--check)
  fi
  need_packages clang-format-19
  python3 -B scripts/license.py "${check[@]}" || failed=1
  sources '*.cpp' '*.h' | xargs -r -n 50 -P "$jobs" clang-format-19 "${how[@]}" || failed=1
  return $failed
}

# The commit that a change is compared with: the merge base with the main branch, or else the previous commit.
# Empty in a clone without history.
change_base() {
  local branch base
  for branch in origin/HEAD origin/main origin/master; do
    base=$(git merge-base HEAD "$branch" 2>/dev/null) || continue
    [ "$base" = "$(git rev-parse HEAD)" ] || { echo "$base"; return; }
  done
  git rev-parse --verify -q HEAD~1
}

# The source files changed since that commit; only the first few, to limit the time to minutes. Examples are built by
# their own projects, with headers that this one does not have, and driver/musl replaces functions of another libc.
changed_sources() {
  local base
  base=$(change_base) || { say "lint: no history, so no file is a changed one"; return; }
  git diff --name-only --diff-filter=d "$base" -- '*.cpp' ':!examples' ':!driver/musl' | head -n "${CUDA_CC_LINT_FILES:-20}"
}

# lint_build DIR UNITY: a build directory for clang-tidy. Generated headers are taken from the usual one.
lint_build() {
  build_headers
  need_isal
  cmake --preset lint -B "$1" -DCMAKE_UNITY_BUILD="$2"
  (cd build && find . -name '*.inc' -exec cp -pu --parents -t "../$1" {} +)
}

# tidy DIR UNITY FILE...: sizes and names are errors; possible bugs and slow code are warnings. Unity sources, which
# include .cpp files, take a fifth of the time of all files one by one.
tidy() {
  local dir=$1 unity=$2 files=("${@:3}")
  [ ${#files[@]} != 0 ] || return 0
  need_packages clang-tidy-19
  lint_build "$dir" "$unity" > "$cache/lint.log" || { tail -n 20 "$cache/lint.log" >&2; return 1; }
  python3 -B scripts/lint_sources.py "$dir" "${files[@]}" | xargs -n 1 -P "$jobs" \
    clang-tidy-19 -p "$dir" --quiet --extra-arg=-Wno-error \
    --checks=-bugprone-suspicious-include --warnings-as-errors='modernize-*,readability-*'
}

lint_scripts() {
  local shell=(dev .ci/run shell/completion.bash tests/command/session.sh tests/support/{demo.sh,hide-cuda})
  need_packages shellcheck
  # -a: also checks scripts/*.sh, which ./dev sources.
  shellcheck -ax "${shell[@]}"
}

# ./dev lint [--changed]: --changed checks the changed C++ files only.
cmd_lint() {
  local files failed=0
  cmd_setup
  "$venv/bin/ruff" check --no-cache . || failed=1
  MYPYPATH=python "$venv/bin/mypy" --strict --python-version 3.10 --cache-dir /dev/null -p cuda_cc || failed=1
  lint_scripts || failed=1
  if [ "${1:-}" = --changed ]; then
    mapfile -t files < <(changed_sources)
    say "lint: ${#files[@]} changed files"
    tidy build-lint OFF "${files[@]}" || failed=1
  else
    mapfile -t files < <(sources '*.cpp' ':!examples' ':!driver/musl')
    tidy build-lint-all ON "${files[@]}" || failed=1
  fi
  return $failed
}
