#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it into an environment of its own, and runs its tests.
#
#     scripts/test_python.sh [ENVIRONMENT]      python/.venv where nothing is said
#
# Needs a Rust toolchain and Python from 3.10 on with venv; everything else is installed into the environment by name. GRUNDY may name the
# program, which some tests ask beside; else it is looked for in target/.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
environment=$(realpath -m "${1:-python/.venv}")
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
    echo "$python is older than 3.10: name another by PYTHON=" >&2
    exit 1
}
for program in debug/grundy release/grundy; do
    program=${CARGO_TARGET_DIR:-$root/target}/$program
    [ -x "$program" ] && export GRUNDY=${GRUNDY:-$program}
done

# Debian keeps venv in a package of its own.
if ! "$python" -c 'import ensurepip' 2>/dev/null && command -v apt-get >/dev/null; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
fi
"$python" -m venv --clear "$environment"
pip() { "$environment/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install 'maturin>=1.9,<2'
(cd python && cargo fmt --check && cargo clippy --release --locked --features abi3 -- -D warnings)
(cd python && "$environment/bin/maturin" build --release --locked --features abi3 --out dist --interpreter "$environment/bin/python")
wheel=$(ls -t python/dist/grundy-*-abi3-*.whl | head -1)
pip install "$wheel[test]"

# The package is tried as it was installed, not from its sources, where no compiler can be found.
path=$(tr ':' '\n' <<<"$PATH" | grep -v -e cargo -e rustup | paste -sd:)
PATH=$path "$environment/bin/python" -m pytest -q -p no:cacheprovider -c python/pyproject.toml --rootdir python --import-mode=importlib python/tests
cd "$environment"
PATH=$path "$environment/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs grundy
