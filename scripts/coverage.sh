#!/usr/bin/env bash
# Line coverage of the library by all tests; fails below 90 %.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset coverage
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage
gcovr --root . --object-directory build/coverage --filter verifier/ --filter mechanisms/ --filter specs/ --filter audits/ --filter reports/ \
  --exclude-unreachable-branches --print-summary --fail-under-line 90 -o build/coverage/lines.txt
