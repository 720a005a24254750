//! Routes of arrows in a layered picture. An arrow is straight within each layer that it passes,
//! and bends only between layers, where there are no boxes. So no arrow passes behind a box.

use std::fmt::Write as _;

use crate::svg::number;

/// A box at one end of an arrow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxEnd {
    /// The centre of the box.
    pub(crate) middle: [f64; 2],
    /// The width of the box.
    pub(crate) width: f64,
}

/// A part of a route. It starts at the end of the previous part.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Line([f64; 2]),
    Curve([[f64; 2]; 3]),
}

/// The route of an arrow, from the border of one box to the border of another.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    start: [f64; 2],
    pieces: Vec<Piece>,
    /// The beginning and the tip of the arrowhead.
    pub(crate) head: [[f64; 2]; 2],
}

/// Length, in pixels, by which the straight part of an arrow that passes a layer extends above and
/// below the boxes of this layer.
const CLEARANCE: f64 = 4.0;
/// Length of the arrowhead, in pixels.
const HEAD_LENGTH: f64 = 11.0;

impl Route {
    /// Creates a route from one box to another, through the given points in the layers between
    /// them. All boxes are `2 * half` high. The route is shifted to the right by `shift`.
    pub(crate) fn new(
        from: BoxEnd,
        through: &[[f64; 2]],
        to: BoxEnd,
        half: f64,
        shift: f64,
    ) -> Self {
        // An edge that closes a cycle was reversed by the layout, so its arrow leads upward.
        let sign = (to.middle[1] - from.middle[1]).signum();
        let first = through.first().map_or(to.middle[0], |place| place[0]);
        let last = through.last().map_or(from.middle[0], |place| place[0]);
        let start = [contact_x(from, first, shift), from.middle[1] + sign * half];
        let end = [contact_x(to, last, shift), to.middle[1] - sign * half];
        let (mut pieces, mut here) = (Vec::new(), start);
        for &[x, y] in through {
            let x = x + shift;
            let enter = [x, y - sign * (half + CLEARANCE)];
            let gap = enter[1] - here[1];
            // The arrow leaves the box in the direction of the next point.
            let lean = if pieces.is_empty() {
                0.25 * (x - here[0])
            } else {
                0.0
            };
            let one = [here[0] + lean, here[1] + 0.45 * gap];
            pieces.push(Piece::Curve([one, [x, enter[1] - 0.55 * gap], enter]));
            here = [x, y + sign * (half + CLEARANCE)];
            pieces.push(Piece::Line(here));
        }
        let gap = end[1] - here[1];
        let before = if pieces.is_empty() {
            here
        } else {
            [end[0] + 0.3 * (here[0] - end[0]), end[1] - 0.5 * gap]
        };
        let [dx, dy] = [end[0] - before[0], end[1] - before[1]];
        let length = dx.hypot(dy).max(1e-9);
        let neck = [
            end[0] - HEAD_LENGTH * dx / length,
            end[1] - HEAD_LENGTH * dy / length,
        ];
        if pieces.is_empty() {
            pieces.push(Piece::Line(neck));
        } else {
            pieces.push(Piece::Curve([[here[0], here[1] + 0.5 * gap], before, neck]));
        }
        Self {
            start,
            pieces,
            head: [neck, end],
        }
    }

    /// Returns the position for a letter that is written on the route, near the beginning of the
    /// route.
    pub(crate) fn letter(&self) -> [f64; 2] {
        let next = match self.pieces[..] {
            [Piece::Line(end) | Piece::Curve([.., end]), ..] => end,
            [] => self.start,
        };
        [0, 1].map(|axis| 0.6 * self.start[axis] + 0.4 * next[axis])
    }

    /// Returns the SVG path data of the route, without the arrowhead.
    pub(crate) fn data(&self) -> String {
        let point = |[x, y]: [f64; 2]| format!("{} {}", number(x), number(y));
        let mut d = format!("M{}", point(self.start));
        for piece in &self.pieces {
            let _ = match piece {
                Piece::Line(end) => write!(d, "L{}", point(*end)),
                Piece::Curve([one, other, end]) => {
                    write!(d, "C{} {} {}", point(*one), point(*other), point(*end))
                }
            };
        }
        d
    }
}

/// Returns the x coordinate at which an arrow touches a box. It is near the centre, but shifted
/// towards the other end of the arrow.
fn contact_x(at: BoxEnd, towards: f64, shift: f64) -> f64 {
    // The arrow does not touch the box near a corner.
    let most = (at.width / 2.0 - 7.0).max(0.0);
    let wish = 0.35 * (towards - at.middle[0]) + shift;
    at.middle[0] + wish.clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns points along a route.
    fn points(route: &Route) -> Vec<[f64; 2]> {
        let (mut here, mut out) = (route.start, vec![route.start]);
        for piece in &route.pieces {
            let [one, other, end] = match *piece {
                Piece::Line(end) => [here, end, end],
                Piece::Curve(curve) => curve,
            };
            out.extend((1..=40).map(|k| {
                let t = f64::from(k) / 40.0;
                let s = 1.0 - t;
                [0, 1].map(|axis| {
                    s * s * s * here[axis]
                        + 3.0 * s * s * t * one[axis]
                        + 3.0 * s * t * t * other[axis]
                        + t * t * t * end[axis]
                })
            }));
            here = end;
        }
        out
    }

    #[test]
    fn edges_are_straight_within_intermediate_layers() {
        for target in [-900.0, -40.0, 0.0, 300.0] {
            for up in [1.0, -1.0] {
                let from = BoxEnd {
                    middle: [0.0, 0.0],
                    width: 80.0,
                };
                let to = BoxEnd {
                    middle: [target, up * 276.0],
                    width: 120.0,
                };
                let through = [[500.0, up * 92.0], [-250.0, up * 184.0]];
                let route = Route::new(from, &through, to, 20.0, 7.0);
                for [x, y] in points(&route) {
                    for [place, level] in through {
                        assert!(
                            (y - level).abs() > 20.0 || (x - place - 7.0).abs() < 0.1,
                            "{x} {y}"
                        );
                    }
                    assert!((-0.1..=276.1).contains(&(up * y)));
                }
            }
        }
    }
}
