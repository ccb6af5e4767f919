#!/usr/bin/env bash
# Line coverage of verifier/ and specs/ by all tests; fails below 90 %.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset coverage
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage
gcovr --root . --object-directory build/coverage --filter verifier/ --filter specs/ \
  --exclude-unreachable-branches --print-summary --fail-under-line 90 -o build/coverage/lines.txt
