//! Facts about the parts of a term, as its rules give them.

use std::ops::Range;
use std::sync::Arc;

use grundy_forms::{Form, Forms};

use super::table::{self, Table};
use super::{Term, count_moves};
use crate::algebra::Misere;
use crate::dyadic::Dyadic;
use crate::graph::Network;
use crate::limits::{Limits, Stop};
use crate::nature::Nature;
use crate::outcome::{Outcome, Play, Worth};
use crate::packed::{AllSmall, PackedGame, Sides};
use crate::picture::Picture;
use crate::player::Player;
use crate::reserve::Reserve;
use crate::rules::Ruleset;
use crate::step::Step;
use crate::store::Store;
use crate::store::erased::{AnyTerm, PartFacts};
use crate::theorem::{Known, Structure};

impl<R: Ruleset> PartFacts for Term<R> {
    fn name(&self) -> &'static str {
        self.rules.name()
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn finite(&self) -> bool {
        self.rules.knowledge().finite()
    }

    fn known_to_end(&self) -> bool {
        self.rules.knowledge().known_to_end()
    }

    fn packed(&self) -> Option<&'static dyn PackedGame> {
        let packs = self.rules.knowledge().packed()?;
        Some(packs)
    }

    fn all_small(&self) -> Option<&'static dyn AllSmall> {
        let packs = self.rules.knowledge().sides()?;
        Some(packs)
    }

    fn text(&self) -> String {
        self.rules.show().write(&self.parts)
    }

    fn written_as_sum(&self) -> bool {
        self.rules.show().written_as_sum()
    }

    fn at_begins_with_the_part(&self) -> bool {
        self.rules.show().at_begins_with_the_part()
    }

    fn caption(&self) -> String {
        match &self.parts[..] {
            [part] => self.rules.show().caption(part),
            _ => self.text(),
        }
    }

    fn players(&self) -> Option<[&'static str; 2]> {
        self.rules.show().players()
    }

    fn picture(&self) -> Picture {
        self.rules.show().picture(&self.parts)
    }

    fn remarks(&self) -> Vec<Step> {
        self.rules.show().remarks(&self.parts)
    }

    fn held(&self) -> usize {
        self.rules.show().held(&self.parts)
    }

    fn longest_play(&self) -> Option<u128> {
        self.parts.iter().try_fold(0u128, |sum, part| {
            sum.checked_add(self.rules.knowledge().longest_play(part)?)
        })
    }

    fn nature_of(&self, index: usize) -> Nature {
        self.rules.nature(&self.parts[index])
    }

    fn structure_of(&self, index: usize) -> Structure<'_> {
        self.rules.knowledge().structure(&self.parts[index])
    }

    fn moves_of(&self, index: usize) -> u64 {
        self.rules.knowledge().size(&self.parts[index])
    }

    fn grundy_of(&self, index: usize) -> Option<Known<u64>> {
        self.rules.knowledge().grundy(&self.parts[index])
    }

    fn misere_of(&self, index: usize) -> Option<Known<Misere>> {
        self.rules.knowledge().misere(&self.parts[index])
    }

    fn number_of(&self, index: usize) -> Option<Known<Dyadic>> {
        self.rules.knowledge().number(&self.parts[index])
    }

    fn form_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Known<Form>>, Stop> {
        (self.rules.knowledge()).form(&self.parts[index], forms, limits)
    }

    fn form_in_pieces_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        (self.rules.knowledge()).form_in_pieces(&self.parts[index], forms, limits)
    }

    fn operands_of(&self, index: usize) -> Option<[&[Arc<dyn AnyTerm>]; 2]> {
        self.rules.knowledge().operands(&self.parts[index])
    }

    fn outcome_of(&self, index: usize, play: Play) -> Option<Known<Outcome>> {
        self.rules.knowledge().outcome(&self.parts[index], play)
    }

    fn bounds_of(&self, index: usize) -> Option<[i64; 2]> {
        self.rules.knowledge().bounds(&self.parts[index])
    }

    fn reserves_of(&self, index: usize) -> Option<[Reserve; 2]> {
        self.rules.knowledge().reserves(&self.parts[index])
    }

    fn payoff_of(&self, index: usize, to_move: Player) -> Result<Worth, Stop> {
        self.rules.payoff(&self.parts[index], to_move)
    }

    fn count_moves_of(&self, index: usize, player: Player, most: u64) -> Result<u64, Stop> {
        count_moves(&*self.rules, &self.parts[index], player, most)
    }

    fn sides_of(&self, index: usize) -> Option<Sides> {
        self.rules.knowledge().sides()?.pack(&self.parts[index])
    }

    fn text_of(&self, index: usize) -> String {
        let part = std::slice::from_ref(&self.parts[index]);
        self.rules.show().write(part)
    }

    fn network_of(&self, index: usize) -> Option<(&Network, u32)> {
        self.rules.knowledge().network(&self.parts[index])
    }

    fn reckon_of(&self, index: usize, play: Play) -> Option<Step> {
        self.rules.knowledge().reckon(&self.parts[index], play)
    }

    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step> {
        self.rules.knowledge().argument(&self.parts[index], wanted)
    }

    fn only(&self, index: usize) -> Arc<dyn AnyTerm> {
        self.with(vec![self.parts[index].clone()])
    }

    fn enter_part(&self, index: usize, store: &mut Store, out: &mut Vec<u32>) {
        table::enter(&self.rules, &self.parts[index..=index], store, out);
    }

    fn push_keys(&self, range: Range<usize>, store: &mut Store, out: &mut Vec<u64>) -> u32 {
        let number = table::number(&self.rules, store);
        let (table, ids) = Table::<R>::get_mut(store, number);
        for part in &self.parts[range] {
            table.push_keys(part, ids, out);
        }
        number
    }
}
