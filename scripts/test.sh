#!/usr/bin/env bash
# Sets up, builds and runs all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n-- %s (%ss)\n' "$1" "$SECONDS"; }
./scripts/setup-debian.sh
step 'build'
./scripts/build.sh dev
step 'tests'
ctest --preset dev
step 'done'
