//! The facts about the parts of a term, obtained from its rules.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use grundy_forms::{Form, Forms};

use super::table::{self, Table};
use super::{Term, count_moves};
use crate::move_counts::Reserve;
use crate::nature::Nature;
use crate::packed::{AllSmall, PackedGame, Sides};
use crate::rules::{Part, Tabulation, Termination, ValueTable};
use crate::store::Store;
use crate::store::erased::{AnyTerm, AnyValueTable, PartFacts};
use crate::theorem::{ByTheorem, Structure};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, PayoffResult, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::Step;
use grundy_graphs::graph::Network;
use grundy_heap::algebra::Misere;

impl<P: Part> Term<P> {
    /// Returns the value table of the rules. Creates the table if there is none yet. Returns `None`
    /// if the rules have no value table.
    fn value_table<'a>(
        &self,
        table: &'a mut Option<Box<dyn Any + Send + Sync>>,
    ) -> Option<&'a mut Box<dyn ValueTable<P>>> {
        let Tabulation { table: new, .. } = self.rules.capabilities().value_table?;
        let table = table.get_or_insert_with(|| Box::new(new())).downcast_mut();
        Some(table.expect("a table is asked by the parts of its rules only"))
    }
}

impl<P: Part> PartFacts for Term<P> {
    fn name(&self) -> &'static str {
        self.rules.name()
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn finite(&self) -> bool {
        self.rules.capabilities().termination != Termination::Loopy
    }

    fn known_to_end(&self) -> bool {
        self.rules.capabilities().termination == Termination::Ends
    }

