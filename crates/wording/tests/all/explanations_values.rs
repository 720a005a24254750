//! Claims of explanations about values, recomputed from the moves alone. In these tests a game is a
//! tree of options, and two games are compared only by the definition of <=.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use grundy_core::step::{Datum, Step};
use grundy_core::{Dyadic, Limits, Play, Player, Position, Solver, explain};
use grundy_notation::read_position;
use grundy_wording::{Language, words};

/// A game given by its options.
#[derive(Debug)]
struct Tree {
    text: String,
    sides: [Vec<Rc<Tree>>; 2],
}

#[derive(Default)]
struct Definition {
    trees: HashMap<String, Rc<Tree>>,
    compared: HashMap<(String, String), bool>,
}

impl Definition {
    fn tree(&mut self, position: &Position) -> Rc<Tree> {
        let text = position.to_string();
        if let Some(known) = self.trees.get(&text) {
            return Rc::clone(known);
        }
        let sides = Player::BOTH.map(|player| {
            let mut options = Vec::new();
            let _ = position.moves(player, &mut |_, _, to| {
                options.push(to());
                ControlFlow::Continue(())
            });
            options.iter().map(|option| self.tree(option)).collect()
        });
        let tree = Rc::new(Tree {
            text: text.clone(),
            sides,
        });
        self.trees.insert(text, Rc::clone(&tree));
        tree
    }

    fn read(&mut self, text: &str) -> Rc<Tree> {
        self.tree(&read_position(text).unwrap())
    }

    fn value(&mut self, text: &str) -> Rc<Tree> {
        self.read(&format!("literal(\"{text}\")"))
    }

    /// Returns whether a <= b: no Left option of a is at least b, and no Right option of b is at
    /// most a.
    fn at_most(&mut self, a: &Tree, b: &Tree) -> bool {
        let key = (a.text.clone(), b.text.clone());
        if let Some(&known) = self.compared.get(&key) {
            return known;
        }
        let lefts = a.sides[0].iter().any(|left| self.at_most(b, left));
        let answer = !lefts && !b.sides[1].iter().any(|right| self.at_most(right, a));
        self.compared.insert(key, answer);
        answer
    }

    fn equal(&mut self, a: &Tree, b: &Tree) -> bool {
        self.at_most(a, b) && self.at_most(b, a)
    }

    /// Checks the text `claim`, which has the form `position = value`, and returns the position as
    /// a tree.
    fn claimed(&mut self, claim: &str) -> Rc<Tree> {
        let (position, value) = claim.rsplit_once(" = ").unwrap();
        self.check_value(position, value)
    }

    fn check_value(&mut self, position: &str, value: &str) -> Rc<Tree> {
        let (tree, value) = (self.read(position), self.value(value));
        assert!(
            self.equal(&tree, &value),
            "{position} is not {}",
            value.text
        );
        tree
    }

    /// Returns the number that a game equals, among multiples of 1/8 from -8 to 8.
    fn number(&mut self, game: &Tree) -> Option<Dyadic> {
        (-64..=64).map(|n| Dyadic::new(n, 3)).find(|number| {
            let number = self.value(&number.to_string());
            self.equal(game, &number)
        })
    }

    /// Returns the stop of a game when `player` moves first.
    fn stop(&mut self, game: &Tree, player: Player) -> Dyadic {
        if let Some(number) = self.number(game) {
            return number;
        }
        let stops: Vec<Dyadic> = game.sides[player as usize]
            .iter()
            .map(|option| self.stop(option, player.other()))
            .collect();
        let best = match player {
            Player::Left => stops.into_iter().max(),
            Player::Right => stops.into_iter().min(),
        };
        best.expect("a game that is no number has options")
    }
}

fn datum<'a>(step: &'a Step, name: &str) -> Option<&'a Datum> {
    let mut args = step.args.iter();
    args.find_map(|(known, datum)| (*known == name).then_some(datum))
}

fn text<'a>(step: &'a Step, name: &str) -> &'a str {
    match datum(step, name) {
        Some(Datum::Text(text)) => text,
        other => panic!("{}: {name} is {other:?}", step.code),
    }
}

fn texts<'a>(step: &'a Step, name: &str) -> Vec<&'a str> {
    let Some(Datum::List(items)) = datum(step, name) else {
        return Vec::new();
    };
    let texts = items.iter().map(|item| match item {
        Datum::Text(text) => &text[..],
        other => panic!("{}: {other:?}", step.code),
    });
    texts.collect()
}

