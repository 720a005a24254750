#!/usr/bin/env bash
# Labels games by one process and by 2 and 4 on 127.0.0.1: the same bytes, how long it took, and what was sent.
#
#   scripts/cluster_games.sh [GRUNDY [GAME...]]
#
# GRUNDY is the program, built with the feature `cluster` (default: target/release/grundy). GAME is what is labelled (five games).
# The last of the five has ten million positions.
set -euo pipefail
grundy=$(realpath "${1:-target/release/grundy}")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
cat > heaps.star <<'STAR'
def moves(p):
    a, b = p
    return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]
STAR
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > secret
empty='["....", "....", "....", "...."]'
label() {
    "$grundy" label --max-positions 100000000 --max-memory 8192 "$@"
}
# The time and the bytes sent, where several processes did it.
several() {
    count=$1
    shift
    for ((i = 0; i < count; i++)); do echo "127.0.0.1:$((18070 + i))"; done > hosts
    begun=$(date +%s%N)
    pids=()
    for ((i = 0; i < count; i++)); do
        "$grundy" label --max-positions 100000000 --max-memory 8192 "$@" --hosts hosts --process "$i" --secret-file secret \
            --output many.csv --metrics metrics &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid"; done
    cmp one.csv many.csv
    sent=$(sed -n 's/^grundy_label_sent_bytes_total //p' metrics)
    rounds=$(sed -n 's/^grundy_label_rounds_total //p' metrics)
    echo "  $count processes: $((($(date +%s%N) - begun) / 1000000)) ms, $((sent >> 10)) KiB sent, $rounds rounds"
}
game() {
    echo "$*"
    begun=$(date +%s%N)
    label "$@" --output one.csv
    echo "  one process: $((($(date +%s%N) - begun) / 1000000)) ms, $(($(wc -l < one.csv) - 1)) positions"
    several 2 "$@"
    several 4 "$@"
}
if [ $# -gt 1 ]; then
    game "${@:2}"
    exit
fi
game --rules heaps.star "game(moves, (300, 300))"
game "domineering(board(4, 4))"
game "nim(40, 40, 40)"
game "k_in_a_row([\"X...\", \".O..\", \"....\", \"....\"], 4)"
game "k_in_a_row($empty, 4)"
echo "the same bytes"
