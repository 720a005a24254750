//! The corpus of positions with published answers, parsed from the notation and printed back.

use grundy_core::ruleset::Ends;
use grundy_core::{Limits, Play, Solver};
use grundy_notation::read_position;

fn corpus() -> Vec<toml::Table> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpus.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let file: toml::Table = toml::from_str(&text).unwrap();
    file["position"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_table().unwrap().clone())
        .collect()
}

/// Returns the rows of the corpus in which the last move decides the game and the answer does not
/// depend on the first player.
fn impartial() -> impl Iterator<Item = toml::Table> {
    let is_impartial = |row: &toml::Table| {
        let position = read_position(row["game"].as_str().unwrap()).unwrap();
        let nature = position.nature();
        nature.ends == Ends::LastMove && nature.beginners().len() == 1
    };
    corpus().into_iter().filter(is_impartial)
}

fn play(row: &toml::Table) -> Play {
    match row.get("play").map(|play| play.as_str().unwrap()) {
        Some("misere") => Play::Misere,
        _ => Play::Normal,
    }
}

#[test]
fn positions_round_trip_and_winning_moves_lead_to_p() {
    let limits = Limits::default();
    for row in impartial() {
        let game = row["game"].as_str().unwrap();
        let position = read_position(game).unwrap();
        let again = read_position(&position.to_string()).unwrap();
        assert_eq!(position.to_string(), again.to_string());
        let solution = Solver::default()
            .solve(&position, play(&row), &limits)
            .unwrap();
        // The bound keeps positions with many winning moves from dominating the time.
        for winning in solution.winning_moves().iter().take(50) {
            let after = read_position(&winning.to.to_string()).unwrap();
            let outcome = Solver::default()
                .outcome(&after, play(&row), &limits)
                .unwrap();
            assert_eq!(outcome.to_string(), "P", "{game} -> {after}");
        }
    }
}
