//! The pen that draws one component. All shapes on which the same move can be clicked form one
//! group.

use std::collections::BTreeMap;

use grundy_core::step::Step;
use grundy_core::{Player, step};

use crate::Wording;
use crate::component::{DrawnComponent, PictureStyle};
use crate::ink::Tone;
use crate::sketch::{Side, Sketch, Target};

/// The drawing of one component, and the moves for which no shape has been drawn yet.
pub(crate) struct Pen<'a> {
    pub(crate) sketch: Sketch,
    pub(crate) style: PictureStyle,
    say: Wording<'a>,
    /// The moves for which no shape has been drawn yet. The key is the list `at` of integers that
    /// identify the move.
    unplaced: BTreeMap<Vec<u64>, Target>,
    /// The lists of integers that identify the moves, in the order of the input.
    order: Vec<Vec<u64>>,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(
        component: usize,
        shown: &DrawnComponent,
        style: PictureStyle,
        say: Wording<'a>,
    ) -> Self {
        let mut pen = Self {
            sketch: Sketch::default(),
            style,
            say,
            unplaced: BTreeMap::new(),
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
            // A move that both players can make has one place. If its description differs between
            // the players, the text contains both descriptions.
            if let Some(target) = pen.unplaced.get_mut(&mv.at) {
                target.players.extend(player);
                // The mark names a player only if the move wins for exactly one of the two players.
                target.wins_for = match (target.wins, mv.wins) {
                    (true, false) => target.wins_for,
                    (false, true) => mv.player,
                    _ => None,
                };
                target.wins |= mv.wins;
                // The outcome after the move depends on the player who made it, so it is not shown.
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
            pen.unplaced.insert(mv.at.clone(), target);
        }
        pen
    }

    pub(crate) fn say(&self, step: &step::Step) -> String {
        (self.say)(step)
    }

    /// Draws the shape on which the move `at` is clicked, and removes the move from the list of
    /// moves without a shape. If there is no such move, the shape is drawn all the same. `draw`
    /// receives `true` if the move is marked as winning, and then a star is drawn at `star`. If
    /// both players can make the move but it wins for only one of them, the letter of this player
    /// replaces the star.
    pub(crate) fn draw_target(
        &mut self,
        at: &[u64],
        star: [f64; 2],
        draw: impl FnOnce(&mut Sketch, bool),
    ) {
        // Without such a move, the same shape is drawn outside any group.
        let Some(target) = self.unplaced.remove(at) else {
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

    /// Draws the shape on which the move `at` is clicked, if there is such a move. Otherwise draws
    /// nothing.
    pub(crate) fn draw_target_if_any(
        &mut self,
        at: &[u64],
        star: [f64; 2],
        draw: impl FnOnce(&mut Sketch, bool),
    ) {
        if self.has(at) {
            self.draw_target(at, star, draw);
        }
    }

    /// Returns whether the move `at` exists and no shape has been drawn for it yet.
    pub(crate) fn has(&self, at: &[u64]) -> bool {
        self.unplaced.contains_key(at)
    }

    /// Returns whether the move `at` is marked as winning and no shape has been drawn for it yet.
    pub(crate) fn wins(&self, at: &[u64]) -> bool {
        self.unplaced.get(at).is_some_and(|target| target.wins)
    }

    /// Returns the moves for which no shape has been drawn yet, in the order of the input.
    pub(crate) fn unplaced(&self) -> Vec<Vec<u64>> {
        let unplaced = self.order.iter().filter(|at| self.has(at));
        unplaced.cloned().collect()
    }

    /// Returns the drawing of the component, and the moves for which it contains no shape.
    pub(crate) fn finish(mut self) -> (Sketch, Vec<Target>) {
        let moves = self.order.iter();
        let targets = moves.filter_map(|at| self.unplaced.remove(at)).collect();
        (self.sketch, targets)
    }

    /// Writes the text for a step (a message code with arguments) below the drawing, as one line.
    pub(crate) fn note(&mut self, step: &step::Step) {
        let [left, _, _, bottom] = self.sketch.bounds();
        let text = self.say(step);
        self.sketch
            .write([left, bottom + 14.0], 13.0, Side::Start, Tone::Ink, &text);
    }
}
