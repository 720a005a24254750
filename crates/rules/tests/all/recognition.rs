//! Rules that are recognized as heap games. The options of the recognized game are compared with
//! those that the rules compute.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_core::dynamic::DynamicPosition;
use grundy_core::heap::{Code, HeapRules, TakeSet};
use grundy_core::{Limits, Player, Stop};
use grundy_rules::{Allowance, RuleFile};

/// The sorted lists of heaps that are not empty.
type Options = BTreeSet<Vec<u64>>;

fn file(source: &str) -> RuleFile {
    RuleFile::read("own.star", source, Allowance::default()).unwrap_or_else(|error| {
        panic!("{source}: {error:?}");
    })
}

fn recognize(file: &RuleFile) -> Option<HeapRules> {
    file.recognize("moves", &Limits::default()).unwrap()
}

fn subtraction(takes: &[u64]) -> HeapRules {
    HeapRules::Subtraction(TakeSet::Finite(takes.to_vec()))
}

fn code(text: &str) -> HeapRules {
    HeapRules::TakeAndBreak(Code::parse(text).unwrap())
}

fn sorted(heaps: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut heaps: Vec<u64> = heaps.filter(|heap| *heap > 0).collect();
    heaps.sort_unstable();
    heaps
}

/// Returns the options of `game(moves, n)`, or `None` if they are not sums of natural numbers.
fn own_options(file: &RuleFile, n: u64) -> Option<Options> {
    let mut moves = Vec::new();
    let rules = file.rules("moves").unwrap();
    let position = DynamicPosition::Int(n as i64);
    rules.options(Player::Left, &position, &mut moves).ok()?;
    let heaps = |parts: &[DynamicPosition]| {
        let heaps: Option<Vec<u64>> = parts
            .iter()
            .map(|part| u64::try_from(part.to_integer()?).ok())
            .collect();
        Some(sorted(heaps?.into_iter()))
    };
    moves
        .iter()
        .map(|mv| heaps(mv.result.positions()))
        .collect()
}

fn family_options(rules: &HeapRules, n: u64) -> Options {
    let mut options = Options::new();
    let _ = rules.options(n, &mut |heaps| {
        options.insert(sorted(heaps.iter().copied()));
        ControlFlow::Continue(())
    });
    options
}

/// Asserts that the options are the same for all `heaps`.
fn assert_same_game(source: &str, rules: &HeapRules, heaps: impl Iterator<Item = u64>) {
    let file = file(source);
    for n in heaps {
        let own = own_options(&file, n);
        assert_eq!(own, Some(family_options(rules, n)), "{n}: {source}");
    }
}

/// Returns the heaps up to 3,000 that are compared if each heap has many options.
fn some_heaps() -> impl Iterator<Item = u64> {
    let near = [254, 512, 998, 1022, 1500, 2046, 2998];
    (0..80).chain(near.into_iter().flat_map(|n| n..n + 4))
}

/// A generator of pseudorandom numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

