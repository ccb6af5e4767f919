#!/usr/bin/env bash
# Installs the dependencies of oddsbound on Debian 12. `setup-debian.sh build`: for building only, with `pip install .`.
# Without an argument: also for testing and measuring (a browser, shells, clang).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
what=${1:-all}
packages=(
  g++ cmake ninja-build ccache pkg-config git ca-certificates python3
  libgmp-dev libboost1.81-dev libflint-dev libflint-arb-dev nlohmann-json3-dev libcli11-dev libfmt-dev
  libz3-dev coinor-libclp-dev nodejs libssl-dev librandom123-dev libeigen3-dev libbenchmark-dev
  pybind11-dev python3-dev python3-setuptools python3-wheel python3-venv python3-pip
)
[ "$what" = build ] || packages+=(
  doctest-dev libvalijson-dev cvc5 procps clang-16 llvm-16 clang-tidy-16 clang-format-16 lld-16 libclang-rt-16-dev
  chromium dpkg-dev file python3-yaml zsh fish man-db groff-base shellcheck
  libopenmpi-dev openmpi-bin mkdocs mkdocs-material libjs-katex
  python3-numpy python3-pandas python3-pytest python3-tqdm mypy jupyter-nbconvert python3-ipykernel
)
# Node from elsewhere brings its own npm, which conflicts with Debian's.
command -v npm >/dev/null || packages+=(npm)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
# sudo drops the caller's environment, so the variable is set after it.
apt() {
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"
}
# Progress goes to standard error: standard output belongs to the command that follows.
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup-debian.sh: installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
  apt update -qq >&2
  apt install -y -qq --no-install-recommends "${missing[@]}" >&2
fi
# The bundler of the report's script. It is optional: without it, reports have no script.
web=$root/reports/web
wanted=playwright-core
options=()
if [ "$what" = build ]; then
  wanted=esbuild
  options=(--omit=dev)
fi
if [ ! -d "$web/node_modules/$wanted" ] || [ "$web/package-lock.json" -nt "$web/node_modules/.package-lock.json" ]; then
  (cd "$web" && npm ci --silent --no-audit --no-fund "${options[@]}") >&2 || {
    echo "setup-debian.sh: npm ci failed in reports/web; reports will have no script" >&2
    [ "$what" = build ]
  }
fi
