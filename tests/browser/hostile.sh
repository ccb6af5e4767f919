#!/usr/bin/env bash
# Names that an attacker would choose, verified and audited, in both modes: hostile.sh BINARY
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
spec=tests/cli/specs/hostile-report.json
"$1" verify --figures --format json --output "$folder/verified.json" $spec || [ $? -eq 1 ]
"$1" audit --seed 1 --until --samples 20000 --format json --output "$folder/audited.json" $spec specs/gallery/titanic.json || [ $? -le 1 ]
"$1" audit --exhaustive --format json --output "$folder/exhaustive.json" $spec
name='</script><img src=x onerror=alert(1)>'
for mode in '' --static; do
  "$1" report $mode "$folder"/{verified,audited,exhaustive}.json --output "$folder/report.html"
  node tests/browser/report.mjs "$folder/report.html" $mode --contains "$name"
  releases=tests/cli/releases/hostile
  "$1" release $mode $releases.release.json $releases.csv --seed 1 --format html --output "$folder/release.html"
  node tests/browser/report.mjs "$folder/release.html" $mode --views phone-light,desktop-dark --contains "$name"
  "$1" design $mode tests/cli/designs/hostile.design.json --output "$folder/design.html"
  node tests/browser/report.mjs "$folder/design.html" $mode --views phone-light,desktop-dark --contains "$name"
  "$1" repair $mode tests/cli/designs/hostile-repair.json --output "$folder/repair.html"
  node tests/browser/report.mjs "$folder/repair.html" $mode --views phone-dark,desktop-light --contains "$name"
done
