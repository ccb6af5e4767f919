#!/bin/bash
# One run by many processes, which goes on where the last job ended: sbatch --ntasks=64 slurm-mpi.sh survey.json
# Slurm sends SIGTERM two minutes before the time is over. Then what is known is written, and the job is queued again.
#SBATCH --job-name=oddsbound
#SBATCH --time=08:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail
spec=$1
mpirun oddsbound-mpi verify "$spec" --threads "${SLURM_CPUS_PER_TASK:-1}" --max-seconds 1e6 --checkpoint "$spec.checkpoint" \
  --checkpoint-seconds 300 --format json --output result.json &
run=$!
ended=no
trap 'ended=yes; kill -TERM $run' TERM
wait $run
status=$?
if [ $ended = yes ]; then
  wait $run  # for what is known to be written
  status=$?
  # It is there as long as something is open.
  [ ! -e "$spec.checkpoint" ] || scontrol requeue "$SLURM_JOB_ID"
fi
exit $status
