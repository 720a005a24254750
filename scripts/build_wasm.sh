#!/usr/bin/env bash
# Builds the engine as WebAssembly.
#
#     scripts/build_wasm.sh FOLDER       writes FOLDER/grundy.wasm
#
# Uses the Rust compiler of Debian, whose packages include the sources of the standard library.
# Installs the compiler and the linker if they are missing; other toolchains are left alone.
set -euo pipefail
folder=$(realpath -m "${1:?a folder for grundy.wasm}")
cd "$(dirname "$0")/.."
built=${CARGO_TARGET_DIR:-$PWD/target}

source scripts/packages.sh
install_debian_rust
install_missing wasm-ld-19:lld-19

# The standard library is compiled too, with aborting panics. The module imports no source of random
# numbers, so `getrandom` always fails. Its stack of 16 MiB is larger than the call stack of every
# browser, so the browser overflows first and reports it as an error. All browsers support 128-bit
# SIMD since 2023.
target=wasm32-unknown-unknown
env -u RUSTUP_TOOLCHAIN RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0 \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 \
    RUSTFLAGS='--cfg getrandom_backend="unsupported" -C link-arg=-zstack-size=16777216 -C target-feature=+simd128' \
    /usr/bin/cargo build --quiet --locked -Z build-std=std,panic_abort --target "$target" --profile wasm -p grundy-wasm

mkdir -p "$folder"
cp "$built/$target/wasm/grundy_wasm.wasm" "$folder/grundy.wasm"
ls -l "$folder/grundy.wasm"
