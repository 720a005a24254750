//! Positions that are a box of numbers: no keys, a rank.

/// A box of positions: `call(a, b, ...)` with a below the first size, b below the second and so on. The rank of a position is
/// a + b * size of a + ..., so that the first number runs quickest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// The name of the constructor.
    pub call: String,
    /// The number of sizes that each number may have, 0 being one.
    pub sizes: Vec<u64>,
}

impl Ranks {
    /// A box.
    #[must_use]
    pub fn new(call: &str, sizes: Vec<u64>) -> Self {
        let call = call.to_owned();
        Self { call, sizes }
    }

    /// How many positions there are; nothing when they are more than 2^64.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        self.sizes
            .iter()
            .try_fold(1u64, |all, &size| all.checked_mul(size))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The rank of a position written as `call(a, b, ...)`; nothing when it is not in the box.
    #[must_use]
    pub fn rank(&self, position: &str) -> Option<u64> {
        let inner = position.trim().strip_prefix(self.call.as_str())?;
        let inner = inner.trim().strip_prefix('(')?.strip_suffix(')')?;
        let numbers: Option<Vec<u64>> = inner
            .split(',')
            .map(|number| number.trim().parse().ok())
            .collect();
        let numbers = numbers.filter(|numbers| numbers.len() == self.sizes.len())?;
        let (mut rank, mut unit) = (0u64, 1u64);
        for (number, &size) in numbers.into_iter().zip(&self.sizes) {
            if number >= size {
                return None;
            }
            rank = rank.checked_add(number.checked_mul(unit)?)?;
            unit = unit.checked_mul(size)?;
        }
        Some(rank)
    }

    /// The position of a rank.
    #[must_use]
    pub fn position(&self, mut rank: u64) -> String {
        let numbers: Vec<String> = self
            .sizes
            .iter()
            .map(|&size| {
                let number = rank % size.max(1);
                rank /= size.max(1);
                number.to_string()
            })
            .collect();
        format!("{}({})", self.call, numbers.join(", "))
    }
}
