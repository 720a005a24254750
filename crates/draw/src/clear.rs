//! Room for labels: the candidate that keeps farthest from all ink.

/// Points that labels keep away from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken {
    points: Vec<[f64; 2]>,
}

impl Taken {
    pub(crate) fn point(&mut self, point: [f64; 2]) {
        self.points.push(point);
    }

    /// Returns the candidate with the most room about it: the first of those with enough. A label
    /// is as wide as `half` to each side, and takes its place.
    pub(crate) fn place(&mut self, candidates: &[[f64; 2]], half: [f64; 2]) -> [f64; 2] {
        /// Nobody needs more room than this.
        const ENOUGH: f64 = 7.0;
        let room = |at: &[f64; 2]| {
            let gap = |point: &[f64; 2]| {
                let [dx, dy] =
                    [0, 1].map(|axis| ((point[axis] - at[axis]).abs() - half[axis]).max(0.0));
                dx.hypot(dy)
            };
            // Whole numbers of tenths, so that all machines agree which is largest.
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
        for across in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            for down in [-1.0, 0.0, 1.0] {
                self.point([best[0] + across * half[0], best[1] + down * half[1]]);
            }
        }
        best
    }
}

/// Places around a point, the nearest first.
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
