//! Games written out by their options: `literal(text)`.
//!
//! Rules. The text is a game in the notation for values: {Left's options | Right's options}, where
//! the options are games again. `*[a,b]` is {a,b | a,b}. The moves are those of the braces, even if
//! they are dominated or reversible. Numbers, ups, nimbers, `^[n]`, `^<n>`, Tiny and Miny are named
//! values, and so are several of these written side by side. A named value denotes its canonical
//! form. An explicit + is a disjunctive sum (J. H. Conway, On Numbers and Games, 1976; the notation
//! follows A. N. Siegel, Combinatorial Game Theory, 2013).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_base::index::hash;
use grundy_forms::text::{Item, Literal, parse};
use grundy_forms::{Form, Forms, Packed};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::argument::{Arguments, text};
use grundy_base::braced::Braced;
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::player::Player;
use grundy_base::shared_text::Piece::{Letters, Text as Shared};
use grundy_base::shared_text::{LONGEST, TextId, Texts, is_cut};
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind as Refusal, message};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, MemoryUse, NAMED_VALUES, Nature, Negation, Ruleset, Theorems, Visit,
};

/// The rules of games that are given by their options. A part is one game.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct LiteralRules;

/// A game that occurs in a text, or the negative of such a game.
///
/// Games of one text share its arena of nodes, so cloning and negating are cheap.
#[derive(Clone, Debug)]
pub struct Game {
    text: Arc<Text>,
    node: u32,
    negated: bool,
}

/// The arena of all games in a text. Options precede the games that contain them.
#[derive(Debug)]
struct Text {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    /// The hashes of the game and of its negative. Equal games have equal hashes.
    hashes: [u64; 2],
}

#[derive(Debug)]
enum Kind {
    Packed(Packed),
    /// The options of Left and of Right. Each option is a sum.
    Braces([Vec<Sum>; 2]),
    /// The options of `*[...]`, which both players have. Each option is a sum.
    Bracket(Vec<Sum>),
}

/// A sum of games in a text. Each entry is the index of a node, and `true` if the summand is the
/// negative of the node's game.
type Sum = Vec<(u32, bool)>;

/// Maximal number of forms that are created for the named values of a text.
const MAX_FORMS: u64 = 200_000;

/// Maximal number of polls of the limits while a text is read. One poll follows every 256 steps in
/// the computation of forms, such as comparisons. So the constant limits the time to a second or
/// two.
const MAX_POLLS: u64 = 100_000;

/// Maximal length, in bytes, of an option in the name of a move. A move to a longer option is named
/// by the index of the option.
const MAX_NAME_BYTES: u64 = 60;

/// Reads `literal(text)`.
///
/// # Errors
/// A text that is not a game.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::literal};
/// let items = [(None, Argument::Text("{0|*}".to_owned()))];
/// let position = Position::from(literal::construct(&Arguments { items: &items })?);
/// let mut solver = Solver::default();
/// let (value, _) = solver.canonical_form(&position, &Limits::default())?;
/// assert_eq!(solver.short_values().theory.forms.write(value), "^");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((place, written))] = arguments.bind(["text"], 1)? else {
        unreachable!("bind has seen to it that the text is there");
    };
    let games = games(text(written, &[place])?);
    let games = games.map_err(|diagnostic| diagnostic.in_argument([place]))?;
    Ok(Arc::new(Term::new(LiteralRules, games)))
}

/// Returns whether a text is a game in the notation for values.
///
/// ```
/// use grundy_core::ruleset::literal::is_game;
/// assert!(is_game("{1|*}"));
/// assert!(!is_game("{1|"));
/// ```
#[must_use]
pub fn is_game(text: &str) -> bool {
    parse(text).is_ok()
}

