//! Components by number: the one place where positions of any kind fall apart into components that are explored once.
//!
//! A component is entered in canonical form under its rules, and from then on it is a number; labels, searches and trees work
//! on these. Its type is forgotten here, once a component: inside, one ruleset lists options of its own parts.
//!
//! A space may also number parts as they stand, for those who tell positions apart as they are written.

pub(crate) mod interned;
pub(crate) mod listed;

use std::any::Any;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use self::interned::{Form, Interned};
use grundy_forms::Form as Value;

use crate::limits::{Flow, Halt, Limits, Stop, ended};
use crate::outcome::Worth;
use crate::player::Player;
use crate::position::Position;
use crate::reserve::Reserve;
use crate::rules::{AllSmall, Moves, Ruleset, Sides};
use crate::term::Term;
use crate::values::Valuation;
use crate::values::canonical::Canonical;

/// Numbered components of any kinds.
///
/// ```
/// use std::sync::Arc;
/// use grundy::ruleset::nim::Nim;
/// use grundy::space::Space;
/// use grundy::{Limits, Player};
/// let mut space = Space::default();
/// let (mut heaps, mut options) = (Vec::new(), Vec::new());
/// space.enter(&Arc::new(Nim), &[2], &mut heaps);
/// space.push_options(heaps[0], Player::Left, &mut options, &Limits::default())?;
/// assert_eq!(options.len(), 4);                 // to 1 and to 0: a length and a number each
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Space {
    form: Form,
    rooms: Vec<Box<dyn Room>>,
    /// The room of each component, and its number there.
    components: Vec<(u32, u32)>,
}

/// An option of a component, of which some components may never have been met.
pub(crate) struct Met<'a> {
    /// The numbers of those that have.
    pub(crate) known: &'a [u32],
    /// How many have not.
    pub(crate) new: usize,
    /// What the players have in reserve in these.
    pub(crate) reserves: Option<[Reserve; 2]>,
    /// How many moves who moves then has in these, where that was asked.
    pub(crate) moves: u32,
}

