//! The questions by name.

use grundy::{Diagnostic, Kind, message};
use serde::de::DeserializeOwned;

use crate::analyst::Question;
use crate::keys::{KeyReader, missing};
use crate::question::{
    Analyse, BoardQuestion, BornQuestion, CompareQuestion, Draw, ExercisesQuestion, Explain,
    FindQuestion, HelpQuestion, Hint, LabelQuestion, MatrixQuestion, NimberQuestion, OfGame,
    PeriodQuestion, Practise, Probe, QuotientQuestion, Reply, Review, Solve, TableQuestion,
    TablesQuestion, TemperaturesQuestion, TreeQuestion, ValueQuestion, Verify,
};

/// Reads a question from the keys of an object.
pub(crate) type Reader = fn(&mut KeyReader) -> Result<Box<dyn Question>, Diagnostic>;

/// All questions that can be asked in JSON.
const QUESTIONS: [(&str, Reader); 26] = [
    ("solve", plain::<Solve>),
    ("explain", plain::<Explain>),
    ("table", plain::<TableQuestion>),
    ("period", plain::<PeriodQuestion>),
    ("quotient", plain::<QuotientQuestion>),
    ("verify", plain::<Verify>),
    ("label", plain::<LabelQuestion>),
    ("probe", plain::<Probe>),
    ("tables", plain::<TablesQuestion>),
    ("matrix", plain::<MatrixQuestion>),
    ("tree", plain::<TreeQuestion>),
    ("value", plain::<ValueQuestion>),
    ("find", plain::<FindQuestion>),
    ("temperatures", plain::<TemperaturesQuestion>),
    ("born", plain::<BornQuestion>),
    ("compare", plain::<CompareQuestion>),
    ("nimber", plain::<NimberQuestion>),
    ("draw", draw),
    ("exercises", plain::<ExercisesQuestion>),
    ("help", plain::<HelpQuestion>),
    ("board", of_game::<BoardQuestion>),
    ("analyse", of_game::<Analyse>),
    ("reply", of_game::<Reply>),
    ("hint", of_game::<Hint>),
    ("review", of_game::<Review>),
    ("practice", plain::<Practise>),
];

fn plain<Q: Question + DeserializeOwned + 'static>(
    keys: &mut KeyReader,
) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(keys.read::<Q>()?))
}

/// Reads a question about a game being played.
fn of_game<Q: Question + OfGame + DeserializeOwned + 'static>(
    keys: &mut KeyReader,
) -> Result<Box<dyn Question>, Diagnostic> {
    let played = keys.read()?;
    let mut question: Q = keys.read()?;
    *question.played() = played;
    Ok(Box::new(question))
}

/// Reads `draw`, which needs a position unless it names the games of thermographs.
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
    QUESTIONS.iter().any(|(known, _)| *known == name)
}

/// The reader of the question of this name.
///
/// # Errors
/// A name that is none.
pub(crate) fn reader(name: &str) -> Result<Reader, Diagnostic> {
    let found = QUESTIONS.iter().find(|(known, _)| *known == name);
    found.map(|(_, reader)| *reader).ok_or_else(|| {
        let command: String = name.chars().take(60).collect();
        let message = message!("no question goes by the name `{command}`", command);
        let known = QUESTIONS.map(|(known, _)| known).join(", ");
        Diagnostic::new(Kind::UnknownName, message).help(message!("these do: {known}", known))
    })
}
