#!/bin/sh
# What takes too long for every change: run by hand, on a build of the dev preset.
set -eu
cd "$(dirname "$0")/.."
python3 tests/limits/run.py build/dev/cli/oddsbound --all
