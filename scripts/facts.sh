# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev facts

# Rows for what is new on the package index, the difference, and the tests of the tables.
facts_refresh() {
  cmd_setup
  build_targets dev cudacc-torch-names
  local status=0
  "$venv/bin/python" -B driver/tables/update/refresh.py "$@" || status=$?
  case $status in
    3 | 4) ;;  # Rows were added.
    *) return "$status" ;;
  esac
  git --no-pager diff --stat -- driver/tables/data
  cmd_test --quick 'unit_(tables|resolve)|facts-' || return 1
  return "$status"
}

cmd_facts() {
  case ${1:-} in
    refresh)
      shift
      facts_refresh "$@"
      ;;
    symbols)
      shift
      cmd_setup
      "$venv/bin/python" -B driver/tables/update/symbols.py "$@"
      ;;
    drivers)
      shift
      cmd_setup
      python3 -B driver/tables/update/drivers.py "$@"
      ;;
    torch)
      shift
      cmd_setup
      "$venv/bin/python" -B driver/tables/update/torch.py "$@"
      ;;
    torch-abi)
      shift
      cmd_setup
      build_targets dev cudacc-torch-names
      "$venv/bin/python" -B driver/tables/update/torch_names.py "$@"
      ;;
    framework)
      shift
      cmd_setup
      "$venv/bin/python" -B driver/tables/update/framework.py "$@"
      ;;
    python-abi)
      shift
      cmd_setup
      "$venv/bin/python" -B driver/tables/update/python_abi.py "$@"
      ;;
    opens)
      shift
      cmd_setup
      "$venv/bin/python" -B driver/tables/update/opens.py "$@"
      ;;
    versions)
      shift
      cmd_setup
      "$venv/bin/python" -B driver/tables/update/version_checks.py "$@"
      ;;
    list)
      shift
      python3 -B driver/tables/update/contents.py "$@"
      ;;
    check)
      [ $# = 2 ] || { say "facts check FILE"; return 2; }
      cmd_build
      "$venv/bin/python" -B driver/tables/update/check.py build/bin/cuda-cc "$2"
      ;;
    *)
      say "facts refresh [--dry-run] adds the releases that the package index has and the tables do not"
      say "facts symbols DIST VERSION reads a wheel into driver/tables/data/symbols"
      say "facts symbols --aarch64 [DIST [VERSION]] compares wheels for aarch64, of which it reads the beginnings"
      say "facts drivers DEB... reads libcuda and libnvidia-ml of Debian packages into the same folder"
      say "facts torch VERSION... [--output FILE] writes a facts file for releases of torch"
      say "facts torch-abi RELEASE... | --all reads what torch's libraries export into torch-names.bin"
      say "facts framework REQUIREMENT... [--output FILE] writes one for other frameworks"
      say "facts python-abi FILE | abi3info==VERSION writes the names of CPython's stable ABI"
      say "facts opens DIST VERSION [--libraries] reads what a wheel opens by name, and compares opens.json"
      say "facts versions DIST [VERSION...] reads which cuDNN releases refuse, and writes rows of version_rules.json"
      say "facts list [TABLE] counts the rows of each table by confidence and source, or lists the sources of one"
      say "facts check FILE resolves every runtime that a facts file adds"
      return 2
      ;;
  esac
}
