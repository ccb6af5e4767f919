#!/usr/bin/env bash
# Sets up, builds, and shows the exact privacy levels of a spec (by default: the Titanic's passengers).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# Progress goes to standard error: standard output has the levels alone.
say() { echo "try.sh: $*" >&2; }
say 'installs Debian packages, compiles oddsbound and analyzes a spec: some 8 minutes on two cores'
say "nothing is installed but these packages; the program stays in $root/build"
say '1/3: Debian packages'
"$root/scripts/setup-debian.sh" build
say '2/3: compiling; a second run compiles only what changed'
mkdir -p "$root/build"
log=$root/build/try.log
# In a terminal, ninja keeps its own line with what it compiles. Elsewhere, a line for each tenth.
compile() {
  if [ -t 2 ]; then
    NINJA_STATUS='  [%f of %t] ' cmake --build --preset release --target oddsbound_cli >&2
    return
  fi
  NINJA_STATUS='[%f of %t] ' cmake --build --preset release --target oddsbound_cli >>"$log" 2>&1 &
  local build=$! shown=0
  while kill -0 "$build" 2>/dev/null; do
    tenth=$(sed -n 's/^\[\([0-9]*\) of \([0-9]*\)\].*/\1 \2/p' "$log" | awk 'END { if (NF) print int(10 * $1 / $2) }')
    if [ "${tenth:-0}" -gt "$shown" ]; then
      shown=$tenth
      echo "  ${shown}0 %" >&2
    fi
    sleep 1
  done
  wait "$build" || { cat "$log" >&2; return 1; }
}
(cd "$root" && cmake --preset release >"$log" 2>&1) || { cat "$log" >&2; exit 1; }
(cd "$root" && compile)
# A path on the command line is relative to the user's directory, the default to the project.
[ $# -gt 0 ] || { cd "$root"; set -- specs/gallery/titanic.json; }
say "3/3: oddsbound analyze $1"
"$root/build/release/cli/oddsbound" analyze "$1"
say "the program is $root/build/release/cli/oddsbound"
