//! Partizan games compared with the definition: outcomes and winning moves of random small
//! positions. The rules are implemented a second time, without components, symmetry, numbers or
//! bounds.

use std::collections::HashMap;

use grundy_core::argument::Argument;
use grundy_core::{Limits, OutcomeClass, Play, Player, Position, Solver, registry};

/// A deterministic random number generator (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}

/// The rules of a game on plain text: the moves of player 0 (Left) or 1 (Right), each with its
/// coordinates and the position after it.
trait Definition {
    fn moves(&self, position: &[u8], player: usize) -> Vec<(Vec<u64>, Vec<u8>)>;
}

/// Domineering on a board whose width is given. The squares of a position are listed row by row.
struct Board(usize);

impl Definition for Board {
    fn moves(&self, board: &[u8], player: usize) -> Vec<(Vec<u64>, Vec<u8>)> {
        let width = self.0;
        let mut found = Vec::new();
        for square in 0..board.len() {
            let other = if player == 0 {
                square + width
            } else {
                square + 1
            };
            // Right's dominoes are horizontal and must not wrap to the next row.
            let flat_wraps = player == 1 && other % width == 0;
            if other < board.len() && !flat_wraps && board[square] == b'.' && board[other] == b'.' {
                let mut after = board.to_vec();
                after[square] = b'#';
                after[other] = b'#';
                let at = [square / width, square % width, other / width, other % width];
                found.push((at.map(|n| n as u64).to_vec(), after));
            }
        }
        found
    }
}

struct Strip;

impl Definition for Strip {
    fn moves(&self, strip: &[u8], player: usize) -> Vec<(Vec<u64>, Vec<u8>)> {
        // Right's moves are Left's moves on the mirrored strip.
        let mut squares: Vec<u8> = strip.to_vec();
        if player == 1 {
            squares.reverse();
        }
        let (piece, other) = [(b'T', b'F'), (b'F', b'T')][player];
        let mut found = Vec::new();
        for from in 0..squares.len() {
            for (length, pattern) in [(1, vec![piece, b'.']), (2, vec![piece, other, b'.'])] {
                if squares[from..].starts_with(&pattern) {
                    let mut after = squares.clone();
                    after.swap(from, from + length);
                    let mut at = [from, from + length];
                    if player == 1 {
                        after.reverse();
                        at = at.map(|n| strip.len() - 1 - n);
                    }
                    found.push((at.map(|n| n as u64).to_vec(), after));
                }
            }
        }
        found.sort();
        found
    }
}

/// A graph given by its edges. If the flag is `true`, adjacent vertices must not have the same
/// colour (Col). If it is `false`, they must not have different colours (Snort).
struct Colours(Vec<[usize; 2]>, bool);

impl Definition for Colours {
    fn moves(&self, colours: &[u8], player: usize) -> Vec<(Vec<u64>, Vec<u8>)> {
        let mut found = Vec::new();
        for vertex in 0..colours.len() {
            let mut after = colours.to_vec();
            after[vertex] = b"LR"[player];
            let legal = self.0.iter().all(|&[a, b]| {
                let both = after[a] != b'.' && after[b] != b'.';
                !both || (after[a] == after[b]) != self.1
            });
            if colours[vertex] == b'.' && legal {
                found.push((vec![vertex as u64], after));
            }
        }
        found
    }
}

type Terms<'a> = Vec<(&'a dyn Definition, Vec<u8>)>;

/// Returns whether the player, to move, wins the sum, by searching the whole game tree.
fn wins(
    terms: &Terms<'_>,
    player: usize,
    misere: bool,
    known: &mut HashMap<(Vec<Vec<u8>>, usize), bool>,
) -> bool {
    let key = (terms.iter().map(|term| term.1.clone()).collect(), player);
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let options = options(terms, player);
    let answer = if options.is_empty() {
        misere
    } else {
        options
            .iter()
            .any(|(_, after)| !wins(after, 1 - player, misere, known))
    };
    known.insert(key, answer);
    answer
}

fn options<'a>(terms: &Terms<'a>, player: usize) -> Vec<((usize, Vec<u64>), Terms<'a>)> {
    let mut found = Vec::new();
    for index in 0..terms.len() {
        for (at, after) in terms[index].0.moves(&terms[index].1, player) {
            let mut terms = terms.clone();
            terms[index].1 = after;
            found.push(((index, at), terms));
        }
    }
    found
}

