//! Explanations of loopy games and of games with ties, checked against the definition. All
//! reachable positions are labelled in rounds from the moves alone. Then every stage, set, cycle,
//! value and strategy that the explanation states is compared with the labels.

use std::collections::{BTreeSet, HashMap};

use grundy_core::step::{Datum, Step};
use grundy_core::{Limits, Outcome, PayoffResult, Play, Player, Position, Solver, explain};
use grundy_notation::read_position;
use grundy_wording::{Language, words};

use crate::options::options;

/// A position and the player to move.
type State = (Position, Player);

/// The outcome and remoteness of each reachable position with a player to move, or `None` for a
/// draw.
struct Labels(HashMap<State, Option<(Outcome, u64)>>);

impl Labels {
    fn new(start: &Position, player: Player, play: Play) -> Self {
        let mut next: HashMap<State, Vec<State>> = HashMap::new();
        let mut waiting = vec![(start.clone(), player)];
        while let Some(state) = waiting.pop() {
            if next.contains_key(&state) {
                continue;
            }
            let (position, player) = &state;
            let options = options(position, *player).into_iter();
            let options: Vec<State> = options.map(|to| (to, player.other())).collect();
            waiting.extend(options.iter().cloned());
            next.insert(state, options);
        }
        let mut labels: HashMap<State, Option<(Outcome, u64)>> = HashMap::new();
        labels.extend(next.keys().map(|state| (state.clone(), None)));
        // Retrograde analysis in its slowest and simplest form: each round visits all unlabelled
        // positions.
        for round in 0.. {
            let label = |options: &Vec<State>| {
                let of = |state: &State| labels[state];
                if options.is_empty() {
                    let end = if play == Play::Normal {
                        Outcome::P
                    } else {
                        Outcome::N
                    };
                    return (round == 0).then_some(end);
                }
                let before = |outcome| Some((outcome, round - 1));
                if round == 0 {
                    return None;
                }
                if options.iter().any(|to| of(to) == before(Outcome::P)) {
                    return Some(Outcome::N);
                }
                let lost = |to| matches!(of(to), Some((Outcome::N, _)));
                options.iter().all(lost).then_some(Outcome::P)
            };
            let unlabelled = next.iter().filter(|(state, _)| labels[*state].is_none());
            let new: Vec<(State, Outcome)> = unlabelled
                .filter_map(|(state, options)| Some((state.clone(), label(options)?)))
                .collect();
            // A new label needs one from the previous round, so nothing follows an empty round.
            if new.is_empty() && round > 1 {
                break;
            }
            for (state, outcome) in new {
                labels.insert(state, Some((outcome, round)));
            }
        }
        Self(labels)
    }

    fn outcome(&self, state: &State) -> Outcome {
        self.0[state].map_or(Outcome::D, |(outcome, _)| outcome)
    }
}

/// Returns the outcome of a position given as text.
fn outcome(text: &str) -> Outcome {
    let position = read_position(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let player = position.first_player();
    Labels::new(&position, player, Play::Normal).outcome(&(position, player))
}

fn datum<'a>(step: &'a Step, name: &str) -> Option<&'a Datum> {
    step.args
        .iter()
        .find_map(|(known, datum)| (*known == name).then_some(datum))
}

fn text<'a>(step: &'a Step, name: &str) -> &'a str {
    match datum(step, name) {
        Some(Datum::Text(text)) => text,
        _ => panic!("{} has no text {name}", step.code),
    }
}

fn int(step: &Step, name: &str) -> u64 {
    match datum(step, name) {
        Some(Datum::Int(number)) => *number,
        _ => panic!("{} has no number {name}", step.code),
    }
}

fn texts(step: &Step, name: &str) -> Vec<String> {
    match datum(step, name) {
        Some(Datum::List(items)) => items.iter().map(written).collect(),
        _ => panic!("{} has no list {name}", step.code),
    }
}

fn written(datum: &Datum) -> String {
    match datum {
        Datum::Text(text) => text.clone(),
        Datum::Int(number) => number.to_string(),
        Datum::Bool(_) | Datum::List(_) => panic!("neither a text nor a number"),
    }
}

fn explained(position: &Position, play: Play) -> (Vec<Step>, usize) {
    let (mut solver, limits) = (Solver::default(), Limits::default());
    let solution = solver.solve(position, play, &limits).unwrap();
    let steps = explain::steps(position, play, &solution, &mut solver, &limits).unwrap();
    for step in &steps {
        for language in [Language::En, Language::Zh] {
            let sentence = words(step, language);
            assert!(!sentence.contains('?'), "{sentence}");
        }
    }
    let winning = solution
        .beginnings
        .iter()
        .map(|beginning| beginning.moves.len());
    (steps, winning.sum())
}

