//! Programs in C++ and Python that compute what a table or a search for a period has found.
//!
//! Each program reads positions from standard input, one on each line, and prints a line for each.
//! If the positions have Grundy values, this is the letter N or P and the value. For a family with
//! one variable, a line of input then holds the variables of any number of positions, whose sum is
//! evaluated. If only the outcomes are known, a line of output is the outcome.
//!
//! The parts of the programs are the files in the folder `program`.

mod template;

use std::io::{self, Write};

use grundy_core::Play;
use grundy_core::solve::Status;
use grundy_period::Repetition;
use grundy_wording::Audience;
use grundy_wording::report::{AnySerialize, Report, Words};
use serde::{Deserialize, Serialize};

use self::template::{by_facts, by_rules};

/// A programming language of a generated program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum CodeLanguage {
    /// C++17
    Cpp,
    /// Python 3
    Python,
}

/// The quantity that a program computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Grundy values in normal play.
    Values,
    /// The outcomes N, P and D of an impartial game.
    Outcomes(Play),
    /// Outcome classes.
    Classes(Play),
    /// The result for the player to move: a win, a tie or a loss.
    Results(Play),
}

impl Content {
    /// Returns the first line of the comment at the beginning of a program.
    fn title(self, family: &str) -> String {
        match self {
            Self::Values => format!("Grundy values of {family}"),
            Self::Outcomes(play) | Self::Classes(play) | Self::Results(play) => match play {
                Play::Normal => format!("Outcomes of {family}"),
                Play::Misere => format!("Outcomes of {family} in misère play"),
            },
        }
    }

    /// Returns the last line of the comment at the beginning of a program. It describes the output.
    fn output(self) -> &'static str {
        match self {
            Self::Values => {
                "Each line of the output holds N (the next player wins) or P, and the Grundy value."
            }
            Self::Outcomes(_) => {
                "Each line of the output holds N (the next player wins), P, or D (a draw)."
            }
            Self::Classes(_) => "Each line of the output holds the outcome class.",
            Self::Results(_) => {
                "Each line of the output holds win, tie or lose, for the player to move."
            }
        }
    }

    /// Returns whether the program computes the value of a sum from the values of its parts.
    fn has_sums(self) -> bool {
        self == Self::Values
    }
}

/// The value or the outcome of a position, as its text. It is `None` if there is no such position.
pub(crate) type Cell = Option<String>;

/// The facts that a program is written from.
#[derive(Clone, Debug)]
pub(crate) enum Facts {
    /// Cells with a period. The list contains the cells from `first` to the end of a period.
    Period {
        first: u64,
        cells: Vec<Cell>,
        repetition: Repetition,
        is_proved: bool,
    },
    /// All cells of a table with one variable, from `first`. If there is a repetition, its period
    /// ends beyond the table.
    Row {
        first: u64,
        cells: Vec<Cell>,
        repetition: Option<Repetition>,
    },
    /// All cells of a table with two variables, by rows.
    Grid {
        first: [u64; 2],
        cells: Vec<Vec<Cell>>,
    },
}

impl Facts {
    /// Returns whether the facts are a proved period, which answers for all positions.
    pub(crate) fn is_proved(&self) -> bool {
        matches!(
            self,
            Self::Period {
                is_proved: true,
                ..
            }
        )
    }

    fn status(&self) -> &'static str {
        match self {
            Self::Period {
                is_proved: true, ..
            } => Status::Proved.name(),
            Self::Period { .. } => "observed",
            _ => Status::Exact.name(),
        }
    }
}

/// The rules from which a Python program computes values or outcomes.
#[derive(Clone, Debug)]
pub(crate) struct OwnRules {
    /// The text of the rule file.
    pub(crate) source: String,
    /// The name of the function that returns the moves.
    pub(crate) function: String,
    /// The variables.
    pub(crate) variables: Vec<String>,
    /// The position, as an expression of the variables.
    pub(crate) position: String,
    /// The first positions of the table: the values of the variables, and the cell.
    pub(crate) known: Vec<(Vec<u64>, String)>,
}

