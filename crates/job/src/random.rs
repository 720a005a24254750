//! Random choices that depend only on the seed, and not on the pointer width of the target.

use fastrand::Rng;

/// Returns a random number below `count`, which must not be 0.
pub fn below(count: usize, random: &mut Rng) -> usize {
    // `Rng::usize` returns other numbers on 32-bit targets such as WebAssembly.
    random.u64(..count as u64) as usize
}

/// Returns a random element of a slice, which must not be empty.
pub fn one_of<'a, T>(things: &'a [T], random: &mut Rng) -> &'a T {
    &things[below(things.len(), random)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the choices are those of `Rng::usize` on 64-bit targets.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn random_choices_equal_those_of_64_bit_targets() {
        let (mut own, mut plain) = (Rng::with_seed(3), Rng::with_seed(3));
        for count in 1..1000 {
            assert_eq!(below(count, &mut own), plain.usize(..count));
        }
    }
}
