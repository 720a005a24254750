//! Hackenbush pictures: the positions of the vertices, the routes of the edges, and the drawing.
//!
//! Vertices are arranged in layers by their distance from the ground, so every edge leads to an
//! adjacent layer or stays in its layer. An edge within a layer is an arch if other vertices lie
//! between its ends, so no edge passes through another vertex. The ends of edges on the ground are
//! drawn at separate points, which are called feet.

mod curve;
mod layers;
mod place;
mod scene;
mod terminal;

pub(crate) use scene::draw;
pub(crate) use terminal::text;

use curve::Curve;
use layers::Layers;

/// Largest number of edges in a drawing.
pub(crate) const DRAWN: usize = 400;

/// The layout of a picture, in units: adjacent layers are 1 apart, and neighbours in a layer at
/// least 1. The y coordinate increases upward, and the ground is at 0.
pub(crate) struct PictureLayout {
    /// The dots of the picture: the vertices above the ground, and the feet, which are the ends of
    /// edges on the ground. Each dot has its number in the notation and its position. The number of
    /// a foot is that of the ground vertex at this end of the edge.
    pub(crate) dots: Vec<(u32, [f64; 2])>,
    /// One curve for each edge, in the order of the notation.
    pub(crate) curves: Vec<Curve>,
    /// The x coordinate of the left end of the drawing.
    pub(crate) left: f64,
    /// The x coordinate of the right end of the drawing.
    pub(crate) right: f64,
    /// The y coordinate of the highest point of the drawing.
    pub(crate) height: f64,
}

impl PictureLayout {
    pub(crate) fn new(edges: &[([u32; 2], char)], ground: &[u32]) -> Self {
        let layers = Layers::new(edges, ground);
        let x = place::x_coordinates(&layers);
        curve::layout(&layers, &x, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::PictureLayout;

    /// Returns a pseudo-random number below `bound`, the same on all machines.
    fn random(state: &mut u64, bound: u32) -> u32 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (((*state >> 32) * u64::from(bound)) >> 32) as u32
    }

    fn vertices_apart(layout: &PictureLayout) {
        let above: Vec<[f64; 2]> = layout
            .dots
            .iter()
            .map(|(_, place)| *place)
            .filter(|place| place[1] > 0.0)
            .collect();
        for (index, a) in above.iter().enumerate() {
            for b in &above[index + 1..] {
                // The bound is less than 1, because x coordinates are rounded to eighths.
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) > 0.8, "{a:?} {b:?}");
            }
        }
    }

    /// Returns whether two straight edges cross at an inner point.
    fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
        let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
            (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        };
        side(a, b, c) * side(a, b, d) < -1e-9 && side(c, d, a) * side(c, d, b) < -1e-9
    }

    #[test]
    fn trees_are_drawn_without_crossings_and_stalks_upright() {
        let mut state = 77;
        for size in 1..60 {
            let edges: Vec<_> = (1..=size)
                .map(|i| ([random(&mut state, i), i], 'g'))
                .collect();
            let layout = PictureLayout::new(&edges, &[0]);
            vertices_apart(&layout);
            for (index, a) in layout.curves.iter().enumerate() {
                assert!(a.bend.is_none());
                for b in &layout.curves[index + 1..] {
                    assert!(!cross(a.from, a.to, b.from, b.to), "{edges:?}");
                }
            }
        }
        let stalk: Vec<_> = (0..9).map(|i| ([i, i + 1], 'g')).collect();
        let layout = PictureLayout::new(&stalk, &[0]);
        assert!(
            layout
                .curves
                .iter()
                .all(|edge| (edge.from[0] - edge.to[0]).abs() < 1e-9)
        );
    }

    #[test]
    fn rings_with_branches_are_drawn_without_crossings() {
        let mut state = 5;
        for length in 3..14 {
            for trunk in 0..2 {
                let mut edges: Vec<_> = (0..length)
                    .map(|i| ([trunk + i, trunk + (i + 1) % length], 'g'))
                    .collect();
                if trunk == 1 {
                    edges.push(([0, 1], 'g'));
                }
                let next = trunk + length;
                for new in next..next + random(&mut state, 3) {
                    edges.push(([1 + random(&mut state, length - 1), new], 'g'));
                }
                let layout = PictureLayout::new(&edges, &[0]);
                vertices_apart(&layout);
                for (index, a) in layout.curves.iter().enumerate() {
                    for b in &layout.curves[index + 1..] {
                        let straight = a.bend.is_none() && b.bend.is_none();
                        assert!(!straight || !cross(a.from, a.to, b.from, b.to), "{edges:?}");
                    }
                }
            }
        }
    }
}
