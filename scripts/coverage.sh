#!/usr/bin/env bash
# Line coverage of the library by the unit tests, which have run under the sanitizers; fails below 90 %.
set -euo pipefail
cd "$(dirname "$0")/../build/asan"
llvm-profdata-16 merge -sparse profiles/*.profraw -o unit.profdata
llvm-cov-16 report tests/oddsbound_tests -instr-profile=unit.profdata -ignore-filename-regex='/(tests|build)/|^/usr/' \
  -show-region-summary=false -show-branch-summary=false >lines.txt
tail -1 lines.txt
covered=$(awk '$1 == "TOTAL" { print int($NF) }' lines.txt)
[ "$covered" -ge 90 ] || { echo "coverage.sh: $covered % of lines are covered, expected 90 % (build/asan/lines.txt)" >&2; exit 1; }