    fn packed(&self) -> Option<&'static dyn PackedGame> {
        let packs = self.rules.capabilities().packs?;
        Some(packs)
    }

    fn all_small(&self) -> Option<&'static dyn AllSmall> {
        let packs = self.rules.capabilities().packs_sides?;
        Some(packs)
    }

    fn text(&self) -> String {
        self.rules.write(&self.parts)
    }

    fn written_as_sum(&self) -> bool {
        self.rules.capabilities().text.sum
    }

    fn at_begins_with_the_part(&self) -> bool {
        self.rules.capabilities().text.at_begins_with_part
    }

    fn caption(&self) -> String {
        match (&self.parts[..], self.rules.capabilities().captions) {
            ([part], Some(captions)) => captions.caption(part),
            _ => self.text(),
        }
    }

    fn players(&self) -> Option<[&'static str; 2]> {
        self.rules.capabilities().players
    }

    fn picture(&self) -> Picture {
        match self.rules.capabilities().pictures {
            Some(pictures) => pictures.picture(&self.parts),
            None => Picture::Text(self.text()),
        }
    }

    fn remarks(&self) -> Vec<Step> {
        let teaching = self.rules.capabilities().teaching;
        teaching.map_or_else(Vec::new, |teaching| teaching.remarks(&self.parts))
    }

    fn bytes(&self) -> usize {
        match self.rules.capabilities().memory_use {
            Some(memory_use) => memory_use.bytes(&self.parts),
            // Use the length of the notation as an estimate. Rules whose parts are larger implement
            // `MemoryUse`.
            None => self.text().len(),
        }
    }

    fn longest_play(&self) -> Option<u128> {
        let teaching = self.rules.capabilities().teaching;
        self.parts.iter().try_fold(0u128, |sum, part| {
            sum.checked_add(teaching?.longest_play(part)?)
        })
    }

    fn nature_of(&self, index: usize) -> Nature {
        self.rules.nature(&self.parts[index])
    }

    fn structure_of(&self, index: usize) -> Structure<'_> {
        let capabilities = self.rules.capabilities();
        // The most specific structure comes first. For example, a heap game has a proved period,
        // but a table or a search has none.
        if let Some(heaps) = capabilities.heaps {
            let (rules, size) = heaps.heap(&self.parts[index]);
            Structure::Heap(rules, size)
        } else if let Some(Tabulation { complete, .. }) = capabilities.value_table {
            Structure::Table { complete }
        } else if capabilities.small_values.is_some() {
            Structure::Splitting
        } else if capabilities.termination == Termination::Loopy {
            Structure::Loopy
        } else {
            Structure::Search
        }
    }

    fn table_in(&self, store: &mut Store) -> u32 {
        table::number(&self.rules, store)
    }

    fn tabulated_value(
        &self,
        index: usize,
        AnyValueTable { table, work }: &mut AnyValueTable,
        limits: &Limits<'_>,
    ) -> Result<Option<u64>, Stop> {
        let Some(table) = self.value_table(table) else {
            return Ok(None);
        };
        let value = table.grundy(&self.parts[index], limits);
        // The amount of work must be available without the type of the table, so copy it.
        *work = table.work();
        value
    }

    fn tabulated_is_p(
        &self,
        index: usize,
        AnyValueTable { table, work }: &mut AnyValueTable,
        limits: &Limits<'_>,
    ) -> Result<Option<bool>, Stop> {
        let Some(table) = self.value_table(table) else {
            return Ok(None);
        };
        let is_p = table.is_p(&self.parts[index], limits);
        *work = table.work();
        is_p
    }

    fn moves_of(&self, index: usize) -> u64 {
        let small_values = self.rules.capabilities().small_values;
        small_values.map_or(0, |game| game.size(&self.parts[index]))
    }

    fn grundy_of(&self, index: usize) -> Option<ByTheorem<u64>> {
        let theorems = self.rules.capabilities().theorems?;
        theorems.grundy(&self.parts[index])
    }

    fn misere_of(&self, index: usize) -> Option<ByTheorem<Misere>> {
        let theorems = self.rules.capabilities().theorems?;
        theorems.misere(&self.parts[index])
    }

    fn number_of(&self, index: usize) -> Option<ByTheorem<Dyadic>> {
        let theorems = self.rules.capabilities().theorems?;
        theorems.number(&self.parts[index])
    }

    fn form_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop> {
        let theorems = self.rules.capabilities().theorems;
        let part = &self.parts[index];
        theorems.map_or(Ok(None), |theorems| theorems.form(part, forms, limits))
    }

    fn form_by_decomposition_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        let theorems = self.rules.capabilities().theorems;
        let part = &self.parts[index];
        theorems.map_or(Ok(None), |theorems| {
            theorems.form_by_decomposition(part, forms, limits)
        })
    }

    fn operands_of(&self, index: usize) -> Option<[&[Arc<dyn AnyTerm>]; 2]> {
        let operands = self.rules.capabilities().operands?;
        operands.operands(&self.parts[index])
    }

    fn outcome_of(&self, index: usize, play: Play) -> Option<ByTheorem<Outcome>> {
        let theorems = self.rules.capabilities().theorems?;
        theorems.outcome(&self.parts[index], play)
    }

    fn outcome_within(
        &self,
        index: usize,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Outcome>>, Stop> {
        let Some(theorems) = self.rules.capabilities().theorems else {
            return Ok(None);
        };
        theorems.outcome_within(&self.parts[index], play, limits)
    }

    fn bounds_of(&self, index: usize) -> Option<[i64; 2]> {
        let bounds = self.rules.capabilities().bounds?;
        bounds.bounds(&self.parts[index])
    }

    fn reserves_of(&self, index: usize) -> Option<[Reserve; 2]> {
        let bounds = self.rules.capabilities().bounds?;
        bounds.reserves(&self.parts[index])
    }

    fn payoff_of(&self, index: usize, to_move: Player) -> Result<PayoffResult, Stop> {
        match self.rules.capabilities().payoffs {
            Some(payoffs) => payoffs.payoff(&self.parts[index], to_move),
            None => Ok(PayoffResult::Lose),
        }
    }

    fn count_moves_of(&self, index: usize, player: Player, most: u64) -> Result<u64, Stop> {
        count_moves(&*self.rules, &self.parts[index], player, most)
    }

    fn sides_of(&self, index: usize) -> Option<Sides> {
        let packs = self.rules.capabilities().packs_sides?;
        packs.pack(&self.parts[index])
    }

    fn text_of(&self, index: usize) -> String {
        let part = std::slice::from_ref(&self.parts[index]);
        self.rules.write(part)
    }

    fn network_of(&self, index: usize) -> Option<(&Network, u32)> {
        let graph = self.rules.capabilities().explicit_graph?;
        graph.network(&self.parts[index])
    }

    fn theorem_application_of(&self, index: usize, play: Play) -> Option<Step> {
        let teaching = self.rules.capabilities().teaching?;
        teaching.theorem_application(&self.parts[index], play)
    }

    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step> {
        let teaching = self.rules.capabilities().teaching;
        teaching.map_or_else(Vec::new, |teaching| {
            teaching.argument(&self.parts[index], wanted)
        })
    }

    fn part_term(&self, index: usize) -> Arc<dyn AnyTerm> {
        self.with(vec![self.parts[index].clone()])
    }

    fn enter_part(&self, index: usize, store: &mut Store, out: &mut Vec<u32>) {
        table::enter(&self.rules, &self.parts[index..=index], store, out);
    }

    fn push_keys(&self, range: Range<usize>, store: &mut Store, out: &mut Vec<u64>) -> u32 {
        let number = table::number(&self.rules, store);
        let (table, ids) = Table::<P>::get_mut(store, number);
        for part in &self.parts[range] {
            table.push_keys(part, ids, out);
        }
        number
    }
}