/// The components of one ruleset.
trait Room: std::fmt::Debug + Any + Send + Sync {
    /// Appends the options of component `id`, each as its length and the numbers of its components in this room.
    fn push_options(
        &mut self,
        id: u32,
        player: Player,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;
    fn payoff(&self, id: u32, to_move: Player) -> Result<Worth, Stop>;
    fn form(
        &self,
        id: u32,
        values: &mut Valuation<Canonical>,
        limits: &Limits<'_>,
    ) -> Result<Value, Stop>;
    /// The form, where it was found before.
    fn found(&self, id: u32, values: &mut Valuation<Canonical>) -> Option<Value>;
    fn bounds(&self, id: u32) -> Option<[i64; 2]>;
    fn reserves(&self, id: u32) -> Option<[Reserve; 2]>;
    /// How many moves a player has, or one more than a number that they are beyond.
    fn moves(&self, id: u32, player: Player, most: u64) -> Result<u64, Stop>;
    /// The rules for components as words.
    fn all_small(&self) -> Option<(&'static str, &dyn AllSmall)>;
    /// A component as words.
    fn sides(&self, id: u32) -> Option<Sides>;
    /// The number of the negative in this room.
    fn negative(&mut self, id: u32) -> Option<u32>;
    /// The number in this room of what the part becomes when its player moves elsewhere, where that makes a difference.
    fn passed(&mut self, id: u32) -> Option<u32>;
    fn write(&self, id: u32) -> String;
    /// A component as a position of its own, where what is written says all of it.
    fn position(&self, id: u32) -> Option<Position>;
    fn bytes(&self) -> u64;
    /// Visits the options of a component without numbering what is new in them, and counts the moves of `next` in that.
    fn visit_options(
        &self,
        id: u32,
        player: Player,
        next: Option<Player>,
        visit: &mut dyn FnMut(&Met<'_>) -> Flow,
    ) -> Result<bool, Stop>;
    /// Appends the numbers in this room of the components of one option, by its place among all.
    fn push_option(
        &mut self,
        id: u32,
        player: Player,
        place: u32,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop>;
    /// Forgets the components of which that does not hold; their numbers are given again.
    fn forget(&mut self, kept: &dyn Fn(u32) -> bool);
    /// Gives every component that has none yet a number in the space, from `next` on: which components these are.
    fn number_new(&mut self, next: u32) -> Range<u32>;
    /// The number in the space.
    fn outside(&self, id: u32) -> u32;
    fn as_any(&mut self) -> &mut dyn Any;
    fn inner(&self) -> &dyn Any;
}

/// Moves of a component beyond which they are not counted.
pub(crate) const COUNTED: u64 = 1_000;

/// How many moves a player has in a part, or one more than a number that they are beyond.
fn moves_of<R: Ruleset>(rules: &R, part: &R::Part, player: Player, most: u64) -> Result<u64, Stop> {
    let mut count = 0;
    ended(rules.options(player, 0, part, &mut |_, _| {
        count += 1;
        if count > most {
            ControlFlow::Break(Halt::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }))?;
    Ok(count)
}

#[derive(Debug)]
struct Entered<R: Ruleset> {
    interned: Interned<R>,
    outside: Vec<u32>,
}

impl<R: Ruleset> Room for Entered<R> {
    fn push_options(
        &mut self,
        id: u32,
        player: Player,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.interned.push_options(id, player, out, limits)
    }

    fn payoff(&self, id: u32, to_move: Player) -> Result<Worth, Stop> {
        self.interned.rules.payoff(self.interned.part(id), to_move)
    }

    fn form(
        &self,
        id: u32,
        values: &mut Valuation<Canonical>,
        limits: &Limits<'_>,
    ) -> Result<Value, Stop> {
        let found = values.part(&self.interned.rules, self.interned.part(id), limits)?;
        Ok(found.value)
    }

    fn found(&self, id: u32, values: &mut Valuation<Canonical>) -> Option<Value> {
        values.found(&self.interned.rules, self.interned.part(id))
    }

    fn bounds(&self, id: u32) -> Option<[i64; 2]> {
        self.interned
            .rules
            .knowledge()
            .bounds(self.interned.part(id))
    }

    fn reserves(&self, id: u32) -> Option<[Reserve; 2]> {
        self.interned
            .rules
            .knowledge()
            .reserves(self.interned.part(id))
    }

    fn moves(&self, id: u32, player: Player, most: u64) -> Result<u64, Stop> {
        moves_of(&*self.interned.rules, self.interned.part(id), player, most)
    }

    fn all_small(&self) -> Option<(&'static str, &dyn AllSmall)> {
        let packs = self.interned.rules.knowledge().sides()?;
        Some((self.interned.rules.name(), packs))
    }

    fn sides(&self, id: u32) -> Option<Sides> {
        let packs = self.interned.rules.knowledge().sides()?;
        packs.pack(self.interned.part(id))
    }

    fn negative(&mut self, id: u32) -> Option<u32> {
        let (rules, part) = (Arc::clone(&self.interned.rules), self.interned.part(id));
        match rules.nature(part).moves {
            // Twice an impartial game is worth nothing, unless a play of it may go on for ever: then there is a draw to be
            // had in it.
            Moves::Same => {
                (rules.knowledge().finite() && rules.knowledge().known_to_end()).then_some(id)
            }
            Moves::Own => {
                let negative = rules.knowledge().negative(part)?;
                Some(self.interned.number(negative))
            }
        }
    }

    fn passed(&mut self, id: u32) -> Option<u32> {
        let passed = self.interned.rules.passed(self.interned.part(id))?;
        Some(self.interned.number(passed))
    }

    fn bytes(&self) -> u64 {
        self.interned.bytes() + 4 * self.outside.capacity() as u64
    }

    fn write(&self, id: u32) -> String {
        let part = self.interned.part(id);
        self.interned.rules.show().write(std::slice::from_ref(part))
    }

    fn position(&self, id: u32) -> Option<Position> {
        let (rules, part) = (&self.interned.rules, self.interned.part(id));
        let told = rules.knowledge().network(part).is_none();
        let term = || Term {
            rules: Arc::clone(rules),
            parts: vec![part.clone()],
        };
        told.then(|| Position::of(vec![term().into()]))
    }

    fn visit_options(
        &self,
        id: u32,
        player: Player,
        next: Option<Player>,
        visit: &mut dyn FnMut(&Met<'_>) -> Flow,
    ) -> Result<bool, Stop> {
        let (rules, mut known) = (&*self.interned.rules, Vec::new());
        let part = self.interned.part(id);
        ended(rules.options_by_promise(player, part, &mut |option, _| {
            known.clear();
            let (mut new, mut reserves) = (0, Some(<[Reserve; 2]>::default()));
            let (mut moves, mut stopped) = (0, None);
            for part in option {
                rules.components(part, &mut |component| {
                    if let Some(id) = self.interned.find(&component) {
                        known.push(self.outside[id as usize]);
                        return;
                    }
                    new += 1;
                    let further = rules.knowledge().reserves(&component);
                    reserves = reserves.zip(further).map(|([a, b], [c, d])| [a + c, b + d]);
                    if let Some(next) = next {
                        match moves_of(rules, &component, next, COUNTED) {
                            Ok(further) => moves += further as u32,
                            Err(stop) => stopped = Some(stop),
                        }
                    }
                });
            }
            if let Some(stop) = stopped {
                return ControlFlow::Break(stop.into());
            }
            visit(&Met {
                known: &known,
                new,
                reserves,
                moves,
            })
        }))
    }

    fn push_option(
        &mut self,
        id: u32,
        player: Player,
        place: u32,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        let rules = Arc::clone(&self.interned.rules);
        let part = self.interned.part(id).clone();
        let mut before = place;
        ended(rules.options_by_promise(player, &part, &mut |option, _| {
            if before > 0 {
                before -= 1;
                return ControlFlow::Continue(());
            }
            for part in option {
                self.interned.push_components(part, out);
            }
            ControlFlow::Break(Halt::Enough)
        }))
        .map(|_| ())
    }

    fn forget(&mut self, kept: &dyn Fn(u32) -> bool) {
        let outside = &self.outside;
        self.interned.forget(|id| kept(outside[id as usize]));
    }

    fn number_new(&mut self, next: u32) -> Range<u32> {
        let (first, end) = (self.outside.len(), self.interned.len());
        self.outside.extend((next..).take(end - first));
        first as u32..end as u32
    }

    fn outside(&self, id: u32) -> u32 {
        self.outside[id as usize]
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn inner(&self) -> &dyn Any {
        self
    }
}

impl Space {
    /// A space that numbers parts as they stand, and not their canonical components.
    pub(crate) fn of_whole_parts() -> Self {
        Self {
            form: Form::Whole,
            ..Self::default()
        }
    }

    /// Enters the components of parts, and appends their numbers; which room they are in.
    pub fn enter<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        parts: &[R::Part],
        out: &mut Vec<u32>,
    ) -> u32 {
        let found = self.rooms.iter_mut().position(|known| {
            known
                .as_any()
                .downcast_ref::<Entered<R>>()
                .is_some_and(|known| known.interned.rules == *rules)
        });
        let index = found.unwrap_or_else(|| {
            self.rooms.push(Box::new(Entered {
                interned: Interned::of(Arc::clone(rules), self.form),
                outside: Vec::new(),
            }));
            self.rooms.len() - 1
        });
        let room: &mut Entered<R> = self.rooms[index]
            .as_any()
            .downcast_mut()
            .expect("found by its type, or just made with it");
        let first = out.len();
        for part in parts {
            room.interned.push_components(part, out);
        }
        self.number_new(index);
        let room = &self.rooms[index];
        out[first..]
            .iter_mut()
            .for_each(|id| *id = room.outside(*id));
        index as u32
    }

    /// Numbers the components that are new in a room.
    fn number_new(&mut self, room: usize) {
        let new = self.rooms[room].number_new(self.components.len() as u32);
        self.components.extend(new.map(|id| (room as u32, id)));
    }

    /// Appends the numbers of the components of `part`; nothing where one of them has not been met.
    #[must_use]
    pub fn find<R: Ruleset>(
        &self,
        rules: &Arc<R>,
        part: &R::Part,
        out: &mut Vec<u32>,
    ) -> Option<()> {
        let (mut inside, mut all) = (Vec::new(), true);
        let room = self.rooms.iter().find_map(|room| {
            let room = room.inner().downcast_ref::<Entered<R>>()?;
            (room.interned.rules == *rules).then_some(room)
        });
        rules.components(part, &mut |component| {
            let known = room.and_then(|room| room.interned.find(&component));
            all &= known.is_some();
            inside.extend(known);
        });
        let numbers = inside
            .into_iter()
            .filter_map(|id| Some(room?.outside[id as usize]));
        out.extend(numbers);
        all.then_some(())
    }

    /// Forgets the components that are not `kept`: their numbers are given to others that are met later on.
    pub(crate) fn forget(&mut self, kept: &dyn Fn(u32) -> bool) {
        self.rooms.iter_mut().for_each(|room| room.forget(kept));
    }

    /// How many numbers have been given to components.
    #[must_use]
    pub fn len(&self) -> usize {
        self.components.len()
    }

    /// Whether none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// Appends the options that `player` has in a component, each as its number of components and then their numbers.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
    pub fn push_options(
        &mut self,
        id: u32,
        player: Player,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let (room, inside) = self.components[id as usize];
        let index = room as usize;
        let mut next = out.len();
        let listed = self.rooms[index].push_options(inside, player, out, limits);
        // What was met before a limit has its number, too.
        self.number_new(index);
        listed?;
        let room = &self.rooms[index];
        while let Some(&length) = out.get(next) {
            let list = next + 1..=next + length as usize;
            next = list.end() + 1;
            out[list].iter_mut().for_each(|id| *id = room.outside(*id));
        }
        Ok(())
    }

    /// Visits the options that `player` has in a component, without giving numbers to what is new in them, and counts the moves of
    /// `next` in that where somebody is named; whether the visitor had enough.
    ///
    /// # Errors
    /// Rules that have no answer, or what the visitor answered.
    pub(crate) fn visit_options(
        &self,
        id: u32,
        player: Player,
        next: Option<Player>,
        visit: &mut dyn FnMut(&Met<'_>) -> Flow,
    ) -> Result<bool, Stop> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].visit_options(inside, player, next, visit)
    }

    /// Appends the components of one of the options visited, by its place among them.
    ///
    /// # Errors
    /// Rules that have no answer.
    pub(crate) fn push_option(
        &mut self,
        id: u32,
        player: Player,
        place: u32,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        let (room, inside) = self.components[id as usize];
        let (index, first) = (room as usize, out.len());
        let listed = self.rooms[index].push_option(inside, player, place, out);
        self.number_new(index);
        listed?;
        let room = &self.rooms[index];
        out[first..]
            .iter_mut()
            .for_each(|id| *id = room.outside(*id));
        Ok(())
    }

    /// What a component without an option is worth to the player to move, in normal play.
    ///
    /// # Errors
    /// Rules that have no answer.
    pub fn payoff(&self, id: u32, to_move: Player) -> Result<Worth, Stop> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].payoff(inside, to_move)
    }

    /// The canonical form of a component.
    ///
    /// # Errors
    /// The limit that was reached, or that there is none.
    pub fn form(
        &self,
        id: u32,
        values: &mut Valuation<Canonical>,
        limits: &Limits<'_>,
    ) -> Result<Value, Stop> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].form(inside, values, limits)
    }

    /// Whole numbers between which the value of a component lies in normal play.
    #[must_use]
    pub fn bounds(&self, id: u32) -> Option<[i64; 2]> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].bounds(inside)
    }