/// A program, as an answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Program {
    family: String,
    #[serde(rename = "program")]
    text: String,
    status: &'static str,
}

impl Program {
    /// Writes a program from known cells. The comment at its beginning names the family, how far
    /// the cells are known, and the patterns `found` in them.
    pub(crate) fn new(
        family: &str,
        content: Content,
        facts: &Facts,
        found: &[String],
        language: CodeLanguage,
    ) -> Self {
        let comment = comment(family, content, facts, found);
        Self {
            family: family.to_owned(),
            text: by_facts(&comment, content, facts, language),
            status: facts.status(),
        }
    }

    /// Writes a Python program that computes values or outcomes by the rules. Returns `None` if
    /// Python lacks something that the rules use, or the rules do not determine what is asked for.
    pub(crate) fn of_rules(
        family: &str,
        content: Content,
        rules: &OwnRules,
        found: &[String],
    ) -> Option<Self> {
        let input = if content.has_sums() && rules.variables.len() == 1 {
            "Each line of the input holds the variables of one sum of positions."
        } else {
            "Each line of the input holds the variables of one position."
        };
        let how = match content {
            Content::Values => "The values are computed by the rules.",
            _ => "The outcomes are computed by the rules.",
        };
        let title = content.title(family);
        let mut comment = vec![title, how.to_owned()];
        comment.extend_from_slice(found);
        comment.extend([input, content.output()].map(str::to_owned));
        Some(Self {
            family: family.to_owned(),
            text: by_rules(&comment, content, rules)?,
            status: Status::Exact.name(),
        })
    }
}

impl Report for Program {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self)
    }

    fn plain(&self, _: Audience) -> String {
        self.text.clone()
    }

    fn write_plain(&self, out: &mut dyn Write, _: Audience) -> io::Result<()> {
        out.write_all(self.text.as_bytes())
    }

    fn is_data(&self) -> bool {
        true
    }
}

/// Returns the lines of the comment at the beginning of a program.
fn comment(family: &str, content: Content, facts: &Facts, found: &[String]) -> Vec<String> {
    let mut lines = vec![content.title(family)];
    let what = match content {
        Content::Values => "Values",
        _ => "Outcomes",
    };
    match facts {
        Facts::Period {
            first,
            repetition,
            is_proved,
            ..
        } => {
            lines.push(equation(content, *repetition));
            let known = if *is_proved {
                "This period is proved."
            } else {
                "This period was observed, not proved."
            };
            lines.push(known.to_owned());
            if *first > 0 {
                lines.push(format!("{what} are known for n >= {first}."));
            }
        }
        Facts::Row {
            first,
            cells,
            repetition,
        } => {
            let last = first + (cells.len() as u64).saturating_sub(1);
            let known = format!("{what} are known for {first} <= n <= {last}.");
            match repetition {
                None => lines.push(format!("No period is proved. {known}")),
                Some(repetition) => {
                    lines.push(equation(content, *repetition));
                    lines.push(format!("The list ends before the period does. {known}"));
                }
            }
        }
        Facts::Grid { first, cells } => {
            let [rows, columns] = [cells.len(), cells.first().map_or(0, Vec::len)];
            lines.push(format!(
                "{what} are known for {} rows from {} and {} columns from {}.",
                rows, first[0], columns, first[1]
            ));
        }
    }
    lines.extend_from_slice(found);
    let input = match facts {
        Facts::Grid { .. } => "Each line of the input holds the row and the column of a position.",
        _ if content.has_sums() => {
            "Each line of the input holds the numbers n of one sum of positions."
        }
        _ => "Each line of the input holds one number n.",
    };
    lines.extend([input, content.output()].map(str::to_owned));
    lines
}

/// Returns the equation of a repetition.
fn equation(content: Content, repetition: Repetition) -> String {
    let Repetition {
        preperiod,
        period,
        saltus,
    } = repetition;
    let plus = match saltus {
        0 => String::new(),
        saltus => format!(" + {saltus}"),
    };
    match content {
        Content::Values => format!("g(n + {period}) = g(n){plus} for n >= {preperiod}"),
        _ => format!("n + {period} has the outcome of n, for n >= {preperiod}"),
    }
}
