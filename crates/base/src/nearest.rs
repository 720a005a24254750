//! The known name that was probably meant.

/// Returns the known name nearest to `name`, if one is near: at most a third of the letters differ.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// How many bytes have to be replaced, left out, put in or exchanged with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
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
    fn slips_of_the_hand_are_near_and_other_words_are_not() {
        let known = ["nim", "kayles", "chomp", "solve", "king"];
        for (typed, meant) in [
            ("nmi", Some("nim")),
            ("nimm", Some("nim")),
            ("kalyes", Some("kayles")),
            ("slove", Some("solve")),
            ("comp", Some("chomp")),
            ("kyaels", Some("kayles")),
            ("min", None),
            ("go", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), meant, "{typed}");
        }
    }
}
