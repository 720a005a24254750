//! The list of all questions, by name.

#[cfg(test)]
mod typescript;

use grundy_core::{Diagnostic, Kind, message};
use serde::de::DeserializeOwned;

use crate::analyst::Question;
use crate::keys::{KeyReader, missing};
use crate::question::{
    Analyse, BoardQuestion, BornQuestion, CompareQuestion, Draw, ExercisesQuestion, Explain,
    FindQuestion, HelpQuestion, Hint, LabelQuestion, MatrixQuestion, NimberQuestion, OfGame,
    PeriodQuestion, Practise, Probe, QuotientQuestion, Reply, Review, Solve, TableQuestion,
    TablesQuestion, TemperaturesQuestion, TreeQuestion, ValueQuestion, Verify,
};

/// A function that reads a question from the keys of an object.
pub(crate) type Reader = fn(&mut KeyReader) -> Result<Box<dyn Question>, Diagnostic>;

/// A question that a JSON request can ask: its name, and the function that reads it.
struct Entry {
    name: &'static str,
    read: Reader,
    #[cfg(test)]
    keys: fn() -> typescript::Keys,
}

impl Entry {
    const fn plain<Q: Question + DeserializeOwned + 'static>(name: &'static str) -> Self {
        Self {
            name,
            read: plain::<Q>,
            #[cfg(test)]
            keys: typescript::keys::<Q>,
        }
    }

    const fn of_game<Q: Question + OfGame + DeserializeOwned + 'static>(
        name: &'static str,
    ) -> Self {
        Self {
            name,
            read: of_game::<Q>,
            #[cfg(test)]
            keys: typescript::keys_of_game::<Q>,
        }
    }
}

/// All questions that a JSON request can ask.
const QUESTIONS: [Entry; 26] = [
    Entry::plain::<Solve>("solve"),
    Entry::plain::<Explain>("explain"),
    Entry::plain::<TableQuestion>("table"),
    Entry::plain::<PeriodQuestion>("period"),
    Entry::plain::<QuotientQuestion>("quotient"),
    Entry::plain::<Verify>("verify"),
    Entry::plain::<LabelQuestion>("label"),
    Entry::plain::<Probe>("probe"),
    Entry::plain::<TablesQuestion>("tables"),
    Entry::plain::<MatrixQuestion>("matrix"),
    Entry::plain::<TreeQuestion>("tree"),
    Entry::plain::<ValueQuestion>("value"),
    Entry::plain::<FindQuestion>("find"),
    Entry::plain::<TemperaturesQuestion>("temperatures"),
    Entry::plain::<BornQuestion>("born"),
    Entry::plain::<CompareQuestion>("compare"),
    Entry::plain::<NimberQuestion>("nimber"),
    // The position of `draw` is required in some cases only, which a derived deserializer cannot
    // express.
    Entry {
        read: draw,
        ..Entry::plain::<Draw>("draw")
    },
    Entry::plain::<ExercisesQuestion>("exercises"),
    Entry::plain::<HelpQuestion>("help"),
    Entry::of_game::<BoardQuestion>("board"),
    Entry::of_game::<Analyse>("analyse"),
    Entry::of_game::<Reply>("reply"),
    Entry::of_game::<Hint>("hint"),
    Entry::of_game::<Review>("review"),
    Entry::plain::<Practise>("practice"),
];

fn plain<Q: Question + DeserializeOwned + 'static>(
    keys: &mut KeyReader,
) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(keys.read::<Q>()?))
}

/// Reads a question about a game in progress from an object.
fn of_game<Q: Question + OfGame + DeserializeOwned + 'static>(
    keys: &mut KeyReader,
) -> Result<Box<dyn Question>, Diagnostic> {
    // The game is read first. Hence a missing position is reported before a wrong key of the
    // question.
    let played = keys.read()?;
    let mut question: Q = keys.read()?;
    *question.played() = played;
    Ok(Box::new(question))
}

/// Reads the question `draw`. The position is required unless thermographs are requested.
fn draw(keys: &mut KeyReader) -> Result<Box<dyn Question>, Diagnostic> {
    let question: Draw = keys.read()?;
    if question.thermographs.is_empty() && question.source.expression.is_none() {
        return Err(missing("game"));
    }
    Ok(Box::new(question))
}

/// Returns whether a question has this name.
#[must_use]
pub fn is_known(name: &str) -> bool {
    QUESTIONS.iter().any(|known| known.name == name)
}

/// Returns the function that reads the question with this name.
///
/// # Errors
/// An unknown name.
pub(crate) fn reader(name: &str) -> Result<Reader, Diagnostic> {
    let found = QUESTIONS.iter().find(|known| known.name == name);
    found.map(|known| known.read).ok_or_else(|| {
        let command: String = name.chars().take(60).collect();
        let message = message!("unknown question `{command}`", command);
        let known = QUESTIONS.map(|known| known.name).join(", ");
        Diagnostic::new(Kind::UnknownName, message)
            .help(message!("known questions: {known}", known))
    })
}
