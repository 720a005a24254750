#!/usr/bin/env bash
# Runs the tests of the command line with a program that prints nothing and exits with 0. A test
# that passes then does not test the program. Fails if a test passes that is not listed below, or if
# a listed one fails. Options are passed to cargo. The tests of the cluster are left out, since its
# processes would wait for each other.
set -euo pipefail
cd "$(dirname "$0")/.."

# Tests that rightly pass, one on each line.
expected() {
    sed 's/ *#.*//; /^$/d' <<'LIST' | sort
chinese::english_words_are_detected                  # the search for English words, on two texts
documents::pages_contain_no_test_runner_syntax       # the text of the pages
gallery_commands::every_file_has_a_row               # the table of the test names every rule file
golden::every_golden_file_and_constructor_is_tested  # the golden files ask about every constructor
sessions::the_page_shows_the_recorded_session        # the page shows the recorded session
LIST
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nexit 0\n' >"$folder/grundy"
chmod +x "$folder/grundy"

# `--workspace` selects the same features as the other tests, so nothing is compiled again.
tests=$(cargo test --workspace --test all --locked "$@" --no-run --message-format=json-render-diagnostics |
    python3 -c '
import json
import sys

for line in sys.stdin:
    artifact = json.loads(line)
    if artifact["reason"] != "compiler-artifact" or artifact["target"]["name"] != "all":
        continue
    if "crates/cli#" in artifact["package_id"]:
        print(artifact["executable"])
')
# Tests fail, so the test binary fails too. If it does not finish, it prints no result. `timeout`
# stops a test that waits forever for the program, and the last lines of output name it.
(cd crates/cli && GRUNDY_TEST_PROGRAM="$folder/grundy" timeout 900 "$tests") \
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
