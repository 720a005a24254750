//! Reading of the columns of a tablebase block by block. Before a block is read, its position in
//! the file is looked up in the index.

use std::io::Read as _;
use std::ops::Range;
use std::slice::ChunksExact;
use std::sync::Arc;

use crc32fast::Hasher;
use flate2::read::ZlibDecoder;
use grundy_base::{Diagnostic, Limits, Message, message};

use crate::blocks::{ENTRY, MAX_BLOCK, ROWS, checksum, data_file, index_file};
use crate::damaged;
use crate::lru_cache::LruCache;
use crate::manifest::Column;
use crate::storage::Storage;

/// The callback that receives names of positions (or other texts of a column) one by one, as bytes.
pub type VisitName<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Diagnostic>;

/// Number of index entries that are read together (3.5 KiB).
const PAGE: u64 = 128;
/// Size limit in bytes for each of the two caches of a column, that is, for its blocks and for the
/// pages of its index.
const CACHE_BYTES: usize = 1 << 22;
/// Number of bytes that are read at a time when the checksum of a file is computed.
const READ_SIZE: u64 = 1 << 20;

/// A reader of a column, which reads one block at a time.
#[derive(Debug)]
pub(crate) struct ColumnReader {
    stored: StoredColumn,
    /// The cache of the pages of the index, by page number. A page consists of the entries of
    /// [`PAGE`] blocks.
    pages: LruCache<Vec<u8>>,
    blocks: LruCache<Block>,
    reads: u64,
}

/// A column and the storage of its files.
#[derive(Debug)]
struct StoredColumn {
    storage: Arc<dyn Storage>,
    column: Column,
    seed: u32,
}

/// A decompressed block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) first: u64,
    pub(crate) bytes: Vec<u8>,
}

/// The entry of a block in the index.
#[derive(Clone, Copy)]
struct BlockEntry {
    offset: u64,
    first: u64,
    packed: u32,
    unpacked: u32,
    sum: u32,
}

impl BlockEntry {
    fn of(bytes: &[u8]) -> Self {
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Self {
            offset: long(0),
            first: long(8),
            packed: short(16),
            unpacked: short(20),
            sum: short(24),
        }
    }
}

impl StoredColumn {
    fn damaged(&self, what: &Message) -> Diagnostic {
        damaged(&self.storage.name(&data_file(&self.column.name)), what)
    }

    /// Reads page `number` of the index. A page consists of [`PAGE`] consecutive entries, one for
    /// each block of the column.
    fn page(&self, number: u64) -> Result<Vec<u8>, Diagnostic> {
        let Column { name, blocks, .. } = &self.column;
        let end = ((number + 1) * PAGE).min(*blocks);
        let range = number * PAGE * ENTRY..end * ENTRY;
        self.storage.read(&index_file(name), blocks * ENTRY, range)
    }

    /// Reads a block, verifies its checksum and decompresses it.
    fn block(&self, number: u64, entry: BlockEntry) -> Result<Block, Diagnostic> {
        let wrong = || {
            self.damaged(&message!(
                "block {number} is damaged: its checksum is wrong",
                number
            ))
        };
        // The entry of the index may be damaged. Before anything is allocated, its range must be in
        // the file and its lengths within the limits of the writer. Compression can make
        // incompressible data a little longer, hence the factor 2.
        let length = self.column.bytes;
        let end = entry.offset.checked_add(entry.packed.into());
        let end = end.filter(|&end| end <= length).ok_or_else(wrong)?;
        if entry.unpacked > MAX_BLOCK || entry.packed > 2 * MAX_BLOCK {
            return Err(wrong());
        }
        let file = data_file(&self.column.name);
        let packed = self.storage.read(&file, length, entry.offset..end)?;
        // The checksum covers the compressed bytes, so a damaged block is rejected before it is
        // decompressed.
        let sum = checksum(self.seed, number, entry.first, entry.unpacked, &packed);
        if sum != entry.sum {
            return Err(wrong());
        }
        let mut bytes = Vec::new();
        // Reading one byte more than the announced length detects a block that is too long. It need
        // not be decompressed completely.
        let read = ZlibDecoder::new(packed.as_slice())
            .take(u64::from(entry.unpacked) + 1)
            .read_to_end(&mut bytes);
        if read.is_err() || bytes.len() != entry.unpacked as usize {
            return Err(wrong());
        }
        Ok(Block {
            first: entry.first,
            bytes,
        })
    }
}

