# Short names of common commands. `just` lists them.

_default:
    @just --list --unsorted

# Check formatting, layers, texts and lints.
check:
    cargo fmt --all --check
    python3 scripts/import_cycles.py
    python3 scripts/check_text.py
    cargo clippy --workspace --all-targets --locked -- -D warnings

# Run the tests that take a few minutes.
quick:
    ./test.sh --quick

# Run all checks and tests but the long ones, as continuous integration does.
test:
    ./test.sh

# Run the long tests.
nightly:
    scripts/nightly.sh

# Run the benchmarks, or those of one crate: `just bench -p grundy-forms`.
bench *options="--workspace":
    cargo bench {{ options }}

# Build the book in target/book and the documentation of the crates in target/doc.
docs:
    scripts/book.sh
    cargo doc --workspace --no-deps --locked
