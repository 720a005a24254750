//! Values and comparisons for people.

use grundy::Dyadic;
use grundy::step::Step;
use grundy_forms::{Relation, Thermograph};
use grundy_notation::Language;
use grundy_notation::wording::{self, labelled, phrase, words};

use super::{Compared, Valued};

/// Everything about a value, a line each.
pub(super) fn told(valued: &Valued, language: Language) -> String {
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
        line(&mut lines, "label_stops", format!("{left}, {right}"));
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
    lines.extend(valued.stopped.as_ref().map(|stop| {
        let why = wording::told(&stop.message(), language);
        words(&Step::new("value_withheld").with("why", why), language)
    }));
    format!("{}\n{}", valued.position, indented(&lines))
}

/// Lines that stand under another one.
fn indented(lines: &[String]) -> String {
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

/// How two games stand to each other.
pub(super) fn compared(compared: &Compared, language: Language) -> String {
    let [one, other] = compared.positions.each_ref().map(ToString::to_string);
    let code = match compared.relation {
        Relation::Equal => "compare_equal",
        Relation::Less => "compare_less",
        Relation::Greater => "compare_greater",
        Relation::Confused => "compare_confused",
    };
    let mut lines = vec![phrase(code, language)];
    lines.extend(compared.moves.iter().map(|(player, to)| {
        let code = player.of(["left_wins_difference", "right_wins_difference"]);
        words(&Step::new(code).with("to", to.as_str()), language)
    }));
    format!("{one} {} {other}\n{}", compared.relation, indented(&lines))
}
