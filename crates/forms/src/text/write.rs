//! Writing forms, as plain text and for typesetting.

use std::cell::RefCell;
use std::fmt;

use grundy_base::braced::Braced;
use grundy_base::shared_text::Piece::{Letters, Text};
use grundy_base::shared_text::{CUT, LONGEST, Texts};
use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

/// How values are written.
pub(crate) trait Style {
    fn number(&self, number: &Dyadic) -> String;
    /// n·↑ for n other than 0.
    fn ups(&self, n: i64) -> String;
    fn star(&self, star: u64) -> String;
    /// `^[n]` for the bracket `[`, `^<n>` for `<`.
    fn power(&self, n: i64, bracket: char) -> String;
    /// Returns the texts before and after the prize.
    fn tiny(&self, player: Player) -> [&'static str; 2];
    /// Returns the sign before a game.
    fn plus_minus(&self) -> &'static str;
    fn braces(&self) -> [&'static str; 2];
    fn bars(&self, count: usize) -> String;
}

/// As the notation has it.
pub(crate) struct Plain;

impl Style for Plain {
    fn number(&self, number: &Dyadic) -> String {
        number.to_string()
    }

    fn ups(&self, n: i64) -> String {
        let letter = if n > 0 { "^" } else { "v" };
        match n.unsigned_abs() {
            n @ (1 | 2) => letter.repeat(n as usize),
            n => format!("{letter}{n}"),
        }
    }

    fn star(&self, star: u64) -> String {
        match star {
            1 => "*".to_owned(),
            star => format!("*{star}"),
        }
    }

    fn power(&self, n: i64, bracket: char) -> String {
        let letter = if n > 0 { "^" } else { "v" };
        let close = if bracket == '[' { ']' } else { '>' };
        format!("{letter}{bracket}{}{close}", n.unsigned_abs())
    }

    fn tiny(&self, player: Player) -> [&'static str; 2] {
        [player.of(["Tiny(", "Miny("]), ")"]
    }

    fn plus_minus(&self) -> &'static str {
        "+-"
    }

    fn braces(&self) -> [&'static str; 2] {
        ["{", "}"]
    }

    fn bars(&self, count: usize) -> String {
        "|".repeat(count)
    }
}

impl Forms {
    /// Writes the form as [`Forms::write_within`] does, without a limit on the work.
    #[must_use]
    pub fn write(&mut self, form: Form) -> String {
        self.write_within(form, &Limits::none())
            .unwrap_or_else(|_| CUT.to_owned())
    }

    /// Writes the form as text that can be read again. If that is longer than [`LONGEST`], `...`
    /// stands for its innermost parts.
    ///
    /// # Complexity
    /// Linear in the number of forms inside it, whatever the length of the text.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn write_within(&mut self, form: Form, limits: &Limits<'_>) -> Result<String, Stop> {
        self.write_in(&Plain, true, form, limits)
    }

    /// Returns the same with braces alone: what has names of its own, other than numbers, ups and
    /// nimbers, is written out.
    ///
    /// # Errors
    /// As [`Forms::write_within`].
    pub fn write_braces(&mut self, form: Form, limits: &Limits<'_>) -> Result<String, Stop> {
        self.write_in(&Plain, false, form, limits)
    }

    pub(crate) fn write_in(
        &mut self,
        style: &impl Style,
        named: bool,
        form: Form,
        limits: &Limits<'_>,
    ) -> Result<String, Stop> {
        let texts = RefCell::new(Texts::default());
        let written = self.fold_over(
            form,
            limits,
            |forms, form| {
                let packed = forms.packed(form);
                let packed = packed.filter(|packed| named || packed.is_number());
                let text = match packed.map(|packed| packed_text(style, packed)) {
                    None if named => forms.power_text(style, form, limits)?,
                    text => text,
                };
                Ok(text.map(|text| {
                    let text = texts.borrow_mut().join(&[Letters(&text)]);
                    Braced::without_braces(text)
                }))
            },
            |forms, form| {
                if named && let Some(tiny) = forms.tiny_of(form, limits)? {
                    return Ok((vec![tiny.prize], Needed::Prize(tiny)));
                }
                let mut options = forms.options_of(form, Player::Left, limits)?;
                let left = options.len();
                options.extend(forms.options_of(form, Player::Right, limits)?);
                Ok((options, Needed::Options(left)))
            },
            |forms, form, options, written, needed| {
                let texts = &mut *texts.borrow_mut();
                limits.check(1, texts.bytes())?;
                Ok(match needed {
                    Needed::Prize(tiny) => tiny_text(style, tiny, written[0], texts),
                    Needed::Options(left) => {
                        let options = options.iter().copied();
                        let mut all: Vec<(Form, Braced)> =
                            options.zip(written.iter().copied()).collect();
                        let (lefts, rights) = all.split_at_mut(*left);
                        forms.of_options(style, named, form, [lefts, rights], texts)
                    }
                })
            },
        )?;
        Ok(texts.into_inner().write(written.closed, LONGEST))
    }

