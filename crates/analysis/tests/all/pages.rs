//! The pages of `explain --html` for the example of each constructor, in both languages.

use grundy_analysis::question::Explain;
use grundy_analysis::{Analyst, Answer, Job};
use grundy_core::registry::CONSTRUCTORS;
use grundy_wording::Language;
use roxmltree::Document;
use serde_json::Value;

fn explain(source: &str, language: Language, html: bool) -> Answer {
    let asked = Explain {
        source: source.into(),
        html: html.then(|| "-".into()),
        ..Explain::default()
    };
    let analyst = Analyst::default().with_audience(language);
    let answer = analyst.answer(&asked, &Job::default());
    answer.unwrap_or_else(|error| panic!("{source}: {error}"))
}

#[test]
fn every_page_is_well_formed_and_has_every_step() {
    for game in CONSTRUCTORS {
        for language in [Language::En, Language::Zh] {
            let explained = explain(game.example, language, false).json(language);
            let explained: Value = serde_json::from_str(&explained).unwrap();
            let steps = explained["steps"].as_array().unwrap();
            assert!(steps.len() > 1, "{}", game.name);
            let page = explain(game.example, language, true).plain(language);
            let body = page.strip_prefix("<!DOCTYPE html>\n").unwrap();
            // XML is stricter than HTML: an unclosed element or an unescaped character fails here.
            let parsed =
                Document::parse(body).unwrap_or_else(|error| panic!("{}: {error}", game.name));
            let said: String = parsed
                .descendants()
                .filter_map(|node| node.text())
                .collect();
            for step in &steps[1..] {
                let sentence = step["text"].as_str().unwrap();
                assert!(said.contains(sentence.trim()), "{}: {sentence}", game.name);
            }
            for node in parsed.descendants() {
                // A page must not load or run anything, since it is meant for printing and sharing.
                assert_ne!(node.tag_name().name(), "script");
                for attribute in node.attributes() {
                    let name = attribute.name();
                    assert!(
                        !name.starts_with("on") && !matches!(name, "href" | "src"),
                        "{name}"
                    );
                    // Pictures are drawn for a light background. The style sheet must replace each
                    // of their colours on a dark one.
                    let (colour, text) = (attribute.value(), page.as_str());
                    if matches!(name, "fill" | "stroke") && colour.starts_with('#') {
                        let rule = format!("figure [{name}=\"{colour}\"] {{");
                        assert!(text.contains(&rule), "{}: {rule}", game.name);
                    }
                }
            }
            assert!(
                parsed
                    .descendants()
                    .any(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "svg")))
            );
        }
    }
}

#[test]
fn vertex_names_are_escaped() {
    // The names of vertices are arbitrary, so they must be escaped in the text and in the pictures.
    let page = explain(
        "graph({\"<b>\": [\"&c\"], \"&c\": []}, \"<b>\")",
        Language::En,
        true,
    );
    let page = page.plain(Language::En);
    assert!(!page.contains("<b>") && page.contains("&lt;b&gt;"));
}
