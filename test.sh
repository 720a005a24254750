#!/usr/bin/env bash
# Runs all checks and tests, those that fail fastest first, and prints the seconds of each step.
#
#     ./test.sh            everything but the long tests, which scripts/nightly.sh runs
#     ./test.sh --quick    checks, unit tests, golden answers and the examples of the documents
#
# Needs a Rust toolchain with rustfmt and clippy, and Python 3.10 or later. The full run installs
# node, chromium, Coq, a C++ compiler and the Debian Rust compiler for WebAssembly if they are
# missing. The Python package is tested in a virtual environment.
set -euo pipefail
cd "$(dirname "$0")"
source scripts/tools.sh
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}
# scripts/nightly.sh runs more cases.
export PROPTEST_CASES=${PROPTEST_CASES:-64}
# Some tests wait for a timeout of the program, so more tests than cores run at a time.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-4}
# All workspaces share the compiled dependencies.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

quick=false
case ${1-} in
"") ;;
--quick) quick=true ;;
*)
    echo "unknown option $1: use --quick, or no option for all tests" >&2
    exit 2
    ;;
esac

folder=$(mktemp -d)
group=
# Stops the steps in the background, and prints the table of all steps that have run.
end() {
    status=$?
    [ -z "$group" ] || kill -- "-$group" 2>/dev/null || true
    printf '\n%7s  step\n' seconds
    cat "$folder/table"
    printf '%7d  all steps\n' "$SECONDS"
    rm -rf "$folder"
    exit "$status"
}
trap end EXIT

# Runs a command and adds its seconds to the table.
step() {
    local name=$1 begun=$SECONDS status=0
    printf '\n== %s\n' "$name"
    "${@:2}" || status=$?
    [ "$status" = 0 ] || name="$name (failed)"
    printf '%7d  %s\n' $((SECONDS - begun)) "$name" >>"$folder/table"
    return "$status"
}

# Starts steps in the background, in a separate process group.
background() {
    set -m
    "$@" >"$folder/output" 2>&1 &
    set +m
    group=$!
}

# Waits for the steps in the background and prints their output.
finish() {
    local status=0
    wait "$group" || status=$?
    group=
    cat "$folder/output"
    return "$status"
}

# The lock files must be updated whenever a crate of the engine gains a dependency.
lock_files() {
    for workspace in . cluster fuzz python; do
        cargo tree --locked --manifest-path "$workspace/Cargo.toml" >/dev/null || return
    done
}

step "lock files" lock_files
step "layers of crates" python3 scripts/import_cycles.py
step "texts" python3 scripts/check_text.py
step "format" cargo fmt --all --check
step "clippy" cargo clippy --workspace --all-targets --locked -- -D warnings
if $quick; then
    # `--workspace` selects the same features as the full run, so both use the same build.
    # The unit tests of the games run with those of the engine.
    step "unit tests" cargo test --workspace --exclude grundy-games --locked --lib
    step "golden answers and documents" \
        cargo test --workspace --locked --test all -- golden:: documents:: rulesets:: wording::
    exit
fi

step "clippy without features" cargo clippy -p grundy-cli --no-default-features --locked -- -D warnings
# Tests compile the C++ programs that the program writes.
step "C++ compiler" install_missing c++:g++
step "build" cargo test --workspace --locked --no-run
step "tests" cargo test --workspace --locked
step "tests of a program that does nothing" scripts/stub_tests.sh

# Two builds at the same time take longer on two cores than one after the other.
step "WebAssembly" scripts/test_wasm.sh
step "page" scripts/test_page.sh
step "page without a server" scripts/test_static_page.sh
# These steps leave one core idle most of the time.
background step "proofs" scripts/test_proofs.sh
step "book" scripts/book.sh
step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
step "library" scripts/test_library.sh
step "packages" scripts/test_packages.sh
step "deploy" scripts/test_deploy.sh
step "installation" scripts/test_install.sh
finish
step "Python" scripts/test_python.sh
step "workflows" scripts/test_workflows.sh
# Last, since this program overwrites that of the first workspace.
step "cluster: format" cargo fmt --all --check --manifest-path cluster/Cargo.toml
step "cluster: clippy" \
    cargo clippy --workspace --all-targets --no-deps --locked --manifest-path cluster/Cargo.toml -- -D warnings
step "cluster: tests" cargo test --workspace --locked --manifest-path cluster/Cargo.toml
step "cluster: documentation" \
    env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --manifest-path cluster/Cargo.toml
