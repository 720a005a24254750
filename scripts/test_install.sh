#!/usr/bin/env bash
# Tests install.sh with archives that scripts/release.sh packs: a good one, a damaged one, and one
# that is missing.
#
# PROGRAM is the program to pack (default: target/debug/grundy).
set -euo pipefail
cd "$(dirname "$0")/.."
export PROGRAM=${PROGRAM:-${CARGO_TARGET_DIR:-$PWD/target}/debug/grundy}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
scripts/release.sh "$folder/release"

# Installs from a source, which must fail with this message and install nothing.
refused() {
    if sh install.sh --from "$1" --to "$folder/none" 2>"$folder/errors"; then
        echo "an installation from $1 succeeded" >&2
        exit 1
    fi
    grep -F "$2" "$folder/errors"
    [ ! -e "$folder/none/bin/grundy" ]
}

for source in "$folder/release" "file://$folder/release"; do
    sh install.sh --from "$source" --to "$folder/installed"
    "$folder/installed/bin/grundy" solve "nim(3, 4, 5)" | grep -F "the next player wins"
    cmp "$PROGRAM" "$folder/installed/bin/grundy"
    [ -s "$folder/installed/share/man/man1/grundy.1" ]
    rm -r "$folder/installed"
done

archive=$(basename "$folder"/release/*.tar.gz)
cp -R "$folder/release" "$folder/damaged"
printf x | dd of="$folder/damaged/$archive" bs=1 seek=1000 conv=notrunc status=none
refused "$folder/damaged" "does not match its checksum"
rm "$folder/damaged/$archive.sha256"
refused "$folder/damaged" "cannot be read"
refused "file://$folder/nothing" "cannot be read"
: >"$folder/damaged/$archive.sha256"
refused "$folder/damaged" "does not match its checksum"
echo "install.sh installs a good archive and refuses the others"
