#!/usr/bin/env bash
# Checks the proofs, builds the verifier extracted from them, and tests it on true and forged
# certificates.
#
#     scripts/test_proofs.sh
#
# The verifiers of the program and of Python, and the extracted one, run on the same forged
# certificates. FORGED is their number for each sort (default: the one in the test).
#
# Needs Python 3 and a Rust toolchain, and make, Coq and OCaml, which are installed if missing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools.sh
install_missing make:make coqc:coq ocamlopt:ocaml
make -j2 -C proofs test
# `--workspace` selects the same features as the other tests, so nothing is compiled again.
GRUNDY_CHECK=$PWD/proofs/grundy-check \
    cargo test --workspace --locked --test all -- verifiers::forging verifiers::differences --nocapture
python3 scripts/proofs_quoted.py