#[test]
fn usual_ways_to_write_a_game_are_recognized() {
    let rows = [
        (
            "def moves(n): return [n - 1, n - 2] if n > 1 else [0] if n == 1 else []",
            "1-2",
        ),
        (
            "def moves(n): return [n - k for k in [1, 3, 4] if k <= n]",
            "1,3,4",
        ),
        (
            "def moves(n): return [n - k for k in [1, 3, 4] if n >= k]",
            "1,3,4",
        ),
        (
            "def moves(n): return [n - k for k in range(1, 4) if n - k >= 0]",
            "1-3",
        ),
        (
            "def moves(n): return [n - k for k in range(1, min(3, n) + 1)]",
            "1-3",
        ),
        ("def moves(n): return list(range(max(0, n - 3), n))", "1-3"),
        (
            "def moves(n): return [k for k in range(max(0, n - 3), n)]",
            "1-3",
        ),
        (
            "def moves(n): return [n - k for k in range(1, n + 1) if k <= 3]",
            "1-3",
        ),
        (
            "def moves(n): return [n - k for k in range(1, n + 1) if k in (1, 3, 4)]",
            "1,3,4",
        ),
        (
            "def moves(n): return [(\"take %d\" % k, n - k) for k in (1, 3, 4) if k <= n]",
            "1,3,4",
        ),
        (
            "def moves(n): return [(\"take \" + str(k), n - k) for k in (1, 3, 4) if k <= n]",
            "1,3,4",
        ),
        (
            "S = [1, 3, 4]\ndef moves(n):\n  out = []\n  for s in S:\n    if s <= n:\n      out.append(n - s)\n  return out",
            "1,3,4",
        ),
        (
            "S = [k * k for k in range(1, 3)]\ndef moves(n):\n  out = []\n  for s in S:\n    if s > n:\n      break\n    out += [n - s]\n  return out",
            "1,4",
        ),
        (
            "def ok(k, n): return k <= n\ndef moves(n):\n  return [n - k for k in (1, 3, 4) if ok(k, n)]",
            "1,3,4",
        ),
        (
            "def moves(n):\n  if n == 0:\n    return []\n  if n < 3:\n    return [n - 1]\n  return [n - 1] + [n - 3]",
            "1,3",
        ),
        (
            "def moves(n):\n  out = []\n  for k in range(1, n + 1):\n    if k > 5:\n      break\n    out.append(n - k)\n  return out",
            "1-5",
        ),
    ];
    for (source, expected) in rows {
        let found = recognize(&file(source));
        let expected = match expected {
            "1-2" => Some(subtraction(&[1, 2])),
            "1-3" => Some(subtraction(&[1, 2, 3])),
            "1-5" => Some(subtraction(&[1, 2, 3, 4, 5])),
            list => {
                let takes: Vec<u64> = list.split(',').map(|k| k.parse().unwrap()).collect();
                Some(subtraction(&takes))
            }
        };
        assert_eq!(found, expected, "{source}");
        if let Some(rules) = found {
            assert_same_game(source, &rules, 0..3000);
        }
    }
}

#[test]
fn splits_of_a_heap_are_recognized() {
    let kayles = "0.77";
    let rows = [
        (
            "def moves(n): return [sum_of([a, n - k - a]) for k in (1, 2) for a in range(n - k + 1)]",
            kayles,
        ),
        (
            "def moves(n): return [sum_of([a, n - k - a]) for k in (1, 2) for a in range((n - k) // 2 + 1) if k <= n]",
            kayles,
        ),
        (
            "def moves(n): return [sum_of([a, n - k - a]) for k in (1, 2) if k <= n for a in range(n) if 2 * a <= n - k]",
            kayles,
        ),
        (
            "def moves(n):\n  out = []\n  for k in [1, 2]:\n    for a in range(0, n - k + 1):\n      b = n - k - a\n      if a <= b:\n        out.append(sum_of([a, b]))\n  return out",
            kayles,
        ),
        (
            "def moves(n):\n  out = []\n  for k in [1, 2]:\n    for a in range(0, n - k + 1):\n      b = n - k - a\n      if a > b:\n        continue\n      out += [sum_of((a, b))]\n  return out",
            kayles,
        ),
        // Dawson's Kayles takes two, and Dawson's Chess is the code 0.137.
        (
            "def moves(n): return [sum_of([a, n - 2 - a]) for a in range(n - 1)]",
            "0.07",
        ),
        (
            "def moves(n):\n  out = [0] if n == 1 else []\n  if n >= 2:\n    out.append(n - 2)\n  for a in range(1, n - 3):\n    out.append(sum_of([a, n - 3 - a]))\n  if n >= 3:\n    out.append(n - 3)\n  return out",
            "0.137",
        ),
        // A heap is split into two heaps that are not empty, and nothing is taken.
        (
            "def moves(n): return [sum_of([a, n - a]) for a in range(1, n)]",
            "4.0",
        ),
        (
            "def moves(n): return [sum_of([a, n - a]) for a in range(1, n // 2 + 1)]",
            "4.0",
        ),
        (
            "def split(n, k):\n  return [sum_of([a, n - k - a]) for a in range(1, n - k)]\ndef moves(n):\n  return split(n, 0) + [n - k for k in [1, 2] if n >= k]",
            "4.33",
        ),
    ];
    for (source, expected) in rows {
        let found = recognize(&file(source));
        assert_eq!(found, Some(code(expected)), "{source}");
        assert_same_game(source, &code(expected), some_heaps());
    }
}

