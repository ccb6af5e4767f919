#!/usr/bin/env bash
# scripts/try.sh with programs that only pretend: what it says, where, and that a failed build shows its log.
set -euo pipefail
source=$1
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
fail() { echo "FAILED: $1"; cat "$where/said"; exit 1; }
mkdir -p "$where/scripts" "$where/bin" "$where/build/release/cli"
cp "$source/scripts/try.sh" "$where/scripts/"
printf '#!/bin/sh\necho "setup $*" >&2\n' >"$where/scripts/setup-debian.sh"
printf '#!/bin/sh\necho "levels: $*"\n' >"$where/build/release/cli/oddsbound"
cat >"$where/bin/cmake" <<'END'
#!/usr/bin/env bash
[ "$1" = --build ] || exit 0
for i in 1 2 3; do
  line=${NINJA_STATUS//%f/$i}
  echo "${line//%t/3}Building $i"
  sleep 1.2
done
exit "${BROKEN:-0}"
END
chmod +x "$where"/*/* "$where/build/release/cli/oddsbound"
export PATH=$where/bin:$PATH
"$where/scripts/try.sh" >"$where/levels" 2>"$where/said" || fail 'it ends with 0'
[ "$(cat "$where/levels")" = 'levels: analyze specs/gallery/titanic.json' ] || fail 'standard output has the levels alone'
head -n 1 "$where/said" | grep -q 'installs Debian packages.*8 minutes on two cores' || fail 'what it does, first'
grep -q '^  [3-9]0 %$' "$where/said" || fail 'progress'
if BROKEN=3 "$where/scripts/try.sh" >"$where/levels" 2>"$where/said"; then fail 'a failed build is a failure'; fi
grep -q 'Building 3' "$where/said" || fail 'the log of a failed build'
[ ! -s "$where/levels" ] || fail 'no levels after a failed build'
echo 'try.sh: all as expected'
