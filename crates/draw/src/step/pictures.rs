//! Computes the pictures of steps from the arguments of the steps.

use grundy_core::Outcome;
use grundy_core::step::{Datum, Step};

use super::{BinaryColumns, Residue, Stage, StepPicture};

/// Largest count of numbers that are written below each other in binary columns.
const NUMBERS: usize = 24;
/// Largest number of squares, of coins, or of steps of a staircase, in a picture.
const SQUARES: u64 = 40;
/// Largest number of positions in a picture of a cycle.
const CYCLE: usize = 16;

/// Returns the picture of each step, or `None` for a step without a picture. A picture may use data
/// from earlier steps of the list.
///
/// ```
/// use grundy_core::step::Step;
/// use grundy_draw::step::{StepPicture, pictures};
/// let mex = Step::new("mex").with("values", vec![0u64, 1]).with("missing", 2u64);
/// let drawn = pictures(&[mex, Step::new("searched")]);
/// assert!(matches!(drawn[..], [Some(StepPicture::Mex { missing: 2, .. }), None]));
/// ```
#[must_use]
pub fn pictures(steps: &[Step]) -> Vec<Option<StepPicture>> {
    let mut reader = PictureReader::default();
    steps.iter().map(|step| reader.picture(step)).collect()
}

/// The data of earlier steps to which later steps refer.
#[derive(Default)]
struct PictureReader {
    /// The numbers whose nim-sum was the subject of the most recent step about a nim-sum.
    numbers: Vec<u64>,
    stages: Vec<Stage>,
}

impl PictureReader {
    fn picture(&mut self, step: &Step) -> Option<StepPicture> {
        let arguments = Arguments(step);
        match step.code {
            "nim_columns" | "nimber_sum" => {
                self.numbers = arguments.numbers("heaps")?;
                self.columns(None, None)
            }
            "odd_column" | "odd_column_heaps" => self.columns(None, arguments.number("column")),
            "reason_heap" | "reason_sum" | "reason_raised" => {
                let from = arguments.number("from")?;
                // Such a step changes a number of an earlier nim-sum. It has no picture if that
                // nim-sum is unknown.
                let index = self.numbers.iter().position(|&number| number == from)?;
                self.columns(Some((index, arguments.number("value")?)), None)
            }
            "moore_n" | "moore_p" => moore(&arguments),
            "mex" | "mex_of" => Some(StepPicture::Mex {
                values: arguments.numbers("values")?,
                missing: arguments.number("missing")?,
            }),
            "residue" | "residue_saltus" => Some(StepPicture::Residue(Residue {
                size: arguments.number("size")?,
                preperiod: arguments.number("preperiod")?,
                period: arguments.number("period").filter(|&period| period > 0)?,
                saltus: arguments.number("saltus").unwrap_or(0),
                value: arguments.number("value")?,
                values: Vec::new(),
            })),
            "quotients" => arguments
                .numbers("quotients")
                .filter(|q| !q.is_empty())
                .map(StepPicture::Squares),
            "zeckendorf_n" | "zeckendorf_p" => Some(StepPicture::Zeckendorf {
                parts: arguments.numbers("parts")?,
                most: arguments.number("most")?,
            }),
            "odd_steps" => {
                let coins = arguments.component_integers()?;
                (coins.len() as u64 <= SQUARES).then_some(StepPicture::Staircase(coins))
            }
            "gaps_in_pairs" | "gaps_with_a_coin_alone" => {
                let coins = arguments.component_integers()?;
                let near = coins.iter().all(|&coin| coin < SQUARES);
                near.then_some(StepPicture::Pairs(coins))
            }
            "row_gaps" => rows(&arguments),
            "heads_turtles" | "heads_mock" | "heads_ruler" | "heads_twins" => {
                let heads = arguments.numbers("heads")?;
                let near = heads.iter().all(|&head| head <= SQUARES);
                let values = arguments.numbers("values")?;
                near.then_some(StepPicture::Heads { heads, values })
            }
            "stage_end_p" | "stage_p" => self.stage(&arguments, Outcome::P),
            "stage_end_n" | "stage_n" => self.stage(&arguments, Outcome::N),
            "stage_all_p" => set(&arguments, Outcome::P),
            "stage_all_n" => set(&arguments, Outcome::N),
            "stage_all_d" => set(&arguments, Outcome::D),
            "not_progressively_bounded" => {
                let mut names = arguments.texts("cycle")?;
                // In the argument, the last name of a cycle repeats the first name.
                names.pop();
                let drawn = (1..=CYCLE).contains(&names.len());
                drawn.then_some(StepPicture::Cycle(names))
            }
            _ => None,
        }
    }

