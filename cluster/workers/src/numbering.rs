//! Numbers in the order of keys that lie with many workers: each worker sorts one range of the keys
//! for all.

use grundy_base::Diagnostic;

use crate::rounds::Rounds;
use crate::wire::put;

/// Where something was met first: the number of what it was met from, and its place there. No two
/// are the same.
pub(crate) type Key = (u64, u32);

/// Returns the number of each key among those of all workers, from `base` on, and how many there
/// are in all. The first part of every key lies in `from..to`.
pub(crate) fn numbers(
    rounds: &mut Rounds<'_>,
    keys: &[Key],
    (from, to): (u64, u64),
    base: u64,
) -> Result<(Vec<u64>, u64), Diagnostic> {
    let workers = rounds.workers();
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_unstable_by_key(|&index| keys[index as usize]);
    let span = u128::from(to.saturating_sub(from)).max(1);
    let owner = |key: Key| (u128::from(key.0 - from) * workers as u128 / span) as usize;
    // The keys go out in order: for each worker a run of them.
    let mut gathered: Vec<(Key, u16)> = Vec::new();
    let (mut next, mut before) = (0, vec![0; workers]);
    let mut heard = vec![0u64; workers];
    loop {
        while let Some(&index) = order.get(next) {
            let key = keys[index as usize];
            let owner = owner(key);
            if !rounds.has_room_to(owner) {
                break;
            }
            put(rounds.to(owner), key.0 - from - before[owner]);
            put(rounds.to(owner), key.1.into());
            before[owner] = key.0 - from;
            next += 1;
        }
        let arrived = rounds.swap(next < order.len(), [0; 4])?;
        for (source, mut reader) in arrived.readers() {
            while !reader.is_empty() {
                heard[source] += reader.number()?;
                gathered.push(((heard[source], reader.number()? as u32), source as u16));
            }
        }
        if !arrived.more {
            break;
        }
    }
    gathered.sort_unstable();
    let counts = rounds.swap(false, [gathered.len() as u64, 0, 0, 0])?;
    let before_here: u64 = counts.each[..rounds.me()]
        .iter()
        .map(|count| count[0])
        .sum();
    // Back to each worker go the numbers of its keys, in order.
    let mut found = vec![0; keys.len()];
    let (mut sent, mut last) = (0, vec![base; workers]);
    let (mut received, mut known) = (vec![0usize; workers], vec![base; workers]);
    // The keys of the range of each worker follow one another in the order.
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
            put(rounds.to(source), number - last[source]);
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
