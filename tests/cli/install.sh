#!/usr/bin/env bash
# Installs a build into a temporary folder, compiles every installed header alone, and lets the example project link the
# library: install.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
cmake --install "$1" --prefix "$where/installed" >"$where/log" || { cat "$where/log"; exit 1; }
include=$where/installed/include
find "$include" -name '*.h' | sort >"$where/headers"
[ "$(wc -l <"$where/headers")" -ge 2 ]
# All headers are in one folder.
[ "$(find "$include" -type f | grep -vc "^$include/oddsbound/[a-z_]*\.h$")" = 0 ]
# Each header needs the installed files and the standard library alone.
xargs -a "$where/headers" -P 2 -I {} c++ -std=c++20 -fsyntax-only -Wall -I "$include" -include {} -x c++ /dev/null
# The compiler reads at most twice as much as for the standard headers that are included.
echo '#include <oddsbound/oddsbound.h>' >"$where/all.cpp"
grep -hoE '^#include <[a-z_]+>' "$include"/oddsbound/*.h | sort -u >"$where/standard.cpp"
size() { c++ -std=c++20 -E -P -I "$include" "$1" | wc -c; }
[ "$(size "$where/all.cpp")" -le $((2 * $(size "$where/standard.cpp"))) ]
cmake -S "$2/examples/library" -B "$where/build" -DCMAKE_PREFIX_PATH="$where/installed" >"$where/log" || { cat "$where/log"; exit 1; }
cmake --build "$where/build" >"$where/log" || { cat "$where/log"; exit 1; }
[ "$("$where/build/main" | tail -n 1)" = "bcdp is refuted by output (yes,yes): 15/32 against 1/12" ]
[ "$("$where/build/lambda" | tail -n 1)" = "passes, contradicted" ]
"$where/installed/bin/oddsbound" verify "$where/installed/share/oddsbound/gallery" | tail -n 1
python3 "$2/tests/cli/examples_of_help.py" "$where/installed/bin/oddsbound" "$where/installed/share"
