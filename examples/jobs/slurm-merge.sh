#!/bin/bash
# What all shards of an audit found together. Its exit status is that of an audit: Slurm calls a job that ends with 1, as where a
# claim is contradicted, a failed one.
#SBATCH --job-name=oddsbound-merge
#SBATCH --ntasks=1
set -euo pipefail
oddsbound audit merge part-*.json --format json --output audit.json
