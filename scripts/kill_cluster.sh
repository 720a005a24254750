#!/usr/bin/env bash
# Labels a game with several processes on 127.0.0.1 and kills one or all of them with SIGKILL at
# random moments. Restarts them with --resume, each time with another number of processes and
# workers. Checks that the table and the tablebase are byte-identical to those of a single process.
#
#   scripts/kill_cluster.sh [GRUNDY [KILLS [GAME...]]]
#
# GRUNDY is the program built in cluster/ (default: cluster/target/release/grundy). KILLS is the
# number of kills (default: 50). GAME is the game (default: a random graph of 400000 moves in four
# files).
#
# Environment variables:
# - CHECKPOINT: the place of the checkpoints, such as s3://bucket/folder (default: a folder)
# - EVERY: the seconds between two checkpoints (default: 0.05)
# - EDGES: the number of moves of the graph
#
# The final report shows the cost of the kills. For each stage it has the longest time since the
# last checkpoint, or since the start if there was none. While the table is written, the time is
# that since its last flush to disk.
set -euo pipefail
grundy=$(realpath "${1:-cluster/target/release/grundy}")
kills=${2:-50}
game=("${@:3}")
folder=$(mktemp -d)
trap 'jobs -p | xargs -r kill -KILL 2> /dev/null; rm -rf "$folder"' EXIT
cd "$folder"
if [ ${#game[@]} -eq 0 ]; then
    mkdir moves
    for part in 0 1 2 3; do
        awk -v seed="$part" -v m="$((${EDGES:-400000} / 4))" 'BEGIN {
            srand(seed); print "from,to"
            for (i = 0; i < m; i++) print int(rand() * m * 1.6) "," int(rand() * m * 1.6) }' > "moves/$part.csv"
    done
    game=(moves)
fi
place=${CHECKPOINT:-state}
every=${EVERY:-0.05}
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > secret
"$grundy" label "${game[@]}" --output whole.csv --tablebase whole
# Below the range of ephemeral ports, so that outgoing connections cannot occupy them.
port=$((20000 + RANDOM % 12000))

# Starts $1 processes with $2 workers each.
start() {
    count=$1
    for ((i = 0; i < count; i++)); do echo "127.0.0.1:$((port + i))"; done > hosts
    port=$((port + count))
    pids=()
    for ((i = 0; i < count; i++)); do
        "$grundy" label "${game[@]}" --hosts hosts --process "$i" --secret-file secret --workers "$2" --checkpoint "$place" \
            --every "$every" --resume --metrics metrics --output again.csv --tablebase again 2> "notes.$i" &
        pids+=($!)
    done
}
begun=$(date +%s%N)
start 2 1
for pid in "${pids[@]}"; do wait "$pid"; done
time=$((($(date +%s%N) - begun) / 1000000))
echo "undisturbed, 2 processes: $time ms, $(($(wc -l < whole.csv) - 1)) positions"

killed=0
finished=0
resumed=0
compare_outputs() {
    cmp whole.csv again.csv
    diff -r whole again
    finished=$((finished + 1))
    rm -r again again.csv
}
compare_outputs
while [ "$killed" -lt "$kills" ]; do
    count=$((1 + RANDOM % 4))
    rm -f metrics
    started=$(date +%s.%N)
    start "$count" $((1 + RANDOM % 2))
    sleep "$(awk -v t="$time" -v r="$RANDOM" 'BEGIN { printf "%.3f", t * r / 32768 / 1000 }')"
    victim=$((RANDOM % (count + 1)))
    # A kill loses the work since the last checkpoint. Remember when that was.
    last=$(stat -c %.3Y "$place/manifest.json" .again.csv.mark.json .again.mark.json .again.cut.partial/mark.json 2> /dev/null |
        sort -n | tail -1 || true)
    last=${last:-$started}
    stage=$(sed -n 's/^grundy_label_stage{stage="\(.*\)"} 1$/\1/p' metrics 2> /dev/null || true)
    now=$(date +%s.%N)
    for ((i = 0; i < count; i++)); do
        # One process, or all of them.
        if [ "$victim" = "$count" ] || [ "$victim" = "$i" ]; then kill -KILL "${pids[i]}" 2> /dev/null || true; fi
    done
    lost=
    # A process that is not connected yet waits two minutes for the others. Kill it earlier, as a
    # supervisor that restarts all processes would.
    (sleep 15; kill -KILL "${pids[@]}" 2> /dev/null) &
    guard=$!
    for ((i = 0; i < count; i++)); do
        status=0
        wait "${pids[i]}" 2> /dev/null || status=$?
        case $status in
            0) ;;
            137) lost=yes ;;
            4)
                # The message must have one error line and tell the user to start all processes.
                if [ "$(grep -c '^error: ' "notes.$i")" != 1 ] || ! grep -q "start all processes" "notes.$i"; then
                    cat "notes.$i" >&2
                    exit 1
                fi
                ;;
            *)
                cat "notes.$i" >&2
                exit "$status"
                ;;
        esac
    done
    kill "$guard" 2> /dev/null || true
    wait "$guard" 2> /dev/null || true
    if [ "$lost" ]; then echo "${stage:-starting} $(awk -v a="$last" -v b="$started" -v c="$now" 'BEGIN { print c - (a > b ? a : b) }')" >> costs; fi
    # The program prints this if there is no checkpoint to resume from.
    if ! grep -q "no checkpoint yet" notes.0; then resumed=$((resumed + 1)); fi
    if [ "$lost" ]; then killed=$((killed + 1)); fi
    if [ -e again.csv ] && [ -e again ]; then
        compare_outputs
    fi
done
start $((1 + RANDOM % 4)) 1
for pid in "${pids[@]}"; do wait "$pid" || { cat notes.* >&2; exit 1; }; done
compare_outputs
sort costs | awk '{ n[$1]++; sum[$1] += $2; if ($2 > most[$1]) most[$1] = $2 }
    END { for (s in n) printf "killed %d times while %s: %.2f s at most since the last checkpoint, %.2f s on average\n", n[s], s, most[s], sum[s] / n[s] }'
if [ -e "$place" ] && [ -n "$(find "$place" -type f)" ]; then
    echo "the checkpoint was left behind" >&2
    exit 1
fi
# No shared temporary file of the table may remain. A killed process may leave those under its
# own name.
if ls -d .again.mark.json .again.csv.mark.json .again.cut.partial .again.csv.cut.partial 2> /dev/null; then
    echo "parts of a table were left behind" >&2
    exit 1
fi
echo "killed $killed times, found a checkpoint or were killed before they looked $resumed times, finished $finished times: the same bytes each time"
