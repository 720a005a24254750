//! Games on a row written as a string: `kayles_row(row)` and `treblecross_row(row)`.
//!
//! Rules of Kayles. `1` is a pin and `0` a gap. A move knocks down one pin, or two adjacent pins.
//! Whoever cannot move loses. The runs of pins are heaps of Kayles (0.77).
//!
//! Rules of Treblecross. `.` is an empty square and `X` a cross. A move crosses one empty square.
//! Whoever completes three adjacent crosses wins, and the game ends there. A row that already has
//! three adjacent crosses is the end of a game, and so is a full row.
//!
//! Theorem (Winning Ways, ch. 4: Treblecross is 0.007). Consider a single row of at least three
//! squares, without three adjacent crosses. If two crosses are adjacent or have one square between
//! them, the player to move completes three and wins. Otherwise a move that puts a cross one or two
//! squares from another cross is a blunder. An empty square for a blunder always remains, so the
//! player who makes the last move that is not a blunder wins. The squares without a blunder fall
//! into runs. A cross in a run removes five of its squares, or fewer at its ends. Hence a run of m
//! squares is a heap of m + 2 under 0.007.
//!
//! The theorem gives outcomes of single rows in normal play. In a sum a blunder need not lose: the
//! opponent can finish the row, but play continues in the other components. Blunders are moves,
//! too, so the value of a row need not be the nim-sum of its heaps. For example, "....." has value
//! 1, but the heap of 7 has value 2. Values are therefore found by search under the true rules,
//! which is feasible for up to about twenty-five empty squares.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use grundy_base::message;

use crate::argument::{Arguments, text};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::mex::MexSet;
use grundy_base::outcome::{Outcome, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, Goal, Pictures, Ruleset, Shortcuts, Teaching, Theorem, Theorems, Visit,
};

/// The theorem on the values of Kayles.
pub const KAYLES: Theorem = Theorem {
    method: "kayles",
    name: "the values of Kayles",
    statement: "runs of 0, 1, 2, ..., 11 pins have values 0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, \
                and from 71 pins onwards the values have period 12",
    source: "R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52 (1956), 514-526",
};

/// The theorem on the outcomes of Treblecross, which are those of heaps of 0.007.
pub const TREBLECROSS: Theorem = Theorem {
    method: "treblecross",
    name: "the theorem of Treblecross",
    statement: "in a row of at least three squares, two crosses that are adjacent or one square \
                apart let the player to move win; otherwise the row is P if and only if the \
                nim-sum of its heaps in 0.007 is 0",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 4",
};

/// The rules of Kayles on a row. A position is a sum of rows, in which `true` denotes a pin.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct KaylesRow;

/// The rules of Treblecross on a row.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct TreblecrossRow;

/// Maximal length of a row of Kayles.
///
/// A row of this length can have more than ten thousand winning moves, and a list of them names a
/// whole row for each. Longer runs can be written as heaps of `kayles`.
const MAX_PINS: usize = 20_000;

/// Maximal length of a row of Treblecross.
const MAX_SQUARES: usize = 4096;

fn row<'a>(
    arguments: &Arguments<'a>,
    letters: [char; 2],
    most: usize,
) -> Result<&'a str, Diagnostic> {
    let [Some((at, row))] = arguments.bind(["row"], 1)? else {
        return Err(Diagnostic::illegal(message!("no row given")));
    };
    let [a, b] = letters;
    let row = text(row, &[at])?;
    if let Some(c) = row.chars().find(|c| !letters.contains(c)) {
        return Err(Diagnostic::illegal(message!(
            "`{c}` is neither `{a}` nor `{b}`",
            c = c.escape_default(),
            a,
            b
        ))
        .at([at])
        .help(message!("a row must be a string of `{a}` and `{b}`", a, b)));
    }
    if row.len() > most {
        return Err(Diagnostic::illegal(message!(
            "a row of {row} squares is too long",
            row = row.len()
        ))
        .at([at])
        .help(message!("the limit is {most} squares", most)));
    }
    Ok(row)
}

/// Reads `kayles_row(row)`.
///
/// # Errors
/// An argument that is not a string of `1` and `0`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::rows};
/// // The runs of 2 and 4 pins have the values 2 and 1.
/// let items = [(None, Argument::Text("1101111".to_owned()))];
/// let position = Position::from(rows::kayles_row(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn kayles_row(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let row = row(arguments, ['1', '0'], MAX_PINS)?;
    Ok(Term::new(
        KaylesRow,
        vec![row.bytes().map(|square| square == b'1').collect()],
    )
    .into())
}

