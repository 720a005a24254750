#!/usr/bin/env bash
# Builds the page without a server: a folder of files for any static host.
#
#     ./page.sh FOLDER
#
# Installs node, npm, and the compiler for scripts/build_wasm.sh if they are missing (Debian); npm
# downloads its packages. ENGINE is an existing grundy.wasm; by default the script builds one.
# docs/page.md explains the use of the folder.
set -euo pipefail
folder=$(realpath -m "${1:?a folder for the page}")
cd "$(dirname "$0")"

source scripts/tools.sh
install_node

if [ -z "${ENGINE:-}" ]; then
    built=$(mktemp -d)
    trap 'rm -rf "$built"' EXIT
    scripts/build_wasm.sh "$built"
    ENGINE=$built/grundy.wasm
fi
ENGINE=$(realpath "$ENGINE")
cd crates/server/page
npm ci --no-audit --no-fund --loglevel=error
node build-static.mjs "$folder" "$ENGINE"
