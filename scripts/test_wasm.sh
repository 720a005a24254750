#!/usr/bin/env bash
# Builds the engine as WebAssembly and the JavaScript package, and runs their tests in Node.
#
# build_wasm.sh explains which compiler it needs. Node is installed if it is missing; npm downloads
# the TypeScript compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

source scripts/tools.sh
install_node

scripts/build_wasm.sh npm/dist
cd npm
npm ci --no-audit --no-fund --loglevel=error
npm run --silent build
npm test --silent