#[test]
fn other_games_are_not_recognized() {
    for source in [
        // Infinite sets.
        "def moves(n): return [n - k * k for k in range(1, n + 1) if k * k <= n]",
        "def moves(n): return [k for k in range(n)]",
        "def moves(n): return [n - k for k in range(1, n + 1) if k % 2]",
        "def moves(n): return [n // 2] if n else []",
        // The two heaps must differ.
        "def moves(n): return [sum_of([a, n - a]) for a in range(1, n) if 2 * a != n]",
        "def moves(n): return [sum_of([a, n - a]) for a in range(1, n) if a != 3]",
        "def moves(n): return [sum_of([a, n - 1 - a]) for a in range(0, n, 2) if a < n]",
        "def moves(n): return [sum_of([2 * a, n - 2 * a]) for a in range(1, n // 2)]",
        // Three heaps, tuples, moves to n itself, growing and negative positions.
        "def moves(n): return [sum_of([a, 1, n - 2 - a]) for a in range(n - 1)]",
        "def moves(n): return [(n - 1, 1)] if n else []",
        "def moves(n): return [n]",
        "def moves(n): return [n + 1]",
        "def moves(n): return [n - 1]",
        "def moves(n): return [n - 1 if n % 2 else n - 2] if n > 1 else []",
        "def moves(n): return []",
        // Games of other types.
        "def moves(n): return [n - 1] if n else []\ndef value(n): return 'win'",
        "def left(n): return [n - 1] if n else []\ndef right(n): return []",
        // Names with another meaning.
        "range = {1: 1}\ndef moves(n): return [n - k for k in range if k <= n]",
        "def moves(n): return [n - 1] if n else []\nmoves = len",
        "def range(n): return [2]\ndef range(n): return [1]\ndef moves(n): return [n - k for k in range(5) if k <= n]",
    ] {
        let Ok(file) = RuleFile::read("own.star", source, Allowance::default()) else {
            continue;
        };
        assert_eq!(recognize(&file), None, "{source}");
    }
}

#[test]
fn passes_of_a_loop_that_depend_on_each_other_are_not_recognized() {
    for source in [
        // The list `seen` differs between the passes.
        "def moves(n):\n  out, seen = [], []\n  for a in range(1, n):\n    if 2 * a <= n:\n      seen.append(1)\n    elif not seen:\n      out.append(n - 1)\n  return out",
        "def moves(n):\n  out = []\n  for a in range(20, n):\n    if not out:\n      out.append(n - 1)\n  return out",
        "def moves(n):\n  out, last = [], 1\n  for a in range(1, n):\n    out.append(n - last)\n    last = a\n  return out",
        "def moves(n):\n  out, count = [], 0\n  for a in range(1, n):\n    count += 1\n  return [n - count]",
        "def moves(n):\n  out = []\n  for a in range(300, n):\n    out.append(n - 2)\n    if a > 400:\n      break\n  return out",
        "def moves(n):\n  for a in range(300, n):\n    if a < n - 3:\n      return [n - 2]\n  return [n - 1] if n else []",
    ] {
        let rules = recognize(&file(source));
        assert_eq!(rules, None, "{source}");
    }
}