/// A pseudorandom generator (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }

    /// Returns the text of a random graph of up to `most` vertices.
    fn graph(&mut self, most: u64) -> String {
        let vertices = 1 + self.below(most);
        let rows: Vec<String> = (0..vertices)
            .map(|v| {
                let moves = self.below(4);
                let targets: BTreeSet<u64> = (0..moves).map(|_| self.below(vertices)).collect();
                let targets: Vec<String> = targets.iter().map(u64::to_string).collect();
                format!("{v}: [{}]", targets.join(", "))
            })
            .collect();
        format!("graph({{{}}}, {})", rows.join(", "), self.below(vertices))
    }
}

/// Returns the name of the current vertex of a graph.
fn vertex(position: &Position) -> String {
    let (network, vertex) = position.only_term().unwrap().network().unwrap();
    network.names.get(vertex).to_owned()
}

/// Checks the explanation of a graph game: its stages, sets, cycles, longest plays and strategy
/// tables. Returns the number of steps checked.
fn check_graph(game: &str, play: Play) -> usize {
    let start = read_position(game).unwrap();
    let player = start.first_player();
    let labels = Labels::new(&start, player, play);
    // Both players have the same moves, so the player to move makes no difference.
    let mut of: HashMap<String, Option<(Outcome, u64)>> = HashMap::new();
    let mut options_of: HashMap<String, BTreeSet<String>> = HashMap::new();
    for ((position, player), label) in &labels.0 {
        let to = options(position, *player);
        options_of.insert(vertex(position), to.iter().map(vertex).collect());
        of.insert(vertex(position), *label);
    }
    let outcome = |name: &String| of[name].map_or(Outcome::D, |(outcome, _)| outcome);
    let these = |wanted: &dyn Fn(&String) -> bool| -> BTreeSet<String> {
        of.keys().filter(|name| wanted(name)).cloned().collect()
    };
    let mut checked = 0;
    for step in explained(&start, play).0 {
        checked += 1;
        let set = || -> BTreeSet<String> { texts(&step, "vertices").into_iter().collect() };
        match step.code {
            "stage_end_p" | "stage_end_n" | "stage_p" | "stage_n" => {
                let wanted = if step.code.ends_with('p') {
                    Outcome::P
                } else {
                    Outcome::N
                };
                let stage = Some((wanted, int(&step, "index")));
                assert_eq!(set(), these(&|name| of[name] == stage), "{game} {step:?}");
                assert_eq!(int(&step, "count"), set().len() as u64);
            }
            "stage_all_p" | "stage_all_n" | "stage_all_d" => {
                let wanted = match step.code {
                    "stage_all_p" => Outcome::P,
                    "stage_all_n" => Outcome::N,
                    _ => Outcome::D,
                };
                assert_eq!(set(), these(&|name| outcome(name) == wanted), "{game}");
                assert_eq!(int(&step, "count"), set().len() as u64);
            }
            "stage_no_end" => assert!(options_of.values().all(|options| !options.is_empty())),
            "not_progressively_bounded" => {
                let cycle = texts(&step, "cycle");
                assert!(cycle.len() > 1 && cycle.first() == cycle.last(), "{game}");
                for pair in cycle.windows(2) {
                    assert!(options_of[&pair[0]].contains(&pair[1]), "{game} {cycle:?}");
                }
            }
            // Exponential, but the graph is acyclic here and has at most nine vertices.
            "progressively_bounded" => {
                fn longest(options_of: &HashMap<String, BTreeSet<String>>, from: &String) -> u64 {
                    let after = options_of[from]
                        .iter()
                        .map(|to| 1 + longest(options_of, to));
                    after.max().unwrap_or(0)
                }
                assert_eq!(int(&step, "bound"), longest(&options_of, &vertex(&start)));
                for (name, bound) in texts(&step, "vertices").iter().zip(texts(&step, "bounds")) {
                    assert_eq!(bound, longest(&options_of, name).to_string(), "{game}");
                }
            }
            "strategy" => {
                let Some(Datum::List(rows)) = datum(&step, "rows") else {
                    panic!("a table has rows")
                };
                for row in rows {
                    let Datum::List(row) = row else {
                        panic!("a row is a list")
                    };
                    let [name, letter, remoteness, to] = [0, 1, 2, 3].map(|at| written(&row[at]));
                    assert_eq!(letter, outcome(&name).to_string(), "{game}");
                    let moves = of[&name].map_or(String::new(), |(_, moves)| moves.to_string());
                    assert_eq!(remoteness, moves, "{game} {name}");
                    if !to.is_empty() {
                        assert!(options_of[&name].contains(&to), "{game}");
                        // A winning move goes to a P-position with a remoteness one smaller. A
                        // drawing move goes to another draw.
                        let kept = match of[&name] {
                            Some((_, moves)) => of[&to] == Some((Outcome::P, moves - 1)),
                            None => of[&to].is_none(),
                        };
                        assert!(kept, "{game}: from {name} to {to}");
                    }
                }
            }
            _ => checked -= 1,
        }
    }
    checked
}

