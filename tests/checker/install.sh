#!/usr/bin/env bash
# Installs the checker by pip into a clean environment, without network and other packages, and checks certificates with
# it: install.sh SOURCE PYTHON
set -euo pipefail
source=$1
python=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 PYTHONPATH=
"$work/venv/bin/pip" -q install "$source/checker"
cd "$work"  # where no checkout hides the installed files
"$work/venv/bin/oddsbound-check" "$source/checker/tests/data/averages.json" "$source/checker/tests/data/averages-certificate.json"
"$work/venv/bin/oddsbound-check" "$source/checker/tests/data" >said || { cat said; exit 1; }
tail -n 1 said
"$work/venv/bin/pip" -q uninstall -y oddsbound-check
[ ! -e "$work/venv/bin/oddsbound-check" ]
