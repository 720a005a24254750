#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it into a virtual environment, and runs its tests.
#
#     scripts/test_python.sh [ENVIRONMENT]      default: python/.venv
#
# Needs a Rust toolchain and Python 3.10 or later with venv; everything else is installed into the
# environment. GRUNDY is the program, which some tests compare with (default: the one in target/).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
environment=$(realpath -m "${1:-python/.venv}")
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
    echo "$python is older than 3.10: name another by PYTHON=" >&2
    exit 1
}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
for program in debug/grundy release/grundy; do
    program=$CARGO_TARGET_DIR/$program
    [ -x "$program" ] && export GRUNDY=${GRUNDY:-$program}
done

# Debian has a separate package for venv.
source scripts/tools.sh
"$python" -c 'import ensurepip' 2>/dev/null || install_missing /var/lib/dpkg/info/python3-venv.list:python3-venv
"$python" -m venv "$environment"
pip() { "$environment/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install 'maturin>=1.9,<2'
(cd python && cargo fmt --check && cargo clippy --no-deps --locked --features abi3 -- -D warnings)
(cd python && "$environment/bin/maturin" build --release --locked --features abi3 --out dist --interpreter "$environment/bin/python")
wheel=$(ls -t python/dist/grundy-*-abi3-*.whl | head -1)
pip install "$wheel[test]"
# A wheel of the same version would not replace that of an earlier run.
pip install --force-reinstall --no-deps "$wheel"

# The tests run on the installed package, with no Rust compiler on the path.
path=$(tr ':' '\n' <<<"$PATH" | grep -v -e cargo -e rustup | paste -sd:)
PATH=$path "$environment/bin/python" -m pytest -q -p no:cacheprovider -c python/pyproject.toml --rootdir python --import-mode=importlib python/tests
cd "$environment"
PATH=$path "$environment/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs grundy
