#!/usr/bin/env bash
# Makes the Debian package of the program for several processes, unpacks it and runs it: package_mpi.sh BUILD SOURCE
set -euo pipefail
. "${0%/*}/packing.sh"
pack oddsbound-mpi -D CPACK_COMPONENTS_ALL=mpi
say 'Package: oddsbound-mpi' 'Depends: .*libopenmpi' 'Depends: .*openmpi-bin' 'Section: math'
dpkg -x "$package" "$where/root"
[ ! -e "$where/root/usr/bin/oddsbound" ] || fail 'the program that works alone is in the other package'
for file in doc/oddsbound-mpi/copyright doc/oddsbound-mpi/LICENSE doc/oddsbound-mpi/changelog.gz man/man1/oddsbound-mpi.1.gz; do
  [ -s "$where/root/usr/share/$file" ] || fail "no $file"
done
gzip -dc "$where/root/usr/share/man/man1/oddsbound-mpi.1.gz" | cmp - "$2/cmake/oddsbound-mpi.1" || fail 'the man page'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --oversubscribe -n 2 "$where/root/usr/bin/oddsbound-mpi" verify "$2/specs/gallery/warner.json" | tail -n 1
echo "$(basename "$package"): all as expected"