    /// What Left and what Right has in reserve in a component in normal play.
    #[must_use]
    pub fn reserves(&self, id: u32) -> Option<[Reserve; 2]> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].reserves(inside)
    }

    /// How many moves a player has in a component; beyond `most` they are not counted.
    ///
    /// # Errors
    /// Rules that have no answer.
    pub(crate) fn moves(&self, id: u32, player: Player, most: u64) -> Result<u64, Stop> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].moves(inside, player, most)
    }

    /// The form of a component, where it was found before.
    pub(crate) fn found(&self, id: u32, values: &mut Valuation<Canonical>) -> Option<Value> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].found(inside, values)
    }

    /// A component of an all-small game as words, where it fits.
    pub(crate) fn sides(&self, id: u32) -> Option<Sides> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].sides(inside)
    }

    /// The rules for components of a room as words, and the name of the ruleset.
    pub(crate) fn all_small(&self, room: u32) -> Option<(&'static str, &dyn AllSmall)> {
        self.rooms[room as usize].all_small()
    }

    /// The component that cancels this one in normal play, where there is one.
    pub fn negative(&mut self, id: u32) -> Option<u32> {
        self.beside(id, Room::negative)
    }

    /// What the part becomes when its player moves elsewhere, where that makes a difference.
    pub(crate) fn passed(&mut self, id: u32) -> Option<u32> {
        self.beside(id, Room::passed)
    }

    /// The number of what lies in the room of `id` and is found from there.
    fn beside(
        &mut self,
        id: u32,
        find: impl FnOnce(&mut dyn Room, u32) -> Option<u32>,
    ) -> Option<u32> {
        let (room, inside) = self.components[id as usize];
        let index = room as usize;
        let found = find(&mut *self.rooms[index], inside)?;
        self.number_new(index);
        Some(self.rooms[index].outside(found))
    }

    /// A component as a part of its ruleset; nothing where it is one of another.
    pub(crate) fn part<R: Ruleset>(&self, id: u32) -> Option<&R::Part> {
        let (room, inside) = self.components[id as usize];
        let room = self.rooms[room as usize]
            .inner()
            .downcast_ref::<Entered<R>>();
        room.map(|room| room.interned.part(inside))
    }

    /// Which room a component is in.
    pub(crate) fn room(&self, id: u32) -> u32 {
        self.components[id as usize].0
    }

    /// A component in canonical notation.
    #[must_use]
    pub fn write(&self, id: u32) -> String {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].write(inside)
    }

    /// A component as a position of its own, where what is written says all of it: a graph in a file is known by the name of the file.
    pub(crate) fn position(&self, id: u32) -> Option<Position> {
        let (room, inside) = self.components[id as usize];
        self.rooms[room as usize].position(inside)
    }

    /// About how many bytes are held.
    pub(crate) fn bytes(&self) -> u64 {
        let rooms: u64 = self.rooms.iter().map(|room| room.bytes()).sum();
        rooms + 8 * self.components.capacity() as u64
    }
}