/// Checks the value of the position `part` by the outcomes of its sums with Nim heaps. If the value
/// is a finite number n, the sum with a heap of n is a P-position. Otherwise the value is infinity
/// with a set K. Then the sum with a heap of k is an N-position if k is in K, and otherwise a draw.
fn check_value(part: &str, value: &str) {
    match value.strip_prefix("inf{") {
        None => assert_eq!(outcome(&format!("{part} + nim({value})")), Outcome::P),
        Some(set) => {
            let set: Vec<&str> = set.trim_end_matches('}').split(',').collect();
            for heap in 0..6 {
                let expected = if set.contains(&&heap.to_string()[..]) {
                    Outcome::N
                } else {
                    Outcome::D
                };
                assert_eq!(
                    outcome(&format!("{part} + nim({heap})")),
                    expected,
                    "{part}"
                );
            }
        }
    }
}

/// Checks the reasons for moves, and the values, in the explanation of a sum. Returns the number of
/// reasons.
fn check_sum(game: &str, play: Play) -> usize {
    let start = read_position(game).unwrap();
    let (steps, winning) = explained(&start, play);
    let player = start.first_player();
    let labels = Labels::new(&start, player, play);
    let here = labels.outcome(&(start.clone(), player));
    let mut reasons = 0;
    for step in &steps {
        match step.code {
            "reason_zero" => {
                reasons += 1;
                let to = options(&start, player)
                    .into_iter()
                    .find(|to| vertex(to) == text(step, "to"));
                let to = (to.expect("a move leads there"), player.other());
                assert_eq!(labels.outcome(&to), Outcome::P, "{game}");
            }
            code if code.starts_with("reason") => {
                reasons += 1;
                let to = options(&start, player)
                    .into_iter()
                    .find(|to| to.to_string() == text(step, "to"));
                let to = (to.expect("a move leads there"), player.other());
                assert_eq!(labels.outcome(&to), Outcome::P, "{game}");
                if datum(step, "loopy").is_some() {
                    check_value(text(step, "part"), text(step, "loopy"));
                    check_value(text(step, "left"), text(step, "others"));
                }
            }
            "loopy_others_in_set" | "loopy_others_not_in_set" => {
                check_value(text(step, "part"), text(step, "infinity"));
                let heap = format!("{} + nim({})", text(step, "part"), text(step, "others"));
                assert_eq!(outcome(&heap), here, "{game}");
            }
            "loopy_components" => {
                let values = texts(step, "values");
                for (part, value) in texts(step, "parts").iter().zip(&values) {
                    check_value(part, value);
                }
            }
            "searched_answered" => {
                let moved = read_position(text(step, "move")).unwrap();
                let answer = read_position(text(step, "answer")).unwrap();
                assert!(options(&moved, player.other()).contains(&answer), "{game}");
                assert_eq!(labels.outcome(&(answer, player)), Outcome::P, "{game}");
            }
            "searched_d" | "searched_d_n" => {
                for (name, wanted) in [("drawn", Outcome::D), ("lost", Outcome::N)] {
                    if datum(step, name).is_some() {
                        let told: BTreeSet<String> = texts(step, name).into_iter().collect();
                        let so: BTreeSet<String> = options(&start, player)
                            .into_iter()
                            .filter(|to| labels.outcome(&(to.clone(), player.other())) == wanted)
                            .map(|to| to.to_string())
                            .collect();
                        assert_eq!(told, so, "{game}");
                    }
                }
            }
            _ => {}
        }
    }
    assert_eq!(reasons, winning, "{game} {play}: {steps:?}");
    reasons
}

#[test]
fn stages_and_strategies_of_graphs_hold() {
    let mut random = Random(14);
    for play in [Play::Normal, Play::Misere] {
        let claims: usize = (0..400).map(|_| check_graph(&random.graph(9), play)).sum();
        assert!(claims > 1200, "{claims}");
    }
}

