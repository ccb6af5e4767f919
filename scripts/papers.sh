#!/usr/bin/env bash
# Regenerates the figures and tables of the three papers, and the numbers in their text, as one HTML page, beside the published
# values.
# papers.sh [--tiny] [BUILD [PAGE]]: BUILD is a build folder, by default build/release, or build/dev. With --tiny, the
# experiments have tiny sizes: the page shows that all commands run, and its simulated numbers are meaningless.
# Experiments whose programs are not built show the stored numbers of docs/figures.
set -euo pipefail
cd "$(dirname "$0")/.."
tiny=
if [ "${1:-}" = --tiny ]; then tiny=1; shift; fi
build=${1:-}
for preset in dev release; do
  [ -n "${1:-}" ] || [ ! -x "build/$preset/cli/oddsbound" ] || build=build/$preset
done
[ -n "$build" ] && [ -x "$build/cli/oddsbound" ] || { echo 'papers.sh: no program; run scripts/build.sh release first' >&2; exit 2; }
page=${2:-build/papers.html}
[ -z "$tiny" ] || export ODDSBOUND_BENCH_TINY=1
exec python3 bench/papers.py "$build" "$page"
