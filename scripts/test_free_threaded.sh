#!/usr/bin/env bash
# Builds the wheel for free-threaded Python, installs it into an environment of its own, and runs its tests there, those with eight threads
# on one rule among them; the interpreter lock has to be off before and after.
#
#     scripts/test_free_threaded.sh PYTHON [ENVIRONMENT]      python/.venv-free where nothing is said
#
# PYTHON is a free-threaded interpreter from 3.14 on. Debian has none yet: its sources make one with `./configure --disable-gil`. Not part of
# test.sh for that reason.
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
# No stable interface: a wheel for this version alone.
(cd python && "$environment/bin/maturin" build --release --locked --out dist --interpreter "$environment/bin/python")
pip install "$(ls -t python/dist/grundy-*t-*.whl | head -1)" anywidget networkx pandas pyarrow pytest scipy
for program in debug/grundy release/grundy; do
    program=${CARGO_TARGET_DIR:-$PWD/target}/$program
    [ -x "$program" ] && export GRUNDY=${GRUNDY:-$program}
done
# Types, notebooks and DuckDB are the business of the other wheel.
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
