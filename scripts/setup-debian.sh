#!/usr/bin/env bash
# Installs every Debian 12 package that building, testing and measuring oddsbound needs.
set -euo pipefail
packages=(
  g++ cmake ninja-build ccache pkg-config git ca-certificates python3
  libgmp-dev libboost1.81-dev libflint-dev libflint-arb-dev nlohmann-json3-dev libcli11-dev libfmt-dev
  libz3-dev cvc5 procps nodejs libssl-dev librandom123-dev doctest-dev libvalijson-dev libbenchmark-dev libeigen3-dev
  clang-16 clang-tidy-16 clang-format-16 libclang-rt-16-dev gcovr
)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
# sudo drops the caller's environment, so the variable is set on its far side.
apt() {
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"
}
# apt's chatter goes to standard error: standard output belongs to the command that follows.
apt update -qq >&2
apt install -y -qq --no-install-recommends "${missing[@]}" >&2
