//! Games that can end in a tie, compared with a plain induction and a plain iteration, which share
//! no code with the solver.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_core::argument::Argument;
use grundy_core::dynamic::{DynamicGame, DynamicMove, DynamicPosition, DynamicRules, MoveResult};
use grundy_core::limits::stopped_early;
use grundy_core::ruleset::{Ends, Nature};
use grundy_core::solve::Grounds;
use grundy_core::solve::LabelSource as _;
use grundy_core::step::{Datum, Step};
use grundy_core::{
    Diagnostic, Kind, Limits, PayoffResult, Play, Player, Position, Solution, Solver, Stop, Term,
    Verdict, explain, message, registry,
};

/// A deterministic random number generator (xorshift64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// A graph with the options of each vertex. A vertex without options has a payoff for the player to
/// move.
#[derive(Debug)]
struct Plain {
    moves: Vec<Vec<usize>>,
    ends: Vec<i32>,
}

impl DynamicRules for Plain {
    fn name(&self) -> &'static str {
        "moves"
    }

    fn nature(&self) -> Nature {
        Nature {
            ends: Ends::Payoff,
            ..Nature::IMPARTIAL
        }
    }

    fn options(
        &self,
        _: Player,
        place: &DynamicPosition,
        choices: &mut Vec<DynamicMove>,
    ) -> Result<(), Stop> {
        let DynamicPosition::Int(here) = place else {
            return Err(no_number());
        };
        choices.extend(self.moves[*here as usize].iter().map(|&to| DynamicMove {
            label: None,
            result: MoveResult::One(DynamicPosition::Int(to as i64)),
        }));
        Ok(())
    }

    fn payoff(&self, place: &DynamicPosition) -> Result<PayoffResult, Stop> {
        match place {
            DynamicPosition::Int(here) => Ok(payoff(self.ends[*here as usize])),
            _ => Err(no_number()),
        }
    }
}

fn no_number() -> Stop {
    Stop::Rules(Arc::new(Diagnostic::new(Kind::Type, message!("no number"))))
}

fn payoff(sign: i32) -> PayoffResult {
    match sign {
        1 => PayoffResult::Win,
        0 => PayoffResult::Tie,
        _ => PayoffResult::Lose,
    }
}

impl Plain {
    /// Computes the value of each vertex by iteration, starting from the vertices without options.
    /// A vertex whose value is never decided is a tie.
    fn values(&self, play: Play) -> Vec<i32> {
        // Misère play exchanges wins and losses at the ends.
        let sign = if play == Play::Misere { -1 } else { 1 };
        let mut values = vec![None; self.moves.len()];
        loop {
            // Read only the values of the previous round, so that the order of the vertices does
            // not matter.
            let before = values.clone();
            for (here, row) in self.moves.iter().enumerate() {
                if row.is_empty() {
                    values[here] = Some(sign * self.ends[here]);
                } else if row.iter().any(|&to| before[to] == Some(-1)) {
                    values[here] = Some(1);
                } else if row.iter().all(|&to| before[to] == Some(1)) {
                    values[here] = Some(-1);
                }
            }
            if values == before {
                return values.into_iter().map(|value| value.unwrap_or(0)).collect();
            }
        }
    }
}

fn random(dice: &mut Dice, vertices: usize, loops: bool) -> Plain {
    let moves = (0..vertices).map(|here| {
        let count = dice.roll(4);
        // Without loops, moves lead only to smaller vertices.
        let below = if loops { vertices } else { here };
        let mut row = Vec::new();
        for _ in 0..count.min(below as u64) {
            let to = dice.roll(below as u64) as usize;
            if !row.contains(&to) {
                row.push(to);
            }
        }
        row
    });
    let moves: Vec<Vec<usize>> = moves.collect();
    let ends = (0..vertices).map(|_| dice.roll(3) as i32 - 1).collect();
    Plain { moves, ends }
}

fn number(position: &Position) -> usize {
    let text = position.to_string();
    let digits = text
        .trim_start_matches("game(moves, ")
        .trim_end_matches(')');
    digits.parse().unwrap()
}

