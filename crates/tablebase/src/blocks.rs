//! Columns as compressed blocks, each with its checksum and its place in the index.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::thread;

use crc32fast::Hasher;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use grundy_base::{Diagnostic, Kind, Message, message};

use crate::damaged;
use crate::folder::Folder;
use crate::manifest::Column;

/// Numbers in a block.
const ROWS: usize = 1 << 15;
/// A block of texts is full when it has so many bytes.
const TEXT: usize = 1 << 15;
/// Bytes of an entry of the index.
const ENTRY: u64 = 28;
/// Longest block that is read.
const LONGEST: u32 = 1 << 30;

fn data_file(folder: &Path, column: &str) -> PathBuf {
    folder.join(format!("{column}.data"))
}

fn index_file(folder: &Path, column: &str) -> PathBuf {
    folder.join(format!("{column}.index"))
}

/// The checksum of a block of a column whose checksums go on from `seed`.
fn checksum(seed: u32, number: u64, first: u64, unpacked: u32, packed: &[u8]) -> u32 {
    let mut sum = Hasher::new_with_initial(seed);
    sum.update(&number.to_le_bytes());
    sum.update(&first.to_le_bytes());
    sum.update(&unpacked.to_le_bytes());
    sum.update(packed);
    sum.finalize()
}

/// A file being written, with the checksum of what was.
struct Summed {
    /// The tablebase that it will belong to, by the name that errors call it.
    target: PathBuf,
    out: BufWriter<File>,
    sum: Hasher,
    length: u64,
}

impl Summed {
    fn create(folder: &Folder<'_>, path: &Path) -> Result<Self, Diagnostic> {
        let file = File::create(path).map_err(|error| folder.failed(&error))?;
        Ok(Self {
            target: folder.target().to_owned(),
            out: BufWriter::with_capacity(1 << 17, file),
            sum: Hasher::new(),
            length: 0,
        })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Diagnostic> {
        self.sum.update(bytes);
        self.length += bytes.len() as u64;
        let written = self.out.write_all(bytes);
        written.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Diagnostic {
        Diagnostic::io(self.target.display(), error)
    }

    /// Ends the file, safe on the disk; answers its checksum.
    fn finish(mut self) -> Result<u32, Diagnostic> {
        let written = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_all());
        written.map_err(|error| self.failed(&error))?;
        Ok(self.sum.finalize())
    }
}

/// Blocks that are compressed together, on all cores.
const TOGETHER: usize = 32;

/// Writes the blocks of a column.
pub(crate) struct Blocks {
    name: String,
    seed: u32,
    data: Summed,
    index: Summed,
    written: u64,
    rows: u64,
    /// Blocks that are not compressed yet, with the number of their rows.
    waiting: Vec<(Vec<u8>, u64)>,
}

impl Blocks {
    pub(crate) fn create(folder: &Folder<'_>, name: &str) -> Result<Self, Diagnostic> {
        Ok(Self {
            name: name.to_owned(),
            seed: folder.seed(name),
            data: Summed::create(folder, &data_file(folder.path(), name))?,
            index: Summed::create(folder, &index_file(folder.path(), name))?,
            written: 0,
            rows: 0,
            waiting: Vec::new(),
        })
    }

    /// Writes a block of so many rows, now or together with others.
    fn block(&mut self, unpacked: Vec<u8>, rows: u64) -> Result<(), Diagnostic> {
        self.waiting.push((unpacked, rows));
        if self.waiting.len() == TOGETHER {
            self.compress()?;
        }
        Ok(())
    }

    /// Writes the blocks that wait. They are the same bytes on any number of cores.
    fn compress(&mut self) -> Result<(), Diagnostic> {
        let waiting = std::mem::take(&mut self.waiting);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let share = waiting.len().div_ceil(cores).max(1);
        let packed = thread::scope(|scope| {
            let mut shares = waiting.chunks(share);
            let own = shares.next().unwrap_or_default();
            let others: Vec<_> = shares.map(|share| scope.spawn(|| packed(share))).collect();
            let mut all = packed(own)?;
            for other in others {
                let failed = |_| io::Error::other("a block could not be compressed");
                all.extend(other.join().map_err(failed)??);
            }
            Ok(all)
        });
        let packed = packed.map_err(|error| self.data.failed(&error))?;
        for ((unpacked, rows), packed) in waiting.iter().zip(packed) {
            self.put(unpacked.len() as u32, &packed, *rows)?;
        }
        Ok(())
    }

    fn put(&mut self, length: u32, packed: &[u8], rows: u64) -> Result<(), Diagnostic> {
        let first = self.rows;
        let sum = checksum(self.seed, self.written, first, length, packed);
        self.index.put(&self.data.length.to_le_bytes())?;
        self.index.put(&first.to_le_bytes())?;
        self.index.put(&(packed.len() as u32).to_le_bytes())?;
        self.index.put(&length.to_le_bytes())?;
        self.index.put(&sum.to_le_bytes())?;
        self.data.put(packed)?;
        self.written += 1;
        self.rows += rows;
        Ok(())
    }

