//! The explanation of the value of a partizan position.
//!
//! It lists the options with their values, the options that are dominated or reversible, and the
//! options of the canonical form. For a number, it shows that the number is the simplest one that
//! fits. For a hot game, it gives the stops, the mean and the temperature. For an infinitesimal, it
//! gives the atomic weight.

use std::ops::ControlFlow;

use grundy_forms::{Form, Forms};

use crate::position::Position;
use crate::values::Engine;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Halt, Limits, Stop, stopped_early};
use grundy_base::player::Player;
use grundy_base::step::{Datum, Step};

use super::steps::of;

/// Largest number of options of a player that are listed.
const MAX_OPTIONS: usize = 24;

/// Largest number of replies in the test for reversible options, over all options of one player.
/// With more replies the value is not explained.
const MAX_REPLIES: usize = 400;

/// Largest length of the text of a value in a step, in bytes.
const MAX_TEXT_BYTES: usize = 200;

/// Limit on the number of positions and forms that are computed for one explanation.
const MAX_FORMS: u64 = 100_000;

/// A position with its value.
struct ValuedPosition {
    position: Position,
    form: Form,
    text: String,
}

impl ValuedPosition {
    /// Returns the position and its value, as "position = value".
    fn text(&self) -> String {
        format!("{} = {}", self.position, self.text)
    }
}

/// Returns the steps for a position that has a value. Returns no steps if the explanation would be
/// too long, or if the value is a number that a theorem gives. Also returns no steps if a limit on
/// positions or memory is reached.
pub(super) fn steps(
    position: &Position,
    by_theorem: bool,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let limits = Limits {
        positions: limits.positions.min(MAX_FORMS),
        ..*limits
    };
    // Use a new engine, so that the explanation does not depend on earlier questions.
    let mut value_steps = ValueSteps {
        engine: Engine::default(),
        limits: &limits,
        steps: Vec::new(),
    };
    match value_steps.push_all(position, by_theorem) {
        Ok(true) => Ok(value_steps.steps),
        Err(stop @ (Stop::Time | Stop::Interrupted | Stop::Rules(_))) => Err(stop),
        // The solution is valid without this argument, so it is left out if a limit is reached.
        Ok(false) | Err(_) => Ok(Vec::new()),
    }
}

/// The steps found so far, with the engine and the limits.
struct ValueSteps<'a> {
    engine: Engine,
    limits: &'a Limits<'a>,
    steps: Vec<Step>,
}

