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
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/moves"
for part in 0 1 2 3; do
    awk -v n="$((edges * 2 / 5))" -v m="$((edges / 4))" -v seed="$part" 'BEGIN {
        srand(seed); print "from,to"
        for (i = 0; i < m; i++) print int(rand() * n) "," int(rand() * n) }' > "$folder/moves/$part.csv"
done
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > "$folder/secret"

# Runs a command and prints its CPU time in seconds and its peak memory in MiB.
measure() {
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
measure "one process" "$grundy" label "$folder/moves" "${options[@]}" --output "$folder/one.csv"
measure "one worker" "$grundy" label "$folder/moves" "${options[@]}" --workers 1 --output "$folder/worker.csv"
cmp "$folder/one.csv" "$folder/worker.csv"
for count in 2 4; do
    for ((i = 0; i < count; i++)); do echo "127.0.0.1:$((17070 + i))"; done > "$folder/hosts"
    pids=()
    for ((i = 0; i < count; i++)); do
        measure "process $i of $count" "$grundy" label "$folder/moves" "${options[@]}" --hosts "$folder/hosts" --process "$i" \
            --secret-file "$folder/secret" --output "$folder/$count.csv" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid"; done
    cmp "$folder/one.csv" "$folder/$count.csv"
done
echo "the same bytes"
