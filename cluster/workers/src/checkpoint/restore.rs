//! Restores a checkpoint: distributes its data to the workers of this run.
//!
//! Each part is read by one worker and only once. That worker sends every row to its owner in this
//! run.

use grundy_base::message::Setting;
use grundy_base::{Diagnostic, Kind, Stop, message};
use grundy_core::PayoffResult;
use grundy_core::graph::{Score, Values};

use super::manifest::{MAX_BYTES, Manifest, NAME};
use super::part::{Part, Rows, Table};
use super::{Checkpoints, Saved};
use crate::checkpoint_options::CheckpointOptions;
use crate::interner::{Interner, owner};
use crate::options::Options;
use crate::partial_lists::{ListMark, PartialLists, Run, decode_place};
use crate::phase::Phase;
use crate::rounds::Rounds;
use crate::share::{Layout, Moves};
use crate::sieve::Sieve;
use crate::wire::{Reader, damaged, put, put_text};

/// Number of rows whose keys are resolved by one request. A key identifies a name in the run that
/// wrote the checkpoint.
const ROWS_PER_REQUEST: usize = 1 << 15;
/// The initial place of a name, used until an occurrence of the name is found. A place consists of
/// a list number and an index within the list.
const NO_PLACE: (u32, u64) = (u32::MAX, 0);
/// Exclusive upper bound on the numbers of edge lists. The encoded place of a name or an edge has
/// the list number above its lowest 40 bits.
const MAX_LISTS: i64 = 1 << 23;
/// Exclusive upper bound on the keys by which a checkpoint of edge lists identifies names.
const MAX_KEYS: u64 = 1 << 50;

/// The data of a checkpoint that belongs to one worker.
pub(crate) struct Restored {
    pub(crate) phase: Phase,
    pub(crate) positions: u64,
    pub(crate) turns: u64,
    pub(crate) interner: Interner,
    pub(crate) moves: Moves,
    pub(crate) options: Option<Options>,
    /// The part of the edge lists that was read, if the checkpoint was written during the reading.
    pub(crate) partial: Option<PartialLists>,
    /// Scores of the local vertices.
    pub(crate) scores: Vec<u32>,
    pub(crate) values: Option<Values>,
    /// Local vertices that have no value although their options have all values below the current
    /// one.
    pub(crate) eligible: Vec<u32>,
}

/// The distribution of the parts (files) of a checkpoint to the workers. Each worker reads some of
/// the files and sends their rows to the owners.
struct Distributor<'d, 'r, 'a> {
    rounds: &'r mut Rounds<'a>,
    settings: &'d CheckpointOptions<'d>,
    parts: &'d [Part],
    layout: Layout,
    positions: u64,
}

