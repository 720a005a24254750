//! Writing of the columns of a tablebase as compressed blocks. Each block has a checksum, and an
//! entry in the index file of its column.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::thread;

use crc32fast::Hasher;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use grundy_base::{Diagnostic, Kind, message};
use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::manifest::Column;

/// Number of rows in each block of a column of numbers, except the last block, which may have fewer
/// rows.
pub(crate) const ROWS: usize = 1 << 15;
/// Target size in bytes of a block in a column of texts, before compression. A text that would
/// exceed this size starts a new block, if the current block has enough texts.
const TEXT: usize = 1 << 15;
/// Size in bytes of an entry of the index file, which has one entry for each block of a column.
pub(crate) const ENTRY: u64 = 28;
/// Length limit of a text in bytes.
const MAX_TEXT: usize = 1 << 24;
/// Length limit in bytes of an uncompressed block. The writer never reaches this limit, since a
/// block contains at most two texts of `MAX_TEXT` bytes.
pub(crate) const MAX_BLOCK: u32 = 1 << 26;

/// Returns the name of the file that stores the blocks of a column.
pub(crate) fn data_file(column: &str) -> String {
    format!("{column}.data")
}

/// Returns the name of the index file of a column.
pub(crate) fn index_file(column: &str) -> String {
    format!("{column}.index")
}

/// Returns the checksum of a block. It continues `seed`, the checksum of the texts that identify
/// the column and its tablebase.
pub(crate) fn checksum(
    seed: u32,
    number: u64,
    first: u64,
    unpacked: u32,
    compressed: &[u8],
) -> u32 {
    let mut sum = Hasher::new_with_initial(seed);
    sum.update(&number.to_le_bytes());
    sum.update(&first.to_le_bytes());
    sum.update(&unpacked.to_le_bytes());
    sum.update(compressed);
    sum.finalize()
}

/// A file that is being written, with the checksum of the bytes so far.
struct ChecksummedFile {
    /// The final path of the folder of the tablebase, for error messages.
    target: PathBuf,
    out: BufWriter<File>,
    sum: Hasher,
    length: u64,
}

/// The length of the synced part of a file, and the checksum of that part.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct FileMark {
    length: u64,
    sum: u32,
}

