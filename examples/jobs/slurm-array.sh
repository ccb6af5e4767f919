#!/bin/bash
# An audit by as many shards as the array has tasks, for clusters without MPI:
#   sbatch --array=1-64 slurm-array.sh spec.json 1000000000
# and, when all of them are done:
#   sbatch --dependency=afterok:JOB slurm-merge.sh spec.json
# A shard that fails or is killed is submitted again: sbatch --array=17 slurm-array.sh spec.json 1000000000
#SBATCH --job-name=oddsbound-audit
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=08:00:00
set -euo pipefail
spec=$1
runs=$2
# Every shard has to have the same seed, and to be of as many.
shards=${ODDSBOUND_SHARDS:-$SLURM_ARRAY_TASK_COUNT}
exec oddsbound audit "$spec" --samples "$runs" --seed "${ODDSBOUND_SEED:-1}" --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --max-seconds 28000 --shard "$SLURM_ARRAY_TASK_ID/$shards" --output "part-$SLURM_ARRAY_TASK_ID.json"