#[test]
fn reasons_in_sums_of_graphs_hold() {
    let mut random = Random(15);
    let mut reasons = 0;
    for round in 0..1000 {
        let sum = match round % 3 {
            0 => random.graph(6),
            1 => format!("{} + nim({})", random.graph(5), random.below(4)),
            _ => format!("{} + {}", random.graph(4), random.graph(4)),
        };
        reasons += check_sum(&sum, Play::Normal);
    }
    assert!(reasons > 150, "{reasons}");
}

#[test]
fn claims_about_misere_sums_of_graphs_hold() {
    let mut random = Random(16);
    for _ in 0..100 {
        check_sum(
            &format!("{} + nim({})", random.graph(4), random.below(3)),
            Play::Misere,
        );
    }
}

/// Checks the claims about how soon a player wins in Northcott's game, in which retreats make the
/// game loopy.
#[test]
fn claimed_distances_in_northcott_hold() {
    let mut told = 0;
    for rows in [
        "[0, 3]",
        "[0, 2], [1, 3]",
        "[1, 2], [3, 0]",
        "[0, 1], [2, 3]",
    ] {
        for play in [Play::Normal, Play::Misere] {
            let game = format!("northcott(4, [{rows}])");
            let start = read_position(&game).unwrap();
            let player = start.first_player();
            let labels = Labels::new(&start, player, play);
            for step in explained(&start, play).0 {
                let Some((_, code)) = step.code.split_once("_begins_") else {
                    continue;
                };
                let label = labels.0[&(start.clone(), player)];
                let wanted = match code {
                    "wins_in" => Some((Outcome::N, int(&step, "moves"))),
                    "loses_in" => Some((Outcome::P, int(&step, "moves"))),
                    "draws" => None,
                    _ => continue,
                };
                assert_eq!(label, wanted, "{game} {play}");
                told += 1;
            }
        }
    }
    assert!(told > 2, "{told}");
}

/// Results of games with ties, by minimax.
struct Minimax(HashMap<State, PayoffResult>);

impl Minimax {
    fn result(&mut self, position: &Position, player: Player) -> PayoffResult {
        let state = (position.clone(), player);
        if let Some(&known) = self.0.get(&state) {
            return known;
        }
        let after = options(position, player);
        let after = after
            .iter()
            .map(|to| self.result(to, player.other()).reversed());
        let result = after
            .max()
            .unwrap_or_else(|| position.terminal_result(player, Play::Normal).unwrap());
        self.0.insert(state, result);
        result
    }
}

/// Returns the option of `mover` whose caption (the short form of the position) is `caption`.
///
/// # Panics
/// If no option has the caption `caption`.
fn option_called(position: &Position, mover: Player, caption: &str) -> Position {
    let options = options(position, mover).into_iter();
    let mut called = options.filter(|to| to.caption() == caption);
    called.next().expect("the caption is that of an option")
}

