//! Room for labels: what would cover another label, a line or the edge of the picture is not
//! written.

use grundy::Player;

use crate::sketch::text_width;

/// Left, top, right and bottom.
type Frame = [f64; 4];

/// What is taken, and where labels may stand.
pub(super) struct Room {
    inside: Frame,
    labels: Vec<Frame>,
    lines: Vec<[[f64; 2]; 2]>,
    /// What is written beside which points: graphs may share bends and stops.
    written: Vec<([f64; 2], String)>,
}

/// Free space about the letters.
const FREE: f64 = 2.0;

fn frame([x, y]: [f64; 2], text: &str, size: f64) -> Frame {
    let [half, up] = [text_width(text, size) / 2.0 + FREE, 0.6 * size + FREE];
    [x - half, y - up, x + half, y + up]
}

fn overlap(a: &Frame, b: &Frame) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

impl Room {
    /// Labels beside lines stand in the frame.
    pub(super) fn new(inside: Frame) -> Self {
        Self {
            inside,
            labels: Vec::new(),
            lines: Vec::new(),
            written: Vec::new(),
        }
    }

    /// Labels keep away from a line.
    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.lines.push([from, to]);
    }

    pub(super) fn take(&mut self, frame: Frame) {
        self.labels.push(frame);
    }

    /// Takes a place beside the frame, if it is free.
    pub(super) fn outside(&mut self, at: [f64; 2], text: &str, size: f64) -> bool {
        let wanted = frame(at, text, size);
        let free = !self.labels.iter().any(|taken| overlap(taken, &wanted));
        if free {
            self.labels.push(wanted);
        }
        free
    }

    /// Takes the nearest free place beside a point where the same is not written yet; on Left's
    /// side first, or on Right's.
    pub(super) fn beside(
        &mut self,
        [x, y]: [f64; 2],
        text: &str,
        size: f64,
        side: Player,
    ) -> Option<[f64; 2]> {
        /// From the point to the nearer side of the letters.
        const DISTANCES: [f64; 3] = [6.0, 12.0, 20.0];
        const WAYS: [[f64; 2]; 8] = [
            [1.0, 0.0],
            [-1.0, 0.0],
            [1.0, -1.0],
            [-1.0, -1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [0.0, 1.0],
            [0.0, -1.0],
        ];
        let told = |(at, other): &([f64; 2], String)| {
            let near = (at[0] - x).hypot(at[1] - y) < 1.0;
            near && other == text
        };
        if self.written.iter().any(told) {
            return None;
        }
        let half = [text_width(text, size) / 2.0, 0.6 * size];
        let places = DISTANCES.iter().flat_map(|distance| {
            WAYS.map(|[dx, dy]| {
                let dx = dx * side.of([-1.0, 1.0]);
                // Aslant the corner is as near as a side is elsewhere.
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
            let [left, top, right, bottom] = self.inside;
            let within =
                wanted[0] >= left && wanted[1] >= top && wanted[2] <= right && wanted[3] <= bottom;
            within
                && !self.labels.iter().any(|taken| overlap(taken, &wanted))
                && !self.lines.iter().any(|line| touches(line, &wanted))
        };
        let at = places.into_iter().find(free)?;
        self.labels.push(frame(at, text, size));
        self.written.push(([x, y], text.to_owned()));
        Some(at)
    }
}

/// Returns whether a line passes through a frame: what the four sides leave of it is something.
fn touches([from, to]: &[[f64; 2]; 2], frame: &Frame) -> bool {
    let (mut begin, mut end) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        let way = to[axis] - from[axis];
        let [low, high] = [frame[axis] - from[axis], frame[axis + 2] - from[axis]];
        if way.abs() < 1e-9 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let [a, b] = [low / way, high / way];
        begin = begin.max(a.min(b));
        end = end.min(a.max(b));
    }
    begin <= end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_touch_what_they_pass_through() {
        let frame = [0.0, 0.0, 10.0, 4.0];
        assert!(touches(&[[-5.0, 2.0], [20.0, 2.0]], &frame));
        assert!(touches(&[[5.0, -9.0], [5.0, 9.0]], &frame));
        assert!(touches(&[[-1.0, 3.0], [2.0, 6.0]], &frame));
        assert!(!touches(&[[-2.0, 3.0], [2.0, 7.0]], &frame));
        assert!(!touches(&[[5.0, 5.0], [5.0, 9.0]], &frame));
        assert!(touches(&[[5.0, 2.0], [5.0, 2.0]], &frame));
    }
}
