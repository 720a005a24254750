#!/usr/bin/env bash
# Labels a random graph with one process, with one worker, and with 2 and 4 processes on 127.0.0.1.
# Checks that the tables are byte-identical, and prints CPU time and peak memory of each process.
#
#     scripts/cluster.sh [EDGES]
#
# GRUNDY is the program built in cluster/ (default: cluster/target/release/grundy).
set -euo pipefail
edges=${1:-10000000}
grundy=${GRUNDY:-cluster/target/release/grundy}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/moves"
for part in 0 1 2 3; do
    awk -v n="$((edges * 2 / 5))" -v m="$((edges / 4))" -v seed="$part" 'BEGIN {
        srand(seed); print "from,to"
        for (i = 0; i < m; i++) print int(rand() * n) "," int(rand() * n) }' > "$room/moves/$part.csv"
done
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > "$room/secret"

# Runs a command and prints its CPU time in seconds and its peak memory in MiB.
taken() {
    name=$1
    shift
    /usr/bin/env python3 - "$name" "$@" <<'PY'
import resource, subprocess, sys
code = subprocess.run(sys.argv[2:]).returncode
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{sys.argv[1]}: {use.ru_utime + use.ru_stime:.1f} s of the processor, {use.ru_maxrss >> 10} MiB")
sys.exit(code)
PY
}
options=(--max-positions 4000000000 --max-memory 16384)
taken "one process" "$grundy" label "$room/moves" "${options[@]}" --output "$room/one.csv"
taken "one worker" "$grundy" label "$room/moves" "${options[@]}" --workers 1 --output "$room/worker.csv"
cmp "$room/one.csv" "$room/worker.csv"
for count in 2 4; do
    for ((i = 0; i < count; i++)); do echo "127.0.0.1:$((17070 + i))"; done > "$room/hosts"
    pids=()
    for ((i = 0; i < count; i++)); do
        taken "process $i of $count" "$grundy" label "$room/moves" "${options[@]}" --hosts "$room/hosts" --process "$i" \
            --secret-file "$room/secret" --output "$room/$count.csv" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid"; done
    cmp "$room/one.csv" "$room/$count.csv"
done
echo "the same bytes"
