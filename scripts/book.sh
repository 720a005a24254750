#!/usr/bin/env bash
# Builds the documentation as a book in target/book, checks its links and tries its search.
#
#     scripts/book.sh
#
# Needs a Rust toolchain, Python 3 and node. mdBook is installed into target/tools if it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.5.4
target=${CARGO_TARGET_DIR:-$PWD/target}
mdbook=$(command -v mdbook || true)
if [ -z "$mdbook" ] || [ "$("$mdbook" --version)" != "mdbook v$version" ]; then
    mdbook=$target/tools/bin/mdbook
    [ -x "$mdbook" ] ||
        CARGO_TARGET_DIR=$target/tools/target cargo install mdbook --version "$version" --locked --debug \
            --no-default-features --features search --root "$target/tools" --quiet
fi
"$mdbook" build --dest-dir "$target/book"
python3 scripts/check_book.py "$target/book"
node scripts/search_book.mjs "$target/book"
