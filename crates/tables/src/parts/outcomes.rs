//! The texts of outcomes in Parquet files.

use grundy::{Diagnostic, Kind, Outcome, Verdict, message};
use grundy_tablebase::GameKind;

const ALL: [Outcome; 3] = [Outcome::P, Outcome::N, Outcome::D];

/// All possible outcomes of a position, each as its text and as one outcome for each player who may
/// move first.
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
            // All nine pairs have distinct texts, so the pair can be recovered from the text.
            GameKind::Partizan => {
                let pairs = ALL
                    .into_iter()
                    .flat_map(|left| ALL.map(|right| [left, right]));
                pairs.map(|pair| said(pair.to_vec())).collect()
            }
        })
    }

    /// Returns the text of the outcomes of a position.
    pub(super) fn text(&self, outcomes: &[Outcome]) -> &str {
        let found = self.0.iter().find(|(_, known)| known == outcomes);
        found.map_or("", |(text, _)| text)
    }

    /// Parses a text. Returns the outcomes, one for each player who may move first.
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
                // Equal texts would make `read` find the first one, so this proves the texts
                // distinct as well.
                assert_eq!(outcomes.read(outcomes.text(said)).unwrap(), said, "{text}");
            }
            assert!(outcomes.read("X").is_err());
        }
    }
}
