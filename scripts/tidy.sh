#!/usr/bin/env bash
# scripts/tidy.sh [--most N] [BASE]: runs clang-tidy on the sources that changed since a commit (default:
# origin/main if it exists, otherwise the previous commit), including sources with changed headers and uncommitted
# ones. Prints the names of the checked files; exits with 1 if it finds something. --most: checks the N of them
# that changed most, and names the others. A file takes about 10 seconds of one core, with large headers (CLI11,
# nlohmann, doctest) twice that.
set -euo pipefail
cd "$(dirname "$0")/.."

most=1000000
if [ "${1:-}" = --most ]; then most=$2; shift 2; fi
base=${1:-}
if [ -z "$base" ]; then
  base=HEAD~1
  if git rev-parse --quiet --verify origin/main >/dev/null; then base=$(git merge-base origin/main HEAD); fi
fi
if ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
  echo "tidy: there is no commit '$base', so nothing is known to have changed"
  exit $([ "$base" = HEAD~1 ] && echo 0 || echo 2)  # a clone may hold one commit only
fi

# Batches hide which file is which, and GCC flags unknown to clang are no findings.
build=build/tidy
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_C_COMPILER=clang-16 -DCMAKE_CXX_COMPILER=clang++-16 >/dev/null

changed() {
  git diff --numstat --no-renames --diff-filter=d "$base" -- '*.cpp' '*.h' | sort -rn | cut -f 3
  git ls-files --others --exclude-standard -- '*.cpp' '*.h'
}
sources=()
while read -r file; do
  source=${file%.h}
  source=${source%.cpp}.cpp
  # A file that no target of this machine compiles has no flags to check it with.
  if [ -f "$source" ] && grep -qF "\"$PWD/$source\"" "$build/compile_commands.json"; then sources+=("$source"); fi
done < <(changed)
mapfile -t sources < <(printf '%s\n' "${sources[@]}" | sed '/^$/d' | awk '!known[$0]++')

echo "tidy: ${#sources[@]} sources changed since $(git rev-parse --short "$base")"
[ "${#sources[@]}" -eq 0 ] && exit 0
if [ "${#sources[@]}" -gt "$most" ]; then
  echo "not checked, for more than $most changed: ${sources[*]:$most}"
  sources=("${sources[@]:0:$most}")
fi
printf '%s\n' "${sources[@]}"
# xargs exits with 123 if some of its commands fail.
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy-16 -p "$build" --quiet 2> >(grep -vE '^[0-9]+ warnings? generated' >&2) || exit 1
