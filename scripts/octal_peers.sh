#!/bin/sh
# Measures the CPU time for the first values of some octal games, in seconds. Compares it with the
# public crate `ogs` (P. Beling) and with the plain recurrence on the same machine. All programs
# must agree on the values. A dash means more than LIMIT seconds (default: 60).
#
#     scripts/octal_peers.sh [COUNT...]
#
# `ogs` is under the LGPL. It is fetched into a temporary project and is not part of this one.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
limit=${LIMIT:-60}
[ $# -gt 0 ] || set -- 100000 1000000
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" <<END
[package]
name = "peers"
version = "0.0.0"
edition = "2024"
[dependencies]
grundy = { path = "$root/crates/core" }
ogs = "0.0.6"
[profile.release]
lto = true
codegen-units = 1
[workspace]
END
cat > "$folder/src/main.rs" <<'END'
use grundy_core::Limits;
use grundy_core::heap::{Code, HeapRules, Sequence, plain};
use grundy_core::theory::NormalPlay;
use ogs::{Game, NaiveSolver, RC2Solver, RCSolver, Solver};

fn peer<S: Solver<Stats = ()>>(code: &str, count: usize) -> Vec<u64> {
    let mut solver = S::with_capacity(Game::from_ascii(code.as_bytes()).unwrap(), count);
    while solver.nimbers().len() < count {
        solver.next();
    }
    solver.nimbers()[..count].iter().map(|&value| u64::from(value)).collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, program, code, count] = &arguments[..] else { panic!("PROGRAM CODE COUNT") };
    let count: usize = count.parse().unwrap();
    let rules = HeapRules::TakeAndBreak(Code::parse(code).unwrap());
    let limits = Limits::none();
    let values: Vec<u64> = match program.as_str() {
        "naive" => peer::<NaiveSolver>(code, count),
        "rc" => peer::<RCSolver>(code, count),
        "rc2" => peer::<RC2Solver>(code, count),
        "plain" => plain(&rules, count as u64, &limits).unwrap().iter().collect(),
        "engine" => {
            let mut sequence = Sequence::<NormalPlay>::new(rules);
            sequence.compute(count as u64, &limits).unwrap();
            sequence.values().iter().collect()
        }
        "prover" => {
            let mut sequence = Sequence::<NormalPlay>::new(rules);
            sequence.value(count as u64 - 1, &limits).unwrap();
            (0..count as u64).map(|n| sequence.get(n).unwrap()).collect()
        }
        _ => panic!("no such program"),
    };
    let hash = values.iter().fold(0u64, |hash, value| hash.wrapping_mul(0x0100_0000_01b3) ^ value);
    println!("{hash:x}");
}
END
cargo build --quiet --release --manifest-path "$folder/Cargo.toml" --target-dir "${PEERS_TARGET:-$folder/target}"
binary="${PEERS_TARGET:-$folder/target}/release/peers"
for count in "$@"; do
    printf '\nFirst %s values, CPU seconds\n\n| game | ogs naive | ogs rc | ogs rc2 | plain recurrence | engine | engine with prover |\n|---|---|---|---|---|---|---|\n' "$count"
    for code in 0.77 0.137 0.156 0.6 0.007 0.16 0.106; do
        printf '| %s ' "$code"
        agreed=
        for program in naive rc rc2 plain engine prover; do
            if timeout "$limit" /usr/bin/time -f '%U' -o "$folder/time" "$binary" "$program" "$code" "$count" > "$folder/hash"; then
                printf '| %s ' "$(tail -n 1 "$folder/time")"
                found=$(cat "$folder/hash")
                [ -z "$agreed" ] || [ "$agreed" = "$found" ] || printf '(values differ!) '
                agreed=$found
            else
                printf '| - '
            fi
        done
        printf '|\n'
    done
done
