//! How far a game behaves as heaps of Nim do.

/// The class of a game, by how much of the strategy of misère Nim holds for it; the first that
/// fits, in this order.
///
/// G and G + * are of the same class: adding * changes all nim-values by xor 1 and nothing else.
/// What is said below of G is asked of the even one of the two. The *type* of a game is (g, γ0),
/// its nim-values in normal and in misère play. Heaps of Nim and their sums have the types (0, 1)
/// and (1, 0), the *fickle* ones, and (n, n), the *firm* ones.
///
/// Sources: J. H. Conway, On Numbers and Games, chapter 12 (tame, restive, restless); E. R.
/// Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 13 (options that revert, fickle and
/// firm).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Equal to a heap of Nim.
    NimHeap,
    /// The type of every position is that of a sum of heaps of Nim. A sum of such games has the
    /// outcome of the sum of heaps of their types (On Numbers and Games, theorem 73).
    Tame,
    /// The same holds, though there are options that are not tame. The type is one of Nim, the tame
    /// options alone (tame or reversibly tame themselves) have it as their least excluded values,
    /// and from each other option one can move back to a tame game with the same g and to a tame
    /// game with the same γ0.
    ///
    /// Who wins plays as in misère Nim. If the other moves to an option that is not tame, the
    /// answer is the first of these two games where something firm stands beside it, and the second
    /// otherwise; in both cases the sum is a P-position again.
    ReversiblyTame,
    /// g is 0 or 1 and γ0 is not, and all options are tame, reversibly or not. Beside heaps of Nim
    /// the game is a heap of γ0 if all of them are 0, 1, γ0 or γ0 xor 1, and else a heap of g.
    /// Options that are not tame are allowed if the tame ones alone give g and γ0 and from each
    /// other one can move back to games that behave the same: tame or restive ones, one with the
    /// same γ0 and one with the same g, whose other nim-value is 0, 1, γ0 or γ0 xor 1.
    Restive,
    /// γ0 is 0 or 1 and g is not, and all options are tame, reversibly or not. There is no simple
    /// rule for sums with heaps of Nim.
    Restless,
    /// None of these.
    Wild,
}

impl Class {
    /// Returns whether a sum of such games has the outcome of heaps of Nim of the same types.
    #[must_use]
    pub fn is_tame(self) -> bool {
        self <= Self::ReversiblyTame
    }

    /// Returns the name of the class in the field.
    ///
    /// ```
    /// use grundy_misere::Class;
    /// assert_eq!(Class::ReversiblyTame.name(), "reversibly tame");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NimHeap => "nim heap",
            Self::Tame => "tame",
            Self::ReversiblyTame => "reversibly tame",
            Self::Restive => "restive",
            Self::Restless => "restless",
            Self::Wild => "wild",
        }
    }
}
