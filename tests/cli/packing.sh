# Shared by the tests of packages; sourced with the build's folder as the first argument.
for program in cpack dpkg-deb dpkg-shlibdeps file; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 0; }
done
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
fail() { echo "FAILED: $1"; exit 1; }
build=$1
pack() {  # name, options of cpack: makes the package of that name, and its description
  (cd "$where" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$where/packages" "${@:2}" >log 2>&1) || { cat "$where/log"; exit 1; }
  package=$(echo "$where"/packages/"$1"_*.deb)
  dpkg-deb --info "$package" >"$where/info"
}
say() {  # lines
  for line in "$@"; do
    grep -q "^ $line" "$where/info" || { cat "$where/info"; fail "no line '$line'"; }
  done
}