impl Distributor<'_, '_, '_> {
    fn load(&self, part: &Part) -> Result<Table, Diagnostic> {
        let store = &self.settings.store;
        self.rounds.limits().check(1, part.bytes)?;
        let bytes = store.get(&part.name, part.bytes)?;
        let table = bytes.and_then(|bytes| Table::read(part, bytes));
        table.ok_or_else(|| damaged_part(store.name(), &part.name))
    }

    /// Loads the companion part of a part, which stores further data for the same rows. Returns an
    /// empty table if there is no companion part.
    fn load_companion(&self, part: &Part) -> Result<Table, Diagnostic> {
        let Some(kind) = part.kind.companion() else {
            return Ok(Table::default());
        };
        let [from, to] = [part.kind, kind].map(|kind| format!("-{}.", kind.name()));
        let name = part.name.replace(&from, &to);
        let mut others = self.parts.iter();
        let companion = others.find(|other| other.kind == kind && other.name == name);
        companion.map_or(Ok(Table::default()), |companion| self.load(companion))
    }

    /// Sends all rows of a kind to their owners. `send` encodes a row. `take` decodes a row at its
    /// owner and returns the number of bytes that the owner now holds in memory.
    fn distribute(
        &mut self,
        kind: Rows,
        mut send: impl FnMut(&mut Rounds<'_>, &Part, &[Table; 2], usize) -> Result<(), Diagnostic>,
        mut take: impl FnMut(&mut Reader<'_>) -> Result<u64, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let parts = self.parts;
        let of_kind = parts.iter().filter(|part| part.kind == kind);
        // Worker i of w reads the parts i, i + w, and so on. All workers have the same manifest, so
        // they agree on this without messages.
        let mine = of_kind.skip(self.rounds.index());
        let mut mine = mine.step_by(self.rounds.workers()).peekable();
        let mut open: Option<(&Part, [Table; 2], usize)> = None;
        loop {
            while self.rounds.has_room() {
                let Some((part, tables, next)) = &mut open else {
                    let Some(part) = mine.next() else { break };
                    let table = self.load(part)?;
                    open = Some((part, [table, self.load_companion(part)?], 0));
                    continue;
                };
                let end = (*next + 64).min(tables[0].rows());
                // The room of the outboxes is checked after every 64 rows, because this takes
                // O(workers).
                for row in *next..end {
                    send(self.rounds, part, tables, row)?;
                }
                *next = end;
                if end == tables[0].rows() {
                    open = None;
                }
            }
            let more = open.is_some() || mine.peek().is_some();
            let arrived = self.rounds.swap(more, [0; 4])?;
            let mut held = 0;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    held = take(&mut reader)?;
                }
            }
            self.rounds.limits().check(1, held)?;
            if !arrived.more {
                return Ok(());
            }
        }
    }

    /// Sends the number that each vertex has in the parts of `kind` to the owner of the vertex.
    /// Numbers equal to `usual` are not sent, because they are the default at the receiver.
    fn vertices(
        &mut self,
        kind: Rows,
        usual: i64,
        mut take: impl FnMut(u32, u64) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let (layout, positions, name) = (self.layout, self.positions, self.settings.store.name());
        self.distribute(
            kind,
            |rounds, part, tables, row| {
                let number = tables[0].numbers[0][row];
                let (row, turns) = (row as u64, layout.turns);
                // The rows of a part are vertices of one worker of the run that wrote it. The
                // positions of that worker are `step` apart. The product is checked, since it could
                // overflow in a damaged part.
                let position = (row / turns).checked_mul(part.step);
                let position = position.and_then(|some| some.checked_add(part.first));
                let position = position.filter(|&position| position < positions);
                let position = position.ok_or_else(|| damaged_part(name, &part.name))?;
                if number != usual {
                    let (owner, local) = layout.place(position * turns + row % turns);
                    put(rounds.outbox(owner), local.into());
                    put(rounds.outbox(owner), number as u64);
                }
                Ok(())
            },
            |reader| {
                take(reader.number()? as u32, reader.number()?)?;
                Ok(0)
            },
        )
    }

    /// Distributes names to their owners. `kind` says whether these names belong to positions or to
    /// partially read lists. If `options` is given, the moves of each position are sent with its
    /// name.
    fn names(
        &mut self,
        kind: Rows,
        interner: &mut Interner,
        options: &mut Option<Options>,
    ) -> Result<(), Diagnostic> {
        let (layout, positions, name) = (self.layout, self.positions, self.settings.store.name());
        // Index of the next move in the companion part. Its moves are sorted by row.
        let mut next = 0;
        self.distribute(
            kind,
            |rounds, part, [names, moves], row| {
                if row == 0 {
                    next = 0;
                }
                let number = names.numbers[0][row] as u64;
                let text = std::str::from_utf8(names.texts[row].data());
                let (true, Ok(text)) = (number < positions, text) else {
                    return Err(damaged_part(name, &part.name));
                };
                let out = rounds.outbox(owner(text, layout.workers as usize));
                put(out, number);
                put_text(out, text);
                let [rows, targets] = &moves.numbers;
                let end = next + rows[next..].partition_point(|&of| of <= row as i64);
                put(out, (end - next) as u64);
                for &target in &targets[next..end] {
                    put(out, target as u64);
                }
                next = end;
                Ok(())
            },
            |reader| {
                let number = reader.number()?;
                let local = interner.texts.intern(reader.text()?);
                // If the name occurs twice in the checkpoint, its index already exists.
                if local as usize != interner.numbers.len() {
                    return Err(damaged());
                }
                interner.numbers.push(number);
                let moves = reader.number()?;
                for place in 0..moves {
                    let target = reader.number()?;
                    if target >= positions {
                        return Err(damaged());
                    }
                    if let Some(options) = options {
                        options.push(local, place, target);
                    }
                }
                let options = options.as_ref().map_or(0, Options::bytes);
                Ok((interner.texts.bytes() + 12 * interner.numbers.len()) as u64 + options)
            },
        )
    }

    fn moves(&mut self, moves: &mut Moves) -> Result<(), Diagnostic> {
        let (layout, name) = (self.layout, self.settings.store.name());
        let vertices = layout.turns * self.positions;
        self.distribute(
            Rows::Moves,
            |rounds, part, tables, row| {
                let [to, from] = [0, 1].map(|column| tables[0].numbers[column][row] as u64);
                if to >= vertices || from >= vertices {
                    return Err(damaged_part(name, &part.name));
                }
                let (owner, local) = layout.place(to);
                put(rounds.outbox(owner), local.into());
                put(rounds.outbox(owner), from);
                Ok(())
            },
            |reader| {
                let to = reader.number()? as u32;
                moves.push(to, layout.place(reader.number()?));
                Ok(moves.bytes())
            },
        )?;
        self.vertices(Rows::Degrees, 0, |vertex, degree| {
            moves.add_degree(vertex, degree as u32);
            Ok(())
        })?;
        let mut ends = Vec::new();
        self.distribute(
            Rows::Ends,
            |rounds, part, tables, row| {
                let [vertex, worth] = [0, 1].map(|column| tables[0].numbers[column][row] as u64);
                if vertex >= vertices || worth > PayoffResult::Win as u64 {
                    return Err(damaged_part(name, &part.name));
                }
                let (owner, local) = layout.place(vertex);
                put(rounds.outbox(owner), local.into());
                put(rounds.outbox(owner), worth);
                Ok(())
            },
            |reader| {
                ends.push((reader.number()? as u32, reader.number()?));
                Ok(0)
            },
        )?;
        for (vertex, worth) in ends {
            let all = [PayoffResult::Lose, PayoffResult::Tie, PayoffResult::Win];
            let worth = all.into_iter().find(|&one| one as u64 == worth);
            moves.end(vertex, worth.ok_or_else(damaged)?);
        }
        Ok(())
    }
}

