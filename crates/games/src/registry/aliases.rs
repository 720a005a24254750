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
    ("chips", "subtraction"),
    ("counters", "subtraction"),
    ("stones", "nim"),
    ("matches", "nim"),
    ("matchsticks", "nim"),
    ("bash", "subtraction"),
    ("bash_game", "subtraction"),
    ("fibonacci", "fibonacci_nim"),
    // The titles of contest problems. A hyphen may also be left out.
    ("1_2_k_game", "subtraction"),
    ("12k_game", "subtraction"),
    ("a_chess_game", "graph"),
    ("being_a_good_boy_in_spring_festival", "nim"),
    ("brave_game", "subtraction"),
    ("calendar_game", "calendar"),
    ("crosses_and_crosses", "treblecross"),
    ("fibonacci_again_and_again", "subtraction"),
    ("game_of_stones", "subtraction"),
    ("good_luck_in_cet_4_everybody", "subtraction"),
    ("good_luck_in_cet4_everybody", "subtraction"),
    ("kikis_game", "king"),
    ("matches_game", "nim"),
    ("nim_or_not_nim", "laskers_nim"),
    ("northcott_game", "northcott"),
    ("public_sale", "subtraction"),
    ("rabbit_and_grass", "nimble"),
    ("s_nim", "subtraction"),
    ("snim", "subtraction"),
    ("stair_game", "staircase_nim"),
    ("stick_game", "subtraction"),
    ("巴什", "subtraction"),
    ("巴什博弈", "subtraction"),
    ("取石子", "nim"),
    ("取石子游戏", "nim"),
    ("取火柴", "nim"),
    ("取火柴游戏", "nim"),
    ("尼姆", "nim"),
    ("尼姆博弈", "nim"),
    ("尼姆游戏", "nim"),
    ("威佐夫", "wythoff"),
    ("威佐夫博弈", "wythoff"),
    ("威佐夫游戏", "wythoff"),
    ("斐波那契", "fibonacci_nim"),
    ("斐波那契博弈", "fibonacci_nim"),
    ("阶梯", "staircase_nim"),
    ("阶梯博弈", "staircase_nim"),
    ("阶梯尼姆", "staircase_nim"),
    ("吃巧克力", "chomp"),
];

/// The numbers of contest problems, each with the constructor of its game. A few of the problems
/// are about misère play. Each number was compared with published solutions of the problem.
const PROBLEMS: &[(&str, &str)] = &[
    ("1194d", "subtraction"),
    ("cses1098", "subtraction"),
    ("cses1099", "staircase_nim"),
    ("cses1729", "subtraction"),
    ("cses1730", "nim"),
    ("cses2207", "grundys_game"),
    ("dpk", "subtraction"),
    ("euler301", "nim"),
    ("hdu1079", "calendar"),
    ("hdu1524", "graph"),
    ("hdu1525", "euclid"),
    ("hdu1527", "wythoff"),
    ("hdu1536", "subtraction"),
    ("hdu1730", "northcott"),
    ("hdu1846", "subtraction"),
    ("hdu1847", "subtraction"),
    ("hdu1848", "subtraction"),
    ("hdu1849", "nimble"),
    ("hdu1850", "nim"),
    ("hdu1907", "nim"),
    ("hdu1944", "subtraction"),
    ("hdu2147", "king"),
    ("hdu2149", "subtraction"),
    ("hdu2176", "nim"),
    ("hdu2177", "wythoff"),
    ("hdu2188", "subtraction"),
    ("hdu2516", "fibonacci_nim"),
    ("hdu3032", "laskers_nim"),
    ("hdu3094", "hackenbush"),
    ("leetcode292", "subtraction"),
    ("mcoins", "subtraction"),
    ("p1247", "nim"),
    ("p1290", "euclid"),
    ("p2197", "nim"),
    ("p2252", "wythoff"),
    ("poj1067", "wythoff"),
    ("poj1082", "calendar"),
    ("poj1704", "strip_coins"),
    ("poj2234", "nim"),
    ("poj2348", "euclid"),
    ("poj2425", "graph"),
    ("poj2960", "subtraction"),
    ("poj2975", "nim"),
    ("poj3480", "nim"),
    ("poj3537", "treblecross"),
    ("qcj3", "nimble"),
];

/// The sites whose names may stand before the number of a problem.
const SITES: [&str; 7] = [
    "luogu",
    "洛谷",
    "codeforces",
    "cf",
    "atcoder",
    "project",
    "spoj",
];

/// Returns the constructor of the game in a contest problem, such as `hdu_1846` or `luogu_p2197`.
pub(super) fn problem(name: &str) -> Option<&'static str> {
    let joined: String = name.chars().filter(|letter| *letter != '_').collect();
    let number = SITES.into_iter().find_map(|site| joined.strip_prefix(site));
    let number = number.unwrap_or(&joined);
    let known = PROBLEMS.iter().find(|(known, _)| *known == number)?;
    Some(known.1)
}

#[cfg(test)]
mod tests {
    use super::{ALIASES, PROBLEMS};
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
        for (number, name) in PROBLEMS {
            assert!(CONSTRUCTORS.iter().any(|game| game.name == *name), "{name}");
            assert_eq!(nearest_constructor(number), Some(*name));
        }
        for written in ["HDU1846", "HDU_1846", "hdu 1846".replace(' ', "_").as_str()] {
            assert_eq!(
                nearest_constructor(written),
                Some("subtraction"),
                "{written}"
            );
        }
        for (written, name) in [
            ("CSES_2207", "grundys_game"),
            ("Codeforces_1194D", "subtraction"),
            ("LeetCode_292", "subtraction"),
            ("AtCoder_dp_k", "subtraction"),
            ("Project_Euler_301", "nim"),
            ("Brave_Game", "subtraction"),
        ] {
            assert_eq!(nearest_constructor(written), Some(name), "{written}");
        }
        for written in ["Luogu_P2197", "洛谷P2197", "P2197"] {
            assert_eq!(nearest_constructor(written), Some("nim"), "{written}");
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
