//! Random games of kinds that are hard for solvers: ties, zeros, repeated rows, rank one, extreme
//! sizes.

use grundy_matrix::{BigInt, BigRational, Matrix, Number};

/// A generator that any reader can reproduce (Marsaglia's xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }

    pub(crate) fn between(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1) as u64) as i64
    }
}

pub(crate) const FAMILIES: [&str; 12] = [
    "plain",
    "zero_one",
    "signs",
    "skew",
    "rank_one",
    "repeated",
    "fractions",
    "far_apart",
    "near_ties",
    "diagonal",
    "sparse",
    "huge",
];

/// Returns a random game of this family with up to `most` rows and columns.
pub(crate) fn game(family: &str, most: u64, random: &mut Random) -> Matrix {
    let m = 1 + random.below(most) as usize;
    let n = if matches!(family, "skew" | "diagonal") {
        m
    } else {
        1 + random.below(most) as usize
    };
    let ten = |power: i64| BigRational::from(BigInt::from(10)).pow(power as i32);
    let mut entries: Vec<Number> = Vec::with_capacity(m * n);
    let (u, v): (Vec<i64>, Vec<i64>) = (
        (0..m).map(|_| random.between(-3, 3)).collect(),
        (0..n).map(|_| random.between(-3, 3)).collect(),
    );
    for i in 0..m {
        for j in 0..n {
            entries.push(match family {
                "plain" => random.between(-1000, 1000).into(),
                "zero_one" => random.between(0, 1).into(),
                "signs" => random.between(-1, 1).into(),
                "skew" if i == j => 0.into(),
                "skew" if i > j => match &entries[j * n + i] {
                    Number::Small(x) => (-x).into(),
                    Number::Ratio(_) => unreachable!("integers only"),
                },
                "skew" => random.between(-4, 4).into(),
                "rank_one" => (u[i] * v[j]).into(),
                "repeated" if i > 0 && random.below(2) == 0 => {
                    // A copy of the entry above makes many rows equal.
                    entries[(i - 1) * n + j].clone()
                }
                "repeated" => random.between(-1_000_000, 1_000_000).into(),
                "fractions" => {
                    BigRational::new(random.between(-20, 20).into(), random.between(1, 12).into())
                        .into()
                }
                "far_apart" => (BigRational::from(BigInt::from(random.between(-9, 9)))
                    * ten(random.between(-30, 30)))
                .into(),
                "near_ties" => (BigRational::from(BigInt::from(random.between(0, 2)))
                    + BigRational::from(BigInt::from(random.between(-1, 1))) * ten(-30))
                .into(),
                "diagonal" if i == j => random.between(-5, 5).into(),
                "diagonal" => 0.into(),
                "sparse" if random.below(5) > 0 => 0.into(),
                "sparse" => random.between(-3, 3).into(),
                _ => (BigRational::from(BigInt::from(random.between(-999, 999))) * ten(30)).into(),
            });
        }
    }
    Matrix::new(n, &entries).unwrap()
}
