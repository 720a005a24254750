#!/usr/bin/env bash
# Builds the program with all features by the profile `dist`, and writes the archive of a release
# for this system with its SHA-256 checksum.
#
#     scripts/release.sh FOLDER
#
# Writes FOLDER/grundy-TARGET.tar.gz and FOLDER/grundy-TARGET.tar.gz.sha256. PROGRAM is an existing
# program to pack instead.
set -euo pipefail
mkdir -p "${1:?a folder for the archive}"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
target=$(rustc -vV | sed -n 's/^host: //p')
name=grundy-$target
file=grundy
case $target in *-windows-*) file=grundy.exe ;; esac

if [ -z "${PROGRAM:-}" ]; then
    cargo build --profile dist --locked -p grundy-cli --features full
    PROGRAM=${CARGO_TARGET_DIR:-$PWD/target}/dist/$file
fi

packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
share=$packed/$name/share
mkdir -p "$share"/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
cp "$PROGRAM" "$packed/$name/$file"
cp LICENSE-* README.md CHANGELOG.md "$packed/$name"
"$PROGRAM" man >"$share/man/man1/grundy.1"
"$PROGRAM" completions bash >"$share/bash-completion/completions/grundy"
"$PROGRAM" completions zsh >"$share/zsh/site-functions/_grundy"
"$PROGRAM" completions fish >"$share/fish/vendor_completions.d/grundy.fish"
tar -czf "$folder/$name.tar.gz" -C "$packed" "$name"
cd "$folder"
if command -v sha256sum >/dev/null; then
    sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
else
    shasum --algorithm 256 "$name.tar.gz" >"$name.tar.gz.sha256"
fi
ls -l "$name.tar.gz" "$name.tar.gz.sha256"
