#!/bin/bash
# An audit by 64 shards, for clusters without MPI, and their merge once all of them are done:
#   shards=$(sbatch --parsable --array=1-64 slurm-array.sh spec.json 1000000000 64)
#   sbatch --dependency="afterok:$shards" slurm-merge.sh
# A shard that was killed is submitted again, with the number of all shards: sbatch --array=17 slurm-array.sh spec.json 1000000000 64
#SBATCH --job-name=oddsbound-audit
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=08:00:00
set -euo pipefail
spec=$1
runs=$2
shards=$3
# Parts belong together where seed, runs and number of shards are the same.
exec oddsbound audit "$spec" --samples "$runs" --seed "${ODDSBOUND_SEED:-1}" --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --max-seconds 28000 --shard "$SLURM_ARRAY_TASK_ID/$shards" --output "part-$SLURM_ARRAY_TASK_ID.json"
