#!/usr/bin/env bash
# Tests the page without a server: builds the folder, and runs the tests in a browser on a static
# host and on local files. Tests the custom element too.
#
#     scripts/test_static_page.sh             the tests of this page
#     scripts/test_static_page.sh --long      the tests of the page with a server, on this page
#
# Needs node and chromium, which are installed if they are missing (Debian). ENGINE is the engine as
# WebAssembly (default: the one built by scripts/test_wasm.sh, else a new build). GRUNDY is the
# program whose answers are compared with those of the page.
set -euo pipefail
cd "$(dirname "$0")/.."
tests=test:static
[ "${1-}" != --long ] || tests=test:static-long
export GRUNDY=${GRUNDY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/grundy} CHROMIUM=${CHROMIUM:-/usr/bin/chromium}

source scripts/tools.sh
install_browser
if [ -z "${ENGINE:-}" ] && [ -e npm/dist/grundy.wasm ]; then export ENGINE=$PWD/npm/dist/grundy.wasm; fi
PAGE=$(mktemp -d)
export PAGE
trap 'rm -rf "$PAGE"' EXIT
./page.sh "$PAGE"
cd crates/server/page
npm run --silent "$tests"