    fn columns(&self, changed: Option<(usize, u64)>, column: Option<u64>) -> Option<StepPicture> {
        let drawn = (1..=NUMBERS).contains(&self.numbers.len());
        drawn.then(|| {
            StepPicture::Columns(BinaryColumns {
                numbers: self.numbers.clone(),
                modulus: 2,
                changed,
                column,
            })
        })
    }

    fn stage(&mut self, arguments: &Arguments<'_>, outcome: Outcome) -> Option<StepPicture> {
        self.stages.push(Stage {
            index: arguments.number("index"),
            outcome,
            names: arguments.texts("vertices")?,
            count: arguments.number("count")?,
        });
        Some(StepPicture::Stages(self.stages.clone()))
    }
}

/// Returns the picture of the set of all positions with one outcome.
fn set(arguments: &Arguments<'_>, outcome: Outcome) -> Option<StepPicture> {
    Some(StepPicture::Stages(vec![Stage {
        index: None,
        outcome,
        names: arguments.texts("vertices")?,
        count: arguments.number("count")?,
    }]))
}

fn moore(arguments: &Arguments<'_>) -> Option<StepPicture> {
    let rows = arguments.texts("binary")?;
    let numbers = rows.iter().map(|row| u64::from_str_radix(row, 2));
    let numbers: Vec<u64> = numbers.collect::<Result<_, _>>().ok()?;
    let drawn = (1..=NUMBERS).contains(&numbers.len());
    let modulus = arguments.number("modulus")?;
    drawn.then_some(StepPicture::Columns(BinaryColumns {
        numbers,
        modulus,
        ..BinaryColumns::default()
    }))
}

/// Returns a picture of the rows of Northcott's game. The rows are read from the notation of the
/// component.
fn rows(arguments: &Arguments<'_>) -> Option<StepPicture> {
    let numbers = arguments.component_integers()?;
    let (&width, places) = numbers.split_first()?;
    let rows: Vec<[u64; 2]> = places.chunks_exact(2).map(|row| [row[0], row[1]]).collect();
    let drawn = width <= SQUARES && rows.len() as u64 <= SQUARES;
    drawn.then_some(StepPicture::Rows { width, rows })
}

/// A step, with methods that read its arguments by name.
struct Arguments<'a>(&'a Step);

impl Arguments<'_> {
    fn get(&self, name: &str) -> Option<&Datum> {
        let found = self.0.args.iter().find(|(known, _)| *known == name)?;
        Some(&found.1)
    }

    fn number(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Datum::Int(n) => Some(*n),
            _ => None,
        }
    }

    fn numbers(&self, name: &str) -> Option<Vec<u64>> {
        let Datum::List(items) = self.get(name)? else {
            return None;
        };
        let numbers = items.iter().map(|item| match item {
            Datum::Int(n) => Some(*n),
            _ => None,
        });
        numbers.collect()
    }

    fn texts(&self, name: &str) -> Option<Vec<String>> {
        let Datum::List(items) = self.get(name)? else {
            return None;
        };
        let texts = items.iter().map(|item| match item {
            Datum::Text(text) => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns all integers in the notation of the component to which the step refers.
    fn component_integers(&self) -> Option<Vec<u64>> {
        let Datum::Text(text) = self.get("part")? else {
            return None;
        };
        let inner = text.split_once('(')?.1;
        let digits = inner.split(|c: char| !c.is_ascii_digit());
        let numbers = digits.filter(|digits| !digits.is_empty());
        numbers.map(|digits| digits.parse().ok()).collect()
    }
}
