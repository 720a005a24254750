//! Tests of pictures of values: thermographs of many games, and the order of the games born by day
//! 2. Some pictures are compared with the expected files, byte by byte.
//!
//! `GRUNDY_BLESS=1 cargo test -p grundy-draw --test all values::` overwrites the expected pictures.
//! Inspect them before committing.

use std::path::Path;

use grundy_core::Limits;
use grundy_core::step::Step;
use grundy_draw::{order, thermographs, thermographs_tikz};
use grundy_forms::{Form, Forms, Thermograph, text};
use grundy_wording::{Language, words};

fn english(step: &Step) -> String {
    words(step, Language::En)
}

fn graphs(forms: &mut Forms, games: &[&str]) -> Vec<(String, Thermograph)> {
    let limits = Limits::default();
    let graph = |game: &&str| {
        let form = text::read(game, forms, &limits).unwrap();
        let graph = forms.thermograph(form, &limits).unwrap();
        ((*game).to_owned(), (*graph).clone())
    };
    games.iter().map(graph).collect()
}

/// Returns every text in a picture with its bounding box: left, top, right and bottom.
fn written(svg: &str) -> Vec<(String, [f64; 4])> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    let frame = |node: roxmltree::Node<'_, '_>| {
        let get = |name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let text = node.text().unwrap().to_owned();
        let wide = |c: char| {
            if c.is_ascii() || c == '≈' || c == '…' {
                1.0
            } else {
                2.0
            }
        };
        let width = 0.6 * get("font-size") * text.chars().map(wide).sum::<f64>();
        let left = match node.attribute("text-anchor").unwrap() {
            "middle" => get("x") - width / 2.0,
            _ => get("x"),
        };
        // Measured from the baseline.
        let [top, bottom] = [
            get("y") - 0.8 * get("font-size"),
            get("y") + 0.1 * get("font-size"),
        ];
        (text, [left, top, left + width, bottom])
    };
    texts.map(frame).collect()
}

/// Checks that no two texts of a picture overlap, and that all texts lie within the picture.
fn assert_no_overlap(svg: &str, what: &str) {
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{what}");
    let document = roxmltree::Document::parse(svg).unwrap();
    let view: Vec<f64> = document
        .root_element()
        .attribute("viewBox")
        .unwrap()
        .split(' ')
        .map(|number| number.parse().unwrap())
        .collect();
    let [x, y, width, height] = view[..] else {
        panic!()
    };
    assert!(
        width < 760.0 && height < 900.0,
        "{what}: {width} by {height}"
    );
    let written = written(svg);
    for (index, (text, a)) in written.iter().enumerate() {
        let inside = a[0] >= x && a[1] >= y && a[2] <= x + width && a[3] <= y + height;
        assert!(inside, "{what}: {text} is outside");
        for (other, b) in &written[..index] {
            let apart = a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
            assert!(apart, "{what}: {text} covers {other}");
        }
    }
}

#[test]
fn labels_never_overlap() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    // Sums of games born by day 3 have walls with many bends and shared points, where labels
    // collide.
    let born = forms.born_by(3, &limits).unwrap();
    let mut random = fastrand::Rng::with_seed(17);
    let mut feet = 0;
    for round in 0..400 {
        let count = 1 + round % 5;
        let graphs: Vec<(String, Thermograph)> = (0..count)
            .map(|_| {
                let parts: Vec<Form> = (0..random.usize(1..3))
                    .map(|_| *random.choice(&born).unwrap())
                    .collect();
                let sum = forms.total(&parts, &limits).unwrap();
                let graph = forms.thermograph(sum, &limits).unwrap();
                (forms.write(sum), (*graph).clone())
            })
            .collect();
        let names: Vec<&str> = graphs.iter().map(|(name, _)| &name[..]).collect();
        let svg = thermographs(&graphs, round % 2 == 1, &english);
        assert_no_overlap(&svg, &names.join(" and "));
        if let [(_, graph)] = &graphs[..] {
            // A single thermograph always has room for its mean and temperature.
            let foot = format!("({}, {})", graph.mean(), graph.temperature());
            assert!(
                written(&svg).iter().any(|(text, _)| *text == foot),
                "{names:?}"
            );
            feet += 1;
        }
        let tikz = thermographs_tikz(&graphs, false, &english);
        assert!(tikz.contains("\\begin{tikzpicture}") && tikz.matches("\\node").count() > 5);
    }
    // A fifth of the rounds draws a single thermograph.
    assert!(feet > 50);
}

