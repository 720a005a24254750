//! Labels, values and sums of game graphs, compared with direct implementations of the definitions.

use grundy_core::graph::{Digraph, Label, Labels};
use grundy_core::{Limits, Outcome, Play};

/// A deterministic random number generator (xorshift64*).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }

    fn graph(&mut self, most: usize, degree: usize) -> Digraph {
        let n = 1 + self.below(most);
        let edges: Vec<(u32, u32)> = (0..self.below(degree * n + 1))
            .map(|_| (self.below(n) as u32, self.below(n) as u32))
            .collect();
        Digraph::from_edges(n, &edges)
    }
}

/// Labels a graph by the definition. The computation has rounds, and round r labels the vertices
/// with remoteness r.
fn labels_by_definition(graph: &Digraph, ends: impl Fn(usize) -> Outcome) -> Vec<Label> {
    let n = graph.vertices();
    let mut labels = vec![None; n];
    for round in 0..=n as u32 {
        let before = labels.clone();
        for v in 0..n {
            if before[v].is_some() {
                continue;
            }
            let options: Vec<Option<(Outcome, u32)>> = graph
                .options(v as u32)
                .iter()
                .map(|&w| before[w as usize])
                .collect();
            let outcome = if options.is_empty() {
                (round == 0 && ends(v) != Outcome::D).then(|| ends(v))
            } else if options
                .iter()
                .flatten()
                .any(|&(outcome, _)| outcome == Outcome::P)
            {
                Some(Outcome::N)
            } else if options
                .iter()
                .all(|option| matches!(option, Some((Outcome::N, _))))
            {
                Some(Outcome::P)
            } else {
                None
            };
            labels[v] = outcome.map(|outcome| (outcome, round));
        }
    }
    labels
        .into_iter()
        .map(|label| match label {
            Some((outcome, remoteness)) => Label {
                outcome,
                remoteness: Some(remoteness),
            },
            None => Label {
                outcome: Outcome::D,
                remoteness: None,
            },
        })
        .collect()
}

/// Computes Smith-Fraenkel values by the definition, one vertex at a time. The result does not
/// depend on the order.
fn values_by_definition(graph: &Digraph) -> Vec<Option<u32>> {
    let n = graph.vertices();
    let mut values: Vec<Option<u32>> = vec![None; n];
    loop {
        let found = (0..n as u32).find_map(|v| {
            if values[v as usize].is_some() {
                return None;
            }
            let known: Vec<u32> = graph
                .options(v)
                .iter()
                .filter_map(|&w| values[w as usize])
                .collect();
            let mex = (0..).find(|m| !known.contains(m))?;
            let reverts = graph
                .options(v)
                .iter()
                .filter(|&&u| values[u as usize].is_none());
            // A vertex gets the mex m only if each unlabelled option can be reverted: it has an
            // option with value m.
            let all = reverts.into_iter().all(|&u| {
                graph
                    .options(u)
                    .iter()
                    .any(|&w| values[w as usize] == Some(mex))
            });
            all.then_some((v, mex))
        });
        match found {
            Some((v, mex)) => values[v as usize] = Some(mex),
            None => return values,
        }
    }
}

/// Checks that each best move preserves the result (win, draw or loss) for the player who makes it.
/// Unless the result is a draw, the move must decrease the remoteness by one.
fn best_moves_are_optimal(graph: &Digraph, labels: &Labels) {
    for v in 0..graph.vertices() as u32 {
        let Some(best) = labels.best_move(graph, v) else {
            assert!(graph.options(v).is_empty());
            continue;
        };
        let (here, there) = (labels.get(v), labels.get(graph.options(v)[best]));
        let expected = match here.outcome {
            Outcome::N => Outcome::P,
            Outcome::P => Outcome::N,
            Outcome::D => Outcome::D,
        };
        assert_eq!(there.outcome, expected);
        assert_eq!(here.remoteness, there.remoteness.map(|r| r + 1));
    }
}

// Up to 3 edges per vertex give many cycles as well as many ends.
#[test]
fn labels_match_the_definition() {
    let mut dice = Dice(1);
    for _ in 0..3000 {
        let graph = dice.graph(30, 3);
        for play in [Play::Normal, Play::Misere] {
            let labels = graph.label(play);
            assert_eq!(
                labels.iter().collect::<Vec<_>>(),
                labels_by_definition(&graph, |_| Outcome::from_win(play == Play::Misere)),
                "{graph:?}"
            );
            best_moves_are_optimal(&graph, &labels);
        }
    }
}

