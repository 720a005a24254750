#!/usr/bin/env bash
# Packages every crate that is published, and compiles the packages together. This shows that each
# package has all its files, and that the crates can be published in the order of dependencies.
#
# `cargo package` itself can verify packages, but it compiles each of them again with
# optimizations, which takes several times as long as checking them.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

rm -rf "$CARGO_TARGET_DIR/package"
cargo package --workspace --exclude grundy-wasm --no-verify --allow-dirty --locked --quiet 2>&1 |
    { grep -v -e '^warning: manifest has no documentation' -e '^  |$' -e '^  = note: see' -e '^$' || true; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{
    echo '[workspace]'
    echo 'resolver = "3"'
    echo 'members = ["grundy*"]'
    echo '[patch.crates-io]'
    for package in "$CARGO_TARGET_DIR"/package/*.crate; do
        tar -xzf "$package" -C "$folder"
        name=$(basename "$package" .crate)
        echo "${name%-[0-9]*} = { path = \"$name\" }"
    done
    # The same profiles let both builds share the dependencies.
    sed -n '/^\[profile/,$p' Cargo.toml
} >"$folder/Cargo.toml.new"
mv "$folder/Cargo.toml.new" "$folder/Cargo.toml"
cp Cargo.lock "$folder"
(cd "$folder" && cargo check --workspace --quiet)
echo "$(ls "$CARGO_TARGET_DIR"/package/*.crate | wc -l) packages compile"