/// Splits the code of a step that begins with `left_` or `right_` into the player and the remaining
/// code.
fn player_of(code: &str) -> Option<(Player, &str)> {
    let left = code.strip_prefix("left_").map(|rest| (Player::Left, rest));
    left.or_else(|| {
        code.strip_prefix("right_")
            .map(|rest| (Player::Right, rest))
    })
}

fn names(trees: &[Rc<Tree>]) -> Vec<&str> {
    let mut names: Vec<&str> = trees.iter().map(|tree| &tree.text[..]).collect();
    names.sort_unstable();
    names
}

/// Checks every step about values in the explanation of `game`, and counts the steps by their
/// codes.
fn check(game: &str, counts: &mut HashMap<&'static str, u32>) {
    let position = read_position(game).unwrap();
    let (mut solver, limits) = (Solver::default(), Limits::default());
    let solution = solver.solve(&position, Play::Normal, &limits).unwrap();
    let steps = explain::steps(&position, Play::Normal, &solution, &mut solver, &limits).unwrap();
    let mut definition = Definition::default();
    let whole = definition.tree(&position);
    let mut gone = [Vec::new(), Vec::new()];
    for step in &steps {
        *counts.entry(step.code).or_default() += 1;
        for language in [Language::En, Language::Zh] {
            let sentence = words(step, language);
            assert!(
                !sentence.contains('}') || texts_of(step).contains('}'),
                "{sentence}"
            );
        }
        let Some((player, code)) = player_of(step.code) else {
            whole_claim(step, &whole, &mut definition);
            continue;
        };
        let options = &whole.sides[player as usize];
        match code {
            "has_no_option" => assert!(options.is_empty(), "{game}"),
            "options" => {
                let mut told = Vec::new();
                for claim in texts(step, "options") {
                    told.push(definition.claimed(claim));
                }
                assert_eq!(names(&told), names(options), "{game}");
            }
            "dominated" => {
                let option = definition.check_value(text(step, "option"), text(step, "value"));
                let by = definition.check_value(text(step, "by"), text(step, "by_value"));
                assert_ne!(option.text, by.text);
                // Domination: for Left a smaller option is dominated, for Right a greater one.
                let [low, high] = player.of([[&option, &by], [&by, &option]]);
                assert!(definition.at_most(low, high), "{game}: {}", option.text);
                assert!(names(options).contains(&&option.text[..]));
                assert!(names(options).contains(&&by.text[..]));
                gone[player as usize].push(option.text.clone());
            }
            "reversible" | "reversible_out" => {
                let option = definition.check_value(text(step, "option"), text(step, "value"));
                let reply = definition.check_value(text(step, "reply"), text(step, "reply_value"));
                assert!(names(options).contains(&&option.text[..]));
                assert!(names(&option.sides[player.other() as usize]).contains(&&reply.text[..]));
                // Reversibility: a reply to a Left option must be at most the game itself, and to a
                // Right option at least.
                let [low, high] = player.of([[&reply, &whole], [&whole, &reply]]);
                assert!(definition.at_most(low, high), "{game}: {}", reply.text);
                let mut through = Vec::new();
                for claim in texts(step, "through") {
                    through.push(definition.claimed(claim));
                }
                assert_eq!(names(&through), names(&reply.sides[player as usize]));
                gone[player as usize].push(option.text.clone());
            }
            "two_ahead" => {
                let zero = definition.value("0");
                let [low, high] = player.of([[&zero, &whole], [&whole, &zero]]);
                assert!(definition.at_most(low, high) && !definition.at_most(high, low));
            }
            _ => {}
        }
    }
    // No option that remains may be dominated or reversible, since a canonical form has neither.
    if steps.iter().any(|step| step.code == "options_remain") {
        for player in Player::BOTH {
            let kept: Vec<Rc<Tree>> = whole.sides[player as usize]
                .iter()
                .filter(|option| !gone[player as usize].contains(&option.text))
                .cloned()
                .collect();
            for (index, option) in kept.iter().enumerate() {
                for other in &kept[index + 1..] {
                    let comparable =
                        definition.at_most(option, other) || definition.at_most(other, option);
                    assert!(!comparable, "{game}: {} and {}", option.text, other.text);
                }
                for reply in &option.sides[player.other() as usize] {
                    let [low, high] = player.of([[reply, &whole], [&whole, reply]]);
                    assert!(!definition.at_most(low, high), "{game}: {}", reply.text);
                }
            }
        }
    }
}

fn texts_of(step: &Step) -> String {
    format!("{:?}", step.args)
}

