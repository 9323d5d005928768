# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev test and ./dev ci. Each part either writes a file of lit results, or passes or fails as a whole. The last
# line of output counts all of them.

# In the order in which `--all` runs them.
parts=(unit command support integration exact gpu mutation fuzz lint docs sanitize wild torch-abi torch-matrix
  wild-aarch64 projects worlds dist packages)
results=() outcomes=()

# run_lit BUILD_DIR NAME [OPTION...]
run_lit() {
  local dir=$1 file=$1/tests/results-$2.json
  shift 2
  rm -f "$file"
  # One job more than there are cores, because some tests wait for daemons.
  "$venv/bin/lit" -v -j $((jobs + 1)) --output "$file" "$@" "$dir/tests" || true
  results+=("$file")
}

# step NAME COMMAND...: counts as one test.
step() {
  if "${@:2}"; then outcomes+=(--passed "$1"); else outcomes+=(--failed "$1"); fi
}

# Downloads run at the same time as the compilers.
start_fetching() {
  python3 -B tests/support/fetch.py "$@" &
  fetching=$!
  trap 'kill "$fetching" 2>/dev/null || true' EXIT
}

need_browser() {
  need_packages chromium || say "without chromium: pages are not looked at in a browser"
}

end_fetching() {
  need_browser
  need_packages bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto bazel-skylib ||
    say "without Bazel: its page is not followed"
  wait "$fetching" || outcomes+=(--failed "fetching what the tests need")
  trap - EXIT
}

# Unit tests, and command tests on fake toolkits, but for the faults; nothing is downloaded.
test_quick() {
  build_tests
  run_lit build quick --filter "^(unit|cuda-cc) :: (\./|command/(?!faults)).*${1:-}"
}

# All tests at their usual size, or those whose names match the expression.
test_usual() {
  start_fetching
  build_tests
  end_fetching
  run_lit build suite ${1:+--filter "$1"}
}

test_sanitized() {
  build_tests sanitize
  run_lit build-sanitize sanitize --filter '^(unit|cuda-cc) :: (\./|command/|fuzz/)'
}

# test_folder NAME [REGEX]: runs the tests in one folder at their full size.
test_folder() {
  local suite="cuda-cc :: $1/"
  case $1 in
    unit) suite='unit :: ' ;;
    integration | exact | gpu)
      start_fetching --all
      build_tests
      end_fetching
      ;;
  esac
  build_tests
  run_lit build "$1" --param all=1 --filter "^$suite.*${2:-}"
}

test_part() {
  case $1 in
    unit | command | support | integration | exact | gpu | mutation) test_folder "$@" ;;
    fuzz) step fuzz ./dev fuzz ;;
    lint)
      step format ./dev format --check
      step lint ./dev lint
      ;;
    docs)
      need_browser
      step docs ./dev docs
      build_tests
      run_lit build docs --param all=1 --filter '^cuda-cc :: docs/'
      ;;
    sanitize) test_sanitized ;;
    wild) step wild ./dev wild ;;
    torch-abi) step torch-abi ./dev wild torch-abi ;;
    torch-matrix) step torch-matrix ./dev wild torch-matrix ;;
    projects | worlds) step "$1" ./dev wild "$1" --page ;;
    wild-aarch64) step wild-aarch64 ./dev wild aarch64 ;;
    dist) test_dist ;;
    packages)
      need_packages lintian rpm rpmlint
      need_venv "$cache/linters" tests/packages/python.txt
      step "making packages" ./dev package build-release/checked
      step packages "$venv/bin/python" -B tests/packages/check.py build-release/checked "$cache/linters"
      ;;
    *)
      say "test --all: no part $1, but ${parts[*]}"
      return 2
      ;;
  esac
}

test_all() {
  local part
  [ $# = 0 ] || { test_part "$@"; return; }
  for part in "${parts[@]}"; do test_part "$part"; done
}

hold_cache() {
  # ./dev clean --cache looks for this lock.
  exec 8> "$cache/in-use.lock"
  flock -s 8
}

summary() {
  exec 8>&-
  python3 -B tests/support/summary.py "${results[@]}" "${outcomes[@]}"
}

cmd_test() {
  local extent=usual
  case ${1:-} in
    --quick | --all)
      extent=${1#--}
      shift
      ;;
  esac
  cmd_setup
  hold_cache
  "test_$extent" "$@"
  summary
}

# .ci/run calls this.
cmd_ci() {
  cmd_setup
  hold_cache
  start_fetching
  build_tests
  step "format" ./dev format --check
  step "lint of what changed" ./dev lint --changed
  end_fetching
  run_lit build suite
  summary
}
