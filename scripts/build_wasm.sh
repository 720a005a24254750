#!/usr/bin/env bash
# Builds the engine as WebAssembly.
#
#     scripts/build_wasm.sh FOLDER       writes FOLDER/grundy.wasm
#
# Uses the target wasm32-unknown-unknown of rustup if it is installed. Otherwise it uses the Rust
# compiler of Debian, and installs that compiler and its linker if they are missing.
set -euo pipefail
folder=$(realpath -m "${1:?a folder for grundy.wasm}")
cd "$(dirname "$0")/.."
built=${CARGO_TARGET_DIR:-$PWD/target}

source scripts/tools.sh
target=wasm32-unknown-unknown
choose_cargo "$target" std,panic_abort
if [ "${cargo[0]}" != cargo ]; then
    install_missing wasm-ld-19:lld-19
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19
fi

# The module imports no source of random numbers, so `getrandom` always fails. Its stack of 16 MiB
# is larger than the call stack of every browser, so the browser overflows first and reports it as
# an error. All browsers support 128-bit SIMD since 2023.
export CARGO_INCREMENTAL=0
export RUSTFLAGS='--cfg getrandom_backend="unsupported" -C link-arg=-zstack-size=16777216 -C target-feature=+simd128'
"${cargo[@]}" build --quiet --locked --target "$target" --profile wasm -p grundy-wasm

mkdir -p "$folder"
cp "$built/$target/wasm/grundy_wasm.wasm" "$folder/grundy.wasm"
ls -l "$folder/grundy.wasm"
