//! Numbers: games in which every move costs the one who makes it, so that an advantage can be counted in moves.
//!
//! A game whose options are numbers, each of Left's less than each of Right's, is the simplest number between them
//! (J. H. Conway, On Numbers and Games, 1976, ch. 0 and 7; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, ch. 2).

use std::sync::Arc;

use super::{PartValue, Reach, Theory, Valuation};
use crate::dyadic::Dyadic;
use crate::limits::{Limits, Stop};
use crate::rules::{Ends, Known, Nature, Ruleset, Structure};

/// Values of games that are numbers, in normal play.
#[derive(Debug, Default)]
pub struct Numbers;

impl Theory for Numbers {
    type Value = Dyadic;
    type Notes = ();
    const REACH: Reach = Reach::Options;

    fn refuses(nature: Nature) -> Option<Stop> {
        (nature.ends == Ends::Payoff).then_some(Stop::NoValue)
    }

    fn zero(&self) -> Dyadic {
        Dyadic::ZERO
    }

    fn add(&mut self, &a: &Dyadic, &b: &Dyadic) -> Result<Dyadic, Stop> {
        a.plus(b).ok_or(Stop::Overflow)
    }

    fn theorem<R: Ruleset>(rules: &R, part: &R::Part) -> Option<Known<Dyadic>> {
        rules.knowledge().number(part)
    }

    fn by_structure<R: Ruleset>(
        _: &mut Valuation<Self>,
        rules: &Arc<R>,
        part: &R::Part,
        _: &Limits<'_>,
    ) -> Result<Option<PartValue<Dyadic>>, Stop> {
        match rules.knowledge().structure(part) {
            // Every position of such a game is a number: its options are worth looking at.
            Structure::Numbers => Ok(None),
            _ => Err(Stop::NoValue),
        }
    }

    fn of_options(&mut self, left: &[Dyadic], right: &[Dyadic]) -> Result<Option<Dyadic>, Stop> {
        let (most, least) = (left.iter().max().copied(), right.iter().min().copied());
        if most.zip(least).is_some_and(|(most, least)| most >= least) {
            return Ok(None);
        }
        Dyadic::simplest(most, least)
            .map(Some)
            .ok_or(Stop::Overflow)
    }
}