#[test]
fn ends_may_be_won_lost_or_drawn() {
    let mut dice = Dice(9);
    for _ in 0..3000 {
        let graph = dice.graph(30, 2);
        let end_outcomes: Vec<Outcome> = (0..graph.vertices())
            .map(|_| [Outcome::N, Outcome::P, Outcome::D][dice.below(3)])
            .collect();
        let limits = Limits::none();
        let transposed = graph.transpose(&limits).unwrap();
        let ends: Vec<(u32, Outcome)> = (0..).zip(end_outcomes.iter().copied()).collect();
        let labels = graph.label_with_ends(&transposed, &ends, &limits).unwrap();
        assert_eq!(
            labels.iter().collect::<Vec<_>>(),
            labels_by_definition(&graph, |v| end_outcomes[v]),
            "{graph:?} {end_outcomes:?}"
        );
        best_moves_are_optimal(&graph, &labels);
    }
}

// Vertices in topological order take a shortcut in the algorithms. The same graph is numbered
// downwards, upwards and in mixed order.
#[test]
fn a_topological_numbering_changes_nothing() {
    let mut dice = Dice(2);
    for _ in 0..500 {
        let n = 2 + dice.below(40);
        let down: Vec<(u32, u32)> = (0..3 * n)
            .filter_map(|_| {
                let (a, b) = (dice.below(n) as u32, dice.below(n) as u32);
                (a != b).then_some((a.max(b), a.min(b)))
            })
            .collect();
        let up: Vec<(u32, u32)> = down
            .iter()
            .map(|&(a, b)| (n as u32 - 1 - a, n as u32 - 1 - b))
            .collect();
        // Multiplication by a number coprime to n permutes the vertices.
        let factor = (2..)
            .find(|f| {
                (1..=*f)
                    .filter(|d| f % d == 0 && n.is_multiple_of(*d))
                    .count()
                    == 1
            })
            .unwrap_or(1);
        let mixed: Vec<(u32, u32)> = down
            .iter()
            .map(|&(a, b)| {
                (
                    (a as usize * factor % n) as u32,
                    (b as usize * factor % n) as u32,
                )
            })
            .collect();
        let graphs = [&down, &up, &mixed].map(|edges| Digraph::from_edges(n, edges));
        for play in [Play::Normal, Play::Misere] {
            let [down, up, mixed] = graphs.each_ref().map(|graph| graph.label(play));
            let transposed = graphs[0].transpose(&Limits::none()).unwrap();
            assert_eq!(
                down,
                graphs[0]
                    .label_with(&transposed, play, &Limits::none())
                    .unwrap()
            );
            for v in 0..n {
                assert_eq!(down.get(v as u32), up.get((n - 1 - v) as u32));
                assert_eq!(down.get(v as u32), mixed.get((v * factor % n) as u32));
            }
        }
        let [down, up, mixed] = graphs
            .each_ref()
            .map(|graph| graph.grundy_values().expect("no cycle"));
        let longest = graphs[2]
            .longest_plays(&Limits::none())
            .unwrap()
            .expect("no cycle");
        let definition = values_by_definition(&graphs[0]);
        for v in 0..n {
            assert_eq!(down.get(v as u32), definition[v]);
            assert_eq!(down.get(v as u32), up.get((n - 1 - v) as u32));
            assert_eq!(down.get(v as u32), mixed.get((v * factor % n) as u32));
            let options = graphs[2].options((v * factor % n) as u32);
            let most = options.iter().map(|&w| longest[w as usize] + 1).max();
            assert_eq!(longest[v * factor % n], most.unwrap_or(0));
        }
    }
}

#[test]
fn loopy_values_match_the_definition_by_rounds() {
    let mut dice = Dice(3);
    let mut infinite = 0;
    for _ in 0..3000 {
        let graph = dice.graph(25, 4);
        let values = graph.loopy_values();
        let all: Vec<_> = (0..graph.vertices() as u32)
            .map(|v| values.get(v))
            .collect();
        assert_eq!(all, values_by_definition(&graph), "{graph:?}");
        for v in 0..graph.vertices() as u32 {
            let Some(value) = values.get(v) else {
                infinite += 1;
                assert_eq!(values.round(v), 0);
                continue;
            };
            // The answer to a reverting option must have got its value in an earlier round.
            // Otherwise a play that follows the values could be infinite.
            for &u in graph.options(v) {
                assert_ne!(values.get(u), Some(value));
                let answered = graph
                    .options(u)
                    .iter()
                    .any(|&w| values.get(w) == Some(value) && values.round(w) < values.round(v));
                assert!(answered || values.get(u).is_some_and(|smaller| smaller < value));
            }
        }
        if let Some(grundy) = graph.grundy_values() {
            assert_eq!(grundy.iter().collect::<Vec<_>>(), all);
        }
    }
    // Check the generator: infinite values must be frequent.
    assert!(infinite > 10_000);
}

