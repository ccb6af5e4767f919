#!/usr/bin/env bash
# Builds the manual as a site in build/docs-site, without network. Open build/docs-site/index.html; only the search
# needs a server (python3 -m http.server --directory build/docs-site).
# docs.sh [BINARY]: the program whose options the site lists; by default that of the dev or the release preset.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=${1:-}
for preset in dev release; do
  [ -n "$binary" ] || [ ! -x "build/$preset/cli/oddsbound" ] || binary=build/$preset/cli/oddsbound
done
[ -n "$binary" ] || { echo 'docs.sh: no program in build/dev or build/release; run scripts/build.sh first' >&2; exit 2; }
[ -f "$binary" ] && [ -x "$binary" ] || { echo "docs.sh: $binary is no program" >&2; exit 2; }
katex=/usr/share/javascript/katex
if [ ! -x /usr/bin/mkdocs ] || [ ! -f "$katex/katex.min.js" ]; then
  echo 'docs.sh: needs the packages mkdocs, mkdocs-material and libjs-katex (scripts/setup-debian.sh)' >&2
  exit 2
fi
/usr/bin/python3 docs/site/stage.py "$binary" build/docs-source "$katex"
/usr/bin/mkdocs build --strict --clean --quiet
/usr/bin/python3 tests/docs/site.py build/docs-site