/// Returns the games whose sum is written in a text.
///
/// # Errors
/// A text that is not a game.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::literal::games;
/// let sum = games("{2|-1} + *3")?;
/// let texts: Vec<String> = sum.iter().map(ToString::to_string).collect();
/// assert_eq!(texts, [r#"literal("{2|-1}")"#, r#"literal("*3")"#]);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn games(written: &str) -> Result<Vec<Game>, Diagnostic> {
    let literal = parse(written)?;
    let (text, sum) = NodeBuilder::build(&literal).map_err(|stop| match stop {
        Stop::Positions(_) | Stop::Memory(_) => Diagnostic::new(
            Refusal::Limit,
            message!("values written next to each other are added, and their sum is too large"),
        )
        .help(message!(
            "write `+` between the values to keep them as separate games"
        )),
        stop => stop.into(),
    })?;
    let text = Arc::new(text);
    let games = sum.into_iter().map(|(node, negated)| Game {
        text: Arc::clone(&text),
        node,
        negated,
    });
    Ok(games.collect())
}

/// The state of the conversion of a parsed text to the nodes of a [`Text`].
#[derive(Default)]
struct NodeBuilder {
    nodes: Vec<Node>,
    /// The arena of the canonical forms. It is created when the first canonical form of a named
    /// value is computed.
    forms: Option<Forms>,
    /// The index of the node of each canonical form that has been converted so far.
    form_nodes: FxHashMap<Form, u32>,
    /// The index of the node of each sum of a number, ups and a nimber that has been converted so
    /// far.
    packed_nodes: FxHashMap<Packed, u32>,
}

/// Returns, for each item, whether it is a named value, such as `1/2`, `^*` or `Tiny(1)`. A named
/// value denotes its canonical form.
fn is_named(items: &[Item]) -> Vec<bool> {
    let mut named: Vec<bool> = Vec::with_capacity(items.len());
    // Items precede the items that contain them, so one pass in order suffices.
    for item in items {
        named.push(match item {
            Item::Packed(_) | Item::UpTo(_) | Item::UpPower(_) | Item::Tiny(_) => true,
            Item::Negative(of) => named[*of as usize],
            Item::Juxtaposition(parts) => parts.iter().all(|&part| named[part as usize]),
            Item::Sum(_) | Item::Braces { .. } => false,
        });
    }
    named
}

/// Returns, for each item, whether its canonical form must be computed.
///
/// The form is needed for a named value such as `Tiny(1)` and for the items inside such a value.
/// Other numbers, ups and nimbers are converted directly.
fn needs_form(items: &[Item], named: &[bool]) -> Vec<bool> {
    let has_parts = |(item, &named): (&Item, &bool)| named && !matches!(item, Item::Packed(_));
    let mut needs_form: Vec<bool> = items.iter().zip(named).map(has_parts).collect();
    // Items inside a named item have smaller indices, so the pass runs backwards.
    for (index, item) in items.iter().enumerate().rev() {
        if !needs_form[index] {
            continue;
        }
        let inside: Vec<u32> = match item {
            Item::Packed(_) | Item::UpTo(_) | Item::UpPower(_) => Vec::new(),
            Item::Tiny(of) | Item::Negative(of) => vec![*of],
            Item::Juxtaposition(parts) | Item::Sum(parts) => parts.clone(),
            Item::Braces { left, right } => [&left[..], right].concat(),
        };
        inside
            .into_iter()
            .for_each(|part| needs_form[part as usize] = true);
    }
    needs_form
}

