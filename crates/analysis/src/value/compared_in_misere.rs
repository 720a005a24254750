//! `compare --misere`: whether two impartial games are equal in misère play. If they are not, a
//! game that distinguishes them.

use grundy_core::step::Step;
use grundy_core::{Diagnostic, Outcome, Position, Solver};
use grundy_misere::Forms;
use grundy_wording::answer::OptionalText;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, phrase, words};
use serde::Serialize;

use super::misere;
use super::words::indented;
use crate::job::Job;

/// Largest length of the text of the witness (a game that distinguishes two games), in characters.
/// A longer witness is not written.
const MAX_WITNESS_LENGTH: usize = 1 << 20;

/// The relation of two games in misère play.
#[derive(Clone, Debug)]
pub struct ComparedInMisere {
    /// The two games.
    pub positions: [Position; 2],
    /// A third game, whose sums with the two games have different outcomes. `None` if the two games
    /// are equal.
    pub witness: Option<Witness>,
}

/// A game whose sums with two given games have different outcomes.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The game in the notation, or no text if it is too long.
    pub game: OptionalText,
    /// The outcome of the sum of this game with the first given game, and with the second.
    pub outcomes: [Outcome; 2],
}

#[derive(Serialize)]
struct View<'a> {
    games: [String; 2],
    relation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<&'a OptionalText>,
}

impl ComparedInMisere {
    /// Returns `=` if the games are equal, and `!=` otherwise.
    pub(super) fn relation(&self) -> &'static str {
        if self.witness.is_some() { "!=" } else { "=" }
    }
}

impl Report for ComparedInMisere {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        let view = View {
            games: self.positions.each_ref().map(Position::to_string),
            relation: self.relation(),
            witness: self.witness.as_ref().map(|witness| &witness.game),
        };
        Box::new(view)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        text(self, language)
    }
}

/// Returns the relation of two games in misère play, in words.
fn text(compared: &ComparedInMisere, language: Language) -> String {
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

pub(super) fn answer(positions: [Position; 2], job: &Job) -> Result<ComparedInMisere, Diagnostic> {
    let limits = job.limits();
    let mut solver = Solver::default();
    let mut form = |position: &Position| {
        (solver.misere_form(position, &limits))
            .map_err(|stop| misere::no_misere_value_error(stop).with_source(position.to_string()))
    };
    let two = [form(&positions[0])?, form(&positions[1])?];
    let forms: &mut Forms = &mut solver.misere_values().theory.forms;
    // Two games are equal in misère play if and only if no third game distinguishes them.
    let Some(witness) = forms.distinguishing_game(two[0], two[1], &limits)? else {
        return Ok(ComparedInMisere {
            positions,
            witness: None,
        });
    };
    let game = if let Some(n) = forms.nim_heap(witness) {
        Some(format!("nim({n})"))
    } else {
        let text = forms.write(witness, MAX_WITNESS_LENGTH, &limits)?;
        text.map(|text| format!("literal(\"{text}\")"))
    };
    // The outcomes are computed by searching the sums, which also verifies the witness.
    let mut outcomes = [Outcome::N; 2];
    for (outcome, form) in outcomes.iter_mut().zip(two) {
        let is_p = forms.is_p_sum(&[form, witness], &limits)?;
        *outcome = Outcome::from_win(!is_p);
    }
    Ok(ComparedInMisere {
        positions,
        witness: Some(Witness {
            game: OptionalText(game),
            outcomes,
        }),
    })
}