#[test]
fn large_numbers_and_small_gaps_are_drawn() {
    let mut forms = Forms::default();
    for games in [
        &["10"][..],
        &["1000000000000"],
        &["1000000000000", "-1000000000000"],
        &["+-1000000000000"],
        &["+-1000000000000", "{2|-1/2}", "*"],
        &["1/1267650600228229401496703205376"],
        &["{1/1267650600228229401496703205376|0}"],
        &["{1000000000000|999999999999}"],
        &["{1000000000000000000000000000000000000000000|999999999999}"],
        &["12345678901234567/32", "{5|-12345678901234567/32}"],
        &[
            "25/16",
            "Tiny(1000)",
            "^1000",
            "*999",
            "+-1",
            "{4|1}",
            "{4|*}",
            "0",
            "-1/2",
            "{3||2|1}",
            "v",
            "{9|-9}",
            "3",
            "4",
        ],
        &["0", "0", "0"],
        &["{2|-1/2}+{2|-1/2}+{2|-1/2}"],
    ] {
        let graphs = graphs(&mut forms, games);
        for (say, language) in [(Language::En, "en"), (Language::Zh, "zh")] {
            let svg = thermographs(&graphs, false, &|step| words(step, say));
            assert_no_overlap(&svg, &format!("{games:?} {language}"));
        }
    }
    assert!(thermographs(&[], false, &english).starts_with("<svg"));
}

fn assert_snapshot(name: &str, svg: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/values");
    let file = folder.join(format!("{name}.svg"));
    if std::env::var_os("GRUNDY_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&file, svg).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(svg == known, "{name} is out of date: bless it");
}

#[test]
fn thermographs_match_the_snapshots() {
    let mut forms = Forms::default();
    for (name, games) in [
        ("hot", &["{2|-1/2}"][..]),
        ("switch", &["+-1"]),
        ("number", &["25/16"]),
        ("integer", &["3"]),
        ("star", &["*"]),
        ("up", &["^"]),
        ("tiny", &["Tiny(2)"]),
        ("three", &["{4||2|1}", "{1|-1}", "{0|-5}"]),
        ("same-mean", &["+-1", "+-{2|1}", "+-{3||1|0}", "*"]),
        ("large", &["{1000000000000|1}"]),
        ("far-apart", &["{50|48}", "-20", "{1|-1}"]),
        ("bent", &["{7|5||4|1}"]),
    ] {
        let graphs = graphs(&mut forms, games);
        assert_snapshot(name, &thermographs(&graphs, false, &english));
        if name == "three" {
            assert_snapshot("three-dark", &thermographs(&graphs, true, &english));
            let chinese = |step: &Step| words(step, Language::Zh);
            assert_snapshot("three-zh", &thermographs(&graphs, false, &chinese));
        }
    }
}

#[test]
fn the_games_born_by_day_2_are_in_order() {
    let (mut forms, limits) = (Forms::default(), Limits::default());
    for (day, name, covers) in [(1, "day-1", 4), (2, "day-2", 0)] {
        let born = forms.born_by(day, &limits).unwrap();
        let names: Vec<String> = born.iter().map(|&form| forms.write(form)).collect();
        let below: Vec<Vec<bool>> = born
            .iter()
            .map(|&a| {
                born.iter()
                    .map(|&b| forms.at_most(a, b, &limits).unwrap())
                    .collect()
            })
            .collect();
        let at_most = |a: usize, b: usize| below[a][b];
        let title = format!("{} games born by day {day}", born.len());
        let svg = order(&title, &names, &at_most, false, &english);
        assert_no_overlap(&svg, name);
        assert_eq!(svg.matches("class=\"node").count(), born.len());
        let found = svg.matches("class=\"cover").count();
        // Day 1 has four covering pairs: 1 over 0 and *, and these over -1.
        assert!(covers == 0 || found == covers, "{found}");
        assert_snapshot(name, &svg);
        let dark = order(&title, &names, &at_most, true, &english);
        assert!(dark.contains("class=\"grundy dark\""));
    }
}
