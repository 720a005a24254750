//! Line breaks in texts of the notation.

/// Breaks a text into lines of at most `width` characters. Lines end after a blank if possible, and
/// otherwise within a word.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_inclusive(' ') {
        let letters = word.trim_end().chars().count();
        if length > 0 && length + letters > width {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            length = 0;
        }
        for letter in word.chars() {
            if length == width {
                // A blank at the beginning of a line is left out.
                if letter == ' ' {
                    continue;
                }
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                length = 0;
            }
            line.push(letter);
            length += 1;
        }
    }
    if !line.trim_end().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_break_after_spaces() {
        assert_eq!(wrapped("ab cd ef", 5), ["ab cd", "ef"]);
        assert_eq!(wrapped("abcdefg h", 3), ["abc", "def", "g h"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
