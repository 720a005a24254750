//! Values for people.

use grundy::step::Step;
use grundy::{Dyadic, Stop};
use grundy_forms::Thermograph;
use grundy_wording::{Audience, labelled, phrase, words};

use super::Valued;

/// Everything about a value, a line each.
pub(super) fn told(valued: &Valued, audience: Audience) -> String {
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
    let class = facts.class.map(|class| {
        class.of([
            "class_l",
            "class_r",
            "class_n",
            "class_p",
            "class_ld",
            "class_rd",
            "class_dl",
            "class_dr",
            "outcome_d",
        ])
    });
    lines.extend(class.map(|class| phrase(class, language)));
    if let Some(heat) = &facts.heat {
        let [left, right] = heat.stops.each_ref().map(Dyadic::to_string);
        let stops = Step::new("two_stops")
            .with("left", left)
            .with("right", right);
        line(&mut lines, "label_stops", words(&stops, language));
        let (mean, temperature) = (heat.thermograph.mean(), heat.thermograph.temperature());
        line(&mut lines, "label_mean", mean.to_string());
        line(&mut lines, "label_temperature", temperature.to_string());
        line(&mut lines, "label_thermograph", walls(&heat.thermograph));
        if let Some(number) = heat.number_part() {
            line(&mut lines, "label_number_part", number.to_string());
        }
    }
    if let Some(known) = &facts.known {
        if let Some(weight) = &known.atomic_weight {
            line(&mut lines, "label_atomic_weight", weight.clone());
        }
        if let Some(uptimal) = &known.uptimal {
            line(&mut lines, "label_uptimal", uptimal.clone());
        }
        line(&mut lines, "label_reduced", known.reduced.clone());
        line(&mut lines, "label_birthday", known.birthday.clone());
        let [left, right] = known.incentives.each_ref().map(|side| match &side[..] {
            [] => phrase("no_incentive", language),
            side => side.join(", "),
        });
        line(&mut lines, "label_incentives", format!("{left} | {right}"));
    }
    lines.extend(withheld(valued.stopped.as_ref(), audience));
    format!("{}\n{}", valued.position, indented(&lines))
}

/// Says why there is no more to tell.
pub(super) fn withheld(stop: Option<&Stop>, audience: Audience) -> Option<String> {
    let why = grundy_wording::told(&stop?.message(), audience);
    Some(words(
        &Step::new("value_withheld").with("why", why),
        audience.language,
    ))
}

/// Indents lines that belong to the line above them.
pub(super) fn indented(lines: &[String]) -> String {
    lines.iter().flat_map(|line| ["  ", line, "\n"]).collect()
}

/// Walls as points (t, value).
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
