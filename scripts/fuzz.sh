# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev fuzz

# The names of the readers that are fuzzed.
fuzz_targets() { python3 -B tests/fuzz/corpus.py; }

cmd_fuzz() {
  local target targets dir=build-fuzz options
  read -ra targets <<< "$(fuzz_targets)"
  [ $# = 0 ] || targets=("$@")
  cmd_setup
  need_isal
  need_packages clang-19 libclang-rt-19-dev
  [ -f "$dir/build.ninja" ] || cmake --preset fuzz
  cmake --build "$dir" -j "$jobs" --target fuzz
  python3 -B tests/fuzz/corpus.py "$dir/seeds" "$(command -v nvcc || true)"
  for target in "${targets[@]}"; do
    say "fuzzing $target for ${CUDA_CC_FUZZ_SECONDS:=60} seconds"
    mkdir -p "$dir/corpus/$target"
    # Own mutators switch the growth of lengths off.
    options=(-max_total_time="$CUDA_CC_FUZZ_SECONDS" -timeout=10 -len_control=100 -rss_limit_mb=1024)
    [ ! -f "tests/fuzz/dict/$target.dict" ] || options+=(-dict="tests/fuzz/dict/$target.dict")
    "$dir/tests/fuzz/fuzz_$target" "${options[@]}" -verbosity=0 -print_final_stats=1 \
      -artifact_prefix="$dir/$target-" "$dir/corpus/$target" "$dir/seeds/$target"
  done
}
