#!/usr/bin/env bash
# Sets up, builds, and shows the exact privacy levels of a spec (by default: the Titanic's passengers).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/setup-debian.sh" build
mkdir -p "$root/build"
log=$root/build/try.log
(cd "$root" && cmake --preset release && cmake --build --preset release) >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
# A path on the command line is relative to the user's directory, the default to the project.
[ $# -gt 0 ] || { cd "$root"; set -- specs/gallery/titanic.json; }
"$root/build/release/cli/oddsbound" analyze "$1"
