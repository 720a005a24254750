//! What a checkpoint holds, dealt out to the workers that there are now.

use grundy::Worth;
use grundy::graph::{Score, Values};
use grundy_base::{Diagnostic, Kind, Stop, message};

use super::manifest::{LONGEST, Manifest, NAME};
use super::part::{Part, Rows, Table};
use super::{Checkpoints, Saved};
use crate::edges::Options;
use crate::keeping::Keeping;
use crate::known::{Known, owner};
use crate::phase::Phase;
use crate::rounds::Rounds;
use crate::share::{Layout, Moves};
use crate::sieve::Sieve;
use crate::wire::{Reader, damaged, put, put_text};

/// What belongs to a worker of what a checkpoint holds.
pub(crate) struct Restored {
    pub(crate) phase: Phase,
    pub(crate) positions: u64,
    pub(crate) turns: u64,
    pub(crate) known: Known,
    pub(crate) moves: Moves,
    pub(crate) options: Option<Options>,
    /// By the vertices here.
    pub(crate) scores: Vec<u32>,
    pub(crate) values: Option<Values>,
    /// Vertices without a value that may get the present one.
    pub(crate) eligible: Vec<u32>,
}

/// Reads parts for all workers, each some of them.
struct Dealing<'d, 'r, 'a> {
    rounds: &'r mut Rounds<'a>,
    keeping: &'d Keeping<'d>,
    parts: &'d [Part],
    layout: Layout,
    positions: u64,
}

