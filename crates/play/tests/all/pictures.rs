//! Pictures of positions of every game: clickable moves, printed numbers, and the sheet of all
//! pictures.
//!
//! `GRUNDY_BLESS=1 cargo test -p grundy-play --test all pictures::` regenerates the sheet.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use grundy_core::registry::CONSTRUCTORS;
use grundy_core::{Play, Player, Position, Solver};
use grundy_draw::{PictureStyle, Wording};
use grundy_notation::read_position;
use grundy_play::board::shown;
use grundy_wording::{Language, words};

/// Maximal number of buttons for moves that have no place in the picture.
const BUTTONS: usize = 60;

fn picture(position: &Position, look: PictureStyle, language: Language) -> String {
    let say: Wording<'_> = &|step| words(step, language);
    grundy_draw::svg(&shown(position, None, language), &look, say)
}

/// Returns the examples of all games, a sum, and positions with large numbers or far squares.
fn positions() -> Vec<(String, Position)> {
    let more = [
        "nim(3, 12, 1000) + cram([\"..\", \"..\"]) + hackenbush(\"0-1 1-2\")",
        "domineering([\"...\", \"...\"]) + kayles(5) + queen(2, 3)",
        "nim(18446744073709551615)",
        "rook(100000, 3)",
        "nimble(1000000)",
        "strip_coins(5, 90000)",
        "twins(7, 40000)",
        "euclid(1000000, 1)",
        "chomp(90, 3)",
        "northcott(1000, [[4, 900]])",
        "staircase_nim(1000, 0, 50)",
        "fibonacci_nim(1000, 3)",
        "calendar(1999, 12, 30)",
        "hackenbush(\"0-1:b 1-2:r 1-1 0-2\")",
        "sum_of([])",
    ];
    let examples = CONSTRUCTORS.iter().map(|game| game.example);
    examples
        .chain(more)
        .map(|text| (text.to_owned(), read_position(text).expect(text)))
        .collect()
}

#[test]
fn every_legal_move_has_one_group() {
    for (text, position) in positions() {
        let mut legal = BTreeSet::new();
        for &player in position.nature().beginners() {
            for (component, term) in position.terms().iter().enumerate() {
                let mut count = 0;
                let _ = term.moves(player, &mut |name, _| {
                    legal.insert((component, name().at));
                    count += 1;
                    // Some of these positions have millions of moves, and a picture marks 2,000 at
                    // most.
                    if count < 1500 {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(grundy_core::Halt::Enough)
                    }
                });
            }
        }
        let svg = picture(&position, PictureStyle::default(), Language::En);
        let document = roxmltree::Document::parse(&svg).expect(&text);
        let mut groups: BTreeMap<(usize, Vec<u64>), usize> = BTreeMap::new();
        for node in document.descendants().filter(|node| {
            node.attribute("class")
                .is_some_and(|class| class.split(' ').any(|class| class == "move"))
        }) {
            let at = node.attribute("data-at").unwrap().split(',');
            let at = at.filter(|n| !n.is_empty()).map(|n| n.parse().unwrap());
            let component = node.attribute("data-component").unwrap().parse().unwrap();
            *groups.entry((component, at.collect())).or_default() += 1;
            let title = node.first_element_child().unwrap();
            assert_eq!(title.tag_name().name(), "title", "{text}");
            assert!(!title.text().unwrap().is_empty(), "{text}");
        }
        assert!(groups.values().all(|&count| count == 1), "{text}");
        // Beyond the limit of buttons a picture may omit moves, but then it shows an ellipsis.
        let missing = legal.iter().filter(|mv| !groups.contains_key(mv)).count();
        if groups.len() < BUTTONS {
            assert_eq!(missing, 0, "{text}");
        }
        if missing > 0 {
            assert!(svg.contains('…'), "{text}");
        }
    }
}

#[test]
fn pictures_are_plain_small_and_deterministic() {
    for (text, position) in positions() {
        for (dark, language) in [(false, Language::En), (true, Language::Zh)] {
            let look = PictureStyle {
                dark,
                title: dark,
                labels: dark,
                ..PictureStyle::default()
            };
            let svg = picture(&position, look, language);
            // The output must not depend on the order of a hash table.
            assert_eq!(svg, picture(&position, look, language), "{text}");
            assert!(svg.len() < 400_000, "{text}: {} bytes", svg.len());
            let document = roxmltree::Document::parse(&svg).expect(&text);
            for node in document.descendants().filter(roxmltree::Node::is_element) {
                let name = node.tag_name().name();
                // A picture must be safe to embed in any page: no styles, scripts or references.
                assert!(
                    !matches!(name, "style" | "script" | "image" | "use"),
                    "{text}"
                );
                for attribute in node.attributes() {
                    let name = attribute.name();
                    assert!(
                        name != "style" && name != "href" && !name.starts_with("on"),
                        "{text}"
                    );
                    assert!(!attribute.value().contains("NaN"), "{text}");
                    assert!(!attribute.value().contains("inf"), "{text}");
                }
            }
        }
    }
}

