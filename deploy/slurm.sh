#!/usr/bin/env bash
#SBATCH --job-name=grundy
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --mem=16G
#SBATCH --requeue
# Runs one process of a distributed labelling on each node. The arguments are passed to
# `grundy label`, for example `moves --tablebase table`. Create the file `secret` in this folder
# once: openssl rand -hex 32 > secret
#
# A requeued job resumes from the last checkpoint in the folder `state`, also with another number
# of nodes.
set -euo pipefail
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/:7070/' > "hosts.$SLURM_JOB_ID"
export HOSTS="hosts.$SLURM_JOB_ID"
# The single quotes are intended: $SLURM_PROCID expands on each node, to the number of its process.
# shellcheck disable=SC2016
srun --kill-on-bad-exit=1 bash -c \
    'exec grundy label "$@" --hosts "$HOSTS" --process "$SLURM_PROCID" --secret-file secret --max-memory 14336 \
    --checkpoint state --every 600 --resume' label "$@"
