//! Other names of games. An error message suggests the constructor for such a name.

/// The alternative names of games, each with the name of the constructor. All names are in lower
/// case, with `_` between words.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("heap", "nim"),
    ("heaps", "nim"),
    ("pile", "nim"),
    ("piles", "nim"),
    ("marienbad", "nim"),
    ("takeaway", "subtraction"),
    ("take_away", "subtraction"),
    ("bachet", "subtraction"),
    ("bachets_game", "subtraction"),
    ("sub", "subtraction"),
    ("sticks", "subtraction"),
    ("octal", "take_and_break"),
    ("hexadecimal", "take_and_break"),
    ("dawson", "dawsons_chess"),
    ("dawson_chess", "dawsons_chess"),
    ("dawson_kayles", "dawsons_kayles"),
    ("one_dimensional_tic_tac_toe", "treblecross"),
    ("grundy", "grundys_game"),
    ("lasker", "laskers_nim"),
    ("lasker_nim", "laskers_nim"),
    ("whytoff", "wythoff"),
    ("wythoffs_game", "wythoff"),
    ("wythoff_nim", "wythoff"),
    ("wythoffs_nim", "wythoff"),
    ("corner_the_lady", "queen"),
    ("corner_the_queen", "queen"),
    ("euclids_game", "euclid"),
    ("moore", "moore_nim"),
    ("moores_nim", "moore_nim"),
    ("georgia_and_bob", "strip_coins"),
    ("silver_dollar", "strip_coins"),
    ("silver_dollar_game", "strip_coins"),
    ("chocolate", "chomp"),
    ("staircase", "staircase_nim"),
    ("northcotts_game", "northcott"),
    ("crosscram", "domineering"),
    ("dominoes", "domineering"),
    ("stop_gate", "domineering"),
    ("impartial_domineering", "cram"),
    ("frogs_and_toads", "toads_and_frogs"),
    ("noughts_and_crosses", "tic_tac_toe"),
    ("tictactoe", "tic_tac_toe"),
    ("tic", "tic_tac_toe"),
    ("take", "subtraction"),
    ("digraph", "graph"),
    ("directed_graph", "graph"),
    ("switch", "literal"),
    ("dominos", "domineering"),
    ("the_game_of_the_amazons", "amazons"),
];

#[cfg(test)]
mod tests {
    use super::ALIASES;
    use crate::registry::{CONSTRUCTORS, nearest_constructor};

    /// Checks that each name leads to a game, and is not the name of a constructor itself.
    #[test]
    fn aliases_lead_to_constructors() {
        for (other, name) in ALIASES {
            assert!(CONSTRUCTORS.iter().any(|game| game.name == *name), "{name}");
            assert!(
                CONSTRUCTORS.iter().all(|game| game.name != *other),
                "{other}"
            );
            assert_eq!(nearest_constructor(other), Some(*name));
        }
        // Names in other cases, and misspellings of names in both tables.
        for (written, name) in [
            ("NIM", "nim"),
            ("SUBTRACTION", "subtraction"),
            ("Take_Away", "subtraction"),
            ("takaway", "subtraction"),
            ("kalyes", "kayles"),
        ] {
            assert_eq!(nearest_constructor(written), Some(name), "{written}");
        }
        assert_eq!(nearest_constructor("poker"), None);
    }
}
