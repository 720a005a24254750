#!/usr/bin/env bash
# Checks the Rust library as a dependency. It checks the crates that the library pulls in, the
# minimum Rust version and the licences of all dependencies. It also checks that the interface is
# compatible with the last version.
#
# The last three checks need another toolchain, `cargo deny` and `cargo semver-checks`. A check is
# skipped with a message if its program is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

crates() { cargo tree -p grundy -e normal --prefix none --locked "$@" | sed 's/ (\*)$//' | sort -u; }
small=$(crates --no-default-features)
if grep -E '^(grundy-syntax|serde|serde_json|rayon|tokio|clap) ' <<<"$small"; then
    echo "without default features the library must depend on no parser, no JSON and no threads" >&2
    exit 1
fi
echo "the library compiles $(wc -l <<<"$small") crates without default features, $(crates | wc -l) with them"
cargo check -p grundy --no-default-features --locked --quiet
for feature in parse explain draw; do
    cargo check -p grundy --no-default-features --features "$feature" --locked --quiet
done

minimum=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
if rustup toolchain list 2>/dev/null | grep -q "^$minimum[.-]"; then
    # Another compiler would replace the build of the first one, so it gets a separate folder.
    CARGO_TARGET_DIR=$CARGO_TARGET_DIR/minimum cargo "+$minimum" check -p grundy --locked --quiet
    echo "the library compiles with Rust $minimum"
else
    echo "skipped: Rust $minimum is not installed. Clippy checks the minimum version of library functions."
fi

if cargo deny --version >/dev/null 2>&1; then
    for workspace in . cluster fuzz python; do
        cargo deny --manifest-path "$workspace/Cargo.toml" --all-features --config deny.toml check licenses bans sources
    done
    cargo deny --all-features check advisories || {
        # Without a network the database of advisories is not available.
        [ -z "${REQUIRE_ADVISORIES:-}" ] || exit 1
        echo "skipped: the advisories could not be checked"
    }
else
    echo "skipped: cargo-deny is not installed. To install it: cargo install cargo-deny --locked"
fi

last=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
if [ -z "$last" ]; then
    echo "skipped: there is no earlier version to compare the interface with"
elif cargo semver-checks --version >/dev/null 2>&1; then
    cargo semver-checks -p grundy --baseline-rev "$last"
else
    echo "skipped: cargo-semver-checks is not installed. To install it: cargo install cargo-semver-checks --locked"
fi
