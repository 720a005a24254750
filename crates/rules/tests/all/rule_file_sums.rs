//! Sums in which rule files take part, held to the definition like the sums of the games of the
//! library. `GRUNDY_SUMS=20000` asks for more of them.

use std::collections::HashMap;

use grundy::{Kind, Position};
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};

use crate::rule_files::FILES;
use crate::sums::answers::check;
use crate::sums::kinds::{KINDS, Kind as Game};
use crate::sums::random::Random;
use crate::sums::sum::{Sum, every_pair, some_sums, wanted};

/// The positions of sums. Each rule file is read once.
#[derive(Default)]
struct Positions(HashMap<&'static str, RuleFile>);

impl Positions {
    fn of(&mut self, sum: &Sum) -> Position {
        let text = sum.file.expect("a rule file");
        let file = self.0.entry(text).or_insert_with(|| file(text));
        let source = sum.source();
        let position = Expression::parse(&source).and_then(|sum| sum.position_with(&[], file));
        position.unwrap_or_else(|error| panic!("{source}: {error:?}"))
    }
}

fn file(text: &str) -> RuleFile {
    RuleFile::read("own.star", text, Allowance::default()).unwrap()
}

/// Returns a rule file with every game, the same file among them: a sum reads one file.
fn pairs() -> impl Iterator<Item = [&'static Game; 2]> {
    FILES.iter().flat_map(|file| {
        let others = KINDS.iter().chain([file]);
        others.map(move |other| [file, other])
    })
}

#[test]
fn sums_with_rule_files_are_what_the_definition_says() {
    let mut random = Random::new(1);
    let (mut sums, missing) = every_pair(&mut random, pairs(), 6_000, |sum| !sum.own_northcott());
    for [file, other] in missing {
        // Northcott's game beside own moves has a test of its own.
        let own = (file.term)(&mut random, 4).rules.own_moves();
        assert!(
            own && other.name == "northcott",
            "{} + {}",
            file.name,
            other.name
        );
    }
    // Of the sums of all kinds about a fifth have a rule file.
    let more = (wanted() / 5).saturating_sub(sums.len());
    let kinds: Vec<Game> = KINDS.iter().chain(FILES).copied().collect();
    sums.extend(some_sums(&mut random, &kinds, more, 20_000, |sum| {
        sum.file.is_some()
    }));
    let mut positions = Positions::default();
    let outcomes = check(&sums, |sum| positions.of(sum));
    let all = ["D", "DL", "DR", "L", "LD", "N", "P", "R", "RD"];
    assert!(outcomes.iter().eq(all), "{outcomes:?}");
}

#[test]
fn northcott_beside_a_rule_file_with_own_moves_has_own_moves() {
    let mut random = Random::new(3);
    let (sums, _) = every_pair(&mut random, pairs(), 2_000, Sum::own_northcott);
    assert!(sums.len() >= 2, "{}", sums.len());
    let mut positions = Positions::default();
    check(&sums, |sum| positions.of(sum));
}

#[test]
fn rule_files_with_ties_stand_alone() {
    let file =
        file("def moves(n):\n    return [n - 1] if n else []\ndef value(n):\n    return 0\n");
    for text in ["game(moves, 3) + nim(1)", "nim(0) + game(moves, 3)"] {
        let position = Expression::parse(text).unwrap().position_with(&[], &file);
        assert_eq!(position.unwrap_err().kind, Kind::IllegalPosition, "{text}");
    }
}
