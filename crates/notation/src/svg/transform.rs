//! Transformations of SVG: `translate`, `scale`, `rotate`, `skewX`, `skewY`, `matrix`.

use super::path;

/// x' = a x + c y + e, y' = b x + d y + f.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transform([f64; 6]);

impl Transform {
    pub(crate) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// The transformations of an attribute, applied from the last to the first.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut all = Self::IDENTITY;
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('(')?;
            let (inside, after) = after.split_once(')')?;
            all = all.then(Self::one(name.trim(), &path::numbers(inside)?)?);
            rest = after.trim_start_matches([' ', ',', '\t', '\n', '\r']);
        }
        all.0.iter().all(|x| x.is_finite()).then_some(all)
    }

    fn one(name: &str, numbers: &[f64]) -> Option<Self> {
        let matrix = match (name, numbers) {
            ("translate", [x]) => [1.0, 0.0, 0.0, 1.0, *x, 0.0],
            ("translate", [x, y]) => [1.0, 0.0, 0.0, 1.0, *x, *y],
            ("scale", [s]) => [*s, 0.0, 0.0, *s, 0.0, 0.0],
            ("scale", [x, y]) => [*x, 0.0, 0.0, *y, 0.0, 0.0],
            ("rotate", [angle]) => {
                let (sin, cos) = angle.to_radians().sin_cos();
                [cos, sin, -sin, cos, 0.0, 0.0]
            }
            ("rotate", [angle, x, y]) => {
                let there = Self([1.0, 0.0, 0.0, 1.0, *x, *y]);
                let back = Self([1.0, 0.0, 0.0, 1.0, -x, -y]);
                return Some(there.then(Self::one("rotate", &[*angle])?).then(back));
            }
            ("skewX", [angle]) => [1.0, 0.0, angle.to_radians().tan(), 1.0, 0.0, 0.0],
            ("skewY", [angle]) => [1.0, angle.to_radians().tan(), 0.0, 1.0, 0.0, 0.0],
            ("matrix", [a, b, c, d, e, f]) => [*a, *b, *c, *d, *e, *f],
            _ => return None,
        };
        Some(Self(matrix))
    }

    /// First `inner`, then this one.
    pub(crate) fn then(self, inner: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = inner.0;
        Self([
            a * g + c * h,
            b * g + d * h,
            a * i + c * j,
            b * i + d * j,
            a * k + c * l + e,
            b * k + d * l + f,
        ])
    }

    pub(crate) fn apply(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [a, b, c, d, e, f] = self.0;
        [a * x + c * y + e, b * x + d * y + f]
    }
}

#[cfg(test)]
mod tests {
    use super::Transform;

    #[test]
    fn transformations_are_applied_from_the_last_to_the_first() {
        let moved = Transform::parse("translate(10, 20) scale(2)")
            .unwrap()
            .apply([1.0, 3.0]);
        assert!((moved[0] - 12.0).abs() < 1e-9 && (moved[1] - 26.0).abs() < 1e-9);
        let turned = Transform::parse("rotate(90 1 1)")
            .unwrap()
            .apply([2.0, 1.0]);
        assert!((turned[0] - 1.0).abs() < 1e-9 && (turned[1] - 2.0).abs() < 1e-9);
        assert_eq!(Transform::parse("translate(1"), None);
        assert_eq!(Transform::parse("scale(1e999)"), None);
        assert_eq!(Transform::parse("spin(1)"), None);
    }
}
