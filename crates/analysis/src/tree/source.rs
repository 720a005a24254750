//! Game trees of positions.

use grundy_core::picture::Picture;
use grundy_core::ruleset::Ends;
use grundy_core::step::Step;
use grundy_core::store::Store;
use grundy_core::{Flow, Limits, PayoffResult, Play, Player, Position, Stop};
use grundy_tree::{Tree, TreeSource};

/// The source of a game tree: the position at its root, and a store for the components of all
/// positions in the tree.
struct Positions<'a> {
    start: &'a Position,
    play: Play,
    store: Store,
}

/// Returns the tree of a position. The player to move at the root is the first player.
///
/// # Errors
/// As [`Tree::of`]. If the rules permit infinite play, returns [`Stop::Cyclic`] at once.
pub(crate) fn tree(start: &Position, play: Play, limits: &Limits<'_>) -> Result<Tree, Stop> {
    if !start.terms().iter().all(|term| term.finite()) {
        return Err(Stop::Cyclic);
    }
    let store = Store::default();
    Tree::of(&mut Positions { start, play, store }, limits)
}

impl TreeSource for Positions<'_> {
    type Position = Position;
    type Class = Vec<u32>;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn first_player(&self) -> Player {
        self.start.first_player()
    }

    fn players(&self) -> [String; 2] {
        self.start.players().map(str::to_owned)
    }

    fn moves(
        &self,
        position: &Position,
        player: Player,
        visit: &mut dyn FnMut(Step, Position) -> Flow,
    ) -> Flow {
        position.moves(player, &mut |_, name, to| visit(name().action, to()))
    }

    fn terminal_result(&self, position: &Position, player: Player) -> Result<PayoffResult, Stop> {
        position.terminal_result(player, self.play)
    }

    /// Returns the position in the notation. For a vertex of a given graph, returns its name.
    fn name(&self, position: &Position) -> String {
        match position.only_term().and_then(|term| term.network()) {
            Some((network, vertex)) => network.names.get(vertex).to_owned(),
            None => position.to_string(),
        }
    }

    fn caption(&self, position: &Position) -> String {
        match position.nature().ends {
            // In games with payoffs, the notation is long. Hence the short caption is used.
            Ends::Payoff => position.caption(),
            Ends::LastMove => self.name(position),
        }
    }

    fn board(&self, position: &Position) -> Vec<String> {
        match position.only_term().map(|term| term.picture()) {
            Some(Picture::Board(rows)) => rows,
            _ => Vec::new(),
        }
    }

    /// Returns the ids of the components of a position in the store. The ids are sorted, since the
    /// order of components does not matter in a sum.
    fn class(&mut self, position: &Position) -> Vec<u32> {
        let mut components = Vec::new();
        position.enter(&mut self.store, &mut components);
        components.sort_unstable();
        components
    }
}
