#!/usr/bin/env bash
# Runs the tests of the command line on a program that prints nothing and exits with 0. A test that
# passes then says nothing about the program. Fails if one passes that is not listed below, or if a
# listed one fails. Options are handed to cargo. The tests of the cluster are not run: its processes
# wait for each other.
set -euo pipefail
cd "$(dirname "$0")/.."

# Tests that pass with reason, one a line.
expected() {
    sed 's/ *#.*//; /^$/d' <<'LIST' | sort
chinese::english_is_seen                        # the search for English words, on two texts
documents::no_page_speaks_to_the_test_runner    # the text of the pages
gallery_commands::every_file_has_a_row          # the table of the test names every rule file
golden::nothing_is_left_out                     # the golden files ask about every constructor
sessions::the_page_shows_a_session              # the page shows the recorded session
LIST
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nexit 0\n' >"$folder/grundy"
chmod +x "$folder/grundy"

cargo test -p grundy-cli --test all --locked "$@" --no-run
# Tests fail, and so does cargo. A test binary that did not run to its end prints no result: a test
# that waits for ever for a program that does nothing is stopped, and the last lines name it.
GRUNDY_TEST_PROGRAM="$folder/grundy" \
    timeout 900 cargo test -p grundy-cli --test all --locked "$@" --no-fail-fast \
    >"$folder/output" 2>"$folder/errors" || true
started=$(grep -c '^running ' "$folder/output" || true)
ended=$(grep -c '^test result: ' "$folder/output" || true)
if [ "$started" = 0 ] || [ "$started" != "$ended" ]; then
    tail -n 50 "$folder/errors" >&2
    grep 'has been running' "$folder/output" >&2 || true
    exit 1
fi
sed -n 's/^test \(.*\) \.\.\. ok$/\1/p' "$folder/output" | sort >"$folder/passed"
expected >"$folder/expected"
new=$(comm -23 "$folder/passed" "$folder/expected")
gone=$(comm -13 "$folder/passed" "$folder/expected")
[ -z "$new" ] || printf 'These tests pass on a program that does nothing:\n%s\n' "$new"
[ -z "$gone" ] || printf 'These tests are listed in %s and do not pass:\n%s\n' "$0" "$gone"
[ -z "$new$gone" ] || exit 1
echo "$(grep -c '^test .* FAILED$' "$folder/output") tests fail on a program that does nothing, as they should"