/// Checks the claims of a step about the game itself, as opposed to those about its options.
fn whole_claim(step: &Step, whole: &Tree, definition: &mut Definition) {
    match step.code {
        "canonical_value" => {
            let value = definition.value(text(step, "value"));
            assert!(definition.equal(whole, &value), "{}", whole.text);
        }
        "options_remain" => {
            let [left, right] = ["left", "right"].map(|side| texts(step, side).join(","));
            let braces = definition.value(&format!("{{{left}|||||{right}}}"));
            assert!(
                definition.equal(whole, &braces),
                "{}: {}",
                whole.text,
                braces.text
            );
        }
        "hot" => {
            // The stops of a hot game differ. Those of an infinitesimal plus a number are equal.
            let stops = Player::BOTH.map(|player| definition.stop(whole, player).to_string());
            assert_eq!(stops, [text(step, "left_stop"), text(step, "right_stop")]);
            assert_ne!(stops[0], stops[1]);
        }
        "infinitesimal" => {
            let stops = Player::BOTH.map(|player| definition.stop(whole, player).to_string());
            assert_eq!(stops, [text(step, "number"), text(step, "number")]);
        }
        "edge_alone" | "edge_under" | "stalk_alone" | "stalk_under" => {
            let stalk: Vec<String> = (0..)
                .zip(text(step, "colours").chars())
                .map(|(below, colour)| format!("{below}-{}:{colour}", below + 1))
                .collect();
            let top = datum(step, "top").map_or("0", |_| text(step, "top"));
            let tower = format!(
                "ordinal_sum(hackenbush(\"{}\"), literal(\"{top}\"))",
                stalk.join(" ")
            );
            definition.check_value(&tower, text(step, "value"));
        }
        code if code.starts_with("simplest") => {
            let value = definition.value(text(step, "value"));
            assert!(definition.equal(whole, &value), "{}", whole.text);
            for (player, name) in [(Player::Left, "most"), (Player::Right, "least")] {
                let mut stops = Vec::new();
                for option in &whole.sides[player as usize] {
                    stops.push(definition.stop(option, player.other()));
                }
                let best = match player {
                    Player::Left => stops.into_iter().max(),
                    Player::Right => stops.into_iter().min(),
                };
                match best {
                    Some(best) => assert_eq!(best.to_string(), text(step, name)),
                    None => assert_eq!(datum(step, name), None),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn claims_about_options_hold() {
    let games = [
        "literal(\"{0,1|-1}\")",
        "literal(\"{^|^}\")",
        "literal(\"{2,{3|1}|*,{0|-5}}\")",
        "literal(\"{1/4|7/8}\")",
        "literal(\"{5/4|}\")",
        "literal(\"{|-1/2,*}\")",
        "literal(\"{*|1}\")",
        "literal(\"{0,*|v*}\")",
        "literal(\"{^^*,{2|0}|*,{1|-1}}\")",
        "literal(\"{0|*}\") + literal(\"^\") + nim(1)",
        "literal(\"{|v}\") + literal(\"+-1\")",
        "toads_and_frogs(\"TT.F.F\")",
        "toads_and_frogs(\"T.TFF\")",
        "toppling_dominoes(\"LREL\")",
        "clobber([\"xox\", \"oxo\"])",
        "hackenbush(\"0-1 1-2 2-3:b 2-4:b\")",
        "clobber([\"xxo\"]) + clobber([\"xxo\"])",
        "domineering([\"...\", \"..#\"])",
        "domineering([\"...\", \"...\", \"#..\"])",
        "hackenbush(\"0-1 1-2:b 2-3:r 1-4\")",
        "hackenbush(\"0-1:b 1-2 2-0:r 2-3\")",
        "hackenbush(\"0-1 1-2:b 2-3:g 2-4:r 4-5\")",
        "hackenbush(\"0-1 1-2:b\")",
        "col(\"0-1 1-2 2-3\", \"....\")",
        "snort(\"0-1 1-2 2-3\", \"...L\")",
        "elephants(\"E.E...R.R\")",
        "ordinal_sum(literal(\"{*|*}\"), literal(\"2\"))",
        "partizan_subtraction([1, 4], [2, 3], 7)",
    ];
    let mut counts = HashMap::new();
    for game in games {
        check(game, &mut counts);
    }
    for code in [
        "left_options",
        "right_options",
        "left_dominated",
        "right_dominated",
        "left_reversible",
        "right_reversible",
        "options_remain",
        "simplest_between",
        "simplest_above",
        "simplest_below",
        "hot",
        "infinitesimal",
        "atomic_weight",
        "left_two_ahead",
        "edge_alone",
        "edge_under",
        "stalk_alone",
        "stalk_under",
    ] {
        assert!(counts.contains_key(code), "{code} was not among {counts:?}");
    }
}

#[test]
fn explanations_of_random_games_hold() {
    let mut seed = 0x9E37_79B9_7F4A_7C15u64;
    let mut below = |bound: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) % bound
    };
    let small = [
        "0", "1", "-1", "*", "^", "v*", "1/2", "+-1", "*2", "{2|0}", "{0|-1}", "-3/2", "{1|*}",
    ];
    let mut counts = HashMap::new();
    for _ in 0..300 {
        let mut side = || {
            let count = 1 + below(3);
            let options: Vec<String> = (0..count)
                .map(|_| {
                    let mut one = || small[below(small.len() as u64) as usize];
                    let (a, b) = (one(), one());
                    if below(2) == 0 {
                        a.to_owned()
                    } else {
                        format!("{{{a}|||{b}}}")
                    }
                })
                .collect();
            options.join(",")
        };
        let (left, right) = (side(), side());
        check(&format!("literal(\"{{{left}||||{right}}}\")"), &mut counts);
    }
    assert!(
        counts["left_reversible"] > 20 && counts["right_dominated"] > 50,
        "{counts:?}"
    );
}

/// Checks the explanations that cite a theorem which gives the value of a partizan game as a
/// number. The terms that the sentence lists must add up to this value.
#[test]
fn terms_of_theorems_add_up_to_the_value() {
    let int = |step: &Step, name| match datum(step, name) {
        Some(&Datum::Int(n)) => n as i64,
        other => panic!("{name}: {other:?} in {step:?}"),
    };
    let mut games = Vec::new();
    for rows in 1..=4 {
        for columns in 1..=5 {
            games.push(format!("cutcake({rows}, {columns})"));
            games.push(format!("maundy_cake({rows}, {columns})"));
        }
    }
    for strip in [
        "..TT.", "F.T..", "FF..TT.", "T..", "..F", "F", "E..E.", ".R.R", "EE..RR", "EE..R.R",
    ] {
        let name = if strip.contains(['T', 'F']) {
            "toads_and_frogs"
        } else {
            "elephants"
        };
        games.push(format!("{name}(\"{strip}\")"));
    }
    let mut told = 0;
    for game in &games {
        let position = read_position(game).unwrap();
        let (mut solver, limits) = (Solver::default(), Limits::default());
        let solution = solver.solve(&position, Play::Normal, &limits).unwrap();
        let steps = explain::steps(&position, Play::Normal, &solution, &mut solver, &limits);
        let mut definition = Definition::default();
        for step in &steps.unwrap() {
            let value = match step.code {
                "cake_of_left" | "cake_of_right" | "cake_of_nobody" => {
                    let (power, shorter) = (int(step, "power"), int(step, "shorter"));
                    assert!(power <= shorter && shorter < 2 * power, "{step:?}");
                    let quotient = int(step, "longer") / power;
                    assert_eq!(quotient, int(step, "quotient"), "{step:?}");
                    assert_eq!(quotient - 1, int(step, "moves"), "{step:?}");
                    quotient - 1
                }
                "maundy_of_left" | "maundy_of_right" => {
                    let Some(Datum::List(rest)) = datum(step, "rest") else {
                        panic!("{step:?}");
                    };
                    let rest = rest.iter().map(|n| match n {
                        Datum::Int(n) => *n as i64,
                        other => panic!("{other:?}"),
                    });
                    let sum: i64 = rest.sum();
                    assert_eq!(sum.to_string(), text(step, "moves"), "{step:?}");
                    sum
                }
                "maundy_of_nobody" => 0,
                "free_toads" => int(step, "toads") - int(step, "frogs"),
                "free_elephants" => int(step, "left") - int(step, "right"),
                "facing_elephants" => {
                    let facing = texts(step, "facing").into_iter().map(|facing| {
                        let numbers = facing.split(|c: char| !c.is_ascii_digit());
                        let numbers: Vec<i64> = numbers.filter_map(|n| n.parse().ok()).collect();
                        numbers[0] / 2 * (numbers[2] - numbers[3])
                    });
                    facing.sum::<i64>() + int(step, "left") - int(step, "right")
                }
                _ => continue,
            };
            let value = if step.code.ends_with("of_right") {
                -value
            } else {
                value
            };
            definition.check_value(game, &value.to_string());
            told += 1;
        }
    }
    assert_eq!(told, games.len());
}
