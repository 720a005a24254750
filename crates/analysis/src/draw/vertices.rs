//! The vertices of a picture of a game graph. Equal positions share a vertex. The name of a vertex
//! contains only the part of the notation that distinguishes it from the others.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use grundy_core::ruleset::Ends;
use grundy_core::store::Store;
use grundy_core::term::AnyTerm;
use grundy_core::{GameGraph, Labelled, Outcome, Player, Position, PositionIndex};
use grundy_draw::{Arrow, GraphPicture, Vertex};

use super::USER_DEFINED;

/// Returns the picture of a game graph.
pub(super) fn graph_picture(title: String, found: &GameGraph, labelled: &Labelled) -> GraphPicture {
    let representative = representatives(found, labelled);
    let (shown, place) = reachable(found, &representative);
    let names = names(found, &shown);
    let vertices = shown.iter().zip(names).map(|(&position, name)| Vertex {
        name,
        verdict: labelled.verdict(found, position),
        remoteness: remoteness(found, labelled, position),
        value: labelled
            .value(found, position)
            .map(|value| value.to_string()),
    });
    let ties = found.nature.ends == Ends::Payoff;
    let turns = found.turns();
    let mut edges = Vec::new();
    for (from, &position) in shown.iter().enumerate() {
        // If either player can be to move, vertex `position * 2 + k` is the position with player k
        // to move.
        for vertex in position * turns..(position + 1) * turns {
            for &option in found.graph.options(vertex) {
                // A winning move leads to a P-position. In games with payoffs, a move from a draw
                // to a draw is also a best move.
                let best = match [vertex, option].map(|vertex| labelled.label(vertex).outcome) {
                    [Outcome::N, Outcome::P] => true,
                    [Outcome::D, Outcome::D] => ties,
                    _ => false,
                };
                let arrow = Arrow {
                    from,
                    to: place[&representative[found.position(option) as usize]],
                    mover: (turns == 2).then(|| Player::BOTH[(vertex % turns) as usize]),
                    best,
                };
                // If positions share a vertex, the same arrow is found several times.
                if !edges.contains(&arrow) {
                    edges.push(arrow);
                }
            }
        }
    }
    GraphPicture {
        title,
        vertices: vertices.collect(),
        edges,
        names_mover: mover_is_fixed(found) && !ties,
    }
}

/// Returns whether the game is partizan and its players alternate from a fixed first player. In
/// this case, each position determines the player to move.
fn mover_is_fixed(found: &GameGraph) -> bool {
    found.turns() == 1 && !found.nature.is_impartial()
}

/// Returns the remoteness of a position: the number of moves left under best play. Returns `None`
/// if either player may begin, since the number may depend on who begins.
fn remoteness(found: &GameGraph, labelled: &Labelled, position: u32) -> Option<u32> {
    let label = labelled.labels(found, position).next();
    let label = label.filter(|_| found.turns() == 1);
    label.and_then(|label| label.remoteness)
}

/// Returns, for each position, the first position that shares its vertex in the picture. Positions
/// share a vertex if they have the same components in any order, and the same label. If positions
/// determine the player to move (see `mover_is_fixed`), this player must also be the same.
///
/// In user-defined games that only the last move decides, components without moves are ignored.
fn representatives(found: &GameGraph, labelled: &Labelled) -> Vec<u32> {
    let all = 0..found.positions();
    let PositionIndex::Numbered(numbered) = &found.index else {
        return all.collect();
    };
    let mut store = Store::default();
    let mut first = HashMap::new();
    all.map(|number| {
        let position = numbered.position(number);
        let mut components = Vec::new();
        for term in position.terms() {
            if term.name() == USER_DEFINED {
                let parts = term.parts().into_iter();
                parts.filter(|part| !is_finished(part)).for_each(|part| {
                    part.enter(&mut store, &mut components);
                });
            } else {
                term.enter(&mut store, &mut components);
            }
        }
        components.sort_unstable();
        // The same components with the other player to move form another position.
        let mover = mover_is_fixed(found).then(|| position.first_player());
        // The label of a vertex must be correct for all positions that share the vertex.
        let verdict = labelled.verdict(found, number).to_string();
        let left = remoteness(found, labelled, number);
        *first
            .entry((components, mover, verdict, left))
            .or_insert(number)
    })
    .collect()
}

/// Returns whether a component is finished: neither player can move, and only the last move decides
/// the game.
fn is_finished(part: &Arc<dyn AnyTerm>) -> bool {
    let single = Position::sum(vec![Arc::clone(part)]);
    let moves = |player| {
        single
            .as_ref()
            .map_or(Ok(true), |single| single.has_move(player))
    };
    // User-defined rules that fail were reported when the graph was computed.
    part.nature().ends == Ends::LastMove
        && !Player::BOTH
            .into_iter()
            .any(|player| moves(player).unwrap_or(true))
}

/// Returns the reachable vertices in breadth-first order, and the index of each vertex in this
/// order. A vertex is given as the first of its positions. `representative` contains, for each
/// position, the first position of its vertex.
fn reachable(found: &GameGraph, representative: &[u32]) -> (Vec<u32>, HashMap<u32, usize>) {
    let turns = found.turns();
    // Position 0 is the start. No position precedes it, so it is the first position of its vertex.
    let mut shown = vec![0];
    let mut place = HashMap::from([(0, 0)]);
    let mut next = 0;
    while let Some(&position) = shown.get(next) {
        next += 1;
        for vertex in position * turns..(position + 1) * turns {
            for &option in found.graph.options(vertex) {
                let to = representative[found.position(option) as usize];
                if let Entry::Vacant(free) = place.entry(to) {
                    free.insert(shown.len());
                    shown.push(to);
                }
            }
        }
    }
    (shown, place)
}

