#!/usr/bin/env bash
# Sets up, builds, and shows the exact privacy levels of a spec (by default: the Titanic's passengers).
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup-debian.sh
cmake --preset release >build.log 2>&1 && cmake --build --preset release >>build.log 2>&1 || { cat build.log >&2; exit 1; }
rm -f build.log
./build/release/cli/oddsbound analyze "${1:-specs/gallery/titanic.json}"
