//! Stalks: chains of edges on the ground. An edge falls if any edge below it is cut.
//!
//! The value of a stalk with a game on its top is the ordinal sum of the edges and this game. The
//! positions of a stalk are its lower parts, which remain after cuts. The options in the canonical
//! form are known without comparisons (proved in docs/theory.md). If Left cuts an edge that Right
//! could also cut, the result is confused with the results of all her higher cuts. If she cuts a
//! blue edge, which only she may cut, the result is less than the results of all her higher cuts.
//! So among the blue edges only the highest counts, and it counts only if Left has no move above
//! it. The same holds for Right, with greater instead of less. No option is reversible.

use grundy_base::{Dyadic, Limits, Player, Stop};

use crate::arena::Forms;
use crate::form::Form;

/// Number of forms that are created between two checks of the limits.
const CHECK_INTERVAL: usize = 256;

/// The options of a player in a stalk (a chain of edges on the ground), restricted to the options
/// that the canonical form has.
#[derive(Clone, Default)]
struct Cuts {
    /// For each edge that both players may cut, the value of the lower part of the stalk that
    /// remains after the cut.
    shared: Vec<Form>,
    /// The value of the lower part of the stalk that remains if the player cuts the highest edge
    /// that only this player may cut. It is `None` if there is no such edge, or if the player has a
    /// move above this edge in the stalk.
    own: Option<Form>,
}

impl Cuts {
    /// Returns the options of the player in the stalk together with `above`, the player's options
    /// in the game on top of the stalk.
    fn with(&self, above: &[Form]) -> Vec<Form> {
        let own = self.own.filter(|_| above.is_empty());
        let mut all: Vec<Form> = self.shared.iter().chain(above).copied().collect();
        all.extend(own);
        all.sort_unstable();
        all
    }
}

impl Forms {
    /// Returns the value of a stalk (a chain of edges on the ground) with the game `top` on it.
    /// `edges` has the owners of the edges, from the lowest edge upward. `None` is an edge that
    /// both players may cut.
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
    /// One form is created for each edge, and one for each position of `top`. In such a form, a
    /// player has at most one option for each edge that both players may cut. The player's other
    /// options are those in `top`, or else at most one cut of an edge of the player's own.
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
        for (index, owner) in edges.iter().enumerate() {
            if index % CHECK_INTERVAL == CHECK_INTERVAL - 1 {
                limits.check(1, self.bytes())?;
            }
            for player in Player::BOTH {
                let cuts = &mut cuts[player as usize];
                match owner {
                    None => {
                        // A green edge gives the player a move above the lower edges of the
                        // player's colour. So these no longer count.
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
        // In the positions of `top`, the stalk is complete. The options of the stalk are added to
        // their options.
        self.fold(
            top,
            limits,
            |_, top| Ok((top == Form::ZERO).then_some(stalk)),
            |forms, _, lefts, rights| Ok(forms.of_canonical(&left.with(lefts), &right.with(rights))),
        )
    }

    /// Returns the form with these options. They must be sorted and without duplicates, and none of
    /// them may be dominated or reversible.
    fn of_canonical(&mut self, left: &[Form], right: &[Form]) -> Form {
        // The form may be a number. The canonical form of a number has at most one option for each
        // player.
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
        match self.as_packed(left, right) {
            Some(packed) => self.of_packed(&packed),
            None => self.of_braces(left, right),
        }
    }
}