/// A map from the keys of names in a checkpoint to the owners and local indices of the names in
/// this run.
///
/// A key identifies a name in the run that wrote the checkpoint. It is computed from the owner and
/// the local index that the name had in that run. With w workers, the entry of a key is stored at
/// worker key mod w.
struct Directory {
    places: Vec<(u16, u32)>,
    workers: u64,
}

impl Directory {
    /// The entry of a key that belongs to no name: an impossible owner, and 0.
    const UNKNOWN: (u16, u32) = (u16::MAX, 0);

    /// Builds the directory. `keys` holds the keys of the names that belong to this worker.
    fn new(rounds: &mut Rounds<'_>, keys: &[u64]) -> Result<Self, Diagnostic> {
        let workers = rounds.workers() as u64;
        let (mut places, mut next) = (Vec::new(), 0);
        loop {
            while next < keys.len() && rounds.has_room() {
                let end = keys.len().min(next + 64);
                for (local, &key) in (next..).zip(&keys[next..end]) {
                    let out = rounds.outbox((key % workers) as usize);
                    put(out, key / workers);
                    put(out, local as u64);
                }
                next = end;
            }
            let arrived = rounds.swap(next < keys.len(), [0; 4])?;
            for (worker, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    let place = reader.number()? as usize;
                    if place >= places.len() {
                        rounds.limits().check(1, 8 * place as u64)?;
                        places.resize(place + 1, Self::UNKNOWN);
                    }
                    places[place] = (worker as u16, reader.number()? as u32);
                }
            }
            if !arrived.more {
                return Ok(Self { places, workers });
            }
        }
    }

    /// Returns the owner and the local index of the name with each key, or nothing for an unknown
    /// key. All workers must call this together.
    fn places(
        &self,
        rounds: &mut Rounds<'_>,
        keys: impl Iterator<Item = u64>,
    ) -> Result<Vec<Option<(usize, u32)>>, Diagnostic> {
        let mut found = Vec::new();
        rounds.query(
            keys,
            |key, out| {
                let place = self.places.get((key / self.workers) as usize);
                let (worker, local) = place.copied().unwrap_or(Self::UNKNOWN);
                put(out, worker.into());
                put(out, local.into());
            },
            |reader| {
                let place = (reader.number()?, reader.number()? as u32);
                let known = place.0 < self.workers;
                found.push(known.then_some((place.0 as usize, place.1)));
                Ok(())
            },
        )?;
        Ok(found)
    }
}

