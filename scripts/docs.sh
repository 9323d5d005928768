# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev docs

# An environment of its own: nothing of it is needed for building or testing the program.
need_docs_venv() {
  local list=scripts/site/requirements.txt stamp=$cache/docs/.packages made_of
  made_of="$(python3 -c 'import sys; print(sys.version, sys.executable)') $cache $(cat "$list")"
  [ -x "$cache/docs/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$made_of" ] && return
  say "making a Python environment with mkdocs-material in $cache/docs"
  python3 -m venv --clear "$cache/docs"
  "$cache/docs/bin/python" -m pip install -q --no-deps --only-binary :all: --require-hashes -r "$list" >&2
  echo "$made_of" > "$stamp"
}

# The site: a dead link, a dead anchor or a page that is in no list is an error.
cmd_docs() {
  [ $# = 0 ] || { say "docs"; return 2; }
  need_cache
  need_packages python3 python3-venv
  need_docs_venv
  mkdir -p build-docs
  pwd > build-docs/.made-for
  python3 -B scripts/site/pages.py build-docs/pages
  NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 "$cache/docs/bin/mkdocs" build --strict
  say "build-docs/site/index.html"
}
