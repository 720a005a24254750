//! The gallery: every rule file of examples/rules has the published values, or those of an
//! independent computation.

use std::collections::HashMap;

use grundy_core::ruleset::{Ends, Nature};
use grundy_core::solve::GameValue;
use grundy_core::{
    Dyadic, Limits, Outcome, OutcomeClass, PayoffResult, Play, Position, Solver, Verdict,
};
use grundy_forms::Forms;
use grundy_forms::text::read;
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};

/// Loads a file of the gallery.
fn file(name: &str) -> RuleFile {
    let path = format!(
        "{}/../../examples/rules/{name}.star",
        env!("CARGO_MANIFEST_DIR")
    );
    let source = std::fs::read_to_string(path).unwrap();
    RuleFile::read(name, &source, Allowance::default()).unwrap()
}

/// Parses a position with a rule file.
fn game(file: &RuleFile, text: &str) -> Position {
    Expression::parse(text)
        .unwrap()
        .position_with(&[], file)
        .unwrap()
}

/// Parses an impartial position with a rule file.
fn position(file: &RuleFile, text: &str) -> Position {
    let position = game(file, text);
    assert_eq!(position.nature(), Nature::IMPARTIAL, "{position}");
    position
}

/// Returns the Grundy value of the position `text` by the rules of `file`.
fn value(solver: &mut Solver, file: &RuleFile, text: &str) -> u64 {
    let value = solver.grundy(&position(file, text), &Limits::default());
    value.unwrap_or_else(|stop| panic!("{stop:?}"))
}

/// Returns the Grundy value of the position `text` of a built-in game.
fn known(solver: &mut Solver, text: &str) -> u64 {
    let position = grundy_notation::read_position(text).unwrap();
    solver.grundy(&position, &Limits::default()).unwrap()
}

