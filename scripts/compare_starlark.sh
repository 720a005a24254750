#!/usr/bin/env bash
# Compares the parser of rule files with that of the crate starlark_syntax.
#
#     scripts/compare_starlark.sh [PROGRAMS]
#
# Parses the rule files of examples/, the corpora of the fuzzer, and random programs (by default
# 120,000). Prints every text that the two parsers read differently. The first run compiles
# starlark_syntax, which takes some minutes, so ./test.sh does not run it.
set -euo pipefail
cd "$(dirname "$0")/.."
corpora=$(mktemp -d)
trap 'rm -rf "$corpora"' EXIT
for corpus in rules notation; do
    tar -xJf "fuzz/corpora/$corpus.tar.xz" -C "$corpora"
done
find examples/rules fuzz/corpus/rules "$corpora" -type f -print0 |
    xargs -0 -s 1000000 cargo run --release --quiet --locked \
        --manifest-path crates/syntax/comparison/Cargo.toml -- "${1:-120000}"
