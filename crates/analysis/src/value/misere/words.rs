//! Values in misère play, in words.

use grundy_core::Outcome;
use grundy_misere::Class;
use grundy_wording::answer::OptionalText;
use grundy_wording::{Audience, labelled, phrase, words};

use super::ValuedInMisere;
use crate::value::words::{indented, limit_sentence};

/// Returns all facts about a value in misère play, one a line.
pub(super) fn text(valued: &ValuedInMisere, audience: Audience) -> String {
    let language = audience.language;
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
    let written = |form: &Option<OptionalText>| form.as_ref()?.0.clone();
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
    lines.extend(limit_sentence(valued.stopped.as_ref(), audience));
    format!("{}\n{}", valued.position, indented(&lines))
}
