#!/usr/bin/env bash
# Builds the wheel for free-threaded Python, installs it into a virtual environment, and runs its
# tests, including one with eight threads that share a rule. The global interpreter lock must stay
# off.
#
#     scripts/test_free_threaded.sh PYTHON [ENVIRONMENT]      default: python/.venv-free
#
# PYTHON is a free-threaded interpreter, version 3.14 or later. Debian has no package of it; build
# one from source with `./configure --disable-gil`. Therefore test.sh does not run this script.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:?names a free-threaded interpreter}
environment=$(realpath -m "${2:-python/.venv-free}")
"$python" -c 'import sys; sys.exit(getattr(sys, "_is_gil_enabled", lambda: True)())' || {
    echo "$python has an interpreter lock: it is not free-threaded" >&2
    exit 1
}
"$python" -m venv --clear "$environment"
pip() { "$environment/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install 'maturin>=1.9,<2'
# Free-threaded Python has no stable ABI yet, so the wheel is for this version only.
(cd python && "$environment/bin/maturin" build --release --locked --out dist --interpreter "$environment/bin/python")
pip install "$(ls -t python/dist/grundy-*t-*.whl | head -1)" anywidget networkx pandas pyarrow pytest scipy
for program in debug/grundy release/grundy; do
    program=${CARGO_TARGET_DIR:-$PWD/target}/$program
    [ -x "$program" ] && export GRUNDY=${GRUNDY:-$program}
done
# scripts/test_python.sh tests types, notebooks and DuckDB with the other wheel.
"$environment/bin/python" -m pytest -q -p no:cacheprovider -c python/pyproject.toml --rootdir python --import-mode=importlib python/tests \
    --ignore python/tests/test_notebooks.py --ignore python/tests/test_parquet.py --ignore python/tests/test_types.py
"$environment/bin/python" - <<'PYTHON'
import sys
import threading

import grundy

assert not sys._is_gil_enabled(), "the package has switched the lock on"


@grundy.game
def moves(n):
    return [n - k for k in (1, 3, 4) if k <= n]


found = [None] * 8


def work(place):
    found[place] = [moves(n).grundy for n in range(200)]


threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert found == [[moves(n).grundy for n in range(200)]] * 8
print(f"eight threads asked one rule 200 times each without a lock, {sys.version.split()[0]}")
PYTHON
