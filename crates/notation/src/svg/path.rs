//! Path data of SVG, as far as the ends of its pieces go.

/// One segment of a path: where it begins and ends, and whether it is straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) ends: [[f64; 2]; 2],
    pub(crate) curved: bool,
}

/// Splits path data or lists of numbers into commands and numbers.
struct Tokens<'a> {
    rest: &'a str,
}

impl Tokens<'_> {
    fn skip(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches([' ', ',', '\t', '\n', '\r', '\u{c}']);
    }

    fn command(&mut self) -> Option<char> {
        self.skip();
        let first = self.rest.chars().next().filter(char::is_ascii_alphabetic)?;
        self.rest = &self.rest[1..];
        Some(first)
    }

    /// The flags of an arc may stand without anything between them.
    fn flag(&mut self) -> Option<f64> {
        self.skip();
        let first = self.rest.chars().next()?;
        self.rest = &self.rest[first.len_utf8()..];
        match first {
            '0' => Some(0.0),
            '1' => Some(1.0),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<f64> {
        self.skip();
        let bytes = self.rest.as_bytes();
        let mut end = usize::from(bytes.first().is_some_and(|b| matches!(b, b'+' | b'-')));
        let mut point = false;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'0'..=b'9' => {}
                b'.' if !point => point = true,
                b'e' | b'E' => {
                    let sign =
                        usize::from(bytes.get(end + 1).is_some_and(|b| matches!(b, b'+' | b'-')));
                    end += sign;
                    point = true;
                }
                _ => break,
            }
            end += 1;
        }
        let end = end.min(self.rest.len());
        let number: f64 = self.rest.get(..end)?.parse().ok()?;
        self.rest = &self.rest[end..];
        number.is_finite().then_some(number)
    }
}

/// All numbers of a list.
pub(crate) fn numbers(text: &str) -> Option<Vec<f64>> {
    let mut tokens = Tokens { rest: text };
    let mut numbers = Vec::new();
    tokens.skip();
    while !tokens.rest.is_empty() {
        numbers.push(tokens.number()?);
        tokens.skip();
    }
    Some(numbers)
}

/// The points of a polyline.
pub(crate) fn points(text: &str) -> Option<Vec<[f64; 2]>> {
    let numbers = numbers(text)?;
    let (points, rest) = numbers.as_chunks::<2>();
    rest.is_empty().then(|| points.to_vec())
}

/// The pieces of a path.
pub(crate) fn pieces(text: &str) -> Option<Vec<Piece>> {
    let mut tokens = Tokens { rest: text };
    let mut pieces = Vec::new();
    let (mut here, mut start) = ([0.0; 2], [0.0; 2]);
    let mut command = None;
    loop {
        tokens.skip();
        if tokens.rest.is_empty() {
            return Some(pieces);
        }
        if let Some(next) = tokens.command() {
            command = Some(next);
        } else if matches!(command, None | Some('Z' | 'z')) {
            return None;
        }
        let letter = command?;
        let relative = letter.is_ascii_lowercase();
        let base = if relative { here } else { [0.0; 2] };
        let mut skip = |count: usize| (0..count).try_for_each(|_| tokens.number().map(|_| ()));
        let mut end = here;
        match letter.to_ascii_uppercase() {
            'Z' => {
                end = start;
            }
            'H' => end[0] = base[0] + tokens.number()?,
            'V' => end[1] = base[1] + tokens.number()?,
            'M' | 'L' | 'T' | 'C' | 'S' | 'Q' | 'A' => {
                match letter.to_ascii_uppercase() {
                    'C' => skip(4)?,
                    'S' | 'Q' => skip(2)?,
                    'A' => {
                        skip(3)?;
                        tokens.flag()?;
                        tokens.flag()?;
                    }
                    _ => {}
                }
                end = [base[0] + tokens.number()?, base[1] + tokens.number()?];
            }
            _ => return None,
        }
        if letter.eq_ignore_ascii_case(&'M') {
            start = end;
            // Further pairs of numbers are lines.
            command = Some(if relative { 'l' } else { 'L' });
        } else {
            let curved = matches!(letter.to_ascii_uppercase(), 'C' | 'S' | 'Q' | 'T' | 'A');
            pieces.push(Piece {
                ends: [here, end],
                curved,
            });
        }
        here = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Option<Vec<[[f64; 2]; 2]>> {
        Some(pieces(text)?.iter().map(|piece| piece.ends).collect())
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