    /// x^[n]*m and x^<n>*m.
    fn power_text(
        &mut self,
        style: &impl Style,
        form: Form,
        limits: &Limits<'_>,
    ) -> Result<Option<String>, Stop> {
        let Some(number) = self.number_part(form).cloned() else {
            return Ok(None);
        };
        let few = Player::BOTH.map(|player| self.options_of(form, player, limits));
        let [left, right] = few;
        // What is looked for has few options, each of which is as close to the number.
        let (left, right) = (left?, right?);
        let close = |option: &Form| self.number_part(*option) == Some(&number);
        if left.len() + right.len() > 6 || !left.iter().chain(&right).all(close) {
            return Ok(None);
        }
        let away = self.of_number(-&number);
        let rest = self.plus(form, away, limits)?;
        // ↑[n] has the atomic weight 1, the powers from the second on and nimbers have 0.
        let weight = self.atomic_weight(rest, limits)?;
        let weight = weight.and_then(|weight| self.number(weight)?.to_i64());
        let (signs, bracket): (&[i64], _) = match weight {
            Some(1) => (&[1], '['),
            Some(-1) => (&[-1], '['),
            Some(0) => (&[1, -1], '<'),
            _ => return Ok(None),
        };
        let born = self.birthday(rest).to_i64().unwrap_or(0).min(24);
        for n in 2..=born {
            for n in signs.iter().map(|sign| sign * n) {
                let power = match bracket {
                    '[' => self.up_to(n, limits)?,
                    _ => self.up_power(n, limits)?,
                };
                let left = self.minus(rest, power, limits)?;
                let Some(packed) = self.packed(left).filter(|left| left.ups == 0) else {
                    continue;
                };
                let mut text = if number == Dyadic::ZERO {
                    String::new()
                } else {
                    style.number(&number)
                };
                let star = packed.star;
                text += &style.power(n, bracket);
                if star > 0 {
                    text += &style.star(star);
                }
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// x and G where the form is x + Tiny(G) or x + Miny(G).
    fn tiny_of(&mut self, form: Form, limits: &Limits<'_>) -> Result<Option<Tiny>, Stop> {
        // A threat without braces is infinitesimally close to its number, and has no prize.
        let Some([&[left], &[right]]) = self.braces(form) else {
            return Ok(None);
        };
        for player in Player::BOTH {
            let [near, threat] = player.of([[left, right], [right, left]]);
            let (Some(number), Some(threat)) = (self.number(near).cloned(), self.braces(threat))
            else {
                continue;
            };
            let [&[back], &[lost]] = player.of([threat, [threat[1], threat[0]]]) else {
                continue;
            };
            if back != near {
                continue;
            }
            let [from, to] = player.of([[near, lost], [lost, near]]);
            let prize = self.minus(from, to, limits)?;
            if self.left_stop(prize).sign().is_gt() {
                return Ok(Some(Tiny {
                    player,
                    number,
                    prize,
                }));
            }
        }
        Ok(None)
    }

    /// Writes a form from the texts of the options of Left and Right.
    fn of_options(
        &self,
        style: &impl Style,
        named: bool,
        form: Form,
        [lefts, rights]: [&mut [(Form, Braced)]; 2],
        texts: &mut Texts,
    ) -> Braced {
        for side in [&mut *lefts, &mut *rights] {
            side.sort_by(|(one, a), (other, b)| {
                let born = self.birthday(*one).cmp(self.birthday(*other));
                let length = length(*a, texts).cmp(&length(*b, texts));
                born.then(length)
                    .then_with(|| texts.compare(a.bare, b.bare))
            });
        }
        let [open, close] = style.braces();
        if named && self.negative(form) == form {
            let sign = Letters(style.plus_minus());
            let text = match *lefts {
                [(only, text)] if text.bars > 0 || self.number(only).is_some() => {
                    texts.join(&[sign, Text(text.closed)])
                }
                [(_, text)] => texts.join(&[sign, Letters("("), Text(text.bare), Letters(")")]),
                _ => {
                    let list = Braced::list(&texts_of(lefts), texts);
                    texts.join(&[sign, Letters(open), Text(list), Letters(close)])
                }
            };
            return Braced::without_braces(text);
        }
        let [lefts, rights] = [texts_of(lefts), texts_of(rights)];
        Braced::of_options(
            [&lefts, &rights],
            [open, close],
            |count| style.bars(count),
            texts,
        )
    }
}

fn texts_of(side: &[(Form, Braced)]) -> Vec<Braced> {
    side.iter().map(|(_, text)| *text).collect()
}

/// Returns the length with the braces of plain text, whatever the style.
fn length(text: Braced, texts: &Texts) -> u64 {
    let braces = 2 * u64::from(text.bars > 0);
    texts.length(text.bare).saturating_add(braces)
}

/// x + Tiny(G) for Left, x + Miny(G) for Right.
struct Tiny {
    player: Player,
    number: Dyadic,
    prize: Form,
}

/// What has to be written before a form is.
enum Needed {
    Prize(Tiny),
    /// The options, so many of which are Left's.
    Options(usize),
}

fn tiny_text(style: &impl Style, tiny: &Tiny, prize: Braced, texts: &mut Texts) -> Braced {
    let number = if tiny.number == Dyadic::ZERO {
        String::new()
    } else {
        style.number(&tiny.number)
    };
    let [open, close] = style.tiny(tiny.player).map(Letters);
    Braced::without_braces(texts.join(&[Letters(&number), open, Text(prize.closed), close]))
}

/// A number, ups and a nimber.
impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&packed_text(&Plain, self))
    }
}

fn packed_text(style: &impl Style, packed: &Packed) -> String {
    let mut text = String::new();
    if packed.number != Dyadic::ZERO || packed.is_number() {
        text += &style.number(&packed.number);
    }
    if packed.ups != 0 {
        text += &style.ups(packed.ups);
    }
    if packed.star > 0 {
        text += &style.star(packed.star);
    }
    text
}
