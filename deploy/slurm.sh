#!/usr/bin/env bash
#SBATCH --job-name=grundy
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --mem=16G
#SBATCH --requeue
# One process a node; what comes after the name of this script is what `grundy label` is given, such as: moves --tablebase table
# The file `secret` lies beside, made once by: openssl rand -hex 32 > secret
# A job that is put into the queue again goes on from the last checkpoint in the folder `state`, with another number of nodes if it is given one.
set -euo pipefail
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/:7070/' > "hosts.$SLURM_JOB_ID"
export HOSTS="hosts.$SLURM_JOB_ID"
# Each process puts in its own number.
# shellcheck disable=SC2016
srun --kill-on-bad-exit=1 bash -c \
    'exec grundy label "$@" --hosts "$HOSTS" --process "$SLURM_PROCID" --secret-file secret --max-memory 14336 \
    --checkpoint state --every 600 --resume' label "$@"