/// Reads `treblecross_row(row)`.
///
/// # Errors
/// An argument that is not a string of `.` and `X`.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, ruleset::rows};
/// // A cross in the middle leaves no safe square.
/// let items = [(None, Argument::Text(".....".to_owned()))];
/// let position = Position::from(rows::treblecross_row(&Arguments { items: &items })?);
/// let outcome = Solver::default().outcome(&position, Play::Normal, &Limits::default());
/// assert_eq!(outcome, Ok(Outcome::N));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn treblecross_row(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let row = row(arguments, ['.', 'X'], MAX_SQUARES)?;
    let mut squares = Squares::empty(row.len());
    for (square, _) in row.bytes().enumerate().filter(|(_, c)| *c == b'X') {
        squares.cross(square);
    }
    Ok(Term::new(TreblecrossRow, vec![squares]).into())
}

/// Returns the value of a run of n pins.
fn kayles_value(n: usize) -> u64 {
    const PERIOD: [u64; 12] = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7];
    // The values have period 12 from n = 71. The arms before the last list all exceptions.
    match n {
        0 => 0,
        3 | 6 | 18 | 39 => 3,
        9 | 21 | 57 => 4,
        28 => 5,
        11 | 22 | 34 | 70 => 6,
        15 => 7,
        _ => PERIOD[n % 12],
    }
}

/// Knocks down `count` adjacent pins, beginning with pin `first`, and visits the resulting row.
fn knock(row: &[bool], first: usize, count: usize, visit: Visit<'_, Vec<bool>>) -> Flow {
    let mut after = row.to_vec();
    after[first..first + count].fill(false);
    visit(&[after], &|| {
        let pins: Vec<u64> = (first..first + count).map(|pin| pin as u64).collect();
        Move::new(pins.clone(), Step::new("knock").with("pins", pins))
    })
}

impl Ruleset for KaylesRow {
    type Part = Vec<bool>;

    fn name(&self) -> &'static str {
        "kayles_row"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Vec<bool>> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, row: &Vec<bool>, visit: Visit<'_, Vec<bool>>) -> Flow {
        (0..row.len()).filter(|&pin| row[pin]).try_for_each(|pin| {
            let pair = row.get(pin + 1) == Some(&true);
            (1..=1 + usize::from(pair)).try_for_each(|count| knock(row, pin, count, visit))
        })
    }

    fn components(&self, row: &Vec<bool>, visit: &mut dyn FnMut(Vec<bool>)) {
        row.split(|pin| !pin)
            .filter(|run| !run.is_empty())
            .for_each(|run| visit(run.to_vec()));
    }

    fn write(&self, parts: &[Vec<bool>]) -> String {
        let row: String = parts
            .iter()
            .flatten()
            .map(|&pin| if pin { '1' } else { '0' })
            .collect();
        format!("kayles_row(\"{row}\")")
    }
}

impl Theorems<Vec<bool>> for KaylesRow {
    fn grundy(&self, row: &Vec<bool>) -> Option<ByTheorem<u64>> {
        let value = row
            .split(|pin| !pin)
            .fold(0, |sum, run| sum ^ kayles_value(run.len()));
        Some(ByTheorem {
            value,
            theorem: &KAYLES,
        })
    }
}

impl Shortcuts<Vec<bool>> for KaylesRow {
    fn options_to(
        &self,
        _: usize,
        row: &Vec<bool>,
        goal: Goal,
        visit: Visit<'_, Vec<bool>>,
    ) -> Option<Flow> {
        let Goal::Grundy(goal) = goal else {
            return None;
        };
        // A move affects one run only, so that run must change its value by `change`.
        let change = goal ^ self.grundy(row)?.value;
        let mut start = 0;
        // The runs are visited from left to right, and so are the pins of a run. So the moves
        // appear in the same order as in `options`.
        for run in row.split(|pin| !pin) {
            let wanted = change ^ kayles_value(run.len());
            for pin in 0..run.len() {
                for count in 1..=2.min(run.len() - pin) {
                    let after = kayles_value(pin) ^ kayles_value(run.len() - pin - count);
                    if after != wanted {
                        continue;
                    }
                    let flow = knock(row, start + pin, count, visit);
                    if flow.is_break() {
                        return Some(flow);
                    }
                }
            }
            start += run.len() + 1;
        }
        Some(ControlFlow::Continue(()))
    }
}

