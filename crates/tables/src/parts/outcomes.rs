//! Outcomes of positions as texts in Parquet files.

use grundy_core::{Diagnostic, Kind, Outcome, Verdict, message};
use grundy_tablebase::GameKind;

const ALL: [Outcome; 3] = [Outcome::P, Outcome::N, Outcome::D];

/// All combinations of outcomes that a position can have, each as a text and as a list. Each list
/// contains one outcome for each player who may move first.
pub(super) struct Outcomes(Vec<(String, Vec<Outcome>)>);

impl Outcomes {
    pub(super) fn of(kind: GameKind) -> Self {
        let text_of = |outcomes: Vec<Outcome>| {
            let verdict = Verdict::of(kind == GameKind::Ties, &outcomes);
            (verdict.to_string(), outcomes)
        };
        Self(match kind {
            GameKind::Impartial | GameKind::Ties => {
                ALL.into_iter().map(|one| text_of(vec![one])).collect()
            }
            // The nine pairs have different texts, so a pair can be recovered from its text.
            GameKind::Partizan => {
                let pairs = ALL
                    .into_iter()
                    .flat_map(|left| ALL.map(|right| [left, right]));
                pairs.map(|pair| text_of(pair.to_vec())).collect()
            }
        })
    }

    /// Returns the text for the outcomes of a position.
    pub(super) fn text(&self, outcomes: &[Outcome]) -> &str {
        let found = self.0.iter().find(|(_, known)| known == outcomes);
        found.map_or("", |(text, _)| text)
    }

    /// Parses the text for the outcomes of a position. Returns one outcome for each player who may
    /// move first.
    pub(super) fn read(&self, text: &str) -> Result<&[Outcome], Diagnostic> {
        let found = self.0.iter().find(|(known, _)| known == text);
        found.map(|(_, outcomes)| &outcomes[..]).ok_or_else(|| {
            let message = message!("`{text}` is not an outcome", text);
            Diagnostic::new(Kind::Io, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcome_texts_round_trip() {
        for kind in [GameKind::Impartial, GameKind::Partizan, GameKind::Ties] {
            let outcomes = Outcomes::of(kind);
            assert_eq!(outcomes.0.len(), if kind.turns() == 2 { 9 } else { 3 });
            for (text, list) in &outcomes.0 {
                // If two texts were equal, `read` would return the first one. So this also shows
                // that the texts differ.
                assert_eq!(outcomes.read(outcomes.text(list)).unwrap(), list, "{text}");
            }
            assert!(outcomes.read("X").is_err());
        }
    }
}
