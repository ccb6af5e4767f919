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
releases=tests/cli/releases/hostile
check() {  # mode ('' or --static), page, views
  node tests/browser/report.mjs "$folder/$2.html" $1 --views "$3" --contains "$name"
}
make_pages() {  # mode
  "$1" report $2 "$folder"/{verified,audited,exhaustive}.json --output "$folder/report.html"
  "$1" release $2 $releases.release.json $releases.csv --seed 1 --format html --output "$folder/release.html"
  "$1" design $2 tests/cli/designs/hostile.design.json --output "$folder/design.html"
  "$1" repair $2 tests/cli/designs/hostile-repair.json --output "$folder/repair.html"
}
make_pages "$1" ''
check '' report phone-light,phone-dark,desktop-light,desktop-dark
check '' release phone-light,desktop-dark
check '' design phone-light,desktop-dark
check '' repair phone-dark,desktop-light
# The same drawings without the script.
make_pages "$1" --static
check --static report desktop-dark
for page in release design repair; do check --static $page phone-light; done
