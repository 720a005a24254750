#!/usr/bin/env bash
# Runs the tests that take too long for ./test.sh. CONTRIBUTING.md lists them.
#
#     scripts/nightly.sh
#
# Needs the programs that ./test.sh needs, and 4 GiB of memory.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

GRUNDY_GAMES=500 GRUNDY_SUMS=10000 PROPTEST_CASES=1000 \
    cargo test --workspace --release --locked --lib --bins --tests -- --include-ignored
FORGED=1000 scripts/test_proofs.sh
GRUNDY=$CARGO_TARGET_DIR/release/grundy scripts/test_static_page.sh --long
