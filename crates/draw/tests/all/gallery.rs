//! Tests of the gallery of Hackenbush pictures. The published values agree with the solver, which
//! uses the colon and fusion principles, and for small pictures also with the mex over all cuts.
//! Drawings read back as the original pictures.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_core::ruleset::Nature;
use grundy_core::ruleset::hackenbush::{self, Colour, Edge, HackenbushPicture};
use grundy_core::step::Datum;
use grundy_core::{Limits, Play, Player, Position, Solver, explain};
use grundy_notation::{read_picture, read_position};
use grundy_wording::diagnostic::render;
use grundy_wording::{Audience, Language};

/// Returns the pictures in the gallery whose value is known. Each entry has the name of the
/// picture, the value stated in the file, and the text.
fn gallery() -> Vec<(String, u64, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hackenbush");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains("\n# source: "), "{}", path.display());
            let value = text
                .lines()
                .find_map(|line| line.strip_prefix("# value: "))?;
            Some((path.display().to_string(), value.parse().unwrap(), text))
        })
        .collect()
}

fn impartial(text: &str) -> Position {
    let term = read_picture(text).unwrap();
    assert_eq!(term.nature(), Nature::IMPARTIAL, "{}", term.text());
    Position::from(term)
}

/// Returns the Grundy value by mex over all options, cached by text.
fn by_definition(position: &Position, known: &mut HashMap<String, u64>) -> u64 {
    let key = position.to_string();
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut options = Vec::new();
    let _ = position.moves(Player::Left, &mut |_, _, to| {
        options.push(to());
        ControlFlow::Continue(())
    });
    let values: Vec<u64> = options
        .iter()
        .map(|option| by_definition(option, known))
        .collect();
    let value = (0..).find(|n| !values.contains(n)).unwrap();
    known.insert(key, value);
    value
}

fn english(step: &grundy_core::step::Step) -> String {
    grundy_wording::words(step, Language::En)
}

#[test]
fn gallery_pictures_have_their_stated_values() {
    let gallery = gallery();
    assert!(gallery.len() >= 15);
    for (name, value, text) in gallery {
        let position = impartial(&text);
        let found = Solver::default().grundy(&position, &Limits::default());
        assert_eq!(found, Ok(value), "{name}");
        // The recursion visits up to 2^11 subsets of edges.
        if position.terms()[0].longest_play() <= Some(11) {
            let mut known = HashMap::new();
            assert_eq!(by_definition(&position, &mut known), value, "{name}");
        }
    }
}

#[test]
fn drawings_of_the_gallery_read_back() {
    for (name, _, text) in gallery() {
        let position = impartial(&text);
        let terms = grundy_draw::DrawnComponent::terms(&position);
        // The reader must ignore labels, titles and colours of the background.
        let styles = [false, true].map(|labels| grundy_draw::PictureStyle {
            labels,
            dark: labels,
            title: labels,
            ..grundy_draw::PictureStyle::default()
        });
        for svg in styles.map(|style| grundy_draw::svg(&terms, &style, &english)) {
            let again = read_picture(&svg).unwrap_or_else(|error| {
                panic!("{name}: {}", render(&error, &svg, Audience::default()))
            });
            assert_eq!(again.text(), position.to_string(), "{name}");
        }
    }
}

#[test]
fn drawings_of_random_pictures_read_back() {
    let mut state = 0x1234_5678_u64;
    let mut below = |bound: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (((state >> 32) * u64::from(bound)) >> 32) as u32
    };
    for _ in 0..1500 {
        let vertices = 1 + below(12);
        let edges: Vec<Edge> = (0..below(24))
            .map(|_| Edge {
                ends: [below(vertices), below(vertices)],
                colour: [Colour::Green, Colour::Blue, Colour::Red][below(3) as usize],
            })
            .collect();
        let picture = HackenbushPicture::new(&edges, &[0, 1][..=below(2) as usize]);
        if picture.edges().is_empty() {
            continue;
        }
        let term = hackenbush::coloured(picture);
        let svg = grundy_draw::svg(
            &[grundy_draw::DrawnComponent::new(
                term.text(),
                term.picture(),
            )],
            &grundy_draw::PictureStyle::default(),
            &english,
        );
        let again = read_picture(&svg).unwrap_or_else(|error| {
            panic!("{term:?}: {}", render(&error, &svg, Audience::default()))
        });
        assert_eq!(again.text(), term.text());
    }
}

/// Checks the pictures in the steps of explanations. A picture that remains after a winning cut has
/// value 0, and every other picture has the value of the explained position.
#[test]
fn pictures_in_explanations_have_their_claimed_values() {
    let mut state = 0x9876_5432_u64;
    let mut below = |bound: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (((state >> 32) * u64::from(bound)) >> 32) as u32
    };
    let mut shown = 0;
    for _ in 0..400 {
        let vertices = 2 + below(12);
        let edges: Vec<Edge> = (0..=below(20))
            .map(|_| Edge::green(below(vertices), below(vertices)))
            .collect();
        let ground = [&[0][..], &[1, 0], &[3]][below(3) as usize];
        let position = Position::from(hackenbush::term(HackenbushPicture::new(&edges, ground)));
        let limits = Limits::default();
        let mut solver = Solver::default();
        let solution = solver.solve(&position, Play::Normal, &limits).unwrap();
        let steps = explain::steps(&position, Play::Normal, &solution, &mut solver, &limits);
        for step in steps.unwrap() {
            let picture = step.args.iter().find(|(name, _)| *name == "picture");
            let Some((_, Datum::Text(picture))) = picture else {
                continue;
            };
            let expected = if step.code == "cut_leaves" {
                Some(0)
            } else {
                solution.grundy()
            };
            let value = solver
                .grundy(&read_position(picture).unwrap(), &limits)
                .unwrap();
            assert_eq!(Some(value), expected, "{position}: {step:?}");
            shown += 1;
        }
    }
    assert!(shown > 1000);
}

#[test]
fn red_blue_gallery_pictures_have_their_stated_numbers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hackenbush");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(number) = text
            .lines()
            .find_map(|line| line.strip_prefix("# number: "))
        else {
            continue;
        };
        let term = read_picture(&text).unwrap();
        assert_eq!(term.nature(), Nature::PARTIZAN, "{}", path.display());
        let solution = Solver::default().solve(&term.into(), Play::Normal, &Limits::default());
        let value = solution.unwrap().number().unwrap().to_string();
        assert_eq!(value, number, "{}", path.display());
        found += 1;
    }
    assert!(found >= 3);
}
