#!/usr/bin/env bash
# The page without a server: builds the folder and does in it, on a static host and from the disk, what people do; and the element.
#
# Needs node and chromium, which scripts/test_page.sh installs, and the engine as WebAssembly: that of ENGINE, else the one that
# scripts/test_wasm.sh has built, else it is built here. GRUNDY is the program that answers are compared with.
set -euo pipefail
cd "$(dirname "$0")/.."
export GRUNDY=${GRUNDY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/grundy} CHROMIUM=${CHROMIUM:-/usr/bin/chromium}

if [ -z "${ENGINE:-}" ] && [ -e npm/dist/grundy.wasm ]; then export ENGINE=$PWD/npm/dist/grundy.wasm; fi
PAGE=$(mktemp -d)
export PAGE
trap 'rm -rf "$PAGE"' EXIT
./page.sh "$PAGE"
cd crates/server/page
npm run --silent test:static