fn check(terms: &Terms<'_>, written: &[(&str, Vec<Argument>)]) {
    let written = written.iter().map(|(name, arguments)| {
        let items: Vec<_> = arguments.iter().map(|a| (None, a.clone())).collect();
        registry::construct(name, &items).unwrap()
    });
    let position = Position::sum(written.collect()).unwrap();
    for play in [Play::Normal, Play::Misere] {
        let misere = play == Play::Misere;
        let solution = Solver::default()
            .solve(&position, play, &Limits::default())
            .unwrap();
        let mut known = HashMap::new();
        let [left, right] = [0, 1].map(|player| wins(terms, player, misere, &mut known));
        let class = OutcomeClass::from_wins(left, right);
        assert_eq!(solution.class(), class, "{position} {play}");
        assert_eq!(solution.beginnings.len(), 2, "{position}");
        for (player, beginner) in [(0, Player::Left), (1, Player::Right)] {
            let found = &solution.beginning(beginner).moves;
            let mut expected: Vec<(usize, Vec<u64>)> = options(terms, player)
                .into_iter()
                .filter(|(_, after)| !wins(after, 1 - player, misere, &mut known))
                .map(|(at, _)| at)
                .collect();
            expected.sort();
            let mut found: Vec<(usize, Vec<u64>)> = found
                .iter()
                .map(|winning| (winning.component, winning.mv.at.clone()))
                .collect();
            found.sort();
            assert_eq!(found, expected, "{position} {play}");
        }
    }
}

fn text(bytes: &[u8]) -> Argument {
    Argument::Text(String::from_utf8(bytes.to_vec()).unwrap())
}

fn random_text(random: &mut Random, length: usize, letters: &[u8]) -> Vec<u8> {
    (0..length)
        .map(|_| letters[random.below(letters.len())])
        .collect()
}

fn rows(board: &[u8], width: usize) -> Argument {
    Argument::List(board.chunks(width).map(text).collect())
}

#[test]
fn domineering() {
    let mut random = Random(0xd0);
    // Larger boards would be too slow for the brute force.
    for round in 0..400 {
        let (height, width) = (1 + random.below(4), 1 + random.below(4));
        // Every fourth board is empty, since such boards have the most symmetry.
        let letters: &[u8] = if round % 4 == 0 { b"." } else { b"...#" };
        let board = random_text(&mut random, height * width, letters);
        let definition = Board(width);
        let terms: Terms<'_> = vec![(&definition, board.clone())];
        check(&terms, &[("domineering", vec![rows(&board, width)])]);
    }
}

#[test]
fn toads_and_frogs() {
    let mut random = Random(0x70ad);
    for _ in 0..1500 {
        let length = random.below(11);
        let strip = random_text(&mut random, length, b"TF.TF..");
        let terms: Terms<'_> = vec![(&Strip, strip.clone())];
        check(&terms, &[("toads_and_frogs", vec![text(&strip)])]);
    }
}

/// Returns a random graph with a random legal colouring.
fn random_graph(random: &mut Random, alike: bool) -> (Colours, Vec<u8>, Argument) {
    let count = 1 + random.below(7);
    let edges: Vec<[usize; 2]> = (0..random.below(2 * count))
        .map(|_| [random.below(count), random.below(count)])
        .filter(|[a, b]| a != b)
        .collect();
    let written: Vec<String> = edges.iter().map(|[a, b]| format!("{a}-{b}")).collect();
    let definition = Colours(edges, alike);
    let mut colours = vec![b'.'; count];
    for _ in 0..random.below(4) {
        let player = random.below(2);
        let moves = definition.moves(&colours, player);
        if !moves.is_empty() {
            colours.clone_from(&moves[random.below(moves.len())].1);
        }
    }
    (definition, colours, Argument::Text(written.join(" ")))
}

#[test]
fn col_and_snort() {
    let mut random = Random(0xc01);
    for round in 0..1200 {
        let alike = round % 2 == 0;
        let (definition, colours, edges) = random_graph(&mut random, alike);
        let terms: Terms<'_> = vec![(&definition, colours.clone())];
        let name = if alike { "col" } else { "snort" };
        check(&terms, &[(name, vec![edges, text(&colours)])]);
    }
}

#[test]
fn sums_of_different_games() {
    let mut random = Random(0x5);
    for _ in 0..300 {
        let board = random_text(&mut random, 6, b"...#");
        // The same board twice: equal components must not be merged or cancelled wrongly.
        let length = random.below(6);
        let strip = random_text(&mut random, length, b"TF..");
        let (col, colours, edges) = random_graph(&mut random, true);
        if colours.len() > 4 {
            continue;
        }
        let definition = Board(2);
        let terms: Terms<'_> = vec![
            (&definition, board.clone()),
            (&Strip, strip.clone()),
            (&col, colours.clone()),
            (&definition, board.clone()),
        ];
        check(
            &terms,
            &[
                ("domineering", vec![rows(&board, 2)]),
                ("toads_and_frogs", vec![text(&strip)]),
                ("col", vec![edges, text(&colours)]),
                ("domineering", vec![rows(&board, 2)]),
            ],
        );
    }
}
