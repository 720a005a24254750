#!/bin/sh
# Tests that the checker accepts the true certificates of this folder and none forged from them.
set -eu
cd "$(dirname "$0")"
forged=$(mktemp -d)
trap 'rm -rf "$forged"' EXIT
failures=0

for file in certificates/*.json; do
  ./grundy-check "$file" > "$forged/line" || { echo "$file: $(cat "$forged/line")"; failures=$((failures + 1)); }
done
rm "$forged/line"

python3 forge.py "$forged" certificates/*.json
for sort in code subtraction all_but matrix quotient labels sparse strange; do
  refused=0 unchecked=0
  # FORGED is the largest number of forgeries of each kind; scripts/nightly.sh uses all.
  for file in $(printf '%s\n' "$forged/$sort"-*.json | head -n "${FORGED:-220}"); do
    status=0
    line=$(./grundy-check "$file") || status=$?
    case $status in
      1) refused=$((refused + 1)) ;;
      2) unchecked=$((unchecked + 1)) ;;
      *) echo "$(basename "$file"): exit $status: $line"; head -c 300 "$file"; echo; failures=$((failures + 1)) ;;
    esac
  done
  echo "$sort: $refused forgeries refused, $unchecked not checked"
  if [ "$sort" != strange ] && [ "$refused" -lt 200 ]; then
    echo "$sort: fewer than 200 forgeries were refused"
    failures=$((failures + 1))
  fi
done

[ "$failures" -eq 0 ] && echo "all as it should be"
