#!/usr/bin/env bash
# Checks the proofs, builds the checker that is extracted from them, and tries it on true and on forged certificates.
#
#     scripts/test_proofs.sh
#
# The verifiers of the program and of Python, and the one extracted from the proofs, judge the same
# forged certificates. FORGED is their number of each sort, 1000 if it is not set.
#
# Needs make, Coq and OCaml, which are installed where they are missing, Python 3 and a Rust
# toolchain.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v make >/dev/null || ! command -v coqc >/dev/null || ! command -v ocamlopt >/dev/null; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends make coq ocaml >/dev/null
fi
make -C proofs test
GRUNDY_CHECK=$PWD/proofs/grundy-check FORGED=${FORGED:-1000} \
    cargo test --locked -p grundy-analysis --test all -- verifiers::forging verifiers::differences --nocapture
python3 scripts/proofs_quoted.py
