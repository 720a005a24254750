//! Path data of SVG, reduced to the end points of the segments.

use svgtypes::{NumberListParser, PathParser, PathSegment};

/// One segment of a path: its end points, and whether it is curved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) ends: [[f64; 2]; 2],
    pub(crate) curved: bool,
}

/// Parses the points of a polyline.
pub(crate) fn points(text: &str) -> Option<Vec<[f64; 2]>> {
    let numbers: Vec<f64> = NumberListParser::from(text)
        .collect::<Result<_, _>>()
        .ok()?;
    let (points, rest) = numbers.as_chunks::<2>();
    rest.is_empty().then(|| points.to_vec())
}

/// Parses a path and returns its segments.
pub(crate) fn segments(text: &str) -> Option<Vec<Segment>> {
    let mut segments = Vec::new();
    let (mut here, mut start) = ([0.0; 2], [0.0; 2]);
    for segment in PathParser::from(text) {
        let segment = segment.ok()?;
        let base = if segment.is_abs() { [0.0; 2] } else { here };
        let end = match segment {
            PathSegment::ClosePath { .. } => start,
            PathSegment::HorizontalLineTo { x, .. } => [base[0] + x, here[1]],
            PathSegment::VerticalLineTo { y, .. } => [here[0], base[1] + y],
            PathSegment::MoveTo { x, y, .. }
            | PathSegment::LineTo { x, y, .. }
            | PathSegment::CurveTo { x, y, .. }
            | PathSegment::SmoothCurveTo { x, y, .. }
            | PathSegment::Quadratic { x, y, .. }
            | PathSegment::SmoothQuadratic { x, y, .. }
            | PathSegment::EllipticalArc { x, y, .. } => [base[0] + x, base[1] + y],
        };
        // A move starts a new subpath. A later `z` returns to this point.
        if matches!(segment, PathSegment::MoveTo { .. }) {
            start = end;
        } else {
            let straight = matches!(
                segment,
                PathSegment::ClosePath { .. }
                    | PathSegment::HorizontalLineTo { .. }
                    | PathSegment::VerticalLineTo { .. }
                    | PathSegment::LineTo { .. }
            );
            segments.push(Segment {
                ends: [here, end],
                curved: !straight,
            });
        }
        here = end;
    }
    Some(segments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Option<Vec<[[f64; 2]; 2]>> {
        Some(segments(text)?.iter().map(|segment| segment.ends).collect())
    }

    #[test]
    fn every_segment_is_a_piece() {
        assert_eq!(
            ends("M0,0 L1,0 1,1z"),
            Some(vec![
                [[0.0, 0.0], [1.0, 0.0]],
                [[1.0, 0.0], [1.0, 1.0]],
                [[1.0, 1.0], [0.0, 0.0]]
            ])
        );
        assert_eq!(
            ends("m1-1h2v.5.5"),
            Some(vec![
                [[1.0, -1.0], [3.0, -1.0]],
                [[3.0, -1.0], [3.0, -0.5]],
                [[3.0, -0.5], [3.0, 0.0]]
            ])
        );
        assert_eq!(
            ends("M 1 1 C 0 0 2 0 1 1 a1 1 0 011 1"),
            Some(vec![[[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [2.0, 2.0]]])
        );
        assert_eq!(
            ends("M 0 0 L 1e2 -1E-1"),
            Some(vec![[[0.0, 0.0], [100.0, -0.1]]])
        );
        for broken in [
            "1 2",
            "M 0",
            "M 0 0 X 1 1",
            "M 0 0 L 1 e",
            "M 0 0 L 1e999 0",
            "M0 0 Z 1 1",
            "M 0 0 L é",
        ] {
            assert_eq!(ends(broken), None, "{broken}");
        }
    }
}
