#!/usr/bin/env bash
# Labels the positions reachable in a user-defined game, kills the process with SIGKILL at random
# moments and resumes it each time. Checks that the table and the tablebase are byte-identical to
# those of an undisturbed run. With --ranked it labels Chomp by ranks.
#
#   scripts/kill_and_resume.sh [GRUNDY [KILLS [SIZE]]]
#   scripts/kill_and_resume.sh --ranked [GRUNDY [KILLS [SIZE]]]
#
# scripts/kill_cluster.sh does the same with several processes.
#
# GRUNDY is the program (default: target/release/grundy) and KILLS the number of kills (default:
# 20). The game has two heaps of SIZE chips (default: 150), hence (SIZE + 1)^2 positions. With
# --ranked it is a square bar of SIZE rows (default: 10), which has C(2 SIZE, SIZE) - 1 positions.
set -euo pipefail
ranked=
if [ "${1:-}" = --ranked ]; then
    ranked=yes
    shift
fi
grundy=$(realpath "${1:-target/release/grundy}")
kills=${2:-20}
size=${3:-${ranked:+10}}
size=${size:-150}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > rules.star <<'STAR'
def moves(p):
    a, b = p
    return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]
STAR

if [ "$ranked" ]; then
    bar=$(printf "$size, %.0s" $(seq "$size"))
    arguments=(label "chomp(${bar%, })" --ranked --values)
else
    arguments=(label --rules rules.star "game(moves, ($size, $size))" --best-move)
fi
arguments+=(--checkpoint state --every 0.01)

begun=$(date +%s%N)
"$grundy" "${arguments[@]}" --output whole.csv --tablebase whole
time=$((($(date +%s%N) - begun) / 1000000))
lines=$(wc -l < whole.csv)
echo "undisturbed: $time ms, $((lines - 1)) positions"

killed=0
finished=0
compare_outputs() {
    cmp whole.csv again.csv
    diff -r whole again
    finished=$((finished + 1))
    rm -r again again.csv
}
# Starts or resumes the work in the background.
start() {
    "$grundy" "${arguments[@]}" --output again.csv --tablebase again --resume 2> notes &
    running=$!
}
while [ "$killed" -lt "$kills" ]; do
    start
    # At most two thirds of the undisturbed time: since work accumulates over resumed runs, some
    # kills still hit the stage that writes the outputs.
    sleep "$(awk -v t="$time" -v r="$RANDOM" 'BEGIN { printf "%.3f", t * r / 32768 / 1500 }')"
    kill -KILL "$running" 2> /dev/null || true
    status=0
    wait "$running" 2> /dev/null || status=$?
    case $status in
        0) ;;
        137) killed=$((killed + 1)) ;;
        *)
            cat notes >&2
            exit "$status"
            ;;
    esac
    # A kill may come after only one of the two outputs was moved into place. It must be complete.
    if [ -e again.csv ] && [ -e again ]; then
        compare_outputs
    elif [ -e again ]; then
        diff -r whole again
        rm -r again
    fi
done
start
wait "$running" || { cat notes >&2; exit 1; }
compare_outputs
echo "killed $killed times, finished $finished times: the same bytes each time"
