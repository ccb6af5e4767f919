#!/usr/bin/env bash
# The report of the whole gallery, in both modes, in headless Chromium: gallery.sh BINARY [VIEWS]. Smaller reports
# are examined in every view (figures.mjs, hostile.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" verify --format html --output "$folder/live.html" specs/gallery
"$1" verify --format html --output "$folder/static.html" --static specs/gallery
node tests/browser/report.mjs "$folder/live.html" --views "${2:-phone-dark}" --contains 'titanic'
node tests/browser/report.mjs "$folder/static.html" --static --views "${2:-desktop-light}" --contains 'titanic'
