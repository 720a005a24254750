//! What is answered: data whose form in JSON is the contract's.

use std::io::{self, Write};

use grundy::Diagnostic;
use grundy_notation::Language;

use crate::analyst::Analyst;
use crate::job::Job;
use crate::question::Question;
use crate::report::{Report, written};
use crate::{
    born, convert, draw, exercises, explain, find, help, label, matrix, nimber, period, picture,
    playing, practice, probe, quotient, solve, table, temperatures, tree, value, verify,
};

/// An answer, by the command that asked.
#[derive(Debug)]
pub enum Answer {
    /// Who wins, with what value, by which moves.
    Solve(solve::Solved),
    /// The same, and why.
    Explain(explain::Explained),
    /// Values of a family.
    Table(table::Tabulated),
    /// The period of a family of heaps.
    Period(period::FoundPeriod),
    /// A certificate that holds.
    Verify(verify::Verified),
    /// The labels of everything that can be reached.
    Label(label::Labelling),
    /// What a tablebase knows.
    Probe(probe::Probed),
    /// Tablebases that are at hand.
    Tables(probe::TablesHeld),
    /// A tablebase in another form.
    Convert(convert::Converted),
    /// The solution of a matrix game.
    Matrix(matrix::SolvedMatrix),
    /// The tree of a small game.
    Tree(tree::Grown),
    /// The value of a game.
    Value(Box<value::Valued>),
    /// The same in misère play.
    ValueInMisere(Box<value::ValuedInMisere>),
    /// Positions of a game that have a value.
    Find(find::Found),
    /// How hot the positions of a game are.
    Temperatures(temperatures::Sample),
    /// All values born by a day.
    Born(born::Born),
    /// How two games stand to each other.
    Compare(value::Compared),
    /// The same in misère play.
    CompareInMisere(value::ComparedInMisere),
    /// The misère quotient of a family.
    Quotient(Box<quotient::Quotient>),
    /// The value of an expression of nimbers.
    Nimber(nimber::Computed),
    /// A picture.
    Draw(draw::Drawn),
    /// A picture of an answer, which goes to standard output in its place.
    Picture(picture::Picture),
    /// A sheet of exercises.
    Exercises(exercises::Sheet),
    /// What a game is, or all games.
    Help(help::Told),
    /// A game being played: its board, what its moves leave, the program's move, a hint, how it went.
    Played(Box<playing::Told>),
    /// A question to somebody who practises.
    Practised(Box<practice::Posed>),
}

fn told(of: impl Into<playing::Told>) -> Answer {
    Answer::Played(Box::new(of.into()))
}

impl Analyst {
    /// The answer to a question.
    ///
    /// # Complexity
    /// That of what is asked.
    ///
    /// # Errors
    /// What is wrong with the question, the limit that was reached, or a file that could not be read or written.
    pub fn answer(&self, question: &Question, job: &Job) -> Result<Answer, Diagnostic> {
        Ok(match question {
            Question::Solve(asked) => Answer::Solve(solve::answer(asked, self, job)?),
            Question::Explain(asked) => explain::answer(asked, self, job)?,
            Question::Table(asked) => table::answer(asked, self, job)?,
            Question::Period(asked) => period::answer(asked, self, job)?,
            Question::Verify(asked) => Answer::Verify(verify::answer(asked, self, job)?),
            Question::Label(asked) => Answer::Label(label::answer(asked, self, job)?),
            Question::Probe(asked) => Answer::Probe(probe::answer(asked, self, job)?),
            Question::Tables(asked) => Answer::Tables(probe::tables(asked, self, job)?),
            Question::Convert(asked) => Answer::Convert(convert::answer(asked, self, job)?),
            Question::Matrix(asked) => matrix::answer(asked, self, job)?,
            Question::Tree(asked) => tree::answer(asked, self, job)?,
            Question::Value(asked) => value::answer(asked, self, job)?,
            Question::Find(asked) => Answer::Find(find::answer(asked, job)?),
            Question::Temperatures(asked) => {
                Answer::Temperatures(temperatures::answer(asked, job)?)
            }
            Question::Born(asked) => born::answer(asked, self, job)?,
            Question::Compare(asked) => value::compare(asked, self, job)?,
            Question::Quotient(asked) => quotient::answer(asked, self, job)?,
            Question::Nimber(asked) => Answer::Nimber(nimber::answer(asked)?),
            Question::Draw(asked) => Answer::Draw(draw::answer(asked, self, job)?),
            Question::Exercises(asked) => Answer::Exercises(exercises::answer(asked, self, job)?),
            Question::Help(asked) => Answer::Help(help::answer(asked, self, job)?),
            Question::Board(asked) => told(playing::board(asked, self, job)?),
            Question::Analyse(asked) => told(playing::analyse(asked, self, job)?),
            Question::Reply(asked) => told(playing::reply(asked, self, job)?),
            Question::Hint(asked) => told(playing::hint(asked, self, job)?),
            Question::Review(asked) => told(playing::review(asked, self, job)?),
            Question::Practise(asked) => {
                Answer::Practised(Box::new(practice::answer(asked, self, job)?))
            }
        })
    }
}

impl Answer {
    fn report(&self) -> &dyn Report {
        match self {
            Self::Solve(answer) => answer,
            Self::Explain(answer) => answer,
            Self::Table(answer) => answer,
            Self::Period(answer) => answer,
            Self::Verify(answer) => answer,
            Self::Label(answer) => answer,
            Self::Probe(answer) => answer,
            Self::Tables(answer) => answer,
            Self::Convert(answer) => answer,
            Self::Matrix(answer) => answer,
            Self::Tree(answer) => answer,
            Self::Value(answer) => &**answer,
            Self::ValueInMisere(answer) => &**answer,
            Self::Find(answer) => answer,
            Self::Temperatures(answer) => answer,
            Self::Born(answer) => answer,
            Self::Compare(answer) => answer,
            Self::CompareInMisere(answer) => answer,
            Self::Quotient(answer) => &**answer,
            Self::Nimber(answer) => answer,
            Self::Draw(answer) => answer,
            Self::Picture(answer) => answer,
            Self::Exercises(answer) => answer,
            Self::Help(answer) => answer,
            Self::Played(answer) => &**answer,
            Self::Practised(answer) => &**answer,
        }
    }

    /// The contract's JSON. Sentences in it are in this language.
    #[must_use]
    pub fn json(&self, language: Language) -> String {
        written(|out| self.write_json(out, language))
    }

    /// The same for a face that shows what it reads: moves and findings, too, are in this language.
    #[must_use]
    pub fn spoken(&self, language: Language) -> String {
        written(|out| self.report().write_spoken(out, language))
    }

    /// The answer for people.
    #[must_use]
    pub fn plain(&self, language: Language) -> String {
        self.report().plain(language)
    }

    /// Whether a limit has kept something of it back.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.report().is_partial()
    }

    /// Writes the JSON, and ends the line. Long answers are written as they are made.
    ///
    /// # Errors
    /// What `out` fails with.
    pub fn write_json(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        self.report().write_json(out, language)
    }

    /// Writes the answer for people.
    ///
    /// # Errors
    /// What `out` fails with.
    pub fn write_plain(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        self.report().write_plain(out, language)
    }
}
