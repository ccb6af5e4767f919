#!/usr/bin/env bash
# Installs a build into a temporary folder and lets the example project link it: install.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
cmake --install "$1" --prefix "$where/installed" >"$where/log" || { cat "$where/log"; exit 1; }
cmake -S "$2/examples/library" -B "$where/build" -DCMAKE_PREFIX_PATH="$where/installed" >"$where/log" || { cat "$where/log"; exit 1; }
cmake --build "$where/build" >"$where/log" || { cat "$where/log"; exit 1; }
[ "$("$where/build/oddsbound_example")" = "the LDP level is log(2)" ]
"$where/installed/bin/oddsbound" verify "$where/installed/share/oddsbound/gallery" | tail -n 1