/// Functions that restore partially read lists.
impl Distributor<'_, '_, '_> {
    fn partial_lists(&mut self) -> Result<PartialLists, Diagnostic> {
        let mut read = PartialLists::default();
        self.names(Rows::Keys, &mut read.interner, &mut None)?;
        let keys = std::mem::take(&mut read.interner.numbers);
        let directory = Directory::new(self.rounds, &keys)?;
        read.firsts = vec![NO_PLACE; keys.len()];
        self.places(&directory, &mut read)?;
        if read.firsts.contains(&NO_PLACE) {
            return Err(damaged_part(self.settings.store.name(), NAME));
        }
        self.edges(&directory, &mut read)?;
        let name = self.settings.store.name();
        for part in self.parts.iter().filter(|part| part.kind == Rows::Lists) {
            let [lists, counts] = self.load(part)?.numbers;
            for (list, count) in lists.into_iter().zip(counts) {
                let (place, done) = ((list / 2) as usize, list % 2 == 1);
                if !(0..2 * MAX_LISTS).contains(&list) {
                    return Err(damaged_part(name, &part.name));
                }
                if place >= read.lists.len() {
                    read.lists.resize(place + 1, ListMark::default());
                }
                let count = count as u64;
                read.lists[place] = ListMark {
                    rows: if done { 0 } else { count },
                    names: if done { count } else { 0 },
                    done,
                };
            }
        }
        Ok(read)
    }

    /// Reads this worker's share of the parts (files) of a kind in pieces of at most
    /// [`ROWS_PER_REQUEST`] rows. Calls `rows` for each piece. `rows` communicates in rounds, so
    /// all workers call it equally often. A worker without further pieces passes `None` to `rows`.
    fn each_piece(
        &mut self,
        kind: Rows,
        mut rows: impl FnMut(
            &mut Rounds<'_>,
            Option<(&Part, &[Table; 2], std::ops::Range<usize>)>,
        ) -> Result<(), Diagnostic>,
        mut take: impl FnMut(&mut Reader<'_>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let of_kind = self.parts.iter().filter(|part| part.kind == kind);
        let mine = of_kind.skip(self.rounds.index());
        let mut mine = mine.step_by(self.rounds.workers()).peekable();
        let mut open: Option<(&Part, [Table; 2], usize)> = None;
        loop {
            if open.is_none()
                && let Some(part) = mine.next()
            {
                open = Some((part, [self.load(part)?, self.load_companion(part)?], 0));
            }
            if let Some((part, tables, next)) = &mut open {
                let end = (*next + ROWS_PER_REQUEST).min(tables[0].rows());
                rows(self.rounds, Some((part, tables, *next..end)))?;
                *next = end;
                if end == tables[0].rows() {
                    open = None;
                }
            // A worker that has no rows left still calls `rows`, since other workers request places
            // from it.
            } else {
                rows(self.rounds, None)?;
            }
            let more = open.is_some() || mine.peek().is_some();
            let arrived = self.rounds.swap(more, [0; 4])?;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    take(&mut reader)?;
                }
            }
            if !arrived.more {
                return Ok(());
            }
        }
    }

    /// Restores the least place (list number and index) at which each local name occurs.
    fn places(&mut self, directory: &Directory, read: &mut PartialLists) -> Result<(), Diagnostic> {
        let name = self.settings.store.name();
        self.each_piece(
            Rows::Seen,
            |rounds, some| {
                let keys = some
                    .iter()
                    .flat_map(|(_, [table, _], rows)| &table.numbers[0][rows.clone()]);
                let places = directory.places(rounds, keys.map(|&key| key as u64))?;
                let Some((part, [table, _], rows)) = some else {
                    return Ok(());
                };
                for (place, &first) in places.into_iter().zip(&table.numbers[1][rows]) {
                    let (worker, local) = place.ok_or_else(|| damaged_part(name, &part.name))?;
                    let out = rounds.outbox(worker);
                    put(out, local.into());
                    put(out, first as u64);
                }
                Ok(())
            },
            |reader| {
                let known = read.firsts.get_mut(reader.number()? as usize);
                let (list, within) = decode_place(reader.number()?);
                let known = known.ok_or_else(damaged)?;
                // If a place was lowered after its first checkpoint, it occurs in several parts.
                // The least one is valid.
                *known = (*known).min((list as u32, within));
                Ok(())
            },
        )
    }

    /// Restores the edges. Each edge is stored at the worker that reads its part, so no edge is
    /// sent.
    fn edges(&mut self, directory: &Directory, read: &mut PartialLists) -> Result<(), Diagnostic> {
        let name = self.settings.store.name();
        self.each_piece(
            Rows::Edges,
            |rounds, some| {
                let keys = some.iter().flat_map(|(_, [table, _], rows)| {
                    let [from, to] = &table.numbers;
                    rows.clone().flat_map(|row| [from[row], to[row]])
                });
                let places = directory.places(rounds, keys.map(|key| key as u64))?;
                let Some((part, [_, runs], rows)) = some else {
                    return Ok(());
                };
                let (pairs, _) = places.as_chunks::<2>();
                let [begins, firsts] = &runs.numbers;
                // A piece may begin in the middle of a run, so the runs that begin in earlier
                // pieces are skipped.
                let mut next = begins.partition_point(|&row| row < rows.start as i64);
                for (row, pair) in rows.clone().zip(pairs) {
                    let begins = begins.get(next) == Some(&(row as i64));
                    if begins {
                        let first = decode_place(firsts[next] as u64);
                        read.runs.push(Run { first, edges: 0 });
                        next += 1;
                    }
                    let ([Some(source), Some(target)], Some(run)) = (*pair, read.runs.last_mut())
                    else {
                        return Err(damaged_part(name, &part.name));
                    };
                    run.edges += 1;
                    read.push(source, target);
                }
                rounds.limits().check(1, 12 * read.sources.len() as u64)?;
                Ok(())
            },
            // No edges are sent, so any message that arrives is an error.
            |_| Err(damaged()),
        )
    }
}

