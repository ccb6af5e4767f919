#!/usr/bin/env bash
# Makes the Debian packages of a build, unpacks the one for Python and uses its contents: package.sh BUILD SOURCE
# PYTHON
set -euo pipefail
. "${0%/*}/../cli/packing.sh"
pack python3-oddsbound -D CPACK_COMPONENTS_ALL=python
say 'Package: python3-oddsbound' 'Depends: .*libflint' 'Depends: .*python3-pandas' 'Depends: .*python3 (<< 3' 'Section: python'
dpkg -x "$package" "$where/root"
dpkg-deb --control "$package" "$where/control"
for script in postinst prerm; do sh -n "$where/control/$script"; done
cd "$where"  # where no checkout hides the packed files
run() { PYTHONPATH=$where/root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 "$3" "${@:4}"; }
run "$@" -c "
import oddsbound
assert oddsbound.__file__.startswith('$where'), oddsbound.__file__
assert str(oddsbound.analyze('$2/specs/gallery/titanic.json').bcdp['survived']) == 'log(1957115/772857)'
"
run "$@" -m pytest -q -p no:cacheprovider --oddsbound "$2/specs/gallery/warner.json" >pytest.txt || { cat pytest.txt; fail 'pytest'; }
grep -q '[0-9] passed' pytest.txt || fail 'pytest finds the plugin'
[ ! -e root/usr/bin ] || fail 'the program is in the other package'
echo "$(basename "$package"): all as expected"
