#!/usr/bin/env bash
# Sets up, builds and runs all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup-debian.sh
cmake --preset dev
cmake --build --preset dev
ctest --preset dev
