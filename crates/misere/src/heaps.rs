//! Genera and forms of heaps that are given by their options.

use grundy_base::{Limits, Stop, mex};

use crate::arena::Forms;
use crate::form::Form;
use crate::genus::Genus;
use crate::sums::{Parts, Sums};

/// Heaps by number, each with its options as lists of heaps with smaller numbers.
struct Heaps<'a> {
    options: &'a [Vec<Vec<usize>>],
    is_zero: Vec<bool>,
    is_star: Vec<bool>,
}

impl Parts for Heaps<'_> {
    fn options(&self, part: u32, visit: &mut dyn FnMut(&[u32])) {
        for option in &self.options[part as usize] {
            let option: Vec<u32> = option.iter().map(|&heap| heap as u32).collect();
            visit(&option);
        }
    }

    fn is_zero(&self, part: u32) -> bool {
        self.is_zero[part as usize]
    }

    fn is_star(&self, part: u32) -> bool {
        self.is_star[part as usize]
    }
}

/// Whether every option of a heap is a sum of heaps before it.
fn check(heap: usize, options: &[Vec<usize>]) -> Result<(), Stop> {
    let below = options.iter().flatten().all(|&part| part < heap);
    if below { Ok(()) } else { Err(Stop::Cyclic) }
}

/// Returns the genera of heaps 0, 1, 2, ..., of which no forms are made: heap n is given by its
/// options, each a list of heaps that are left beside each other, all with numbers less than n.
///
/// # Complexity
/// One visit to each position that can be reached; of heaps in which taking may leave two heaps
/// there are as many as partitions.
///
/// # Errors
/// The limit that was reached, or [`Stop::Cyclic`] if a heap has itself or a later one among its
/// options.
pub fn heap_genera(options: &[Vec<Vec<usize>>], limits: &Limits<'_>) -> Result<Vec<Genus>, Stop> {
    let mut heaps = Heaps {
        options,
        is_zero: Vec::new(),
        is_star: Vec::new(),
    };
    let mut sums = Sums::default();
    let mut genera: Vec<Genus> = Vec::new();
    for (heap, options) in options.iter().enumerate() {
        check(heap, options)?;
        let ends = (options.iter()).all(|parts| parts.iter().all(|&part| heaps.is_zero[part]));
        heaps.is_zero.push(options.is_empty());
        heaps.is_star.push(!options.is_empty() && ends);
        let values = (options.iter()).map(|parts| {
            let sum = parts
                .iter()
                .fold(0, |sum, &part| sum ^ genera[part].grundy());
            u64::from(sum)
        });
        let grundy = mex(values) as u32;
        let (digits, star) = sums.digits(&[heap as u32], &heaps, limits)?;
        genera.push(Genus::new(grundy ^ star, digits, star));
    }
    Ok(genera)
}

impl Forms {
    /// Returns the canonical forms of heaps 0, 1, 2, ..., given as for [`heap_genera`].
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] if a heap has itself or a later one among
    /// its options.
    pub fn heaps(
        &mut self,
        options: &[Vec<Vec<usize>>],
        limits: &Limits<'_>,
    ) -> Result<Vec<Form>, Stop> {
        let mut forms: Vec<Form> = Vec::new();
        for (heap, options) in options.iter().enumerate() {
            check(heap, options)?;
            let mut moves = Vec::with_capacity(options.len());
            for parts in options {
                let parts: Vec<Form> = parts.iter().map(|&part| forms[part]).collect();
                moves.push(self.sum(&parts, limits)?);
            }
            forms.push(self.of_options(&moves, limits)?);
        }
        Ok(forms)
    }
}