#[test]
fn degrees_above_255_are_counted() {
    // Vertex v moves to all vertices below it and so has value v. The degrees exceed 255.
    let n = 700u32;
    let mut edges: Vec<(u32, u32)> = (0..n).flat_map(|v| (0..v).map(move |w| (v, w))).collect();
    let graph = Digraph::from_edges(n as usize, &edges);
    let values = graph.grundy_values().expect("no cycle");
    assert!((0..n).all(|v| values.get(v) == Some(v)));
    // Two vertices that move to each other and to all others: each reverts the other for ever, and
    // neither has a finite value.
    edges.extend((0..n).flat_map(|w| [(n, w), (n + 1, w)]));
    edges.extend([(n, n + 1), (n + 1, n)]);
    let graph = Digraph::from_edges(n as usize + 2, &edges);
    let values = graph.loopy_values();
    assert!((0..n).all(|v| values.get(v) == Some(v)));
    assert_eq!(values.infinity(&graph, n), Some((0..n).collect()));
    for play in [Play::Normal, Play::Misere] {
        let labels = graph.label(play);
        assert_eq!(
            labels.iter().collect::<Vec<_>>(),
            labels_by_definition(&graph, |_| Outcome::from_win(play == Play::Misere))
        );
    }
}

#[test]
fn plays_longer_than_16_bits_are_counted() {
    // A path of 70 000 moves, longer than 16 bits count. Above the shortcut, every seventh vertex
    // also has a move to the end.
    let n = 70_000u32;
    for (shortcut, play) in [
        (100, Play::Normal),
        (40_000, Play::Misere),
        (n, Play::Normal),
    ] {
        let mut edges: Vec<(u32, u32)> = (1..n).map(|v| (v, v - 1)).collect();
        edges.extend(
            (shortcut + 2..n)
                .filter(|v| v.is_multiple_of(7))
                .map(|v| (v, 0)),
        );
        let graph = Digraph::from_edges(n as usize, &edges);
        let transposed = graph.transpose(&Limits::none()).unwrap();
        let backwards = graph
            .label_with(&transposed, play, &Limits::none())
            .unwrap();
        assert!(graph.label(play) == backwards);
        assert_eq!(
            backwards.get(shortcut.min(n - 1)).remoteness,
            Some(shortcut.min(n - 1))
        );
    }
}

