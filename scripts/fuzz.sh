# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev fuzz

cmd_fuzz() {
  local target targets=(elf fatbin archive zip note json toml lock) dir=build-fuzz
  [ $# = 0 ] || targets=("$@")
  cmd_setup
  need_packages clang-19 libclang-rt-19-dev
  [ -f "$dir/build.ninja" ] || cmake --preset fuzz
  cmake --build "$dir" -j "$jobs" --target "${targets[@]/#/fuzz_}"
  python3 -B tests/fuzz/corpus.py "$dir/seeds" "$(command -v nvcc || true)"
  for target in "${targets[@]}"; do
    say "fuzzing $target for ${CUDA_CC_FUZZ_SECONDS:=60} seconds"
    mkdir -p "$dir/corpus/$target"
    "$dir/tests/fuzz/fuzz_$target" -max_total_time="$CUDA_CC_FUZZ_SECONDS" -timeout=10 \
      -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1 -artifact_prefix="$dir/$target-" \
      "$dir/corpus/$target" "$dir/seeds/$target"
  done
}
