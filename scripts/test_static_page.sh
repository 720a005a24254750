#!/usr/bin/env bash
# Tests the page without a server: builds the folder, and runs the tests in a browser on a static
# host and on local files. Tests the custom element too.
#
# Needs node and chromium, which scripts/test_page.sh installs. ENGINE is the engine as WebAssembly
# (default: the one built by scripts/test_wasm.sh, else a new build). GRUNDY is the program whose
# answers are compared with those of the page.
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
