# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev dist: wheels of the program for each machine, and the sdist, in dist/; with --facts the wheel of the tables. The same commit gives the same bytes, wherever it is built. And the part of ./dev test --all that tries them.

dist_usage() {
  say "dist            the wheel of the program for this machine, and the sdist, in dist/"
  say "dist --all      wheels for ${machines[*]}"
  say "dist --facts    the wheel cuda-cc-facts: the tables alone, in dist/"
  return 2
}

# The build directory of the program for a machine.
release_of() { if [ "$1" = "$(uname -m)" ]; then echo release; else echo "release-$1"; fi; }

# A tree with the program as `cmake --install` leaves it: in the build directory, prefix.
build_release() {
  local machine=$1 preset dir host targets=(cuda-cc cuda-cc-devlink cuda-cc-rtld man completions) options=()
  preset=$(release_of "$machine") dir=build-$preset
  # The generator of the tables runs here, and the program that writes manual pages and completions.
  if [ "$machine" = "$(uname -m)" ]; then
    targets+=(cudacc-gen-tables)
  else
    host=$PWD/build-release/bin
    options=(-DCUDACC_HOST_TOOLS="$host" -DCUDACC_HOST_PROGRAM="$host/cuda-cc")
  fi
  # Again each time, for the date on the manual pages.
  cmake --preset "$preset" "${options[@]}"
  cmake --build "$dir" -j "$jobs" --target "${targets[@]}"
  rm -rf "$dir/prefix"
  cmake --install "$dir" --prefix "$dir/prefix" --strip > /dev/null
}

# The packages of what was built, checked, in dist/. The wheel for another machine lies in a folder of that name, so
# that `pip install dist/cuda_cc-*.whl` has one to install.
pack() {
  local machine wheel folder prefix sums
  rm -rf dist
  for machine; do
    prefix=build-$(release_of "$machine")/prefix
    folder=dist
    [ "$machine" = "$(uname -m)" ] || folder=dist/$machine
    wheel=$(PYTHONPATH=$portable/backend "$venv/bin/python" -B packaging/wheel.py "$folder" \
      "$prefix" "manylinux2014_$machine" "musllinux_1_1_$machine")
    "$venv/bin/python" -B packaging/portable/check.py "$prefix" "$machine" --wheel "$wheel"
  done
  PYTHONPATH=$portable/backend "$venv/bin/python" -B packaging/wheel.py dist
  sums=$(cd dist && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum)
  printf '%s\n' "$sums" > dist/SHA256SUMS
}

# The wheel cuda-cc-facts. Its bytes depend on the data alone.
dist_facts() {
  cmd_setup
  "$venv/bin/python" -B packaging/facts/wheel.py --output dist
}

dist_program() {
  local machine
  if [[ " $* " = *" x86_64 "* ]] && [ "$(uname -m)" != x86_64 ]; then
    say "dist: this is $(uname -m), and ISA-L is assembled on x86-64"
    return 1
  fi
  cmd_setup
  need_wheels backend packaging/backend.txt
  umask 022
  # Of what is packed, and on the manual pages.
  export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
  for machine; do
    need_portable "$machine"
    build_release "$machine"
  done
  pack "$@"
}

cmd_dist() {
  local others
  case ${1:-} in
    '') dist_program "$(uname -m)" ;;
    # This one first: it has the tools for the others.
    --all)
      mapfile -t others < <(printf '%s\n' "${machines[@]}" | grep -vx "$(uname -m)")
      dist_program "$(uname -m)" "${others[@]}"
      ;;
    --facts) dist_facts ;;
    *) dist_usage ;;
  esac
}

# The same sources, built in another directory, give the same bytes.
dist_again() {
  local work file failed=0
  work=$(mktemp -d)
  mkdir "$work/another-directory"
  git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$work/another-directory"
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) "$work/another-directory/dev" dist --all || failed=1
  for file in dist/*.* dist/*/*; do cmp "$file" "$work/another-directory/$file" || failed=1; done
  rm -rf "$work"
  return "$failed"
}

# In a Debian of five years ago that has Python's pip and nothing else: installed, and a wheel is checked.
dist_bare() {
  local root=$portable/debian suite=bullseye mirror
  if ! made "$root" "$suite"; then
    need_packages debootstrap
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
    as_root rm -rf "$root"
    as_root debootstrap --variant=minbase --include=python3-pip "$suite" "$root" "$mirror" > "$cache/apt.log" 2>&1 ||
      { tail -n 20 "$cache/apt.log" >&2; return 1; }
    echo "$suite" | as_root tee "$root/.made-of" > /dev/null
  fi
  as_root rm -rf "$root/dist"
  as_root cp -r dist "$root/dist"
  as_root chroot "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root sh -ec '
    python3 -m pip install -q --no-index --force-reinstall ./dist/cuda_cc-*.whl
    cuda-cc version
    cuda-cc check ./dist/cuda_cc-*.whl --runtime torch==2.5.1
    python3 -m pip uninstall -q -y cuda-cc
    test ! -e /usr/local/bin/cuda-cc -a ! -e /usr/local/share/cuda-cc/torch-names.bin'
}

test_dist() {
  step dist ./dev dist --all
  step "dist in another directory" dist_again
  step "dist in a bare Debian" dist_bare
  test_usual 'cuda-cc :: integration/dist-'
  # With all optimisations.
  run_lit build release --param program="$PWD/build-release/bin/cuda-cc" --filter '^cuda-cc :: (\./|command/)'
}
