//! Drawing lots: the same ones from a seed on every machine, whatever the width of its addresses.

use fastrand::Rng;

/// Returns one of the numbers below `count`, which is not 0.
pub fn below(count: usize, random: &mut Rng) -> usize {
    random.u64(..count as u64) as usize
}

/// Returns one of a slice, which is not empty.
pub fn one_of<'a, T>(things: &'a [T], random: &mut Rng) -> &'a T {
    &things[below(things.len(), random)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where addresses have 64 bits, lots are those that `fastrand` draws for them.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn lots_are_those_of_wide_addresses() {
        let (mut own, mut plain) = (Rng::with_seed(3), Rng::with_seed(3));
        for count in 1..1000 {
            assert_eq!(below(count, &mut own), plain.usize(..count));
        }
    }
}