impl ColumnReader {
    /// Returns a reader of a column. `seed` is the checksum that identifies the column.
    pub(crate) fn new(storage: &Arc<dyn Storage>, column: &Column, seed: u32) -> Self {
        Self {
            stored: StoredColumn {
                storage: Arc::clone(storage),
                column: column.clone(),
                seed,
            },
            pages: LruCache::new(CACHE_BYTES),
            blocks: LruCache::new(CACHE_BYTES),
            reads: 0,
        }
    }

    /// Returns whether the column has no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.stored.column.rows == 0
    }

    /// Returns the number of blocks that this reader has read from the storage so far.
    pub(crate) fn reads(&self) -> u64 {
        self.reads
    }

    pub(crate) fn damaged(&self, what: &Message) -> Diagnostic {
        self.stored.damaged(what)
    }

    fn entry(&mut self, number: u64) -> Result<BlockEntry, Diagnostic> {
        if number >= self.stored.column.blocks {
            return Err(self.damaged(&message!("there is no block {number}", number)));
        }
        let page = self.pages.get(number / PAGE, || {
            let page = self.stored.page(number / PAGE)?;
            let size = page.len();
            Ok::<_, Diagnostic>((page, size))
        })?;
        Ok(BlockEntry::of(&page[(number % PAGE * ENTRY) as usize..]))
    }

    /// Returns block `number`.
    pub(crate) fn block(&mut self, number: u64) -> Result<&Block, Diagnostic> {
        let entry = self.entry(number)?;
        self.blocks.get(number, || {
            let block = self.stored.block(number, entry)?;
            self.reads += 1;
            let size = block.bytes.len();
            Ok((block, size))
        })
    }

    /// Returns the number in row `row` of a column of numbers.
    pub(crate) fn number(&mut self, row: u64) -> Result<u64, Diagnostic> {
        let (number, within) = (row / ROWS as u64, (row % ROWS as u64) as usize);
        let block = self.block(number)?;
        let digits = block.digits(number);
        let found = digits.and_then(|mut digits| digits.nth(within));
        found
            .map(number_of)
            .ok_or_else(|| self.damaged(&message!("there is no row {row}", row)))
    }

    /// Appends to `to` the numbers of the block that starts at row `row`. The block must have
    /// `length` rows.
    pub(crate) fn numbers(
        &mut self,
        row: u64,
        length: usize,
        to: &mut Vec<u64>,
    ) -> Result<(), Diagnostic> {
        let number = row / ROWS as u64;
        let digits = self.block(number)?.digits(number);
        match digits.filter(|digits| digits.len() == length) {
            Some(digits) => to.extend(digits.map(number_of)),
            None => return Err(self.damaged(&message!("there is no row {row}", row))),
        }
        Ok(())
    }

    /// Returns the number of rows of a column of numbers. Only the last block is read, since all
    /// other blocks are full.
    pub(crate) fn count_numbers(&mut self) -> Result<u64, Diagnostic> {
        let Some(last) = self.stored.column.blocks.checked_sub(1) else {
            return Ok(0);
        };
        let before = last * ROWS as u64;
        let digits = self.block(last)?.digits(last);
        let digits = digits.map(|digits| digits.len() as u64);
        digits
            .map(|rows| before + rows)
            .ok_or_else(|| self.damaged(&message!("there is no row {row}", row = before)))
    }

    /// Returns the number of rows of a column of texts. All blocks are read.
    pub(crate) fn count_texts(&mut self, limits: &Limits<'_>) -> Result<u64, Diagnostic> {
        let mut rows = 0;
        for number in 0..self.stored.column.blocks {
            limits.poll()?;
            let block = self.block(number)?;
            let (first, texts) = (block.first, block.texts().count() as u64);
            // The blocks must follow each other without a gap in the row numbers, because lookups
            // rely on this.
            if first != rows {
                return Err(self.damaged(&message!("there is no row {row}", row = rows)));
            }
            rows += texts;
        }
        Ok(rows)
    }

    /// Calls `visit` for the texts in `rows` of a column of texts.
    pub(crate) fn each_text(
        &mut self,
        rows: Range<u64>,
        visit: VisitName<'_>,
    ) -> Result<(), Diagnostic> {
        if rows.is_empty() {
            return Ok(());
        }
        for number in self.block_of(rows.start)?..self.stored.column.blocks {
            let block = self.block(number)?;
            if block.first >= rows.end {
                break;
            }
            let texts = (block.first..).zip(block.texts());
            let mut wanted = texts.filter(|(row, _)| rows.contains(row));
            wanted.try_for_each(|(_, text)| visit(text))?;
        }
        Ok(())
    }

    /// Returns the index of the block that contains a row of a column of texts. If the column has
    /// no such row, the index is meaningless.
    fn block_of(&mut self, row: u64) -> Result<u64, Diagnostic> {
        // A binary search on the index alone. Blocks of texts have no fixed number of rows, so the
        // block cannot be computed from the row.
        let (mut low, mut high) = (0, self.stored.column.blocks);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.first <= row {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Returns the text in row `row` of a column of texts.
    pub(crate) fn text(&mut self, row: u64) -> Result<Vec<u8>, Diagnostic> {
        let low = self.block_of(row)?;
        let block = self.block(low)?;
        let within = row
            .checked_sub(block.first)
            .and_then(|n| usize::try_from(n).ok());
        let text = within.and_then(|within| block.texts().nth(within).map(<[u8]>::to_vec));
        text.ok_or_else(|| self.damaged(&message!("there is no row {row}", row)))
    }
}

/// Returns the number whose little-endian bytes are `digits`, of which there are at most eight.
fn number_of(digits: &[u8]) -> u64 {
    let mut number = [0; 8];
    number[..digits.len()].copy_from_slice(digits);
    u64::from_le_bytes(number)
}

impl Block {
    /// Returns the bytes of the numbers in a block of numbers, one chunk for each number. Returns
    /// `None` if the block is malformed or is not block `number` of its column.
    fn digits(&self, number: u64) -> Option<ChunksExact<'_, u8>> {
        let (&width, digits) = self.bytes.split_first()?;
        let whole = matches!(width, 1..=8) && self.first == number * ROWS as u64;
        let whole = whole && digits.len().is_multiple_of(width.into());
        whole.then(|| digits.chunks_exact(width.into()))
    }

    /// Returns the texts in a block of a column of texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        // A malformed length ends the iteration. The caller then reports that a row is missing.
        std::iter::from_fn(move || {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (text, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = after;
            Some(text)
        })
    }
}

/// Checks the length and the checksum of a file. The file is read in pieces of [`READ_SIZE`] bytes.
pub(crate) fn check(
    storage: &dyn Storage,
    file: &str,
    length: u64,
    expected: u32,
) -> Result<(), Diagnostic> {
    let mut sum = Hasher::new();
    let mut offset = 0;
    // The body also runs once for an empty file, so that `Storage::read` checks its length.
    loop {
        let end = (offset + READ_SIZE).min(length);
        sum.update(&storage.read(file, length, offset..end)?);
        offset = end;
        if offset == length {
            break;
        }
    }
    if sum.finalize() != expected {
        return Err(damaged(
            &storage.name(file),
            &message!("the file is damaged: its checksum is wrong"),
        ));
    }
    Ok(())
}

/// Checks both files of a column: the file with the blocks and the index file.
pub(crate) fn check_column(storage: &dyn Storage, column: &Column) -> Result<(), Diagnostic> {
    let index = column.blocks * ENTRY;
    check(storage, &data_file(&column.name), column.bytes, column.data)?;
    check(storage, &index_file(&column.name), index, column.index)
}
