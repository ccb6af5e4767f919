#!/usr/bin/env bash
# Configures and builds a preset (default: dev).
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset "${1:-dev}"
cmake --build --preset "${1:-dev}"
