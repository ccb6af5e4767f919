#!/usr/bin/env bash
# Installs a wheel of the checkout into a clean environment, where a program, pytest's plugin and mypy use it:
# install.sh BUILD SOURCE PYTHON
#
# BUILD: a build folder with the module. If empty, a clean clone of SOURCE is installed, in which CMake makes a
# build, and the whole gallery is compared with the output of the program ODDSBOUND_PROGRAM.
set -euo pipefail
build=$1
source=$2
python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv --system-site-packages "$work/venv"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 PYTHONPATH=
if [ -n "$build" ]; then
  export ODDSBOUND_BUILD=$build
else
  unset ODDSBOUND_BUILD
  git clone -q "$source" "$work/source"
  # The program's pages have the script of figures if npm's packages were present at build time: so provide them
  # here too.
  [ ! -e "$source/reports/web/node_modules" ] || ln -s "$source/reports/web/node_modules" "$work/source/reports/web/"
  source=$work/source
fi
"$work/venv/bin/pip" -q install --no-deps "$source"  # nothing is downloaded: scripts/build_backend.py
cd "$work"  # where no checkout hides the installed files
run() { "$work/venv/bin/python" "$@"; }
run -c "
import oddsbound, pathlib, sys
assert pathlib.Path(oddsbound.__file__).is_relative_to(sys.prefix), oddsbound.__file__
level = oddsbound.analyze('$source/specs/gallery/titanic.json').bcdp['survived']
assert str(level) == 'log(1957115/772857)' and level.words.startswith('output')
"
run -m pytest -q -p no:cacheprovider --oddsbound "$source/specs/gallery/warner.json" >pytest.txt || { cat pytest.txt; exit 1; }
grep -q '[0-9] passed' pytest.txt
if [ -z "$build" ]; then
  run -m pytest -q -p no:cacheprovider "$source/tests/python/test_equality.py" >pytest.txt || { cat pytest.txt; exit 1; }
  if grep skipped pytest.txt; then exit 1; fi
fi
cp "$source"/tests/python/typed_*.py .
run -m mypy --strict --python-executable "$work/venv/bin/python" typed_use.py
run -m mypy --strict --disallow-any-expr --python-executable "$work/venv/bin/python" typed_results.py
# A notebook runs in the environment by a kernel of its own, as docs/python.md says.
if run -c 'import nbconvert, ipykernel' 2>notebook.txt; then
  run -m ipykernel install --prefix "$work/venv" >notebook.txt 2>&1
  run -m nbconvert --to markdown --execute "$source/docs/notebooks/audit.ipynb" --output-dir "$work" >notebook.txt 2>&1 ||
    { cat notebook.txt; exit 1; }
  grep -q 'contradicted' audit.md
fi
"$work/venv/bin/oddsbound-check" "$source/checker/tests/data" >said.txt || { cat said.txt; exit 1; }
printf 'import oddsbound\noddsbound.Level(1.5)\n' >wrong_use.py
if run -m mypy --python-executable "$work/venv/bin/python" wrong_use.py >mypy.txt; then exit 1; fi  # types are seen
grep -q 'incompatible type' mypy.txt
"$work/venv/bin/pip" -q uninstall -y oddsbound
"$work/venv/bin/pip" -q wheel --no-build-isolation --no-deps -w "$work/wheels" "$source"
"$work/venv/bin/pip" -q install --no-deps "$work"/wheels/oddsbound-*.whl
run -c 'import oddsbound; print(oddsbound.Level("log(3)").exp)' | grep -qx 3
size=$(stat -c %s "$work"/wheels/oddsbound-*.whl)
echo "the wheel has $((size / 1024)) kB"
