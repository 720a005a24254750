//! Classes of games, by their similarity to Nim heaps.

/// The class of a game. It shows how much of the strategy of misère Nim applies to the game. A game
/// belongs to the first class of this list that fits.
///
/// G and G + * have the same class, since adding * only changes all nim-values by xor 1. One of the
/// two games is even (see [`Form`](crate::Form)), and the definitions below refer to this game. The
/// *type* of a game is the pair (g, γ0) of its nim-values in normal and in misère play. Sums of Nim
/// heaps have the types (0, 1) and (1, 0), which are called *fickle*, and (n, n), which are called
/// *firm*.
///
/// The sources are J. H. Conway, On Numbers and Games, chapter 12 (tame, restive, restless), and E.
/// R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 13 (options that revert, fickle and
/// firm).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A game that is equal to a Nim heap.
    NimHeap,
    /// A game in which every position has the type of a sum of Nim heaps. A sum of tame games has
    /// the outcome of the sum of Nim heaps with the same types (On Numbers and Games, theorem 73).
    Tame,
    /// A game that acts in sums like a tame game, although some options are not tame. The
    /// definition has three conditions, in which *tame* includes reversibly tame. The type is that
    /// of a sum of Nim heaps. The nim-values of the tame options alone have the mex g in normal
    /// play and γ0 in misère play. Each other option has a move to a tame game with the g of the
    /// whole game. Each other option also has a move to a tame game with the γ0 of the whole game.
    ///
    /// The winner plays as in misère Nim. Suppose that the opponent moves to an option that is not
    /// tame. If the rest of the sum has a firm component, the answer is the move to the tame game
    /// with the same g. Otherwise the answer is the move to the tame game with the same γ0. In both
    /// cases the sum is a P-position again.
    ReversiblyTame,
    /// A game whose nim-value g is 0 or 1, whose γ0 is neither, and whose options are all tame or
    /// reversibly tame. Consider a sum with Nim heaps. If all heaps are 0, 1, γ0 or γ0 xor 1, the
    /// game acts like a heap of γ0. Otherwise it acts like a heap of g.
    ///
    /// Other options are allowed if the tame options alone give g and γ0. From each other option
    /// there must be a move to a game with the same γ0, and a move to a game with the same g. Both
    /// games must be tame or restive, with nim-values among 0, 1, γ0 and γ0 xor 1.
    Restive,
    /// A game whose nim-value γ0 is 0 or 1, whose g is neither, and whose options are all tame or
    /// reversibly tame. No simple rule is known for its sums with Nim heaps.
    Restless,
    /// A game that belongs to none of the other classes.
    Wild,
}

impl Class {
    /// Returns whether a sum of games of this class has the outcome of a sum of Nim heaps with the
    /// same types.
    ///
    /// ```
    /// use grundy_misere::Class;
    /// assert!(Class::ReversiblyTame.is_tame());
    /// assert!(!Class::Restive.is_tame());
    /// ```
    #[must_use]
    pub fn is_tame(self) -> bool {
        self <= Self::ReversiblyTame
    }

    /// Returns the name of the class in the literature.
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
