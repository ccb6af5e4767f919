#!/usr/bin/env bash
# Makes a Debian package of a build, unpacks it into a temporary folder and runs it: package.sh BUILD_DIR
set -euo pipefail
. "${0%/*}/packing.sh"
# Standard output goes to a log; reading a pipe with `grep -q` would end the writer early.
pack oddsbound -D CPACK_COMPONENTS_ALL=Unspecified
say 'Package: oddsbound' 'Maintainer: .* <.*@.*>' 'Depends: .*libc6 .*libflint' 'Depends: .*coinor-libclp1' 'Suggests: .*libgmp-dev'
dpkg-deb --contents "$package" >"$where/contents"
awk '$2 != "root/root" {exit 1}' "$where/contents" || fail 'files belong to root'
dpkg -x "$package" "$where/root"
share=$where/root/usr/share
for file in bash-completion/completions/oddsbound zsh/vendor-completions/_oddsbound fish/vendor_completions.d/oddsbound.fish \
            doc/oddsbound/copyright doc/oddsbound/LICENSE doc/oddsbound/README.md doc/oddsbound/docs/tutorial.md \
            doc/oddsbound/examples/samplers/sampler.py oddsbound/designs/grid.design.json oddsbound/releases/survey.release.json \
            oddsbound/oddsbound.schema.json ../include/oddsbound/oddsbound.h ../include/oddsbound/interface.h \
            ../lib/liboddsbound.a ../lib/cmake/oddsbound/oddsboundConfig.cmake ../lib/cmake/oddsbound/OddsboundVerify.cmake; do
  [ -s "$share/$file" ] || fail "no $file"
done
oddsbound=$where/root/usr/bin/oddsbound
"$oddsbound" verify "$share/oddsbound/gallery/warner.json" | tail -n 1
for shell in bash zsh fish; do "$oddsbound" completion $shell; done | cmp - <(cd "$share" && cat bash-completion/completions/oddsbound \
  zsh/vendor-completions/_oddsbound fish/vendor_completions.d/oddsbound.fish) || fail 'the completions are those of the program'
"$oddsbound" man | cmp - <(gzip -dc "$share/man/man1/oddsbound.1.gz") || fail 'the man page is that of the program'
grep -q 'mpi' "$where/info" && fail 'the program alone needs no MPI'
echo "$(basename "$package"): all as expected"