impl NodeBuilder {
    fn build(literal: &Literal) -> Result<(Text, Sum), Stop> {
        // A short text can be expensive: `^[n]` nests, and values written side by side multiply the
        // number of forms. The limits protect the program from hostile texts.
        let polls = AtomicU64::new(0);
        let limits = Limits {
            positions: MAX_FORMS,
            memory: 1 << 28,
            interrupted: &|| {
                let within_limit = polls.fetch_add(1, Ordering::Relaxed) < MAX_POLLS;
                (!within_limit).then_some(Stop::Positions(MAX_FORMS))
            },
            visited: None,
        };
        let mut builder = Self::default();
        let named = is_named(&literal.items);
        let needs_form = needs_form(&literal.items, &named);
        let mut values = Vec::with_capacity(literal.items.len());
        let mut sums: Vec<Sum> = Vec::with_capacity(literal.items.len());
        for (index, item) in literal.items.iter().enumerate() {
            values.push(if needs_form[index] {
                let forms = builder.forms.get_or_insert_default();
                forms.value_of(item, &values, &limits)?
            } else {
                Form::ZERO
            });
            let sum = match item {
                Item::Packed(packed) => vec![(builder.packed(packed), false)],
                _ if named[index] => vec![(builder.form(values[index], &limits)?, false)],
                Item::Negative(of) => {
                    let of = sums[*of as usize].iter();
                    of.map(|&(node, negated)| (node, !negated)).collect()
                }
                Item::Juxtaposition(parts) | Item::Sum(parts) => {
                    let parts = parts.iter().map(|&part| &sums[part as usize]);
                    parts.flatten().copied().collect()
                }
                Item::Braces { left, right } => {
                    let of = |options: &[u32]| -> Vec<Sum> {
                        let options = options.iter();
                        options
                            .map(|&option| sums[option as usize].clone())
                            .collect()
                    };
                    // The parser creates a separate item for each occurrence of a text. The two
                    // lists are therefore equal only if they come from `*[...]`.
                    let kind = if left == right && !left.is_empty() {
                        Kind::Bracket(of(left))
                    } else {
                        Kind::Braces([of(left), of(right)])
                    };
                    vec![(builder.push(kind), false)]
                }
                _ => unreachable!("whatever else there is is named"),
            };
            sums.push(sum);
        }
        let nodes = builder.nodes;
        Ok((Text { nodes }, sums.pop().unwrap_or_default()))
    }

    /// Returns the index of the node of a canonical form. If the form has no node yet, creates the
    /// nodes of its options first, and then its own.
    fn form(&mut self, form: Form, limits: &Limits<'_>) -> Result<u32, Stop> {
        let mut forms = self.forms.take().unwrap_or_default();
        // An explicit stack replaces recursion, because forms can be nested thousands deep. A form
        // stays on the stack until all its options have nodes.
        let mut stack = vec![form];
        while let Some(&form) = stack.last() {
            if self.form_nodes.contains_key(&form) {
                stack.pop();
                continue;
            }
            let node = if let Some(packed) = forms.packed(form) {
                self.packed(packed)
            } else {
                let mut sides = [Vec::new(), Vec::new()];
                let mut missing = Vec::new();
                for (player, side) in Player::BOTH.into_iter().zip(&mut sides) {
                    for option in forms.options_of(form, player, limits)? {
                        match self.form_nodes.get(&option) {
                            Some(&node) => side.push(vec![(node, false)]),
                            None => missing.push(option),
                        }
                    }
                }
                if !missing.is_empty() {
                    stack.extend(missing);
                    continue;
                }
                self.push(Kind::Braces(sides))
            };
            self.form_nodes.insert(form, node);
            stack.pop();
        }
        self.forms = Some(forms);
        Ok(self.form_nodes[&form])
    }

    /// Returns the index of the node of a sum of a number, ups and a nimber. Creates the node if
    /// there is none.
    fn packed(&mut self, packed: &Packed) -> u32 {
        if let Some(&node) = self.packed_nodes.get(packed) {
            return node;
        }
        let node = self.push(Kind::Packed(packed.clone()));
        self.packed_nodes.insert(packed.clone(), node);
        node
    }

    fn push(&mut self, kind: Kind) -> u32 {
        let hashes = match &kind {
            Kind::Packed(packed) => [hash(packed), hash(&packed.negative())],
            Kind::Braces([left, right]) => self.hashes(left, right),
            Kind::Bracket(both) => self.hashes(both, both),
        };
        self.nodes.push(Node { kind, hashes });
        self.nodes.len() as u32 - 1
    }