#[test]
fn labels_of_large_graphs_do_not_depend_on_blocks() {
    // Large enough that edges are transposed in blocks. Each copy of a small graph must get the
    // labels of that graph.
    let mut dice = Dice(5);
    let small = dice.graph(40, 2);
    let (n, copies) = (small.vertices(), 400_000 / small.vertices());
    // Vertex v of copy c gets the number v * copies + c, scattered by a factor coprime to the
    // total.
    let total = (n * copies) as u64;
    let step = (total / 2..)
        .find(|step| gcd(*step, total) == 1)
        .expect("there is one");
    let place =
        |v: u32, c: usize| ((u64::from(v) * copies as u64 + c as u64) * step % total) as u32;
    let edges: Vec<(u32, u32)> = (0..copies)
        .flat_map(|c| (0..n as u32).flat_map(move |v| (0..).map(move |i| (c, v, i)).take(64)))
        .filter_map(|(c, v, i): (usize, u32, usize)| {
            small.options(v).get(i).map(|&w| (place(v, c), place(w, c)))
        })
        .collect();
    let large = Digraph::from_edges(total as usize, &edges);
    let (expected, labels) = (small.label(Play::Normal), large.label(Play::Normal));
    let (small_values, values) = (small.loopy_values(), large.loopy_values());
    for v in 0..n as u32 {
        for c in 0..copies {
            assert_eq!(labels.get(place(v, c)), expected.get(v));
            assert_eq!(values.get(place(v, c)), small_values.get(v));
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Computes the draw levels by the definition, one vertex at a time. The entry of a vertex is its
/// level and draw remoteness.
fn draw_levels_by_definition(graph: &Digraph, labels: &Labels) -> Vec<Option<(u32, u32)>> {
    let n = graph.vertices();
    let drawn = |v: u32| labels.get(v).outcome == Outcome::D;
    let mut found: Vec<Option<(u32, u32)>> = vec![None; n];
    for level in 0..=n as u32 {
        // The draws that no lower level contains.
        let left: Vec<bool> = (0..n as u32)
            .map(|v| drawn(v) && found[v as usize].is_none())
            .collect();
        let remains = |v: u32| left[v as usize];
        for round in 0..=n as u32 {
            let before = found.clone();
            let now = |w: u32| before[w as usize].filter(|_| remains(w));
            for v in (0..n as u32).filter(|&v| remains(v) && before[v as usize].is_none()) {
                let options = graph.options(v);
                let joins = if round == 0 {
                    options.iter().any(|&w| !remains(w))
                } else {
                    options
                        .iter()
                        .any(|&w| now(w).is_some_and(|(_, r)| r % 2 == 0))
                        || options
                            .iter()
                            .all(|&w| now(w).is_some_and(|(_, r)| r % 2 == 1))
                };
                if joins {
                    found[v as usize] = Some((level, round));
                }
            }
        }
    }
    found
}

#[test]
fn draw_levels_follow_their_definition() {
    let mut dice = Dice(19);
    let (mut highest, mut without) = (0, 0);
    for _ in 0..3_000 {
        let graph = dice.graph(14, 2);
        let labels = graph.label(Play::Normal);
        let expected = draw_levels_by_definition(&graph, &labels);
        let levels = graph.draw_levels(&labels, &Limits::none()).unwrap();
        for v in 0..graph.vertices() as u32 {
            assert_eq!(levels.get(v), expected[v as usize], "{graph:?}, vertex {v}");
            highest = highest.max(levels.get(v).map_or(0, |(level, _)| level));
            without += usize::from(labels.get(v).outcome == Outcome::D && levels.get(v).is_none());
        }
    }
    // The random graphs contain draws of two levels, and draws without a level.
    assert!(highest >= 1 && without > 0, "{highest} {without}");
}

/// Returns whether the player who wins endless play wins from each vertex, first if this player is
/// to move, and then if the opponent is. The opponent wins exactly where he can force the end of
/// play by making the last move.
fn endless_by_definition(graph: &Digraph, misere: bool) -> Vec<[bool; 2]> {
    let n = graph.vertices();
    // `[v][0]`: the winner of endless play is to move at v.
    let mut opponent_wins = vec![[false; 2]; n];
    for _ in 0..2 * n {
        let before = opponent_wins.clone();
        for (v, wins) in opponent_wins.iter_mut().enumerate() {
            let options = graph.options(v as u32);
            // At the end of play the player to move has lost, in misère play won.
            *wins = if options.is_empty() {
                [!misere, misere]
            } else {
                [
                    options.iter().all(|&w| before[w as usize][1]),
                    options.iter().any(|&w| before[w as usize][0]),
                ]
            };
        }
    }
    opponent_wins
        .iter()
        .map(|wins| wins.map(|win| !win))
        .collect()
}

#[test]
fn the_winner_of_endless_play_wins_what_would_be_a_draw() {
    use grundy_core::graph::{Names, Network};
    use grundy_core::ruleset::graph::Graph;
    use grundy_core::{Player, Position, Solver, Term};
    let mut dice = Dice(23);
    for round in 0..400 {
        let graph = dice.graph(8, 2);
        let mut names = Names::default();
        for v in 0..graph.vertices() {
            names.intern(&v.to_string());
        }
        let network = std::sync::Arc::new(Network {
            graph: graph.clone(),
            names,
            file: None,
        });
        let winner = Player::BOTH[round % 2];
        for (play, misere) in [(Play::Normal, false), (Play::Misere, true)] {
            let expected = endless_by_definition(&graph, misere);
            for v in 0..graph.vertices() as u32 {
                let game = Graph::new(network.clone(), v).with_endless(Some(winner));
                let position = Position::from(Term::new(game, vec![v]));
                let solution = Solver::default()
                    .solve(&position, play, &Limits::default())
                    .unwrap();
                for player in Player::BOTH {
                    let beginning = solution.beginning(player);
                    let turn = usize::from(player != winner);
                    let wins = expected[v as usize][turn] == (player == winner);
                    let outcome = Outcome::from_win(wins);
                    assert_eq!(beginning.outcome, outcome, "{position} {player:?} {play:?}");
                    if !solution.has_two_beginnings() {
                        continue;
                    }
                    let options = graph.options(v).iter();
                    let mut winning: Vec<String> = options
                        .filter(|&&w| expected[w as usize][1 - turn] == (player == winner))
                        .map(ToString::to_string)
                        .collect();
                    winning.sort();
                    winning.dedup();
                    let mut listed: Vec<String> = beginning
                        .moves
                        .iter()
                        .map(|mv| {
                            let to = mv.to.to_string();
                            to.rsplit_once("}, ")
                                .unwrap()
                                .1
                                .trim_end_matches(')')
                                .to_owned()
                        })
                        .map(|to| to.split(',').next().unwrap().to_owned())
                        .collect();
                    listed.sort();
                    assert_eq!(listed, winning, "{position} {player:?}");
                }
            }
        }
    }
}
