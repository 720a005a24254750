#!/usr/bin/env bash
# All checks and tests, in the order in which they are quickest to fail.
# Needs a Rust toolchain with rustfmt and clippy; cargo fetches the crates by name. The page is tried with node and chromium, which are
# installed where they are missing; the Python package with Python from 3.10 on, in an environment of its own; the engine as WebAssembly
# is built by the compiler of Debian and tried with node, and in the page without a server. The proofs are checked by Coq.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}

# The other workspaces take the engine's crates by path: their lock files follow when these take another crate.
for workspace in . cluster fuzz python; do
    (cd "$workspace" && cargo tree --locked >/dev/null)
done
python3 scripts/import_cycles.py
cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo clippy -p grundy-cli --no-default-features --locked -- -D warnings
cargo test --workspace --locked
scripts/stub_tests.sh
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
scripts/test_deploy.sh
scripts/test_proofs.sh
scripts/test_page.sh
scripts/test_python.sh
scripts/test_wasm.sh
scripts/test_static_page.sh
# Last, for its program takes the place of the other in the folder of the build, which both share.
(
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
    cd cluster
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    cargo test --workspace --locked
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
)
