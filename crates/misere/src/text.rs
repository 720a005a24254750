//! Misère canonical forms as text.
//!
//! A Nim heap is written as `0`, `*`, `*2`, and so on. `*[a,b,c]` is the game with the options a, b
//! and c.

use grundy_base::{Limits, Stop};
use rustc_hash::FxHashMap;

use crate::arena::Forms;
use crate::form::Form;

/// A part of the output that has not been written yet.
enum Piece {
    Form(Form),
    Text(&'static str),
}

/// The positions of a form that are not Nim heaps, and the order in which their options are
/// written.
struct Order {
    /// For each position, its options in the order in which they are written.
    options: FxHashMap<Form, Vec<Form>>,
    /// For each position, the length of its text.
    lengths: FxHashMap<Form, u64>,
}

impl Forms {
    /// Returns the text of a form, or `None` if the text has more than `most` bytes. If a position
    /// occurs several times, it is written each time.
    ///
    /// The options of a position are written in order of decreasing birthday. Among options with
    /// the same birthday, a Nim heap comes last. The others are compared by their own lists of
    /// options, in lexicographic order, and the greater list comes first. So the text depends only
    /// on the form.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// let odd = forms.of_options(&[two], &limits)?;
    /// let game = forms.of_options(&[odd, Form::ZERO], &limits)?;
    /// assert_eq!(forms.write(game, 100, &limits)?.unwrap(), "*[*[*2],0]");
    /// assert_eq!(forms.write(game, 9, &limits)?, None);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Each position is visited once, and its options are sorted. Then the text is written, which
    /// is linear in its length.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn write(
        &mut self,
        form: Form,
        most: usize,
        limits: &Limits<'_>,
    ) -> Result<Option<String>, Stop> {
        // The text may be exponentially longer than the form. So its length is computed before it
        // is written.
        let order = self.order(form, limits)?;
        let length = order.length(self, form);
        if length > most as u64 {
            return Ok(None);
        }
        limits.check(1, length)?;
        let mut text = String::with_capacity(length as usize);
        // The stack of parts is explicit, since forms can be deeply nested. The next part to write
        // is its last entry.
        let mut stack = vec![Piece::Form(form)];
        while let Some(next) = stack.pop() {
            match next {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Form(form) => {
                    if let Some(n) = self.nim_heap(form) {
                        text.push_str(&nim_heap(n));
                        continue;
                    }
                    text.push_str("*[");
                    stack.push(Piece::Text("]"));
                    let options = &order.options[&form];
                    for (index, &option) in options.iter().enumerate().rev() {
                        stack.push(Piece::Form(option));
                        if index > 0 {
                            stack.push(Piece::Text(","));
                        }
                    }
                }
            }
        }
        Ok(Some(text))
    }

    /// Returns the order of the options. All positions are ranked by birthday first, and options
    /// are sorted by rank.
    fn order(&mut self, form: Form, limits: &Limits<'_>) -> Result<Order, Stop> {
        let mut positions = self.positions(form, limits)?;
        positions.sort_by_key(|&position| self.birthday(position));
        let mut ranks: FxHashMap<Form, u32> = FxHashMap::default();
        let mut order = Order {
            options: FxHashMap::default(),
            lengths: FxHashMap::default(),
        };
        let mut bytes = 0;
        // Options are born earlier than their forms. So when the positions of a day are ranked, the
        // ranks of their options are known.
        for born in positions.chunk_by(|&one, &other| self.birthday(one) == self.birthday(other)) {
            let mut ranked_positions: Vec<(bool, Vec<u32>, Form)> = Vec::with_capacity(born.len());
            for &position in born {
                if ranked_positions.len().is_multiple_of(256) {
                    limits.poll()?;
                }
                let mut options: Vec<Form> = self.options(position).collect();
                options.sort_unstable_by_key(|option| std::cmp::Reverse(ranks[option]));
                bytes += 16 * options.len() as u64 + 128;
                limits.check(1, bytes)?;
                let ranked = options.iter().map(|option| ranks[option]).collect();
                let is_nim_heap = self.nim_heap(position).is_some();
                ranked_positions.push((!is_nim_heap, ranked, position));
                if !is_nim_heap {
                    let inside = options.iter().map(|&option| order.length(self, option));
                    let inside = inside.fold(0, u64::saturating_add);
                    // The star and the two brackets, and one comma less than there are options.
                    let length = inside.saturating_add(options.len() as u64 + 2);
                    order.lengths.insert(position, length);
                    order.options.insert(position, options);
                }
            }
            ranked_positions.sort_unstable();
            for (_, _, position) in ranked_positions {
                ranks.insert(position, ranks.len() as u32);
            }
        }
        Ok(order)
    }
}

impl Order {
    /// Returns the length of the text of a position. The position must be a Nim heap, or its length
    /// must be in `lengths`.
    fn length(&self, forms: &Forms, form: Form) -> u64 {
        match forms.nim_heap(form) {
            Some(n) => nim_heap(n).len() as u64,
            None => self.lengths[&form],
        }
    }
}

/// Returns the text of a Nim heap.
fn nim_heap(n: u32) -> String {
    match n {
        0 => "0".to_owned(),
        1 => "*".to_owned(),
        n => format!("*{n}"),
    }
}
