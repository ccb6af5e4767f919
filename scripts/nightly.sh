#!/usr/bin/env bash
# Tests that take too long for every change: run by hand, on a build of the dev preset, before an issue is resolved.
# nightly.sh [STEP...]: all steps, or those named. A step that fails does not stop the others; its name is in the
# summary at the end, and the exit status is 1.
set -uo pipefail
cd "$(dirname "$0")/.."
only=" $* "
names=' ' failed='' times=''
dev=build/dev/cli/oddsbound
release=build/release/cli/oddsbound

step() {  # name, command
  if [ "$listing" ]; then
    names+="$1 "
    return
  fi
  [[ "$only" == '  ' || "$only" == *" $1 "* ]] || return 0
  printf '\n== %s\n' "$1"
  local begun=$SECONDS outcome='passed'
  (set -e; "${@:2}")  # not as a condition: `set -e` would have no effect there
  [ $? = 0 ] || { outcome='FAILED'; failed+=" $1"; }
  times+=$(printf '%6ds  %s: %s' $((SECONDS - begun)) "$1" "$outcome")$'\n'
}
check() { python3 "tests/checker/$1.py" "${@:2}"; }

# Every file includes what it uses: batches hide missing includes.
single_files() {
  cmake -S . -B build/single -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    -DODDSBOUND_WERROR=ON >/dev/null
  python3 scripts/check-single-files.py build/single
}
# The core alone, without any module, builds, installs and passes its tests.
core_alone() {
  cmake --preset dev -B build/core -DODDSBOUND_MODULES= -DODDSBOUND_BENCH=OFF >/dev/null
  cmake --build build/core
  ctest --test-dir build/core -j 2 --output-on-failure
  cmake --install build/core --prefix build/core/installed >/dev/null
}
# The unit tests under all sanitizers. The asan preset skips the checks of the undefined one that the address sanitizer
# also makes: they take a third of the compilation.
all_sanitizers() {
  cmake --preset asan -B build/undefined -DODDSBOUND_SANITIZE=address,undefined >/dev/null
  cmake --build build/undefined --target oddsbound_tests
  ctest --test-dir build/undefined -L unit -j 2 --output-on-failure
}
# The Python module in a Python without sanitizers: it is started with their runtime. Memory that the interpreter
# keeps until its end is no leak of the module. There is no program to compare with, since it is built by other
# compilers.
python_sanitizers() {
  cmake --preset asan -B build/asan-python -DODDSBOUND_TESTS=OFF -DODDSBOUND_FUZZ=OFF >/dev/null
  cmake --build build/asan-python --target oddsbound_python
  LD_PRELOAD="$(clang++-16 -print-file-name=libclang_rt.asan-x86_64.so) $(g++ -print-file-name=libstdc++.so)" \
    ASAN_OPTIONS=detect_leaks=0 PYTHONPATH="$PWD/build/asan-python/python" \
    /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/python --deselect tests/python/test_plugin.py \
    -k 'not ten_thousand and not ctrl_c'
}
# Tests that CI leaves out: what is installed, packaged and linked by others, and what takes long.
slow_tests() { ctest --test-dir build/dev -L '^nightly$' -j 2 --output-on-failure; }
# Tests of volume alone, which would take a quarter of CI's test time.
full_volume() {
  ODDSBOUND_FULL_VOLUME=1 build/dev/tests/oddsbound_tests \
    --source-file='*/audits/statistical_test.cpp,*/audits/findings_test.cpp,*/engine/output_search_test.cpp,*/notions/ways_of_sums_test.cpp,*/priors/*_test.cpp'
}
# Specs for which Z3 takes long.
slow_z3() {
  "$dev" verify --engine both specs/gallery/hair-eye-sex.json specs/claims-of-the-papers/bcdp-theorem-2-d3.json
}
exhaustive_formats() {
  local format
  for format in text json html markdown sarif junit github registry; do
    "$dev" audit --exhaustive --smt-seconds 0.0001 --accept-exceptions --format "$format" tests/cli/specs/large-choices.json > /dev/null
  done
}
design() { echo "specs/designs/$1.design.json"; }