    fn finish(mut self) -> Result<Column, Diagnostic> {
        self.compress()?;
        let bytes = self.data.length;
        Ok(Column {
            name: self.name,
            rows: self.rows,
            blocks: self.written,
            bytes,
            data: self.data.finish()?,
            index: self.index.finish()?,
        })
    }
}

/// The blocks compressed, one after the other.
fn packed(blocks: &[(Vec<u8>, u64)]) -> io::Result<Vec<Vec<u8>>> {
    blocks
        .iter()
        .map(|(unpacked, _)| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(unpacked)?;
            encoder.finish()
        })
        .collect()
}

/// Writes a column of numbers.
pub(crate) struct Numbers {
    blocks: Blocks,
    waiting: Vec<u64>,
}

impl Numbers {
    pub(crate) fn create(folder: &Folder<'_>, name: &str) -> Result<Self, Diagnostic> {
        Ok(Self {
            blocks: Blocks::create(folder, name)?,
            waiting: Vec::with_capacity(ROWS),
        })
    }

    pub(crate) fn push(&mut self, number: u64) -> Result<(), Diagnostic> {
        self.waiting.push(number);
        if self.waiting.len() == ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Diagnostic> {
        let most = self.waiting.iter().max().copied().unwrap_or(0);
        let width = [1usize, 2, 4]
            .into_iter()
            .find(|&width| most >> (8 * width) == 0)
            .unwrap_or(8);
        let mut unpacked = Vec::with_capacity(1 + width * self.waiting.len());
        unpacked.push(width as u8);
        for number in &self.waiting {
            unpacked.extend(&number.to_le_bytes()[..width]);
        }
        let rows = self.waiting.len() as u64;
        self.blocks.block(unpacked, rows)?;
        self.waiting.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Column, Diagnostic> {
        if !self.waiting.is_empty() {
            self.flush()?;
        }
        self.blocks.finish()
    }
}

/// Writes a column of texts.
pub(crate) struct Texts {
    blocks: Blocks,
    unpacked: Vec<u8>,
    waiting: u64,
    /// Texts that a block has at least.
    least: u64,
}

impl Texts {
    pub(crate) fn create(folder: &Folder<'_>, name: &str, least: u64) -> Result<Self, Diagnostic> {
        Ok(Self {
            blocks: Blocks::create(folder, name)?,
            unpacked: Vec::new(),
            waiting: 0,
            least,
        })
    }

    /// Appends a text; answers whether it is the first of its block.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<bool, Diagnostic> {
        let full = self.unpacked.len() + text.len() > TEXT && self.waiting >= self.least;
        if full {
            self.flush()?;
        }
        if text.len() >= LONGEST as usize / 4 {
            let message = message!("a position is longer than 256 MiB");
            let error = io::Error::other(Diagnostic::new(Kind::Limit, message));
            return Err(self.blocks.data.failed(&error));
        }
        self.unpacked.extend((text.len() as u32).to_le_bytes());
        self.unpacked.extend(text);
        self.waiting += 1;
        Ok(self.waiting == 1)
    }

    fn flush(&mut self) -> Result<(), Diagnostic> {
        let unpacked = std::mem::take(&mut self.unpacked);
        self.blocks.block(unpacked, self.waiting)?;
        self.waiting = 0;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Column, Diagnostic> {
        if self.waiting > 0 {
            self.flush()?;
        }
        self.blocks.finish()
    }
}

/// A column that is read, block by block.
#[derive(Debug)]
pub(crate) struct ColumnReader {
    folder: PathBuf,
    column: Column,
    seed: u32,
    data: File,
    index: File,
    /// The block read last, unpacked, and how many were read before.
    last: Option<(u64, Block)>,
    reads: u64,
}

/// A block, unpacked.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) first: u64,
    pub(crate) bytes: Vec<u8>,
}

struct BlockEntry {
    offset: u64,
    first: u64,
    packed: u32,
    unpacked: u32,
    sum: u32,
}

impl ColumnReader {
    /// Whether the column has no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.column.rows == 0
    }

    pub(crate) fn open(folder: &Path, column: &Column, seed: u32) -> Result<Self, Diagnostic> {
        let open = |path: PathBuf, length: u64| {
            let file = File::open(&path).map_err(|error| Diagnostic::io(path.display(), &error))?;
            let data = file.metadata();
            let found = data
                .map_err(|error| Diagnostic::io(path.display(), &error))?
                .len();
            if found != length {
                let what = message!(
                    "it has {found} bytes, not {length}: it is cut off or another",
                    found,
                    length
                );
                return Err(damaged(&path, &what));
            }
            Ok(file)
        };
        let index = column.blocks.saturating_mul(ENTRY);
        Ok(Self {
            data: open(data_file(folder, &column.name), column.bytes)?,
            index: open(index_file(folder, &column.name), index)?,
            folder: folder.to_owned(),
            column: column.clone(),
            seed,
            last: None,
            reads: 0,
        })
    }

