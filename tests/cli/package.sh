#!/usr/bin/env bash
# Makes a Debian package of a build, unpacks it into a temporary folder and runs what was in it: package.sh BUILD_DIR
set -euo pipefail
for program in cpack dpkg-deb dpkg-shlibdeps file; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 0; }
done
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
fail() { echo "FAILED: $1"; exit 1; }
# Standard output goes to a log; reading a pipe with `grep -q` would end the writer early.
(cd "$where" && cpack -G DEB --config "$1/CPackConfig.cmake" -B "$where/packages" >log 2>&1) || { cat "$where/log"; exit 1; }
package=$(echo "$where"/packages/oddsbound_*.deb)
dpkg-deb --info "$package" >"$where/info"
for line in 'Package: oddsbound' 'Maintainer: .* <.*@.*>' 'Depends: .*libc6 .*libflint' 'Depends: .*coinor-libclp1' 'Suggests: .*libgmp-dev'; do
  grep -q "^ $line" "$where/info" || { cat "$where/info"; fail "no line '$line'"; }
done
dpkg-deb --contents "$package" >"$where/contents"
awk '$2 != "root/root" {exit 1}' "$where/contents" || fail 'files belong to root'
dpkg -x "$package" "$where/root"
share=$where/root/usr/share
for file in bash-completion/completions/oddsbound zsh/vendor-completions/_oddsbound fish/vendor_completions.d/oddsbound.fish \
            doc/oddsbound/copyright doc/oddsbound/LICENSE oddsbound/oddsbound.schema.json ../include/oddsbound/oddsbound.h ../include/oddsbound/internal/results/report.h \
            ../lib/liboddsbound.a ../lib/cmake/oddsbound/oddsboundConfig.cmake ../lib/cmake/oddsbound/OddsboundVerify.cmake; do
  [ -s "$share/$file" ] || fail "no $file"
done
oddsbound=$where/root/usr/bin/oddsbound
"$oddsbound" verify "$share/oddsbound/gallery/warner.json" | tail -n 1
for shell in bash zsh fish; do "$oddsbound" completion $shell; done | cmp - <(cd "$share" && cat bash-completion/completions/oddsbound \
  zsh/vendor-completions/_oddsbound fish/vendor_completions.d/oddsbound.fish) || fail 'the completions are those of the program'
"$oddsbound" man | cmp - <(gzip -dc "$share/man/man1/oddsbound.1.gz") || fail 'the man page is that of the program'
echo "$(basename "$package"): all as expected"