impl ValueSteps<'_> {
    /// Appends all steps. Returns `false` if the explanation would be too long: a player has too
    /// many options, or the text of a value is too long.
    fn push_all(&mut self, position: &Position, by_theorem: bool) -> Result<bool, Stop> {
        let Some(game) = self.valued(position.clone())? else {
            return Ok(false);
        };
        let number = self.forms().number(game.form).cloned();
        // The theorem already explains the number, so the options are not needed.
        if number.is_some() && by_theorem {
            return Ok(true);
        }
        let mut sides = Vec::new();
        for player in Player::BOTH {
            let Some(options) = self.options(position, player, MAX_OPTIONS)? else {
                return Ok(false);
            };
            self.steps.push(if options.is_empty() {
                of(player, "left_has_no_option", "right_has_no_option")
            } else {
                let texts = options.iter().map(|option| Datum::Text(option.text()));
                of(player, "left_options", "right_options")
                    .with("options", Datum::List(texts.collect()))
            });
            sides.push(options);
        }
        // By the simplicity theorem the number follows from the stops of the options. The canonical
        // form is not needed.
        if let Some(number) = number {
            let step = self.simplest_number_step(&number, &sides);
            self.steps.push(step);
            return Ok(true);
        }
        for (player, options) in Player::BOTH.into_iter().zip(&sides) {
            if !self.push_reductions(&game, player, options)? {
                return Ok(false);
            }
        }
        self.push_canonical_options(game.form)?;
        self.push_temperature(game.form)?;
        Ok(true)
    }

    /// Returns the arena of forms.
    fn forms(&mut self) -> &mut Forms {
        &mut self.engine.short.theory.forms
    }

    /// Returns whether `a` is at most `b`.
    fn at_most(&mut self, a: Form, b: Form) -> Result<bool, Stop> {
        self.engine.short.theory.forms.at_most(a, b, self.limits)
    }

    /// Returns a position with its value. Returns `None` if the text of the value is too long.
    fn valued(&mut self, position: Position) -> Result<Option<ValuedPosition>, Stop> {
        let form = self.engine.form_of_position(&position, self.limits)?;
        let text = self
            .engine
            .short
            .theory
            .forms
            .write_within(form, self.limits)?;
        let readable = text.len() <= MAX_TEXT_BYTES;
        Ok(readable.then_some(ValuedPosition {
            position,
            form,
            text,
        }))
    }

    /// Returns the options of a player with their values. Returns `None` if there are too many
    /// options, or if the text of a value is too long.
    fn options(
        &mut self,
        position: &Position,
        player: Player,
        most: usize,
    ) -> Result<Option<Vec<ValuedPosition>>, Stop> {
        let mut options = Vec::new();
        let stopped = stopped_early(position.moves(player, &mut |_, _, to| {
            let valued = (options.len() < most).then(|| self.valued(to()));
            match valued.transpose() {
                Ok(Some(Some(valued))) => {
                    options.push(valued);
                    ControlFlow::Continue(())
                }
                Ok(_) => ControlFlow::Break(Halt::Enough),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        }))?;
        Ok((!stopped).then_some(options))
    }

    /// Appends a step for each dominated option of a player, and for each other option that is
    /// reversible. Returns `false` if there are too many replies to list, or if the text of a value
    /// is too long.
    fn push_reductions(
        &mut self,
        game: &ValuedPosition,
        player: Player,
        options: &[ValuedPosition],
    ) -> Result<bool, Stop> {
        let mut reply_count = 0;
        'options: for (index, option) in options.iter().enumerate() {
            for (other, better) in options.iter().enumerate() {
                // Of several options with the same value, the first one stays.
                if other == index || better.form == option.form && other > index {
                    continue;
                }
                // An option of Left is dominated by a larger one, and an option of Right by a
                // smaller one.
                let [low, high] = player.of([[option, better], [better, option]]);
                if self.at_most(low.form, high.form)? {
                    let step = of(player, "left_dominated", "right_dominated");
                    self.steps.push(
                        step.with("option", option.position.to_string())
                            .with("value", option.text.as_str())
                            .with("by", better.position.to_string())
                            .with("by_value", better.text.as_str()),
                    );
                    continue 'options;
                }
            }
            // An option G^L is reversible if some G^LR is at most G. An option G^R is reversible if
            // some G^RL is at least G.
            let Some(replies) =
                self.options(&option.position, player.other(), MAX_REPLIES - reply_count)?
            else {
                return Ok(false);
            };
            reply_count += replies.len();
            for reply in &replies {
                let [low, high] = player.of([[reply.form, game.form], [game.form, reply.form]]);
                if !self.at_most(low, high)? {
                    continue;
                }
                let Some(through) = self.options(&reply.position, player, MAX_OPTIONS)? else {
                    return Ok(false);
                };
                let step = if through.is_empty() {
                    of(player, "left_reversible_out", "right_reversible_out")
                } else {
                    let texts = through.iter().map(|option| Datum::Text(option.text()));
                    of(player, "left_reversible", "right_reversible")
                        .with("through", Datum::List(texts.collect()))
                };
                self.steps.push(
                    step.with("option", option.position.to_string())
                        .with("value", option.text.as_str())
                        .with("reply", reply.position.to_string())
                        .with("reply_value", reply.text.as_str()),
                );
                // One such reply shows that the option is reversible.
                break;
            }
        }
        Ok(true)
    }

    /// Appends the step with the options of the canonical form. Omits it if a player has more than
    /// [`MAX_OPTIONS`] options, or if the text of an option is longer than [`MAX_TEXT_BYTES`].
    fn push_canonical_options(&mut self, form: Form) -> Result<(), Stop> {
        let mut sides = Vec::new();
        for player in Player::BOTH {
            let options = self
                .engine
                .short
                .theory
                .forms
                .options_of(form, player, self.limits)?;
            let mut texts: Vec<String> = Vec::new();
            for option in options.iter().take(MAX_OPTIONS + 1) {
                texts.push(
                    self.engine
                        .short
                        .theory
                        .forms
                        .write_within(*option, self.limits)?,
                );
            }
            if texts.len() > MAX_OPTIONS || texts.iter().any(|text| text.len() > MAX_TEXT_BYTES) {
                return Ok(());
            }
            // The order of the forms depends on their ids, so sort the texts to make the output
            // reproducible.
            texts.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
            sides.push(texts);
        }
        let [left, right] = [&sides[0], &sides[1]];
        self.steps.push(
            Step::new("options_remain")
                .with("left", left.clone())
                .with("right", right.clone()),
        );
        Ok(())
    }

    /// Returns the step which states that the value is the simplest number that fits between the
    /// options.
    fn simplest_number_step(&mut self, number: &Dyadic, sides: &[Vec<ValuedPosition>]) -> Step {
        // A number x fits if no G^L is at least x and no G^R is at most x. This depends only on the
        // right stops of the options of Left and on the left stops of the options of Right.
        let forms = self.forms();
        let most = sides[0]
            .iter()
            .map(|option| forms.right_stop(option.form))
            .max();
        let least = sides[1]
            .iter()
            .map(|option| forms.left_stop(option.form))
            .min();
        let code = match (most, least) {
            (Some(_), Some(_)) => "simplest_between",
            (Some(_), None) => "simplest_above",
            (None, Some(_)) => "simplest_below",
            (None, None) => "simplest_of_all",
        };
        let mut step = Step::new(code);
        if let Some(most) = most {
            step = step.with("most", most.to_string());
        }
        if let Some(least) = least {
            step = step.with("least", least.to_string());
        }
        step.with("value", number.to_string())
    }

    /// Appends the stops, the mean and the temperature of a hot form. For a number plus an
    /// infinitesimal, appends the atomic weight.
    fn push_temperature(&mut self, form: Form) -> Result<(), Stop> {
        let limits = self.limits;
        let forms = self.forms();
        let Some(number) = forms.number_part(form).cloned() else {
            let thermograph = forms.thermograph(form, limits)?;
            let step = Step::new("hot")
                .with("left_stop", forms.left_stop(form).to_string())
                .with("right_stop", forms.right_stop(form).to_string())
                .with("mean", thermograph.mean().to_string())
                .with("temperature", thermograph.temperature().to_string());
            self.steps.push(step);
            return Ok(());
        };
        let step = Step::new("infinitesimal").with("number", number.to_string());
        let Some(weight) = forms.atomic_weight(form, limits)? else {
            self.steps.push(step);
            return Ok(());
        };
        // The two-ahead rule: with an atomic weight of at least 2, Left wins no matter who moves
        // first.
        let two = forms.of_integer(2);
        let minus_two = forms.of_integer(-2);
        let ahead = [
            forms.at_most(two, weight, limits)?,
            forms.at_most(weight, minus_two, limits)?,
        ];
        let code = match ahead {
            [true, _] => "left_two_ahead",
            [_, true] => "right_two_ahead",
            _ => "atomic_weight",
        };
        let weight = forms.write_within(weight, limits)?;
        self.steps.push(step);
        self.steps.push(Step::new(code).with("weight", weight));
        Ok(())
    }
}
