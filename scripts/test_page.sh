#!/usr/bin/env bash
# Tests the web page: checks the types, compares the committed bundle with its sources, and runs the
# tests in a browser with a server.
#
# Needs node and chromium, which are installed if they are missing (Debian); npm downloads its
# packages. GRUNDY is the program that serves the page (default: target/debug/grundy).
set -euo pipefail
cd "$(dirname "$0")/.."
export GRUNDY=${GRUNDY:-${CARGO_TARGET_DIR:-$PWD/target}/debug/grundy} CHROMIUM=${CHROMIUM:-/usr/bin/chromium}

source scripts/tools.sh
install_node
install_browser

cd crates/server/page
npm ci --no-audit --no-fund --loglevel=error
npm run --silent check
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node build.mjs "$fresh"
for file in index.html app.js app.css icon.svg; do
    cmp "$fresh/$file" "../assets/$file" || {
        echo "crates/server/assets/$file is not what its sources make: npm run build" >&2
        exit 1
    }
done
npm test --silent
