#!/usr/bin/env bash
# Runs all checks and tests, those that fail fastest first.
#
#     ./test.sh            everything
#     ./test.sh --quick    checks, unit tests, golden answers and the examples of the documents
#
# Needs a Rust toolchain with rustfmt and clippy, and Python 3.10 or later. The full run installs
# node, chromium, Coq and the Debian Rust compiler for WebAssembly if they are missing. The Python
# package is tested in a virtual environment.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}

quick=false
case ${1-} in
"") ;;
--quick) quick=true ;;
*)
    echo "unknown option $1: use --quick, or no option for all tests" >&2
    exit 2
    ;;
esac

# The other workspaces depend on the engine by path. Their lock files must be updated whenever a
# crate of the engine gains a dependency.
for workspace in . cluster fuzz python; do
    (cd "$workspace" && cargo tree --locked >/dev/null)
done
python3 scripts/import_cycles.py
python3 scripts/check_text.py
cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
if $quick; then
    # `--workspace` selects the same features as the full run, so both use the same build.
    # The unit tests of the games run with those of the engine.
    cargo test --workspace --exclude grundy-games --locked --lib
    cargo test --workspace --locked --test all -- golden:: documents:: rulesets:: wording::
    exit
fi
cargo clippy -p grundy-cli --no-default-features --locked -- -D warnings
cargo test --workspace --locked
scripts/stub_tests.sh
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
scripts/test_library.sh
scripts/test_packages.sh
scripts/test_deploy.sh
scripts/test_proofs.sh
scripts/test_page.sh
scripts/book.sh
scripts/test_python.sh
scripts/test_workflows.sh
scripts/test_wasm.sh
scripts/test_static_page.sh
# Last, since both workspaces share the target folder and this program overwrites that of the first.
(
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
    cd cluster
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    cargo test --workspace --locked
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
)
