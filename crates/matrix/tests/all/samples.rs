//! The samples of `.nfg` files in `testdata`, compared with a small parser that shares no code with
//! the crate. The value is checked by the inequalities of the definition.

use grundy_base::Limits;
use grundy_matrix::{BigRational, read::read_game, solve};

/// The reason why a game is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Players,
    GeneralSum,
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

/// Returns the payoffs to the row player by rows, and the sum of both payoffs.
fn by_hand(text: &str) -> Result<(Vec<Vec<BigRational>>, BigRational), Refusal> {
    // Quoted texts become the word `"`.
    let unquoted: String = (text.split('"').enumerate())
        .map(|(index, part)| if index % 2 == 0 { part } else { " \" " })
        .collect();
    let spaced = unquoted
        .replace('{', " { ")
        .replace('}', " } ")
        .replace(',', " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let close = |from: usize| from + words[from..].iter().position(|&word| word == "}").unwrap();
    // NFG 1 R "title" { players } { strategies } "comment"
    let players = close(4);
    if players != 7 {
        return Err(Refusal::Players);
    }
    let mut at = players + 2;
    let mut sizes = Vec::new();
    while words[at] != "}" {
        if words[at] == "{" {
            let end = close(at);
            sizes.push(end - at - 1);
            at = end;
        } else {
            sizes.push(words[at].parse().unwrap());
        }
        at += 1;
    }
    at += 1;
    if words[at] == "\"" {
        at += 1;
    }
    let mut pairs = Vec::new();
    if words[at] == "{" {
        let mut outcomes = vec![[ratio("0"), ratio("0")]];
        at += 1;
        while words[at] == "{" {
            outcomes.push([ratio(words[at + 2]), ratio(words[at + 3])]);
            at += 5;
        }
        for word in &words[at + 1..] {
            pairs.push(outcomes[word.parse::<usize>().unwrap()].clone());
        }
    } else {
        let numbers: Vec<BigRational> = words[at..].iter().map(|word| ratio(word)).collect();
        pairs.extend(
            numbers
                .chunks(2)
                .map(|pair| [pair[0].clone(), pair[1].clone()]),
        );
    }
    let total = &pairs[0][0] + &pairs[0][1];
    if pairs.iter().any(|[own, other]| own + other != total) {
        return Err(Refusal::GeneralSum);
    }
    let rows = (0..sizes[0])
        .map(|i| {
            (0..sizes[1])
                .map(|j| pairs[j * sizes[0] + i][0].clone())
                .collect()
        })
        .collect();
    Ok((rows, total))
}

#[test]
fn samples_are_solved_or_refused_for_the_right_reason() {
    for (text, expected) in [
        (
            include_str!("../../../../testdata/gambit/pie.nfg"),
            Ok(("8/7", "2")),
        ),
        (
            include_str!("../../../../testdata/gambit/pie-outcomes.nfg"),
            Ok(("1/4", "1")),
        ),
        (
            include_str!("../../../../testdata/odd-or-even.nfg"),
            Ok(("1/12", "0")),
        ),
        (
            include_str!("../../../../testdata/gambit/dilemma.nfg"),
            Err(Refusal::GeneralSum),
        ),
        (
            include_str!("../../../../testdata/gambit/nothing.nfg"),
            Err(Refusal::GeneralSum),
        ),
        (
            include_str!("../../../../testdata/gambit/three.nfg"),
            Err(Refusal::Players),
        ),
    ] {
        let hand = by_hand(text);
        let game = read_game(text.as_bytes()).map_err(|error| match &*error.message {
            message if message.contains("must have 2 players") => Refusal::Players,
            message if message.contains("add up to") => Refusal::GeneralSum,
            other => panic!("{other}"),
        });
        let (value, total) = match expected {
            Ok(expected) => expected,
            Err(reason) => {
                assert_eq!(hand, Err(reason), "{text}");
                assert_eq!(game, Err(reason), "{text}");
                continue;
            }
        };
        let ((rows, sum), game) = (hand.unwrap(), game.unwrap());
        assert_eq!(
            (&sum, &game.constant),
            (&ratio(total), &Some(ratio(total))),
            "{text}"
        );
        let solution = solve(&game.matrix, &Limits::none()).unwrap();
        assert_eq!(solution.value, ratio(value), "{text}");
        let (p, q) = (&solution.row_strategy, &solution.column_strategy);
        for j in 0..rows[0].len() {
            let pays: BigRational = (0..rows.len())
                .map(|i| p.probability(i) * &rows[i][j])
                .sum();
            assert!(pays >= solution.value);
        }
        for row in &rows {
            let wins: BigRational = (0..row.len()).map(|j| q.probability(j) * &row[j]).sum();
            assert!(wins <= solution.value);
        }
    }
}