    /// Computes the hashes of the game with these options and of its negative.
    fn hashes(&self, left: &[Sum], right: &[Sum]) -> [u64; 2] {
        // The negative exchanges the two sides and negates every option. Both hashes are computed
        // together, so that negating a game later costs nothing.
        [([left, right], false), ([right, left], true)].map(|(sides, negated)| {
            let mut hasher = FxHasher::default();
            for side in sides {
                hasher.write_usize(side.len());
                for sum in side {
                    hasher.write_usize(sum.len());
                    for &(node, mirrored) in sum {
                        let hashes = self.nodes[node as usize].hashes;
                        hasher.write_u64(hashes[usize::from(mirrored != negated)]);
                    }
                }
            }
            hasher.finish()
        })
    }
}

impl Game {
    /// Returns the sum of a number, ups and a nimber, if the game is written as such a sum.
    fn packed(&self) -> Option<Packed> {
        match &self.text.nodes[self.node as usize].kind {
            Kind::Packed(packed) if self.negated => Some(packed.negative()),
            Kind::Packed(packed) => Some(packed.clone()),
            Kind::Braces(_) | Kind::Bracket(_) => None,
        }
    }

    /// Returns the options of `player` that are written in braces or brackets. A sum of a number,
    /// ups and a nimber has no written options.
    fn sums(&self, player: Player) -> &[Sum] {
        match &self.text.nodes[self.node as usize].kind {
            Kind::Packed(_) => &[],
            Kind::Braces(sides) => {
                let side = if self.negated { player.other() } else { player };
                &sides[side as usize]
            }
            // Both players have the same list. For the negative, `sibling` negates its entries.
            Kind::Bracket(both) => both,
        }
    }

    /// Returns another game in the text of this game, given by the index of its node and `true` for
    /// the negative of that node's game. If this game is a negative, the result is negated once
    /// more.
    fn sibling(&self, (node, negated): (u32, bool)) -> Self {
        Self {
            text: Arc::clone(&self.text),
            node,
            negated: negated != self.negated,
        }
    }

    /// Creates a game from a sum of a number, ups and a nimber, in a text that contains only this
    /// game.
    fn of_packed(packed: Packed) -> Self {
        let mut builder = NodeBuilder::default();
        let node = builder.push(Kind::Packed(packed));
        let text = Arc::new(Text {
            nodes: builder.nodes,
        });
        Self {
            text,
            node,
            negated: false,
        }
    }

    fn hash_code(&self) -> u64 {
        self.text.nodes[self.node as usize].hashes[usize::from(self.negated)]
    }

    /// Returns the game with the players exchanged.
    ///
    /// ```
    /// use grundy_core::ruleset::literal::games;
    /// let switch = &games("{2|-1}")?[0];
    /// assert_eq!(switch.exchanged(), games("{1|-2}")?[0]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn exchanged(&self) -> Self {
        Self {
            negated: !self.negated,
            ..self.clone()
        }
    }
}

/// The state of the conversion of games to text.
#[derive(Default)]
struct GameWriter {
    texts: Texts,
    written: FxHashMap<Key, Braced>,
    /// `true` if {G | -G} is abbreviated to +-G.
    plus_minus: bool,
}

/// A game: the address of its text, the index of its node, and `true` if it is the negative of the
/// node's game.
///
/// The address identifies the text, because the games to be written keep the text alive.
type Key = (*const Text, u32, bool);

impl Game {
    fn key(&self) -> Key {
        (Arc::as_ptr(&self.text), self.node, self.negated)
    }

    /// Returns the key that identifies the game which [`Self::sibling`] returns for the same
    /// argument. The game itself is not created.
    fn sibling_key(&self, (node, negated): (u32, bool)) -> Key {
        (Arc::as_ptr(&self.text), node, negated != self.negated)
    }