#[test]
fn user_rules_with_and_without_loops() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let limits = Limits::default();
    let mut seen = HashMap::new();
    for round in 0..3000 {
        let plain = random(&mut dice, 1 + round % 9, round % 3 != 0);
        for play in [Play::Normal, Play::Misere] {
            let values = plain.values(play);
            let (moves, ends) = (plain.moves.clone(), plain.ends.clone());
            let rules: Arc<dyn DynamicRules> = Arc::new(Plain { moves, ends });
            for start in 0..values.len() {
                let place = DynamicPosition::Int(start as i64);
                let term = Term::new(DynamicGame(Arc::clone(&rules)), vec![place]);
                let position = Position::from(term);
                let mut solver = Solver::default();
                let solution = solver.solve(&position, play, &limits).unwrap();
                let expected = Verdict::Payoff(payoff(values[start]));
                assert_eq!(solution.verdict(), expected, "{plain:?} {start}");
                *seen.entry((solution.method, values[start])).or_insert(0) += 1;
                let keeping = solution.winning_moves().iter().map(|k| number(&k.to));
                let row = plain.moves[start].iter().copied();
                // A move keeps the value if it leads to the opposite value for the opponent.
                let expected = row.filter(|&to| values[to] == -values[start]);
                assert!(keeping.eq(expected), "{plain:?} {start}");
                let steps = explain::steps(&position, play, &solution, &mut solver, &limits);
                let steps = steps.unwrap();
                if values[start] == 1 && !plain.moves[start].is_empty() {
                    explained_strategy_ends(&plain, &values, &steps, start);
                    for _ in 0..3 {
                        wins_in_time(&position, play, &plain, &mut dice);
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), 6, "each value by each method: {seen:?}");
}

/// Plays from `start`, where the player to move wins. This player makes the moves that `nearest`
/// selects, and the opponent replies at random. Checks that this player wins within 2 n moves,
/// where n is the number of vertices.
fn wins_in_time(start: &Position, play: Play, plain: &Plain, dice: &mut Dice) {
    let winner = start.first_player();
    let (mut position, mut mover) = (start.clone(), winner);
    // The winner decreases the remoteness with each move, so the bound cannot be exceeded.
    for _ in 0..2 * plain.moves.len() {
        let mut next = Vec::new();
        let all = position.moves(mover, &mut |_, _, to| {
            next.push(to());
            ControlFlow::Continue(())
        });
        assert_eq!(stopped_early(all), Ok(false));
        if next.is_empty() {
            let won = if mover == winner {
                PayoffResult::Win
            } else {
                PayoffResult::Lose
            };
            assert_eq!(position.terminal_result(mover, play), Ok(won));
            return;
        }
        position = if mover == winner {
            let solution = Solver::default().solve(&position, play, &Limits::default());
            nearest(&position, &solution.unwrap())
        } else {
            next.swap_remove(dice.roll(next.len() as u64) as usize)
        };
        mover = mover.other();
    }
    panic!("{plain:?}: the win never came");
}

/// Returns the position after a winning move that decreases the remoteness. In a loopy game not
/// every winning move does.
fn nearest(position: &Position, solution: &Solution) -> Position {
    match &solution.grounds {
        Grounds::Labels(labels) => {
            let best = labels.best(position, position.first_player());
            best.unwrap().expect("there is a move").to
        }
        _ => solution.winning_moves()[0].to.clone(),
    }
}

fn text(text: impl Into<String>) -> Argument {
    Argument::Text(text.into())
}

fn tree(moves: Argument, start: Argument, ends: Argument) -> Vec<(Option<String>, Argument)> {
    [moves, start, ends].map(|argument| (None, argument)).into()
}

/// Returns the arguments that construct the game `plain` as a `tree` position that lists all moves.
/// An end has payoff `1` if X wins, `-1` if O wins, and `0` for a tie.
fn explicit(plain: &Plain, start: usize) -> Vec<(Option<String>, Argument)> {
    let name = |v: usize| text(format!("p{v}"));
    let moves = plain.moves.iter().enumerate();
    let moves = moves.filter(|(_, row)| !row.is_empty()).map(|(v, row)| {
        let row = row.iter().map(|&to| name(to)).collect();
        (name(v), Argument::List(row))
    });
    let ends = plain.ends.iter().enumerate();
    let ends = ends.filter(|(v, _)| plain.moves[*v].is_empty());
    let ends = ends.map(|(v, end)| (name(v), text(["O", "tie", "X"][(end + 1) as usize])));
    tree(
        Argument::Map(moves.collect()),
        name(start),
        Argument::Map(ends.collect()),
    )
}

/// Returns the payoff of X by plain minimax.
fn minimax(plain: &Plain, here: usize, x_moves: bool) -> i32 {
    let row = &plain.moves[here];
    let values = row.iter().map(|&to| minimax(plain, to, !x_moves));
    let best = if x_moves { values.max() } else { values.min() };
    best.unwrap_or(plain.ends[here])
}

fn argument<'a>(step: &'a Step, wanted: &str) -> &'a str {
    let found = step.args.iter().find(|(name, _)| *name == wanted);
    match found {
        Some((_, Datum::Text(text))) => text,
        other => panic!("{other:?}"),
    }
}

/// Checks that each move of the strategy in the explanation `steps` leaves a position in which the
/// opponent loses. Also checks that every game under this strategy ends.
fn explained_strategy_ends(plain: &Plain, values: &[i32], steps: &[Step], start: usize) {
    let strategy = steps
        .iter()
        .filter(|step| matches!(step.code, "ties_chooses" | "ties_wins_at_once"));
    let number = |step, name| argument(step, name).parse::<usize>().unwrap();
    let strategy: HashMap<usize, usize> = strategy
        .map(|step| (number(step, "from"), number(step, "to")))
        .collect();
    // Follow all games at once. After as many rounds as there are positions, none may be left.
    let mut here = vec![start];
    for _ in 0..=plain.moves.len() {
        let mut next = Vec::new();
        for from in here.drain(..).filter(|&v| !plain.moves[v].is_empty()) {
            assert_eq!(values[strategy[&from]], -1);
            next.extend(plain.moves[strategy[&from]].iter().copied());
        }
        next.sort_unstable();
        next.dedup();
        here = next;
    }
    assert!(here.is_empty(), "{plain:?} from {start}: {strategy:?}");
}

