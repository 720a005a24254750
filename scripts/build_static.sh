#!/usr/bin/env bash
# Builds the program with all features for Linux on x86_64, as one file that needs no library of the
# system.
#
#     scripts/build_static.sh FOLDER       writes FOLDER/grundy
#
# Uses the target x86_64-unknown-linux-musl of rustup if it is installed. Otherwise it compiles the
# standard library too, with the Rust compiler of Debian, which is installed if it is missing. Both
# ways need musl-gcc (Debian: musl-tools), which is installed if it is missing.
set -euo pipefail
mkdir -p "${1:?a folder for the program}"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
target=x86_64-unknown-linux-musl
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} CARGO_INCREMENTAL=0
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=musl-gcc CC_x86_64_unknown_linux_musl=musl-gcc

source scripts/packages.sh
install_missing musl-gcc:musl-tools
build=(build --profile dist --locked --target "$target" -p grundy-cli --features full)
if rustup target list --installed 2>/dev/null | grep -qx "$target"; then
    cargo "${build[@]}"
else
    install_debian_rust
    # The standard library for musl links LLVM's libunwind. Debian has no static one for musl, but
    # libgcc_eh of GCC has the same functions.
    library=$(mktemp -d)
    trap 'rm -rf "$library"' EXIT
    echo 'GROUP ( -lgcc_eh -lgcc -lc )' >"$library/libunwind.a"
    env -u RUSTUP_TOOLCHAIN RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        RUSTFLAGS="-C target-feature=+crt-static -C link-self-contained=no -L native=$library" \
        /usr/bin/cargo "${build[@]}" -Z build-std=std,panic_unwind
fi
cp "$CARGO_TARGET_DIR/$target/dist/grundy" "$folder/grundy"
ls -l "$folder/grundy"
