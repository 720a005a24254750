//! Partizan games: Left and Right have different moves.
//!
//! A position is a sum of terms, as in the impartial theory, and each term has moves for Left and moves for Right.
//! Who wins depends on who begins: the outcome class says it for both. Impartial terms may take part in a sum; both
//! players have all their moves.

mod dyadic;
mod explain;
mod impartial;
mod loops;
mod search;
mod solve;

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

pub use dyadic::Dyadic;
pub use explain::explain;
pub use impartial::Impartial;
pub use loops::Retrograde;
pub use solve::{Solution, WinningMove, solve};

use crate::outcome::Outcome;
use crate::picture::Picture;
use crate::position::VisitTerm as VisitImpartial;
use crate::ruleset::{Known, Visit};
use crate::step::{Move, Step};

/// A player of a partizan game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Left: blue edges, vertical dominoes, toads.
    Left,
    /// Right: red edges, horizontal dominoes, frogs.
    Right,
}

impl Player {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Who wins, over both beginnings.
///
/// ```
/// use grundy::partizan::Class;
/// assert_eq!(Class::from_wins(true, true), Class::N);
/// assert_eq!(Class::from_wins(true, false), Class::L);
/// assert_eq!(Class::P.to_string(), "P");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Left wins, whoever begins.
    L,
    /// Right wins, whoever begins.
    R,
    /// The next player, who begins, wins.
    N,
    /// The previous player, who does not begin, wins.
    P,
}

impl Class {
    /// The class from whether each player wins when it begins.
    #[must_use]
    pub fn from_wins(left: bool, right: bool) -> Self {
        match (left, right) {
            (true, false) => Self::L,
            (false, true) => Self::R,
            (true, true) => Self::N,
            (false, false) => Self::P,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// Who wins, over both beginnings, where play may go on for ever and then nobody wins.
///
/// It is written as the outcome class where there is one, `D` when both beginnings are draws, and else with two letters: what
/// comes of it when Left begins and when Right begins.
///
/// ```
/// use grundy::partizan::{LoopyClass, Player::{Left, Right}};
/// assert_eq!(LoopyClass { left: Some(Left), right: Some(Left) }.to_string(), "L");
/// assert_eq!(LoopyClass { left: Some(Left), right: None }.to_string(), "LD");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopyClass {
    /// The winner when Left begins.
    pub left: Option<Player>,
    /// The winner when Right begins.
    pub right: Option<Player>,
}

impl LoopyClass {
    /// The class from what Left and what Right, to move, can expect.
    #[must_use]
    pub fn from_outcomes(outcomes: [Outcome; 2]) -> Self {
        let [left, right] = Player::BOTH.map(|mover| match outcomes[mover as usize] {
            Outcome::N => Some(mover),
            Outcome::P => Some(mover.other()),
            Outcome::D => None,
        });
        Self { left, right }
    }

    /// Whether `player` wins when it begins; nothing where that is a draw.
    #[must_use]
    pub fn wins(self, player: Player) -> Option<bool> {
        let winner = match player {
            Player::Left => self.left,
            Player::Right => self.right,
        };
        winner.map(|winner| winner == player)
    }

    /// The outcome class, where neither beginning is a draw.
    #[must_use]
    pub fn decided(self) -> Option<Class> {
        let (left, right) = (self.left?, self.right?);
        Some(Class::from_wins(
            left == Player::Left,
            right == Player::Right,
        ))
    }
}

/// A class without draws.
impl From<Class> for LoopyClass {
    fn from(class: Class) -> Self {
        let [left, right] = match class {
            Class::L => [Player::Left, Player::Left],
            Class::R => [Player::Right, Player::Right],
            Class::N => [Player::Left, Player::Right],
            Class::P => [Player::Right, Player::Left],
        };
        Self {
            left: Some(left),
            right: Some(right),
        }
    }
}

impl PartialEq<Class> for LoopyClass {
    fn eq(&self, other: &Class) -> bool {
        *self == Self::from(*other)
    }
}

impl fmt::Display for LoopyClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |winner: Option<Player>| match winner {
            Some(Player::Left) => "L",
            Some(Player::Right) => "R",
            None => "D",
        };
        match (self.decided(), self.left, self.right) {
            (Some(class), ..) => class.fmt(f),
            (_, None, None) => f.write_str("D"),
            (_, left, right) => write!(f, "{}{}", letter(left), letter(right)),
        }
    }
}

