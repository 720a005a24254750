#!/usr/bin/env bash
# Builds the program with all features by the profile `dist`, and writes the archive of a release
# for this system with its SHA-256 checksum.
#
#     scripts/release.sh FOLDER
#
# Writes FOLDER/grundy-TARGET.tar.gz and FOLDER/grundy-TARGET.tar.gz.sha256. On Debian it also
# writes FOLDER/grundy_VERSION_PROCESSOR.deb and its checksum, if `cargo deb` is installed.
# PROGRAM is an existing program to pack instead; then no Debian package is written. TARGET is the
# target of that program, if it is not this system.
set -euo pipefail
mkdir -p "${1:?a folder for the archive}"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
target=${TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
name=grundy-$target
file=grundy
case $target in *-windows-*) file=grundy.exe ;; esac

built=${CARGO_TARGET_DIR:-$PWD/target}/dist
debian=false
if [ -z "${PROGRAM:-}" ]; then
    cargo build --profile dist --locked -p grundy-cli --features full
    PROGRAM=$built/$file
    if command -v dpkg >/dev/null && cargo deb --version >/dev/null 2>&1; then debian=true; fi
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
files=("$name.tar.gz")
if $debian; then
    # The package takes the manual page and the completions from here; see crates/cli/Cargo.toml.
    rm -rf "$built/share"
    cp -R "$share" "$built"
    package=$(cargo deb --profile dist --no-build --locked -p grundy-cli --output "$folder")
    files+=("$(basename "$package")")
fi
cd "$folder"
for file in "${files[@]}"; do
    if command -v sha256sum >/dev/null; then
        sha256sum "$file" >"$file.sha256"
    else
        shasum --algorithm 256 "$file" >"$file.sha256"
    fi
    ls -l "$file" "$file.sha256"
done
