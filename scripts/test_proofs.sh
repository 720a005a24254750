#!/usr/bin/env bash
# Checks the proofs, builds the checker that is extracted from them, and tries it on true and on forged certificates.
#
#     scripts/test_proofs.sh
#
# Needs make, Coq and OCaml, which are installed where they are missing, and Python 3.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v make >/dev/null || ! command -v coqc >/dev/null || ! command -v ocamlopt >/dev/null; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends make coq ocaml >/dev/null
fi
make -C proofs test
python3 scripts/proofs_quoted.py
