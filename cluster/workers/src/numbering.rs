//! Numbers keys that are distributed over the workers, in the order of all keys, by a
//! range-partitioned sort.
//!
//! Each worker owns one range: it sorts the keys that all workers have in this range, and sends the
//! numbers of these keys back. Keys leave each worker in sorted order, so both keys and numbers are
//! sent as differences. Each worker receives the numbers in the sorted order of its keys, so the
//! answers do not repeat the keys.

use grundy_base::Diagnostic;

use crate::rounds::Rounds;
use crate::wire::put;

/// A key to be numbered. In an exploration, it belongs to the move that discovers a position: the
/// number of the parent, and the move's place among its moves. For edge lists, it is the index of
/// the first occurrence of a name, together with 0. All keys are distinct.
pub(crate) type Key = (u64, u32);

/// Returns two results: the number of each given key, and the count of all keys. The keys of all
/// workers are numbered in ascending order, beginning with `base`. The first component of every key
/// is in `from..to`.
pub(crate) fn numbers(
    rounds: &mut Rounds<'_>,
    keys: &[Key],
    (from, to): (u64, u64),
    base: u64,
) -> Result<(Vec<u64>, u64), Diagnostic> {
    let workers = rounds.workers();
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_unstable_by_key(|&index| keys[index as usize]);
    // The ranges have equal width. The product is taken in 128 bits, since a number of positions
    // times the number of workers may exceed 64 bits.
    let span = u128::from(to.saturating_sub(from)).max(1);
    let owner = |key: Key| (u128::from(key.0 - from) * workers as u128 / span) as usize;
    // Keys are sent in sorted order. Hence each range is a contiguous run of `order`, and the owner
    // of the range receives an increasing sequence from each worker.
    let mut gathered: Vec<(Key, u16)> = Vec::new();
    let (mut next, mut before) = (0, vec![0; workers]);
    let mut received = vec![0u64; workers];
    loop {
        while let Some(&index) = order.get(next) {
            let key = keys[index as usize];
            let owner = owner(key);
            // A full outbox also delays the keys of later ranges. Skipping it would need a separate
            // cursor for each range, because the keys are sent in sorted order.
            if !rounds.has_room_to(owner) {
                break;
            }
            put(rounds.outbox(owner), key.0 - from - before[owner]);
            put(rounds.outbox(owner), key.1.into());
            before[owner] = key.0 - from;
            next += 1;
        }
        let arrived = rounds.swap(next < order.len(), [0; 4])?;
        for (source, mut reader) in arrived.readers() {
            while !reader.is_empty() {
                received[source] += reader.number()?;
                gathered.push(((received[source], reader.number()? as u32), source as u16));
            }
        }
        if !arrived.more {
            break;
        }
    }
    gathered.sort_unstable();
    // The numbers in this worker's range begin after those of all keys in lower ranges.
    let counts = rounds.swap(false, [gathered.len() as u64, 0, 0, 0])?;
    let before_here: u64 = counts.each[..rounds.index()]
        .iter()
        .map(|count| count[0])
        .sum();
    // The owner of a range returns the numbers for each worker in sorted order. This is the order
    // in which that worker sent its keys.
    let mut found = vec![0; keys.len()];
    let (mut sent, mut last) = (0, vec![base; workers]);
    let (mut received, mut known) = (vec![0usize; workers], vec![base; workers]);
    // Start in `order` of the run of keys that each owner received. The k-th number from an owner
    // belongs to the k-th key of that run.
    let mut starts = vec![0; workers];
    for &index in order.iter().rev() {
        starts[owner(keys[index as usize])] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += std::mem::replace(start, sum);
    }
    loop {
        while let Some(&(_, source)) = gathered.get(sent) {
            let source = source as usize;
            if !rounds.has_room_to(source) {
                break;
            }
            let number = base + before_here + sent as u64;
            put(rounds.outbox(source), number - last[source]);
            last[source] = number;
            sent += 1;
        }
        let arrived = rounds.swap(sent < gathered.len(), [0; 4])?;
        for (owner, mut reader) in arrived.readers() {
            while !reader.is_empty() {
                known[owner] += reader.number()?;
                let index = order[starts[owner] + received[owner]];
                found[index as usize] = known[owner];
                received[owner] += 1;
            }
        }
        if !arrived.more {
            return Ok((found, counts.tallies[0]));
        }
    }
}