fn damaged_part(store: &str, part: &str) -> Diagnostic {
    let message = message!("{store}: {part} is missing or damaged", store, part);
    Diagnostic::new(Kind::Io, message).help(message!(
        "omit {option} to start over",
        option = Setting::command_line("resume")
    ))
}

/// Reads the manifest at worker 0 and sends it to all workers.
fn read_manifest(
    rounds: &mut Rounds<'_>,
    settings: &CheckpointOptions<'_>,
) -> Result<Option<Manifest>, Diagnostic> {
    let store = &settings.store;
    if rounds.index() == 0 {
        if let Some(bytes) = store.get(NAME, MAX_BYTES)? {
            let manifest = Manifest::read(&bytes);
            let manifest = manifest.ok_or_else(|| damaged_part(store.name(), NAME))?;
            if manifest.of != settings.of {
                let message = message!(
                    "{name}: {what}",
                    name = store.name(),
                    what = (settings.differs)(&manifest.of)
                );
                return Err(Diagnostic::new(Kind::Io, message).help(message!(
                    "omit {option} to start over",
                    option = Setting::command_line("resume")
                )));
            }
            for worker in 0..rounds.workers() {
                rounds.outbox(worker).extend_from_slice(&bytes);
            }
        } else {
            rounds.note(message!(
                "note: {file}: no checkpoint yet; starting from the beginning",
                file = store.name()
            ));
        }
    }
    // All workers take part in this round. The message is empty if there is no checkpoint.
    let arrived = rounds.swap(false, [0; 4])?;
    let bytes = arrived
        .readers()
        .next()
        .map_or(&[][..], |(_, reader)| reader.0);
    if bytes.is_empty() {
        return Ok(None);
    }
    Manifest::read(bytes).map(Some).ok_or_else(damaged)
}