    /// How many blocks have been read.
    pub(crate) fn reads(&self) -> u64 {
        self.reads
    }

    pub(crate) fn damaged(&self, what: &Message) -> Diagnostic {
        damaged(&data_file(&self.folder, &self.column.name), what)
    }

    fn entry(&mut self, number: u64) -> Result<BlockEntry, Diagnostic> {
        let path = || index_file(&self.folder, &self.column.name);
        let mut bytes = [0; ENTRY as usize];
        self.index
            .seek(SeekFrom::Start(number * ENTRY))
            .and_then(|_| self.index.read_exact(&mut bytes))
            .map_err(|error| Diagnostic::io(path().display(), &error))?;
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Ok(BlockEntry {
            offset: long(0),
            first: long(8),
            packed: short(16),
            unpacked: short(20),
            sum: short(24),
        })
    }

    /// The block with a number.
    pub(crate) fn block(&mut self, number: u64) -> Result<&Block, Diagnostic> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
            self.last = Some((number, self.read(number)?));
        }
        match &self.last {
            Some((_, block)) => Ok(block),
            None => Err(self.damaged(&message!("no block"))),
        }
    }

    fn read(&mut self, number: u64) -> Result<Block, Diagnostic> {
        if number >= self.column.blocks {
            return Err(self.damaged(&message!("there is no block {number}", number)));
        }
        let entry = self.entry(number)?;
        let wrong = message!("block {number} is damaged: its checksum is wrong", number);
        let end = entry.offset.checked_add(entry.packed.into());
        if end.is_none_or(|end| end > self.column.bytes) || entry.unpacked > LONGEST {
            return Err(self.damaged(&wrong));
        }
        let mut packed = vec![0; entry.packed as usize];
        self.data
            .seek(SeekFrom::Start(entry.offset))
            .and_then(|_| self.data.read_exact(&mut packed))
            .map_err(|error| {
                Diagnostic::io(data_file(&self.folder, &self.column.name).display(), &error)
            })?;
        if checksum(self.seed, number, entry.first, entry.unpacked, &packed) != entry.sum {
            return Err(self.damaged(&wrong));
        }
        let mut bytes = Vec::new();
        let read = ZlibDecoder::new(packed.as_slice())
            .take(u64::from(entry.unpacked) + 1)
            .read_to_end(&mut bytes);
        if read.is_err() || bytes.len() != entry.unpacked as usize {
            return Err(self.damaged(&wrong));
        }
        self.reads += 1;
        Ok(Block {
            first: entry.first,
            bytes,
        })
    }

    /// The number in a row of a column of numbers.
    pub(crate) fn number(&mut self, row: u64) -> Result<u64, Diagnostic> {
        let (block, within) = (row / ROWS as u64, (row % ROWS as u64) as usize);
        let bytes = &self.block(block)?.bytes;
        let number = bytes.first().and_then(|&width| {
            let width = usize::from(width);
            let digits = bytes.get(1 + within * width..)?.get(..width)?;
            let number = digits.iter().rev().try_fold(0u64, |number, &digit| {
                Some(number.checked_mul(256)? | u64::from(digit))
            });
            number.filter(|_| width > 0)
        });
        number.ok_or_else(|| self.damaged(&message!("there is no row {row}", row)))
    }

    /// The text in a row of a column of texts: its block is looked for in the index.
    pub(crate) fn text(&mut self, row: u64) -> Result<Vec<u8>, Diagnostic> {
        let (mut low, mut high) = (0, self.column.blocks);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.first <= row {
                low = middle;
            } else {
                high = middle;
            }
        }
        let block = self.block(low)?;
        let within = row
            .checked_sub(block.first)
            .and_then(|n| usize::try_from(n).ok());
        let text = within.and_then(|within| block.texts().nth(within).map(<[u8]>::to_vec));
        text.ok_or_else(|| self.damaged(&message!("there is no row {row}", row)))
    }
}

impl Block {
    /// The texts of a block of texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (text, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = after;
            Some(text)
        })
    }
}

/// Whether a file has the checksum that it should have; reads it as a whole, piece by piece.
pub(crate) fn check(folder: &Path, column: &Column) -> Result<(), Diagnostic> {
    let files = [
        (data_file(folder, &column.name), column.data),
        (index_file(folder, &column.name), column.index),
    ];
    for (path, expected) in files {
        let failed = |error| Diagnostic::io(path.display(), &error);
        let mut file = File::open(&path).map_err(failed)?;
        let (mut sum, mut buffer) = (Hasher::new(), vec![0; 1 << 17]);
        loop {
            match file.read(&mut buffer).map_err(failed)? {
                0 => break,
                length => sum.update(&buffer[..length]),
            }
        }
        if sum.finalize() != expected {
            return Err(damaged(
                &path,
                &message!("it is damaged: its checksum is wrong"),
            ));
        }
    }
    Ok(())
}
