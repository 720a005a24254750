//! Placement of labels: of several candidate positions, the one farthest from everything drawn so
//! far is chosen.

/// The points that labels should not cover or touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken {
    points: Vec<[f64; 2]>,
}

impl Taken {
    pub(crate) fn point(&mut self, point: [f64; 2]) {
        self.points.push(point);
    }

    /// Returns the candidate with the largest distance from all points, or the first one that is
    /// far enough away. A label extends by `half` from its centre in both directions of each axis.
    /// Its area is then marked as occupied.
    pub(crate) fn place(&mut self, candidates: &[[f64; 2]], half: [f64; 2]) -> [f64; 2] {
        /// Distance from the nearest point, in pixels, that is sufficient. Larger distances count
        /// as equal.
        const ENOUGH: f64 = 7.0;
        let room = |at: &[f64; 2]| {
            let gap = |point: &[f64; 2]| {
                let [dx, dy] =
                    [0, 1].map(|axis| ((point[axis] - at[axis]).abs() - half[axis]).max(0.0));
                dx.hypot(dy)
            };
            // Distances are rounded to tenths, so that all machines choose the same candidate.
            let least = self.points.iter().map(gap).fold(ENOUGH, f64::min);
            (10.0 * least).round() as i64
        };
        let mut best = candidates.first().copied().unwrap_or_default();
        let mut most = i64::MIN;
        for at in candidates {
            let here = room(at);
            if here > most {
                (best, most) = (*at, here);
            }
        }
        // A grid of points marks the area of the label as occupied, so that later labels avoid it.
        for across in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            for down in [-1.0, 0.0, 1.0] {
                self.point([best[0] + across * half[0], best[1] + down * half[1]]);
            }
        }
        best
    }
}

/// Returns positions around a point, eight at each of the distances. Smaller distances come first
/// if `distances` is ascending.
pub(crate) fn around([x, y]: [f64; 2], distances: &[f64]) -> Vec<[f64; 2]> {
    const WAYS: [[f64; 2]; 8] = [
        [0.0, -1.0],
        [0.7, -0.7],
        [1.0, 0.0],
        [-0.7, -0.7],
        [-1.0, 0.0],
        [0.7, 0.7],
        [0.0, 1.0],
        [-0.7, 0.7],
    ];
    let circle = |distance: &f64| {
        let distance = *distance;
        WAYS.map(|[dx, dy]| [x + distance * dx, y + distance * dy])
    };
    distances.iter().flat_map(circle).collect()
}
