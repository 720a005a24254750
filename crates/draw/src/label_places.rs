//! Placement of labels: of several candidate positions, the one farthest from all lines and labels
//! drawn so far is chosen.

use std::collections::HashMap;

/// Sufficient distance between a label and the point nearest to it, in pixels. Larger distances
/// count as equal.
const SUFFICIENT: f64 = 7.0;

/// Side of a cell of the grid that holds the points, in pixels. A label and its surroundings reach
/// into few cells of this size.
const CELL: f64 = 24.0;

/// The points that labels should not cover or touch.
///
/// For each cell of a grid, the points in the cell are stored. A point affects the place of a label
/// only if it is within [`SUFFICIENT`] pixels of the area of the label, so few cells are searched.
/// Without the grid, a Hackenbush picture with 200 edges took five billion instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct OccupiedPoints {
    cells: HashMap<[i64; 2], Vec<[f64; 2]>>,
}

/// Returns the index of the row or column of the grid that contains a coordinate.
fn cell(coordinate: f64) -> i64 {
    (coordinate / CELL).floor() as i64
}

impl OccupiedPoints {
    pub(crate) fn add_point(&mut self, point: [f64; 2]) {
        self.cells.entry(point.map(cell)).or_default().push(point);
    }

    /// Returns the points in the cells that a rectangle touches. The centre of the rectangle is
    /// `at`, and `reach` is half its width and half its height.
    fn points_near(&self, at: [f64; 2], reach: [f64; 2]) -> impl Iterator<Item = &[f64; 2]> {
        let [across, down] =
            [0, 1].map(|axis| cell(at[axis] - reach[axis])..=cell(at[axis] + reach[axis]));
        across
            .flat_map(move |x| down.clone().map(move |y| [x, y]))
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
    }

    /// Returns the candidate with the largest distance from all points, or the first one that is
    /// far enough away. `half` is half the width and half the height of the label. The area of the
    /// label is then marked as occupied.
    pub(crate) fn place_label(&mut self, candidates: &[[f64; 2]], half: [f64; 2]) -> [f64; 2] {
        let reach = half.map(|half| half + SUFFICIENT);
        let distance = |at: &[f64; 2]| {
            let gap = |point: &[f64; 2]| {
                let [dx, dy] =
                    [0, 1].map(|axis| ((point[axis] - at[axis]).abs() - half[axis]).max(0.0));
                dx.hypot(dy)
            };
            // Distances are rounded to tenths, so that all machines choose the same candidate.
            let least = self
                .points_near(*at, reach)
                .map(gap)
                .fold(SUFFICIENT, f64::min);
            (10.0 * least).round() as i64
        };
        let mut best = candidates.first().copied().unwrap_or_default();
        let mut most = i64::MIN;
        for at in candidates {
            let here = distance(at);
            if here > most {
                (best, most) = (*at, here);
            }
        }
        // A grid of points marks the area of the label as occupied, so that later labels avoid it.
        for across in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            for down in [-1.0, 0.0, 1.0] {
                self.add_point([best[0] + across * half[0], best[1] + down * half[1]]);
            }
        }
        best
    }
}

/// Returns positions around a point: eight at each of the distances, in the order of `distances`.
pub(crate) fn around([x, y]: [f64; 2], distances: &[f64]) -> Vec<[f64; 2]> {
    const DIRECTIONS: [[f64; 2]; 8] = [
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
        DIRECTIONS.map(|[dx, dy]| [x + distance * dx, y + distance * dy])
    };
    distances.iter().flat_map(circle).collect()
}

#[cfg(test)]
mod tests {
    use super::{OccupiedPoints, SUFFICIENT};

    /// Checks that the grid finds the same points near a position as a search through all points.
    #[test]
    fn the_grid_finds_every_point_that_matters() {
        let mut state = 1u64;
        let mut coordinate = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as f64 / 65_536.0 - 128.0
        };
        let points: Vec<[f64; 2]> = (0..2000).map(|_| [coordinate(), coordinate()]).collect();
        let mut occupied = OccupiedPoints::default();
        points.iter().for_each(|&point| occupied.add_point(point));
        for half in [[3.0, 6.0], [40.0, 5.0]] {
            let reach = half.map(|half| half + SUFFICIENT);
            for _ in 0..200 {
                let at = [coordinate(), coordinate()];
                let within = |point: &&[f64; 2]| {
                    (0..2).all(|axis| (point[axis] - at[axis]).abs() <= reach[axis])
                };
                let mut near: Vec<&[f64; 2]> =
                    occupied.points_near(at, reach).filter(within).collect();
                let mut all: Vec<&[f64; 2]> = points.iter().filter(within).collect();
                near.sort_by(|a, b| a.partial_cmp(b).unwrap());
                all.sort_by(|a, b| a.partial_cmp(b).unwrap());
                assert_eq!(near, all);
            }
        }
    }
}