    /// Returns whether the options of Right are the negatives of the options of Left in the same
    /// order. The game is then {G | -G}, where G may be a list of options.
    fn is_plus_minus(&self) -> bool {
        // Options are compared in order. A permuted list is not recognized, and then stays in
        // braces.
        let [left, right] = Player::BOTH.map(|player| self.sums(player));
        let opposite = |(one, other): (&(u32, bool), &(u32, bool))| {
            self.sibling(*one).exchanged() == self.sibling(*other)
        };
        let mut pairs = left.iter().zip(right);
        !left.is_empty()
            && left.len() == right.len()
            && pairs
                .all(|(one, other)| one.len() == other.len() && one.iter().zip(other).all(opposite))
    }
}

impl GameWriter {
    /// Returns the text of a game. The texts of all games that occur inside the game are created
    /// first.
    fn game(&mut self, game: &Game) -> Braced {
        // An explicit stack, since literals may be nested 100,000 deep. Each game inside is written
        // once and shared, so the work is linear even if the full text would be exponential.
        let mut stack = vec![game.clone()];
        while let Some(game) = stack.last() {
            let key = game.key();
            if self.written.contains_key(&key) {
                stack.pop();
                continue;
            }
            if let Some(packed) = game.packed() {
                let text = self.texts.join(&[Letters(&packed.to_string())]);
                self.written.insert(key, Braced::without_braces(text));
                stack.pop();
                continue;
            }
            let sides = Player::BOTH.map(|player| game.sums(player));
            let missing: Vec<Game> = (sides.into_iter().flatten().flatten())
                .filter(|&&piece| !self.written.contains_key(&game.sibling_key(piece)))
                .map(|&piece| game.sibling(piece))
                .collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let [left, right] = sides.map(|side| {
                let sums = side.iter().map(|sum| self.sum(game, sum));
                sums.collect::<Vec<_>>()
            });
            let braced = match &game.text.nodes[game.node as usize].kind {
                Kind::Bracket(_) => self.bracket(&left),
                _ if self.plus_minus && game.is_plus_minus() => self.plus_minus(&left),
                _ => {
                    let bars = |count| "|".repeat(count);
                    let sides = [&left[..], &right[..]];
                    Braced::of_options(sides, ["{", "}"], bars, &mut self.texts)
                }
            };
            self.written.insert(key, braced);
            stack.pop();
        }
        self.written[&game.key()]
    }

    /// Returns the text of the sum of `pieces`. Each piece is given as in `Game::sibling`, by its
    /// node in the arena of `game` and its sign. The texts of the pieces must already be in
    /// `written`.
    fn sum(&mut self, game: &Game, pieces: &[(u32, bool)]) -> Braced {
        let written = &self.written;
        let mut pieces = pieces
            .iter()
            .map(|&piece| written[&game.sibling_key(piece)]);
        if pieces.len() == 1
            && let Some(only) = pieces.next()
        {
            return only;
        }
        let pieces = pieces.map(|piece| piece.closed);
        Braced::without_braces(self.texts.join_with(pieces, " + "))
    }

    /// Returns the text `*[...]` of a game in which both players have these options.
    fn bracket(&mut self, options: &[Braced]) -> Braced {
        let list = Braced::join(options, &mut self.texts);
        Braced::without_braces(
            self.texts
                .join(&[Letters("*["), Shared(list), Letters("]")]),
        )
    }

    fn plus_minus(&mut self, options: &[Braced]) -> Braced {
        let [before, list, after] = match options {
            [only] if only.bars > 0 => [Letters("+-"), Shared(only.closed), Letters("")],
            [only] => [Letters("+-("), Shared(only.closed), Letters(")")],
            _ => [
                Letters("+-{"),
                Shared(Braced::join(options, &mut self.texts)),
                Letters("}"),
            ],
        };
        Braced::without_braces(self.texts.join(&[before, list, after]))
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "literal(\"{}\")",
            sum_text(slice::from_ref(self), LONGEST)
        )
    }
}