/// Returns the names of the positions in the picture. Parts of the notation that are in the title,
/// or equal in all positions, are omitted.
fn names(found: &GameGraph, shown: &[u32]) -> Vec<String> {
    let PositionIndex::Numbered(numbered) = &found.index else {
        return shown
            .iter()
            .map(|&number| found.name(number).into_owned())
            .collect();
    };
    let positions: Vec<Position> = shown
        .iter()
        .map(|&number| numbered.position(number))
        .collect();
    let user_defined = |position: &Position| {
        position
            .terms()
            .iter()
            .all(|term| term.name() == USER_DEFINED)
    };
    if found.nature.ends == Ends::Payoff || positions.iter().all(user_defined) {
        return positions.iter().map(short_name).collect();
    }
    let terms = positions[0].terms().len();
    // The first term is compared with the other first terms, and so on. This requires the same
    // number of terms in all positions.
    let alike = positions
        .iter()
        .all(|position| position.terms().len() == terms);
    if terms == 0 || !alike {
        return positions.iter().map(ToString::to_string).collect();
    }
    let mut columns = Vec::new();
    for term in 0..terms {
        let column = positions.iter().map(|position| &position.terms()[term]);
        columns.push(term_names(&column.collect::<Vec<_>>(), terms > 1));
    }
    (0..positions.len())
        .map(|position| {
            let parts: Vec<&str> = columns.iter().map(|column| &column[position][..]).collect();
            parts.join(" + ")
        })
        .collect()
}

/// Returns a name for each of `terms`. They belong to different positions, and have the same index
/// in the sums of these positions. Uses the short names of the game if it has any. Otherwise, uses
/// the parts of the texts that differ.
fn term_names(terms: &[&Arc<dyn AnyTerm>], bracketed: bool) -> Vec<String> {
    let texts: Vec<String> = terms.iter().map(|term| term.text()).collect();
    let captions: Vec<String> = terms.iter().map(|term| term.caption()).collect();
    let short = texts
        .iter()
        .zip(&captions)
        .all(|(text, caption)| text != caption);
    match (short, bracketed) {
        (false, _) => without_common_call(&texts, bracketed),
        (true, false) => captions,
        (true, true) => captions
            .iter()
            .map(|caption| format!("({caption})"))
            .collect(),
    }
}

/// Returns the texts without the beginning and the end that all of them share, such as
/// `subtraction([1, 2, 3], ` and `)`. Keeps brackets around the rest if they are needed to separate
/// terms.
fn without_common_call(texts: &[String], bracketed: bool) -> Vec<String> {
    let unchanged = || texts.to_vec();
    let Some(mut head) = texts[0].find('(').map(|at| at + 1) else {
        return unchanged();
    };
    if texts
        .iter()
        .any(|text| text.get(..head) != texts[0].get(..head) || !text.ends_with(')'))
    {
        return unchanged();
    }
    // Leading arguments that are equal in all texts are removed. The last argument always stays, so
    // that the name is not empty if there is an argument.
    let shared = |end: usize| {
        texts
            .iter()
            // `get` returns `None` if the text is shorter or `end` is inside a character. In both
            // cases the texts differ here.
            .all(|text| text.get(..end) == texts[0].get(..end))
    };
    let mut depth = 0;
    let open = head;
    for (at, c) in texts[0].char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 && shared(at + 2) => head = at + 2,
            _ => {}
        }
        // The texts differ here, so no later comma can end the part that they share.
        if !shared(at + c.len_utf8()) {
            break;
        }
    }
    let inner = texts.iter().map(|text| &text[head..text.len() - 1]);
    inner
        .map(|inner| {
            let inner = unquote(inner);
            if bracketed || inner.is_empty() {
                format!("({inner})")
            } else {
                inner.to_owned()
            }
        })
        .collect()
}

/// Removes the quotation marks of a text that is a single string literal. Returns any other text
/// unchanged.
fn unquote(text: &str) -> &str {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner
        .filter(|inner| !inner.contains(['"', '\\']))
        .unwrap_or(text)
}

/// Returns a short name for a position of a user-defined game or of a game with ties. Finished
/// components are left out if other components remain.
fn short_name(position: &Position) -> String {
    let parts = position.terms().iter().flat_map(|term| term.parts());
    let (ended, mut running): (Vec<_>, Vec<_>) = parts.partition(is_finished);
    if running.is_empty() {
        running.extend(ended.into_iter().next());
    }
    if running.is_empty() {
        return position.to_string();
    }
    let captions: Vec<String> = running.iter().map(|part| part.caption()).collect();
    let short = captions.join(" + ");
    unquote(&short).to_owned()
}

#[cfg(test)]
mod tests {
    use super::without_common_call;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn vertex_names_omit_what_all_positions_share() {
        // In order: equal arguments, a call without arguments, and brackets around a term of a sum.
        let heaps = texts(&["subtraction([1, 2], 16)", "subtraction([1, 2], 15)"]);
        assert_eq!(without_common_call(&heaps, false), ["16", "15"]);
        assert_eq!(
            without_common_call(&texts(&["kayles(1, 2)", "kayles()"]), false),
            ["1, 2", "()"]
        );
        assert_eq!(
            without_common_call(&texts(&["nim(1, 2)", "nim(1, 0)"]), true),
            ["(2)", "(0)"]
        );
        let pictures = texts(&["hackenbush(\"0-1 1-2\")", "hackenbush(\"\")"]);
        assert_eq!(without_common_call(&pictures, false), ["0-1 1-2", "()"]);
    }
}
