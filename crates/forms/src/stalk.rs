//! Stalks: edges above one another, which fall with what is cut below them.
//!
//! A stalk is an ordinal sum of its edges, and with a game on its top one of these and that. Its
//! positions are what is left of it by cuts, and which of these count is known without comparing
//! any (proved in docs/theory.md): what Left leaves by cutting an edge that Right may cut, too, is
//! confused with all that stands higher; what she leaves by cutting one of her own is less than
//! that. So of her own edges only the highest counts, where nothing she may do stands above it, and
//! no option is reversible.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// Forms made between two looks at the limits.
const AT_ONCE: usize = 256;

/// The options of a player in a stalk.
#[derive(Clone, Default)]
struct Cuts {
    /// What is left when an edge is cut that both may cut.
    shared: Vec<Form>,
    /// The same for an own edge, where nothing that the player may cut stands above.
    own: Option<Form>,
}

impl Cuts {
    /// Returns the options, with those higher up.
    fn with(&self, above: &[Form]) -> Vec<Form> {
        let own = self.own.filter(|_| above.is_empty());
        let mut all: Vec<Form> = self.shared.iter().chain(above).copied().collect();
        all.extend(own);
        all.sort_unstable();
        all
    }
}

impl Forms {
    /// Returns the value of a stalk with `top` on it. Of each edge, from the lowest up, is said
    /// whose it is; nobody's is everybody's.
    ///
    /// ```
    /// use grundy_base::{Limits, Player};
    /// use grundy_forms::{Form, Forms};
    /// let mut forms = Forms::default();
    /// let left = Some(Player::Left);
    /// let flower = forms.on_stalk(&[None, left, left], Form::ZERO, &Limits::none())?;
    /// assert_eq!(forms.write(flower), "^[2]*");
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// A form for each edge and for each position of the top, with at most as many options as there
    /// are edges of both.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn on_stalk(
        &mut self,
        edges: &[Option<Player>],
        top: Form,
        limits: &Limits<'_>,
    ) -> Result<Form, Stop> {
        self.step(limits)?;
        let mut cuts = [Cuts::default(), Cuts::default()];
        let mut stalk = Form::ZERO;
        for (place, owner) in edges.iter().enumerate() {
            if place % AT_ONCE == AT_ONCE - 1 {
                limits.check(1, self.bytes())?;
            }
            for player in Player::BOTH {
                let cuts = &mut cuts[player as usize];
                match owner {
                    None => {
                        cuts.shared.push(stalk);
                        cuts.own = None;
                    }
                    Some(owner) if *owner == player => cuts.own = Some(stalk),
                    Some(_) => {}
                }
            }
            let [left, right] = [&cuts[0], &cuts[1]].map(|cuts| cuts.with(&[]));
            stalk = self.of_canonical(&left, &right);
        }
        let [left, right] = cuts;
        self.fold(
            top,
            limits,
            |_, top| Ok((top == Form::ZERO).then_some(stalk)),
            |forms, _, lefts, rights| Ok(forms.of_canonical(&left.with(lefts), &right.with(rights))),
        )
    }

    /// Returns the form with these options, none of which is dominated or reversible: in order,
    /// each once.
    fn of_canonical(&mut self, left: &[Form], right: &[Form]) -> Form {
        if let ([] | [_], [] | [_]) = (left, right) {
            let ends = [left, right].map(|side| side.first().map(|&option| self.number(option)));
            let simplest = match ends {
                [None, None] => Some(Dyadic::ZERO),
                [Some(Some(most)), None] => Dyadic::simplest(Some(most), None),
                [None, Some(Some(least))] => Dyadic::simplest(None, Some(least)),
                [Some(Some(most)), Some(Some(least))] if most < least => {
                    Dyadic::simplest(Some(most), Some(least))
                }
                _ => None,
            };
            if let Some(number) = simplest {
                return self.of_number(number);
            }
        }
        match self.unbraced(left, right) {
            Some(packed) => self.of_packed(&packed),
            None => self.of_braces(left, right),
        }
    }
}
