//! Conversion of forms to text, as plain text or for typesetting.

use std::cell::RefCell;
use std::fmt;

use grundy_base::braced::Braced;
use grundy_base::shared_text::Piece::{Letters, Text};
use grundy_base::shared_text::{ELLIPSIS, LONGEST, Texts};
use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;
use crate::packed::Packed;

/// A style in which values are written.
pub(crate) trait Style {
    /// Returns the text of a number.
    fn number(&self, number: &Dyadic) -> String;
    /// Returns the text of n·↑, for n other than 0.
    fn ups(&self, n: i64) -> String;
    /// Returns the text of the nimber *m, for m > 0.
    fn star(&self, star: u64) -> String;
    /// Returns the text of `^[n]` if the bracket is `[`, or of `^<n>` if it is `<`.
    fn power(&self, n: i64, bracket: char) -> String;
    /// Returns the texts before and after G in `Tiny(G)` (for Left) or `Miny(G)` (for Right).
    fn tiny(&self, player: Player) -> [&'static str; 2];
    /// Returns the sign that is written before a game which is its own negative.
    fn plus_minus(&self) -> &'static str;
    /// Returns the texts of the opening and the closing brace.
    fn braces(&self) -> [&'static str; 2];
    /// Returns the text of a run of `count` bars.
    fn bars(&self, count: usize) -> String;
}

/// The plain style. The parser can read the texts in this style.
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
    /// Returns the text of the form, like [`Forms::write_within`] but without limits.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let form = text::read("{{3|2}|{1|0}}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.write(form), "{3|2||1|0}");
    /// ```
    #[must_use]
    pub fn write(&mut self, form: Form) -> String {
        self.write_within(form, &Limits::none())
            .unwrap_or_else(|_| ELLIPSIS.to_owned())
    }

    /// Returns the text of the form, in the notation that the parser reads. If it is longer than
    /// [`LONGEST`], its innermost parts are replaced by `...`.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let tiny = text::read("{0||0|-2}", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.write_within(tiny, &limits)?, "Tiny(2)");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// Linear in the number of different positions of the form, not in the length of the text.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn write_within(&mut self, form: Form, limits: &Limits<'_>) -> Result<String, Stop> {
        self.write_in(&Plain, true, form, limits)
    }

    /// Returns the text of the form in braces. Only numbers are written by name.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_forms::{Forms, text};
    /// let (mut forms, limits) = (Forms::default(), Limits::default());
    /// let tiny = text::read("Tiny(2)", &mut forms, &limits).unwrap();
    /// assert_eq!(forms.write_braces(tiny, &limits)?, "{0||0|-2}");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Forms::write_within`].
    pub fn write_braces(&mut self, form: Form, limits: &Limits<'_>) -> Result<String, Stop> {
        self.write_in(&Plain, false, form, limits)
    }

    /// Returns the text of the form in the given style. If `named` is `false`, tinies and other
    /// named values are written in braces.
    pub(crate) fn write_in(
        &mut self,
        style: &impl Style,
        named: bool,
        form: Form,
        limits: &Limits<'_>,
    ) -> Result<String, Stop> {
        // A form may occur many times within itself, so the texts of parts are shared in a table.
        // Both closures use it.
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
                    return Ok((vec![tiny.prize], Dependencies::Prize(tiny)));
                }
                let mut options = forms.options_of(form, Player::Left, limits)?;
                let left = options.len();
                options.extend(forms.options_of(form, Player::Right, limits)?);
                Ok((options, Dependencies::Options(left)))
            },
            |forms, form, options, written, dependencies| {
                let texts = &mut *texts.borrow_mut();
                limits.check(1, texts.bytes())?;
                Ok(match dependencies {
                    Dependencies::Prize(tiny) => tiny_text(style, tiny, written[0], texts),
                    Dependencies::Options(left) => {
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

    /// Returns the text `x^[n]*m` or `x^<n>*m` if the form has such a value.
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
        // Forms of this kind have few options, which all differ from x by an infinitesimal. This
        // test excludes most other forms before the slow sums below.
        let (left, right) = (left?, right?);
        let close = |option: &Form| self.number_part(*option) == Some(&number);
        if left.len() + right.len() > 6 || !left.iter().chain(&right).all(close) {
            return Ok(None);
        }
        let minus_number = self.of_number(-&number);
        let rest = self.plus(form, minus_number, limits)?;
        // The atomic weight of ↑[n] is 1. That of ↑^n for n >= 2 and of nimbers is 0.
        let weight = self.atomic_weight(rest, limits)?;
        let weight = weight.and_then(|weight| self.number(weight)?.to_i64());
        let (signs, bracket): (&[i64], _) = match weight {
            Some(1) => (&[1], '['),
            Some(-1) => (&[-1], '['),
            Some(0) => (&[1, -1], '<'),
            _ => return Ok(None),
        };
        // ↑[n] and ↑^n are born on day n or later, so n is at most the birthday. The bound 24
        // limits the work.
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

    /// Returns x and G if the form is x + Tiny(G) or x + Miny(G). Otherwise returns `None`.
    fn tiny_of(&mut self, form: Form, limits: &Limits<'_>) -> Result<Option<Tiny>, Stop> {
        // The option that contains the threat must be a form in braces. A packed form differs from
        // its number only by an infinitesimal, so it threatens nothing.
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

    /// Returns the text of a form from the texts of its options. The options are sorted first: by
    /// birthday, then by the length of the text, then by the text.
    fn of_options(
        &self,
        style: &impl Style,
        named: bool,
        form: Form,
        [lefts, rights]: [&mut [(Form, Braced)]; 2],
        texts: &mut Texts,
    ) -> Braced {
        for side in [&mut *lefts, &mut *rights] {
            // The order depends only on the values, not on the numbers of the forms. So the text of
            // a value is the same in every run.
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
                    let list = Braced::join(&texts_of(lefts), texts);
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

/// Returns the texts of the options on one side.
fn texts_of(side: &[(Form, Braced)]) -> Vec<Braced> {
    side.iter().map(|(_, text)| *text).collect()
}

/// Returns the length of a text, plus 2 if it needs braces. In every style, braces count like the
/// braces of the plain style.
fn length(text: Braced, texts: &Texts) -> u64 {
    let braces = 2 * u64::from(text.bars > 0);
    texts.length(text.bare).saturating_add(braces)
}

/// The parts of x + Tiny(G) if the player is Left, or of x + Miny(G) if the player is Right.
struct Tiny {
    player: Player,
    number: Dyadic,
    prize: Form,
}

/// The forms whose texts are needed for the text of a form.
enum Dependencies {
    /// The form G of Tiny(G) or Miny(G).
    Prize(Tiny),
    /// All options, Left's options first. The integer says how many options are Left's.
    Options(usize),
}

/// Returns the text of x + Tiny(G) or x + Miny(G), given the text of G.
fn tiny_text(style: &impl Style, tiny: &Tiny, prize: Braced, texts: &mut Texts) -> Braced {
    let number = if tiny.number == Dyadic::ZERO {
        String::new()
    } else {
        style.number(&tiny.number)
    };
    let [open, close] = style.tiny(tiny.player).map(Letters);
    Braced::without_braces(texts.join(&[Letters(&number), open, Text(prize.closed), close]))
}

/// Writes the number, the multiple of up and the nimber.
impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&packed_text(&Plain, self))
    }
}

/// Returns the text of a packed form in the given style.
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
