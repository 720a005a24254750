//! Sums with rule files. As in the tests of the games of the library, the answers are compared with
//! the definition. With `GRUNDY_SUMS=20000`, about 4,000 sums with rule files are tested, a fifth
//! of this number.

use std::collections::HashMap;

use grundy_core::{Kind, Position};
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};

use crate::rule_files::FILES;
use crate::sums::answers::check;
use crate::sums::kinds::{KINDS, Kind as Game};
use crate::sums::random::Random;
use crate::sums::sum::{Sum, every_pair, some_sums, wanted};

/// The rule files loaded so far, by their text. They are used to create the positions of sums, and
/// each file is loaded only once.
#[derive(Default)]
struct Positions(HashMap<&'static str, RuleFile>);

impl Positions {
    /// Returns the position of a sum.
    fn of(&mut self, sum: &Sum) -> Position {
        let text = sum.file.expect("a rule file");
        let file = self.0.entry(text).or_insert_with(|| file(text));
        let source = sum.source();
        let position = Expression::parse(&source).and_then(|sum| sum.position_with(&[], file));
        position.unwrap_or_else(|error| panic!("{source}: {error:?}"))
    }
}

/// Loads a rule file.
fn file(text: &str) -> RuleFile {
    RuleFile::read("own.star", text, Allowance::default()).unwrap()
}

/// Returns all pairs of a rule file and a game of the library, and the pair of each rule file with
/// itself. Different rule files are not paired, since a sum can use one file only.
fn pairs() -> impl Iterator<Item = [&'static Game; 2]> {
    FILES.iter().flat_map(|file| {
        let others = KINDS.iter().chain([file]);
        others.map(move |other| [file, other])
    })
}

#[test]
fn sums_with_rule_files_match_the_definition() {
    let mut random = Random::new(1);
    let (mut sums, missing) = every_pair(&mut random, pairs(), 6_000, |sum| {
        !sum.has_partizan_northcott()
    });
    for [file, other] in missing {
        // Northcott's game next to a partizan game is covered by the next test.
        let own = (file.term)(&mut random, 4).rules.is_partizan();
        assert!(
            own && other.name == "northcott",
            "{} + {}",
            file.name,
            other.name
        );
    }
    // About a fifth of the sums of all kinds have a rule file.
    let more = (wanted() / 5).saturating_sub(sums.len());
    let kinds: Vec<Game> = KINDS.iter().chain(FILES).copied().collect();
    sums.extend(some_sums(&mut random, &kinds, more, 20_000, |sum| {
        sum.file.is_some()
    }));
    let mut positions = Positions::default();
    let outcomes = check(&sums, |sum| positions.of(sum));
    // The classes of loopy partizan games must all occur.
    let all = ["D", "DL", "DR", "L", "LD", "N", "P", "R", "RD"];
    assert!(outcomes.iter().eq(all), "{outcomes:?}");
}

#[test]
fn northcott_with_a_partizan_rule_file_is_partizan() {
    let mut random = Random::new(3);
    let (sums, _) = every_pair(&mut random, pairs(), 2_000, Sum::has_partizan_northcott);
    assert!(sums.len() >= 2, "{}", sums.len());
    let mut positions = Positions::default();
    check(&sums, |sum| positions.of(sum));
}

#[test]
fn rule_files_with_ties_are_not_summed() {
    let file =
        file("def moves(n):\n    return [n - 1] if n else []\ndef value(n):\n    return 0\n");
    for text in ["game(moves, 3) + nim(1)", "nim(0) + game(moves, 3)"] {
        let position = Expression::parse(text).unwrap().position_with(&[], &file);
        assert_eq!(position.unwrap_err().kind, Kind::IllegalPosition, "{text}");
    }
}
