#!/usr/bin/env bash
# Fuzzes the spec reader for a number of seconds (default 60), from the gallery and the broken specs.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset fuzz
cmake --build --preset fuzz --target fuzz_spec_reader
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
mkdir "$corpus/found" "$corpus/seeds"
find specs/gallery tests/cli/broken -name '*.json' -size -64k -exec cp -t "$corpus/seeds" {} +
./build/fuzz/tests/fuzz/fuzz_spec_reader -max_total_time="${1:-60}" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
  -print_final_stats=1 -artifact_prefix=build/fuzz/ "$corpus/found" "$corpus/seeds" 2>build/fuzz/fuzz.log \
  || { tail -50 build/fuzz/fuzz.log; exit 1; }
grep -E 'number_of_executed_units|peak_rss' build/fuzz/fuzz.log
