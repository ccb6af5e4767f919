#!/usr/bin/env bash
# Makes the Debian packages of a build, unpacks the one for Python and uses what was in it: package.sh BUILD SOURCE PYTHON
set -euo pipefail
for program in cpack dpkg-deb dpkg-shlibdeps file; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 0; }
done
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
fail() { echo "FAILED: $1"; exit 1; }
(cd "$where" && cpack -G DEB --config "$1/CPackConfig.cmake" -B "$where/packages" -D CPACK_COMPONENTS_ALL=python >log 2>&1) ||
  { cat "$where/log"; exit 1; }
package=$(echo "$where"/packages/python3-oddsbound_*.deb)
dpkg-deb --info "$package" >"$where/info"
for line in 'Package: python3-oddsbound' 'Depends: .*libflint' 'Depends: .*python3-pandas' 'Depends: .*python3 (<< 3' 'Section: python'; do
  grep -q "^ $line" "$where/info" || { cat "$where/info"; fail "no line '$line'"; }
done
dpkg -x "$package" "$where/root"
dpkg-deb --control "$package" "$where/control"
for script in postinst prerm; do sh -n "$where/control/$script"; done
cd "$where"  # where no checkout is found in place of what was packed
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
