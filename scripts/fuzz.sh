#!/usr/bin/env bash
# Fuzzes the parsers of untrusted input.
#
#     scripts/fuzz.sh [SECONDS_EACH [TARGET...]]     fuzz (default: 3600 s, all targets)
#     scripts/fuzz.sh keep [TARGET...]               minimize each corpus and archive it
#
# Needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz). Inputs are in fuzz/corpus,
# crashes in fuzz/artifacts; the first crash ends the run. Each run first unpacks the archived
# corpora from fuzz/corpora, one file for each target.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-3600}
targets=("${@:2}")
if [ ${#targets[@]} -eq 0 ]; then targets=(notation requests rules certificates pictures matrices edges moves); fi
limits=(-timeout=20 -rss_limit_mb=4096 -max_len=8192)

for target in "${targets[@]}"; do
    packed=fuzz/corpora/$target.tar.xz
    if [ "$what" = keep ]; then
        cargo +nightly fuzz cmin "$target" -- "${limits[@]}"
        mkdir -p fuzz/corpora
        tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --exclude='seed-*' -C fuzz/corpus -cJf "$packed" "$target"
    else
        if [ -e "$packed" ]; then tar -C fuzz/corpus -xJf "$packed"; fi
        cargo +nightly fuzz run "$target" -- -max_total_time="$what" "${limits[@]}"
    fi
done