/// The rules of a partizan game; the counterpart of [`crate::ruleset::Ruleset`].
pub trait Rules: fmt::Debug + Eq + Send + Sync + 'static {
    /// One component of a position of this game.
    type Part: Clone + fmt::Debug + Eq + Hash + Send + Sync + 'static;

    /// The term in canonical notation.
    fn write(&self, parts: &[Self::Part]) -> String;

    /// Visits every option that `player` has in `part`, which stands at `index` in its term, until `visit` breaks.
    fn options(
        &self,
        player: Player,
        index: usize,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> ControlFlow<()>;

    /// Splits a part into independent components in canonical form; what is at its end may be left out.
    fn components(&self, part: &Self::Part, visit: &mut dyn FnMut(Self::Part)) {
        visit(part.clone());
    }

    /// The value in normal play, where a theorem says that it is a number and which.
    fn number(&self, _part: &Self::Part) -> Option<Known<Dyadic>> {
        None
    }

    /// Whole numbers between which the value of a component lies in normal play, where that is known: the first is at
    /// most the value, the second at least. The nearer they are, the less is searched.
    fn bounds(&self, _part: &Self::Part) -> Option<[i64; 2]> {
        None
    }

    /// The component with the players exchanged, in canonical form, where the rules can express it.
    fn negative(&self, _part: &Self::Part) -> Option<Self::Part> {
        None
    }

    /// What the term looks like.
    fn picture(&self, parts: &[Self::Part]) -> Picture {
        Picture::Text(self.write(parts))
    }

    /// What has to be said before anything else.
    fn remarks(&self, _parts: &[Self::Part]) -> Vec<Step> {
        Vec::new()
    }
}

/// Receives a move and a way to ask for the term after it.
pub type VisitTerm<'a> =
    &'a mut dyn FnMut(&dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> ControlFlow<()>;

/// A term of a partizan game whose rules are known at run time only.
pub trait AnyTerm: fmt::Debug + Any + Send + Sync {
    /// Canonical notation.
    fn text(&self) -> String;
    /// What the term looks like.
    fn picture(&self) -> Picture;
    /// Every move of `player`, in a fixed order, until `visit` breaks.
    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> ControlFlow<()>;
    /// The components in canonical form.
    fn components(&self) -> Vec<Arc<dyn AnyTerm>>;
    /// The value, where a theorem says that it is a number.
    fn number(&self) -> Option<Known<Dyadic>>;
    /// Whole numbers between which the value lies in normal play, for a term of one component.
    fn bounds(&self) -> Option<[i64; 2]>;
    /// The term with the players exchanged, for a term of one component.
    fn negative(&self) -> Option<Arc<dyn AnyTerm>>;
    /// Whether the other term is the same position of the same game.
    fn same(&self, other: &dyn AnyTerm) -> bool;
    /// Feeds a hasher: terms that are the same feed the same.
    fn feed(&self, hasher: &mut dyn Hasher);
    /// What has to be said before anything else.
    fn remarks(&self) -> Vec<Step>;
}

/// One call of a constructor: parts under one set of rules.
#[derive(Clone, Debug)]
pub struct Term<R: Rules> {
    /// The rules.
    pub rules: Arc<R>,
    /// The parts, in the order written.
    pub parts: Vec<R::Part>,
}

