#!/usr/bin/env bash
# Every reader that a stranger's question reaches, fed with whatever finds new ways through it.
#
#     scripts/fuzz.sh [SECONDS_EACH]     3600 where nothing is said
#
# Needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz). Corpora stay in fuzz/corpus, findings in fuzz/artifacts; the
# first finding ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-3600}
for target in notation requests rules certificates pictures matrices edges moves; do
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=8192
done
