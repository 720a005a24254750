//! Suggestions for misspelt names.

/// Returns the known name nearest to `name`, or `None` if all known names are too far away. The
/// edit distance must be at most a third of the length of the known name. For a known name of at
/// most three letters, a distance of 1 is allowed.
///
/// ```
/// use grundy_base::nearest::nearest;
/// let games = ["nim", "kayles", "chomp"];
/// assert_eq!(nearest("kalyes", games), Some("kayles"));
/// assert_eq!(nearest("go", games), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The edit distance takes quadratic time, and a text of more than 64 bytes is not a misspelt
    // name.
    if name.len() > 64 {
        return None;
    }
    known
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len().max(3) / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Returns the edit distance in bytes. It counts replacements, deletions, insertions, and exchanges
/// of neighbouring bytes.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    // Three rows of the table are enough, since an exchange of neighbours refers two rows back.
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = row[j] + usize::from(x != y);
            let mut least = replaced.min(next[j] + 1).min(row[j + 1] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typos_are_near_and_other_words_are_not() {
        let known = ["nim", "kayles", "chomp", "solve", "king"];
        for (typed, meant) in [
            ("nmi", Some("nim")),
            ("nimm", Some("nim")),
            ("kalyes", Some("kayles")),
            ("slove", Some("solve")),
            ("comp", Some("chomp")),
            // Two exchanges of neighbours are a distance of 2, a third of six letters.
            ("kyaels", Some("kayles")),
            ("min", None),
            ("go", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), meant, "{typed}");
        }
    }
}
