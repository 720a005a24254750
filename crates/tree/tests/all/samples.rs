//! The samples of `.efg` files in `testdata`, compared with a small parser that shares no code with
//! the crate.

use std::collections::HashMap;

use grundy_tree::{BigRational, efg, values};

/// The reason why a game is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Players,
    Chance,
    HiddenInformation,
    GeneralSum,
}

/// Words and quoted texts of a file. Braces are separate words, and commas are spaces.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(format!("\"{part}"));
            continue;
        }
        let spaced = part
            .replace('{', " { ")
            .replace('}', " } ")
            .replace(',', " ");
        words.extend(spaced.split_whitespace().map(str::to_owned));
    }
    words
}

fn ratio(word: &str) -> BigRational {
    let integer = |text: &str| text.parse::<i64>().unwrap();
    if let Some((over, under)) = word.split_once('/') {
        return BigRational::new(integer(over).into(), integer(under).into());
    }
    let (whole, part) = word.split_once('.').unwrap_or((word, ""));
    let scale = 10_i64.pow(part.len() as u32);
    BigRational::new(integer(&format!("{whole}{part}")).into(), scale.into())
}

/// Reads nodes by recursion. Returns the value for the first player.
struct Reader {
    words: Vec<String>,
    at: usize,
    outcomes: HashMap<String, [BigRational; 2]>,
    sets: Vec<(String, String)>,
    totals: Vec<BigRational>,
}

impl Reader {
    fn next(&mut self) -> String {
        self.at += 1;
        self.words[self.at - 1].clone()
    }

    fn skip_text(&mut self) {
        if self
            .words
            .get(self.at)
            .is_some_and(|word| word.starts_with('"'))
        {
            self.at += 1;
        }
    }

    fn list(&mut self) -> Vec<String> {
        assert_eq!(self.next(), "{");
        let mut list = Vec::new();
        loop {
            match self.next() {
                word if word == "}" => return list,
                word => list.push(word),
            }
        }
    }

    fn outcome(&mut self, sums: &[BigRational; 2]) -> [BigRational; 2] {
        let number = self.next();
        self.skip_text();
        if self.words.get(self.at).is_some_and(|word| word == "{") {
            let list = self.list();
            self.outcomes
                .insert(number.clone(), [ratio(&list[0]), ratio(&list[1])]);
        }
        let zero = <[BigRational; 2]>::default();
        let own = self.outcomes.get(&number).unwrap_or(&zero);
        [&sums[0] + &own[0], &sums[1] + &own[1]]
    }

    fn node(&mut self, sums: &[BigRational; 2]) -> Result<BigRational, Refusal> {
        let kind = self.next();
        self.skip_text();
        match kind.as_str() {
            "t" => {
                let [own, other] = self.outcome(sums);
                self.totals.push(&own + other);
                Ok(own)
            }
            "p" => {
                let set = (self.next(), self.next());
                if self.sets.contains(&set) {
                    return Err(Refusal::HiddenInformation);
                }
                self.sets.push(set.clone());
                self.skip_text();
                let actions = self.list().len();
                let sums = self.outcome(sums);
                let mut values = Vec::new();
                for _ in 0..actions {
                    values.push(self.node(&sums)?);
                }
                let best = if set.0 == "1" {
                    values.into_iter().max()
                } else {
                    values.into_iter().min()
                };
                Ok(best.unwrap())
            }
            _ => Err(Refusal::Chance),
        }
    }
}

/// Returns the value for the first player, and the sum of the payoffs.
fn by_hand(text: &str) -> Result<[BigRational; 2], Refusal> {
    let mut reader = Reader {
        words: words(text.trim_start_matches('\u{feff}')),
        at: 4,
        outcomes: HashMap::new(),
        sets: Vec::new(),
        totals: Vec::new(),
    };
    if reader.list().len() != 2 {
        return Err(Refusal::Players);
    }
    reader.skip_text();
    let value = reader.node(&Default::default())?;
    if reader.totals.iter().any(|total| *total != reader.totals[0]) {
        return Err(Refusal::GeneralSum);
    }
    Ok([value, reader.totals[0].clone()])
}

/// Returns the same as [`by_hand`], from the answer or the error of the crate.
fn by_crate(text: &str) -> Result<[BigRational; 2], Refusal> {
    match efg::read(text) {
        Ok(tree) => {
            let value = values(&tree)[tree.root()];
            let [own, other] = tree.payoffs_of_both(value);
            assert_eq!(&own + other, tree.constant);
            Ok([own, tree.constant])
        }
        Err(error) => Err(match &*error.message {
            message if message.contains("must have 2 players") => Refusal::Players,
            message if message.contains("chance moves") => Refusal::Chance,
            message if message.contains("cannot distinguish") => Refusal::HiddenInformation,
            message if message.contains("add up to") => Refusal::GeneralSum,
            other => panic!("{other}"),
        }),
    }
}

#[test]
fn samples_are_solved_or_refused_for_the_right_reason() {
    let solved = |value, total| Ok([ratio(value), ratio(total)]);
    for (text, expected) in [
        (
            include_str!("../../../../testdata/gambit/bonus.efg"),
            solved("5/2", "0"),
        ),
        (
            include_str!("../../../../testdata/gambit/prize.efg"),
            solved("0", "1"),
        ),
        (
            include_str!("../../../../testdata/gambit/trust.efg"),
            Err(Refusal::GeneralSum),
        ),
        (
            include_str!("../../../../testdata/gambit/missing-outcome.efg"),
            Err(Refusal::GeneralSum),
        ),
        (
            include_str!("../../../../testdata/gambit/coin.efg"),
            Err(Refusal::Chance),
        ),
        (
            include_str!("../../../../testdata/gambit/three.efg"),
            Err(Refusal::Players),
        ),
        (
            include_str!("../../../../testdata/hidden.efg"),
            Err(Refusal::HiddenInformation),
        ),
        (
            include_str!("../../../../testdata/choose.efg"),
            solved("1/2", "0"),
        ),
    ] {
        assert_eq!(by_hand(text), expected, "{text}");
        assert_eq!(by_crate(text), expected, "{text}");
    }
}
