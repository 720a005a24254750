//! The pictures of steps, read off their arguments.

use grundy::Outcome;
use grundy::step::{Datum, Step};

use super::{BinaryColumns, Residue, Stage, StepPicture};

/// Most numbers that are written under one another.
const NUMBERS: usize = 24;
/// Most squares, coins or steps of a strip.
const SQUARES: u64 = 40;
/// Most positions of a way round.
const RING: usize = 16;

/// A picture for each step that has one.
///
/// ```
/// use grundy::step::Step;
/// use grundy_draw::step::{StepPicture, pictures};
/// let mex = Step::new("mex").with("values", vec![0u64, 1]).with("missing", 2u64);
/// let drawn = pictures(&[mex, Step::new("searched")]);
/// assert!(matches!(drawn[..], [Some(StepPicture::Mex { missing: 2, .. }), None]));
/// ```
#[must_use]
pub fn pictures(steps: &[Step]) -> Vec<Option<StepPicture>> {
    let mut teller = Teller::default();
    steps.iter().map(|step| teller.picture(step)).collect()
}

/// What the steps so far have told.
#[derive(Default)]
struct Teller {
    /// The numbers whose nim-sum was taken.
    numbers: Vec<u64>,
    stages: Vec<Stage>,
}

impl Teller {
    fn picture(&mut self, step: &Step) -> Option<StepPicture> {
        let told = Told(step);
        match step.code {
            "nim_columns" | "nimber_sum" => {
                self.numbers = told.numbers("heaps")?;
                self.columns(None, None)
            }
            "odd_column" => self.columns(None, told.number("column")),
            "reason_sum" | "reason_raised" => {
                let from = told.number("from")?;
                let index = self.numbers.iter().position(|&number| number == from)?;
                self.columns(Some((index, told.number("value")?)), None)
            }
            "moore_n" | "moore_p" => moore(&told),
            "mex" | "mex_of" => Some(StepPicture::Mex {
                values: told.numbers("values")?,
                missing: told.number("missing")?,
            }),
            "residue" | "residue_saltus" => Some(StepPicture::Residue(Residue {
                size: told.number("size")?,
                preperiod: told.number("preperiod")?,
                period: told.number("period").filter(|&period| period > 0)?,
                saltus: told.number("saltus").unwrap_or(0),
                value: told.number("value")?,
                values: Vec::new(),
            })),
            "quotients" => told
                .numbers("quotients")
                .filter(|q| !q.is_empty())
                .map(StepPicture::Squares),
            "zeckendorf_n" | "zeckendorf_p" => Some(StepPicture::Zeckendorf {
                parts: told.numbers("parts")?,
                most: told.number("most")?,
            }),
            "odd_steps" => {
                let coins = told.of_part()?;
                (coins.len() as u64 <= SQUARES).then_some(StepPicture::Staircase(coins))
            }
            "gaps_in_pairs" | "gaps_with_a_coin_alone" => {
                let coins = told.of_part()?;
                let near = coins.iter().all(|&coin| coin < SQUARES);
                near.then_some(StepPicture::Pairs(coins))
            }
            "row_gaps" => rows(&told),
            "heads_turtles" | "heads_mock" | "heads_ruler" | "heads_twins" => {
                let heads = told.numbers("heads")?;
                let near = heads.iter().all(|&head| head <= SQUARES);
                let values = told.numbers("values")?;
                near.then_some(StepPicture::Heads { heads, values })
            }
            "stage_end_p" | "stage_p" => self.stage(&told, Outcome::P),
            "stage_end_n" | "stage_n" => self.stage(&told, Outcome::N),
            "stage_all_p" => set(&told, Outcome::P),
            "stage_all_n" => set(&told, Outcome::N),
            "stage_all_d" => set(&told, Outcome::D),
            "not_progressively_bounded" => {
                let mut names = told.texts("cycle")?;
                names.pop();
                let drawn = (1..=RING).contains(&names.len());
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

    fn stage(&mut self, told: &Told<'_>, outcome: Outcome) -> Option<StepPicture> {
        self.stages.push(Stage {
            index: told.number("index"),
            outcome,
            names: told.texts("vertices")?,
            count: told.number("count")?,
        });
        Some(StepPicture::Stages(self.stages.clone()))
    }
}

/// The set of all positions of one outcome.
fn set(told: &Told<'_>, outcome: Outcome) -> Option<StepPicture> {
    Some(StepPicture::Stages(vec![Stage {
        index: None,
        outcome,
        names: told.texts("vertices")?,
        count: told.number("count")?,
    }]))
}

fn moore(told: &Told<'_>) -> Option<StepPicture> {
    let rows = told.texts("binary")?;
    let numbers = rows.iter().map(|row| u64::from_str_radix(row, 2));
    let numbers: Vec<u64> = numbers.collect::<Result<_, _>>().ok()?;
    let drawn = (1..=NUMBERS).contains(&numbers.len());
    let modulus = told.number("modulus")?;
    drawn.then_some(StepPicture::Columns(BinaryColumns {
        numbers,
        modulus,
        ..BinaryColumns::default()
    }))
}

/// The rows of Northcott's game, from the notation of its part.
fn rows(told: &Told<'_>) -> Option<StepPicture> {
    let numbers = told.of_part()?;
    let (&width, places) = numbers.split_first()?;
    let rows: Vec<[u64; 2]> = places.chunks_exact(2).map(|row| [row[0], row[1]]).collect();
    let drawn = width <= SQUARES && rows.len() as u64 <= SQUARES;
    drawn.then_some(StepPicture::Rows { width, rows })
}

/// The arguments of a step.
struct Told<'a>(&'a Step);

impl Told<'_> {
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

    /// The numbers in the notation of the part that the step is about.
    fn of_part(&self) -> Option<Vec<u64>> {
        let Datum::Text(text) = self.get("part")? else {
            return None;
        };
        let inner = text.split_once('(')?.1;
        let digits = inner.split(|c: char| !c.is_ascii_digit());
        let numbers = digits.filter(|digits| !digits.is_empty());
        numbers.map(|digits| digits.parse().ok()).collect()
    }
}