steps() {
  step full-volume full_volume
  step slow-tests slow_tests
  step slow-z3 slow_z3
  step random-specs check check "$dev" --specs 2000 --seed "${SEED:-4}"
  step random-specs-both-engines check check "$dev" --specs 1500 --seed "${SEED:-5}" --engine both
  step changed-specs check spec_mutations "$dev" --mutations 20000 --random 200 --seed "${SEED:-17}"
  step tampered-sets check set_tampering "$dev" specs/sets-of-priors/*.json --random 1000 --seed "${SEED:-8}"
  step tampered-claims check claim_tampering "$dev" specs/gallery specs/claims-of-the-papers specs/parametric \
    specs/sets-of-priors specs/releases --tries 200 --random 600 --every-fault --seed "${SEED:-15}"
  step forged-claims check forging_campaign "$dev" --claims 2000 --seed "${SEED:-17}"
  step class-certificates check class_certificates --rounds 3000 --seed "${SEED:-18}"
  step large-certificates check large_certificates "$dev" specs/large --random 500 --seed "${SEED:-16}"
  step sets check sets "$dev" --random 400 --seed "${SEED:-9}"
  step sets-by-z3 check sets "$dev" --random 200 --seed "${SEED:-10}" --both
  step release-faults check release_faults "$dev" --all
  step random-releases check release_fuzz "$dev" --instances 210 --seed "${SEED:-11}"
  step sample-releases check check "$dev" specs/releases/*-[123].json
  step designs check designs "$dev" "$(design titanic)" "$(design titanic-about)" "$(design titanic-cdp)" "$(design hours)" \
    "$(design grid)" --random 300 --seed "${SEED:-13}"
  step column-designs check column_designs "$dev" specs/designs/passengers-*.design.json --random 300 --seed "${SEED:-13}"
  step product-designs check product_designs "$dev" "$(design titanic-by-attribute)" "$(design titanic-one-level)" \
    --random 200 --corners 20 --seed "${SEED:-13}"
  step lock-fuzz check lock_fuzz "$dev" --specs 2000 --seed "${SEED:-6}"
  step tune check tune "$dev" --specs 500 --seed "${SEED:-7}"
  step golden-cases python3 tests/cli/run.py "$dev" --all
  step docs-site ./scripts/docs.sh "$dev"
  step hostile-text python3 tests/cli/hostile_text.py "$dev" --all
  step headroom python3 tests/cli/headroom.py "$dev" --refreshes 100
  step changed-checkpoints python3 tests/cli/changed_checkpoints.py "$dev" --tries 2000 --seed "${SEED:-17}"
  step exhaustive-formats exhaustive_formats
  step browser tests/browser/gallery.sh "$dev" phone-light,phone-dark,desktop-light,desktop-dark
  # The Python package as users install it: from a clean clone, where CMake makes a build.
  step python-install env ODDSBOUND_PROGRAM="$PWD/$dev" tests/python/install.sh '' "$PWD" /usr/bin/python3
  # As built for users: the dev preset does not optimize the writers of results.
  step release-build ./scripts/build.sh release
  step packages ./scripts/package.sh
  # The Debian package for Python, installed by dpkg if run as root, and purged.
  step debian-python tests/python/dpkg.sh "$PWD/build/release" "$PWD"
  step debian-checker tests/checker/dpkg.sh "$PWD/build/release" "$PWD"
  step limits python3 tests/limits/run.py "$release" --all
  # Several processes, also after interruptions at any moment, give the result of one process.
  step several-processes python3 tests/cli/several_processes.py "$release" "$release-mpi"
  step kills python3 tests/cli/faults_of_processes.py "$release" "$release-mpi" --kills 200
  step core-alone core_alone
  step single-files single_files
  step all-sanitizers all_sanitizers
  step coverage ./scripts/coverage.sh
  step python-sanitizers python_sanitizers
  step fuzz ./scripts/fuzz.sh 600
  step tidy ./scripts/tidy.sh
}

listing=1 && steps
for name in $only; do
  [[ "$names" == *" $name "* ]] || { echo "no step is called $name; steps:$names" >&2; exit 2; }
done
listing='' && steps
printf '\n%s' "$times"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