impl Dealing<'_, '_, '_> {
    fn load(&self, part: &Part) -> Result<Table, Diagnostic> {
        let store = &self.keeping.store;
        self.rounds.limits().check(1, part.bytes)?;
        let bytes = store.get(&part.name, part.bytes)?;
        let table = bytes.and_then(|bytes| Table::read(part, bytes));
        table.ok_or_else(|| unsound(store.name(), &part.name))
    }

    /// Deals out all rows of a kind: `send` writes one, `take` reads what has come.
    fn deal(
        &mut self,
        kind: Rows,
        mut send: impl FnMut(&mut Rounds<'_>, &Part, &[Table; 2], usize) -> Result<(), Diagnostic>,
        mut take: impl FnMut(&mut Reader<'_>) -> Result<u64, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let parts = self.parts;
        let of_kind = parts.iter().filter(|part| part.kind == kind);
        let mine = of_kind.skip(self.rounds.me());
        let mut mine = mine.step_by(self.rounds.workers()).peekable();
        let mut open: Option<(&Part, [Table; 2], usize)> = None;
        loop {
            while self.rounds.has_room() {
                let Some((part, tables, next)) = &mut open else {
                    let Some(part) = mine.next() else { break };
                    let table = self.load(part)?;
                    // The moves of some names are in a part beside.
                    let beside = part.name.replace("-names.", "-options.");
                    let beside = parts
                        .iter()
                        .find(|other| other.kind == Rows::Options && other.name == beside);
                    let beside = match beside {
                        Some(beside) if kind == Rows::Names => self.load(beside)?,
                        _ => Table::default(),
                    };
                    open = Some((part, [table, beside], 0));
                    continue;
                };
                let end = (*next + 64).min(tables[0].rows());
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

    /// Deals out a number for each vertex; those that are `usual` are not sent.
    fn vertices(
        &mut self,
        kind: Rows,
        usual: i64,
        mut take: impl FnMut(u32, u64) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let (layout, positions, name) = (self.layout, self.positions, self.keeping.store.name());
        self.deal(
            kind,
            |rounds, part, tables, row| {
                let number = tables[0].numbers[0][row];
                let (row, turns) = (row as u64, layout.turns);
                let position = (row / turns).checked_mul(part.step);
                let position = position.and_then(|some| some.checked_add(part.first));
                let position = position.filter(|&position| position < positions);
                let position = position.ok_or_else(|| unsound(name, &part.name))?;
                if number != usual {
                    let (owner, local) = layout.place(position * turns + row % turns);
                    put(rounds.to(owner), local.into());
                    put(rounds.to(owner), number as u64);
                }
                Ok(())
            },
            |reader| {
                take(reader.number()? as u32, reader.number()?)?;
                Ok(0)
            },
        )
    }

    /// Deals out the names, with their moves where these were kept.
    fn names(
        &mut self,
        known: &mut Known,
        options: &mut Option<Options>,
    ) -> Result<(), Diagnostic> {
        let (layout, positions, name) = (self.layout, self.positions, self.keeping.store.name());
        // How far the moves of the part that is read have been gone through.
        let mut next = 0;
        self.deal(
            Rows::Names,
            |rounds, part, [names, moves], row| {
                if row == 0 {
                    next = 0;
                }
                let number = names.numbers[0][row] as u64;
                let text = std::str::from_utf8(names.texts[row].data());
                let (true, Ok(text)) = (number < positions, text) else {
                    return Err(unsound(name, &part.name));
                };
                let out = rounds.to(owner(text, layout.workers as usize));
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
                let local = known.texts.number(reader.text()?);
                if local as usize != known.numbers.len() {
                    return Err(damaged());
                }
                known.numbers.push(number);
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
                Ok((known.texts.bytes() + 12 * known.numbers.len()) as u64 + options)
            },
        )
    }

    fn moves(&mut self, moves: &mut Moves) -> Result<(), Diagnostic> {
        let (layout, name) = (self.layout, self.keeping.store.name());
        let vertices = layout.turns * self.positions;
        self.deal(
            Rows::Moves,
            |rounds, part, tables, row| {
                let [to, from] = [0, 1].map(|column| tables[0].numbers[column][row] as u64);
                if to >= vertices || from >= vertices {
                    return Err(unsound(name, &part.name));
                }
                let (owner, local) = layout.place(to);
                put(rounds.to(owner), local.into());
                put(rounds.to(owner), from);
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
        self.deal(
            Rows::Ends,
            |rounds, part, tables, row| {
                let [vertex, worth] = [0, 1].map(|column| tables[0].numbers[column][row] as u64);
                if vertex >= vertices || worth > Worth::Win as u64 {
                    return Err(unsound(name, &part.name));
                }
                let (owner, local) = layout.place(vertex);
                put(rounds.to(owner), local.into());
                put(rounds.to(owner), worth);
                Ok(())
            },
            |reader| {
                ends.push((reader.number()? as u32, reader.number()?));
                Ok(0)
            },
        )?;
        for (vertex, worth) in ends {
            let all = [Worth::Lose, Worth::Tie, Worth::Win];
            let worth = all.into_iter().find(|&one| one as u64 == worth);
            moves.end(vertex, worth.ok_or_else(damaged)?);
        }
        Ok(())
    }
}

fn unsound(store: &str, part: &str) -> Diagnostic {
    let message = message!(
        "{store}: {part} is missing or is not as it was written",
        store,
        part
    );
    Diagnostic::new(Kind::Io, message).help(message!("leave --resume out to begin again"))
}

/// The manifest that is there, as all workers are told of it by the one that writes.
fn read_manifest(
    rounds: &mut Rounds<'_>,
    keeping: &Keeping<'_>,
) -> Result<Option<Manifest>, Diagnostic> {
    let store = &keeping.store;
    if rounds.me() == 0 {
        if let Some(bytes) = store.get(NAME, LONGEST)? {
            let manifest = Manifest::read(&bytes);
            let manifest = manifest.ok_or_else(|| unsound(store.name(), NAME))?;
            if manifest.of != keeping.of {
                let message = message!(
                    "{name}: {what}",
                    name = store.name(),
                    what = (keeping.differs)(&manifest.of)
                );
                return Err(Diagnostic::new(Kind::Io, message)
                    .help(message!("leave --resume out to begin again")));
            }
            for worker in 0..rounds.workers() {
                rounds.to(worker).extend_from_slice(&bytes);
            }
        } else {
            rounds.note(message!(
                "note: {file}: there is no checkpoint yet, so the work begins at the beginning",
                file = store.name()
            ));
        }
    }
    let arrived = rounds.swap(false, [0; 4])?;
    let told = arrived
        .readers()
        .next()
        .map_or(&[][..], |(_, reader)| reader.0);
    if told.is_empty() {
        return Ok(None);
    }
    Manifest::read(told).map(Some).ok_or_else(damaged)
}

impl Checkpoints<'_> {
    /// What the checkpoint holds, when it is to be gone on from and there is one. `named` says whether positions have texts, `keep`
    /// whether the moves of each are kept with it.
    pub(crate) fn resumed(
        &mut self,
        rounds: &mut Rounds<'_>,
        (named, keep): (bool, bool),
    ) -> Result<Option<Restored>, Diagnostic> {
        let Some(keeping) = self.keeping.filter(|keeping| keeping.resume) else {
            return Ok(None);
        };
        let Some(manifest) = read_manifest(rounds, keeping)? else {
            return Ok(None);
        };
        if let Phase::Sieving { .. } = manifest.phase {
            return Err(unsound(keeping.store.name(), NAME));
        }
        let limits = rounds.limits();
        if manifest.positions > limits.positions {
            return Err(Stop::Positions(limits.positions).into());
        }
        let layout = Layout {
            workers: rounds.workers() as u64,
            turns: manifest.turns,
            me: rounds.me() as u64,
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
            known: Known::default(),
            moves: Moves::default(),
            options: keep.then(Options::default),
            scores: Vec::new(),
            values: None,
            eligible: Vec::new(),
        };
        let mut dealing = Dealing {
            rounds,
            keeping,
            parts: &manifest.parts,
            layout,
            positions: manifest.positions,
        };
        dealing.names(&mut new.known, &mut new.options)?;
        dealing.moves(&mut new.moves)?;
        if !matches!(new.phase, Phase::Finding { .. }) {
            new.scores = vec![Score::DRAW.0; own as usize];
            dealing.vertices(Rows::Scores, Score::DRAW.0.into(), |vertex, score| {
                new.scores[vertex as usize] = score as u32;
                Ok(())
            })?;
        }
        let has_values = matches!(new.phase, Phase::Finite { .. } | Phase::Loopy { .. });
        if has_values {
            let mut values = Values::absent(own as usize);
            let eligible = &mut new.eligible;
            dealing.vertices(Rows::Values, 0, |vertex, number| {
                match number {
                    1 => eligible.push(vertex),
                    number => values.set(vertex, (number - 2) as u32),
                }
                Ok(())
            })?;
            new.eligible.sort_unstable();
            new.values = Some(values);
        }
        let looked = match new.phase {
            Phase::Finding { first, .. } => first,
            _ => manifest.positions,
        };
        new.moves
            .make_room((layout.turns * layout.positions(looked)) as usize);
        // Of what fits its checksum nothing but this is looked after.
        let degrees = new.moves.degrees().iter().map(|&degree| u64::from(degree));
        let sums = [
            new.known.texts.len() as u64,
            new.moves.len() as u64,
            degrees.sum(),
            0,
        ];
        let [names, moves, degrees, _] = rounds.sums(sums)?;
        if moves != degrees || names != if named { manifest.positions } else { 0 } {
            return Err(unsound(keeping.store.name(), NAME));
        }
        let graph = !matches!(new.phase, Phase::Finding { .. });
        self.saved = Saved {
            names: new.known.texts.len(),
            moves: new.moves.len(),
            vertices: new.moves.degrees().len(),
            ends: new.moves.ends().len(),
            graph,
            scores: has_values,
        };
        self.take_over(rounds, keeping, manifest.parts);
        Ok(Some(new))
    }

    /// Puts into the table of a game by ranks what the checkpoint holds of it, when it is to be gone on from and there is one.
    pub(crate) fn resumed_cells(
        &mut self,
        rounds: &mut Rounds<'_>,
        (sieve, turns): (&mut Sieve<'_>, u64),
    ) -> Result<(), Diagnostic> {
        let Some(keeping) = self.keeping.filter(|keeping| keeping.resume) else {
            return Ok(());
        };
        let Some(manifest) = read_manifest(rounds, keeping)? else {
            return Ok(());
        };
        let name = keeping.store.name();
        let cells = sieve.cells();
        let Phase::Sieving { height, done } = manifest.phase else {
            return Err(unsound(name, NAME));
        };
        if manifest.turns != turns || manifest.positions * turns != cells {
            return Err(unsound(name, NAME));
        }
        let limits = rounds.table_limits();
        let owner = sieve.table.owners();
        let mut dealing = Dealing {
            rounds,
            keeping,
            parts: &manifest.parts,
            layout: Layout {
                workers: 1,
                turns,
                me: 0,
            },
            positions: manifest.positions,
        };
        let table = &mut sieve.table;
        dealing.deal(
            Rows::Cells,
            |rounds, part, tables, row| {
                let [cell, moves] = [0, 1].map(|column| tables[0].numbers[column][row] as u64);
                if cell >= cells || moves > u64::from(u32::MAX) {
                    return Err(unsound(name, &part.name));
                }
                let out = rounds.to(owner(cell) as usize);
                put(out, cell);
                put(out, moves);
                Ok(())
            },
            |reader| {
                let place = table.place(reader.number()?).ok_or_else(damaged)?;
                let moves = reader.number()? as u32;
                table.fit(moves, &limits)?;
                table.lower(place, moves);
                Ok(0)
            },
        )?;
        sieve.go_on_from(height, done);
        self.take_over(rounds, keeping, manifest.parts);
        Ok(())
    }

    /// From now on these parts are those of the last checkpoint.
    fn take_over(&mut self, rounds: &mut Rounds<'_>, keeping: &Keeping<'_>, parts: Vec<Part>) {
        if rounds.me() == 0 {
            self.parts = parts;
            self.written = true;
            self.clear(keeping);
        }
        rounds.set_clock(self.every);
    }
}
