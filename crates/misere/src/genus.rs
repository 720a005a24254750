//! The genus of a game G: its nim-value in normal play, and the misère nim-values of the games G +
//! i·*2. Here i is 0, 1, 2, ...

use std::fmt;

use grundy_base::mex::MexSet;

use crate::class::Class;

/// The genus g^γ0γ1γ2... of a game G. The base g is its nim-value in normal play. The digit γi is
/// the nim-value in misère play of G + i·*2. So G + i·*2 + *n is a P-position for n = γi and for no
/// other n.
///
/// For the game without moves, γ0 is 1. For other games, γ0 is the mex of the γ0 of the options.
/// For i > 0, γi is the least number that is none of the following: the γi of an option, γ(i-1) of
/// G, and γ(i-1) xor 1. The last two are the values after a move in a heap *2 (J. H. Conway, On
/// Numbers and Games, chapter 12; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways,
/// chapter 13).
///
/// # Number of digits
/// From some i upward, γi = γ(i-1) xor 2, so the same two digits alternate for ever. The digits are
/// stored up to the first such pair. Suppose that the digits of all options repeat in this way from
/// n upward. Write a = γ(i-1), let S be the set of the γi of the options, and let i >= max(n, 1).
/// The numbers fall into blocks of four, 4q to 4q + 3, and each block into two pairs. Then xor 2
/// exchanges the pairs of a block, and a and a xor 1 form a pair. Let q be the first block that S
/// does not fill. It is the same block for S xor 2.
///
/// *If c = γi is in block q, then γ(i+1) = c xor 2.* The pair of c is disjoint from the pair of a,
/// since c is neither a nor a xor 1. So c is the least number of its pair that S lacks. In the next
/// step c and c xor 1 are excluded, and S xor 2 fills all blocks below q. The least number of the
/// other pair that is missing is c xor 2. It is in block q again, so the argument repeats.
///
/// *If γi = a xor 2, then γi is in block q.* The numbers a, a xor 1 and γi are in one block. S
/// fills all blocks below it and does not contain γi. So if, at some i >= max(n, 1), a digit is the
/// one before it xor 2, then it determines all that follow.
///
/// *Such a digit comes soon.* If γi is not in block q, then a and a xor 1 are in block q. The
/// numbers γi and γi xor 1, which are excluded in the next step, are not in block q. So γ(i+1) is
/// in block q. Hence the digits repeat from max(n, 1) + 1 upward at the latest. The digits of 0 are
/// 1, 2, 0, 2, 0, ... and repeat from 1 upward. By induction a game born on day d has at most d + 3
/// digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genus {
    grundy: u32,
    digits: Vec<u32>,
}

impl Genus {
    /// Creates a genus from the nim-value and the digits of an even form, which is a form stored
    /// without *. If `star` is 1, the genus is that of the form plus *. Otherwise `star` is 0.
    pub(crate) fn new(grundy: u32, digits: &[u32], star: u32) -> Self {
        Self {
            grundy: grundy ^ star,
            digits: digits.iter().map(|digit| digit ^ star).collect(),
        }
    }

    /// Returns the nim-value in normal play.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::Forms;
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let five = forms.nimber(5, &limits)?;
    /// assert_eq!(forms.genus(five, &limits)?.grundy(), 5);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn grundy(&self) -> u32 {
        self.grundy
    }

    /// Returns the digits γ0, γ1, ... up to the first two that repeat for ever. So there are at
    /// least two digits.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// // The digits of 0 are 1, 2, 0, 2, 0, ...
    /// assert_eq!(forms.genus(Form::ZERO, &limits)?.digits(), [1, 2, 0]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn digits(&self) -> &[u32] {
        &self.digits
    }

    /// Returns the digit γi, also for i beyond the stored digits.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Form, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let genus = forms.genus(Form::ZERO, &limits)?;
    /// assert_eq!(genus.to_string(), "0^120");
    /// assert_eq!([3, 4].map(|i| genus.digit(i)), [2, 0]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn digit(&self, i: usize) -> u32 {
        digit(&self.digits, i)
    }

    /// Returns the text of the genus for a game of this class, as is usual in the literature. A Nim
    /// heap is written as `2`. Other tame games and restive games are written with one digit, as in
    /// `2^2`, since this digit determines the others. All other games are written with all digits.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::{Class, Forms};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let two = forms.nimber(2, &limits)?;
    /// assert_eq!(forms.genus(two, &limits)?.abbreviated(Class::NimHeap), "2");
    /// let twice = forms.plus(two, two, &limits)?;
    /// assert_eq!(forms.genus(twice, &limits)?.abbreviated(Class::Tame), "0^0");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn abbreviated(&self, class: Class) -> String {
        match class {
            Class::NimHeap => self.grundy.to_string(),
            Class::Tame | Class::ReversiblyTame | Class::Restive => self.with(&self.digits[..1]),
            Class::Restless | Class::Wild => self.to_string(),
        }
    }

    /// Returns the text of the genus with the given digits.
    fn with(&self, digits: &[u32]) -> String {
        let written: Vec<String> = digits.iter().map(u32::to_string).collect();
        if digits.iter().all(|&digit| digit < 10) {
            format!("{}^{}", self.grundy, written.concat())
        } else {
            format!("{}^({})", self.grundy, written.join(","))
        }
    }
}

/// Writes the genus with all stored digits, as in `1^031`. If some digit is 10 or more, writes it
/// as in `6^(1,9,10,8)`.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(&self.digits))
    }
}

/// Returns the digit γi of a genus, given its stored digits. Beyond the stored digits, the last two
/// of them alternate for ever.
fn digit(digits: &[u32], i: usize) -> u32 {
    match digits.get(i) {
        Some(&digit) => digit,
        None => digits[digits.len() - 2 + (i - digits.len()) % 2],
    }
}

/// Returns the genus digits of a game from the genus digits of its options. Each option is given by
/// a list of digits and a number. The digits of the option are those of the list, each combined
/// with the number by xor.
pub(crate) fn of_options(options: &[(&[u32], u32)]) -> Vec<u32> {
    let mut set = MexSet::default();
    let mut mex = |i: usize, also: Option<u32>| -> u32 {
        set.clear();
        (options.iter()).for_each(|(digits, star)| set.insert(u64::from(digit(digits, i) ^ star)));
        also.into_iter().for_each(|last| {
            set.insert(u64::from(last));
            set.insert(u64::from(last ^ 1));
        });
        set.mex() as u32
    };
    // If there are no options, the first digit is 1, since a player without a move wins in misère
    // play.
    let mut digits = vec![if options.is_empty() { 1 } else { mex(0, None) }];
    // The index n in the documentation of [`Genus`]: from here upward the digits of all options
    // repeat.
    let repeating = options.iter().map(|(digits, _)| digits.len() - 2).max();
    let repeating = repeating.unwrap_or(0).max(1);
    loop {
        let (i, last) = (digits.len(), digits[digits.len() - 1]);
        let next = mex(i, Some(last));
        digits.push(next);
        if i >= repeating && next == last ^ 2 {
            break;
        }
    }
    // The loop above may compute too many digits, since it only tests digits from `repeating`
    // upward.
    while let [.., first, second, third] = digits[..]
        && first ^ 2 == second
        && second ^ 2 == third
    {
        digits.pop();
    }
    digits
}
