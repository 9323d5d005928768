# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev fuzz

# The names of the readers that are fuzzed.
fuzz_targets() { python3 -B tests/fuzz/corpus.py; }

# Builds the readers into the layout of OSS-Fuzz: OUT has fuzz_NAME, fuzz_NAME.dict and fuzz_NAME_seed_corpus.zip for
# each. With LIB_FUZZING_ENGINE by CXX and CXXFLAGS, as OSS-Fuzz sets them; LLVM's libraries need libstdc++.
build_fuzzers() {
  local target flags=()
  [ -z "${LIB_FUZZING_ENGINE:-}" ] ||
    flags=("-DCMAKE_CXX_COMPILER=$CXX" "-DCMAKE_CXX_FLAGS_FUZZ=${CXXFLAGS//-stdlib=libc++/}")
  cmd_setup
  need_isal
  need_packages clang-19 libclang-rt-19-dev
  [ -f "$dir/build.ninja" ] || cmake --preset fuzz "${flags[@]}"
  cmake --build "$dir" -j "$jobs" --target fuzz
  python3 -B tests/fuzz/corpus.py "$dir/seeds" "$(command -v nvcc || true)"
  mkdir -p "$out"
  cp "$dir/tests/fuzz/fuzz" "$out"
  for target in $(fuzz_targets); do
    ln -f "$out/fuzz" "$out/fuzz_$target"
    [ ! -f "tests/fuzz/dict/$target.dict" ] || cp "tests/fuzz/dict/$target.dict" "$out/fuzz_$target.dict"
    rm -f "$out/fuzz_${target}_seed_corpus.zip"
    python3 -m zipfile -c "$out/fuzz_${target}_seed_corpus.zip" "$dir/seeds/$target/"*
  done
  rm "$out/fuzz"
}

cmd_fuzz() {
  local target targets options dir=build-fuzz out=${OUT:-build-fuzz/out}
  build_fuzzers
  [ "${1:-}" != --build ] || return 0
  read -ra targets <<< "$(fuzz_targets)"
  [ $# = 0 ] || targets=("$@")
  for target in "${targets[@]}"; do
    say "fuzzing $target for ${CUDA_CC_FUZZ_SECONDS:=60} seconds"
    mkdir -p "$dir/corpus/$target"
    # Own mutators switch the growth of lengths off.
    options=(-max_total_time="$CUDA_CC_FUZZ_SECONDS" -timeout=10 -len_control=100 -rss_limit_mb=1024)
    [ ! -f "$out/fuzz_$target.dict" ] || options+=(-dict="$out/fuzz_$target.dict")
    "$out/fuzz_$target" "${options[@]}" -verbosity=0 -print_final_stats=1 \
      -artifact_prefix="$dir/$target-" "$dir/corpus/$target" "$dir/seeds/$target"
  done
}