impl Teaching<Vec<bool>> for KaylesRow {
    fn theorem_application(&self, row: &Vec<bool>, play: Play) -> Option<Step> {
        let runs = row.split(|pin| !pin).map(<[bool]>::len);
        let runs: Vec<u64> = runs.filter(|&run| run > 0).map(|run| run as u64).collect();
        if play == Play::Misere || runs.is_empty() {
            return None;
        }
        let value = |&run: &u64| kayles_value(run as usize);
        let values: Vec<u64> = runs.iter().map(value).collect();
        let sum = values.iter().fold(0, |sum, value| sum ^ value);
        let step = Step::new("runs_of_pins").with("runs", runs);
        Some(step.with("values", values).with("value", sum))
    }

    fn longest_play(&self, row: &Vec<bool>) -> Option<u128> {
        Some(row.iter().filter(|&&pin| pin).count() as u128)
    }
}

impl Pictures<Vec<bool>> for KaylesRow {
    fn picture(&self, parts: &[Vec<bool>]) -> Picture {
        Picture::Pins(parts.concat())
    }
}

/// A row of squares, some of them crossed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Squares {
    length: usize,
    /// The crosses, as bits of 64-bit words.
    crosses: Vec<u64>,
}

impl Squares {
    /// Creates a row without crosses.
    ///
    /// ```
    /// use grundy_core::ruleset::rows::{Squares, TreblecrossRow};
    /// use grundy_core::{Position, Term};
    /// let position = Position::from(Term::new(TreblecrossRow, vec![Squares::empty(5)]));
    /// assert_eq!(position.to_string(), r#"treblecross_row(".....")"#);
    /// ```
    #[must_use]
    pub fn empty(length: usize) -> Self {
        Self {
            length,
            crosses: vec![0; length.div_ceil(64)],
        }
    }

    fn cross(&mut self, square: usize) {
        self.crosses[square / 64] |= 1 << (square % 64);
    }

    fn is_crossed(&self, square: usize) -> bool {
        self.crosses[square / 64] >> (square % 64) & 1 == 1
    }

    /// Returns the words of the crosses after a shift by `distance` squares. Bit k of word w tells
    /// whether square 64 w + k - `distance` is crossed.
    fn shifted(&self, distance: u32) -> impl Iterator<Item = u64> {
        // The bits that leave a word enter the next one. `distance` is 1 or 2, so neither shift
        // reaches 64.
        let before = std::iter::once(0).chain(self.crosses.iter().copied());
        self.crosses
            .iter()
            .zip(before)
            .map(move |(word, before)| word << distance | before >> (64 - distance))
    }

    fn has_treble(&self) -> bool {
        let shifts = self.shifted(1).zip(self.shifted(2));
        self.crosses
            .iter()
            .zip(shifts)
            .any(|(word, (one, two))| word & one & two != 0)
    }

    /// Returns whether two crosses are adjacent or have one square between them.
    fn has_pair(&self) -> bool {
        let shifts = self.shifted(1).zip(self.shifted(2));
        self.crosses
            .iter()
            .zip(shifts)
            .any(|(word, (one, two))| word & (one | two) != 0)
    }

    fn mirrored(&self) -> Self {
        // A row with a single word has between 1 and 64 squares, so the shift is at most 63.
        if let [word] = self.crosses[..] {
            return Self {
                length: self.length,
                crosses: vec![word.reverse_bits() >> (64 - self.length)],
            };
        }
        let mut image = Self::empty(self.length);
        for square in (0..self.length).filter(|&square| self.is_crossed(square)) {
            image.cross(self.length - 1 - square);
        }
        image
    }

    /// Returns the maximal runs of squares at distance three or more from every cross, each as its
    /// first square and its length.
    fn safe_runs(&self) -> Vec<(usize, usize)> {
        let mut runs = Vec::new();
        let mut start = 0;
        for square in (0..self.length).filter(|&square| self.is_crossed(square)) {
            runs.push((start, square.saturating_sub(2).saturating_sub(start)));
            start = square + 3;
        }
        runs.push((start, self.length.saturating_sub(start)));
        runs.retain(|&(_, length)| length > 0);
        runs
    }

    /// Returns the nim-sum of the heaps of the octal game 0.007 that correspond to the row. No two
    /// crosses may be adjacent or have one square between them.
    fn value_of_heaps(&self) -> u16 {
        let runs = self.safe_runs();
        runs.iter()
            .fold(0, |sum, run| sum ^ heap_values()[run.1 + 2])
    }

    fn visit_cross(&self, square: usize, visit: Visit<'_, Self>) -> Flow {
        let mut after = self.clone();
        after.cross(square);
        visit(&[after], &|| {
            Move::new([square as u64], Step::new("cross").with("square", square))
        })
    }
}

