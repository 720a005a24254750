//! Rulesets: the trait that games implement, and one module per game.

pub use grundy_engine::rules::*;
pub use grundy_games::boards::*;
pub use grundy_games::cakes::*;
pub use grundy_games::coins::*;
pub use grundy_games::composite::*;
pub use grundy_games::graphs::*;
pub use grundy_games::heaps::*;
pub use grundy_games::strips::*;
pub use grundy_games::trees::*;
