//! The genus: nim-values in misère play beside more and more heaps of two.

use std::fmt;

use grundy_base::mex::MexSet;

use crate::class::Class;

/// The genus g^γ0γ1γ2... of a game G: g is its nim-value in normal play, γi the nim-value in misère
/// play of G with i heaps *2 beside it, so that G + i·*2 + *n is a P-position for n = γi and for no
/// other n.
///
/// γ0 is 1 for the game without moves, else the least number that is γ0 of no option; γi is the
/// least number that is neither γi of an option nor γ(i-1) or γ(i-1) xor 1 of G itself, which are
/// the values after a move in one of the heaps *2 (J. H. Conway, On Numbers and Games, chapter 12;
/// E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 13).
///
/// # How many digits there are
/// From some i on each digit is the one before it xor 2, so that two digits repeat for ever; those
/// up to the first two of them are kept. Let this be so for all options from n on, and write a =
/// γ(i-1), S for the set of the γi of the options, i >= max(n, 1). Numbers come in blocks of four,
/// 4q to 4q + 3, and blocks in two pairs; xor 2 exchanges the pairs of a block, and a, a xor 1 are
/// a pair. Let q be the first block that S does not fill, which is the same for S xor 2.
///
/// *If c = γi lies in block q, then γ(i+1) = c xor 2.* The pair of c has nothing in common with a
/// and a xor 1, for c is neither; so c is the least number of its pair that S lacks. In the next
/// step c and c xor 1 are not allowed and S xor 2 fills what lies below block q; the least number
/// of the other pair that it lacks is c xor 2. That lies in block q again, so it goes on like this.
///
/// *If γi = a xor 2, then γi lies in block q*: a, a xor 1 and γi are of one block; S fills all
/// blocks below it and lacks γi. So a digit at i >= max(n, 1) that is the one before it xor 2
/// settles all that follow. *And one comes soon*: if γi does not lie in block q, then a and a xor 1
/// do, so γi and γi xor 1 do not, and γ(i+1) lies in block q. So the digits repeat from max(n, 1) +
/// 1 on at the latest; those of 0, which are 1, 2, 0, 2, 0, ..., from 1 on; and a game born on day
/// d has at most d + 3 digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genus {
    grundy: u32,
    digits: Vec<u32>,
}

impl Genus {
    pub(crate) fn new(grundy: u32, digits: &[u32], star: u32) -> Self {
        Self {
            grundy: grundy ^ star,
            digits: digits.iter().map(|digit| digit ^ star).collect(),
        }
    }

    /// Returns the nim-value in normal play.
    #[must_use]
    pub fn grundy(&self) -> u32 {
        self.grundy
    }

    /// γ0, γ1, ... up to the first two that repeat for ever: at least two.
    #[must_use]
    pub fn digits(&self) -> &[u32] {
        &self.digits
    }

    /// γi, for any i.
    #[must_use]
    pub fn digit(&self, i: usize) -> u32 {
        digit(&self.digits, i)
    }

    /// As the field prints the genus of a game of this class: `2` for a heap of Nim, `2^2` for what
    /// is tame or restive otherwise, since the first digit tells the others there, and all digits
    /// for the rest.
    #[must_use]
    pub fn abbreviated(&self, class: Class) -> String {
        match class {
            Class::NimHeap => self.grundy.to_string(),
            Class::Tame | Class::ReversiblyTame | Class::Restive => self.with(&self.digits[..1]),
            Class::Restless | Class::Wild => self.to_string(),
        }
    }

    fn with(&self, digits: &[u32]) -> String {
        let written: Vec<String> = digits.iter().map(u32::to_string).collect();
        if digits.iter().all(|&digit| digit < 10) {
            format!("{}^{}", self.grundy, written.concat())
        } else {
            format!("{}^({})", self.grundy, written.join(","))
        }
    }
}

/// All digits: `1^031`, and `6^(1,9,10,8)` where one of them is 10 or more.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(&self.digits))
    }
}

/// γi, where the last two digits are repeated.
fn digit(digits: &[u32], i: usize) -> u32 {
    match digits.get(i) {
        Some(&digit) => digit,
        None => digits[digits.len() - 2 + (i - digits.len()) % 2],
    }
}

/// Returns the digits of a game from those of its options, each list with what is to be added to
/// each of its digits by xor.
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
    let mut digits = vec![if options.is_empty() { 1 } else { mex(0, None) }];
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
    while let [.., first, second, third] = digits[..]
        && first ^ 2 == second
        && second ^ 2 == third
    {
        digits.pop();
    }
    digits
}
