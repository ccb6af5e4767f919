#!/usr/bin/env bash
# Installs a build into a temporary folder and lets the example project verify its specs: cmake_function.sh
# BUILD_DIR SOURCE_DIR
set -euo pipefail
where=$(mktemp -d)
trap 'rm -rf "$where"' EXIT
quietly() { "$@" >"$where/log" 2>&1 || { cat "$where/log"; return 1; }; }
fail() { echo "FAILED: $1"; cat "$where/log"; exit 1; }
quietly cmake --install "$1" --prefix "$where/installed"
oddsbound=$where/installed/bin/oddsbound
cp -r "$2/examples/cmake" "$where/survey"
cd "$where"
configure() { quietly cmake -S survey -B build -DCMAKE_PREFIX_PATH="$where/installed"; }
tests() { ctest --test-dir build >log 2>&1; }

configure
tests || fail 'the specs of the example hold'
grep -q 'privacy: specs/survey.json .*Passed' log || fail 'there is a test of its own for a spec'
quietly cmake --build build --target privacy

# A claim that does not hold, in a file with a space in its name.
sed 's/"epsilon": "log(3)"}, /"epsilon": "log(2)"}, /' survey/specs/survey.json >'survey/specs/too much.json'
configure
tests && fail 'a claim that does not hold fails'
grep -q '50% tests passed, 1 tests failed out of 2' log || fail 'only the one fails'
grep -q 'privacy: specs/too much.json (Failed)' log || fail 'it is named'
cmake --build build --target privacy >log 2>&1 && fail 'the target fails as well'
# A reached limit does not pass either, nor does a broken file.
echo '{"oddsbound": 1}' >'survey/specs/too much.json'
tests && fail 'a broken spec fails'
rm 'survey/specs/too much.json'

with_arguments() { sed "s|^oddsbound_verify.*|oddsbound_verify($1)|" "$2/examples/cmake/CMakeLists.txt" >survey/CMakeLists.txt; }
complains() {
  with_arguments "$1" "$3"
  cmake -S survey -B build -DCMAKE_PREFIX_PATH="$where/installed" >log 2>&1 && fail "$1 is accepted"
  tr -s ' \n' ' ' <log | grep -qF "$2" || fail "$1 says: $2"
}
complains 'TARGET privacy' 'oddsbound_verify(privacy): SPECS is missing' "$2"
complains 'SPECS specs' 'TARGET is missing' "$2"
complains 'TARGET privacy SPECS spec' "oddsbound_verify(privacy): there is no $where/survey/spec" "$2"
complains 'TARGET privacy SPECS specs LOCK oddsbound.lock.json' "there is no $where/survey/oddsbound.lock.json" "$2"
complains 'TARGET privacy SPECS specs STRICT' 'STRICT is about the lock' "$2"
complains 'TARGET privacy SPECS specs WORKING_DIRECTORY nowhere' 'there is no directory' "$2"
complains 'privacy SPECS specs' 'unknown or empty arguments' "$2"

if "$oddsbound" --help | grep -q '^  lock '; then
  (cd survey && "$oddsbound" lock write specs >/dev/null)
  with_arguments 'TARGET privacy SPECS specs LOCK oddsbound.lock.json STRICT' "$2"
  configure
  tests || fail 'an unchanged spec agrees with its lock'
  grep -q 'privacy: lock .*Passed' log || fail 'there is a test for the lock'
  sed -i 's/"log(3)"/"log(5)"/g' survey/specs/survey.json
  tests && fail 'a level that grew fails'
  grep -q 'privacy: lock (Failed)' log || fail 'the lock notices'
else
  echo 'skipped: this program has no lock'
fi
echo 'all as expected'
