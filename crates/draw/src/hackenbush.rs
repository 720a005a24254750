//! Hackenbush pictures: where the vertices go, how the edges run, and the ink.
//!
//! Vertices stand in layers by their distance from the ground, so that an edge leads one layer up
//! or stays in its layer and no edge passes through a vertex in between. Every edge that touches
//! the ground has a foot of its own.

mod curve;
mod layers;
mod place;
mod scene;
mod terminal;

pub(crate) use scene::draw;
pub(crate) use terminal::text;

use curve::Curve;
use layers::Layers;

/// More edges than this are not drawn.
pub(crate) const DRAWN: usize = 400;

/// A laid-out picture. Units: one layer is 1 high, neighbours in a layer are at least 1 apart; y
/// grows upward from the ground at 0.
pub(crate) struct PictureLayout {
    /// Vertices above the ground with their place, and feet on the ground.
    pub(crate) dots: Vec<(u32, [f64; 2])>,
    /// One curve an edge, in the order written.
    pub(crate) curves: Vec<Curve>,
    /// From the leftmost to the rightmost ink.
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) height: f64,
}

impl PictureLayout {
    pub(crate) fn new(edges: &[([u32; 2], char)], ground: &[u32]) -> Self {
        let layers = Layers::new(edges, ground);
        let x = place::columns(&layers);
        curve::layout(&layers, &x, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::PictureLayout;

    /// Numbers that look random and are the same everywhere.
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
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) > 0.8, "{a:?} {b:?}");
            }
        }
    }

    /// Returns whether two straight edges cross away from their ends.
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
