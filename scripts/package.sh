#!/usr/bin/env bash
# Builds what users install, on Debian 12, into build/packages (or the given folder): the Debian packages, a wheel that
# links Debian's shared libraries, and the source as a tarball. It needs the packages of scripts/setup-debian.sh.
# PRESET: the preset to build (default: release).
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../build/packages}")
cd "$(dirname "$0")/.."
say() { echo "package.sh: $*" >&2; }
for program in cmake ninja cpack dpkg-shlibdeps file git; do
  command -v "$program" >/dev/null || { say "$program is missing; run scripts/setup-debian.sh first"; exit 2; }
done
preset=${PRESET:-release}
python=/usr/bin/python3  # the one that Debian's pandas and NumPy are for
version=$(sed -n 's/^project(oddsbound VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
rm -f "$folder"/oddsbound-*.tar.gz "$folder"/oddsbound-*.whl "$folder"/{oddsbound,oddsbound-mpi,python3-oddsbound,python3-oddsbound-check}_*.deb
made=("$folder/oddsbound-$version.tar.gz")

say "1/4: the source, as it is committed"
git diff --quiet HEAD || say 'there are changes that are not committed; the tarball has none of them, the packages have all'
git archive --format=tar --prefix="oddsbound-$version/" HEAD | gzip -9n >"${made[0]}"

say "2/4: the build ($preset); the first one takes some minutes"
cmake --preset "$preset" -DODDSBOUND_PYTHON=ON -DPython_EXECUTABLE="$python" >&2
targets=(oddsbound oddsbound_cli oddsbound_pages oddsbound_python)
# Into a file: a pipe that grep closes early would fail.
cmake --build --preset "$preset" --target help >"$work/targets"
if grep -q '^oddsbound_mpi:' "$work/targets"; then targets+=(oddsbound_mpi); fi
cmake --build "build/$preset" --target "${targets[@]}" >&2

say '3/4: the Debian packages'
(cd "$work" && cpack -G DEB --config "$OLDPWD/build/$preset/CPackConfig.cmake" -B "$work/packages") >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
for package in "$work"/packages/*.deb; do
  cp "$package" "$folder/"
  made+=("$folder/${package##*/}")
done

say '4/4: the wheel'
ODDSBOUND_BUILD=$PWD/build/$preset "$python" -m pip -q --disable-pip-version-check wheel --no-index \
  --no-build-isolation --no-deps -w "$work/wheels" .
for wheel in "$work"/wheels/*.whl; do
  cp "$wheel" "$folder/"
  made+=("$folder/${wheel##*/}")
done
printf '%s\n' "${made[@]}"
