#!/usr/bin/env bash
# Builds the program with all features for Linux on x86_64, as one file that needs no library of the
# system.
#
#     scripts/build_static.sh FOLDER       writes FOLDER/grundy
#
# Uses the target x86_64-unknown-linux-musl of rustup if it is installed. Otherwise it uses the Rust
# compiler of Debian, and installs it if it is missing. Both ways need musl-gcc (Debian:
# musl-tools), which is installed if it is missing.
set -euo pipefail
mkdir -p "${1:?a folder for the program}"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
target=x86_64-unknown-linux-musl
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} CARGO_INCREMENTAL=0

source scripts/tools.sh
install_missing musl-gcc:musl-tools
choose_cargo "$target" std,panic_unwind
if [ "${cargo[0]}" != cargo ]; then
    # The standard library for musl links LLVM's libunwind. Debian's was compiled for glibc. The
    # only function in it that musl lacks is called for its debug output, which is never requested.
    unwind=/usr/lib/llvm-19/lib/libunwind.a
    install_missing "$unwind:libunwind-19-dev"
    library=$CARGO_TARGET_DIR/$target/unwind
    mkdir -p "$library"
    printf '__fprintf_chk = abort;\nINPUT ( %s )\n' "$unwind" >"$library/libunwind.a"
    export CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=musl-gcc
    # musl-gcc cannot link static programs that may be loaded at any address.
    RUSTFLAGS="-C target-feature=+crt-static -C relocation-model=static"
    export RUSTFLAGS="$RUSTFLAGS -C link-self-contained=no -L native=$library"
fi
export CC_x86_64_unknown_linux_musl=musl-gcc
"${cargo[@]}" build --profile dist --locked --target "$target" -p grundy-cli --features full
cp "$CARGO_TARGET_DIR/$target/dist/grundy" "$folder/grundy"
if readelf --program-headers "$folder/grundy" | grep INTERP; then
    echo "the program needs a dynamic linker" >&2
    exit 1
fi
ls -l "$folder/grundy"
