//! Values and comparisons for people.

use grundy::step::Step;
use grundy::{Dyadic, Outcome, Stop};
use grundy_forms::{Relation, Thermograph};
use grundy_misere::Class;
use grundy_notation::Language;
use grundy_notation::answer::Written;
use grundy_notation::wording::{self, labelled, phrase, words};

use super::compared_in_misere::ComparedInMisere;
use super::misere::ValuedInMisere;
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
    lines.extend(withheld(valued.stopped.as_ref(), language));
    format!("{}\n{}", valued.position, indented(&lines))
}

/// Why there is no more to tell.
fn withheld(stop: Option<&Stop>, language: Language) -> Option<String> {
    let why = wording::told(&stop?.message(), language);
    Some(words(
        &Step::new("value_withheld").with("why", why),
        language,
    ))
}

/// Everything about a value in misère play, a line each.
pub(super) fn told_in_misere(valued: &ValuedInMisere, language: Language) -> String {
    let facts = &valued.facts;
    let outcome = facts.outcome.map(|outcome| match outcome {
        Outcome::N => "outcome_n",
        Outcome::P => "outcome_p",
        Outcome::D => "outcome_d",
    });
    let mut lines: Vec<String> = outcome
        .map(|code| phrase(code, language))
        .into_iter()
        .collect();
    let written = |form: &Option<Written>| form.as_ref()?.0.clone();
    let class = facts.class.map(|class| {
        let code = match class {
            Class::NimHeap => "class_nim_heap",
            Class::Tame => "class_tame",
            Class::ReversiblyTame => "class_reversibly_tame",
            Class::Restive => "class_restive",
            Class::Restless => "class_restless",
            Class::Wild => "class_wild",
        };
        phrase(code, language)
    });
    let sums = facts.partitions.iter().flatten();
    let sums: Vec<String> = sums.map(|pair| pair.join(" + ")).collect();
    let parts = match facts.prime {
        Some(true) => Some(phrase("misere_prime", language)),
        _ => Some(sums.join("; ")).filter(|sums| !sums.is_empty()),
    };
    for (code, text) in [
        ("label_genus", facts.genus.clone()),
        ("label_class", class),
        ("label_misere_form", written(&facts.form)),
        ("label_birthday", facts.birthday.map(|day| day.to_string())),
        ("label_mate", written(&facts.mate)),
        ("label_parts", parts),
    ] {
        let line = |text| labelled(&phrase(code, language), text, language);
        lines.extend(text.map(line));
    }
    lines.extend(valued.remarks().map(|remark| words(&remark, language)));
    lines.extend(withheld(valued.stopped.as_ref(), language));
    format!("{}\n{}", valued.position, indented(&lines))
}

/// Whether two games are equal in misère play.
pub(super) fn compared_in_misere(compared: &ComparedInMisere, language: Language) -> String {
    let [one, other] = compared.positions.each_ref().map(ToString::to_string);
    let line = match &compared.witness {
        None => phrase("misere_equal", language),
        Some(witness) => {
            let game = witness.game.0.clone();
            let game = game.unwrap_or_else(|| phrase("misere_witness_long", language));
            let [first, second] = witness.outcomes.map(|outcome| outcome.to_string());
            let step = Step::new("misere_told_apart").with("game", game);
            words(&step.with("first", first).with("second", second), language)
        }
    };
    format!(
        "{one} {} {other}\n{}",
        compared.relation(),
        indented(&[line])
    )
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
