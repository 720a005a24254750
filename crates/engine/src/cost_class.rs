//! Cost classes of cached results, in powers of two, and the choice of the classes to evict.

/// Returns the cost class of a result that took `steps` steps: the binary length of `steps`.
pub(crate) fn of(steps: u64) -> u8 {
    (u64::BITS - steps.leading_zeros()) as u8
}

/// Returns the lowest class to keep, such that this class and all higher ones together fit `room`.
/// `classes` contains the total size of each class.
pub(crate) fn least_kept(classes: &[u64], room: u64) -> usize {
    let mut taken = 0u64;
    // Add up the sizes from the highest class down, until they exceed the room.
    let first_too_many = classes.iter().rposition(|room_of_class| {
        taken = taken.saturating_add(*room_of_class);
        taken > room
    });
    first_too_many.map_or(0, |class| class + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, u64::MAX].map(of), [0, 1, 2, 2, 3, 64]);
    }

    #[test]
    fn the_costliest_classes_are_kept() {
        assert_eq!(least_kept(&[5, 4, 3, 2], 14), 0);
        assert_eq!(least_kept(&[5, 4, 3, 2], 13), 1);
        assert_eq!(least_kept(&[5, 4, 3, 2], 9), 1);
        assert_eq!(least_kept(&[5, 4, 3, 2], 8), 2);
        assert_eq!(least_kept(&[5, 4, 3, 2], 1), 4);
        assert_eq!(least_kept(&[5, 4, 3, 0], 0), 3);
        assert_eq!(least_kept(&[], 0), 0);
    }
}
