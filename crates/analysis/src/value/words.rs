//! The facts about the value of a game (stops, mean, temperature and so on) as lines of text.

use grundy_core::message::Setting;
use grundy_core::step::Step;
use grundy_core::{Dyadic, Stop, Verdict};
use grundy_forms::Thermograph;
use grundy_wording::answer::verdict_code;
use grundy_wording::{Audience, labelled, option, phrase, words};

use super::Valued;
use crate::question::Quantity;

/// Returns all facts about a value, one a line.
pub(super) fn text(valued: &Valued, audience: Audience) -> String {
    let language = audience.language;
    let mut lines = Vec::new();
    let line = |lines: &mut Vec<String>, code: &'static str, text: String| {
        lines.push(labelled(&phrase(code, language), text, language));
    };
    let facts = &*valued.facts;
    if let Some(value) = &facts.value {
        line(&mut lines, "label_number", value.clone());
    }
    if let Some(latex) = &facts.latex {
        line(&mut lines, "label_latex", latex.clone());
    }
    let class = facts.class.map(|class| verdict_code(Verdict::Class(class)));
    lines.extend(class.map(|class| phrase(class, language)));
    let wants = |quantity| valued.request.wants(quantity);
    if let Some(heat) = &facts.heat {
        if wants(Quantity::Stops) {
            let [left, right] = heat.stops.each_ref().map(Dyadic::to_string);
            let stops = Step::new("two_stops")
                .with("left", left)
                .with("right", right);
            line(&mut lines, "label_stops", words(&stops, language));
        }
        if wants(Quantity::Mean) {
            line(&mut lines, "label_mean", heat.mean.to_string());
        }
        if wants(Quantity::Temperature) {
            line(
                &mut lines,
                "label_temperature",
                heat.temperature.to_string(),
            );
        }
        if let Some(thermograph) = facts.walls(&valued.request) {
            line(&mut lines, "label_thermograph", walls(thermograph));
        }
        if let Some(number) = heat.number_part()
            && wants(Quantity::NumberPart)
        {
            line(&mut lines, "label_number_part", number.to_string());
        }
    }
    let known = [
        (
            "label_atomic_weight",
            facts.atomic_weight.as_ref().and_then(Option::as_ref),
        ),
        ("label_uptimal", facts.uptimal.as_ref()),
        ("label_reduced", facts.reduced.as_ref()),
        ("label_birthday", facts.birthday.as_ref()),
    ];
    for (code, text) in known {
        if let Some(text) = text {
            line(&mut lines, code, text.clone());
        }
    }
    if let Some(incentives) = &facts.incentives {
        let [left, right] = incentives.each_ref().map(|side| match &side[..] {
            [] => phrase("no_incentive", language),
            side => side.join(", "),
        });
        line(&mut lines, "label_incentives", format!("{left} | {right}"));
    }
    if !facts.left_out.is_empty() {
        let names: Vec<&str> = facts
            .left_out
            .iter()
            .map(|quantity| quantity.name())
            .collect();
        let left_out = Step::new("value_left_out")
            .with("names", names.join(", "))
            .with("option", option(&Setting::new("of"), audience));
        line(&mut lines, "label_left_out", words(&left_out, language));
    }
    lines.extend(limit_sentence(valued.stopped.as_ref(), audience));
    format!("{}\n{}", valued.position, indented(&lines))
}

/// Returns a sentence about the limit that stopped the computation, if some facts are missing.
pub(super) fn limit_sentence(stop: Option<&Stop>, audience: Audience) -> Option<String> {
    let why = grundy_wording::message_text(&stop?.message(), audience);
    Some(words(
        &Step::new("value_withheld").with("why", why),
        audience.language,
    ))
}

/// Returns the lines with an indentation, which shows that they belong to the line before them.
pub(super) fn indented(lines: &[String]) -> String {
    lines.iter().flat_map(|line| ["  ", line, "\n"]).collect()
}

/// Returns the left wall and the right wall of a thermograph as text. Each wall is a list of points
/// (t, value), where t is the temperature.
fn walls(thermograph: &Thermograph) -> String {
    let [left, right] = thermograph.walls().map(|wall| {
        let points: Vec<String> = wall
            .iter()
            .map(|(t, value)| format!("({t}, {value})"))
            .collect();
        points.join(" ")
    });
    format!("{left} / {right}")
}
