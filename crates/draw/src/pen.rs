//! Drawing one term: what a move can be clicked on becomes the group of that move.

use std::collections::BTreeMap;

use grundy::step::Step;
use grundy::{Player, step};

use crate::Say;
use crate::ink::Tone;
use crate::shown::{Look, Shown};
use crate::sketch::{Side, Sketch, Target};

/// What a term is drawn with.
pub(crate) struct Pen<'a> {
    pub(crate) sketch: Sketch,
    pub(crate) look: Look,
    say: Say<'a>,
    /// The moves that have no place yet.
    waiting: BTreeMap<Vec<u64>, Target>,
    /// Their order as they came.
    order: Vec<Vec<u64>>,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(component: usize, shown: &Shown, look: Look, say: Say<'a>) -> Self {
        let mut pen = Self {
            sketch: Sketch::default(),
            look,
            say,
            waiting: BTreeMap::new(),
            order: Vec::new(),
        };
        for mv in &shown.moves {
            let player = mv.player.map(|player| match player {
                Player::Left => "left",
                Player::Right => "right",
            });
            let words = match &mv.leaves {
                Some(leaves) => pen.say(
                    &Step::new("picture_move")
                        .with("move", mv.words.clone())
                        .with("leaves", leaves.clone()),
                ),
                None => mv.words.clone(),
            };
            // What both players may do is one place, with the words of both.
            if let Some(target) = pen.waiting.get_mut(&mv.at) {
                target.players.extend(player);
                target.wins_for = match (target.wins, mv.wins) {
                    (true, false) => target.wins_for,
                    (false, true) => mv.player,
                    _ => None,
                };
                target.wins |= mv.wins;
                target.leaves = None;
                if target.words != words {
                    target.words = format!("{}; {words}", target.words);
                }
                continue;
            }
            pen.order.push(mv.at.clone());
            let target = Target {
                component,
                at: mv.at.clone(),
                players: player.into_iter().collect(),
                leaves: mv.leaves.clone(),
                wins: mv.wins,
                wins_for: mv.player.filter(|_| mv.wins),
                words,
            };
            pen.waiting.insert(mv.at.clone(), target);
        }
        pen
    }

    pub(crate) fn say(&self, step: &step::Step) -> String {
        (self.say)(step)
    }

    /// Draws what the move `at` is clicked on, which is there without the move too. `draw` is told
    /// whether the move is to be marked; its star goes to `star`, or the letter of the player for
    /// whom it wins, if another one may do it too.
    pub(crate) fn spot(
        &mut self,
        at: &[u64],
        star: [f64; 2],
        draw: impl FnOnce(&mut Sketch, bool),
    ) {
        let Some(target) = self.waiting.remove(at) else {
            return draw(&mut self.sketch, false);
        };
        let best = target.wins;
        let both = target.players.len() == 2;
        let player = target.wins_for.filter(|_| both);
        self.sketch.open(target);
        draw(&mut self.sketch, best);
        match player {
            Some(player) => self.sketch.star_of(player, star),
            None if best => self.sketch.star(star),
            None => {}
        }
        self.sketch.close();
    }

    /// The same for what is there only for the move.
    pub(crate) fn place(
        &mut self,
        at: &[u64],
        star: [f64; 2],
        draw: impl FnOnce(&mut Sketch, bool),
    ) {
        if self.has(at) {
            self.spot(at, star, draw);
        }
    }

    /// Returns whether there is such a move that has no place yet.
    pub(crate) fn has(&self, at: &[u64]) -> bool {
        self.waiting.contains_key(at)
    }

    /// Returns whether the move is to be marked.
    pub(crate) fn wins(&self, at: &[u64]) -> bool {
        self.waiting.get(at).is_some_and(|target| target.wins)
    }

    /// Returns the moves that have no place yet, in their order.
    pub(crate) fn waiting(&self) -> Vec<Vec<u64>> {
        let waiting = self.order.iter().filter(|at| self.has(at));
        waiting.cloned().collect()
    }

    /// Returns the picture, and the moves that have no place in it.
    pub(crate) fn finish(mut self) -> (Sketch, Vec<Target>) {
        let left = self.order.iter();
        let left = left.filter_map(|at| self.waiting.remove(at)).collect();
        (self.sketch, left)
    }

    /// A line of words below what is drawn.
    pub(crate) fn note(&mut self, step: &step::Step) {
        let [left, _, _, bottom] = self.sketch.bounds();
        let text = self.say(step);
        self.sketch
            .write([left, bottom + 14.0], 13.0, Side::Start, Tone::Ink, &text);
    }
}
