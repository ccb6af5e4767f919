#!/usr/bin/env bash
# Builds the unit tests for line coverage, runs them, and fails if they cover less than 90 % of the library's lines.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset asan -B build/coverage -DODDSBOUND_SANITIZE= -DODDSBOUND_FUZZ=OFF -DODDSBOUND_COVERAGE=ON >/dev/null
cmake --build build/coverage --target oddsbound_tests
cd build/coverage
rm -rf profiles
LLVM_PROFILE_FILE="$PWD/profiles/%c%8m.profraw" ctest -L unit -j 2 --output-on-failure
llvm-profdata-16 merge -sparse profiles/*.profraw -o unit.profdata
llvm-cov-16 report tests/oddsbound_tests -instr-profile=unit.profdata -ignore-filename-regex='/(tests|build)/|^/usr/' \
  -show-region-summary=false -show-branch-summary=false >lines.txt
tail -1 lines.txt
covered=$(awk '$1 == "TOTAL" { print int($NF) }' lines.txt)
[ "$covered" -ge 90 ] || { echo "coverage.sh: $covered % of lines are covered, expected 90 % (build/coverage/lines.txt)" >&2; exit 1; }