/// Returns a rule for taking a number of chips in `takes`, in one of many spellings.
fn take_rule(random: &mut Random, takes: &[u64], exception: &str) -> String {
    let listed: Vec<String> = takes.iter().map(u64::to_string).collect();
    let listed = listed.join(", ");
    let (k, n) = (random.pick(&["k", "take"]), random.pick(&["n", "heap"]));
    let list = match random.below(2) {
        0 => format!("[{listed}]"),
        _ => format!("({listed},)"),
    };
    let fits = match random.below(4) {
        0 => format!("{k} <= {n}"),
        1 => format!("not {k} > {n}"),
        2 => format!("{n} - {k} >= 0"),
        _ => format!("{n} + 1 > {k} and {k} != 0"),
    };
    let to = match random.below(3) {
        0 => format!("{n} - {k}"),
        1 => format!("-{k} + {n}"),
        _ => format!("(\"take %d of %s\" % ({k}, {n}), {n} - {k})"),
    };
    let mut text = String::new();
    let list = if random.below(2) == 0 {
        writeln!(text, "TAKES = {list}").unwrap();
        "TAKES"
    } else {
        &list[..]
    };
    writeln!(text, "def moves({n}):").unwrap();
    text.push_str(&exception.replace('@', n));
    match random.below(3) {
        0 => writeln!(text, "  return [{to} for {k} in {list} if {fits}]").unwrap(),
        1 => writeln!(
            text,
            "  out = []\n  for {k} in {list}:\n    if {fits}:\n      out.append({to})\n  return out"
        )
        .unwrap(),
        _ => {
            let last = takes.last().unwrap();
            writeln!(
                text,
                "  return [{to} for {k} in range(1, min({n}, {last}) + 1) if {k} in {list}]"
            )
            .unwrap();
        }
    }
    text
}

/// Returns the rule for a code with the given digits after the point, in one of many spellings.
fn split_rule(random: &mut Random, digits: &[u64], exception: &str) -> String {
    let mut text = format!("def moves(n):\n{exception}  out = []\n");
    for (take, digit) in (1..).zip(digits) {
        if digit & 1 != 0 {
            writeln!(text, "  if n == {take}:\n    out.append(0)").unwrap();
        }
        if digit & 2 != 0 {
            writeln!(text, "  if n > {take}:\n    out.append(n - {take})").unwrap();
        }
        if digit & 4 != 0 {
            let range = match random.below(4) {
                0 => format!("for a in range(1, n - {take}):\n"),
                1 => format!("for a in range(1, (n - {take}) // 2 + 1):\n"),
                2 => format!(
                    "for a in range(n):\n    if a == 0 or 2 * a > n - {take}:\n      continue\n"
                ),
                _ => format!("for a in range(n - {take} - 1, 0, -1):\n"),
            };
            let to = random.pick(&["a, n - TAKE - a", "n - (a + TAKE), a"]);
            let to = to.replace("TAKE", &take.to_string());
            writeln!(text, "  {range}    out.append(sum_of([{to}]))").unwrap();
        }
    }
    text + "  return out\n"
}

/// Returns statements that change the moves of one heap or of some heaps. The position is `@`.
fn exception(random: &mut Random) -> String {
    let at = [
        0, 1, 15, 16, 17, 63, 64, 100, 255, 256, 1000, 1023, 1024, 2000, 2047, 2900,
    ];
    let at = at[random.below(at.len() as u64) as usize];
    match random.below(4) {
        0 => format!("  if @ == {at}:\n    return [0]\n"),
        1 => format!("  if @ >= {at}:\n    return [@ - 1] if @ > 0 else []\n"),
        2 => format!("  if @ == {at}:\n    return []\n"),
        _ => format!("  if @ in (5, {at}):\n    return [@ // 2] if @ > 1 else []\n"),
    }
}

#[test]
fn generated_rules_have_the_options_of_the_recognized_game() {
    let mut random = Random(7);
    let (mut recognized, mut near_misses) = (0, 0);
    for round in 0..240 {
        let exception = match round % 3 {
            0 => String::new(),
            _ => exception(&mut random),
        };
        let takes: BTreeSet<u64> = (0..=random.below(5))
            .map(|_| 1 + random.below(12))
            .collect();
        let takes: Vec<u64> = takes.into_iter().collect();
        let source = take_rule(&mut random, &takes, &exception);
        let found = recognize(&file(&source));
        if exception.is_empty() {
            assert_eq!(found, Some(subtraction(&takes)), "{source}");
        }
        if let Some(rules) = found {
            assert_same_game(&source, &rules, 0..3000);
            recognized += 1;
        } else {
            near_misses += 1;
        }
    }
    // Most exceptions are no heap game. The others change nothing, as a return of [] for n = 0.
    assert!(
        recognized >= 80 && near_misses >= 80,
        "{recognized} {near_misses}"
    );
}