/// Returns the Grundy values of the octal game 0.007 for all heaps that can occur. The first call
/// computes them.
fn heap_values() -> &'static [u16] {
    static VALUES: OnceLock<Vec<u16>> = OnceLock::new();
    VALUES.get_or_init(|| {
        // The first digit of 0.007 that allows a move is the third, so a move takes three from the
        // heap and leaves at most two heaps. A heap has about 2,050 options up to symmetry, hence
        // its value fits 16 bits.
        let mut values = vec![0u16; 3];
        let mut options = MexSet::default();
        while values.len() <= MAX_SQUARES + 2 {
            let rest = values.len() - 3;
            options.clear();
            for heap in 0..=rest / 2 {
                options.insert(u64::from(values[heap] ^ values[rest - heap]));
            }
            values.push(options.mex() as u16);
        }
        values
    })
}

impl Ruleset for TreblecrossRow {
    type Part = Squares;

    fn name(&self) -> &'static str {
        "treblecross_row"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Squares> {
        Capabilities {
            theorems: Some(self),
            shortcuts: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, row: &Squares, visit: Visit<'_, Squares>) -> Flow {
        if row.has_treble() {
            return ControlFlow::Continue(());
        }
        (0..row.length)
            .filter(|&square| !row.is_crossed(square))
            .try_for_each(|square| row.visit_cross(square, visit))
    }

    fn components(&self, row: &Squares, visit: &mut dyn FnMut(Squares)) {
        // Finished rows have no moves and are dropped. A row and its mirror image are equal.
        if row.length > 0 && !row.has_treble() {
            visit(row.mirrored().min(row.clone()));
        }
    }

    fn write(&self, parts: &[Squares]) -> String {
        format!(
            "treblecross_row(\"{}\")",
            parts.iter().map(letters_of).collect::<String>()
        )
    }
}

impl Theorems<Squares> for TreblecrossRow {
    fn outcome(&self, row: &Squares, play: Play) -> Option<ByTheorem<Outcome>> {
        // A row of fewer than three squares has no room for three crosses.
        if play == Play::Misere || row.length < 3 {
            return None;
        }
        let wins = !row.has_treble() && (row.has_pair() || row.value_of_heaps() != 0);
        Some(ByTheorem {
            value: Outcome::from_win(wins),
            theorem: &TREBLECROSS,
        })
    }
}

impl Shortcuts<Squares> for TreblecrossRow {
    fn options_to(
        &self,
        _: usize,
        row: &Squares,
        goal: Goal,
        visit: Visit<'_, Squares>,
    ) -> Option<Flow> {
        // In misère play, and in short rows, the theorem does not hold.
        if goal != Goal::P(Play::Normal) || row.length < 3 {
            return None;
        }
        if row.has_treble() {
            return Some(ControlFlow::Continue(()));
        }
        if row.has_pair() {
            // After any other move the opponent completes three crosses in a row.
            let completes = |square: &usize| {
                let crossed = |at: usize| at < row.length && row.is_crossed(at);
                let near =
                    [-2isize, -1, 1, 2].map(|d| square.checked_add_signed(d).is_some_and(crossed));
                !row.is_crossed(*square) && near.windows(2).any(|two| two[0] && two[1])
            };
            return Some(
                (0..row.length)
                    .filter(completes)
                    .try_for_each(|square| row.visit_cross(square, visit)),
            );
        }
        // The move must reduce the nim-sum to 0, so it gives its run the value `wanted`. A cross on
        // square i of a run of m squares, counted from 0, leaves heaps of i and m - 1 - i under
        // 0.007.
        let (values, sum) = (heap_values(), row.value_of_heaps());
        Some(row.safe_runs().iter().try_for_each(|&(start, length)| {
            let wanted = sum ^ values[length + 2];
            (0..length)
                .filter(|&place| values[place] ^ values[length - 1 - place] == wanted)
                .try_for_each(|place| row.visit_cross(start + place, visit))
        }))
    }
}

impl Teaching<Squares> for TreblecrossRow {
    fn theorem_application(&self, row: &Squares, play: Play) -> Option<Step> {
        if play == Play::Misere || row.length < 3 {
            return None;
        }
        if row.has_treble() {
            return Some(Step::new("treblecross_over"));
        }
        if row.has_pair() {
            return Some(Step::new("treblecross_pair"));
        }
        let runs = row.safe_runs();
        if runs.is_empty() {
            return Some(Step::new("treblecross_no_heap"));
        }
        let heaps: Vec<u64> = runs.iter().map(|run| run.1 as u64 + 2).collect();
        let values = heaps
            .iter()
            .map(|&heap| u64::from(heap_values()[heap as usize]));
        let values: Vec<u64> = values.collect();
        let sum = values.iter().fold(0, |sum, value| sum ^ value);
        let runs: Vec<u64> = runs.iter().map(|run| run.1 as u64).collect();
        let step = Step::new("treblecross_heaps").with("runs", runs);
        Some(
            step.with("heaps", heaps)
                .with("values", values)
                .with("sum", sum),
        )
    }
}

impl Pictures<Squares> for TreblecrossRow {
    fn picture(&self, parts: &[Squares]) -> Picture {
        Picture::Lane(parts.iter().map(letters_of).collect())
    }
}

fn letters_of(row: &Squares) -> String {
    (0..row.length)
        .map(|square| if row.is_crossed(square) { 'X' } else { '.' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_base::Limits;
    use grundy_heap::algebra::NormalPlay;
    use grundy_heap::{Code, HeapRules, Sequence};

    #[test]
    fn kayles_has_the_values_of_its_octal_code() {
        // Compares the table of values with the recursion for 0.77, far beyond the last exception
        // at 70.
        let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
        let mut kayles = Sequence::<NormalPlay>::new(rules);
        for n in 0..400 {
            assert_eq!(
                Ok(kayles_value(n)),
                kayles.value(n as u64, &Limits::default())
            );
        }
    }

    #[test]
    fn direct_moves_of_kayles_are_complete() {
        // All 512 rows of nine pins, so that several runs and both ends occur.
        for set in 0..1u32 << 9 {
            let row: Vec<bool> = (0..9).map(|pin| set >> pin & 1 == 1).collect();
            for goal in (0..9).filter(|&goal| goal != KaylesRow.grundy(&row).unwrap().value) {
                let mut expected = Vec::new();
                let _ = KaylesRow.options(Player::Left, 0, &row, &mut |after, make_move| {
                    if KaylesRow.grundy(&after[0]).unwrap().value == goal {
                        expected.push((after[0].clone(), make_move().at));
                    }
                    ControlFlow::Continue(())
                });
                let mut direct = Vec::new();
                let _ =
                    KaylesRow.options_to(0, &row, Goal::Grundy(goal), &mut |after, make_move| {
                        direct.push((after[0].clone(), make_move().at));
                        ControlFlow::Continue(())
                    });
                assert_eq!(direct, expected, "{row:?} to {goal}");
            }
        }
    }

    #[test]
    fn outcomes_and_moves_of_treblecross_follow_the_definition() {
        for length in 0..=13 {
            // Rows are sets of bits. Every move leads to a larger number, so the loop runs
            // downwards.
            let mut wins = vec![false; 1 << length];
            for set in (0..1usize << length).rev() {
                let mut row = Squares::empty(length);
                (0..length)
                    .filter(|square| set >> square & 1 == 1)
                    .for_each(|square| row.cross(square));
                let mut expected = Vec::new();
                if set & set << 1 & set << 2 == 0 {
                    for square in (0..length).filter(|square| set >> square & 1 == 0) {
                        if !wins[set | 1 << square] {
                            expected.push(square as u64);
                        }
                    }
                }
                wins[set] = !expected.is_empty();
                let known = TreblecrossRow.outcome(&row, Play::Normal);
                let known = known.map(|known| known.value);
                // The theorem covers rows of three squares or more.
                let outcome = (length >= 3).then_some(Outcome::from_win(wins[set]));
                assert_eq!(known, outcome, "{}", letters_of(&row));
                let mut direct = Vec::new();
                let flow = TreblecrossRow.options_to(
                    0,
                    &row,
                    Goal::P(Play::Normal),
                    &mut |_, make_move| {
                        direct.extend(make_move().at);
                        ControlFlow::Continue(())
                    },
                );
                // The engine calls this function only for won positions.
                if flow.is_some() && wins[set] {
                    assert_eq!(direct, expected, "{}", letters_of(&row));
                }
            }
        }
    }

    #[test]
    fn rows_are_read_across_word_boundaries() {
        // Crosses on both sides of square 64, where the second word begins.
        for start in 60..66 {
            let mut row = Squares::empty(130);
            (start..start + 2).for_each(|square| row.cross(square));
            assert!(row.has_pair() && !row.has_treble());
            row.cross(start + 2);
            assert!(row.has_treble() && row.mirrored().has_treble());
            assert_eq!(row.mirrored().mirrored(), row);
        }
    }
}