impl ChecksummedFile {
    /// Creates a file, or opens it to continue writing after the synced part that `mark` describes.
    fn open(folder: &Folder<'_>, path: &Path, mark: FileMark) -> Result<Self, Diagnostic> {
        let open = || -> io::Result<File> {
            let mut file = File::options()
                .create(true)
                .write(true)
                .truncate(false)
                .open(path)?;
            // Bytes after the mark may be incomplete, so they are removed and written again.
            file.set_len(mark.length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|error| folder.failed(&error))?;
        Ok(Self {
            target: folder.target().to_owned(),
            out: BufWriter::with_capacity(1 << 17, file),
            sum: Hasher::new_with_initial_len(mark.sum, mark.length),
            length: mark.length,
        })
    }

    /// Syncs the file to disk, and returns its length and its checksum as a mark, from which an
    /// interrupted run can resume.
    fn mark(&mut self) -> Result<FileMark, Diagnostic> {
        let flushed = self.out.flush();
        let written = flushed.and_then(|()| self.out.get_ref().sync_data());
        written.map_err(|error| self.failed(&error))?;
        Ok(FileMark {
            length: self.length,
            sum: self.sum.clone().finalize(),
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

    /// Syncs the file to disk and returns its checksum.
    fn finish(mut self) -> Result<u32, Diagnostic> {
        let written = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_all());
        written.map_err(|error| self.failed(&error))?;
        Ok(self.sum.finalize())
    }
}

/// Number of blocks in a batch. The blocks of a batch are compressed in parallel on all cores.
const BATCH: usize = 32;

/// A writer of the blocks of a column.
pub(crate) struct Blocks {
    name: String,
    seed: u32,
    data: ChecksummedFile,
    index: ChecksummedFile,
    written: u64,
    rows: u64,
    /// The blocks that are not yet compressed, each with its number of rows.
    waiting: Vec<(Vec<u8>, u64)>,
}

/// The state of a column's files at a checkpoint.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct BlocksMark {
    data: FileMark,
    index: FileMark,
    written: u64,
    rows: u64,
}

impl Blocks {
    fn open(folder: &Folder<'_>, name: &str, mark: BlocksMark) -> Result<Self, Diagnostic> {
        let [data, index] =
            [data_file(name), index_file(name)].map(|file| folder.path().join(file));
        Ok(Self {
            name: name.to_owned(),
            seed: folder.seed(name),
            data: ChecksummedFile::open(folder, &data, mark.data)?,
            index: ChecksummedFile::open(folder, &index, mark.index)?,
            written: mark.written,
            rows: mark.rows,
            waiting: Vec::new(),
        })
    }

    /// Writes all full blocks and syncs them to disk. The content of the files does not depend on
    /// the grouping of blocks for compression, and therefore not on checkpoints.
    fn mark(&mut self) -> Result<BlocksMark, Diagnostic> {
        self.compress()?;
        Ok(BlocksMark {
            data: self.data.mark()?,
            index: self.index.mark()?,
            written: self.written,
            rows: self.rows,
        })
    }

    fn is_empty(&self) -> bool {
        self.rows == 0 && self.waiting.is_empty()
    }

    /// Appends a block with `rows` rows to the waiting blocks, which are compressed and written in
    /// batches.
    fn block(&mut self, unpacked: Vec<u8>, rows: u64) -> Result<(), Diagnostic> {
        self.waiting.push((unpacked, rows));
        if self.waiting.len() == BATCH {
            self.compress()?;
        }
        Ok(())
    }

    /// Compresses and writes the waiting blocks. Each block is a separate zlib stream, and blocks
    /// are written in order. Hence the file is the same for any number of cores.
    fn compress(&mut self) -> Result<(), Diagnostic> {
        let waiting = std::mem::take(&mut self.waiting);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let share = waiting.len().div_ceil(cores).max(1);
        let compressed = thread::scope(|scope| {
            let mut shares = waiting.chunks(share);
            // This thread compresses the first share itself. With one core, no further thread is
            // started.
            let own = shares.next().unwrap_or_default();
            let others: Vec<_> = shares
                .map(|share| scope.spawn(|| compress_blocks(share)))
                .collect();
            let mut all = compress_blocks(own)?;
            for other in others {
                let failed = |_| io::Error::other("a block could not be compressed");
                all.extend(other.join().map_err(failed)??);
            }
            Ok(all)
        });
        let compressed = compressed.map_err(|error| self.data.failed(&error))?;
        for ((unpacked, rows), compressed) in waiting.iter().zip(compressed) {
            self.put(unpacked.len() as u32, &compressed, *rows)?;
        }
        Ok(())
    }

    fn put(&mut self, length: u32, compressed: &[u8], rows: u64) -> Result<(), Diagnostic> {
        let first = self.rows;
        // The checksum includes the number of the block and its first row. So an intact block at
        // the wrong place is detected.
        let sum = checksum(self.seed, self.written, first, length, compressed);
        self.index.put(&self.data.length.to_le_bytes())?;
        self.index.put(&first.to_le_bytes())?;
        self.index.put(&(compressed.len() as u32).to_le_bytes())?;
        self.index.put(&length.to_le_bytes())?;
        self.index.put(&sum.to_le_bytes())?;
        self.data.put(compressed)?;
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

/// Compresses each block separately.
fn compress_blocks(blocks: &[(Vec<u8>, u64)]) -> io::Result<Vec<Vec<u8>>> {
    blocks
        .iter()
        .map(|(unpacked, _)| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(unpacked)?;
            encoder.finish()
        })
        .collect()
}

/// A writer of a column of numbers.
pub(crate) struct Numbers {
    blocks: Blocks,
    waiting: Vec<u64>,
}

/// The state of a column of numbers at a checkpoint. It includes the rows of the block that is not
/// yet full.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct NumbersMark {
    blocks: BlocksMark,
    waiting: Vec<u64>,
}

impl Numbers {
    pub(crate) fn open(
        folder: &Folder<'_>,
        name: &str,
        mark: NumbersMark,
    ) -> Result<Self, Diagnostic> {
        Ok(Self {
            // The rows of the last block are part of the mark, because only the last block of a
            // column may be shorter than the others.
            blocks: Blocks::open(folder, name, mark.blocks)?,
            waiting: mark.waiting,
        })
    }

    pub(crate) fn mark(&mut self) -> Result<NumbersMark, Diagnostic> {
        Ok(NumbersMark {
            blocks: self.blocks.mark()?,
            waiting: self.waiting.clone(),
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
        // All numbers in a block have the same width, so that a row is found without decoding the
        // rows before it.
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

/// A writer of a column of texts.
pub(crate) struct Texts {
    blocks: Blocks,
    unpacked: Vec<u8>,
    waiting: u64,
    /// The number of texts that a block must contain before it may be closed. Only the last block
    /// of the column may contain fewer.
    least: u64,
}

/// The state of a column of texts at a checkpoint. It includes the bytes of the block that is not
/// yet full.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct TextsMark {
    blocks: BlocksMark,
    unpacked: Vec<u8>,
    waiting: u64,
}

impl Texts {
    pub(crate) fn open(
        folder: &Folder<'_>,
        name: &str,
        least: u64,
        mark: TextsMark,
    ) -> Result<Self, Diagnostic> {
        Ok(Self {
            blocks: Blocks::open(folder, name, mark.blocks)?,
            unpacked: mark.unpacked,
            waiting: mark.waiting,
            least,
        })
    }

    pub(crate) fn mark(&mut self) -> Result<TextsMark, Diagnostic> {
        Ok(TextsMark {
            blocks: self.blocks.mark()?,
            unpacked: self.unpacked.clone(),
            waiting: self.waiting,
        })
    }

    /// Appends a text. Returns whether the text is the first one of a block.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<bool, Diagnostic> {
        let full = self.unpacked.len() + text.len() > TEXT && self.waiting >= self.least;
        if full {
            self.flush()?;
        }
        if text.len() > MAX_TEXT {
            let message = message!("a position is longer than 16 MiB");
            let error = io::Error::other(Diagnostic::new(Kind::Limit, message));
            return Err(self.blocks.data.failed(&error));
        }
        self.unpacked.extend((text.len() as u32).to_le_bytes());
        self.unpacked.extend(text);
        self.waiting += 1;
        Ok(self.waiting == 1)
    }

    /// Returns whether no text has been appended.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting == 0 && self.blocks.is_empty()
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