impl<R: Rules> Term<R> {
    /// A term of `parts` under `rules`.
    pub fn new(rules: R, parts: Vec<R::Part>) -> Self {
        Self {
            rules: Arc::new(rules),
            parts,
        }
    }

    fn with(&self, parts: Vec<R::Part>) -> Arc<dyn AnyTerm> {
        Arc::new(Self {
            rules: Arc::clone(&self.rules),
            parts,
        })
    }
}

impl<R: Rules> AnyTerm for Term<R> {
    fn text(&self) -> String {
        self.rules.write(&self.parts)
    }

    fn picture(&self) -> Picture {
        self.rules.picture(&self.parts)
    }

    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> ControlFlow<()> {
        self.parts.iter().enumerate().try_for_each(|(index, part)| {
            self.rules.options(player, index, part, &mut |left, name| {
                visit(name, &|| {
                    let mut parts = self.parts.clone();
                    parts.splice(index..=index, left.iter().cloned());
                    self.with(parts)
                })
            })
        })
    }

    fn components(&self) -> Vec<Arc<dyn AnyTerm>> {
        let mut components = Vec::new();
        for part in &self.parts {
            self.rules.components(part, &mut |component| {
                components.push(self.with(vec![component]));
            });
        }
        components
    }

    fn number(&self) -> Option<Known<Dyadic>> {
        let (first, rest) = self.parts.split_first()?;
        let mut known = self.rules.number(first)?;
        for part in rest {
            known.value = known.value.plus(self.rules.number(part)?.value)?;
        }
        Some(known)
    }

    fn bounds(&self) -> Option<[i64; 2]> {
        match &self.parts[..] {
            [part] => self.rules.bounds(part),
            _ => None,
        }
    }

    fn negative(&self) -> Option<Arc<dyn AnyTerm>> {
        match &self.parts[..] {
            [part] => Some(self.with(vec![self.rules.negative(part)?])),
            _ => None,
        }
    }

    fn same(&self, other: &dyn AnyTerm) -> bool {
        (other as &dyn Any)
            .downcast_ref::<Self>()
            .is_some_and(|other| self.rules == other.rules && self.parts == other.parts)
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.parts.hash(&mut hasher);
    }

    fn remarks(&self) -> Vec<Step> {
        self.rules.remarks(&self.parts)
    }
}

/// A sum of terms. The player to move picks one term and makes one of its own moves there.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// The terms, in the order written.
    pub terms: Vec<Arc<dyn AnyTerm>>,
}

impl Position {
    /// Every move of `player` with its term, in a fixed order, until `visit` breaks.
    pub fn moves(
        &self,
        player: Player,
        visit: &mut dyn FnMut(usize, &dyn Fn() -> Move, &dyn Fn() -> Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.terms.iter().enumerate().try_for_each(|(index, term)| {
            term.moves(player, &mut |name, to| {
                visit(index, name, &|| {
                    let mut terms = self.terms.clone();
                    terms[index] = to();
                    Self { terms }
                })
            })
        })
    }
}

/// Both players have all moves.
impl From<crate::Position> for Position {
    fn from(position: crate::Position) -> Self {
        let terms = position.terms.into_iter();
        Self {
            terms: terms.map(|term| Arc::new(Impartial(term)) as _).collect(),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.terms.iter().map(|term| term.text()).collect();
        // A long chain of + is refused by readers, because parsers nest it.
        if texts.is_empty() || texts.len() > 200 {
            write!(f, "sum_of([{}])", texts.join(", "))
        } else {
            f.write_str(&texts.join(" + "))
        }
    }
}

/// Calls `visit` for the moves of an impartial term, which both players have.
fn impartial_moves(
    term: &Arc<dyn crate::position::AnyTerm>,
    visit: VisitTerm<'_>,
) -> ControlFlow<()> {
    let forward: VisitImpartial<'_> =
        &mut |name, to| visit(name, &|| Arc::new(Impartial(to())) as Arc<dyn AnyTerm>);
    term.moves(forward)
}