impl Checkpoints<'_> {
    /// Restores a checkpoint, if resuming is enabled and a checkpoint exists.
    ///
    /// `named` is `true` if positions have texts. `keep_moves` is `true` if the moves of each
    /// position are stored in input order.
    pub(crate) fn restore(
        &mut self,
        rounds: &mut Rounds<'_>,
        (named, keep_moves): (bool, bool),
    ) -> Result<Option<Restored>, Diagnostic> {
        let Some(settings) = self.settings.filter(|settings| settings.resume) else {
            return Ok(None);
        };
        let Some(manifest) = read_manifest(rounds, settings)? else {
            return Ok(None);
        };
        if let Phase::Sieving { .. } = manifest.phase {
            return Err(damaged_part(settings.store.name(), NAME));
        }
        let limits = rounds.limits();
        if manifest.positions > limits.positions {
            return Err(Stop::Positions(limits.positions).into());
        }
        let layout = Layout {
            workers: rounds.workers() as u64,
            turns: manifest.turns,
            worker: rounds.index() as u64,
        };
        let own = layout.turns * layout.positions(manifest.positions);
        limits.check(1, own)?;
        if own >= u32::MAX.into() {
            return Err(Moves::too_many());
        }
        let mut new = Restored {
            phase: manifest.phase,
            positions: manifest.positions,
            turns: manifest.turns,
            interner: Interner::default(),
            moves: Moves::default(),
            options: keep_moves.then(Options::default),
            partial: None,
            scores: Vec::new(),
            values: None,
            eligible: Vec::new(),
        };
        let mut distributor = Distributor {
            rounds,
            settings,
            parts: &manifest.parts,
            layout,
            positions: manifest.positions,
        };
        if new.phase == Phase::Reading {
            distributor.positions = MAX_KEYS;
            new.partial = Some(distributor.partial_lists()?);
            // The keys are those of the run that wrote the checkpoint. So the next checkpoint
            // stores all lists again.
            self.take_over(rounds, settings, manifest);
            return Ok(Some(new));
        }
        distributor.names(Rows::Names, &mut new.interner, &mut new.options)?;
        distributor.moves(&mut new.moves)?;
        if !matches!(new.phase, Phase::Finding { .. }) {
            new.scores = vec![Score::DRAW.0; own as usize];
            distributor.vertices(Rows::Scores, Score::DRAW.0.into(), |vertex, score| {
                new.scores[vertex as usize] = score as u32;
                Ok(())
            })?;
        }
        let has_values = matches!(new.phase, Phase::Finite { .. } | Phase::Loopy { .. });
        if has_values {
            let mut values = Values::absent(own as usize);
            let eligible = &mut new.eligible;
            distributor.vertices(Rows::Values, 0, |vertex, number| {
                match number {
                    1 => eligible.push(vertex),
                    number => values.set(vertex, (number - 2) as u32),
                }
                Ok(())
            })?;
            new.eligible.sort_unstable();
            new.values = Some(values);
        }
        // Vertices of positions that are not yet explored have no degree. But moves to them may
        // exist already.
        let explored = match new.phase {
            Phase::Finding { first, .. } => first,
            _ => manifest.positions,
        };
        new.moves
            .make_room((layout.turns * layout.positions(explored)) as usize);
        // A part whose checksum is right can still belong to another checkpoint. These sums detect
        // a missing or repeated part of names, moves, or degrees.
        let degrees = new.moves.degrees().iter().map(|&degree| u64::from(degree));
        let sums = [
            new.interner.texts.len() as u64,
            new.moves.len() as u64,
            degrees.sum(),
            0,
        ];
        let [names, moves, degrees, _] = rounds.sums(sums)?;
        if moves != degrees || names != if named { manifest.positions } else { 0 } {
            return Err(damaged_part(settings.store.name(), NAME));
        }
        let graph = !matches!(new.phase, Phase::Finding { .. });
        self.saved = Saved {
            names: new.interner.texts.len(),
            moves: new.moves.len(),
            vertices: new.moves.degrees().len(),
            ends: new.moves.ends().len(),
            graph,
            scores: has_values,
            lists: None,
        };
        self.take_over(rounds, settings, manifest);
        Ok(Some(new))
    }

    /// Restores the cells of a ranked game that is labelled by a sieve, if resuming is enabled and
    /// a checkpoint exists.
    pub(crate) fn restore_cells(
        &mut self,
        rounds: &mut Rounds<'_>,
        (sieve, turns): (&mut Sieve<'_>, u64),
    ) -> Result<(), Diagnostic> {
        let Some(settings) = self.settings.filter(|settings| settings.resume) else {
            return Ok(());
        };
        let Some(manifest) = read_manifest(rounds, settings)? else {
            return Ok(());
        };
        let name = settings.store.name();
        let cells = sieve.cells();
        let Phase::Sieving { height, done } = manifest.phase else {
            return Err(damaged_part(name, NAME));
        };
        if manifest.turns != turns || manifest.positions * turns != cells {
            return Err(damaged_part(name, NAME));
        }
        let limits = rounds.table_limits();
        let owner = sieve.table.owners();
        // `layout` is not used for cells, since `owner` returns the owner of a cell's stretch.
        let mut distributor = Distributor {
            rounds,
            settings,
            parts: &manifest.parts,
            layout: Layout {
                workers: 1,
                turns,
                worker: 0,
            },
            positions: manifest.positions,
        };
        let table = &mut sieve.table;
        distributor.distribute(
            Rows::Cells,
            |rounds, part, tables, row| {
                let [cell, moves] = [0, 1].map(|column| tables[0].numbers[column][row] as u64);
                if cell >= cells || moves > u64::from(u32::MAX) {
                    return Err(damaged_part(name, &part.name));
                }
                let out = rounds.outbox(owner(cell) as usize);
                put(out, cell);
                put(out, moves);
                Ok(())
            },
            |reader| {
                let place = table.local_index(reader.number()?).ok_or_else(damaged)?;
                let moves = reader.number()? as u32;
                // A checkpoint does not store the width of the cells. The table is widened when a
                // value needs it.
                table.fit(moves, &limits)?;
                table.set_min(place, moves);
                Ok(0)
            },
        )?;
        sieve.resume_at(height, done);
        self.take_over(rounds, settings, manifest);
        Ok(())
    }

    /// Makes this run continue the labelling of the checkpoint. The run takes over the number that
    /// identifies the labelling, and the parts in the manifest.
    fn take_over(
        &mut self,
        rounds: &mut Rounds<'_>,
        settings: &CheckpointOptions<'_>,
        manifest: Manifest,
    ) {
        self.labelling = manifest.labelling;
        self.has_manifest = true;
        if rounds.index() == 0 {
            self.parts = manifest.parts;
            self.remove_unlisted(settings);
        }
        rounds.set_clock(self.every);
    }
}