#[test]
fn generated_splits_have_the_options_of_the_recognized_game() {
    let mut random = Random(11);
    let (mut recognized, mut near_misses) = (0, 0);
    for round in 0..90 {
        let exception = match round % 3 {
            0 => String::new(),
            _ => exception(&mut random),
        };
        let mut digits: Vec<u64> = (0..=random.below(3)).map(|_| random.below(8)).collect();
        digits.push(4 + random.below(4));
        let source = split_rule(&mut random, &digits, &exception.replace('@', "n"));
        let found = recognize(&file(&source));
        if exception.is_empty() {
            let digits: String = digits.iter().map(u64::to_string).collect();
            assert_eq!(found, Some(code(&format!("0.{digits}"))), "{source}");
        }
        if let Some(rules) = found {
            assert_same_game(&source, &rules, some_heaps());
            recognized += 1;
        } else {
            near_misses += 1;
        }
    }
    assert!(
        recognized >= 30 && near_misses >= 30,
        "{recognized} {near_misses}"
    );
}

#[test]
fn hostile_rules_are_not_recognized() {
    let mut conditions = String::new();
    for k in 1..60 {
        let if_less = format!("if {} * a <= {k} * n", k + 1);
        writeln!(conditions, "    {if_less}:\n      out.append(n - 1)").unwrap();
    }
    let many_paths =
        format!("def moves(n):\n  out = []\n  for a in range(n):\n{conditions}  return out");
    let deep = format!(
        "def moves(n): return [n - {}1{}]",
        "(".repeat(150),
        ")".repeat(150)
    );
    let sums = format!("def moves(n): return [n - 1{}]", " + 1 - 1".repeat(5000));
    let calls = "def moves(n): return moves(n)".to_owned();
    let doubling = "def double(n, k): return double(2 * n, k - 1) if k else [n]\ndef moves(n): return double(n, 150)".to_owned();
    let large = "def moves(n): return [n - k for k in range(1000000000000)]".to_owned();
    let wide =
        "def moves(n): return [n * 4611686018427387904 * 4611686018427387904 - n]".to_owned();
    for source in [many_paths, deep, sums, calls, doubling, large, wide] {
        let Ok(file) = RuleFile::read("own.star", &source, Allowance::default()) else {
            continue;
        };
        let start: String = source.chars().take(80).collect();
        assert_eq!(recognize(&file), None, "{start}");
    }
}

#[test]
fn long_sets_are_recognized() {
    let all: Vec<u64> = (1..900).collect();
    for source in [
        "def moves(n): return [n - k for k in range(1, 900) if k <= n]",
        "def moves(n):\n  out = []\n  for k in range(1, 900):\n    if k <= n:\n      out.append(n - k)\n  return out",
        "def moves(n): return [n - k for k in range(1, min(n, 899) + 1)]",
    ] {
        assert_eq!(
            recognize(&file(source)),
            Some(subtraction(&all)),
            "{source}"
        );
    }
    // The set has numbers beyond the largest heap for which the rule is run.
    let source = "def moves(n): return [n - k for k in range(1, 1100) if k <= n]";
    assert_eq!(recognize(&file(source)), None);
}

#[test]
fn limits_stop_the_recognition() {
    let long = "def moves(n): return [n - k for k in range(1, 900) if k <= n]";
    let short = "def moves(n): return [n - k for k in (1, 3, 4) if k <= n]";
    for source in [long, short] {
        let file = file(source);
        for passed in [0, 1, 5, 20] {
            let polls = AtomicU64::new(0);
            let interrupted = || {
                let is_up = polls.fetch_add(1, Ordering::Relaxed) >= passed;
                is_up.then_some(Stop::Time)
            };
            let limits = Limits {
                interrupted: &interrupted,
                ..Limits::default()
            };
            assert_eq!(
                file.recognize("moves", &limits),
                Err(Stop::Time),
                "{source}"
            );
        }
    }
}
