//! Transformations in SVG: `translate`, `scale`, `rotate`, `skewX`, `skewY` and `matrix`.

/// The affine map x' = a x + c y + e, y' = b x + d y + f, stored as [a, b, c, d, e, f].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transform([f64; 6]);

impl Transform {
    pub(crate) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Parses a list of transformations and returns their composition. The last one in the list is
    /// applied first.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let all: svgtypes::Transform = text.parse().ok()?;
        let matrix = [all.a, all.b, all.c, all.d, all.e, all.f];
        matrix.iter().all(|x| x.is_finite()).then_some(Self(matrix))
    }

    /// Returns the composition of both maps. `inner` is applied first.
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
