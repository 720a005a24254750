//! Cost classes of cached results, and the choice of the classes to evict. Each class contains the
//! results whose costs lie between two successive powers of two.

/// Returns the cost class of a result that took `steps` steps: the number of binary digits of
/// `steps`.
pub(crate) fn of(steps: u64) -> u8 {
    (u64::BITS - steps.leading_zeros()) as u8
}

/// Returns the lowest class to keep, such that this class and all higher ones together fit
/// `max_size`. `classes` contains the total size of each class.
pub(crate) fn lowest_kept(classes: &[u64], max_size: u64) -> usize {
    let mut total = 0u64;
    // Add up the sizes from the highest class down, until they exceed the maximum.
    let last_evicted = classes.iter().rposition(|size| {
        total = total.saturating_add(*size);
        total > max_size
    });
    last_evicted.map_or(0, |class| class + 1)
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
        assert_eq!(lowest_kept(&[5, 4, 3, 2], 14), 0);
        assert_eq!(lowest_kept(&[5, 4, 3, 2], 13), 1);
        assert_eq!(lowest_kept(&[5, 4, 3, 2], 9), 1);
        assert_eq!(lowest_kept(&[5, 4, 3, 2], 8), 2);
        assert_eq!(lowest_kept(&[5, 4, 3, 2], 1), 4);
        assert_eq!(lowest_kept(&[5, 4, 3, 0], 0), 3);
        assert_eq!(lowest_kept(&[], 0), 0);
    }
}
