#!/usr/bin/env bash
# Installs the Debian package of the checker into this system by dpkg, checks a certificate with it, and purges it:
# dpkg.sh BUILD SOURCE. For nightly runs as root on a machine that may be changed. An existing installation is left
# alone. Without root, the package is unpacked into a folder and used from there.
set -euo pipefail
. "${0%/*}/../cli/packing.sh"
source=$2
name=python3-oddsbound-check
data=$source/checker/tests/data
pack $name -D CPACK_COMPONENTS_ALL=checker
say "Package: $name" 'Architecture: all' 'Depends: python3'
if [ "$(id -u)" != 0 ] || dpkg -s $name >"$where/status" 2>&1; then
  dpkg-deb --extract "$package" "$where/root"
  PYTHONPATH=$where/root/usr/lib/python3/dist-packages "$where/root/usr/bin/oddsbound-check" "$data"
  echo "$(basename "$package"): unpacked and used"
  exit 0
fi
trap 'dpkg --purge $name >/dev/null 2>&1 || true; rm -rf "$where"' EXIT
dpkg -i "$package" >"$where/log" 2>&1 || { cat "$where/log"; fail 'dpkg -i'; }
dpkg -L $name >"$where/files"
cd "$where"  # where no checkout hides the installed files
run() { env -u PYTHONPATH "$@"; }
run oddsbound-check "$data/averages.json" "$data/averages-certificate.json" || fail 'an honest certificate'
run oddsbound-check "$data" >"$where/said" || { cat "$where/said"; fail 'folders'; }
[ "$(run oddsbound-check "$data/averages.json" "$data/blocks-certificate.json"; echo $?)" != 0 ] || fail 'another certificate'
dpkg --purge $name >"$where/log" 2>&1 || { cat "$where/log"; fail 'dpkg --purge'; }
while read -r file; do
  case $file in */oddsbound_check* | */$name*) [ ! -e "$file" ] || fail "$file is left" ;; esac
done <files
echo "$(basename "$package"): installed, used and purged"
