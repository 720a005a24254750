//! Genera and canonical forms of heaps whose options are given as lists.

use grundy_base::{Limits, Stop, mex};

use crate::arena::Forms;
use crate::form::Form;
use crate::genus::Genus;
use crate::sums::{Parts, Sums};

/// A list of heaps. Each option of a heap is a list of earlier heaps, given by their indices.
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

/// Checks that every option of the heap with index `heap` is a sum of earlier heaps.
fn check(heap: usize, options: &[Vec<usize>]) -> Result<(), Stop> {
    let below = options.iter().flatten().all(|&part| part < heap);
    if below { Ok(()) } else { Err(Stop::Cyclic) }
}

/// Returns the genera of the heaps 0, 1, 2, ... without computing canonical forms. `options[n]` has
/// the options of heap n. Each option lists the indices of the heaps that remain, which must be
/// less than n.
///
/// # Examples
/// ```
/// use grundy_base::Limits;
/// use grundy_misere::heap_genera;
/// // Heaps 0 to 3 of Kayles: a move removes one or two pins from a row.
/// let three = vec![vec![1], vec![2], vec![1, 1]];
/// let heaps = [vec![], vec![vec![]], vec![vec![], vec![1]], three];
/// let genera = heap_genera(&heaps, &Limits::default())?;
/// let genera: Vec<String> = genera.iter().map(|genus| genus.to_string()).collect();
/// assert_eq!(genera, ["0^120", "1^031", "2^20", "3^31"]);
/// # Ok::<(), grundy_base::Stop>(())
/// ```
///
/// # Complexity
/// Each reachable position is visited once. If a move may leave two heaps, the number of positions
/// reachable from heap n grows like the number of integer partitions of n.
///
/// # Errors
/// The limit that was reached, or [`Stop::Cyclic`] if an option of heap n contains a heap with an
/// index of n or more.
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
        // A heap is * if it has moves and all of them lead to sums of heaps that have no moves.
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
        // The nim-value already includes the star. Since `Genus::new` adds `star` by xor, it is
        // removed first.
        genera.push(Genus::new(grundy ^ star, digits, star));
    }
    Ok(genera)
}

impl Forms {
    /// Returns the canonical forms of the heaps 0, 1, 2, ... The options are given as for
    /// [`heap_genera`].
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // Heaps 0 to 3 of Kayles: a move removes one or two pins from a row.
    /// let three = vec![vec![1], vec![2], vec![1, 1]];
    /// let heaps = [vec![], vec![vec![]], vec![vec![], vec![1]], three];
    /// let heaps = forms.heaps(&heaps, &limits)?;
    /// assert_eq!(heaps[3], forms.nimber(3, &limits)?);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] if an option of heap n contains a heap with
    /// an index of n or more.
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
