#!/usr/bin/env bash
# Builds the engine as WebAssembly and the JavaScript package, and runs their tests in Node.
#
# Needs Debian for the compiler, see build_wasm.sh. Node is installed if it is missing; npm
# downloads the TypeScript compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

scripts/build_wasm.sh npm/dist
cd npm
npm ci --no-audit --no-fund --loglevel=error
npm run --silent build
npm test --silent
