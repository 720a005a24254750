#!/usr/bin/env bash
# Checks the workflows of continuous integration with zizmor, which reads them and runs nothing.
#
# Needs Python 3.10 or later with venv; zizmor is installed from PyPI into target/tools.
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.32.0
environment=${CARGO_TARGET_DIR:-$PWD/target}/tools/zizmor
if [ "$("$environment/bin/zizmor" --version 2>/dev/null)" != "zizmor $version" ]; then
    python3 -m venv --clear "$environment"
    "$environment/bin/python" -m pip --quiet --disable-pip-version-check install "zizmor==$version"
fi
"$environment/bin/zizmor" --offline --quiet .github
echo "the workflows have no findings"
