#!/usr/bin/env bash
# Fails if a C++ file is not formatted; with --fix, formats all of them.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run -Werror)
[ "${1:-}" = --fix ] && mode=(-i)
git ls-files -z --cached --others --exclude-standard '*.h' '*.cpp' | xargs -0 clang-format-16 "${mode[@]}"
