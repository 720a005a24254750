//! Writing forms, as plain text and for typesetting.

use std::fmt;
use std::sync::Arc;

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
    fn tiny(&self, player: Player, of: &str) -> String;
    fn plus_minus(&self, of: &str) -> String;
    fn in_parentheses(&self, text: &str) -> String;
    fn in_braces(&self, text: &str) -> String;
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

    fn tiny(&self, player: Player, of: &str) -> String {
        let name = player.of(["Tiny", "Miny"]);
        format!("{name}({of})")
    }

    fn plus_minus(&self, of: &str) -> String {
        format!("+-{of}")
    }

    fn in_parentheses(&self, text: &str) -> String {
        format!("({text})")
    }

    fn in_braces(&self, text: &str) -> String {
        format!("{{{text}}}")
    }

    fn bars(&self, count: usize) -> String {
        "|".repeat(count)
    }
}

/// Bars side by side, at most; a lone option that has more keeps its braces.
const BARS: usize = 4;

/// Longest text: more is not read by anybody.
const LONGEST: usize = 1 << 20;

/// A form as it is written, without the braces around it if it takes any.
#[derive(Debug)]
struct Written {
    text: String,
    /// How many bars divide it; none where it takes no braces of its own.
    bars: usize,
}

impl Forms {
    /// The form as text that can be read again; `...` where that would be longer than a megabyte.
    #[must_use]
    pub fn write(&mut self, form: Form) -> String {
        self.write_within(form, &Limits::none())
            .unwrap_or_else(|_| "...".to_owned())
    }

    /// The form as text that can be read again.
    ///
    /// # Errors
    /// The limit that was reached; [`Stop::Memory`] for more than a megabyte.
    pub fn write_within(&mut self, form: Form, limits: &Limits<'_>) -> Result<String, Stop> {
        self.write_in(&Plain, true, form, limits)
    }

    /// The same with braces alone: what has names of its own, other than numbers, ups and nimbers, is written out.
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
                Ok(text.map(|text| Arc::new(Written { text, bars: 0 })))
            },
            |forms, form| {
                if named && let Some(tiny) = forms.tiny_of(form, limits)? {
                    return Ok((vec![tiny.prize], Needed::Prize(tiny)));
                }
                let mut options = forms.options_of(form, Player::Left, limits)?;
                let left = options.len();
                options.extend(forms.options_of(form, Player::Right, limits)?);
                Ok((options.clone(), Needed::Options(options, left)))
            },
            |forms, form, texts, needed| {
                let written = match needed {
                    Needed::Prize(tiny) => tiny_text(style, tiny, &texts[0]),
                    Needed::Options(options, left) => {
                        forms.of_options(style, named, form, (options, *left), texts)
                    }
                };
                if written.text.len() > LONGEST {
                    Err(Stop::Memory(LONGEST as u64))
                } else {
                    Ok(Arc::new(written))
                }
            },
        )?;
        Ok(written.closed(style))
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
        for player in Player::BOTH {
            let own = self.options_of(form, player, limits)?;
            let others = self.options_of(form, player.other(), limits)?;
            let (&[near], &[threat]) = (&own[..], &others[..]) else {
                continue;
            };
            let Some(number) = self.number(near).cloned() else {
                continue;
            };
            let back = self.options_of(threat, player, limits)?;
            let carried_out = self.options_of(threat, player.other(), limits)?;
            let &[lost] = &carried_out[..] else { continue };
            if back != [near] {
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

    /// From what is written of the options, of which so many are Left's.
    fn of_options(
        &self,
        style: &impl Style,
        named: bool,
        form: Form,
        (options, left): (&[Form], usize),
        texts: &[Arc<Written>],
    ) -> Written {
        let mut all: Vec<(Form, &Written)> = Vec::new();
        all.extend(
            options
                .iter()
                .zip(texts)
                .map(|(&form, text)| (form, &**text)),
        );
        let (lefts, rights) = all.split_at_mut(left);
        for side in [&mut *lefts, &mut *rights] {
            side.sort_by(|(one, a), (other, b)| {
                let born = self.birthday(*one).cmp(self.birthday(*other));
                let length = a.length().cmp(&b.length());
                born.then(length).then_with(|| a.text.cmp(&b.text))
            });
        }
        let list = |side: &[(Form, &Written)]| {
            let texts: Vec<String> = side.iter().map(|(_, text)| text.closed(style)).collect();
            texts.join(",")
        };
        if named && self.negative(form) == form {
            let of = match &lefts[..] {
                [(only, text)] if text.bars > 0 || self.number(*only).is_some() => {
                    text.closed(style)
                }
                [(_, text)] => style.in_parentheses(&text.text),
                _ => style.in_braces(&list(lefts)),
            };
            return Written {
                text: style.plus_minus(&of),
                bars: 0,
            };
        }
        // A lone option goes without its braces, inside longer bars.
        let bare = |side: &[(Form, &Written)]| match side {
            [(_, only)] if only.bars < BARS => Some((only.bars, only.text.clone())),
            _ => None,
        };
        let (lefts, rights) = (&*lefts, &*rights);
        let inner = [lefts, rights].map(|side| bare(side).unwrap_or_else(|| (0, list(side))));
        let bars = inner[0].0.max(inner[1].0) + 1;
        let [(_, left), (_, right)] = inner;
        Written {
            text: format!("{left}{}{right}", style.bars(bars)),
            bars,
        }
    }
}

impl Written {
    /// How long it is, about, with its braces.
    fn length(&self) -> usize {
        self.text.len() + 2 * usize::from(self.bars > 0)
    }

    /// With its braces, if it takes any.
    fn closed(&self, style: &impl Style) -> String {
        match self.bars {
            0 => self.text.clone(),
            _ => style.in_braces(&self.text),
        }
    }
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
    /// Options, and how many of them are Left's.
    Options(Vec<Form>, usize),
}

fn tiny_text(style: &impl Style, tiny: &Tiny, prize: &Written) -> Written {
    let mut text = if tiny.number == Dyadic::ZERO {
        String::new()
    } else {
        style.number(&tiny.number)
    };
    text += &style.tiny(tiny.player, &prize.closed(style));
    Written { text, bars: 0 }
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
