//! Space for labels. A label is omitted if it would cover another label or a line, or cross the
//! edge of the picture.

use grundy_core::Player;

use crate::sketch::text_width;

/// A rectangle, given by its left, top, right and bottom coordinates.
type Frame = [f64; 4];

/// The occupied space, and the area in which labels may be written.
pub(super) struct LabelSpace {
    bounds: Frame,
    labels: Vec<Frame>,
    lines: Vec<[[f64; 2]; 2]>,
    /// The labels that have been written, each with its point. Several thermographs may share a
    /// bend or a stop, which gets one label.
    written: Vec<([f64; 2], String)>,
}

/// Free space around a label, in pixels.
const MARGIN: f64 = 2.0;

fn frame([x, y]: [f64; 2], text: &str, size: f64) -> Frame {
    let [half, up] = [text_width(text, size) / 2.0 + MARGIN, 0.6 * size + MARGIN];
    [x - half, y - up, x + half, y + up]
}

fn overlap(a: &Frame, b: &Frame) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

impl LabelSpace {
    /// Creates a space without labels. Labels next to points must lie within `bounds`.
    pub(super) fn new(bounds: Frame) -> Self {
        Self {
            bounds,
            labels: Vec::new(),
            lines: Vec::new(),
            written: Vec::new(),
        }
    }

    /// Adds a line that labels must not cover.
    pub(super) fn add_line(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.lines.push([from, to]);
    }

    pub(super) fn reserve_frame(&mut self, frame: Frame) {
        self.labels.push(frame);
    }

    /// Reserves the rectangle of a text at a fixed position, for example on an axis, if the
    /// rectangle is free. The rectangle may lie outside the area for labels. Returns whether it was
    /// free.
    pub(super) fn reserve(&mut self, at: [f64; 2], text: &str, size: f64) -> bool {
        let wanted = frame(at, text, size);
        let free = !self.labels.iter().any(|label| overlap(label, &wanted));
        if free {
            self.labels.push(wanted);
        }
        free
    }

    /// Reserves the nearest free place for a label next to a point, and returns its centre. Places
    /// on the side of the given player are tried first. Returns `None` if no place is free, or if
    /// the point already has this label.
    pub(super) fn reserve_near(
        &mut self,
        [x, y]: [f64; 2],
        text: &str,
        size: f64,
        side: Player,
    ) -> Option<[f64; 2]> {
        /// Distances between the point and the nearest side of the text, in pixels.
        const DISTANCES: [f64; 3] = [6.0, 12.0, 20.0];
        const DIRECTIONS: [[f64; 2]; 8] = [
            [1.0, 0.0],
            [-1.0, 0.0],
            [1.0, -1.0],
            [-1.0, -1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [0.0, 1.0],
            [0.0, -1.0],
        ];
        let already_written = |(at, other): &([f64; 2], String)| {
            let near = (at[0] - x).hypot(at[1] - y) < 1.0;
            near && other == text
        };
        if self.written.iter().any(already_written) {
            return None;
        }
        // The distance between the point and the centre of the label is half the size of the label
        // plus the distance to its side.
        let half = [text_width(text, size) / 2.0, 0.6 * size];
        let places = DISTANCES.iter().flat_map(|distance| {
            DIRECTIONS.map(|[dx, dy]| {
                let dx = dx * side.of([-1.0, 1.0]);
                // In a diagonal direction, this makes the corner of the label about as far away as
                // its side in the other directions.
                let reach = if dx != 0.0 && dy != 0.0 {
                    0.7 * distance
                } else {
                    *distance
                };
                [x + dx * (half[0] + reach), y + dy * (half[1] + reach)]
            })
        });
        let free = |at: &[f64; 2]| {
            let wanted = frame(*at, text, size);
            let [left, top, right, bottom] = self.bounds;
            let within =
                wanted[0] >= left && wanted[1] >= top && wanted[2] <= right && wanted[3] <= bottom;
            within
                && !self.labels.iter().any(|label| overlap(label, &wanted))
                && !self.lines.iter().any(|line| touches(line, &wanted))
        };
        let at = places.into_iter().find(free)?;
        self.labels.push(frame(at, text, size));
        self.written.push(([x, y], text.to_owned()));
        Some(at)
    }
}

/// Returns whether a line segment passes through a rectangle. This is the clipping algorithm of
/// Liang and Barsky.
fn touches([from, to]: &[[f64; 2]; 2], frame: &Frame) -> bool {
    let (mut begin, mut end) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        let delta = to[axis] - from[axis];
        let [low, high] = [frame[axis] - from[axis], frame[axis + 2] - from[axis]];
        // The line is parallel to these two sides of the rectangle. So either all of its points lie
        // between them, or none.
        if delta.abs() < 1e-9 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let [a, b] = [low / delta, high / delta];
        begin = begin.max(a.min(b));
        end = end.min(a.max(b));
    }
    begin <= end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_touches_every_frame_that_it_crosses() {
        let frame = [0.0, 0.0, 10.0, 4.0];
        assert!(touches(&[[-5.0, 2.0], [20.0, 2.0]], &frame));
        assert!(touches(&[[5.0, -9.0], [5.0, 9.0]], &frame));
        assert!(touches(&[[-1.0, 3.0], [2.0, 6.0]], &frame));
        assert!(!touches(&[[-2.0, 3.0], [2.0, 7.0]], &frame));
        assert!(!touches(&[[5.0, 5.0], [5.0, 9.0]], &frame));
        assert!(touches(&[[5.0, 2.0], [5.0, 2.0]], &frame));
    }
}
