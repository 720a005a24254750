#!/usr/bin/env bash
# Builds the engine as WebAssembly.
#
#     scripts/build_wasm.sh FOLDER       writes FOLDER/grundy.wasm
#
# The compiler is that of Debian, which brings the sources of the standard library along; it and the linker are installed where they are
# missing. It does not touch the toolchain of the other builds.
set -euo pipefail
folder=$(realpath -m "${1:?a folder for grundy.wasm}")
cd "$(dirname "$0")/.."

packages=(rustc-web rust-web-src cargo-web lld-19)
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The standard library is built along, without unwinding. No randomness is to be had from outside: who asks for it is refused. The stack is
# larger than that of any browser, so that what ends first is the browser's, which says so. Vectors of 128 bits are in every browser since 2023.
target=wasm32-unknown-unknown
env -u RUSTUP_TOOLCHAIN RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0 \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 \
    RUSTFLAGS='--cfg getrandom_backend="unsupported" -C link-arg=-zstack-size=16777216 -C target-feature=+simd128' \
    /usr/bin/cargo build --quiet --locked -Z build-std=std,panic_abort --target "$target" --profile wasm -p grundy-wasm

mkdir -p "$folder"
cp "target/$target/wasm/grundy_wasm.wasm" "$folder/grundy.wasm"
ls -l "$folder/grundy.wasm"
