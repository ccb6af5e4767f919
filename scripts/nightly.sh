#!/bin/sh
# Tests that take too long for every change: run by hand, on a build of the dev preset.
set -eu
cd "$(dirname "$0")/.."
# Every file includes what it uses: batches hide missing includes.
cmake -S . -B build/single -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=OFF -DODDSBOUND_WERROR=ON >/dev/null
cmake --build build/single -- -k 0
# The core alone, without any module: it builds, installs and passes its tests.
cmake --preset dev -B build/core -DODDSBOUND_MODULES= -DODDSBOUND_BENCH=OFF >/dev/null
cmake --build build/core
ctest --test-dir build/core -j 2 --output-on-failure
cmake --install build/core --prefix build/core/installed >/dev/null
# So does every header that is installed.
tests/cli/install.sh build/dev . --each
# All sanitizers. CI skips what the address sanitizer also finds, which would take a third of its compilation.
cmake --preset asan -B build/undefined -DODDSBOUND_SANITIZE=address,undefined >/dev/null
cmake --build build/undefined --target oddsbound_tests
ctest --test-dir build/undefined -L unit -j 2 --output-on-failure
# The Python module in a Python without sanitizers: it is started with their runtime. Memory that the interpreter keeps
# until its end is no leak of the module. There is no program to compare with, since it is built by other compilers.
cmake --preset asan -B build/asan-python -DODDSBOUND_TESTS=OFF -DODDSBOUND_FUZZ=OFF -DODDSBOUND_COVERAGE=OFF >/dev/null
cmake --build build/asan-python --target oddsbound_python
LD_PRELOAD="$(clang++-16 -print-file-name=libclang_rt.asan-x86_64.so) $(g++ -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/asan-python/python \
  /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/python --deselect tests/python/test_plugin.py \
  -k 'not ten_thousand and not ctrl_c'
# The Python package as users install it: from a clean clone, where CMake makes a build.
ODDSBOUND_PROGRAM="$PWD/build/dev/cli/oddsbound" tests/python/install.sh '' "$PWD" /usr/bin/python3
# Tests of volume alone, which would take a quarter of CI's test time.
ODDSBOUND_FULL_VOLUME=1 build/dev/tests/oddsbound_tests --source-file='*/audits/statistical_test.cpp,*/audits/findings_test.cpp,*/engine/output_search_test.cpp,*/priors/*_test.cpp'
# Specs for which Z3 takes long.
build/dev/cli/oddsbound verify --engine both specs/gallery/hair-eye-sex.json specs/claims-of-the-papers/bcdp-theorem-2-d3.json
# As built for users: the dev preset does not optimize the writers of results.
./scripts/build.sh release
# The Debian package for Python, installed by dpkg if run as root, and purged.
tests/python/dpkg.sh "$PWD/build/release" "$PWD"
python3 tests/limits/run.py build/release/cli/oddsbound --all
python3 tests/checker/check.py build/dev/cli/oddsbound --specs 2000 --seed "${SEED:-4}"
python3 tests/checker/check.py build/dev/cli/oddsbound --specs 1500 --seed "${SEED:-5}" --engine both
python3 tests/checker/spec_mutations.py build/dev/cli/oddsbound --mutations 20000 --random 200 --seed "${SEED:-17}"
python3 tests/checker/set_tampering.py build/dev/cli/oddsbound specs/sets-of-priors/*.json --random 1000 --seed "${SEED:-8}"
python3 tests/checker/claim_tampering.py build/dev/cli/oddsbound specs/gallery specs/claims-of-the-papers specs/parametric \
  specs/sets-of-priors specs/releases --tries 200 --random 600 --every-fault --seed "${SEED:-15}"
python3 tests/checker/forging_campaign.py build/dev/cli/oddsbound --claims 2000 --seed "${SEED:-17}"
python3 tests/checker/large_certificates.py build/dev/cli/oddsbound specs/large --slow --random 500 --seed "${SEED:-16}"
python3 tests/checker/sets.py build/dev/cli/oddsbound --random 400 --seed "${SEED:-9}"
python3 tests/checker/sets.py build/dev/cli/oddsbound --random 200 --seed "${SEED:-10}" --both
python3 tests/checker/release_faults.py build/dev/cli/oddsbound --all
python3 tests/checker/release_fuzz.py build/dev/cli/oddsbound --instances 210 --seed "${SEED:-11}"
python3 tests/checker/check.py build/dev/cli/oddsbound specs/releases/*-[123].json
python3 tests/checker/designs.py build/dev/cli/oddsbound specs/designs/titanic.design.json specs/designs/titanic-about.design.json \
  specs/designs/titanic-cdp.design.json specs/designs/hours.design.json specs/designs/grid.design.json --random 300 --seed "${SEED:-13}"
python3 tests/checker/column_designs.py build/dev/cli/oddsbound specs/designs/passengers-*.design.json --random 300 --seed "${SEED:-13}"
python3 tests/checker/product_designs.py build/dev/cli/oddsbound specs/designs/titanic-by-attribute.design.json \
  specs/designs/titanic-one-level.design.json --random 200 --corners 20 --seed "${SEED:-13}"
# Several processes, also after interruptions at any moment, give the result of one process.
python3 tests/cli/several_processes.py build/release/cli/oddsbound build/release/cli/oddsbound-mpi
python3 tests/cli/faults_of_processes.py build/release/cli/oddsbound build/release/cli/oddsbound-mpi --kills 200
python3 tests/cli/run.py build/dev/cli/oddsbound --all
python3 tests/cli/hostile_text.py build/dev/cli/oddsbound --all
python3 tests/cli/headroom.py build/dev/cli/oddsbound --refreshes 100
python3 tests/cli/changed_checkpoints.py build/dev/cli/oddsbound --tries 2000 --seed "${SEED:-17}"
python3 tests/checker/lock_fuzz.py build/dev/cli/oddsbound --specs 2000 --seed "${SEED:-6}"
python3 tests/checker/tune.py build/dev/cli/oddsbound --specs 500 --seed "${SEED:-7}"
for format in text json html markdown sarif junit github; do
  build/dev/cli/oddsbound audit --exhaustive --smt-seconds 0.0001 --accept-exceptions --format $format tests/cli/specs/large-choices.json > /dev/null
done
tests/browser/gallery.sh build/dev/cli/oddsbound phone-light,phone-dark,desktop-light,desktop-dark
./scripts/fuzz.sh 600
./scripts/tidy.sh