/// Checks that X wins with the strategy in the explanation `steps`, whatever O replies.
fn explained_strategy_wins(plain: &Plain, steps: &[Step], start: usize) {
    let vertex = |name: &str| name[1..].parse::<usize>().unwrap();
    let strategy = steps
        .iter()
        .filter(|step| matches!(step.code, "ties_chooses" | "ties_wins_at_once"));
    let strategy: HashMap<usize, usize> = strategy
        .map(|step| (vertex(argument(step, "from")), vertex(argument(step, "to"))))
        .collect();
    let mut waiting = vec![(start, true)];
    while let Some((here, x_moves)) = waiting.pop() {
        if plain.moves[here].is_empty() {
            assert_eq!(plain.ends[here], 1, "{plain:?}");
        } else if x_moves {
            assert!(plain.moves[here].contains(&strategy[&here]));
            waiting.push((strategy[&here], false));
        } else {
            waiting.extend(plain.moves[here].iter().map(|&to| (to, true)));
        }
    }
}

#[test]
fn explicit_trees() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let limits = Limits::default();
    let mut won = 0;
    for _ in 0..400 {
        let plain = random(&mut dice, 12, false);
        for start in 0..12 {
            let items = explicit(&plain, start);
            let position = Position::from(registry::construct("tree", &items).unwrap());
            let expected = minimax(&plain, start, true);
            let mut solver = Solver::default();
            let solution = solver.solve(&position, Play::Normal, &limits).unwrap();
            // In the start position X is to move, so the verdict is the payoff of X.
            let found = solution.verdict();
            assert_eq!(
                found,
                Verdict::Payoff(payoff(expected)),
                "{plain:?} {start}"
            );
            let flipped = Plain {
                moves: plain.moves.clone(),
                ends: plain.ends.iter().map(|end| -end).collect(),
            };
            let misere = solver.solve(&position, Play::Misere, &limits).unwrap();
            let expected_in_misere = payoff(minimax(&flipped, start, true));
            assert_eq!(misere.verdict(), Verdict::Payoff(expected_in_misere));
            let steps =
                explain::steps(&position, Play::Normal, &solution, &mut solver, &limits).unwrap();
            if expected == 1 && !plain.moves[start].is_empty() {
                explained_strategy_wins(&plain, &steps, start);
                won += 1;
            }
        }
    }
    assert!(won > 200);
}

#[test]
fn invalid_trees_are_rejected() {
    let list = |names: &[&str]| Argument::List(names.iter().map(|name| text(*name)).collect());
    let map = |rows: &[(&str, Argument)]| {
        let rows = rows.iter().map(|(key, value)| (text(*key), value.clone()));
        Argument::Map(rows.collect())
    };
    let many: Vec<(Argument, Argument)> = (0..2001)
        .map(|v| (Argument::Int(v), Argument::List(vec![Argument::Int(v + 1)])))
        .collect();
    let cases = [
        (
            map(&[("a", list(&["b"])), ("b", list(&["a"]))]),
            map(&[]),
            Kind::Cyclic,
        ),
        (map(&[("a", list(&["a"]))]), map(&[]), Kind::Cyclic),
        (map(&[("a", list(&["b"]))]), map(&[]), Kind::IllegalPosition),
        (
            map(&[("a", list(&["b"]))]),
            map(&[("a", text("X")), ("b", text("X"))]),
            Kind::IllegalPosition,
        ),
        (
            map(&[("a", list(&["b"]))]),
            map(&[("b", text("X")), ("b", text("O"))]),
            Kind::IllegalPosition,
        ),
        (
            map(&[("a", list(&["b"]))]),
            map(&[("b", text("me"))]),
            Kind::IllegalPosition,
        ),
        (
            map(&[("c", list(&["b"]))]),
            map(&[("b", text("X"))]),
            Kind::IllegalPosition,
        ),
        (
            map(&[("a", Argument::Int(3))]),
            map(&[("b", text("X"))]),
            Kind::Type,
        ),
        (Argument::Int(3), map(&[]), Kind::Type),
        (Argument::Map(many), map(&[]), Kind::Limit),
    ];
    for (moves, ends, kind) in cases {
        let items = tree(moves.clone(), text("a"), ends.clone());
        let refusal = registry::construct("tree", &items).unwrap_err();
        assert_eq!(refusal.kind, kind, "{moves:?} {ends:?}");
    }
}
