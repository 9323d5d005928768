# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev dist --facts

# The wheel cuda-cc-facts, in dist/ or the folder named. Its bytes depend on the data alone.
dist_facts() {
  "$venv/bin/python" -B packaging/facts/wheel.py --output "${1:-dist}"
}