#[test]
fn numbers_match_the_notation() {
    for (text, numbers) in [
        // Heaps are numbered from 1, and their sizes are 3 and 1. All else is numbered as in the
        // notation.
        ("nim(3, 1)", &["1", "2", "3", "1"][..]),
        ("hackenbush(\"0-1 1-2 1-3\")", &["0", "1", "2"]),
        ("cram([\"...\", \"...\"])", &["0", "1", "2", "0", "1"]),
        ("node_kayles(\"2-7 9\")", &["2", "7", "9"]),
        ("arc_kayles(\"2-7 7-9\")", &["0", "1", "2", "7", "9"]),
        ("snort(\"0-1 1-2\", \"L..\")", &["0", "1", "2"]),
        ("turning_turtles(2)", &["1", "2"]),
        ("strip_coins(2)", &["0", "1", "2"]),
        ("kayles_row(\"101\")", &["0", "1", "2"]),
        ("staircase_nim(2, 4)", &["0", "1", "2", "2", "4"]),
        ("toppling_dominoes(\"LR\")", &["0", "1"]),
        ("northcott(3, [[0, 2]])", &["0", "1", "2", "0"]),
    ] {
        let svg = picture(
            &read_position(text).unwrap(),
            PictureStyle::default(),
            Language::En,
        );
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        let mut written: Vec<&str> = texts
            .filter_map(|node| node.text())
            .filter(|text| text.parse::<u64>().is_ok())
            .collect();
        let mut expected = numbers.to_vec();
        written.sort_unstable();
        expected.sort_unstable();
        assert_eq!(written, expected, "{text}");
    }
}

/// Checks the letters that replace stars as marks of winning moves.
///
/// Some moves can be made by both players, but win for only one of them. Such a move is marked with
/// the letter of that player instead of a star.
#[test]
fn a_move_that_wins_for_one_player_names_the_player() {
    for text in [
        "snort(\"0-1 1-2 2-3 3-4\", \"..L..\")",
        "col(\"0-1 1-2 2-0 2-3\", \"L.R.\")",
        "hackenbush(\"0-1:r 1-2:g 0-3:b 3-4:g\")",
        "toppling_dominoes(\"LREELR\")",
    ] {
        let position = read_position(text).unwrap();
        let limits = grundy_core::Limits::default();
        let solution = Solver::default().solve(&position, Play::Normal, &limits);
        let solution = solution.unwrap();
        let terms = shown(&position, Some(&solution), Language::En);
        let say: Wording<'_> = &|step| words(step, Language::En);
        let svg = grundy_draw::svg(&terms, &PictureStyle::default(), say);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let legal = |player, at: &[u64]| {
            let mut found = false;
            let _ = position.moves(player, &mut |_, name, _| {
                found |= name().at == at;
                ControlFlow::Continue(())
            });
            found
        };
        let groups = document.descendants().filter(|node| {
            let class = node.attribute("class").unwrap_or_default();
            class.split(' ').any(|class| class == "move")
        });
        for group in groups {
            let at = group.attribute("data-at").unwrap().split(',');
            let at: Vec<u64> = at.map(|number| number.parse().unwrap()).collect();
            let wins: Vec<bool> = solution
                .beginnings
                .iter()
                .map(|begun| begun.moves.iter().any(|won| won.mv.at == at))
                .collect();
            let both = legal(Player::Left, &at) && legal(Player::Right, &at);
            let letter = match wins[..] {
                [true, false] if both => Some("L"),
                [false, true] if both => Some("R"),
                _ => None,
            };
            let said = group.descendants().filter_map(|node| {
                let paper = node
                    .attribute("class")
                    .is_some_and(|it| it.contains("fill-paper"));
                node.text().filter(|_| node.is_element() && paper)
            });
            assert_eq!(said.collect::<Vec<_>>(), letter.as_slice(), "{text} {at:?}");
        }
    }
}

/// Checks that winning moves are marked if and only if a solution is given.
#[test]
fn winning_moves_are_marked_on_request() {
    let position = read_position("nim(3, 4, 5)").unwrap();
    let limits = grundy_core::Limits::default();
    let solution = Solver::default()
        .solve(&position, Play::Normal, &limits)
        .unwrap();
    let say: Wording<'_> = &|step| words(step, Language::En);
    let terms = shown(&position, Some(&solution), Language::En);
    let svg = grundy_draw::svg(&terms, &PictureStyle::default(), say);
    // The only winning move from 3, 4, 5 reduces the heap of 3 to 4 xor 5 = 1.
    assert_eq!(svg.matches("class=\"move wins\"").count(), 1);
    assert!(svg.contains("data-at=\"0,1\" data-leaves=\"P\""));
    let plain = picture(&position, PictureStyle::default(), Language::En);
    // 3 + 4 + 5 = 12 chips give 12 moves.
    assert!(!plain.contains("wins") && plain.matches("class=\"move\"").count() == 12);
    let tikz = grundy_draw::tikz(&terms, &PictureStyle::default(), say);
    assert!(tikz.contains("\\begin{tikzpicture}") && tikz.matches("grundy-chip").count() == 13);
}

/// Checks that the sheet and its pictures in `docs` are up to date.
#[test]
fn the_sheet_of_all_pictures_is_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let bless = std::env::var_os("GRUNDY_BLESS").is_some_and(|bless| bless == "1");
    let page = std::fs::read_to_string(docs.join("pictures.md")).unwrap();
    let (head, _) = page.split_once("<!-- pictures -->").unwrap();
    let mut sheet = format!("{head}<!-- pictures -->\n");
    let keep = |name: &str, contents: &str| {
        let path = docs.join(name);
        if bless {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, contents).unwrap();
        } else {
            let before = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                before == contents,
                "{name} is out of date: regenerate it with GRUNDY_BLESS=1, and read the difference"
            );
        }
    };
    for game in CONSTRUCTORS {
        let position = read_position(game.example).unwrap();
        let file = format!("images/positions/{}.svg", game.name);
        keep(
            &file,
            &picture(&position, PictureStyle::default(), Language::En),
        );
        let _ = write!(
            sheet,
            "\n## {}\n\n`{}`\n\n![{}]({file})\n",
            game.name, game.example, game.name
        );
    }
    keep("pictures.md", &sheet);
}