/// Two games are equal if they are the same sum of a number, ups and a nimber. Games written with
/// options are equal if their options are equal and in the same order.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        // Each pair is compared once, on an explicit stack. Shared options would otherwise be
        // visited exponentially often, and deep nesting would overflow the call stack. The first
        // games of all pairs belong to one text, and so do the second games. Hence two nodes
        // identify a pair.
        let mut seen: FxHashSet<[(u32, bool); 2]> = FxHashSet::default();
        let mut pending = vec![(self.clone(), other.clone())];
        while let Some((one, other)) = pending.pop() {
            let keys = [(one.node, one.negated), (other.node, other.negated)];
            let same = Arc::ptr_eq(&one.text, &other.text) && keys[0] == keys[1];
            if same || !seen.insert(keys) {
                continue;
            }
            // The hashes reject nearly every unequal pair at once. Comparing the options only
            // guards against collisions.
            if one.hash_code() != other.hash_code() || one.packed() != other.packed() {
                return false;
            }
            for player in Player::BOTH {
                let (mine, theirs) = (one.sums(player), other.sums(player));
                if mine.len() != theirs.len() {
                    return false;
                }
                for (mine, theirs) in mine.iter().zip(theirs) {
                    if mine.len() != theirs.len() {
                        return false;
                    }
                    let pairs = mine.iter().zip(theirs);
                    pending.extend(pairs.map(|(&a, &b)| (one.sibling(a), other.sibling(b))));
                }
            }
        }
        true
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_code().hash(state);
    }
}

impl Ruleset for LiteralRules {
    type Part = Game;

