#!/usr/bin/env bash
# Installs a build into a temporary folder, compiles every installed header, and lets the example project link the
# library: install.sh BUILD_DIR SOURCE_DIR [--each]
set -euo pipefail
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
cmake --install "$1" --prefix "$where/installed" >"$where/log" || { cat "$where/log"; exit 1; }
include=$where/installed/include
find "$include" -name '*.h' | sort >"$where/headers"
[ "$(wc -l <"$where/headers")" -ge 2 ]
# The compiler needs the installed files only, and no library's headers: all of them at once, or each of them alone
# (for scripts/nightly.sh).
if [ "${3:-}" = --each ]; then
  xargs -a "$where/headers" -P 2 -I {} \
    c++ -std=c++20 -fsyntax-only -Wall -I "$include" -I "$include/oddsbound/internal" -include {} -x c++ /dev/null
else
  sed 's/.*/#include "&"/' "$where/headers" |
    c++ -std=c++20 -fsyntax-only -Wall -I "$include" -I "$include/oddsbound/internal" -x c++ -
fi
cmake -S "$2/examples/library" -B "$where/build" -DCMAKE_PREFIX_PATH="$where/installed" >"$where/log" || { cat "$where/log"; exit 1; }
cmake --build "$where/build" >"$where/log" || { cat "$where/log"; exit 1; }
[ "$("$where/build/main" | tail -n 1)" = "bcdp is refuted by output (yes,yes): 15/32 against 1/12" ]
[ "$("$where/build/lambda" | tail -n 1)" = "passes, contradicted" ]
"$where/installed/bin/oddsbound" verify "$where/installed/share/oddsbound/gallery" | tail -n 1
