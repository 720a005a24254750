#!/bin/sh
# Installs the program grundy from a release archive, after its SHA-256 checksum is verified.
#
#     curl -fsSL URL/install.sh | sh -s -- --from URL
#     sh install.sh --from FOLDER [--to DIR]
#
# URL is the address of the files of a release. FOLDER is a local folder with these files. The
# program is installed in DIR/bin, its manual page and completions in DIR/share. DIR is ~/.local by
# default. Needs tar, a program for SHA-256, and curl or wget for a URL.
set -eu

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# Copies a file of the release.
fetch() {
    case $from in
    http://* | https://* | file://*)
        if command -v curl >/dev/null; then
            curl --fail --silent --show-error --location --output "$folder/$1" "$from/$1"
        elif command -v wget >/dev/null; then
            wget --quiet --output-document "$folder/$1" "$from/$1"
        else
            fail "neither curl nor wget is installed"
        fi
        ;;
    *) cp "$from/$1" "$folder/$1" ;;
    esac || fail "$from/$1 cannot be read; is there a release for this system?"
}

# Verifies the checksum file of an archive in the current folder.
verify() {
    if command -v sha256sum >/dev/null; then
        sha256sum --check "$1" >/dev/null 2>&1
    elif command -v shasum >/dev/null; then
        shasum --algorithm 256 --check "$1" >/dev/null 2>&1
    else
        fail "neither sha256sum nor shasum is installed"
    fi
}

# The whole script is read before anything runs, even if a download of it is cut off.
main() {
    from='' to=${HOME:-}/.local
    while [ $# -gt 0 ]; do
        [ $# -gt 1 ] || fail "$1: expected --from URL_OR_FOLDER or --to DIR"
        case $1 in
        --from) from=${2%/} ;;
        --to) to=$2 ;;
        *) fail "unknown option $1: use --from URL_OR_FOLDER and --to DIR" ;;
        esac
        shift 2
    done
    [ -n "$from" ] || fail "--from URL_OR_FOLDER is missing: the address of the files of a release"

    case $(uname -s) in
    Linux)
        system=unknown-linux-gnu
        # The other archive needs the C library glibc.
        if ldd --version 2>&1 | grep -q musl; then system=unknown-linux-musl; fi
        ;;
    Darwin) system=apple-darwin ;;
    *) fail "there is no archive for $(uname -s): build the program with cargo" ;;
    esac
    case $(uname -m) in
    x86_64 | amd64) processor=x86_64 ;;
    aarch64 | arm64) processor=aarch64 ;;
    *) fail "there is no archive for the processor $(uname -m): build the program with cargo" ;;
    esac
    name=grundy-$processor-$system

    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    fetch "$name.tar.gz"
    fetch "$name.tar.gz.sha256"
    (cd "$folder" && verify "$name.tar.gz.sha256") ||
        fail "$name.tar.gz does not match its checksum: download it again"
    tar -xzf "$folder/$name.tar.gz" -C "$folder"
    mkdir -p "$to/bin" "$to/share" || fail "$to is not writable: choose another folder by --to DIR"
    cp -R "$folder/$name/share/." "$to/share"
    # The move replaces a program that is running, which a copy cannot.
    cp "$folder/$name/grundy" "$to/bin/.grundy.new"
    mv "$to/bin/.grundy.new" "$to/bin/grundy"
    "$to/bin/grundy" --version
    echo "installed in $to/bin"
    case :$PATH: in
    *":$to/bin:"*) ;;
    *) echo "add $to/bin to PATH to run it as grundy" ;;
    esac
}
main "$@"
