#!/usr/bin/env bash
# Fuzzes the readers for a number of seconds of one core (default 60): specs (from the gallery and the broken
# ones), and in parallel tables, releases, results, locks, and checkpoints.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset asan
cmake --build --preset asan --target fuzz_targets
export LLVM_PROFILE_FILE=/dev/null
corpus=$(mktemp -d)
trap 'wait; rm -rf "$corpus"' EXIT
fuzz() {  # target, seconds, seed files
  local target=$1 seconds=$2
  shift 2
  mkdir -p "$corpus/$target/found" "$corpus/$target/seeds"
  cp --backup=numbered -t "$corpus/$target/seeds" "$@"  # folders may share file names
  "./build/asan/tests/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -print_final_stats=1 -artifact_prefix=build/asan/ "$corpus/$target/found" "$corpus/$target/seeds" \
    2>"build/asan/$target.log" || { tail -50 "build/asan/$target.log"; exit 1; }
  grep -E 'number_of_executed_units|peak_rss' "build/asan/$target.log"
}
seconds=${1:-60}
# Longer files would be cut off.
mapfile -t specs < <(find specs tests/cli/broken -name '*.json' ! -name '*.schema.json' -size -9k)
python3 tests/cli/made.py "$corpus/made"
mapfile -t tables < <(find tests/cli/data -name '*.csv')
fuzz fuzz_spec_reader $((seconds * 5 / 8)) "${specs[@]}" &  # in parallel with the others: each keeps one core busy
reader=$!
mapfile -t audits < <(find audits/plans tests/cli/plans "$corpus/made/tests/cli/data" -name '*.json' -o -name 'transcript*.csv')
fuzz fuzz_collected $((seconds / 8)) "${tables[@]}"
fuzz fuzz_audit_files $((seconds / 8)) "${audits[@]}"
mapfile -t results < <(find "$corpus/made/tests/cli/data" -name '*results*.json' -size -16k; find tests/cli/data -name '*lock*.json')
fuzz fuzz_results $((seconds / 8)) "${results[@]}"
mapfile -t releases < <(find specs/releases specs/designs tests/cli/releases tests/cli/designs \( -name '*.release.json' -o -name '*.design.json' -o -name '*spent*.json' -o -name '*.csv' \) -size -9k; ls tests/cli/golden/release*json.out)
fuzz fuzz_releases $((seconds / 8)) "${releases[@]}"
# No program writes a checkpoint here: fuzzing finds the rest after the header.
printf 'oddsbound checkpoint 1\n' >"$corpus/made/begun.checkpoint"
fuzz fuzz_checkpoints $((seconds / 8)) "$corpus/made/begun.checkpoint"
wait "$reader"
