#!/bin/bash
# What all shards of an audit found together.
#SBATCH --job-name=oddsbound-merge
#SBATCH --ntasks=1
set -euo pipefail
exec oddsbound audit merge part-*.json --format json --output audit.json
