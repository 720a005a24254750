//! Who wins, as a text for each position, and back.

use grundy::{Diagnostic, Kind, Outcome, Verdict, message};
use grundy_tablebase::GameKind;

const ALL: [Outcome; 3] = [Outcome::P, Outcome::N, Outcome::D];

/// The texts of all that can be said of a position, each with what it says for each player who may
/// begin.
pub(super) struct Outcomes(Vec<(String, Vec<Outcome>)>);

impl Outcomes {
    pub(super) fn of(kind: GameKind) -> Self {
        let said = |outcomes: Vec<Outcome>| {
            let verdict = Verdict::of(kind == GameKind::Ties, &outcomes);
            (verdict.to_string(), outcomes)
        };
        Self(match kind {
            GameKind::Impartial | GameKind::Ties => {
                ALL.into_iter().map(|one| said(vec![one])).collect()
            }
            GameKind::Partizan => {
                let pairs = ALL
                    .into_iter()
                    .flat_map(|left| ALL.map(|right| [left, right]));
                pairs.map(|pair| said(pair.to_vec())).collect()
            }
        })
    }

    /// Returns the text.
    pub(super) fn text(&self, outcomes: &[Outcome]) -> &str {
        let found = self.0.iter().find(|(_, known)| known == outcomes);
        found.map_or("", |(text, _)| text)
    }

    /// What a text says.
    pub(super) fn read(&self, text: &str) -> Result<&[Outcome], Diagnostic> {
        let found = self.0.iter().find(|(known, _)| known == text);
        found.map(|(_, outcomes)| &outcomes[..]).ok_or_else(|| {
            let message = message!("`{text}` is no outcome", text);
            Diagnostic::new(Kind::Io, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_read_back() {
        for kind in [GameKind::Impartial, GameKind::Partizan, GameKind::Ties] {
            let outcomes = Outcomes::of(kind);
            assert_eq!(outcomes.0.len(), if kind.turns() == 2 { 9 } else { 3 });
            for (text, said) in &outcomes.0 {
                assert_eq!(outcomes.read(outcomes.text(said)).unwrap(), said, "{text}");
            }
            assert!(outcomes.read("X").is_err());
        }
    }
}
