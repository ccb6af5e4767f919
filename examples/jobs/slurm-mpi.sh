#!/bin/bash
# One run by many processes, which goes on where an earlier job was ended:
#   sbatch --job-name=survey --ntasks=64 slurm-mpi.sh analyze survey.json
# leaves its result in survey.result.json. What is known is kept in survey.checkpoint: two jobs of one folder need two names.
# Slurm tells the script two minutes before the time is over. The program then writes what it knows, and the job queues up again;
# so it does after `scancel --batch --signal=TERM JOB`.
#SBATCH --job-name=oddsbound
#SBATCH --time=08:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail
checkpoint=$SLURM_JOB_NAME.checkpoint
# Bound to a core each, as Open MPI does by itself, processes could not use more than one thread.
mpirun --bind-to none oddsbound-mpi "$@" --threads "${SLURM_CPUS_PER_TASK:-1}" --max-seconds 1000000 \
  --checkpoint "$checkpoint" --checkpoint-seconds "${ODDSBOUND_CHECKPOINT_SECONDS:-300}" --format json --output "$SLURM_JOB_NAME.result.json" &
run=$!
ended=no
# Not mpirun, which would kill all processes soon after: the program of rank 0, which is here, and ends the others itself.
# A second signal would end it before it has written, so only the first one counts.
trap 'trap "" TERM; ended=yes; pkill -TERM -P "$run" oddsbound-mpi' TERM
wait "$run"
status=$?
if [ "$ended" = yes ]; then
  wait "$run"
  status=$?
  # The checkpoint is there as long as something is open. Who cancels a job does not want it back: it is COMPLETING then.
  if [ -e "$checkpoint" ] && [ "$(squeue -h -j "$SLURM_JOB_ID" -o %T)" = RUNNING ]; then
    scontrol requeue "$SLURM_JOB_ID"
  fi
fi
exit "$status"