#[test]
fn every_file_of_the_gallery_is_tested_here() {
    let path = format!("{}/../../examples/rules", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    // A file counts as tested if this source contains the call that loads it.
    let tests = include_str!("gallery.rs");
    assert!(names.len() >= 10);
    for name in names {
        let stem = name.strip_suffix(".star").unwrap();
        assert!(tests.contains(&format!("file(\"{stem}\")")), "{name}");
    }
}

#[test]
fn squares_has_the_published_losing_positions() {
    let file = file("squares");
    let mut solver = Solver::default();
    let losing: Vec<u64> = (0..=130)
        .filter(|n| value(&mut solver, &file, &format!("game(moves, {n})")) == 0)
        .collect();
    // OEIS A030193.
    let published = [
        0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57, 62, 65, 67, 72, 85, 95, 109, 119,
        124, 127, 130,
    ];
    assert_eq!(losing, published);
}

#[test]
fn wythoff_and_the_golden_ratio() {
    let file = file("wythoff");
    let mut solver = Solver::default();
    for a in 0..=15u64 {
        for b in 0..=15u64 {
            let found = value(&mut solver, &file, &format!("game(moves, ({a}, {b}))"));
            let (small, k) = (a.min(b), a.abs_diff(b));
            // floor(k phi) = floor((k + sqrt(5 k^2)) / 2), in integers.
            let floor = u64::midpoint(k, (5 * k * k).isqrt());
            assert_eq!(found == 0, small == floor, "({a}, {b})");
            assert_eq!(found, known(&mut solver, &format!("wythoff({a}, {b})")));
        }
    }
}

#[test]
fn chomp_has_the_values_of_the_built_in_game() {
    let file = file("chomp");
    let mut solver = Solver::default();
    for a in 1..=5 {
        for b in 1..=a {
            for c in 1..=b {
                let found = value(&mut solver, &file, &format!("game(moves, ({a}, {b}, {c}))"));
                assert_eq!(found, known(&mut solver, &format!("chomp({a}, {b}, {c})")));
                // Strategy stealing: the first player wins every rectangle with more than one
                // square.
                if a == c {
                    assert_ne!(found, 0, "a rectangle is won");
                }
            }
        }
    }
}

#[test]
fn nim_with_a_pass_by_an_independent_count() {
    fn wins(heaps: &mut Vec<u64>, pass: bool, memo: &mut HashMap<(Vec<u64>, bool), bool>) -> bool {
        let mut key = heaps.clone();
        key.sort_unstable();
        if let Some(&known) = memo.get(&(key.clone(), pass)) {
            return known;
        }
        let mut win = pass && heaps.iter().any(|&heap| heap > 0) && !wins(heaps, false, memo);
        for i in 0..heaps.len() {
            let heap = heaps[i];
            for size in 0..heap {
                heaps[i] = size;
                win |= !wins(heaps, pass, memo);
            }
            heaps[i] = heap;
        }
        memo.insert((key, pass), win);
        win
    }
    let file = file("nim_with_a_pass");
    let (mut solver, mut memo) = (Solver::default(), HashMap::new());
    for a in 1..=4 {
        for b in a..=4 {
            for c in b..=5 {
                for pass in 0..=1 {
                    let found = value(
                        &mut solver,
                        &file,
                        &format!("game(moves, (({a}, {b}, {c}), {pass}))"),
                    );
                    let expected = wins(&mut vec![a, b, c], pass == 1, &mut memo);
                    assert_eq!(found != 0, expected, "({a}, {b}, {c}) with {pass}");
                    // Without the pass the game is Nim.
                    if pass == 0 {
                        assert_eq!(found, a ^ b ^ c);
                    }
                }
            }
        }
    }
}

#[test]
fn euclid_ended_by_equal_numbers_has_nivaschs_values() {
    let file = file("euclid_equal");
    let mut solver = Solver::default();
    for a in 1..=30u64 {
        for b in 1..=30u64 {
            let found = value(&mut solver, &file, &format!("game(moves, ({a}, {b}))"));
            // |a/b - b/a| = |a^2 - b^2| / (a b).
            assert_eq!(found, (a * a).abs_diff(b * b) / (a * b), "({a}, {b})");
        }
    }
}

#[test]
fn kayles_and_dawsons_chess_have_the_values_of_the_built_in_games() {
    let (kayles, dawson) = (file("kayles"), file("dawsons_chess"));
    let mut solver = Solver::default();
    for n in 0..=100 {
        let found = value(&mut solver, &kayles, &format!("game(moves, {n})"));
        assert_eq!(
            found,
            known(&mut solver, &format!("kayles({n})")),
            "kayles {n}"
        );
        if n >= 71 + 12 {
            let before = value(&mut solver, &kayles, &format!("game(moves, {})", n - 12));
            assert_eq!(found, before, "the period is 12");
        }
        let found = value(&mut solver, &dawson, &format!("game(moves, {n})"));
        assert_eq!(
            found,
            known(&mut solver, &format!("dawsons_chess({n})")),
            "dawson {n}"
        );
    }
    // Dawson's original rule: the player who makes the last move loses.
    for n in 0..=14 {
        let limits = Limits::default();
        let outcome =
            |position: &Position| Solver::default().outcome(position, Play::Misere, &limits);
        let built_in = grundy_notation::read_position(&format!("dawsons_chess({n})")).unwrap();
        let found = position(&dawson, &format!("game(moves, {n})"));
        assert_eq!(outcome(&found), outcome(&built_in), "{n}");
    }
}

#[test]
fn silver_dollar_is_nim_on_every_other_gap() {
    let file = file("silver_dollar");
    let mut solver = Solver::default();
    for mask in 1u32..512 {
        let coins: Vec<u64> = (0..9).filter(|i| mask >> i & 1 == 1).collect();
        // The coins are paired from the right. The gaps within pairs are Nim heaps.
        let gaps = coins.rchunks(2).map(|pair| match pair {
            [low, high] => high - low - 1,
            [lowest] => *lowest,
            _ => 0,
        });
        let expected = gaps.fold(0, |sum, gap| sum ^ gap);
        let mut text: Vec<String> = coins.iter().map(u64::to_string).collect();
        if text.len() == 1 {
            text.push(String::new());
        }
        let found = value(
            &mut solver,
            &file,
            &format!("game(moves, ({}))", text.join(", ")),
        );
        assert_eq!(found, expected, "{coins:?}");
    }
}

#[test]
fn toads_and_frogs_by_an_independent_count() {
    fn wins(strip: &[u8], left: bool) -> bool {
        let mut reversed: Vec<u8> = strip.to_vec();
        if !left {
            reversed.reverse();
        }
        let (mine, other) = if left { (b'T', b'F') } else { (b'F', b'T') };
        for i in 0..reversed.len() {
            for (jump, over) in [(1, None), (2, Some(other))] {
                let legal = reversed[i] == mine
                    && reversed.get(i + jump) == Some(&b'.')
                    && over.is_none_or(|over| reversed[i + 1] == over);
                if legal {
                    let mut next = reversed.clone();
                    next.swap(i, i + jump);
                    if !left {
                        next.reverse();
                    }
                    if !wins(&next, !left) {
                        return true;
                    }
                }
            }
        }
        false
    }
    let file = file("toads_and_frogs");
    let limits = Limits::default();
    let mut seen = std::collections::HashSet::new();
    for code in 0..3u32.pow(6) {
        let strip: String = (0..6)
            .map(|i| ['T', 'F', '.'][(code / 3u32.pow(i) % 3) as usize])
            .collect();
        let position = game(&file, &format!("game(rules, '{strip}')"));
        assert_eq!(position.nature(), Nature::PARTIZAN, "{strip}");
        let solution = Solver::default()
            .solve(&position, Play::Normal, &limits)
            .unwrap();
        assert_eq!(solution.beginnings.len(), 2, "{strip}");
        let [left, right] = [true, false].map(|left| wins(strip.as_bytes(), left));
        let expected = OutcomeClass::from_wins(left, right);
        assert_eq!(solution.class(), expected, "{strip}");
        seen.insert(expected.to_string());
    }
    assert_eq!(seen.len(), 4, "all four classes occur");
}

#[test]
fn tic_tac_toe_is_a_tie_and_every_board_has_its_value() {
    fn best(board: &mut Vec<u8>, memo: &mut HashMap<Vec<u8>, i8>) -> i8 {
        const LINES: [[usize; 3]; 8] = [
            [0, 1, 2],
            [3, 4, 5],
            [6, 7, 8],
            [0, 3, 6],
            [1, 4, 7],
            [2, 5, 8],
            [0, 4, 8],
            [2, 4, 6],
        ];
        if let Some(&known) = memo.get(board) {
            return known;
        }
        let full = |line: &[usize; 3]| {
            line.iter()
                .all(|&i| board[i] == board[line[0]] && board[i] != b'.')
        };
        let value = if LINES.iter().any(full) {
            -1
        } else {
            let count = board.iter().filter(|&&c| c != b'.').count();
            let mark = if count % 2 == 0 { b'X' } else { b'O' };
            let mut value = None;
            for i in 0..9 {
                if board[i] == b'.' {
                    board[i] = mark;
                    value = value.max(Some(-best(board, memo)));
                    board[i] = b'.';
                }
            }
            value.unwrap_or(0)
        };
        memo.insert(board.clone(), value);
        value
    }
    let file = file("tic_tac_toe");
    let mut memo = HashMap::new();
    assert_eq!(best(&mut b".........".to_vec(), &mut memo), 0);
    assert_eq!(memo.len(), 5478, "positions that can be reached");
    let limits = Limits::default();
    // A sample of all boards, and the empty board.
    let mut boards: Vec<Vec<u8>> = memo.keys().cloned().collect();
    boards.sort();
    for board in boards.iter().step_by(97).chain([&b".........".to_vec()]) {
        let text = String::from_utf8(board.clone()).unwrap();
        let start = game(&file, &format!("game(moves, '{text}')"));
        assert_eq!(start.nature().ends, Ends::Payoff, "{text}");
        let solution = Solver::default()
            .solve(&start, Play::Normal, &limits)
            .unwrap();
        let expected =
            [PayoffResult::Lose, PayoffResult::Tie, PayoffResult::Win][(memo[board] + 1) as usize];
        assert_eq!(solution.verdict(), Verdict::Payoff(expected), "{text}");
        for keeping in solution.winning_moves() {
            let to = keeping.to.to_string();
            let to = to.split('"').nth(1).expect("boards are strings");
            assert_eq!(memo[to.as_bytes()], -memo[board], "{text} -> {to}");
        }
    }
}

#[test]
fn sos_by_an_independent_count() {
    /// Returns the result of SOS on a row of squares for the player to move. A win is 1, a tie 0,
    /// and a loss -1.
    fn best(row: &mut Vec<u8>, memo: &mut HashMap<Vec<u8>, i8>) -> i8 {
        if row.windows(3).any(|three| three == b"SOS") {
            return -1;
        }
        if let Some(&known) = memo.get(row) {
            return known;
        }
        let mut value = None;
        for i in 0..row.len() {
            if row[i] == b'.' {
                for letter in *b"SO" {
                    row[i] = letter;
                    value = value.max(Some(-best(row, memo)));
                }
                row[i] = b'.';
            }
        }
        let value = value.unwrap_or(0);
        memo.insert(row.clone(), value);
        value
    }
    let file = file("sos");
    let mut memo = HashMap::new();
    // The olympiad problem: the first player wins on seven squares.
    assert_eq!(best(&mut vec![b'.'; 7], &mut memo), 1);
    assert_eq!(best(&mut b"S...".to_vec(), &mut memo), 1);
    for n in 1..=8 {
        let row = vec![b'.'; n];
        let text = String::from_utf8(row.clone()).unwrap();
        let start = game(&file, &format!("game(moves, '{text}')"));
        let solution = Solver::default().solve(&start, Play::Normal, &Limits::default());
        let worth = [PayoffResult::Lose, PayoffResult::Tie, PayoffResult::Win];
        let expected = worth[(best(&mut row.clone(), &mut memo) + 1) as usize];
        assert_eq!(
            solution.unwrap().verdict(),
            Verdict::Payoff(expected),
            "{text}"
        );
    }
}

#[test]
fn fair_shares_by_an_independent_iteration() {
    /// Returns all partitions of n into parts of at least `least`. The parts of each partition are
    /// in increasing order.
    fn partitions(n: u64, least: u64) -> Vec<Vec<u64>> {
        if n == 0 {
            return vec![Vec::new()];
        }
        let first = (least..=n).flat_map(|part| {
            partitions(n - part, part).into_iter().map(move |mut rest| {
                rest.insert(0, part);
                rest
            })
        });
        first.collect()
    }
    /// Returns the options of a position.
    fn options(heaps: &[u64]) -> Vec<Vec<u64>> {
        let mut out = Vec::new();
        for (i, &n) in heaps.iter().enumerate() {
            for parts in (2..=n).filter(|parts| n % parts == 0) {
                let mut to = heaps.to_vec();
                to.remove(i);
                to.extend(std::iter::repeat_n(n / parts, parts as usize));
                out.push(to);
            }
            for (j, &m) in heaps.iter().enumerate().skip(i + 1) {
                if m != n {
                    let mut to = heaps.to_vec();
                    to.remove(j);
                    to[i] = n + m;
                    out.push(to);
                }
            }
        }
        out.iter_mut().for_each(|to| to.sort_unstable());
        out
    }
    let file = file("fair_shares");
    let mut seen = std::collections::HashSet::new();
    for n in 1..=9 {
        // The definition, iterated to a fixed point: P if all options are N, N if some option is P.
        let all = partitions(n, 1);
        let mut outcomes: HashMap<Vec<u64>, Outcome> = HashMap::new();
        loop {
            let before = outcomes.len();
            for heaps in &all {
                let options = options(heaps);
                let known: Vec<Option<&Outcome>> =
                    options.iter().map(|to| outcomes.get(to)).collect();
                if known.contains(&Some(&Outcome::P)) {
                    outcomes.insert(heaps.clone(), Outcome::N);
                } else if known.iter().all(|known| *known == Some(&Outcome::N)) {
                    outcomes.insert(heaps.clone(), Outcome::P);
                }
            }
            if outcomes.len() == before {
                break;
            }
        }
        for heaps in &all {
            let text: Vec<String> = heaps.iter().map(u64::to_string).collect();
            let position = position(&file, &format!("game(moves, ({},))", text.join(", ")));
            let solution = Solver::default()
                .solve(&position, Play::Normal, &Limits::default())
                .unwrap();
            let expected = outcomes.get(heaps).copied().unwrap_or(Outcome::D);
            assert_eq!(solution.outcome(), expected, "{heaps:?}");
            seen.insert(expected);
        }
    }
    // The text of the book leaves draws open, so only wins and losses are required.
    assert!(seen.contains(&Outcome::N) && seen.contains(&Outcome::P));
}

#[test]
fn corridors_cooled_by_one_have_the_published_values() {
    let file = file("corridor");
    let (mut solver, limits) = (Solver::default(), Limits::default());
    let mut forms = Forms::default();
    for n in 1..=30 {
        let position = game(&file, &format!("game(rules, {n})"));
        let solution = solver.solve(&position, Play::Normal, &limits).unwrap();
        let Some(GameValue::Short { text, .. }) = solution.value else {
            panic!("{position} has no value");
        };
        let form = read(&text, &mut forms, &limits).unwrap();
        let cooled = forms.cool(form, &Dyadic::ONE, &limits).unwrap();
        // A corridor of one point is 0, and cooling does not change it.
        let expected = if n == 1 {
            Dyadic::ZERO
        } else {
            &Dyadic::integer(n - 2) + &Dyadic::new(1, n as u32 - 1)
        };
        assert_eq!(forms.number(cooled), Some(&expected), "{n}");
    }
}