    fn name(&self) -> &'static str {
        "literal"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Game> {
        Capabilities {
            theorems: Some(self),
            negation: Some(self),
            memory_use: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Game) -> Nature {
        Nature::PARTIZAN
    }

    fn options(&self, player: Player, _: usize, game: &Game, visit: Visit<'_, Game>) -> Flow {
        let named = |index: u64, left: &[Game]| {
            let text = sum_text(left, MAX_NAME_BYTES);
            let action = if is_cut(&text) {
                Step::new("choose_option_number").with("index", index)
            } else {
                Step::new("choose_option").with("option", text)
            };
            Move::new([index], action)
        };
        if let Some(packed) = game.packed() {
            // The options of a number, ups and a nimber are computed, not stored: an integer n
            // would otherwise need n nodes.
            return (0u64..)
                .zip(packed.options(player))
                .try_for_each(|(index, packed)| {
                    let left = [Game::of_packed(packed)];
                    visit(&left, &|| named(index, &left))
                });
        }
        // Equal options are one move. The index stays that of the first occurrence.
        let mut seen: FxHashSet<Vec<Game>> = FxHashSet::default();
        (0u64..)
            .zip(game.sums(player))
            .try_for_each(|(index, sum)| {
                let left: Vec<Game> = sum.iter().map(|&piece| game.sibling(piece)).collect();
                if !seen.insert(left.clone()) {
                    return ControlFlow::Continue(());
                }
                visit(&left, &|| named(index, &left))
            })
    }

    fn components(&self, game: &Game, visit: &mut dyn FnMut(Game)) {
        // Only the form 0 itself is dropped. Other forms of value 0, such as {*|*}, have moves.
        if game.packed() != Some(Packed::ZERO) {
            visit(game.clone());
        }
    }

    fn write(&self, games: &[Game]) -> String {
        format!("literal(\"{}\")", sum_text(games, LONGEST))
    }
}

/// Returns the text of a sum of games, of at most `limit` bytes.
///
/// If the text would be longer, +-G replaces {G | -G}. If it is still too long, `...` replaces the
/// innermost parts.
fn sum_text(games: &[Game], limit: u64) -> String {
    if games.is_empty() {
        return "0".to_owned();
    }
    let mut writer = GameWriter::default();
    loop {
        let pieces: Vec<TextId> = (games.iter())
            .map(|game| writer.game(game).closed)
            .collect();
        let sum = writer.texts.join_with(pieces, " + ");
        if writer.plus_minus || writer.texts.length(sum) <= limit {
            return writer.texts.write(sum, limit);
        }
        writer = GameWriter {
            plus_minus: true,
            ..GameWriter::default()
        };
    }
}

impl Theorems<Game> for LiteralRules {
    fn form(
        &self,
        game: &Game,
        forms: &mut Forms,
        _: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop> {
        Ok(game.packed().map(|packed| ByTheorem {
            value: forms.of_packed(&packed),
            theorem: &NAMED_VALUES,
        }))
    }
}

impl Negation<Game> for LiteralRules {
    fn negative(&self, game: &Game) -> Option<Game> {
        Some(game.exchanged())
    }
}

impl MemoryUse<Game> for LiteralRules {
    fn bytes(&self, games: &[Game]) -> usize {
        // The games of a text share its arena, which is not counted for any of them. A computed
        // number has a separate text with a single node.
        let own = |game: &Game| match &game.text.nodes[..] {
            [node] => 64 + size_of_val(node),
            _ => 32,
        };
        games.iter().map(own).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a game that is read from `*[...]` is equal to the same game in braces and is
    /// written as `*[...]` again. In braces its text would double in length at each level of
    /// nesting.
    #[test]
    fn brackets_after_a_star_are_kept_and_equal_their_braces() {
        for (written, braces) in [
            ("*[*[*2],0]", "{{*2|*2},0|{*2|*2},0}"),
            ("-*[{2|1}]", "{{-1|-2}|{-1|-2}}"),
            ("*[{1|*[0] + *[]}]", "{{1|{0|0} + {|}}|{1|{0|0} + {|}}}"),
            ("{*[1]|0}", "{{1|1}|0}"),
        ] {
            let [game, same] = [written, braces].map(|text| games(text).unwrap());
            assert_eq!(game, same, "{written}");
            let text = sum_text(&game, LONGEST);
            assert!(text.contains("*["), "{text}");
            assert_eq!(games(&text).unwrap(), game);
            assert_eq!(sum_text(&games(&text).unwrap(), LONGEST), text);
            assert!(!sum_text(&same, LONGEST).contains('['));
        }
        for depth in [100, 1_000] {
            let deep = format!("{}2{}", "*[".repeat(depth), "]".repeat(depth));
            assert_eq!(sum_text(&games(&deep).unwrap(), LONGEST), deep);
        }
        // Deep enough to overflow the call stack if any step were recursive.
        let deep = format!("{}2{}", "*[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(games(&deep).unwrap().len(), 1);
    }

    #[test]
    fn long_texts_use_plus_minus_and_are_truncated() {
        let nested = |depth| format!("{}1*{}", "+-(".repeat(depth), ")".repeat(depth));
        // In braces the text doubles with each level, so only the first level is within the limit.
        assert_eq!(sum_text(&games(&nested(1)).unwrap(), LONGEST), "{1*|-1*}");
        for depth in [30, 2_000] {
            let game = games(&nested(depth)).unwrap();
            let text = sum_text(&game, LONGEST);
            assert_eq!(text, nested(depth));
            assert_eq!(games(&text).unwrap(), game);
        }
        // Here G is a list of two options. The text is too long even after the abbreviation.
        let both = "+-{1*,{2|1}}";
        let nested = format!("{}0{}", "{".repeat(30), format!("|{both}}}").repeat(30));
        let text = sum_text(&games(&nested).unwrap(), 300);
        assert!(text.len() <= 300 && is_cut(&text), "{text}");
        let deep = format!("{}0{}", "{".repeat(50_000), "|1*}".repeat(50_000));
        assert!(sum_text(&games(&deep).unwrap(), LONGEST).len() <= LONGEST as usize);
    }
}
