#!/usr/bin/env bash
# Installs the Debian package for Python into this system by dpkg, uses it with the system's Python, and purges it:
# dpkg.sh BUILD SOURCE. For nightly runs as root on a machine that may be changed. An existing installation is left
# alone.
set -euo pipefail
. "${0%/*}/../cli/packing.sh"
source=$2
name=python3-oddsbound
[ "$(id -u)" = 0 ] || { echo 'skipped: only root installs packages'; exit 0; }
! dpkg -s $name >"$where/status" 2>&1 || { echo "skipped: $name is installed already"; exit 0; }
pack $name -D CPACK_COMPONENTS_ALL=python
trap 'dpkg --purge $name >/dev/null 2>&1 || true; rm -rf "$where"' EXIT
dpkg -i "$package" >"$where/log" 2>&1 || { cat "$where/log"; fail 'dpkg -i (its dependencies are those of scripts/setup-debian.sh)'; }
dpkg -L $name >"$where/files"
cd "$where"  # where no checkout hides the installed files
run() { env -u PYTHONPATH "$@"; }
run /usr/bin/python3 -c "
import oddsbound, pathlib, importlib.metadata
here = pathlib.Path(oddsbound.__file__)
assert str(here) == '/usr/lib/python3/dist-packages/oddsbound/__init__.py', here
assert list((here.parent / '__pycache__').glob('_specs.*.pyc')), 'postinst compiles'
assert importlib.metadata.version('oddsbound'), 'pip knows it'
"
for tests in "--oddsbound $source/specs/gallery/titanic.json" "$source/tests/python/test_equality.py"; do
  run PYTHONDONTWRITEBYTECODE=1 ODDSBOUND_PROGRAM="$build/cli/oddsbound" \
    /usr/bin/python3 -m pytest -q -p no:cacheprovider --rootdir "$where" $tests >pytest.txt || { cat pytest.txt; fail "pytest $tests"; }
  grep -q '[0-9] passed' pytest.txt || { cat pytest.txt; fail "pytest $tests"; }
  ! grep -q skipped pytest.txt || { cat pytest.txt; fail "pytest $tests: all tests are to run"; }
done
dpkg --purge $name >"$where/log" 2>&1 || { cat "$where/log"; fail 'dpkg --purge'; }
! dpkg -s $name >/dev/null 2>&1 || fail 'dpkg still knows it'
while read -r file; do
  case $file in */oddsbound* | */$name*) [ ! -e "$file" ] || fail "$file is left" ;; esac
done <files
! run /usr/bin/python3 -c 'import oddsbound' 2>/dev/null || fail 'it can still be imported'
echo "$(basename "$package"): installed, used and purged"
