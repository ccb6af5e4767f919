#!/bin/bash
# An audit by shards on the cores of one machine: parallel.sh spec.json 100000000 8
# Run again after an interruption it skips the shards that are done.
set -euo pipefail
spec=$1
runs=$2
shards=$3
seq "$shards" | parallel --halt soon,fail=1 --joblog parts.log --resume-failed \
  oddsbound audit "$spec" --samples "$runs" --seed 1 --threads 1 --shard "{}/$shards" --output "part-{}.json"
exec oddsbound audit merge part-*.json