/// Checks that every move of the opponent has a reply that preserves the claimed result. Returns
/// the number of claims.
fn check_ties(game: &str) -> usize {
    let start = read_position(game).unwrap();
    let (steps, _) = explained(&start, Play::Normal);
    let mut minimax = Minimax(HashMap::new());
    let mover = start.first_player();
    let result = minimax.result(&start, mover);
    let mut chosen: HashMap<&str, &str> = HashMap::new();
    let mut answered: Vec<&str> = Vec::new();
    let (mut kept, mut held): (Option<Position>, Vec<&str>) = (None, Vec::new());
    let complete = !steps.iter().any(|step| step.code == "more_moves_answered");
    for step in &steps {
        match step.code {
            "ties_chooses" | "ties_wins_at_once" => {
                chosen.insert(text(step, "from"), text(step, "to"));
            }
            "ties_answered" | "ties_ends_tie" | "ties_ends_won" => {
                let moved = option_called(&start, mover, text(step, "move"));
                answered.push(text(step, "move"));
                if step.code.starts_with("ties_ends") {
                    assert!(options(&moved, mover.other()).is_empty(), "{game}");
                    let end = moved.terminal_result(mover, Play::Normal).unwrap();
                    let code =
                        ["ties_ends_won", "ties_ends_tie"][usize::from(end == PayoffResult::Tie)];
                    assert_eq!(step.code, code, "{game}");
                    continue;
                }
                let answer = option_called(&moved, mover.other(), text(step, "answer"));
                let answer = minimax.result(&answer, mover);
                assert!(answer <= result, "{game}: {step:?}");
            }
            "ties_keeps" => {
                let to = option_called(&start, mover, text(step, "to"));
                let kept_result = minimax.result(&to, mover.other());
                assert_eq!(kept_result, PayoffResult::Tie, "{game}");
                kept = Some(to);
            }
            "ties_held" | "ties_held_tie" | "ties_held_won" => {
                let kept = kept.as_ref().expect("a step ties_keeps comes first");
                let moved = option_called(kept, mover.other(), text(step, "move"));
                held.push(text(step, "move"));
                if step.code.starts_with("ties_held_") {
                    assert!(options(&moved, mover).is_empty(), "{game}");
                    let end = moved.terminal_result(mover, Play::Normal).unwrap();
                    let code =
                        ["ties_held_won", "ties_held_tie"][usize::from(end == PayoffResult::Tie)];
                    assert_eq!(step.code, code, "{game}");
                    continue;
                }
                let answer = option_called(&moved, mover, text(step, "answer"));
                let answer = minimax.result(&answer, mover.other());
                assert!(answer <= PayoffResult::Tie, "{game}: {step:?}");
            }
            "ties_conclusion_win" => assert_eq!(result, PayoffResult::Win, "{game}"),
            "ties_conclusion_tie" => assert_eq!(result, PayoffResult::Tie, "{game}"),
            "ties_conclusion_lose" => assert_eq!(result, PayoffResult::Lose, "{game}"),
            _ => {}
        }
    }
    if !answered.is_empty() {
        assert_eq!(answered.len(), options(&start, mover).len(), "{game}");
    }
    if let Some(kept) = kept {
        assert_eq!(held.len(), options(&kept, mover.other()).len(), "{game}");
    }
    if !chosen.is_empty() {
        // The strategy must have a line for every reply of the opponent until the game is won.
        let mut waiting = vec![start];
        while let Some(here) = waiting.pop() {
            let moves = options(&here, mover);
            if moves.is_empty() {
                let end = here.terminal_result(mover, Play::Normal).unwrap();
                assert_eq!(end, PayoffResult::Win, "{game}: {here}");
                continue;
            }
            let Some(to) = chosen.get(&here.caption()[..]) else {
                assert!(!complete, "{game}: no step mentions {here}");
                continue;
            };
            let to = option_called(&here, mover, to);
            let replies = options(&to, mover.other());
            if replies.is_empty() {
                let end = to.terminal_result(mover.other(), Play::Normal).unwrap();
                assert_eq!(end, PayoffResult::Lose, "{game}: {to}");
            }
            waiting.extend(replies);
        }
    }
    chosen.len() + answered.len()
}

#[test]
fn strategies_of_trees_and_of_k_in_a_row_hold() {
    let mut games: Vec<String> = [
        "tic_toe()",
        "k_in_a_row([\"XO.\", \".X.\", \"..O\"], 3)",
        "k_in_a_row([\"X.O\", \".O.\", \"X..\"], 3)",
        "k_in_a_row([\"XX.\", \"OO.\", \"...\"], 3)",
        "k_in_a_row([\"X..\", \".O.\", \"..X\"], 3)",
        "k_in_a_row([\"....\"], 2)",
        "k_in_a_row([\"...\", \"...\"], 2)",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut random = Random(17);
    // Trees of three levels, in which every end is a win of either player or a tie.
    for _ in 0..60 {
        let (mut moves, mut ends) = (Vec::new(), Vec::new());
        let (first, second) = (1 + random.below(3), 1 + random.below(3));
        let names = |of: &str, count| -> Vec<String> {
            (0..count).map(|at| format!("\"{of}{at}\"")).collect()
        };
        moves.push(format!("\"r\": [{}]", names("a", first).join(", ")));
        for a in 0..first {
            let below = names(&format!("a{a}b"), second);
            moves.push(format!("\"a{a}\": [{}]", below.join(", ")));
            for b in below {
                let inner = b.trim_matches('"');
                let leaves = names(&format!("{inner}c"), 2);
                moves.push(format!("{b}: [{}]", leaves.join(", ")));
                for leaf in leaves {
                    let end = ["X", "O", "tie"][random.below(3) as usize];
                    ends.push(format!("{leaf}: \"{end}\""));
                }
            }
        }
        let to_move = ["X", "O"][random.below(2) as usize];
        games.push(format!(
            "tree({{{}}}, \"r\", {{{}}}, to_move=\"{to_move}\")",
            moves.join(", "),
            ends.join(", ")
        ));
    }
    let claims: usize = games.iter().map(|game| check_ties(game)).sum();
    assert!(claims > 100, "{claims}");
}
