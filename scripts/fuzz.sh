#!/usr/bin/env bash
# Every reader that a stranger's question reaches, fed with whatever finds new ways through it.
#
#     scripts/fuzz.sh [SECONDS_EACH [TARGET...]]     3600, and all targets, where nothing is said
#     scripts/fuzz.sh keep [TARGET...]               leaves of what was found only what finds ways of its own, and packs it
#
# Needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz). Inputs lie in fuzz/corpus, findings in fuzz/artifacts; the first
# finding ends it. What is kept from one time to the next is packed in fuzz/corpora, a file a target, which a run unpacks first.
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
