//! Misère play of impartial games: the player who makes the last move loses (E. R. Berlekamp, J. H.
//! Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 13; T. E. Plambeck,
//! A. N. Siegel, Misère quotients for impartial games, 2008).
//!
//! [`Forms`] stores each misère canonical form once, so two forms are equal if and only if their
//! games are equal. It computes the genus, the class and the mate of a form. For two different
//! forms, it finds a game that distinguishes them.
//!
//! ```
//! use grundy_base::Limits;
//! use grundy_misere::{Class, Form, Forms};
//! let (mut forms, limits) = (Forms::default(), Limits::default());
//! let two = forms.nimber(2, &limits)?;
//! let top = forms.of_options(&[two], &limits)?;
//! let game = forms.of_options(&[top, Form::ZERO], &limits)?;
//! assert_eq!(forms.genus(game, &limits)?.to_string(), "1^20");
//! assert_eq!(forms.class(game, &limits)?, Class::Restive);
//! // *2 + *2 is a P-position and 0 is none: nothing has to be added to tell them apart.
//! let twice = forms.plus(two, two, &limits)?;
//! let witness = forms.distinguishing_game(twice, Form::ZERO, &limits)?.unwrap();
//! assert_eq!(forms.write(witness, 100, &limits)?.unwrap(), "0");
//! # Ok::<(), grundy_base::Stop>(())
//! ```
//!
//! This crate is an implementation detail of the crate `grundy`, which has the types `MisereValue`
//! and `MisereQuotient`.

mod add;
mod arena;
mod born;
pub mod certificate;
mod class;
mod classify;
mod compare;
mod form;
mod genera;
mod genus;
mod heaps;
mod parts;
pub mod quotient;
mod sums;
mod text;

pub use arena::Forms;
pub use class::Class;
pub use form::Form;
pub use genus::Genus;
pub use heaps::heap_genera;
